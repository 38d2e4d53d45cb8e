"""Who switched create-monitor on or off, and why: read in the histories and threads of the projects named.

Repositories: kubernetes/cloud-provider-openstack (tags v1.12.0 to v1.36.0), kubernetes/kubernetes,
SovereignCloudStack's k8s-cluster-api-provider (a7466098), standards, openstack-csp-helper and cluster-stacks.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple

_CPO = "kubernetes/cloud-provider-openstack"
_SCS = "SovereignCloudStack/k8s-cluster-api-provider"
_STANDARDS = "SovereignCloudStack/standards"
UPSTREAM, SCS = "upstream", "SCS"
ON, OFF, OPEN = "on", "off", "open"


class Step(NamedTuple):
    """One step of the history.

    Attributes:
        when: ``2020-03``, ``2022-03-13``; a release where only that is known.
        who: ``upstream`` or ``SCS``.
        what: What happened.
        effect: Its effect on the value: ``on``, ``off`` or ``open``.
        why: The reason given, or what it meant for the value; may be empty.
        source: Where that can be read.
        is_said: Whether the page says the same as a risk or an argument.
    """

    when: str
    who: str
    what: str
    effect: str
    why: str
    source: str
    is_said: bool = False

    @property
    def is_main(self) -> bool:
        """Whether it moved the value, and nothing else of the page says so."""
        return self.effect != OPEN and bool(self.why) and not self.is_said


STEPS: tuple[Step, ...] = (
    Step(
        "2014/15",
        UPSTREAM,
        "the in-tree provider gets create-monitor as a bool without a default, so it is false; the timers have no "
        "defaults either",
        OFF,
        "no reason is recorded",
        "kubernetes/kubernetes, the provider's history up to its removal",
        is_said=True,
    ),
    Step(
        "2017-07",
        UPSTREAM,
        "with create-monitor on and a timer missing, the provider does not start",
        OFF,
        "from here on true cannot be a default",
        "kubernetes/kubernetes#48347 (b9904dd5e)",
    ),
    Step(
        "2018/19",
        UPSTREAM,
        "users ask for better monitors, and report that externalTrafficPolicy Local does not work",
        OPEN,
        "",
        f"{_CPO}#302, #763",
    ),
    Step(
        "2020-03",
        UPSTREAM,
        "1.18 brings the annotation enable-health-monitor and defaults for the timers, and writes CreateMonitor = "
        "false",
        OFF,
        "TCP checks upset SNI and mTLS backends; the only commit that states the value",
        f"{_CPO}#986 (8c02748fa)",
    ),
    Step(
        "2022-01",
        UPSTREAM,
        "1.23.0 supports Local, by an HTTP monitor on the health check node port; its documentation asks for monitors",
        ON,
        "without a monitor Local does not work",
        f"{_CPO}#1720 (b9b924ff2)",
    ),
    Step(
        "v1.23.0",
        UPSTREAM,
        "1.23.0 loses the members' monitor_port at node changes, and all members go down; fixed in 1.23.1",
        OFF,
        "a reason for caution; an SCS user was affected in 2023",
        f"{_CPO}#1749; {_SCS}#411",
        is_said=True,
    ),
    Step(
        "2022-03-13",
        SCS,
        "an nginx ingress behind Octavia shows delays of ten seconds: two of three nodes have no pod, a monitor cures "
        "it",
        ON,
        "",
        f"{_SCS}#173",
    ),
    Step(
        "2022-03-13",
        SCS,
        "commit 002cecdc adds create-monitor=true to cloud.conf.tmpl and asks why upstream says false; it is the "
        "commit that the draft standard names, and it was never merged and is in no release",
        OPEN,
        "",
        f"{_SCS}#174, commit 002cecdc3680",
    ),
    Step(
        "2022-03-16",
        SCS,
        "merged instead: monitors on for the managed ingress, by annotation, and optional PROXY",
        ON,
        "on for that Service; the default of cloud.conf is left alone",
        f"{_SCS}#175 (8af88e0dd5ed)",
    ),
    Step(
        "2022-12-05",
        SCS,
        "an issue asks for monitors, to follow a decision of the standards",
        ON,
        "",
        f"{_SCS}#312",
    ),
    Step(
        "2022-12-19",
        SCS,
        "the first commit of the draft standard, which leaves the question open",
        OPEN,
        "",
        f"{_STANDARDS} 7b604ccf",
    ),
    Step(
        "2023-02-13",
        SCS,
        "the draft standard chooses not to support Local: the reference must not differ from upstream",
        OFF,
        'upstream\'s reason is called "unknown"',
        f"{_STANDARDS}#169 (cab016f)",
    ),
    Step(
        "2023-03",
        SCS,
        "decided against turning on the health monitor by default, in doc/LoadBalancer-ExtTrafficLocal.md; the managed "
        "nginx gets PROXY and a monitor by annotation",
        OFF,
        "with monitors Local looks fine while amphora still hides the client's address; better let it break",
        f"{_SCS}#351 (c2d2fc37c912)",
    ),
    Step(
        "2023-03",
        SCS,
        "the same change adds the way to OVN, which sets create-monitor=true",
        ON,
        "OVN keeps the client's address",
        f"{_SCS} terraform/files/bin/handle_ovn_lb.sh",
    ),
    Step(
        "v1.26.0",
        UPSTREAM,
        "1.26.0 no longer requests HTTP monitors from OVN and old Octavia releases, and opens the health check node "
        "port",
        ON,
        "OVN with Local becomes usable",
        f"{_CPO}#1999, #2000, #2039, #2040, #1984",
    ),
    Step(
        "v1.27.0",
        UPSTREAM,
        "1.27 takes in the service controller that leaves nodes that are not ready to the load balancer's checks",
        ON,
        "with false a dead node stays a member until its Node object is deleted",
        "kubernetes/enhancements KEP-3458; kubernetes/kubernetes#133052",
        is_said=True,
    ),
    Step(
        "v1.28.1",
        UPSTREAM,
        "monitors follow changed settings at node updates: 1.26.4, 1.27.3, 1.28.1 and 1.29.0; monitor-max-retries-down "
        "comes with them",
        ON,
        "",
        f"{_CPO}#2370, #2372, #2373",
    ),
    Step(
        "2024-02-29",
        SCS,
        "the helper chart of cluster-stacks sets create-monitor=true; it is openstack-csp-helper since 2024-04-16",
        ON,
        "",
        "SovereignCloudStack/cluster-stacks providers/openstack/alpha/1-28/csp-helper-chart/templates/_helpers.tpl "
        "(76015e6bb147); SovereignCloudStack/openstack-csp-helper e3a0959f3f64, an import",
    ),
    Step(
        "2024-06-26",
        SCS,
        "the draft's last revision, on a branch alone: the Service of the default policy is required, Local is not "
        "supported",
        OPEN,
        "",
        f"{_STANDARDS} 3440c8f8, branch 169-kaas-lb-standard-draft",
    ),
    Step(
        "2025-03-25",
        UPSTREAM,
        "Local is misconfigured by default without a warning; the issue asks for an error, or for monitors always",
        OPEN,
        "open, no decision",
        f"{_CPO}#2866",
    ),
    Step(
        "2025-09-26",
        SCS,
        "cluster stack scs2 leaves it out, and so false; its values say use-clouds alone",
        OFF,
        "",
        "SovereignCloudStack/cluster-stacks providers/openstack/scs2/cluster-addon/ccm/values.yaml (f5f9a4260d32)",
    ),
    Step(
        "2026-04-21",
        SCS,
        "the follow-up standard is closed until somebody takes it up; the question was never answered",
        OPEN,
        "",
        f"{_STANDARDS}#648",
    ),
    Step(
        "2026-07",
        UPSTREAM,
        "CreateMonitor = false, unchanged",
        OFF,
        "",
        f"{_CPO} pkg/openstack/openstack.go",
    ),
)
"""Oldest first."""
