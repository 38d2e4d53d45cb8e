"""What a rule sees: one cloud.conf as the CCM of one release reads it, with a place for everything it may complain of."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from ccmcheck.catalog import fold
from ccmcheck.model import Span
from ccmcheck.redact import MASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.base import Bundle, Carried
    from ccmcheck.catalog import KeySpec, Release, Schema
    from ccmcheck.gcfg import Document, Entry, Section
    from ccmcheck.model import Stop
    from ccmcheck.reading import Reading


class Unknown:
    """The value of a key that only rendering, or a mended file, would tell; it equals nothing."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()


class Item(NamedTuple):
    """One key of the file with its section and what the catalogue knows of it.

    Attributes:
        section: The section it stands in.
        entry: The key, its value and their spans.
        spec: The catalogue's entry at the release judged; None where the CCM ignores the key.
        opaque: True where a template mark is a part of the key or the value, so that its value is unknown.
    """

    section: Section
    entry: Entry
    spec: KeySpec | None
    opaque: bool

    @property
    def span(self) -> Span:
        """The value's place; the key's where there is no value to point at."""
        value = self.entry.value_span
        return value if value is not None and value.end > value.start else self.entry.key_span


class CloudConf:
    """One cloud.conf at one release of one consumer.

    Args:
        carried: Where it was found.
        document: Its sections and keys.
        reading: What the reader of ``schema`` makes of it.
        schema: What the consumer knows at ``release``.
        release: The release judged.
        bundle: What else was found in the same run.
    """

    def __init__(
        self, carried: Carried, document: Document, reading: Reading, schema: Schema, release: Release, bundle: Bundle
    ) -> None:
        self.carried = carried
        self.document = document
        self.reading = reading
        self.schema = schema
        self.release = release
        self.bundle = bundle

    @property
    def text(self) -> str:
        """The text as it is written, template marks and all; spans are offsets in it."""
        return self.carried.text

    @property
    def final(self) -> bool:
        """True where nothing renders the text any further."""
        return self.carried.final

    @property
    def sections(self) -> tuple[Section, ...]:
        """One for each header, in the order of the file."""
        return self.document.sections

    @cached_property
    def items(self) -> list[Item]:
        """Every key of the file, in its order."""
        spec_of, opaque = self.reading.spec_of, self.is_opaque
        return [
            Item(
                section,
                entry,
                spec_of(entry),
                bool(self.carried.marks)
                and opaque(Span(entry.key_span.start, max(entry.key_span.end, (entry.value_span or entry.key_span).end))),
            )
            for section in self.document.sections
            for entry in section.entries
        ]

    @cached_property
    def _by_name(self) -> dict[tuple[str, str | None, str], list[Item]]:
        index: dict[tuple[str, str | None, str], list[Item]] = {}
        for item in self.items:
            index.setdefault((fold(item.section.name), item.section.subsection, fold(item.entry.key)), []).append(item)
        return index

    def all(self, section: str, key: str, subsection: str | None = None) -> list[Item]:
        """Every occurrence of one key, in the order of the file; names match as gcfg matches them."""
        return self._by_name.get((fold(section), subsection, fold(key)), [])

    def last(self, section: str, key: str, subsection: str | None = None) -> Item | None:
        """The occurrence that decides; the last one wins. None where the key is absent or the release does not know it."""
        found = self.all(section, key, subsection)
        return found[-1] if found and found[-1].spec is not None else None

    def value(self, section: str, key: str) -> object:
        """The value that the CCM will use for a key of a plain section.

        Args:
            section: ``LoadBalancer``, ``Global`` …
            key: As the catalogue writes it.

        Returns:
            The typed value of the file or the default of the release (durations as nanoseconds); None where the release
            does not know the key; ``UNKNOWN`` where a template mark decides, or the value cannot be read.
        """
        found = self.schema.section(section)
        spec = found.key(key) if found is not None else None
        if spec is None:
            return None
        item = self.last(section, key)
        if item is not None:
            return UNKNOWN if item.opaque else self.typed(item)
        return UNKNOWN if self.may_hide_keys(section) else spec.default_value

    def typed(self, item: Item) -> object:
        """The typed value of one occurrence; ``UNKNOWN`` where it is opaque, ignored, or cannot be read."""
        if item.opaque or item.spec is None:
            return UNKNOWN
        value = self.reading.value_of(item.entry)
        return UNKNOWN if value is None else value

    def is_true(self, section: str, key: str) -> bool:
        """Whether the CCM will see ``true`` for a bool key; False where that is unknown."""
        return self.value(section, key) is True

    def is_false(self, section: str, key: str) -> bool:
        """Whether the CCM will see ``false`` for a bool key; False where that is unknown."""
        return self.value(section, key) is False

    def has_section(self, name: str) -> bool:
        """Whether a section of this name, without a subsection, is in the file."""
        wanted = fold(name)
        return any(fold(section.name) == wanted and section.subsection is None for section in self.document.sections)

    def sections_named(self, name: str) -> list[Section]:
        """Every section of a name, with and without subsections."""
        wanted = fold(name)
        return [section for section in self.document.sections if fold(section.name) == wanted]

    def is_opaque(self, span: Span) -> bool:
        """Whether a template mark is a part of a place."""
        marks = self.carried.marks
        if not marks:
            return False
        index = bisect_right(marks, (span.end, -1)) - 1
        return index >= 0 and marks[index].end > span.start or any(
            mark.start < span.end and mark.end > span.start for mark in marks[max(0, index - 1) : index + 2]
        )

    def may_hide_keys(self, section: str = "") -> bool:
        """Whether rendering may add keys: to a section, or anywhere when no section is named.

        A mark on a line of its own may become any number of keys, so nothing is missing for sure there.
        """
        if not self.carried.marks:
            return False
        if not section:
            return bool(self._own_lines)
        wanted = fold(section)
        starts = [found.span.start for found in self.document.sections]
        for line in self._own_lines:
            index = bisect_right(starts, line) - 1
            if index < 0 or fold(self.document.sections[index].name) == wanted:
                return True
        return False

    @cached_property
    def _own_lines(self) -> list[int]:
        """Offsets of the marks that do not stand inside a key's value or a header."""
        taken = [
            Span(entry.key_span.start, max(entry.key_span.end, (entry.value_span or entry.key_span).end))
            for section in self.document.sections
            for entry in section.entries
            if entry.value_span is not None
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

        Errors in places that a template mark fills are left out: nobody knows them yet.
        """
        for stop in self.reading.stops:
            if stop.kind in kinds and not self.is_opaque(stop.span):
                yield stop

    def entry_at(self, span: Span) -> Item | None:
        """The key whose line holds a place."""
        for item in self.items:
            if item.entry.key_span.start <= span.start and span.end <= max(item.entry.end, item.entry.key_span.end):
                return item
        return None

    def quote(self, item: Item) -> str:
        """A value as a message may show it: in backquotes, masked for a key that holds a secret, cut when long."""
        if item.spec is not None and item.spec.secret:
            return f"`{MASK}`"
        value = item.entry.value or ""
        return f"`{value if len(value) <= 60 else value[:57] + '…'}`"

    def __repr__(self) -> str:
        return f"<CloudConf {self.carried.route or self.carried.carrier} at {self.release.name}>"
