"""No regular expression of the package takes more than quadratic time, whatever it searches.

Each is tried on texts that are made for it: the shortest text that it matches, with a run of one or two of its own
characters at each place, and a last character that it refuses.
"""

from __future__ import annotations

import json
import os
import re
import re._constants as c  # type: ignore[import-not-found, import-untyped, unused-ignore]
import re._parser as sre  # type: ignore[import-not-found, import-untyped, unused-ignore]
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import compiled_patterns
import pytest

import ccmcheck
from ccmcheck.base import lazy_regex as lazy
from ccmcheck.catalog.signs import readers, release_texts

PACKAGE = Path(ccmcheck.__file__).parent
SAMPLES = PACKAGE.parent / "samples"
RUN = 1_500
"""Characters of a run: quadratic time is some 10 ms, cubic and exponential time are seconds and years."""
MOST_SECONDS = 1.0
MOST_TEXTS = 40
REFUSED = "\x00"
DEEPEST = 6
SEARCHES = ("search", "finditer", "findall", "sub", "split")
OTHERS = ("1", "a", " ", "-", '"')


class _TooLong(BaseException):
    pass


def patterns() -> dict[tuple[str | bytes, int], bool]:
    """All patterns of the package as modules declare them, and whether any is searched for, not only matched."""
    found: dict[tuple[str | bytes, int], bool] = {}
    files = sorted(PACKAGE.rglob("*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    whole = "\n".join(texts.values())
    for file in files:
        module = ".".join(("ccmcheck", *file.relative_to(PACKAGE).with_suffix("").parts))
        if module.endswith(("__init__", "__main__", "cli.start")):
            continue
        for name, value in vars(import_module(module)).items():
            where = texts[file] if name.startswith("_") else whole
            is_searched = not isinstance(value, lazy._Pattern | re.Pattern) or any(
                f"{name}.{method}" in where for method in SEARCHES
            )
            for source in _held(value):
                found[source] = found.get(source, False) or is_searched
    return found | dict.fromkeys(signs(), True)


def signs() -> set[tuple[str | bytes, int]]:
    """The patterns of the table of signs, which has them as texts."""
    questions = [value for name, value in vars(readers).items() if name.startswith(("OF_", "STARTING"))]
    rows = [row for one in questions if isinstance(one, Mapping) for of_place in one.values() for row in of_place]
    texts = (text for sign in release_texts.IN_TEXTS for text in (sign.pattern, sign.within, sign.beside))
    return {(text, 0) for text in (*(row[4] for row in rows), *texts) if text}


def _held(value: object, depth: int = 0) -> Iterator[tuple[str | bytes, int]]:
    """The patterns in a value, in collections and records, however deep."""
    if isinstance(value, lazy._Pattern):
        yield value._source
    elif isinstance(value, re.Pattern):
        yield value.pattern, value.flags
    elif isinstance(value, Mapping | tuple | list | set | frozenset) and depth < DEEPEST:
        for part in (*value, *value.values()) if isinstance(value, Mapping) else value:
            yield from _held(part, depth + 1)


def _shortest(tree: Any, characters: list[str]) -> str:
    """A short text that a pattern matches; its characters are noted."""
    text = ""
    for kind, value in tree:
        if kind in (c.LITERAL, c.RANGE):
            code = value if kind is c.LITERAL else value[0]
            characters.append(chr(code))
            text += chr(code)
        elif kind is c.IN:
            text += _shortest([one for one in value if one[0] is not c.NEGATE], characters)[:1]
        elif kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            text += _shortest(value[2], characters) * max(1, min(value[0], 3))
        elif kind is c.SUBPATTERN:
            text += _shortest(value[-1], characters)
        elif kind is c.ATOMIC_GROUP:
            text += _shortest(value, characters)
        elif kind is c.BRANCH:
            text += next(_shortest(branch, characters) for branch in value[1])
        elif kind in (c.ANY, c.NOT_LITERAL):
            text += "x"
        elif kind is c.CATEGORY:
            text += "1" if value is c.CATEGORY_DIGIT else " " if value is c.CATEGORY_SPACE else "a"
    return text


def attacks(pattern: str, flags: int) -> Iterator[str]:
    """The texts to try."""
    characters: list[str] = []
    shortest = _shortest(sre.parse(pattern, flags), characters)[:40]
    few = list(dict.fromkeys((*characters, *OTHERS)))[:12]
    pumps = [*few, *(first + second for first, second in pairwise(few)), shortest or "x"]
    places = sorted({0, len(shortest), len(shortest) // 2, max(0, len(shortest) - 1)})
    for pump in pumps:
        for place in places:
            yield shortest[:place] + pump * (RUN // len(pump)) + REFUSED


def test_there_are_as_many_as_the_source_declares() -> None:
    declared = sum(file.read_text(encoding="utf-8").count("lazy_regex(") for file in PACKAGE.rglob("*.py"))
    assert len(patterns()) > 0.9 * declared > 400
    assert len(signs()) > 25


def _slow(tried: Mapping[tuple[str | bytes, int], bool]) -> list[tuple[str, str]]:
    """Those of some patterns that take too long, each with the beginning of a text."""

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, end)
    slow = []
    try:
        for (source, flags), is_searched in tried.items():
            text = source if isinstance(source, str) else source.decode("latin-1")
            compiled = re.compile(text, flags)
            look = compiled.search if is_searched else compiled.match
            for attack in islice(attacks(text, flags), MOST_TEXTS):
                signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
                try:
                    look(attack)
                except _TooLong:
                    slow.append((text, attack[:60]))
                    break
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.signal(signal.SIGPROF, before)
    return slow


def test_each_pattern_is_quick() -> None:
    assert _slow(patterns()) == []


@pytest.mark.ci
def test_each_pattern_that_is_made_on_the_way_is_quick() -> None:
    command = [sys.executable, compiled_patterns.__file__]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, cwd=SAMPLES, env=environment, capture_output=True, text=True, check=True)
    declared = patterns()
    made = {(text, flags): True for text, flags in json.loads(done.stdout) if (text, flags) not in declared}
    assert len(made) > 10
    assert _slow(made) == []


@pytest.mark.parametrize("pattern", [r"(?:a+)+b", r"(?:a|aa)+b", r"\w*\w*\w*\w*="])
def test_the_search_finds_those_that_are_not(pattern: str) -> None:
    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, end)
    try:
        for attack in attacks(pattern, 0):
            signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
            try:
                re.search(pattern, attack)
            except _TooLong:
                return
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.signal(signal.SIGPROF, before)
    pytest.fail("not found")
