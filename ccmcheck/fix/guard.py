"""Checks a change of one cloud.conf before it counts (contract 4 of the design).

The text is read again: every value that no edit touches is equal, every comment that no edit touches is still there, a
file that the CCM accepted is accepted, and what was found is gone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from ccmcheck import gcfg
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Schema, fold
from ccmcheck.conf import reading
from ccmcheck.conf.reading import Reading
from ccmcheck.gcfg import Document

Name = tuple[str, str | None, str]
"""Section, subsection and key, folded."""


class TextChange(NamedTuple):
    """A change of one text, with the places it touches before and after.

    Attributes:
        before: The text before.
        after: The text after.
        old: What the edits replace, in order.
        new: What they put there.
    """

    before: str
    after: str
    old: tuple[Span, ...]
    new: tuple[Span, ...]


def changed(text: str, edits: Sequence[Edit]) -> TextChange:
    """Apply sorted edits and remember where they are.

    Args:
        text: The text before.
        edits: As `ccmcheck.base.edits.sort` gives them.
    """
    pieces: list[str] = []
    old: list[Span] = []
    new: list[Span] = []
    position = length = 0
    for edit in edits:
        pieces += (text[position : edit.start], edit.text)
        length += edit.start - position
        old.append(Span(edit.start, edit.end))
        new.append(Span(length, length + len(edit.text)))
        length += len(edit.text)
        position = edit.end
    pieces.append(text[position:])
    return TextChange(text, "".join(pieces), tuple(old), tuple(new))


def check(change: TextChange, schemas: Iterable[Schema]) -> None:
    """Compare what is read before and after.

    Args:
        change: The change.
        schemas: Who reads the file.

    Raises:
        CannotEdit: The change does more than it says; the message is what.
    """
    before, after = gcfg.parse(change.before), gcfg.parse(change.after)
    compare(change, before, after, ((reading.read(before, one), reading.read(after, one)) for one in schemas))


def compare(change: TextChange, before: Document, after: Document, readings: Iterable[tuple[Reading, Reading]]) -> None:
    """Compare what was read before and after.

    Args:
        change: The change.
        before: The text before, parsed.
        after: The text after, parsed.
        readings: What each reader makes of the two.

    Raises:
        CannotEdit: The change does more than it says; the message is what.
    """
    at_end = change.old and change.old[-1].start == len(change.before)
    if at_end and change.after.startswith(("\n", "\r"), change.new[-1].start) and _is_open(before):
        raise CannotEdit("the backslash at its end would join the lines")
    if not _is_local(change, before, after):
        _same(_values(before, change.old), _values(after, change.new))
    comments = _comments(before, change.old)
    if comments and comments - (_comments(after, ()) or Counter()):
        raise CannotEdit("a comment would be lost")
    for old, new in readings:
        if new.stops and not old.stops:
            raise CannotEdit(f"the CCM {new.schema.release.name} would stop at it")


def _is_open(document: Document) -> bool:
    """Whether a text ends in a backslash, which joins nothing as long as no line follows."""
    text = document.text
    return text.endswith("\\") and any(
        one.kind == "bad-backslash" and one.span.end == len(text) for one in document.stops
    )


def _is_local(change: TextChange, before: Document, after: Document) -> bool:
    """Whether all entries but those that the change touches are the same and in the same places, headers, too.

    That is what nearly every change is like, and quickly told; what is not so is compared name by name.
    """
    if len(before.sections) != len(after.sections):
        return False
    touched_old, touched_new = Touched(change.old), Touched(change.new)
    for was, now in zip(before.sections, after.sections, strict=True):
        if was.name != now.name or was.subsection != now.subsection:
            return False
        old, new = was.entries, now.entries
        start, end = 0, min(len(old), len(new))
        while start < end and old[start].key == new[start].key and old[start].value == new[start].value:
            start += 1
        last = -1
        while start - last <= end and old[last].key == new[last].key and old[last].value == new[last].value:
            last -= 1
        rest = ((old[start : len(old) + last + 1], touched_old), (new[start : len(new) + last + 1], touched_new))
        for entries, touched in rest:
            if not all(touched.changes(Span(one.key_start, max(one.end, one.key_end))) for one in entries):
                return False
    return True


class _Values(NamedTuple):
    """What a text says.

    Attributes:
        by_name: Every value by its name, in the order of the file.
        named: The names that the change is about.
        moved: Whether a header is touched, so that keys may come to stand in another section.
    """

    by_name: dict[Name, list[str | None]]
    named: set[Name]
    moved: bool


def _values(document: Document, spans: Sequence[Span]) -> _Values:
    by_name: dict[Name, list[str | None]] = {}
    named: set[Name] = set()
    touched = Touched(spans)
    for section in document.sections:
        prefix, subsection = fold(section.name), section.subsection
        for entry in section.entries:
            name = (prefix, subsection, fold(entry.key))
            by_name.setdefault(name, []).append(entry.value)
            if touched.changes(Span(entry.key_start, max(entry.end, entry.key_end))):
                named.add(name)
    moved = any(touched.changes(Span(section.span.start, section.end)) for section in document.sections)
    return _Values(by_name, named, moved)


def _same(before: _Values, after: _Values) -> None:
    named = before.named | after.named
    if before.moved or after.moved:
        keys = {key for _, _, key in named}
        lost = _by_key(before, keys) - _by_key(after, keys)
        if lost:
            raise CannotEdit(f"the value of {next(iter(lost))[0]} would change too")
        return
    for name in {**before.by_name, **after.by_name}:
        if name not in named and before.by_name.get(name) != after.by_name.get(name):
            section, _, key = name
            raise CannotEdit(f"the value of {key} in [{section}] would change too")


def _by_key(values: _Values, without: set[str]) -> Counter[tuple[str, str | None]]:
    """Every key with its value, whatever section it stands in."""
    return Counter(
        (key, value) for (_, _, key), found in values.by_name.items() for value in found if key not in without
    )


class Touched:
    """The places that a change touches in one text, asked about one place after another.

    Args:
        spans: In order, and none shares a character with another.
    """

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [one.start for one in spans]
        self._ends = [one.end for one in spans]

    def overlaps(self, span: Span) -> bool:
        """Whether a change shares a character with a place, or inserts something inside of it."""
        return self.first_over(span) is not None

    def first_over(self, span: Span) -> Span | None:
        """The first change that does."""
        at = bisect_right(self._ends, span.start)
        return self._spans[at] if at < len(self._spans) and self._starts[at] < span.end else None

    def changes(self, span: Span) -> bool:
        """Whether a change is inside a place, or inserts right at its end, as a missing unit is."""
        if self.overlaps(span):
            return True
        at = bisect_left(self._starts, span.end)
        return at < len(self._spans) and self._starts[at] == self._ends[at] == span.end


def _comments(document: Document, spans: Sequence[Span]) -> Counter[str] | None:
    """The text of every comment that no edit touches; None for none."""
    text = document.text
    if "#" not in text and ";" not in text:
        return None
    touched = Touched(spans)
    return Counter(text[one.start : one.end].rstrip() for one in gcfg.comments(document) if not touched.overlaps(one))
