"""Which characters are letters and digits to gcfg.

Source: gcfg v1.2.3 scanner/scanner.go (``isLetter``, ``isDigit``): ``unicode.IsLetter`` and ``unicode.IsDigit`` beyond
ASCII.
"""

from __future__ import annotations

from ccmcheck.base.go_unicode import is_digit, is_letter

__all__ = ["is_digit", "is_letter", "is_unlike_python"]


def is_unlike_python(char: str) -> bool:
    """Whether Python's regular expressions take a character for a word's and gcfg does not, or the other way round."""
    return not char.isascii() and char.isalnum() != (is_letter(char) or is_digit(char))
