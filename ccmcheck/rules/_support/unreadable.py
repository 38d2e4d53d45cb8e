"""A value that the CCM cannot read: what the rules for booleans, durations, numbers and words have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.rules._support import fixes, spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix, Stop
    from ccmcheck.catalog import KeySpec
    from ccmcheck.conf.view import CloudConf, Item

STOPS = "The CCM does not start while this stands here."
"""Why it matters that something ends the start."""

_LONGEST = 60

KINDS = ("blank-value", "empty-value", "bad-bool", "bad-uint", "bad-int", "bad-duration", "bad-word", "reserved-key")
"""The reader's errors that are about a key's type."""


class Unread(NamedTuple):
    """One value that stops the CCM's reader.

    Attributes:
        stop: The reader's error.
        item: The key.
        spec: The catalogue's entry for it.
        text: The value as the CCM sees it, quotes removed.
    """

    stop: Stop
    item: Item
    spec: KeySpec
    text: str


def stops(conf: CloudConf, detail: str = "") -> str:
    """What there is to say of an error of the reader, besides that the CCM ends with it, which every report tells.

    Args:
        conf: The text.
        detail: What else there is to say; a sentence.
    """
    if conf.reading.hidden_error is None:
        return detail
    hidden = "With `use-clouds` this release hides the error and runs with what it read before the first one."
    return f"{detail} {hidden}" if detail else hidden


def values(conf: CloudConf, *kinds: str) -> Iterator[Unread]:
    """Find the values that stop the reader for some kinds of reasons, in the order of the file."""
    for stop in conf.stops(*kinds):
        item = conf.entry_at(stop.span)
        if item is not None and item.spec is not None:
            yield Unread(stop, item, item.spec, item.entry.value or "")


def problem(conf: CloudConf, unread: Unread, label: str, instead: str, mended: str | None = None) -> Problem:
    """Say what is wrong with one of them.

    Args:
        conf: The text.
        unread: The value.
        label: What is wrong with it, where nothing more general is.
        instead: What to write, a sentence.
        mended: The value that was surely meant; it becomes the fix.

    Returns:
        The problem, with the reader's error.
    """
    place = unread.item.span
    raw = conf.text[place.start : place.end]
    fix: Fix | None = None
    filler = spelling.placeholder(unread.text)
    if filler:
        filler = filler if len(filler) <= _LONGEST else filler[:_LONGEST] + "…"
        label = f"nobody filled in `{filler}`; the CCM reads it as it stands"
        instead = f"Render the file first, or delete the line: the default is {default_of(unread.spec)}."
    elif "\n" in raw:
        label = "the backslash at the end of the line joins the next line to this value"
        instead = "Remove the backslash."
        place = Span(place.start, place.start + raw.index("\n"))
    elif mended is not None:
        fix = fixes.safe(conf, f"write `{mended}`", fixes.write_value(conf, unread.item.entry, mended))
        instead = f"Write `{mended}`."
    elif "#" in unread.text or ";" in unread.text:
        instead = f"{instead} Inside double quotes `#` and `;` start no comment."
    return Problem(place, label, stops(conf), instead, fix, unread.stop)


def default_of(spec: KeySpec) -> str:
    """A key's default as a sentence may name it."""
    default = spec.default
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if default is None or default in {"", ()}:
        return "empty"
    if isinstance(default, tuple):
        return ", ".join(f"`{element}`" for element in default)
    return f"`{default}`"
