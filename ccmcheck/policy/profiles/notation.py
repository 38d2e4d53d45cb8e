"""Reads the text of a profile: sections, keys and values with their lines, by configobj.

configobj parses, as it parses its own configspecs: a value is one raw text, so that a check may hold commas. It keeps
no lines of what it could read, so they are looked up beside it. `ccmcheck.policy.profiles.loading` validates the
content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.escape import printable
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple

MOST_BYTES = 1024 * 1024
LONGEST_LINE = 4_000
"""No profile has more; some of configobj's patterns take their time on long lines."""

# configobj's own pattern, so that both take the same lines for headers
_HEADER = lazy_regex(r"""[ \t]*+((?:\[\s*)+)("\s*\S.*?"|'\s*\S.*?'|[^'"\s].*?)(?:\s*\])+\s*(?:#.*)?$""")
_KEY = lazy_regex(r"""[ \t]*+("[^"]*+"|'[^']*+'|[^'"=][^=]*+)=(.*+)""")
_TRIPLE = ('"""', "'''")
_COMMENT = lazy_regex(r"[ \t]#")
_QUOTED = lazy_regex(r"""(?:[^'"#]|(?<![ \t])#|"[^"]*+"|'[^']*+'|['"])*+""")

WORDS = {
    "NestingError": "the brackets of this section do not match its place",
    "DuplicateError": "this name comes twice here; every name may come once",
    "ParseError": "this is neither a [section] nor `key = value`",
}
"""configobj's errors; its own texts quote the line."""


class ProfileText(NamedTuple):
    """One value.

    Attributes:
        text: Without quotes around it and the comment behind it.
        line: Its line, from 1.
    """

    text: str
    line: int


class ProfileBlock(NamedTuple):
    """One section, or the file's own head.

    Attributes:
        name: Its name; empty for the head.
        line: The line of its header, from 1; 0 for the head.
        values: By key.
        blocks: Its subsections, by name.
    """

    name: str
    line: int
    values: Mapping[str, ProfileText]
    blocks: Mapping[str, ProfileBlock]


class ProfileSource(NamedTuple):
    """What errors call a profile.

    Attributes:
        name: A built-in's name, or the file as the user named it.
    """

    name: str

    def fail(self, line: int, message: str, hint: str = "", more: int = 0) -> NoReturn:
        """Refuse a profile with what is wrong in it.

        Args:
            line: Where, from 1; 0 for the whole file.
            message: What is wrong, without a full stop.
            hint: What to write.
            more: How many further mistakes there are.

        Raises:
            BadConfiguration: Always.
        """
        where = f"{self.name}:{line}" if line else self.name
        others = f" (and {more} more like it)" if more else ""
        raise BadConfiguration(printable(f"{where}: {message}{others}."), printable(hint))


def parse(text: str, source: ProfileSource) -> ProfileBlock:
    """Read a text.

    Args:
        text: The file's.
        source: What errors call it.

    Raises:
        BadConfiguration: It is not in the notation.
    """
    from configobj import ConfigObj, ConfigObjError

    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            source.fail(number, f"the line is longer than {LONGEST_LINE} characters")
        if "\0" in line:
            source.fail(number, "the line holds a NUL, so this is no text file")
    try:
        # a configspec is read in the same way: values stay as they are written
        found = ConfigObj(lines, interpolation=False, list_values=False, _inspec=True)
    except ConfigObjError as error:
        errors = getattr(error, "errors", None) or [error]
        first = errors[0]
        words = WORDS.get(type(first).__name__, WORDS["ParseError"])
        hint = "Write [Section], or a key and its check: create-monitor = equals(true)." if "neither" in words else ""
        source.fail(first.line_number or 0, words, hint, more=len(errors) - 1)
    return _block("", found, (), dict(_places(lines)))


def _block(
    name: str, section: Mapping[str, object], path: tuple[str, ...], lines: Mapping[tuple[str, ...], int]
) -> ProfileBlock:
    values: dict[str, ProfileText] = {}
    blocks: dict[str, ProfileBlock] = {}
    for key, value in section.items():
        place = (*path, key)
        if isinstance(value, str):
            values[key] = ProfileText(value, lines.get(place, 0))
        elif len(place) <= 2:
            blocks[key] = _block(key, value, place, lines)  # type: ignore[arg-type]  # configobj's sections are dicts
        else:
            blocks[key] = ProfileBlock(key, lines.get(place, 0), {}, {})
    return ProfileBlock(name, lines.get(path, 0), values, blocks)


def bare(text: str) -> str:
    """A free text without its comment, and without quotes around the whole."""
    text = text.strip()
    for quote in ('"', "'"):
        if text.startswith(quote):
            end = text.find(quote, 1)
            rest = text[end + 1 :].strip()
            if end > 0 and (not rest or rest.startswith("#")):
                return " ".join(text[1:end].split())
    if text.startswith("#"):
        return ""
    comment = _COMMENT.search(text)
    return " ".join((text[: comment.start()] if comment else text).split())


def bare_check(text: str) -> str:
    """A check without its comment; a ``#`` in quotes is none."""
    text = " ".join(text.split())
    match = _QUOTED.match(text)
    return text[: match.end()].strip() if match is not None else text


def _places(lines: list[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    path: tuple[str, ...] = ()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        header = _HEADER.match(line)
        if header is not None:
            depth = header[1].count("[")
            path = (*path[: depth - 1], _unquoted(header[2].strip()))
            yield path, number
            continue
        key = _KEY.match(line)
        if key is None:
            continue
        yield (*path, _unquoted(key[1].strip())), number
        value = key[2].strip()
        if value[:3] in _TRIPLE and value.find(value[:3], 3) < 0:
            while number < len(lines) and value[:3] not in lines[number]:
                number += 1
            number += 1


def _unquoted(name: str) -> str:
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'" else name
