"""What a rule sees: one cloud.conf as the CCM of one release reads it, with a place for all it may report."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ccmcheck import catalog
from ccmcheck.base.model import Span
from ccmcheck.carriers.base import EMPTY_RUN, IN_TREE, CarriedConf, RunContext
from ccmcheck.catalog import Release, Schema, fold
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf.item import UNKNOWN, Item, are_of_others
from ccmcheck.conf.places import ConfPlaces
from ccmcheck.conf.reading import Reading, read
from ccmcheck.gcfg import Document, Section, parse
from ccmcheck.layers.base import Layer
from ccmcheck.redact import MASK

_PROVIDERS = frozenset(("ccm", IN_TREE))


class CloudConf(ConfPlaces):
    """One cloud.conf at one release of one consumer.

    Args:
        carried: Where it was found.
        document: Its sections and keys.
        reading: What the reader of ``schema`` reads in it.
        schema: What the consumer knows at ``release``.
        release: The release judged.
        run_context: What else was found in the same run.
        is_assumed: Whether ``release`` stands in for one that nobody knows.

    Attributes:
        answers: What rules worked out of it, see `ccmcheck.rules._support.once`.
    """

    def __init__(
        self,
        carried: CarriedConf,
        document: Document,
        reading: Reading,
        schema: Schema,
        release: Release,
        run_context: RunContext,
        *,
        is_assumed: bool = False,
    ) -> None:
        super().__init__(carried, document, reading)
        self.schema = schema
        self.release = release
        self.run_context = run_context
        self.is_assumed = is_assumed
        self.answers: dict[object, Any] = {}
        self._other_readings: dict[Release, Reading] = {}

    @classmethod
    def read(
        cls,
        carried: CarriedConf,
        release: Release,
        consumer: str = "ccm",
        *,
        run_context: RunContext = EMPTY_RUN,
        document: Document | None = None,
        is_assumed: bool = False,
    ) -> CloudConf:
        """Parse a cloud.conf and read it as one release of one consumer does.

        Args:
            carried: The cloud.conf.
            release: The release.
            consumer: Who reads it.
            run_context: What else was found in the same run.
            document: Its text, where it is parsed already: several releases share one.
            is_assumed: Whether ``release`` stands in for one that nobody knows.
        """
        if carried.marks:
            from ccmcheck.conf.alternatives import undecided

            carried = undecided(carried)
        schema = catalog.schema(release, consumer)
        document = document if document is not None else parse(carried.stack.inner)
        return cls(carried, document, read(document, schema), schema, release, run_context, is_assumed=is_assumed)

    def masked(self, *words: str) -> tuple[str, ...]:
        """Words about the file, without the secrets in it."""
        from ccmcheck.redact.masker import Masker

        return tuple(map(Masker(self.carried.text).scrub, words))

    @property
    def consumer(self) -> str:
        """Who reads the file in this judgement; see `ccmcheck.catalog.CONSUMERS`."""
        return self.schema.consumer

    @cached_property
    def for_ccm(self) -> bool:
        """Whether the CCM, or its predecessor inside Kubernetes, reads this file.

        It does not where others alone are known to read it, nor where the file has sections of others and, besides
        those that all share, none of its own.
        """
        if self.consumer not in _PROVIDERS or (self.carried.consumers and "ccm" not in self.carried.consumers):
            return False
        return not are_of_others(section.name for section in self.document.sections)

    @property
    def reader(self) -> str:
        """Who reads the file, for the middle of a sentence: the CCM unless another program alone is known to."""
        known = self.carried.consumers
        name = self.consumer if self.consumer != "ccm" or not known or "ccm" in known else known[0]
        return reader_name(name)

    @property
    def reader_first(self) -> str:
        """The same for the start of a sentence."""
        return self.reader[:1].upper() + self.reader[1:]

    @property
    def for_provider(self) -> bool:
        """The same, or whether the predecessor alone is known to read the file, by which it is judged."""
        return self.for_ccm or (self.consumer == IN_TREE and IN_TREE in self.carried.consumers)

    @property
    def sections(self) -> tuple[Section, ...]:
        """One for each header, in the order of the file."""
        return self.document.sections

    @cached_property
    def _by_name(self) -> dict[tuple[str, str | None, str], list[Item]]:
        index: dict[tuple[str, str | None, str], list[Item]] = {}
        section, prefix, subsection = None, "", None
        for item in self.items:
            if item.section is not section:
                section = item.section
                prefix, subsection = fold(section.name), section.subsection
            name = (prefix, subsection, fold(item.entry.key))
            items = index.get(name)
            if items is None:
                index[name] = [item]
            else:
                items.append(item)
        return index

    @cached_property
    def _deciding(self) -> dict[tuple[str, str | None], dict[str, Item]]:
        by_section: dict[tuple[str, str | None], dict[str, Item]] = {}
        for item in self.items:
            if (spec := item[2]) is not None:
                by_section.setdefault((spec.section, item[0].subsection), {})[spec.name] = item
        return by_section

    @property
    def repeated(self) -> list[list[Item]]:
        """The known keys that come more than once in one section, each with all its occurrences."""
        if len([item for item in self.items if item[2] is not None]) == sum(map(len, self._deciding.values())):
            return []
        return [items for items in self._by_name.values() if len(items) > 1 and items[-1].spec is not None]

    def all(self, section: str, key: str, subsection: str | None = None) -> list[Item]:
        """Every occurrence of one key, in the order of the file; names match as gcfg matches them."""
        return self._by_name.get((fold(section), subsection, fold(key)), [])

    def deciding(self, section: str, subsection: str | None = None) -> Mapping[str, Item]:
        """The known keys of a section that take effect, by their names; all three as for `last`."""
        return self._deciding.get((section, subsection), {})

    def last(self, section: str, key: str, subsection: str | None = None) -> Item | None:
        """The occurrence that decides, which is the last one.

        Args:
            section: As the catalogue writes it.
            key: As the catalogue writes it.
            subsection: As the file writes it.

        Returns:
            It; None where the key is absent or the release does not know it.
        """
        return self.deciding(section, subsection).get(key)

    def value(self, section: str, key: str) -> object:
        """The value that the CCM will use for a key of a plain section.

        Args:
            section: ``LoadBalancer``, ``Global`` …
            key: As the catalogue writes it.

        Returns:
            The typed value of the file or the default of the release (durations as nanoseconds); None where the release
            does not know the key; ``UNKNOWN`` where a template mark decides, or the value cannot be read.
        """
        found_spec = self.schema.section(section)
        spec = found_spec.key(key) if found_spec is not None else None
        if spec is None:
            return None
        item = self.last(section, key)
        if item is not None:
            return UNKNOWN if item.opaque else self.typed(item)
        return UNKNOWN if self.may_hide_keys(section) else spec.default_value

    def typed(self, item: Item) -> object:
        """The typed value of one occurrence; ``UNKNOWN`` where it is opaque, ignored, or cannot be read."""
        _, entry, spec, opaque = item
        value = None if opaque or spec is None else self.reading.typed.get(entry.key_start)
        return UNKNOWN if value is None else value

    def read_at(self, release: Release) -> Reading:
        """What another release of the same consumer reads in the document."""
        reading = self._other_readings.get(release)
        if reading is None:
            reading = self._other_readings[release] = read(self.document, catalog.schema(release, self.consumer))
        return reading

    def would_read(self, section: str, key: str, raw: str | None) -> bool:
        """Whether the reader takes a value under another name than the one it has.

        Args:
            section: The section that the key would stand in.
            key: Its name there.
            raw: The value as it stands in the text, quotes and all; None for a bare key.
        """
        return not read(parse(f"[{section}]\n{key}" + ("" if raw is None else f" = {raw}")), self.schema).stops

    def has_section(self, name: str) -> bool:
        """Whether a section of this name, without a subsection, is in the file."""
        wanted = fold(name)
        return any(fold(section.name) == wanted and section.subsection is None for section in self.document.sections)

    def sections_named(self, name: str) -> list[Section]:
        """Every section of a name, with and without subsections."""
        wanted = fold(name)
        return [section for section in self.document.sections if fold(section.name) == wanted]

    @property
    def unread_chart_maps(self) -> list[tuple[Span, str]]:
        """The maps of a chart's values that its templates do not read, each with the name that they do read."""
        from ccmcheck.carriers.chart_map import ChartMap

        layer = self.layers[-1] if self.layers else None
        pieces = layer.pieces if isinstance(layer, ChartMap) else ()
        return [(Span(piece.start, piece.end), piece.meant) for piece in pieces if piece.meant]

    @property
    def layers(self) -> list[Layer]:
        """The layers of the text, without masks, which change no place."""
        return [layer for layer in self.carried.stack.layers if layer.kind != "template"]

    def quote(self, item: Item) -> str:
        """A value as a message may show it: in backquotes, masked for a key that holds a secret, cut when long."""
        if item.spec is not None and item.spec.secret:
            return f"`{MASK}`"
        value = item.entry.value or ""
        return f"`{value if len(value) <= 60 else value[:57] + '…'}`"

    def __repr__(self) -> str:
        return f"<CloudConf {self.carried.route or self.carried.carrier} at {self.release.name}>"
