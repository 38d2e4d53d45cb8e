"""The facts of a migration, from ``in-tree.toml`` and ``ovn.toml``, each with its source."""

from __future__ import annotations

from ccmcheck.base.data_files import read_tables, rows
from ccmcheck.base.records import NamedTuple

IN_TREE, OVN = "in-tree", "ovn"
"""What is left; what is moved to."""

ANY, OCTAVIA, NEUTRON = "any", "octavia", "neutron"
"""Whom a fact is about: everybody, load balancers in Octavia, or those of Neutron LBaaS."""

IN_CSI = "the same key in the CSI driver's own cloud.conf"
"""What becomes of a key that the CSI driver reads in its [BlockStorage]."""


class MigratedKey(NamedTuple):
    """What becomes of a key that the CCM does not read.

    Attributes:
        section: Its section.
        key: Its name.
        becomes: What takes its place.
        source: Where that can be read.
    """

    section: str
    key: str
    becomes: str
    source: str


class MigrationFact(NamedTuple):
    """A step, what happens to live Services, or what cannot be migrated.

    Attributes:
        text: What it is.
        source: Where it can be read.
        title: What a step is about, in a word; empty for other facts.
        about: Whom it is about.
        severity: ``error``, ``warning`` or ``info``.
    """

    text: str
    source: str
    title: str = ""
    about: str = ANY
    severity: str = "info"


class MigrationFacts(NamedTuple):
    """All facts of one migration.

    Attributes:
        name: What is left.
        keys: The keys that have no place in the new cloud.conf.
        steps: What to do, in order.
        live: What live Services keep or lose.
        cannot: What cannot be migrated.
    """

    name: str
    keys: tuple[MigratedKey, ...]
    steps: tuple[MigrationFact, ...]
    live: tuple[MigrationFact, ...]
    cannot: tuple[MigrationFact, ...]


def migration_facts(name: str) -> MigrationFacts:
    """The facts of one migration.

    Args:
        name: ``IN_TREE`` or ``OVN``.
    """
    tables = read_tables(__file__, f"{name}.toml")
    steps, live, cannot = (rows(tables[table], MigrationFact) for table in ("step", "live", "cannot"))
    return MigrationFacts(tables["name"], rows(tables.get("key", []), MigratedKey), steps, live, cannot)
