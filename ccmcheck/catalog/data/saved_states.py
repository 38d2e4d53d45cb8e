"""What the state of an object of OpenStack means that a file shows: ``saved_states.txt``."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.base.records import NamedTuple


class SavedState(NamedTuple):
    """What some fields of an object mean.

    Attributes:
        kinds: A pattern of its kinds, see ``ccmcheck/carriers/saved_kinds.tsv``.
        when: Fields, and a pattern of each one's text; ``{field}`` stands for what another field has.
        is_bad: Whether that is sure to be wrong, and cannot be meant.
        text: What it means, with the values of fields.
        do: What to do.
    """

    kinds: str
    when: tuple[tuple[str, str], ...]
    is_bad: bool
    text: str
    do: str


@cache
def saved_states() -> tuple[SavedState, ...]:
    """All of them, in the order in which they are told."""
    return tuple(
        SavedState(
            row["kind"][0],
            tuple((name, form) for name, _, form in (one.partition("=") for one in row["when"])),
            "is" in row,
            row["text"][0],
            row["do"][0],
        )
        for row in read_paragraphs(__file__, "saved_states.txt")
    )
