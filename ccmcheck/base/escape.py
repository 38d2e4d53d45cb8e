"""Escapes text from files for a terminal: no file name and no value may move the cursor or reverse text.

Everything that Python does not call printable is written as an escape: control characters (ESC with them), characters
that change the direction of text, blanks that look like the space but are not, and the lone surrogates that represent
bytes which are not UTF-8. A visible NBSP is welcome: pasting one is a common mistake.
"""

from __future__ import annotations

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def printable(text: str) -> str:
    """A text on one line, with every character that is not printable as an escape."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else escaped(character) for character in text)


def printable_lines(text: str, *, tabs: bool = False) -> str:
    """The same for a text of several lines: its line ends stay.

    Args:
        text: The text.
        tabs: Whether tabs stay as well.
    """
    kept = "\n\t" if tabs else "\n"
    if text.isprintable():
        return text
    return "".join(
        character if character in kept or character.isprintable() else escaped(character) for character in text
    )


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
