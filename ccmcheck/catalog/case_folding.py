"""How gcfg matches the names of sections and keys."""

from __future__ import annotations


def fold(name: str) -> str:
    """Bring a name into the form in which equal names are equal.

    gcfg compares with Go's ``strings.EqualFold``: simple Unicode case folding, one character for one, so that the
    Kelvin sign is a k and ſ an s, but ß is not ss.

    Args:
        name: A section's or a key's name.

    Returns:
        The folded name; lower case for plain ASCII.
    """
    if name.isascii():
        return name.lower()
    return "".join([_fold(char) for char in name])


def _fold(char: str) -> str:
    for folded in (char.casefold(), char.lower()):
        if len(folded) == 1:
            return folded
    return char
