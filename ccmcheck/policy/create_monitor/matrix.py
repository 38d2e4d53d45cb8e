"""The create-monitor decision matrix: for one config and one Service the first row that matches gives the value.

A row only matches on what is known: an input that was not given (None) satisfies no condition, so nothing is guessed.
M19 and M20 came later, with what was measured on Octavia 19.0.0 or read in OVN; they stand where they are tried.
"""

from __future__ import annotations

from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import STRETCHES
from ccmcheck.policy.create_monitor.records import Advice, Caution, MatrixQuestion, MatrixRow, Trial, Via, When

_CCM = "kubernetes/cloud-provider-openstack"
_KEP = "kubernetes/enhancements KEP-3458; kubernetes/kubernetes#133052"
_OVN_PINCTRL = "ovn-org/ovn controller/pinctrl.c, read"
_DROPS_UNREADY = When(releases=STRETCHES["gate-drops-unready-nodes"][0], drops_unready=True)
"""The CCM runs with the feature gate StableLoadBalancerNodeSet=false, which 1.30 no longer lets it."""
_DEGRADED = Caution(
    When(),
    "nodes without a pod are ERROR for good, and so the load balancer is DEGRADED for good: alerts on its "
    "operating_status must know",
    "openstack/octavia octavia/amphorae/drivers/health/heartbeat_udp.py, read",
)
_DEGRADED_OVN = _DEGRADED._replace(
    source="openstack/ovn-octavia-provider ovn_octavia_provider/helper.py, read",
)
_UDP_SILENCE = Caution(
    When(protocol="UDP"),
    "UDP-CONNECT fails on an ICMP unreachable only: a node that dies without one stays in rotation",
    "openstack/octavia octavia/amphorae/backends/utils/udp_check.sh; ovn-org/ovn controller/pinctrl.c, read",
)

