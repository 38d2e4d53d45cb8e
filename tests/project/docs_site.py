"""Builds the static site of the guides and of every rule's, key's, annotation's and profile's page: ``make docs``."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"

FILES = {"README.md": "index", "CHANGELOG.md": "changes", ".github/CONTRIBUTING.md": "contributing"}
"""Pages that are not guides, by their place in the repository."""

HERE = Path(__file__).parent
SCHEMAS = ROOT / "ccmcheck" / "docs" / "schemas"
SCRIPTS = ("site.css", "site.js")
"""What every page loads from beside it."""

SEARCH = """\
<div role="search"><label for="search">Search</label><input type="search" id="search" autocomplete="off">
<ul id="hits" aria-live="polite"></ul></div>"""

LEAST_HEADINGS = 3
"""Headings of a page that has a table of contents."""

LONGEST_ABOUT = 110
"""Characters that a hit of the search shows of a page."""


class Entry(NamedTuple):
    """One page of the site.

    Attributes:
        file: Its file, below the site.
        title: What the lists call it.
        text: Markdown.
        source: Its place in the repository, which its links are relative to; empty for generated pages.
    """

    file: str
    title: str
    text: str
    source: str = ""


class Heading(NamedTuple):
    """A heading of a page."""

    level: int
    text: str

    @property
    def anchor(self) -> str:
        """Its anchor."""
        return slug(self.text)


class Shown(NamedTuple):
    """What a page shows.

    Attributes:
        group: The title of the list that it is in.
        file: Its file, below the site.
        title: What the lists call it.
        body: HTML.
        contents: Its table of contents, as HTML.
    """

    group: str
    file: str
    title: str
    body: str
    contents: str = ""


def entries() -> Iterator[tuple[str, list[Entry]]]:
    """All pages, by the title of their list."""
    from ccmcheck import catalog
    from ccmcheck.catalog.service_annotations import all_annotations
    from ccmcheck.cli.guides import guides
    from ccmcheck.cli.help import option_table
    from ccmcheck.policy.create_monitor.matrix import BY_ID
    from ccmcheck.policy.profiles.standards import BUILT_IN
    from ccmcheck.rules import RULE_NAMES

    project = [
        Entry(f"{name}.html", title, (ROOT / path).read_text(encoding="utf-8"), path)
        for (path, name), title in zip(FILES.items(), ("ccmcheck", "Changes", "Contributing"), strict=True)
    ]
    yield "Project", project
    sources = {name: f"ccmcheck/docs/{name}.md" for name in guides()}
    shown = [
        Entry(f"{name}.html", name, (ROOT / path).read_text(encoding="utf-8"), path) for name, path in sources.items()
    ]
    yield "Guides", [*shown, Entry("options.html", "options", "\n".join(option_table()))]
    sections = {section: catalog.all_keys(section) for section in catalog.all_sections()}
    yield "Rules", [_explained("rules", name) for name in RULE_NAMES]
    yield (
        "Keys",
        [
            _explained("keys", name)
            for section, keys in sections.items()
            for name in (section, *(f"{section}.{key}" for key in keys))
        ],
    )
    yield "Annotations", [_explained("annotations", annotation.name) for annotation in all_annotations()]
    yield "Profiles", [_explained("profiles", f"profile:{name}") for name in BUILT_IN]
    yield "Matrix", [_explained("matrix", name) for name in BY_ID]
    yield "Schemas", [_schema(path) for path in sorted(SCHEMAS.glob("*.json"))]


def _schema(path: Path) -> Entry:
    text = path.read_text(encoding="utf-8")
    title = json.loads(text)["title"]
    return Entry(
        file_of("schemas", path.stem), f"{path.stem}.json", f"# {path.stem}.json\n\n{title}\n\n```json\n{text}```\n"
    )


def file_of(folder: str, name: str) -> str:
    """The file of a generated page."""
    return f"{folder}/{re.sub('[^A-Za-z0-9.-]+', '-', name.removeprefix('profile:'))}.html"


def _explained(folder: str, name: str) -> Entry:
    from ccmcheck.explain.lookup import explain
    from ccmcheck.explain.page import as_markdown

    return Entry(file_of(folder, name), name, as_markdown(explain(name)[0]))


def slug(heading: str) -> str:
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Writer:
    """Turns pages into HTML.

    Args:
        groups: All pages, by the title of their list.
    """

    def __init__(self, groups: list[tuple[str, list[Entry]]]) -> None:
        self.groups = groups
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.by_source = {entry.source: entry.file for _, group in groups for entry in group if entry.source}
        self.by_name = {entry.title: entry.file for title, group in groups for entry in group if title != "Project"}

    def page(self, group: str, entry: Entry) -> str:
        """One page."""
        up = "../" * entry.file.count("/")
        tokens = self.markdown.parse(entry.text)
        headings: list[Heading] = []
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                heading = Heading(int(token.tag[1:]), tokens[number + 1].content.replace("`", ""))
                token.attrSet("id", heading.anchor)
                headings.append(heading)
            for child in token.children or ():
                self._link(child, entry, up)
        body = self.markdown.renderer.render(_with_table_heads(tokens), self.markdown.options, {})
        if not entry.source:
            body = self._see_also(body, up)
        return self._whole(Shown(group, entry.file, entry.title, body, _contents(headings)), up)

    def index(self, group: str, listed: list[Entry]) -> str:
        """The list of a group of generated pages."""
        rows = "\n".join(
            f'<tr><th scope="row"><a href="../{entry.file}">{escape(entry.title)}</a></th><td>{escape(_about(entry))}</td></tr>'
            for entry in listed
        )
        head = '<thead><tr><th scope="col">name</th><th scope="col">what it is</th></tr></thead>'
        body = f"<h1>{group}</h1>\n<table>{head}<tbody>\n{rows}\n</tbody></table>\n"
        return self._whole(Shown(group, f"{group.lower()}/index.html", group, body), "../")

    def search_index(self) -> str:
        """What the search looks through: a line a page."""
        pages = [
            {
                "file": entry.file,
                "title": entry.title,
                "group": group,
                "about": _about(entry),
                "text": " ".join(dict.fromkeys(re.findall(r"[a-z0-9][a-z0-9./_-]+", entry.text.lower()))),
            }
            for group, listed in self.groups
            for entry in listed
        ]
        return "window.PAGES = [\n" + ",\n".join(map(json.dumps, pages)) + "\n];\n"

    def _link(self, token: Token, entry: Entry, up: str) -> None:
        """Lead links within the repository to the page of the site, and others to the repository."""
        target = str(token.attrGet("href") or "")
        if token.type != "link_open" or not target or re.match(r"[a-z]+:|#", target):
            return
        path, mark, anchor = target.partition("#")
        whole = (ROOT / entry.source).parent.joinpath(path).resolve().relative_to(ROOT).as_posix()
        place = self.by_source.get(whole)
        if place is None:
            place, up = f"https://github.com/ccmcheck/ccmcheck/blob/main/{whole}", ""
        token.attrSet("href", f"{up}{place}{mark}{anchor}")

    def _see_also(self, body: str, up: str) -> str:
        """Link the names behind "See also"."""

        def linked(match: re.Match[str]) -> str:
            names = match[1].split(", ")
            places = [(name, self.by_name.get(re.sub("<.*?>", "", name))) for name in names]
            return "See also: " + ", ".join(
                f'<a href="{up}{place}">{name}</a>' if place else name for name, place in places
            )

        return re.sub(r"See also: (.*?)(?=</p>)", linked, body)

    def _whole(self, shown: Shown, up: str) -> str:
        return (
            "<!DOCTYPE html>\n"
            f'<html lang="en"><head><meta charset="utf-8"><title>{escape(shown.title)} · ccmcheck</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="stylesheet" href="{up}site.css"></head>\n'
            f'<body><a class="skip" href="#content">Skip to the content</a>'
            f'<p class="jump"><a href="#pages">Search and all pages</a></p>\n<main id="content">\n{shown.body}</main>\n'
            f'{shown.contents}<nav class="pages" id="pages" aria-label="Pages">\n{self._navigation(shown, up)}</nav>\n'
            f'<script src="{up}site.js" data-up="{up}"></script></body></html>\n'
        )

    def _navigation(self, shown: Shown, up: str) -> str:
        links = [SEARCH]
        for group, listed in self.groups:
            links.append(f"<b>{group}</b>")
            if group in ("Project", "Guides"):
                links += [_navigated(up, entry.file, entry.title, entry.file == shown.file) for entry in listed]
            else:
                index = f"{group.lower()}/index.html"
                links.append(_navigated(up, index, f"{len(listed)} pages", group == shown.group))
        return "\n".join(links)


def _navigated(up: str, file: str, title: str, is_current: bool) -> str:
    current = ' aria-current="page"' if is_current else ""
    return f'<a href="{up}{file}"{current}>{escape(title)}</a>'


def _contents(headings: list[Heading]) -> str:
    """The table of contents of a page; empty for a short one."""
    listed = [heading for heading in headings if heading.level in (2, 3)]
    if len(listed) < LEAST_HEADINGS:
        return ""
    rows = "\n".join(
        f'<li{" class=deeper" * (heading.level == 3)}><a href="#{heading.anchor}">{escape(heading.text)}</a></li>'
        for heading in listed
    )
    return f'<nav class="toc" aria-label="On this page"><b>On this page</b><ul>\n{rows}\n</ul></nav>\n'


def _with_table_heads(tokens: list[Token]) -> list[Token]:
    """The tokens without table heads that say nothing: the first cell of each row is the head there."""
    kept: list[Token] = []
    waiting: list[Token] | None = None
    is_headless = False
    for token in tokens:
        if token.type == "thead_open":
            waiting = []
        if waiting is None:
            kept.append(_row_head(token, kept) if is_headless else token)
        else:
            waiting.append(token)
        if token.type == "thead_close" and waiting is not None:
            is_headless = not any(one.content.strip() for one in waiting)
            kept += () if is_headless else waiting
            waiting = None
        is_headless = is_headless and token.type != "table_close"
    return kept


def _row_head(token: Token, before: list[Token]) -> Token:
    """A cell as the head of its row, where it is the first."""
    if token.type == "td_open" and before[-1].type == "tr_open":
        token.tag = "th"
        token.attrSet("scope", "row")
    elif token.type == "td_close" and before[-2].tag == "th":
        token.tag = "th"
    return token


def _about(entry: Entry) -> str:
    """What a page is about: its first sentence below the title."""
    for part in entry.text.split("\n\n"):
        text = " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", part).replace("`", "").replace("**", "").split())
        if text and text[0] not in "#|<!":
            return text if len(text) <= LONGEST_ABOUT else f"{text[:LONGEST_ABOUT].rsplit(' ', 1)[0]} …"
    return ""


def build(folder: Path) -> int:
    """Write the site.

    Args:
        folder: Where to; what is there is replaced.

    Returns:
        How many pages it has.
    """
    shutil.rmtree(folder, ignore_errors=True)
    groups = list(entries())
    writer = Writer(groups)
    pages = {entry.file: writer.page(group, entry) for group, listed in groups for entry in listed}
    pages |= {f"{group.lower()}/index.html": writer.index(group, listed) for group, listed in groups[2:]}
    files = {name: (HERE / name).read_text(encoding="utf-8") for name in SCRIPTS}
    files |= {f"schemas/{path.name}": path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")}
    for name, text in {**pages, **files, "index.js": writer.search_index()}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(pages)


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    print(f"{build(where)} pages in {where}")
