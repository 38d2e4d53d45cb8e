"""One key of a cloud.conf as rules see it, the value that nobody knows, and whose sections are whose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import KeySpec, fold
from ccmcheck.gcfg import Section, Variable


class Unknown:
    """The value of a key that only rendering, or a corrected file, determines; it equals nothing."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()

_OF_OTHERS = frozenset(("blockstorage", "keymanager"))
_SHARED = frozenset(("global", "metadata"))


def are_of_others(sections: Iterable[str], *, or_shared: bool = False) -> bool:
    """Whether a file with sections of these names is for others than the CCM.

    It is where it has sections of others and, besides those that all share, none of the CCM's own.

    Args:
        sections: The names.
        or_shared: Whether those that all share are enough.
    """
    names = {fold(name) for name in sections}
    return (or_shared or not names.isdisjoint(_OF_OTHERS)) and names <= _OF_OTHERS | _SHARED


class Item(NamedTuple):
    """One key of the file with its section and what the catalogue knows of it.

    Attributes:
        section: The section it stands in.
        entry: The key, its value and their spans.
        spec: The catalogue's entry at the release judged; None where the CCM ignores the key.
        opaque: True where a template mark is a part of the key or the value, so that its value is unknown.
    """

    section: Section
    entry: Variable
    spec: KeySpec | None
    opaque: bool

    @property
    def span(self) -> Span:
        """The value's place; the key's where there is no value to point at."""
        entry = self.entry
        return Span(entry.value_start, entry.value_end) if entry.value_end > entry.value_start else entry.key_span
