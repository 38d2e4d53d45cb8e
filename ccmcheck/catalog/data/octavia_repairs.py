"""What corrects a load balancer that differs from its Service: the CCM at its next sync, at a node change, or nothing.

The service controller has no timer for Services that did not change: a sync follows a change of the Service, such as of an
annotation, or a start of the CCM (kubernetes/cloud-provider controllers/service/controller.go, needsUpdate; #1597, #2962). A
node change calls UpdateLoadBalancer, which looks at pools, members, monitors and the managed security group alone.

Source: kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go, read at every tag since 1.19; line numbers are
those of v1.36.0. ``sync`` and ``node_change`` are behaviours of `ccmcheck.catalog.data.behaviour`, or ALWAYS, or NEVER.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple

ALWAYS, NEVER = "always", "never"


class Repair(NamedTuple):
    """One field.

    Attributes:
        title: The field, for people.
        sync: The behaviour with which the next sync corrects it.
        node_change: The behaviour with which a node change corrects it; a sync does so as well.
        otherwise: What a person does where nothing corrects it.
        source: Where that can be read.
        aside: What changes it nevertheless; empty for nothing.
    """

    title: str
    sync: str
    node_change: str
    otherwise: str
    source: str
    aside: str = ""


_MEMBERS_AGAIN = "No sync corrects it. When a node comes or goes, the CCM sends all members again, which sets it back to the default."
"""Run: CCM v1.31.2 and v1.36.0 with octavia 19.0.0. The batch of members has neither field, and Octavia fills defaults in."""
_RECREATE = (
    "delete the Service and create it again: its load balancer gets another address, unless the floating IP is kept"
)
_SET = "set it in Octavia: openstack loadbalancer {} set"

REPAIRS: dict[str, Repair] = {
    # ---- the load balancer
    "load-balancer": Repair(
        "load balancer", ALWAYS, NEVER, "remove the annotation load-balancer-id", "ensureOctaviaLoadBalancer, 1741-1751"
    ),
    "tags": Repair("tag of the Service", "tags-and-shares", NEVER, "add the tag in Octavia", "1829-1839"),
    "provider": Repair("provider", NEVER, NEVER, _RECREATE, "createOctaviaLoadBalancer alone, 234"),
    "flavor": Repair("flavor", NEVER, NEVER, _RECREATE, "createOctaviaLoadBalancer alone, 241"),
    "availability-zone": Repair("availability zone", NEVER, NEVER, _RECREATE, "createOctaviaLoadBalancer alone, 245"),
    "vip-subnet": Repair("VIP subnet", NEVER, NEVER, _RECREATE, "createOctaviaLoadBalancer alone, 255"),
    "vip-network": Repair("VIP network", NEVER, NEVER, _RECREATE, "createOctaviaLoadBalancer alone, 261"),
    "admin-state": Repair(
        "admin state", NEVER, NEVER, "enable it in Octavia: openstack loadbalancer … set --enable", "never sent"
    ),
    # ---- listeners
    "listener": Repair("listener", ALWAYS, NEVER, "", "ensureOctaviaListener, 1079-1100"),
    "listener-extra": Repair("listener", ALWAYS, NEVER, "", "deleteOctaviaListeners, 560-593"),
    "connection-limit": Repair("connection limit", ALWAYS, NEVER, "", "1111"),
    "x-forwarded-for": Repair("X-Forwarded-For", ALWAYS, NEVER, "", "1116"),
    "tls": Repair("TLS reference", "tls-references", NEVER, _SET.format("listener"), "1129"),
    "timeout": Repair("timeout", ALWAYS, NEVER, _SET.format("listener"), "1133"),
    "allowed-cidrs": Repair("allowed CIDRs", ALWAYS, NEVER, _SET.format("listener"), "1151"),
    # ---- pools
    "pool": Repair("pool", ALWAYS, ALWAYS, "", "ensureOctaviaPool, 926"),
    "pool-protocol": Repair("pool's protocol", "recreates-pools", "recreates-pools", _RECREATE, "894"),
    "algorithm": Repair(
        "algorithm", "updates-pool-method", "updates-pool-method", _SET.format("pool"), "905, since 1.32"
    ),
    "persistence": Repair("session persistence", NEVER, NEVER, _SET.format("pool"), "buildPoolCreateOpt alone, 990"),
    # ---- members
    "members": Repair("members", ALWAYS, ALWAYS, "", "948"),
    "monitor-port": Repair(
        "members' monitor port",
        "compares-monitor-ports",
        "compares-monitor-ports",
        _SET.format("member"),
        "954, since 1.23; not with provider-requires-serial-api-calls",
    ),
    "weight": Repair(
        "members' weight", NEVER, NEVER, _SET.format("member"), "never sent; kOps drains nodes by it", _MEMBERS_AGAIN
    ),
    "backup": Repair("members' backup flag", NEVER, NEVER, _SET.format("member"), "never sent", _MEMBERS_AGAIN),
    "member-admin-state": Repair(
        "members' admin state", NEVER, NEVER, _SET.format("member"), "never sent", _MEMBERS_AGAIN
    ),
    "member-subnet": Repair("members' subnet", NEVER, NEVER, _RECREATE, "954 does not compare it"),
    # ---- monitors: what a node change corrects came in 1.26.4, 1.27.3 and 1.28.1 (#2370)
    "monitor": Repair("health monitor", ALWAYS, "node-changes-sync-monitors", "", "ensureOctaviaHealthMonitor, 776"),
    "monitor-extra": Repair(
        "health monitor", "deletes-monitors", "node-changes-sync-monitors", "delete it in Octavia", "788"
    ),
    "monitor-type": Repair(
        "monitor's type", "recreates-monitors", "node-changes-sync-monitors", "delete the monitor in Octavia", "801"
    ),
    "monitor-delay": Repair(
        "monitor's delay",
        "updates-monitors",
        "node-changes-sync-monitors",
        _SET.format("healthmonitor"),
        "811",
    ),
    "monitor-timeout": Repair(
        "monitor's timeout",
        "updates-monitors",
        "node-changes-sync-monitors",
        _SET.format("healthmonitor"),
        "811",
    ),
    "monitor-retries": Repair(
        "monitor's successes",
        "updates-monitors",
        "node-changes-sync-monitors",
        _SET.format("healthmonitor"),
        "811",
    ),
    "monitor-retries-down": Repair(
        "monitor's failures",
        "renames-monitors",
        "node-changes-sync-monitors",
        _SET.format("healthmonitor"),
        "811",
    ),
    "monitor-path": Repair(
        "monitor's path, method or codes",
        NEVER,
        NEVER,
        "delete the monitor in Octavia; the next sync makes it",
        "never compared",
    ),
    # ---- Neutron
    "security-group": Repair(
        "security group",
        "sync-manages-groups",
        "sync-manages-groups",
        "add it by hand",
        "ensureAndUpdateOctaviaSecurityGroup",
    ),
    "security-group-extra": Repair(
        "security group", "groups-deleted-when-off", NEVER, "delete it: openstack security group delete", "1849"
    ),
    "security-group-rules": Repair(
        "security group's rules",
        "sync-manages-groups",
        "sync-manages-groups",
        "add them by hand",
        "ensureAndUpdateOctaviaSecurityGroup",
    ),
    "floating-ip": Repair("floating IP", ALWAYS, NEVER, "", "ensureFloatingIP, 676-763"),
    "floating-ip-extra": Repair(
        "floating IP",
        "internal-services-cannot-share",
        NEVER,
        "take it off: openstack floating ip unset --port",
        "ensureFloatingIP, 650, since 1.27",
    ),
}
"""From the name of a difference to what corrects it."""
