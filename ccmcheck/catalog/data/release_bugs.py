"""Bugs of releases of the CCM that a later one mends; ``release_bugs.txt`` has them, ``behaviour.tsv`` the sources."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class ReleaseBug(NamedTuple):
    """One bug.

    Attributes:
        behaviour: The behaviour of the releases that have it.
        label: What happens.
        detail: The consequence.
        on: A key that must be true; empty for none.
        without: Keys of which none may be set.
        given: A key that must have a value; empty for none.
        neutron: Whether load balancers of Neutron LBaaS have it, too; empty for no.
        section: Where the keys are, and the finding.
    """

    behaviour: str
    label: str
    detail: str
    on: str = ""
    without: tuple[str, ...] = ()
    given: str = ""
    neutron: str = ""
    section: str = "LoadBalancer"


BUGS = records(read_paragraphs(__file__, "release_bugs.txt"), ReleaseBug)
