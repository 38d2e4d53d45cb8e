"""What stands where in one cloud.conf: keys, sections, lines, the reader's errors, and the marks of templates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.model import Span, Stop
from ccmcheck.base.path_proximity import HasPathT, in_same_folder, nearest
from ccmcheck.catalog import fold
from ccmcheck.conf.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.catalog.foreign_format import ForeignFormat
    from ccmcheck.conf.reading import Reading
    from ccmcheck.gcfg import Document, Section


_LINE_LIMIT = 4_000


class ConfPlaces:
    """The places of one cloud.conf.

    Args:
        carried: Where it was found.
        document: Its sections and keys.
        reading: What the reader reads in it.
    """

    def __init__(self, carried: CarriedConf, document: Document, reading: Reading) -> None:
        self.carried = carried
        self.document = document
        self.reading = reading

    @property
    def text(self) -> str:
        """The text as it is written, template marks and all; spans are offsets in it."""
        return self.carried.text

    @property
    def path(self) -> str:
        """The file that it is in."""
        return self.carried.path

    def nearest(self, found: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are nearest to this one."""
        return nearest(self.path, found)

    def nearby(self, records: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are in this one's folder."""
        return in_same_folder(self.path, records)

    @property
    def final(self) -> bool:
        """True where nothing renders the text any further."""
        return self.carried.final

    @cached_property
    def foreign_format(self) -> ForeignFormat | None:
        """What the text is where it does not begin like a cloud.conf; None for a cloud.conf."""
        if not self.document.stops:
            return None
        from ccmcheck.catalog import foreign_format

        found_format = foreign_format.detect(self.document)
        return None if found_format is None or self.is_opaque(found_format.span) else found_format

    @cached_property
    def items(self) -> list[Item]:
        """Every key of the file, in its order."""
        specs, has_marks = self.reading.specs, bool(self.carried.marks)
        return [
            Item(
                section,
                entry,
                specs.get(entry.key_start),
                has_marks and self.is_opaque(Span(entry.key_start, max(entry.key_end, entry.value_end))),
            )
            for section in self.document.sections
            for entry in section.entries
        ]

    def is_opaque(self, span: Span) -> bool:
        """Whether a template mark is a part of a place."""
        marks = self.carried.marks
        if not marks:
            return False
        # the last one that begins before the place ends reaches farthest: marks do not overlap
        index = bisect_right(marks, (span.end, -1)) - 1
        return index >= 0 and marks[index].end > span.start

    def may_hide_keys(self, section: str = "") -> bool:
        """Whether rendering may add keys: to a section, or anywhere when no section is named.

        A mark on a line of its own may become any number of keys, so nothing is missing for sure there.
        """
        if not self.carried.marks:
            return False
        if not section:
            return bool(self._own_lines)
        wanted = fold(section)
        for line in self._own_lines:
            found_section = self.section_at(line)
            if found_section is None or fold(found_section.name) == wanted:
                return True
        return False

    def is_alternative(self, one: int, other: int) -> bool:
        """Whether a template mark on a line of its own lies between two places, so that rendering may keep only one."""
        if not self.carried.marks:
            return False
        lines = self._own_lines
        return bisect_right(lines, one) < bisect_left(lines, other)

    @cached_property
    def _own_lines(self) -> list[int]:
        """Offsets of the marks that do not stand inside a key's value or a header; one in a key makes it any key."""
        taken = [
            Span(entry.key_end, max(entry.key_end, entry.value_end))
            for section in self.document.sections
            for entry in section.entries
            if entry.value is not None
        ]
        taken += [section.span for section in self.document.sections]
        taken.sort()
        lines = []
        for mark in self.carried.marks:
            index = bisect_right(taken, (mark.start, len(self.text))) - 1
            if index < 0 or taken[index].end <= mark.start:
                lines.append(mark.start)
        return lines

    def stops(self, *kinds: str) -> Iterator[Stop]:
        """The reader's errors of some kinds, in the order in which the CCM would meet them one restart after another.

        Errors on a line behind a template mark are left out: its content is unknown. So are those of a text
        that is no cloud.conf at all, because they all have the same cause.
        """
        if not self.reading.stops:
            return
        other = self.foreign_format
        line = self.line_at(other.span.start) if other is not None else None
        for stop in self.reading.stops:
            if stop.kind not in kinds:
                continue
            if self._is_behind_mark(stop):
                continue
            if other is None or not (other.whole or line is None or line.start <= stop.span.start <= line.end):
                yield stop

    def _is_behind_mark(self, stop: Stop) -> bool:
        """Whether a template mark before it on its line leaves open whether it is one."""
        start = self.line_at(stop.span.start).start
        return bool(self.carried.marks) and self.is_opaque(Span(start, stop.span.end))

    @property
    def first_known_stop(self) -> Stop | None:
        """The error that the reader ends with, whatever a template fills in before; None for none."""
        return next((stop for stop in self.reading.stops if not self._is_behind_mark(stop)), None)

    def is_stopped(self, item: Item) -> bool:
        """Whether the reader stops at this key or its value."""
        stops = self._stop_starts
        if not stops:
            return False
        index = bisect_right(stops, max(item.entry.end, item.entry.key_end)) - 1
        return index >= 0 and stops[index] >= item.entry.key_start

    @cached_property
    def _stop_starts(self) -> list[int]:
        return sorted(stop.span.start for stop in self.reading.stops)

    def entry_at(self, span: Span) -> Item | None:
        """The key whose line holds a place."""
        index = bisect_right(self._item_starts, span.start) - 1
        if index < 0:
            return None
        item = self.items[index]
        return item if span.end <= max(item.entry.end, item.entry.key_end) else None

    @cached_property
    def _item_starts(self) -> list[int]:
        return [item.entry.key_start for item in self.items]

    def section_at(self, offset: int) -> Section | None:
        """The section whose block holds a place: the last header at or before it."""
        index = bisect_right(self._section_starts, offset) - 1
        return self.document.sections[index] if index >= 0 else None

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.span.start for section in self.document.sections]

    def line_at(self, offset: int) -> Span:
        """The line that holds a place, without its end; cut 4,000 code points before and after the place."""
        text = self.text
        low, high = max(0, offset - _LINE_LIMIT), min(len(text), offset + _LINE_LIMIT)
        start = text.rfind("\n", low, offset) + 1 or low
        end = text.find("\n", offset, high)
        end = high if end < 0 else end
        return Span(start, end - 1 if end > start and text[end - 1] == "\r" else end)

    def source_of(self, span: Span) -> str:
        """What a place is written as one layer further out, such as in the chart's values that it is rendered from."""
        layers = self.carried.stack.layers
        if not layers:
            return self.text[span.start : span.end]
        start, end = layers[-1].outward(span)
        outer = layers[-2].text if len(layers) > 1 else self.carried.stack.text
        return outer[start:end]
