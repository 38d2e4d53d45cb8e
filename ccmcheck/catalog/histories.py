"""What is known of a key over all releases and all consumers: for explaining, not for reading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.releases import CONSUMERS
from ccmcheck.catalog.data_types import DefaultSource, KeyRow, Value
from ccmcheck.catalog.schemas import declared, fold
from ccmcheck.catalog.stretches import Lifetime, by_branches, lifetime


class ConsumerHistory(NamedTuple):
    """One key in one consumer.

    Attributes:
        lifetime: The releases that have it.
        types: Type by releases, oldest first.
        defaults: Default by releases, oldest first, with where it comes from: a
            `ccmcheck.catalog.schemas.DefaultSource`.
        environment: Variables that set it where the file does not, with the releases.
        documented_in: The releases whose documentation names it.
        ref: Branch, file and line of the declaration.
    """

    lifetime: Lifetime
    types: tuple[tuple[str, str], ...]
    defaults: tuple[tuple[str, Value, DefaultSource], ...]
    environment: tuple[tuple[str, str], ...]
    documented_in: tuple[str, ...]
    ref: str

    @property
    def documented(self) -> bool:
        """Whether the documentation of any release names it."""
        return bool(self.documented_in)


class KeyHistory(NamedTuple):
    """One key over all releases and consumers.

    Attributes:
        section: Its section.
        key: Its name.
        notes: What else is known; may be empty.
        consumers: By consumer.
    """

    section: str
    key: str
    notes: str
    consumers: Mapping[str, ConsumerHistory]

    @property
    def documented(self) -> bool:
        """Whether the documentation of any consumer names it."""
        return any(consumer.documented for consumer in self.consumers.values())


def history(section: str, key: str) -> KeyHistory | None:
    """Look up a key over all releases and consumers.

    Args:
        section: Its section, in any case.
        key: Its name, in any case.

    Returns:
        What is known, or None where no reader ever had such a key.
    """
    name = (fold(section), fold(key))
    return _history_of(*name) if name in _declarations() else None


@cache
def key_names() -> frozenset[str]:
    """Every key of any section that any consumer of any release knows, folded."""
    return frozenset(key for _, key in _declarations())


@cache
def all_sections() -> tuple[str, ...]:
    """Every section that any consumer of any release knows."""
    return tuple(dict.fromkeys(name for consumer in CONSUMERS for name, _, _ in declared(consumer)))


def all_keys(section: str) -> tuple[str, ...]:
    """Every key that any consumer of any release knows in a section, whose name may be in any case."""
    return _all_keys(fold(section))


@lru_cache(maxsize=64)
def _all_keys(folded_section: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            row[0]
            for consumer in CONSUMERS
            for name, _, rows in declared(consumer)
            if fold(name) == folded_section
            for row in rows
        )
    )


@lru_cache(maxsize=1)
def _declarations() -> dict[tuple[str, str], tuple[str, dict[str, KeyRow]]]:
    """The section's name and the rows by consumer, by the folded names of section and key."""
    found: dict[tuple[str, str], tuple[str, dict[str, KeyRow]]] = {}
    for consumer in CONSUMERS:
        for section, _, rows in declared(consumer):
            for row in rows:
                found.setdefault((fold(section), fold(row[0])), (section, {}))[1][consumer] = row
    return found


@lru_cache(maxsize=512)
def _history_of(folded_section: str, folded_key: str) -> KeyHistory:
    from ccmcheck.catalog.data.keys import notes

    section, rows = _declarations()[folded_section, folded_key]
    key = next(iter(rows.values()))[0]
    consumers = {consumer: _history(row, consumer) for consumer, row in rows.items()}
    return KeyHistory(section, key, notes().get((section, key), ""), consumers)


def _history(row: KeyRow, consumer: str) -> ConsumerHistory:
    _, history, (_, documented_in, environment, ref) = row
    span = lifetime(tuple((since, before) for since, before, *_ in row[1]))
    variables = [variable.partition("=") for variable in environment.split()]
    defaults = by_branches([(since, before, (default, how)) for since, before, _, default, how in history])
    return ConsumerHistory(
        # a program that ended took its keys along, which says nothing of the keys
        span._replace(last_tag="") if span.until == CONSUMERS[consumer][1] else span,
        types=by_branches([(since, before, kind) for since, before, kind, _, _ in history]),
        defaults=tuple((releases, default, how) for releases, (default, how) in defaults),
        environment=tuple([(branches, name) for branches, _, name in variables]),
        documented_in=tuple(documented_in.split()),
        ref=ref,
    )
