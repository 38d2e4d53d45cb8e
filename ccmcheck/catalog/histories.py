"""What is known of a key over all releases and all consumers: for explaining, not for reading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.releases import CONSUMERS
from ccmcheck.catalog.names import fold
from ccmcheck.catalog.releases import CCM, MASTER, Release
from ccmcheck.catalog.rows import How, Key, Value
from ccmcheck.catalog.schemas import declared, has


class ConsumerHistory(NamedTuple):
    """One key in one consumer.

    Attributes:
        since: The first branch whose tip has it; ``1.9`` means 1.9 or earlier.
        until: The last branch whose tip has it; empty while it lives.
        first_tag: The first tag that has it, where that is not the first of its first branch.
        last_tag: The last tag that has it; empty while it lives.
        missing_in_tags: Tags after the first that lack it.
        types: Type by releases, oldest first.
        defaults: Default by releases, oldest first, with where it comes from (see `ccmcheck.catalog.rows.How`).
        environment: Variables that set it where the file does not, with the releases.
        documented_in: The releases whose documentation names it.
        go_field: The field of the Go struct.
        ref: Branch, file and line of the declaration.
    """

    since: str
    until: str
    first_tag: str
    last_tag: str
    missing_in_tags: tuple[str, ...]
    types: tuple[tuple[str, str], ...]
    defaults: tuple[tuple[str, Value, How], ...]
    environment: tuple[tuple[str, str], ...]
    documented_in: tuple[str, ...]
    go_field: str
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
        return any(one.documented for one in self.consumers.values())

    def known_in(self, release: Release, consumer: str = CCM) -> bool:
        """Whether a release has it, tag by tag."""
        return any(has(release, key) for key in _declarations().get((self.section, self.key), {}).get(consumer, ()))


def history(section: str, key: str) -> KeyHistory | None:
    """Look up a key over all releases and consumers.

    Args:
        section: Its section, in any case.
        key: Its name, in any case.

    Returns:
        What is known, or None where nobody ever read such a key.
    """
    return _histories().get((fold(section), fold(key)))


def all_sections() -> tuple[str, ...]:
    """Every section that any consumer of any release knows."""
    return tuple(dict.fromkeys(section.name for consumer in CONSUMERS for section in declared(consumer)))


def all_keys(section: str) -> tuple[str, ...]:
    """Every key that any consumer of any release knows in a section, whose name may be in any case."""
    wanted = fold(section)
    return tuple(
        dict.fromkeys(
            key.name
            for consumer in CONSUMERS
            for found in declared(consumer)
            if fold(found.name) == wanted
            for key in found.keys
        )
    )


@lru_cache(maxsize=1)
def _declarations() -> dict[tuple[str, str], dict[str, tuple[Key, ...]]]:
    found: dict[tuple[str, str], dict[str, tuple[Key, ...]]] = {}
    for consumer in CONSUMERS:
        for section in declared(consumer):
            for key in section.keys:
                found.setdefault((section.name, key.name), {})[consumer] = (key,)
    return found


@lru_cache(maxsize=1)
def _histories() -> dict[tuple[str, str], KeyHistory]:
    from ccmcheck.catalog.data.histories import NOTES

    return {
        (fold(section), fold(name)): KeyHistory(
            section,
            name,
            NOTES.get((section, name), ""),
            {consumer: _history(section, keys[0], consumer) for consumer, keys in consumers.items()},
        )
        for (section, name), consumers in _declarations().items()
    }


def _history(section: str, key: Key, consumer: str) -> ConsumerHistory:
    from ccmcheck.catalog.data.histories import SOURCES

    source = SOURCES[section, key.name][consumer]
    since, _, until = key.releases.partition("..")
    until = until or since
    return ConsumerHistory(
        since=since,
        until="" if until == MASTER else until,
        first_tag=key.first_tag,
        last_tag=source.last_tag,
        missing_in_tags=key.missing_in_tags,
        types=(*key.earlier_types, (_after(key.earlier_types, since, until), key.type)),
        defaults=(*key.earlier_defaults, (_after(key.earlier_defaults, since, until), key.default, key.how)),
        environment=source.environment,
        documented_in=source.documented_in,
        go_field=source.go_field,
        ref=source.ref,
    )


def _after(earlier: tuple[tuple[str, *tuple[object, ...]], ...], since: str, until: str) -> str:
    """The releases that are left after the earlier ones."""
    from ccmcheck.catalog.data.releases import BRANCHES

    if earlier:
        last = earlier[-1][0].rpartition("..")[2]
        since = BRANCHES[BRANCHES.index(last) + 1]
    return since if since == until else f"{since}..{until}"
