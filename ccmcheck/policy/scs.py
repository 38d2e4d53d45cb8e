"""What SCS's k8s-cluster-api-provider sets in a cloud.conf for each kind of load balancer.

Its ``terraform/files/bin/handle_ovn_lb.sh`` (v7.0.0, commit a7466098) edits ``cloud.conf`` by ``sed``: towards OVN it
sets the three keys below; back to amphora it removes two of them again where they hold what it had set, and leaves
``create-monitor`` as it is.
"""

from __future__ import annotations

from ccmcheck.records import NamedTuple


class Setting(NamedTuple):
    """One key of a profile.

    Attributes:
        section: As the catalogue writes it.
        key: As the catalogue writes it.
        value: What it shall hold; None where it shall not be there.
        was: The only values that are removed; any where empty.
        since: The CCM's release from which on it is set; any where empty.
        why: In one clause.
    """

    section: str
    key: str
    value: str | None
    was: tuple[str, ...] = ()
    since: str = ""
    why: str = ""


_MONITOR = Setting(
    "LoadBalancer",
    "create-monitor",
    "true",
    # before, a Local Service made the CCM ask OVN for an HTTP monitor, which OVN refuses, and ask again
    # for ever (cloud-provider-openstack, issues 2039 and 2225); see rows M06, M08, M09, M13, M15 of the matrix
    since="1.26",
    why="the CCM relies on monitors for dead nodes and for Local Services",
)

PROFILES: dict[str, tuple[Setting, ...]] = {
    "scs": (
        Setting("LoadBalancer", "lb-provider", None, was=("ovn",), why="amphora is Octavia's default"),
        Setting("LoadBalancer", "lb-method", None, was=("SOURCE_IP_PORT",), why="it is OVN's only method"),
        _MONITOR,
    ),
    "scs-ovn": (
        Setting("LoadBalancer", "lb-provider", "ovn", why="OVN keeps the client's address"),
        Setting("LoadBalancer", "lb-method", "SOURCE_IP_PORT", why="it is OVN's only method"),
        _MONITOR,
    ),
}
"""What ``fix --profile NAME`` sets."""
