"""Records of a profile: requirements for keys of cloud.conf, and facts of the cloud; see `ccmcheck.policy`.

They are in the lowest package, so that code that only needs a fact does not import the parser of profiles.
"""

from __future__ import annotations

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

SOFT = ("usual", "recommended")
"""Checks that state a common or advised value; they are not enforced and give no finding."""


class Condition(NamedTuple):
    """A condition of a requirement: the CCM uses a value for another key."""

    section: str
    key: str
    value: str


class Requirement(NamedTuple):
    """What a profile requires of one key. Its values may be secrets; see `ccmcheck.policy.profiles.description`.

    Attributes:
        profile: The name of the profile that states it.
        section: As the catalogue writes it.
        key: As the catalogue writes it.
        check: A name in `ccmcheck.policy.profiles.checks.CHECKS`.
        values: The values that the check names.
        low: The least value allowed; empty for no limit.
        high: The greatest value allowed; empty for no limit.
        default: The value to write where several are allowed; None for none.
        since: The first CCM release that it applies to; empty for all.
        until: The last one; empty for all.
        when: Conditions that must hold as well.
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
        return f"<Requirement {self.section}.{self.key}: {self.check}>"  # the values may be secrets


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
