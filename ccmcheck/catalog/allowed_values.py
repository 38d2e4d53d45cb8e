"""Which words a key accepts where gcfg takes any word, and what another word does."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Release
from ccmcheck.catalog.data.allowed_values import FATAL_SINCE, MOST_ELEMENTS, WORDS


class AllowedValues(NamedTuple):
    """What one key accepts at one release.

    Attributes:
        words: In the order of the source.
        later: Words that a later release accepts and this one does not.
        fatal: True where any other word ends the CCM at start.
        most: How many comma-separated words the value may have.
    """

    words: tuple[str, ...]
    later: tuple[str, ...]
    fatal: bool
    most: int


@cache
def allowed_values(section: str, key: str, release: Release) -> AllowedValues | None:
    """Look up the words of a key.

    Args:
        section: As the catalogue writes it.
        key: As the catalogue writes it.
        release: The release judged.

    Returns:
        What it accepts; None where the release compares the value with nothing, or nothing is known.
    """
    name = (section, key)
    words: tuple[str, ...] | None = None
    later: list[str] = []
    for since, found in WORDS.get(name, ()):
        if release.at_least(since):
            words = found
        else:
            later += [word for word in found if word not in (words or ()) and word not in later]
    if words is None:
        return None
    fatal = FATAL_SINCE.get(name)
    return AllowedValues(words, tuple(later), fatal is not None and release.at_least(fatal), MOST_ELEMENTS.get(name, 1))
