"""The create-monitor decision matrix: for one config and one Service the first row that matches gives the value.

A row only matches on what is known: an input that was not given (None) meets no condition, so nothing is guessed.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ccmcheck.catalog.behaviour import within
from ccmcheck.model import Severity

if TYPE_CHECKING:
    from ccmcheck.catalog import Release


class Advice(Enum):
    """What ``create-monitor`` should come to for one Service."""

    ON = "true"
    OFF = "false"
    EITHER = "either"
    ON_WITH_TIMERS = "true with all three timers, else false"
    ON_FOR_LOCAL = "true for Local Services only"
    NONE = "no monitor is made"


class Via(Enum):
    """Where the value belongs."""

    CONFIG = "cloud.conf"
    ANNOTATION = "the annotation loadbalancer.openstack.org/enable-health-monitor"
    NOWHERE = ""


class Question(NamedTuple):
    """What is known of one config and one Service; None is unknown.

    Attributes:
        release: The CCM's.
        driver: ``amphora``, ``ovn`` or ``other``, see `ccmcheck.catalog.octavia.family`.
        enabled: Whether the CCM handles load balancers, and this Service.
        in_tree: Whether the legacy in-tree provider reads the file.
        policy: The Service's externalTrafficPolicy, ``Local`` or ``Cluster``.
        protocol: A port's protocol.
        serial: provider-requires-serial-api-calls.
        client_ip: Whether the pods need the client's address.
        strict_mtls: Whether the backends take a bare TCP connection amiss.
        fip_fix: Whether the ovn provider checks members behind a floating IP (LP#1997418).
        http_on_udp: Whether Octavia takes HTTP monitors on UDP pools (API 2.16).
        over_quota: Whether the monitors are more than the project's quota.
        drops_unready: Whether the service controller was told to drop nodes that are not ready
            (``StableLoadBalancerNodeSet=false``).
    """

    release: Release
    driver: str | None = None
    enabled: bool | None = True
    in_tree: bool | None = False
    policy: str | None = None
    protocol: str | None = None
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None
    drops_unready: bool | None = None


class When(NamedTuple):
    """A row's conditions; None asks for nothing. See `Question` for the names.

    Attributes:
        releases: First tag and first tag after; empty strings have no end.
        drivers: Any of these.
    """

    releases: tuple[str, str] = ("", "")
    drivers: tuple[str, ...] = ()
    enabled: bool | None = None
    policy: str | None = None
    protocol: str | None = None
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None

    def meets(self, question: Question) -> bool:
        """Whether everything asked for is known and so."""
        if self.drivers and question.driver not in self.drivers:
            return False
        if self.releases != ("", "") and not within(question.release, *self.releases):
            return False
        return all(wanted is None or wanted == known for wanted, known in zip(self[2:], _known(question), strict=True))


def _known(question: Question) -> tuple[object, ...]:
    return (
        question.enabled,
        question.policy,
        question.protocol,
        question.serial,
        question.client_ip,
        question.strict_mtls,
        question.fip_fix,
        question.http_on_udp,
        question.over_quota,
    )


class Row(NamedTuple):
    """One row.

    Attributes:
        id: Its name, ``M13``.
        when: Its conditions.
        advice: The value.
        via: Where it belongs.
        monitor: The kind of monitor that results.
        severity: How much it matters; None where things are as they should be once the value is right.
        actions: What to do besides.
        why: The reason.
        source: Where that can be read.
    """

    id: str
    when: When
    advice: Advice
    via: Via
    monitor: str
    severity: Severity | None
    actions: tuple[str, ...]
    why: str
    source: str


_CCM = "kubernetes/cloud-provider-openstack"
_KEP = "kubernetes/enhancements KEP-3458; kubernetes/kubernetes#133052"

ROWS: tuple[Row, ...] = (
    Row(
        "M18",
        When(over_quota=True),
        Advice.ON_FOR_LOCAL,
        Via.ANNOTATION,
        "",
        Severity.WARNING,
        ("raise Octavia's health monitor quota",),
        "one monitor per Service port; over the quota Octavia refuses the whole load balancer",
        "openstack/octavia octavia/common/config.py quota_opts, octavia/api",
    ),
    Row(
        "M01",
        When(enabled=False),
        Advice.NONE,
        Via.NOWHERE,
        "",
        Severity.INFO,
        (),
        "load balancers are switched off, or another implementation owns the Service",
        f"{_CCM} pkg/openstack/openstack.go LoadBalancer(); spec.loadBalancerClass",
    ),
    Row(
        "M02",
        When(releases=("", "v1.18.0")),
        Advice.ON_WITH_TIMERS,
        Via.CONFIG,
        "TCP",
        Severity.ERROR,
        ("set monitor-delay, monitor-timeout and monitor-max-retries together", "move to a newer CCM"),
        "with create-monitor on and a timer at 0 the provider does not start",
        f"{_CCM} openstack.go checkOpenStackOpts, up to 1.17; kubernetes/kubernetes#48347",
    ),
    Row(
        "M03",
        When(releases=("v1.23.0", "v1.23.1")),
        Advice.OFF,
        Via.CONFIG,
        "HTTP /",
        Severity.WARNING,
        ("upgrade to v1.23.1 or newer first",),
        "a node change wipes the members' monitor_port, and all members go down",
        f"{_CCM}#1749",
    ),
    Row(
        "M04",
        When(releases=("v1.28.0", ""), drivers=("amphora", "other"), policy="Local", serial=True),
        Advice.OFF,
        Via.ANNOTATION,
        "HTTP without a monitor_port",
        Severity.WARNING,
        ("use externalTrafficPolicy Cluster, with the PROXY protocol where the client's address matters",),
        "members are made without a monitor_port, so that the check asks the NodePort and all members fail",
        f"{_CCM} pkg/util/openstack/loadbalancer_serial.go (read, not run)",
    ),
    Row(
        "M05",
        When(drivers=("ovn",), protocol="SCTP"),
        Advice.OFF,
        Via.ANNOTATION,
        "SCTP, refused",
        Severity.WARNING,
        ("run this Service without health checks",),
        "the ovn provider knows TCP and UDP-CONNECT monitors only, and refuses the whole load balancer",
        "openstack/ovn-octavia-provider 11.0.0, run",
    ),
    Row(
        "M06",
        When(releases=("", "v1.26.0"), drivers=("ovn",), policy="Local"),
        Advice.OFF,
        Via.CONFIG,
        "HTTP, refused",
        Severity.WARNING,
        ("upgrade the CCM to 1.26 or newer", "until then no Local Services"),
        "the CCM asks for an HTTP monitor, the load balancer is refused, and that again and again",
        f"{_CCM}#2039, #2225",
    ),
    Row(
        "M07",
        When(drivers=("ovn",), fip_fix=False),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        Severity.WARNING,
        ("upgrade the ovn provider", "make the monitors anew", "do not rely on failover until then"),
        "the monitor has no effect on a floating IP",
        "LP#1997418, LP#1956035",
    ),
    Row(
        "M08",
        When(releases=("v1.26.0", ""), drivers=("ovn",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        None,
        (
            "lb-method = SOURCE_IP_PORT",
            "manage-security-groups = true (1.28 and newer, but not v1.28.0 to v1.30.1, v1.31.0, v1.31.1)",
            "no proxy-protocol",
        ),
        "nothing else takes nodes without a pod out; the pods see the client's address",
        f"{_CCM} pkg/openstack/loadbalancer.go, 1.26 and newer",
    ),
    Row(
        "M09",
        When(drivers=("ovn",), policy="Cluster"),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        None,
        ("balanced timers",),
        "nodes that are not ready stay members",
        _KEP,
    ),
    Row(
        "M10",
        When(releases=("v1.18.0", "v1.23.0"), drivers=("amphora",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "TCP",
        Severity.WARNING,
        ("upgrade: the documentation of these releases does not support Local",),
        "a TCP check of the NodePort fails on nodes without a pod, so it works by accident",
        f"{_CCM} documentation up to 1.22",
    ),
    Row(
        "M11",
        When(drivers=("amphora",), policy="Local", protocol="UDP", http_on_udp=False),
        Advice.ON,
        Via.CONFIG,
        "UDP-CONNECT",
        Severity.WARNING,
        ("monitor-delay of 3s or more", "CCM 1.26 or newer", "Octavia of Ussuri or newer"),
        "before API 2.16 a UDP pool takes no HTTP monitor; UDP-CONNECT only sees ICMP unreachable",
        f"{_CCM}#1999; Octavia API 2.16",
    ),
    Row(
        "M12",
        When(releases=("v1.23.1", ""), drivers=("amphora",), policy="Local", client_ip=True),
        Advice.ON,
        Via.CONFIG,
        "HTTP on healthCheckNodePort",
        None,
        (
            "annotation proxy-protocol, and backends that speak it",
            "CCM and Kubernetes 1.30 or newer (ipMode Proxy), else enable-ingress-hostname = true (1.21 and newer)",
        ),
        "the monitor makes it reachable, PROXY brings the client's address",
        "SovereignCloudStack/k8s-cluster-api-provider#351; KEP-1860",
    ),
    Row(
        "M13",
        When(releases=("v1.23.1", ""), drivers=("amphora",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "HTTP on healthCheckNodePort",
        None,
        ("where the client's address does not matter, Cluster is simpler",),
        "without it traffic goes to nodes that have no pod of the Service",
        f"{_CCM}#2866",
    ),
    Row(
        "M14",
        When(drivers=("amphora",), policy="Cluster", strict_mtls=True),
        Advice.OFF,
        Via.ANNOTATION,
        "TCP",
        Severity.INFO,
        (),
        "bare TCP checks upset backends that insist on TLS",
        f"{_CCM}#986",
    ),
    Row(
        "M15",
        When(releases=("v1.27.0", ""), drivers=("amphora",), policy="Cluster"),
        Advice.ON,
        Via.CONFIG,
        "TCP, UDP-CONNECT or SCTP",
        Severity.INFO,
        ("timers by size of the cluster",),
        "nodes that are not ready stay members",
        _KEP,
    ),
    Row(
        "M16",
        When(drivers=("amphora",), policy="Cluster"),
        Advice.EITHER,
        Via.CONFIG,
        "TCP, UDP-CONNECT or SCTP",
        None,
        ("keep the value, and write it down",),
        "the service controller takes nodes that are not ready out by itself",
        "k8s.io/cloud-provider before 0.27",
    ),
    Row(
        "M17",
        When(drivers=("other",)),
        Advice.ON,
        Via.CONFIG,
        "TCP",
        Severity.INFO,
        ("look into the provider's feature matrix",),
        "other providers run with monitors",
        "sapcc/kubernikus runs f5 with monitors",
    ),
)
"""In the order in which they are tried; M18 comes first."""


def first_row(question: Question) -> Row | None:
    """The first row that matches; None where too little is known for any.

    Args:
        question: One config and one Service.
    """
    if question.in_tree:
        return next(row for row in ROWS if row.id == "M02")
    for row in ROWS:
        if row.when.meets(question) and not (row.id == "M15" and question.drops_unready):
            return row
    return None


class Verdict(NamedTuple):
    """What cloud.conf should say where no Service is known.

    Attributes:
        value: ``create-monitor``; None where rows contradict each other or nothing is known.
        rows: The rows that say so.
    """

    value: bool | None
    rows: tuple[Row, ...] = ()

    @property
    def for_any(self) -> Row | None:
        """The row that asks for monitors whatever the Services are; None where only some Services would need them."""
        return next((row for row in self.rows if row.advice is Advice.ON and row.when.policy != "Local"), None)


@cache
def for_config(release: Release, driver: str | None, serial: bool | None) -> Verdict:
    """Judge a config by the TCP Services that any cluster may get, of either policy.

    Args:
        release: The CCM's.
        driver: As in `Question`; None where the cloud decides.
        serial: provider-requires-serial-api-calls.

    Returns:
        ``True`` where a row asks for monitors in cloud.conf and none forbids them there, ``False`` where one forbids
        them or all leave it open.
    """
    asked = [
        first_row(Question(release, driver, policy=policy, protocol="TCP", serial=serial))
        for policy in ("Cluster", "Local")
    ]
    rows = [row for row in asked if row is not None and row.via is Via.CONFIG]
    off = tuple(row for row in rows if row.advice is Advice.OFF)
    on = tuple(row for row in rows if row.advice is Advice.ON)
    if off and on and off[0].when.policy is not None:
        return Verdict(None, (*on, *off))
    if off:
        return Verdict(False, off)
    if on:
        return Verdict(True, on)
    return Verdict(False if rows else None, tuple(rows))
