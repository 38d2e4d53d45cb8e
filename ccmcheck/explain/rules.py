"""What there is to say about a rule: its line of the registry, its page, and its examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.result import RuleInfo
from ccmcheck.explain.page import Example, Page, as_markdown
from ccmcheck.explain.rule_pages import RuleExample, group_of, page
from ccmcheck.rules.registry import ENTRIES, UNUSED

_PARAGRAPH = lazy_regex(r"^([A-Z][A-Za-z ]{1,30}):[ \n]", re.MULTILINE)
EXAMPLES = 2
"""How many bad examples a page shows."""


def rule_page(name: str) -> Page:
    """The page of one rule.

    Raises:
        KeyError: There is no rule of that name.
    """
    written, entry = page(name), UNUSED if name == UNUSED.name else ENTRIES[name]
    facts = [("severity", entry.severity.word), ("fix", entry.fix), ("group", group_of(name))]
    if entry.needs:
        facts.append(("needs", ", ".join(entry.needs)))
    facts.append(("since", f"ccmcheck {entry.since}"))
    shown = [example for example in written.examples if example.is_bad and "hidden" not in example.words][:EXAMPLES]
    return Page(
        "rule", name, written.title, tuple(facts), tuple(paragraphs(written.prose)), tuple(map(_example, shown))
    )


def rule_info(name: str) -> RuleInfo:
    """What reports say about one rule."""
    page = rule_page(name)
    facts = dict(page.facts)
    prose = dict(page.paragraphs)
    parts = (page.title, _sentence(prose.get(_WHAT, "")), _sentence(prose.get(_WHY, "")))
    description = " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)
    severity = (UNUSED if name == UNUSED.name else ENTRIES[name]).severity
    return RuleInfo(name, page.title, severity, as_markdown(page), facts["fix"], _url(name), description)


_WHAT, _WHY = "What it does", "Why"
_HOME = "https://github.com/ccmcheck/ccmcheck"


def _sentence(text: str) -> str:
    """A paragraph as a sentence of its own."""
    flat = " ".join(text.split())
    return flat[:1].upper() + flat[1:]


def _url(name: str) -> str:
    """The rule's page at this version."""
    from ccmcheck import __version__

    return f"{_HOME}/blob/v{__version__}/ccmcheck/rules/{group_of(name)}/{name.replace('-', '_')}.md"


def paragraphs(doc: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a rule's page that have a heading, each as one piece of prose."""
    matches = list(_PARAGRAPH.finditer(doc))
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        body = doc[match.end() : following.start() if following is not None else len(doc)]
        yield match[1], "\n".join(" ".join(part.split()) for part in body.strip().split("\n\n"))


def _example(example: RuleExample) -> Example:
    release = f" at CCM {example.words['release']}" if "release" in example.words else ""
    caption = f"Found at {example.words['at']}{release}"
    return Example(caption, example.text, example.parts.get("fixed", ""), example.parts.get("conf", ""))
