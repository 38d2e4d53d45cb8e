"""Bugs of releases that a later one mends; ``release_bugs.txt`` has them, ``behaviour.tsv`` the releases that have them."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, read_table, records
from ccmcheck.base.records import NamedTuple


class ReleaseBug(NamedTuple):
    """One bug.

    Attributes:
        behaviour: The behaviour of the releases that have it; ``not`` and a name for the releases without that one.
        label: What happens, after the program's name.
        detail: The consequence.
        source: Where it can be read: the pull request that mends it.
        program: The program that has it: ``ccm``, ``legacy-in-tree``, ``cinder-csi-plugin`` or ``manila-csi-plugin``.
        on: Conditions that must hold, each a key that is true or not empty, or ``key=value``; one of another section than
            [LoadBalancer] begins with ``Section.``.
        without: Keys of which none may be set, written likewise.
        service: Conditions that one Service must meet, see ``service_conditions.tsv`` beside this module; lint tells of
            such a bug at the Service.
        when: What else must be, and no file shows.
        minor: Whether lint tells of it beside others only: who does not do what it is about never notices it.
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
    service: tuple[str, ...] = ()
    when: str = ""
    minor: bool = False
    may: bool = False
    do: str = ""
    everywhere: bool = False


SOME = "some "
"""Before a condition on Services, where it is taken to hold as long as no Services are known."""

SERVICE_CONDITIONS: dict[str, tuple[str, str]] = {
    name: (words, place) for name, words, place in read_table(__file__, "service_conditions.tsv")
}
"""Conditions on one Service by their names: the words after ``a Service``, and the field that shows it."""

BUGS = records(read_paragraphs(__file__, "release_bugs.txt"), ReleaseBug)
"""The worst first."""
