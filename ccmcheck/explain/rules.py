"""What there is to say about a rule: its line of the registry, its page, and its examples.

The page of a rule, ``NAME.md`` beside its code: prose for readers, and examples that are the rule's tests.

Below the title come paragraphs with a heading (``What it does:``), and below ``## Examples`` fenced blocks. A block's
first word is a language for highlighting; the second is ``bad`` or ``good``, or says what belongs to the example above:

* ``fixed``: the text after the rule's fix; an example without it has no automatic fix;
* ``conf``: for a rule about Services, the nearest cloud.conf;
* ``run``: the rest of the run, a Python expression.

More words describe an example: ``at=LINE:COLUMN`` of its finding, ``unsafe``, ``release=``, ``hidden`` for one that is
a test only, ``same-conf`` and ``same-run`` for what the example above has, ``escaped`` for a text as JSON.
The others are read by ``tests/rules/rule_cases.py``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import RuleInfo
from ccmcheck.explain.page import Example, Page, as_markdown
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.registry import ENTRIES, UNUSED

_BLOCK = re.compile(r"^```\w+ ([\w-]+)(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
_WORD = re.compile(r' ([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?')
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b", '"': '"', "\\": "\\", "/": "/"}
_INHERITED = ("conf", "run")
_BUGS = "(the bugs)"
"""Where a page lists the bugs of releases."""


class RuleExample(NamedTuple):
    """One example of a rule.

    Attributes:
        is_bad: Whether the rule reports it.
        text: The cloud.conf; for a rule about objects the manifest.
        words: The words that describe it, with their values.
        parts: The blocks that belong to it, by their first word.
    """

    is_bad: bool
    text: str
    words: Mapping[str, str]
    parts: Mapping[str, str]


class RulePage(NamedTuple):
    """A page: its title, its prose, and its examples."""

    title: str
    prose: str
    examples: tuple[RuleExample, ...]


def group_of(name: str) -> str:
    """The group of a rule; a KeyError where there is none of that name."""
    return "suppression" if name == UNUSED.name else GROUP_OF[name]


@cache
def page(name: str) -> RulePage:
    """Read the page of a rule; a KeyError where there is none."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = f"{package}/rules/{group_of(name)}/{name.replace('-', '_')}.md"
    with open(path, encoding="utf-8", newline="") as file:
        prose, _, examples = file.read().partition("\n## Examples\n")
    title, _, prose = prose.partition("\n")
    if _BUGS in prose:
        from ccmcheck.catalog.release_bugs import listed

        prose = prose.replace(_BUGS, listed(name))
    return RulePage(title.removeprefix("# "), prose, tuple(_examples(examples)))


def _examples(text: str) -> Iterator[RuleExample]:
    parts: dict[str, str] = {}
    for kind, words, body in _BLOCK.findall(text):
        described = {name: quoted or plain for name, quoted, plain in _WORD.findall(words)}
        content = _unescaped(body) if "escaped" in described else body
        if kind in ("bad", "good"):
            parts = {part: parts[part] for part in _INHERITED if f"same-{part}" in described}
            yield RuleExample(kind == "bad", content, described, parts)
        else:
            parts[kind] = content


def _unescaped(text: str) -> str:
    r"""A JSON string, ``"a\n"``; Python's json is not loaded for a few pages."""
    plain = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1]) or chr(int(found[1][1:], 16)), text.strip()[1:-1])
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


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
