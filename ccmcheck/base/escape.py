"""Escapes text from files for a terminal: no file name and no value may move the cursor or reverse text.

What neither Python nor Go calls printable is written as an escape: control characters (ESC with them), characters
that change the direction of text, blanks that look like the space but are not, and the lone surrogates that represent
bytes which are not UTF-8. A visible NBSP is welcome: pasting one is a common mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

# GitHub: "::" at a line's start, blanks before it do not count, and "##[name" anywhere (actions/runner,
# ActionCommand.cs); Azure Pipelines: "##vso[" anywhere; TeamCity: "##teamcity["
_CI_COMMAND = lazy_regex(r"^(?P<blank>\s*)(?P<sign>:)(?=:)|(?P<hash>#)(?=#(?:vso|teamcity)?\[[a-z])")


def printable(text: str) -> str:
    """A text on one line, with every character that is not printable as an escape."""
    if text.isprintable():
        return text
    return "".join(character if _is_shown(character) else escaped(character) for character in text)


def printable_lines(text: str, *, tabs: bool = False) -> str:
    """The same for a text of several lines: its line ends stay.

    Args:
        text: The text.
        tabs: Whether tabs stay as well.
    """
    kept = "\n\t" if tabs else "\n"
    if text.isprintable():
        return text
    return "".join(character if character in kept or _is_shown(character) else escaped(character) for character in text)


def _is_shown(character: str) -> bool:
    """Go's tables may be newer than Python's: its error texts have such a character as it is."""
    if character.isprintable():
        return True
    from ccmcheck.base.go_unicode import is_printable

    return is_printable(character)


def escaped(character: str) -> str:
    r"""One character as an escape: ``\t``, ``\x1b``, ``\u202e``; an undecodable byte as ``\xff``."""
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # surrogateescape's place for the bytes 0x80 to 0xff
        code -= 0xDC00
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def inert(line: str) -> str:
    """A line that no CI system takes for a command: its first sign is written as an escape."""
    if "::" not in line and "##" not in line:
        return line
    return _CI_COMMAND.sub(lambda found: (found["blank"] or "") + escaped(found["sign"] or found["hash"]), line)


def inert_markup(escaped: str) -> str:
    """The same for a text of XML or HTML that is escaped already: where lines begin is not known there."""
    return escaped.replace("##", "#&#35;").replace("::", ":&#58;")


def inert_lines(pieces: Iterable[str]) -> Iterator[str]:
    """A text in pieces, each of which ends with its line, of which no line is a CI system's command."""
    for piece in pieces:
        yield "\n".join(map(inert, piece.split("\n"))) if "::" in piece or "##" in piece else piece
