"""How long a dead node, or one without a pod, stays in rotation."""

from __future__ import annotations

from ccmcheck.predict.drivers.times import Seconds
from ccmcheck.predict.inputs.nodes import EXCLUDED
from ccmcheck.predict.records import Answer, PortPlan
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.predict.verdicts.context import VerdictContext

LOST_PORTS = "all members go down at the first change of nodes: this release takes their monitor_port away"
LOST_PORTS_ISSUE = "kubernetes/cloud-provider-openstack#1749"
SERIAL = "cloud-provider-openstack pkg/util/openstack/loadbalancer_serial.go, read"
KEP_NODES = "kubernetes/enhancements KEP-3458; kubernetes/kubernetes#133052"


def dead_node(context: VerdictContext) -> Answer:
    """Until a node that dies is out, and until it is back."""
    name = "dead-node"
    if not context.monitored:
        if context.keeps_unready_nodes:
            first = _first_connections(context)
            cost = f"; meanwhile {first.describe()}" if first is not None else ""
            return Answer(
                name,
                False,
                f"a dead node stays in rotation until its Node object is deleted{cost}",
                "there is no check, and the service controller of this release keeps nodes that are not ready; a "
                "MachineHealthCheck of Cluster API deletes the Node, and the label "
                f"{EXCLUDED} takes it out by hand",
                KEP_NODES,
                {"first_connections": first.as_dict()} if first is not None else {},
            )
        return Answer(
            name,
            None,
            "a dead node is out once the service controller notices that it is not ready",
            "before 1.27, for Local Services before 1.26, the service controller removes such nodes",
            KEP_NODES,
            {"service_controller": True},
        )
    if context.ovn_blind or context.ovn_floating:
        why, mechanism = (
            ("never checks", "the monitor stays PENDING_CREATE")
            if context.ovn_blind
            else ("does not act on floating IPs", "LP#1997418, LP#1956035")
        )
        return Answer(
            name,
            False,
            f"a dead node stays in rotation: this release of the ovn provider {why}",
            mechanism,
            "openstack/ovn-octavia-provider release notes",
        )
    if context.loses_monitor_ports:
        return Answer(name, False, LOST_PORTS, "", LOST_PORTS_ISSUE)
    worst = context.worst()
    times = context.times(worst)
    if not times.known:
        return Answer(name, None, times.how)
    if times.silent is not None:
        text = f"a dead node is out after {times.refused} (refused) or {times.silent} (silent)"
        numbers = {"refused": _pair(times.refused), "silent": _pair(times.silent), "back": _pair(times.back)}
        return Answer(name, True, f"{text}, back after {times.back}", times.how, times.evidence, numbers)
    return Answer(
        name,
        False,
        f"port {worst.port}/{worst.protocol}: a host that answers with ICMP unreachable is out after {times.refused}, "
        "a silent one never",
        times.how,
        times.evidence,
        {"refused": _pair(times.refused), "silent": None, "back": _pair(times.back)},
    )


def _first_connections(context: VerdictContext) -> redispatch.FirstConnections | None:
    """What one dead node among nodes that all take connections costs; None where that is not known."""
    plan = context.stream_plan()
    if not context.driver.redispatches or plan is None or not context.members or context.prediction.policy == "Local":
        return None
    first = redispatch.first_connections(plan.method, context.members, context.members - 1, context.connect)
    return first if first is not None and not first.by_load else None


def podless_node(context: VerdictContext) -> Answer:
    """Until a node whose last pod goes is out, under policy Local."""
    name = "podless-node"
    if context.loses_monitor_ports:
        return Answer(name, False, LOST_PORTS, "", LOST_PORTS_ISSUE)
    worst = context.worst()
    times = context.times(worst)
    if not times.known:
        return Answer(name, None, "nothing is known of this provider's checks")
    out = podless(context, worst)
    if out is None or context.ovn_blind or context.ovn_floating:
        return Answer(name, False, "a node whose last pod goes stays in rotation", times.how, times.evidence)
    if context.asks_pods_for_health:
        text = (
            f"if the pods answer /healthz with 200, a node whose last pod goes is out after {out}, a node that gets "
            f"its first pod is in after {times.back}; if not, all members are down"
        )
        numbers = {"out": _pair(out), "back": _pair(times.back)}
        return Answer(name, None, text, "the monitor asks /healthz at the NodePort", SERIAL, numbers)
    return Answer(
        name,
        True,
        f"a node whose last pod goes is out after {out}, a node that gets its first pod is in after {times.back}",
        times.how,
        times.evidence,
        {"out": _pair(out), "back": _pair(times.back)},
    )


def podless(context: VerdictContext, plan: PortPlan) -> Seconds | None:
    """Until a node without a pod is out: the check node port answers that it has none, a NodePort is silent."""
    times = context.times(plan)
    return times.refused if plan.http_path and not context.asks_pods_for_health else times.silent


def _pair(span: Seconds | None) -> list[float]:
    return list(span or ())