ROWS: tuple[MatrixRow, ...] = (
    MatrixRow(
        "M18",
        When(over_quota=True),
        Advice.ON_FOR_LOCAL,
        Via.ANNOTATION,
        "",
        Severity.WARNING,
        ("raise Octavia's health monitor quota",),
        "one monitor per Service port; over the quota Octavia refuses the whole load balancer with a 403",
        "openstack/octavia octavia/common/config.py quota_opts, no limit by default; Octavia 19.0.0, run",
    ),
    MatrixRow(
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
    MatrixRow(
        "M02",
        When(releases=("", "v1.18.0")),
        Advice.ON_WITH_TIMERS,
        Via.CONFIG,
        "TCP",
        Severity.ERROR,
        ("set monitor-delay, monitor-timeout and monitor-max-retries together", "move to a newer CCM"),
        "with create-monitor on and a timer at 0 the provider does not start",
        f"{_CCM} pkg/cloudprovider/providers/openstack/openstack.go checkOpenStackOpts, up to 1.17; "
        "kubernetes/kubernetes#48347",
        also=(When(in_tree=True),),
    ),
    MatrixRow(
        "M03",
        When(releases=STRETCHES["monitor-port-lost"][0]),
        Advice.OFF,
        Via.CONFIG,
        "HTTP /",
        Severity.WARNING,
        (f"upgrade to {STRETCHES['monitor-port-lost'][0][1]} or newer first",),
        "a node change wipes the members' monitor_port, and all members go down",
        f"{_CCM}#1749",
    ),
    MatrixRow(
        "M04",
        When(releases=("v1.28.0", ""), drivers=("amphora", "other"), policy="Local", serial=True),
        Advice.OFF,
        Via.ANNOTATION,
        "HTTP without a monitor_port",
        Severity.WARNING,
        ("use externalTrafficPolicy Cluster, with the PROXY protocol where the client's address matters",),
        "members are made without a monitor_port: all are down unless pods answer /healthz at the NodePort with 200",
        f"{_CCM} pkg/util/openstack/loadbalancer_serial.go (read, not run)",
    ),
    MatrixRow(
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
    MatrixRow(
        "M06",
        When(releases=("", "v1.26.0"), drivers=("ovn",), policy="Local"),
        Advice.OFF,
        Via.CONFIG,
        "HTTP, refused",
        Severity.WARNING,
        ("upgrade the CCM to 1.26 or newer", "until then no Local Services"),
        "the CCM asks for an HTTP monitor, the load balancer is refused at every retry",
        f"{_CCM}#2039, #2225",
    ),
    MatrixRow(
        "M19",
        When(refused=True),
        Advice.OFF,
        Via.ANNOTATION,
        "refused",
        Severity.WARNING,
        ("put what Octavia refuses into a Service of its own",),
        "Octavia accepts the load balancer without monitors, and refuses it with them",
        "openstack/octavia 19.0.0, run: a UDP-CONNECT or SCTP monitor on an HTTP or PROXY pool; a body above 114688 "
        "bytes",
    ),
    MatrixRow(
        "M07",
        When(drivers=("ovn",), fip_fix=False),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        Severity.WARNING,
        ("upgrade the ovn provider", "recreate the monitors", "do not rely on failover until then"),
        "the monitor has no effect on a floating IP; before 1.2.0, 2.1.0, 3.1.0 and 4.0.0 one that is made with its "
        "load balancer never starts at all",
        "LP#1997418, LP#1956035; openstack/ovn-octavia-provider commit e320491",
        cures=False,
    ),
    MatrixRow(
        "M20",
        When(releases=("v1.26.0", ""), drivers=("ovn",), policy="Local", protocol="UDP"),
        Advice.ON,
        Via.CONFIG,
        "UDP-CONNECT",
        Severity.WARNING,
        ("use externalTrafficPolicy Cluster, or a pod on every node",),
        "the monitor does no harm, but OVN counts silence as success, and a node without a pod is silent: it stays in "
        "rotation",
        _OVN_PINCTRL,
        cures=False,
    ),
    MatrixRow(
        "M08",
        When(releases=("v1.26.0", ""), drivers=("ovn",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        None,
        (
            "lb-method = SOURCE_IP_PORT, or SOURCE_IP from ovn-octavia-provider 11.0.0 on",
            "manage-security-groups = true (1.28 and newer, but not v1.28.0 to v1.30.1, v1.31.0, v1.31.1)",
            "no proxy-protocol",
        ),
        "nothing else takes nodes without a pod out; the pods see the client's address",
        "openstack/ovn-octavia-provider ovn_octavia_provider/helper.py",
        cautions=(
            _DEGRADED_OVN,
            Caution(
                When(),
                "the CCM compares members with a port that OVN cannot store, so every reconcile sends them again",
                f"{_CCM} pkg/openstack/loadbalancer.go, read, not run",
            ),
        ),
    ),
    MatrixRow(
        "M09",
        When(drivers=("ovn",), policy="Cluster"),
        Advice.ON,
        Via.CONFIG,
        "TCP or UDP-CONNECT",
        None,
        ("balanced timers",),
        "nodes that are not ready stay members",
        _KEP,
        cautions=(_UDP_SILENCE,),
    ),
    MatrixRow(
        "M10",
        When(releases=("v1.18.0", "v1.23.0"), drivers=("amphora",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "TCP",
        Severity.WARNING,
        ("upgrade: the documentation of these releases does not support Local",),
        "a TCP check of the NodePort fails on nodes without a pod, so it works by accident",
        f"{_CCM} documentation up to 1.22",
        cautions=(
            _DEGRADED,
            Caution(
                When(protocol="UDP"),
                "a UDP port is checked by UDP-CONNECT, to which silence is success: a node without a pod stays in "
                "rotation",
                "openstack/octavia octavia/amphorae/backends/utils/udp_check.sh",
            ),
        ),
    ),
    MatrixRow(
        "M11",
        When(drivers=("amphora",), policy="Local", protocol="UDP", http_on_udp=False),
        Advice.ON,
        Via.CONFIG,
        "UDP-CONNECT",
        Severity.WARNING,
        (
            "upgrade Octavia to Ussuri or newer",
            "upgrade the CCM to 1.26 or newer",
            "until then monitor-delay of 3s or more",
        ),
        "before API 2.16 a UDP pool cannot have an HTTP monitor, and to UDP-CONNECT silence is success: it does no "
        "harm, but a node without a pod stays in rotation",
        f"{_CCM}#1999; Octavia API 2.16; octavia/amphorae/backends/utils/udp_check.sh",
        cures=False,
    ),
    MatrixRow(
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
        cautions=(_DEGRADED,),
    ),
    MatrixRow(
        "M13",
        When(releases=("v1.23.1", ""), drivers=("amphora",), policy="Local"),
        Advice.ON,
        Via.CONFIG,
        "HTTP on healthCheckNodePort",
        None,
        ("where the client's address does not matter, Cluster is simpler",),
        "without it traffic goes to nodes that have no pod of the Service",
        f"{_CCM}#2866",
        cautions=(_DEGRADED,),
    ),
    MatrixRow(
        "M14",
        # HAProxy's plain TCP check ends before accept() returns (measured: none in 75 s), so only PROXY pools matter
        When(drivers=("amphora",), policy="Cluster", strict_mtls=True, proxy=True),
        Advice.OFF,
        Via.ANNOTATION,
        "TCP",
        Severity.INFO,
        (),
        "on a PROXY pool a check is a whole connection with a PROXY header and no TLS, which upsets backends that "
        "insist on TLS",
        f"{_CCM}#986; HAProxy 2.6 on Octavia's rendered configuration, measured",
    ),
    MatrixRow(
        "M15",
        When(releases=("v1.27.0", ""), drivers=("amphora",), policy="Cluster"),
        Advice.ON,
        Via.CONFIG,
        "TCP, UDP-CONNECT or SCTP",
        Severity.INFO,
        ("timers by size of the cluster",),
        "nodes that are not ready stay members",
        _KEP,
        unless=_DROPS_UNREADY,
        cautions=(_UDP_SILENCE,),
    ),
    MatrixRow(
        "M16",
        When(releases=("", "v1.27.0"), drivers=("amphora",), policy="Cluster"),
        Advice.EITHER,
        Via.CONFIG,
        "TCP, UDP-CONNECT or SCTP",
        None,
        (
            "keep the value, and write it down",
            "turn monitors on before the upgrade to 1.27, from which nodes that are not ready stay",
        ),
        "the service controller removes nodes that are not ready",
        "k8s.io/cloud-provider before 0.27; kubernetes/enhancements KEP-3458",
        also=(_DROPS_UNREADY._replace(drivers=("amphora",), policy="Cluster"),),
    ),
    MatrixRow(
        "M17",
        When(drivers=("other",)),
        Advice.ON,
        Via.CONFIG,
        "TCP",
        Severity.INFO,
        ("look into the provider's feature matrix",),
        "other providers run with monitors",
        "sapcc/kubernikus runs f5 with monitors",
        cautions=(
            Caution(
                When(protocol="SCTP"),
                "f5 makes no check of an SCTP monitor",
                "sapcc/octavia-f5-provider-driver, read",
            ),
        ),
    ),
)
"""In the order in which they are tried; M18 comes first."""

BY_ID: dict[str, MatrixRow] = {row.id: row for row in ROWS}


def first_row(question: MatrixQuestion) -> MatrixRow | None:
    """The first row that matches; None where too little is known for any.

    Args:
        question: One config and one Service.
    """
    return next((row for row in ROWS if row.matches(question)), None)


def walk(question: MatrixQuestion) -> tuple[Trial, ...]:
    """All rows in their order up to the first that matches; all where none does.

    Args:
        question: One config and one Service.
    """
    trials: list[Trial] = []
    for row in ROWS:
        trial = Trial(row, row.judge(question))
        trials.append(trial)
        if trial.judgement.matches:
            break
    return tuple(trials)
