"""Whether connections reach a pod under policy Cluster and Local, and whose address the pods see.

How long a dead node, or one without a pod, stays in rotation.
"""

from __future__ import annotations

from ccmcheck.catalog.data.octavia import CONNECT_TRIES
from ccmcheck.policy.create_monitor.records import NOT_EVERY_NODE
from ccmcheck.predict.drivers.ovn import PINCTRL
from ccmcheck.predict.drivers.record import Seconds
from ccmcheck.predict.inputs.nodes import CONTROL_PLANE, EXCLUDED, MASTER
from ccmcheck.predict.records import Answer, Outcome, PortPlan
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.predict.verdicts.context import READ, VerdictContext

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
    if context.ovn_blind or context.ovn_ignores:
        why, mechanism = (
            ("never checks", "the monitor stays PENDING_CREATE")
            if context.ovn_blind
            else (f"does not act on {context.ovn_ignores}", "LP#1997418, LP#1956035, LP#2055876")
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
    if out is None or context.ovn_blind or context.ovn_ignores:
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


KUBE_PROXY = "kubernetes pkg/proxy/iptables/proxier.go, has no endpoints"
ISSUE_LOCAL = "kubernetes/cloud-provider-openstack#2866"
HTTP_LISTENERS = frozenset({"HTTP", "TERMINATED_HTTPS"})
NOT_BUILT = (
    "this release of the ovn provider builds only the load balancer of a request that has all parts: its listeners and "
    "pools stay PENDING_CREATE"
)


def cluster(context: VerdictContext, *, chosen: bool) -> Answer:
    """Where connections end under policy Cluster.

    Args:
        context: The verdict context.
        chosen: Whether it is the Service's own policy; otherwise the verdict is the one it would have.
    """
    name = "traffic-cluster"
    prefix = "" if chosen else "with policy Cluster: "
    unserved = _unserved(context, name, prefix)
    if unserved is not None:
        return unserved
    text = "every node takes connections and hands them on to a pod"
    if context.members is not None:
        text = f"all {context.members} nodes take connections and hand them on to a pod"
    masters = sum(any(label in node.labels for label in (MASTER, CONTROL_PLANE)) for node in context.calls.nodes)
    if 0 < masters < len(context.calls.nodes):
        text += f", {masters} of them in the control plane: the label {EXCLUDED} would leave those out"
    if not context.monitored and context.behaviours["keeps-unready-nodes"]:
        return Answer(
            name,
            True if not chosen else None,
            f"{prefix}{text}; a node that dies stays in rotation until its Node object is deleted",
            "the service controller leaves nodes that are not ready to the load balancer's checks, and there are none",
            KEP_NODES,
        )
    return Answer(name, True, prefix + text, "kube-proxy on every node knows all pods", READ)


def local(context: VerdictContext, *, chosen: bool) -> Answer:
    """Where connections end under policy Local.

    Args:
        context: The verdict context.
        chosen: Whether it is the Service's own policy; otherwise the verdict is the one it would have.
    """
    name = "traffic-local"
    prefix = "" if chosen else "with policy Local: "
    unserved = _unserved(context, name, prefix)
    if unserved is not None:
        return unserved
    if context.asks_pods_for_health:
        text = "the monitor asks /healthz at the NodePort: all members are down unless the pods answer it with 200"
        how = "members that are made one by one have no monitor_port"
        return Answer(name, None, prefix + text, how, SERIAL)
    if not chosen and context.monitored:
        return Answer(name, None, f"{prefix}checks would take nodes without a pod out of rotation", "", ISSUE_LOCAL)
    first = None if context.monitored else first_connections(context)
    share, numbers = _share(context, first)
    if not context.monitored:
        return Answer(
            name,
            False if share else None if context.members == 1 else True,
            prefix + (share or "every node has a pod, as long as that stays so"),
            "kube-proxy drops what comes to a node without a pod of the Service; nothing takes such nodes out",
            ISSUE_LOCAL if first is None else f"{ISSUE_LOCAL}; {redispatch.MEASURED}",
            numbers,
        )
    if context.loses_monitor_ports:
        return Answer(
            name,
            False,
            prefix + LOST_PORTS,
            "checkServiceUpdate does not read the health check node port, so the monitor asks the NodePort",
            LOST_PORTS_ISSUE,
            numbers,
        )
    if not share:
        return Answer(name, True, f"{prefix}every node has a pod", numbers=numbers)
    return _checked(context, prefix, share, numbers)


def _checked(context: VerdictContext, prefix: str, share: str, numbers: dict[str, object]) -> Answer:
    """Policy Local with monitors, where some nodes have no pod: whether they leave the rotation, and when."""
    name, worst = "traffic-local", context.worst()
    out = podless(context, worst)
    if context.ovn_blind:
        return Answer(
            name,
            False,
            f"{prefix}{share}: the monitor stays PENDING_CREATE and checks nothing",
            "monitors inside a fully populated create came with 1.2.0, 2.1.0, 3.1.0 and 4.0.0",
            "openstack/ovn-octavia-provider commit e320491",
            numbers,
        )
    if context.ovn_ignores:
        return Answer(
            name,
            False,
            f"{prefix}{share}: this release of the ovn provider does not act on {context.ovn_ignores}",
            "its monitors apply to the VIP; those of floating IPs came with 2.2.0, 3.1.2, 4.0.2 and 5.0.0, "
            "those of IPv6 with 4.0.2, 5.1.0, 6.0.1 and 7.0.0",
            "LP#1997418, LP#1956035",
            numbers,
        )
    if not context.times(worst).known:
        text = f"{prefix}whether nodes without a pod leave the rotation is up to the provider"
        return Answer(name, None, text, context.times(worst).how, numbers=numbers)
    if out is None:
        return Answer(
            name,
            False,
            f"{prefix}{share}, for good: port {worst.port}/{worst.protocol} is checked by UDP-CONNECT, to which "
            "silence is success",
            "a node without a pod drops datagrams silently; only an ICMP unreachable counts as failure",
            context.times(worst).evidence,
            numbers,
        )
    if not worst.http_path and context.cloud.facts.proxy_mode == "none":
        text = f"{prefix}whether nodes without a pod leave the rotation is up to kube-proxy's replacement"
        why = "the monitor asks the NodePort, and a replacement may answer there on every node"
        return Answer(name, None, text, why, context.times(worst).evidence, numbers)
    asked, besides = "/healthz at the health check node port", ""
    if not worst.http_path:
        asked, besides = "the NodePort", " (kube-proxy drops the check there; a replacement may answer it)"
    return Answer(
        name,
        True,
        f"{prefix}nodes without a pod are out of rotation after {out}",
        f"each monitor asks {asked}; such nodes are ERROR for good, and the load balancer DEGRADED{besides}",
        context.times(worst).evidence,
        {**numbers, "seconds": [out.least, out.most]},
    )


def _unserved(context: VerdictContext, name: str, prefix: str) -> Answer | None:
    """The verdict where nothing gets through, whatever the policy; None where something does."""
    broken = _broken(context)
    if broken:
        return Answer(name, False, prefix + broken)
    text = _without_pods(context)
    if not text:
        return None
    how = "kube-proxy refuses what comes for a Service without any endpoint"
    return Answer(name, False, prefix + text, how, f"{KUBE_PROXY}; {redispatch.MEASURED}")


def _broken(context: VerdictContext) -> str:
    """Why nothing gets through, whatever the policy; empty where it does."""
    prediction = context.prediction
    if prediction.outcome is not Outcome.ACCEPTED:
        there = context.cloud.balancer
        if there is None:
            return "there is no load balancer"
        has_part = not there.tags or prediction.name in there.tags
        return (
            "the load balancer goes on as it is, without this change"
            if has_part
            else "it has no listener on the load balancer that it shares"
        )
    if context.ovn_unbuilt:
        return NOT_BUILT
    if context.members == 0:
        return "the pools have no members: no node matches" if context.calls.spec.selectors else "there is no member"
    if all(not plan.node_port for plan in prediction.plans):
        return "the pools have no members: the ports have no NodePort"
    return ""


def _without_pods(context: VerdictContext) -> str:
    """What a connection costs where no pod is ready anywhere, so that kube-proxy refuses it; empty where one is."""
    if context.pods != 0 or context.service.everywhere:
        return ""
    plan = context.stream_plan()
    if plan is None or not context.driver.redispatches:
        return "no pod is ready: every node refuses connections"
    if context.monitored:
        return f"no pod is ready: once all members are down, connections are {_lost(plan)} at once"
    first = first_connections(context)
    cost = first.describe(http=plan.listener in HTTP_LISTENERS) if first is not None else ""
    return f"no pod is ready, and every node refuses connections{': ' if cost else ''}{cost}"


def _lost(plan: PortPlan) -> str:
    return "answered with 503" if plan.listener in HTTP_LISTENERS else "closed"


def _share(context: VerdictContext, first: redispatch.FirstConnections | None) -> tuple[str, dict[str, object]]:
    """What part of connections goes to nodes without a pod, and what that costs; empty text where none does."""
    members, pods = context.members, context.pods
    if context.service.everywhere:
        return "", {"members": members, "pods": pods}
    if members is None or pods is None:
        if members == 1:
            return "", {"members": 1}
        return f"{_assumption(pods)}{_cost(context)}", {"members": members, "pods": pods}
    empty = max(members - min(pods, members), 0)
    numbers: dict[str, object] = {"members": members, "pods": pods, "without": empty}
    if not members or not empty:
        return "", numbers
    numbers["share"] = round(empty / members, 4)
    if context.service.ready_nodes is not None:
        text = f"{empty} of {members} nodes have no pod of this Service now"
    else:
        least = "" if pods <= 1 else "at least "
        text = f"{least}{empty} of {members} nodes have no pod of this Service ({_replicas(pods)} given)"
    plan = context.stream_plan()
    if first is not None and plan is not None:
        numbers["first_connections"] = first.as_dict()
        return f"{text}: {first.describe(http=plan.listener in HTTP_LISTENERS)}", numbers
    return f"{text}: {round(100 * empty / members)} % of first connections go there{_cost(context)}", numbers


def _assumption(pods: int | None) -> str:
    """What happens where not every node runs one of a number of pods; whether it does is not known."""
    if pods is None:
        return NOT_EVERY_NODE
    fewer = f"with more than {pods} node{'' if pods == 1 else 's'}, " if pods else ""
    return f"{fewer}connections also go to nodes that have no pod of this Service"


def _replicas(count: int) -> str:
    return f"{count} replica{'' if count == 1 else 's'}"


def first_connections(context: VerdictContext) -> redispatch.FirstConnections | None:
    """What becomes of first connections where only nodes with a pod answer; None where that is not known."""
    plan = context.stream_plan()
    if not context.driver.redispatches or plan is None or context.members is None or context.pods is None:
        return None
    answering = min(context.pods, context.members)
    # a Service without any pod is refused, whatever its policy; one with pods elsewhere is dropped
    silent = context.pods > 0
    return redispatch.first_connections(plan.method, context.members, answering, context.connect, silent=silent)


def _cost(context: VerdictContext) -> str:
    """What a connection to a node without a pod costs; empty where a monitor takes such nodes out."""
    if context.monitored:
        return ""
    if context.driver.redispatches is None:
        return ""
    plan = context.stream_plan()
    if plan is None or not context.driver.redispatches:
        return "; each is lost"
    closed_after = CONNECT_TRIES * context.connect
    closes = "answers with 503" if plan.listener in HTTP_LISTENERS else "closes the connection"
    if plan.method == "SOURCE_IP":
        return f"; clients that are sent there never get through: HAProxy {closes} after {closed_after:g} s"
    return (
        f"; each try there takes {context.connect:g} s, and after {CONNECT_TRIES} HAProxy {closes} ({closed_after:g} s)"
    )


def client_address(context: VerdictContext) -> Answer:
    """Whose address the pods see."""
    name, spec = "client-address", context.calls.spec
    is_local = context.prediction.policy == "Local"
    if context.driver.keeps_address:
        if is_local:
            return Answer(name, True, "the pods see the client's address", "OVN does not change it", PINCTRL)
        return Answer(
            name,
            False,
            "the pods see a node's address",
            "OVN keeps the client's, and kube-proxy replaces it under policy Cluster",
            "kubernetes.io/docs/reference/networking/virtual-ips",
        )
    if proxy := context.prediction.proxy:
        return Answer(
            name,
            None,
            f"the pods see the amphora's address, and a PROXY {'v2' if proxy == 'PROXYV2' else 'v1'} header "
            "with the client's, which they must expect",
            "the amphora ends the client's connection and opens one of its own",
            "octavia 19.0.0, rendered configuration",
        )
    if spec.forwarded:
        return Answer(
            name,
            True,
            "the pods see the client's address in X-Forwarded-For",
            "the amphora inserts the header, and treats every port as HTTP",
            "octavia 19.0.0, rendered configuration",
        )
    who = "the amphora's address" if is_local else "the amphora's, or a node's, address"
    if context.driver.keeps_address is None:
        return Answer(name, None, "whether the client's address is kept is up to the provider")
    return Answer(
        name,
        False,
        f"the pods see {who}",
        "the amphora ends the client's connection and opens one of its own",
        "octavia 19.0.0, rendered configuration",
    )
