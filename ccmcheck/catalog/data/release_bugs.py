"""Bugs of releases that a later one mends; ``release_bugs.txt`` has them, ``behaviour.tsv`` the releases that have them."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class ReleaseBug(NamedTuple):
    """One bug.

    Attributes:
        behaviour: The behaviour of the releases that have it; ``not`` and a name for the releases without that one.
        label: What happens, after the program's name.
        detail: The consequence.
        source: Where it can be read: the pull request that mends it.
        program: The program that has it: ``ccm``, ``cinder-csi-plugin`` or ``manila-csi-plugin``.
        on: Conditions that must hold, each a key that is true or not empty, or ``key=value``; one of another section than
            [LoadBalancer] begins with ``Section.``.
        without: Keys of which none may be set, written likewise.
        when: What else must be, and no file shows; lint tells of such a bug beside others only.
        may: Whether it is information where its key is set, as it shows in some clouds only.
        do: What to do beside an upgrade.
        everywhere: Whether it concerns those as well for whom the CCM makes no load balancers with Octavia.
    """

    behaviour: str
    label: str
    detail: str
    source: str
    program: str = "ccm"
    on: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    when: str = ""
    may: bool = False
    do: str = ""
    everywhere: bool = False


BUGS = records(read_paragraphs(__file__, "release_bugs.txt"), ReleaseBug)
"""The worst first."""
