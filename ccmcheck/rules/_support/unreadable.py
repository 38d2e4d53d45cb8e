"""Values that the CCM cannot read: shared by the rules about booleans, durations, numbers and enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Fix, Problem, Severity, Span, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import KeySpec
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, placeholders, spelling

STOPS = "The CCM does not start with this value."
"""The consequence of a fatal value."""

KINDS = ("blank-value", "empty-value", "bad-bool", "bad-uint", "bad-int", "bad-duration", "bad-word", "reserved-key")
"""The reader's errors that are about a key's type."""


class Unread(NamedTuple):
    """One value that stops the CCM's reader.

    Attributes:
        stop: The reader's error.
        item: The key.
        spec: The catalogue's entry for it.
        text: The value as the CCM reads it, without quotes.
    """

    stop: Stop
    item: Item
    spec: KeySpec
    text: str


def stops(conf: CloudConf, detail: str = "") -> str:
    """The detail of a problem with a reader error: one sentence, and whether the release hides the error.

    Every report adds that the CCM does not start.
    """
    if conf.reading.hidden_error is None:
        return detail
    hidden = (
        "With `use-clouds` this release hides the error: where it finds a clouds.yaml it runs with what it read before "
        "the first one, else it ends."
    )
    return f"{detail} {hidden}" if detail else hidden


def values(conf: CloudConf, *kinds: str) -> Iterator[Unread]:
    """Yield the values that stop the reader with some kinds of errors, in the order of the file."""
    for stop in conf.stops(*kinds):
        item = conf.entry_at(stop.span)
        if item is not None and item.spec is not None:
            yield Unread(stop, item, item.spec, item.entry.value or "")


def problem(conf: CloudConf, unread: Unread, label: str, instead: str, corrected: str | None = None) -> Problem:
    """The problem with one such value.

    Its label and advice are replaced where the value is a placeholder or continues on the next line. A corrected value
    becomes a safe fix.
    """
    place = unread.item.span
    raw = conf.text[place.start : place.end]
    fix: Fix | None = None
    left = spelling.placeholder(unread.text)
    if left:
        label = placeholders.never_filled_in(left, conf.reader)
        instead = f"Render the file first, or delete the line: the default is {default_of(unread.spec)}."
        if is_document(conf.path):
            return Problem(place, label, stops(conf), instead, severity=Severity.INFO)
    elif "\n" in raw:
        label = "the trailing backslash joins the next line to this value"
        instead = "Remove the backslash."
        place = Span(place.start, place.start + raw.index("\n"))
    elif corrected is not None:
        fix = fixes.safe(conf, f"write `{corrected}`", fixes.write_value(conf, unread.item.entry, corrected))
        instead = f"Write `{corrected}`."
    elif "#" in unread.text or ";" in unread.text:
        instead = f"{instead} Inside double quotes `#` and `;` do not start a comment."
    return Problem(place, label, stops(conf), instead, fix, unread.stop)


def default_of(spec: KeySpec) -> str:
    """A key's default, formatted for a sentence."""
    default = spec.default
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if default is None or default in {"", ()}:
        return "empty"
    if isinstance(default, tuple):
        return ", ".join(f"`{element}`" for element in default)
    return f"`{default}`"
