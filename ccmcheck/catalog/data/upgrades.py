"""What an upgrade of the CCM changes, in words: what a key's fate means, and what becomes of the command line.

Sources: kubernetes/cloud-provider-openstack at its tags, read with ``git grep`` at every tag; those of keys and
flags are beside them in the tables.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

KEYS: dict[tuple[str, str, str], str] = {
    (kind, section, key): do for kind, section, key, do in read_table(__file__, "upgrade_keys.tsv")
}
"""What to do, by kind of change, section and key; an empty key means all of a section, two empty strings all of a kind."""

_SETTINGS = read_table(__file__, "upgrade_settings.tsv")
SAME_EFFECT: frozenset[tuple[str, str]] = frozenset(
    (section, key) for what, section, key, *_ in _SETTINGS if what == "same effect"
)
"""Keys whose change of default, or of life, changes nothing that the CCM does."""

CONCERNS: dict[tuple[str, str], tuple[str, ...]] = {
    (section, key): tuple(names) for what, section, key, *names in _SETTINGS if what == "matters with"
}
"""Where the change of a default matters, as `ccmcheck.review.upgrade.conditions` names it; everywhere else."""

PINS: dict[tuple[str, str], tuple[str, bool]] = {
    # an empty value is not sent, but logged as an unsupported provider since v1.20.1, and v1.20.0 ends at it
    ("LoadBalancer", "lb-provider"): ("", False),
    ("LoadBalancer", "use-octavia"): ("false", True),
    ("Networking", "public-network-name"): ("public", True),
}
"""What to write so that an earlier default stays in effect, and whether that has no other effect."""

RENAMED: dict[tuple[str, str], str] = {
    (section, key): newer for what, section, key, *names in _SETTINGS if what == "renamed" for newer in names
}
"""Keys that are spelled otherwise after they vanish."""

WITHOUT: dict[tuple[str, str], object] = {
    # openstack.go v1.26.0: Octavia is all there is
    ("LoadBalancer", "use-octavia"): True
}
"""The value that a release without a key uses, where that is not the last default of the key."""

FLAGS_GONE: dict[tuple[str, str], tuple[str, str]] = {
    (flag, value): (release, do) for flag, value, release, do in read_table(__file__, "upgrade_flags.tsv")
}
"""Flags of the CCM's command line, and values of theirs, at which a release ends, and what to do.

A flag that a release does not know any more has an empty value; those of feature gates are NAME=true or NAME=false.
"""
