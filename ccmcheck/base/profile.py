"""What a profile states: wishes about keys of cloud.conf, and facts of the cloud. Records alone; see `ccmcheck.policy`.

They stand below all rooms that carry them about, so that nobody needs the reader of profiles who only asks for a fact.
"""

from __future__ import annotations

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

SOFT = ("usual", "recommended")
"""Checks that say what is common or advised where nothing else is wanted; no finding comes of them."""


class Condition(NamedTuple):
    """What must hold for a wish to be asked: the CCM uses a value for another key."""

    section: str
    key: str
    value: str


class Requirement(NamedTuple):
    """What a profile wants of one key. Its values may be secrets; see `ccmcheck.policy.profiles.words`.

    Attributes:
        profile: The name of the profile that states it.
        section: As the catalogue writes it.
        key: As the catalogue writes it.
        check: A name in `ccmcheck.policy.profiles.checks.CHECKS`.
        values: The values that the check names.
        low: The least that is wanted; empty for no limit.
        high: The most that is wanted; empty for no limit.
        default: The one to write where several values would do; None for none.
        since: The first CCM release that it is asked of; empty for all.
        until: The last one; empty for all.
        when: What must hold besides.
        severity: How much it matters.
        reason: Why, for people.
        source: Where that can be read.
    """

    profile: str
    section: str
    key: str
    check: str
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    default: str | None = None
    since: str = ""
    until: str = ""
    when: tuple[Condition, ...] = ()
    severity: Severity = Severity.WARNING
    reason: str = ""
    source: str = ""

    def __repr__(self) -> str:
        return f"<Wish {self.section}.{self.key}: {self.check}>"  # the values may be secrets


class Profile(NamedTuple):
    """One profile with all that it extends.

    Attributes:
        name: A built-in's name, or a file's without its ending.
        title: What it is, in a few words.
        extends: The names of the profiles that it stands on.
        note: What else is to be known.
        source: Where its choices can be read.
        facts: Of the cloud.
        requirements: In the order of their profiles, each key's last one.
        path: The file; empty for a built-in.
    """

    name: str
    title: str = ""
    extends: tuple[str, ...] = ()
    note: str = ""
    source: str = ""
    facts: ClusterFacts = NO_FACTS
    requirements: tuple[Requirement, ...] = ()
    path: str = ""
