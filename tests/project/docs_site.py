"""Builds the static site of the guides and of every rule's, key's, annotation's and profile's page: ``make docs``."""

from __future__ import annotations

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

STYLE = """\
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .92rem; }
nav b { display: block; margin-top: 1rem; }
nav a { display: block; }
main { padding: 1.5rem 2rem 4rem; max-width: 62rem; }
h1, h2, h3 { line-height: 1.25; }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--soft); border-radius: 6px; font-size: .84rem; line-height: 1.4; }
code { font-family: ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { display: block; } nav { border: 0; border-bottom: 1px solid var(--line); } }
"""


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


def entries() -> Iterator[tuple[str, list[Entry]]]:
    """All pages, by the title of their list."""
    from ccmcheck import catalog
    from ccmcheck.catalog.service_annotations import all_annotations
    from ccmcheck.cli.guides import guides
    from ccmcheck.cli.help import option_table
    from ccmcheck.lint.selection import RULE_NAMES
    from ccmcheck.policy.create_monitor.matrix import BY_ID
    from ccmcheck.policy.profiles.standards import BUILT_IN

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

    def page(self, entry: Entry) -> str:
        """One page."""
        up = "../" * entry.file.count("/")
        tokens = self.markdown.parse(entry.text)
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", slug(tokens[number + 1].content.replace("`", "")))
            for child in token.children or ():
                self._link(child, entry, up)
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        if not entry.source:
            body = self._see_also(body, up)
        return self._whole(entry.title, body, up)

    def index(self, title: str, group: list[Entry]) -> str:
        """The list of a group of generated pages."""
        rows = "\n".join(f'<li><a href="../{entry.file}">{escape(entry.title)}</a></li>' for entry in group)
        return self._whole(title, f"<h1>{title}</h1>\n<ul>\n{rows}\n</ul>\n", "../")

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

    def _whole(self, title: str, body: str, up: str) -> str:
        links = []
        for name, group in self.groups:
            links.append(f"<b>{name}</b>")
            if name in ("Project", "Guides"):
                links += [f'<a href="{up}{entry.file}">{escape(entry.title)}</a>' for entry in group]
            else:
                links.append(f'<a href="{up}{name.lower()}/index.html">{len(group)} pages</a>')
        return (
            "<!DOCTYPE html>\n"
            f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · ccmcheck</title>\n'
            f'<meta name="viewport" content="width=device-width"><style>\n{STYLE}</style></head>\n'
            f"<body><nav>{chr(10).join(links)}</nav>\n<main>\n{body}</main></body></html>\n"
        )


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
    pages = {entry.file: writer.page(entry) for _, group in groups for entry in group}
    pages |= {f"{title.lower()}/index.html": writer.index(title, group) for title, group in groups[2:]}
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(pages)


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    print(f"{build(where)} pages in {where}")
