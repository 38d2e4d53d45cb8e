"""The guides, the README and the site: small enough, complete, and no link leads nowhere."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import html5lib  # type: ignore[import-untyped]
import pytest
from docs_site import build, slug
from root import ROOT

from ccmcheck import catalog
from ccmcheck.catalog.data.releases import BRANCHES
from ccmcheck.cli.guides import ORDER, guide, guides
from ccmcheck.cli.main import NAMES
from ccmcheck.report import REPORTERS

README = ROOT / "README.md"
TEXTS = (README, ROOT / ".github" / "CONTRIBUTING.md", *sorted((ROOT / "ccmcheck" / "docs").glob("*.md")))
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HTML = "{http://www.w3.org/1999/xhtml}"


def headings(path: Path) -> set[str]:
    """The anchors of a page."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    return {slug(line.lstrip("# ").replace("`", "")) for line in text.splitlines() if line.startswith("#")}


def test_the_readme_is_short() -> None:
    assert len(README.read_bytes()) <= 10 * 1024


def test_the_readme_names_the_releases_of_the_catalog() -> None:
    known = f"CCM releases {BRANCHES[0]} to {catalog.newest()} "
    assert known in README.read_text(encoding="utf-8"), f'README.md, "What it reads": write "{known}"'


def test_the_contributing_guide_names_files_that_exist() -> None:
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    picture = FENCED.findall(text)[1]
    names = {f"ccmcheck/{name}" for name in re.findall(r"\b[a-z]+/", picture)}
    names |= set(re.findall(r"`((?:ccmcheck|tests|samples|\.github)/[^`*\s]*)`", text))
    names |= {path for paths in re.findall(r"ARGS='?((?:tests/[^'`\s]*[ ]?)+)", text) for path in paths.split()}
    missing = [name for name in sorted(names) if not re.search("[A-Z]{4}", name) and not (ROOT / name).exists()]
    assert len(names) > 30
    assert not missing, f".github/CONTRIBUTING.md names what is not there: {', '.join(missing)}"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"`ccmcheck {name}" in README.read_text(encoding="utf-8")


def test_every_topic_has_a_guide() -> None:
    assert set(guides()) == set(ORDER)
    assert all(guide(name).startswith("# ") for name in guides())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(FENCED.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve() if name else path
        assert page.is_file(), target
        assert not anchor or anchor in headings(page), target


def test_the_table_of_formats_is_that_of_the_registries() -> None:
    """A new format of lint appears here, or this fails."""
    table = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", guide("formats"), re.MULTILINE)
    of_lint = [name for name, commands in table if commands.startswith(("lint", "all"))]
    gaps = [f"{name} has no row in ccmcheck/docs/formats.md: add it" for name in REPORTERS if name not in of_lint]
    gaps += [f"{name} of ccmcheck/docs/formats.md is not in REPORTERS" for name in of_lint if name not in REPORTERS]
    assert not gaps, "\n".join(gaps)
    assert of_lint == list(REPORTERS), "the rows of ccmcheck/docs/formats.md are not in the order of REPORTERS"
    others = _formats_of_other_commands()
    assert {name for name, commands in table if commands != "lint"} == set(others)
    for name, commands in table:
        if commands != "lint" and not commands.startswith("all"):
            assert [command for command in commands.split(", ") if command != "lint"] == others[name]


def _formats_of_other_commands() -> dict[str, list[str]]:
    from importlib import import_module

    found: dict[str, list[str]] = {}
    for command in NAMES:
        module = import_module(f"ccmcheck.cli.{command}")
        for name in getattr(module, "FORMATS", ()) if command not in ("fix", "set") else ():
            found.setdefault(name, []).append(command)
    return found


@cache
def site(folder: Path) -> dict[str, tuple[set[str], set[str]]]:
    """Each page of the built site, with its links and its anchors."""
    build(folder)
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        tree = html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))
        links = {element.get("href", "") for element in tree.iter(f"{HTML}a")}
        anchors = {element.get("id", "") for element in tree.iter() if element.get("id")}
        pages[path.relative_to(folder).as_posix()] = (links, anchors)
    return pages


def test_the_site_has_every_page_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    pages = site(tmp_path)
    assert {"index.html", "lint.html", "options.html", "rules/duration-bad.html", "matrix/M13.html"} <= set(pages)
    assert "keys/LoadBalancer.create-monitor.html" in pages
    assert len(pages) > 280
    for name, (links, _) in pages.items():
        for link in links:
            if link.startswith(("https:", "http:")):
                continue
            path, _, anchor = link.partition("#")
            target = (tmp_path / name).parent.joinpath(path).resolve() if path else tmp_path / name
            where = target.relative_to(tmp_path.resolve()).as_posix()
            assert where in pages, f"{name}: {link}"
            assert not anchor or anchor in pages[where][1], f"{name}: {link}"


def test_pages_of_the_site_say_where_one_is_and_have_their_text_first(tmp_path: Path) -> None:
    site(tmp_path)
    for name, current in (("lint.html", "lint.html"), ("rules/duration-bad.html", "../rules/index.html")):
        tree = html5lib.HTMLParser(strict=True).parse((tmp_path / name).read_text(encoding="utf-8"))
        (where,) = (one for one in tree.iter(f"{HTML}a") if one.get("aria-current") == "page")
        assert where.get("href") == current
        order = [one.tag.removeprefix(HTML) for one in tree.iter() if one.tag in (f"{HTML}main", f"{HTML}nav")]
        assert order[0] == "main"
        rows = [row for row in tree.iter(f"{HTML}tr") if not row[0].tag.startswith(f"{HTML}th")]
        assert not (name.startswith("rules/") and rows), "the first cell of a row is its head"
    contents = re.search('<nav class="toc".*?</nav>', (tmp_path / "lint.html").read_text("utf-8"), re.DOTALL)
    assert contents is not None
    assert '<a href="#which-files-are-read">Which files are read</a>' in contents[0]


def test_the_search_knows_every_page_and_needs_no_server(tmp_path: Path) -> None:
    pages = site(tmp_path)
    text = (tmp_path / "index.js").read_text(encoding="utf-8")
    known = json.loads(text.removeprefix("window.PAGES = ").rstrip().removesuffix(";"))
    assert {one["file"] for one in known} == {name for name in pages if not name.endswith("/index.html")}
    (rule,) = (one for one in known if one["title"] == "duration-bad")
    assert {"monitor-delay", "duration"} <= set(rule["text"].split())
    assert rule["about"] == "An invalid duration."
    assert not re.search("https?:|fetch|XMLHttp", (tmp_path / "site.js").read_text(encoding="utf-8"))
