"""Text as people see it: letters that look like ASCII become ASCII, and invisible characters are removed."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_CONFUSABLES = str.maketrans(
    # Cyrillic, Greek and others that look like Latin letters (Unicode TR 39, confusables.txt: the ones people can type)
    "авсԁеһіјӏкмопрԛгѕтуѵԝхАВСЕНІЈКМОРԚЅТУХαβγεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧıſǃ∶։꞉˸ᴏꜱɡ",
    "abcdehijlkmonpqrstyvwxABCEHIJKMOPQSTYXaByeiKvopTuxABEZHIKMNOPTYXis!::::osg",
)
_LEET = str.maketrans("@$0135!", "asoles" + "i")
_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Me", "Cn", "Co", "Cs"})
_KEPT = frozenset("\t\n\r")


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """One character as people see it; empty where they see none."""
    if char in _KEPT:
        return char
    category = unicodedata.category(char)
    if category in _INVISIBLE:
        return ""
    if category in {"Zs", "Zl", "Zp"}:
        return " "
    plain = unicodedata.normalize("NFKD", char)
    return "".join(part for part in plain if unicodedata.category(part) not in _INVISIBLE).translate(_CONFUSABLES)


def fold(text: str) -> str:
    """A name as people read it: NFKD without marks and invisible characters, look-alikes as Latin letters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_folded, text))


def fold_digits(name: str) -> str:
    """A name with the digits and signs that people put for letters read as letters: ``p@ssw0rd`` is ``password``."""
    return name.translate(_LEET)


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """A text folded, with the offset in ``text`` that each character came from, and one for the end.

    Args:
        text: A text that is not plain ASCII.
    """
    pieces: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        seen = _folded(char)
        if seen:
            pieces.append(seen)
            offsets.extend([offset] * len(seen))
    offsets.append(len(text))
    return "".join(pieces), offsets


def is_plain(text: str) -> bool:
    """Whether folding would change nothing: ASCII without control characters but tabs and line ends."""
    return text.isascii() and not text.translate(_PRINTABLE)


_PRINTABLE = dict.fromkeys((9, 10, 13, *range(32, 127)))
