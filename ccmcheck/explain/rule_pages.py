"""The page of a rule, ``NAME.md`` beside its code: prose for readers, and examples that are the rule's tests.

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

from ccmcheck.base.records import NamedTuple
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.registry import UNUSED

_BLOCK = re.compile(r"^```\w+ ([\w-]+)(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
_WORD = re.compile(r' ([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?')
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b", '"': '"', "\\": "\\", "/": "/"}
_INHERITED = ("conf", "run")


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
