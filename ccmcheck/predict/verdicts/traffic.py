"""Whether connections reach a pod under policy Cluster and Local, and whose address the pods see.

How long a dead node, or one without a pod, stays in rotation.
"""

from __future__ import annotations

from ccmcheck.catalog.data.cluster import PLANE_ROLES
from ccmcheck.catalog.data.octavia import CONNECT_TRIES
from ccmcheck.policy.create_monitor.records import NOT_EVERY_NODE
from ccmcheck.predict.drivers.record import Seconds
from ccmcheck.predict.inputs.nodes import EXCLUDED
from ccmcheck.predict.records import Answer, Outcome, PortPlan
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.predict.verdicts.answers import answer
from ccmcheck.predict.verdicts.context import VerdictContext


def dead_node(context: VerdictContext) -> Answer:
    """Until a node that dies is out, and until it is back."""
    if not context.monitored:
        if context.keeps_unready_nodes:
            first = _first_connections(context)
            cost = f"; meanwhile {first.describe()}" if first is not None else ""
            costs = {"first_connections": first.as_dict()} if first is not None else {}
            return answer("dead-node unchecked", costs, cost=cost, label=EXCLUDED)
        return answer("dead-node by service controller", {"service_controller": True})
    if context.ovn_blind:
        return answer("dead-node monitor does not check")
    if context.ovn_ignores:
        return answer("dead-node monitor does not act", ignored=context.ovn_ignores)
    if context.loses_monitor_ports:
        return answer("dead-node lost ports")
    worst = context.worst()
    times = context.times(worst)
    if not times.known:
        return answer("dead-node unknown", how=times.how)
    numbers = {"refused": _pair(times.refused), "silent": None, "back": _pair(times.back)}
    told = {"refused": times.refused, "silent": times.silent, "back": times.back, "how": times.how}
    if times.silent is not None:
        return answer("dead-node times", {**numbers, "silent": _pair(times.silent)}, times.evidence, **told)
    return answer("dead-node silent never", numbers, times.evidence, port=f"{worst.port}/{worst.protocol}", **told)


def _first_connections(context: VerdictContext) -> redispatch.FirstConnections | None:
    """What one dead node among nodes that all take connections costs; None where that is not known."""
    plan = context.stream_plan()
    if not context.driver.redispatches or plan is None or not context.members or context.prediction.policy == "Local":
        return None
    first = redispatch.first_connections(plan.method, context.members, context.members - 1, context.connect)
    return first if first is not None and not first.by_load else None


def podless_node(context: VerdictContext) -> Answer:
    """Until a node whose last pod goes is out, under policy Local."""
    if context.loses_monitor_ports:
        return answer("podless-node lost ports")
    worst = context.worst()
    times = context.times(worst)
    if not times.known:
        return answer("podless-node unknown")
    out = podless(context, worst)
    if out is None or context.ovn_blind or context.ovn_ignores:
        return answer("podless-node stays", {}, times.evidence, how=times.how)
    numbers = {"out": _pair(out), "back": _pair(times.back)}
    if context.asks_pods_for_health:
        return answer("podless-node asks pods", numbers, out=out, back=times.back)
    return answer("podless-node times", numbers, times.evidence, out=out, back=times.back, how=times.how)


def podless(context: VerdictContext, plan: PortPlan) -> Seconds | None:
    """Until a node without a pod is out: the check node port answers that it has none, a NodePort is silent."""
    times = context.times(plan)
    return times.refused if plan.http_path and not context.asks_pods_for_health else times.silent


def _pair(span: Seconds | None) -> list[float]:
    return list(span or ())


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
    prefix = "" if chosen else "with policy Cluster: "
    unserved = _unserved(context, "traffic-cluster", prefix)
    if unserved is not None:
        return unserved
    text = "every node takes connections and hands them on to a pod"
    if context.members is not None:
        text = f"all {context.members} nodes take connections and hand them on to a pod"
    masters = sum(any(label in node.labels for label in PLANE_ROLES) for node in context.calls.nodes)
    if 0 < masters < len(context.calls.nodes) and context.behaviours["knows-exclude-label"]:
        text += f", {masters} of them in the control plane: the label {EXCLUDED} would leave those out"
    if not context.monitored and context.behaviours["keeps-unready-nodes"]:
        case = "unready stay" if chosen else "unready would stay"
        return answer(f"traffic-cluster {case}", prefix=prefix, takes=text)
    return answer("traffic-cluster every node", prefix=prefix, takes=text)


def local(context: VerdictContext, *, chosen: bool) -> Answer:
    """Where connections end under policy Local.

    Args:
        context: The verdict context.
        chosen: Whether it is the Service's own policy; otherwise the verdict is the one it would have.
    """
    prefix = "" if chosen else "with policy Local: "
    unserved = _unserved(context, "traffic-local", prefix)
    if unserved is not None:
        return unserved
    if context.asks_pods_for_health:
        return answer("traffic-local asks pods", prefix=prefix)
    if not chosen and context.monitored:
        return answer("traffic-local would be checked", prefix=prefix)
    first = None if context.monitored else first_connections(context)
    if context.service.elsewhere:
        return answer("traffic-local elsewhere", prefix=prefix, label=context.service.elsewhere, exclude=EXCLUDED)
    share, numbers = _share(context, first)
    if not context.monitored:
        good = False if share else None if context.members == 1 else True
        evidence = None if first is None else f"{ISSUE_LOCAL}; {redispatch.MEASURED}"
        text = share or "every node has a pod, as long as that stays so"
        return answer("traffic-local unchecked", numbers, evidence, prefix=prefix, share=text)._replace(good=good)
    if context.loses_monitor_ports:
        return answer("traffic-local lost ports", numbers, prefix=prefix)
    if not share:
        return answer("traffic-local everywhere", numbers, prefix=prefix)
    return _checked(context, prefix, share, numbers)


def _checked(context: VerdictContext, prefix: str, share: str, numbers: dict[str, object]) -> Answer:
    """Policy Local with monitors, where some nodes have no pod: whether they leave the rotation, and when."""
    worst = context.worst()
    out, times = podless(context, worst), context.times(worst)
    if context.ovn_blind:
        return answer("traffic-local monitor does not check", numbers, prefix=prefix, share=share)
    if context.ovn_ignores:
        ignored = context.ovn_ignores
        return answer("traffic-local monitor does not act", numbers, prefix=prefix, share=share, ignored=ignored)
    if not times.known:
        return answer("traffic-local unknown checks", numbers, prefix=prefix, how=times.how)
    if out is None:
        port = f"{worst.port}/{worst.protocol}"
        return answer(
            "traffic-local silence is success", numbers, times.evidence, prefix=prefix, share=share, port=port
        )
    if not worst.http_path and context.cloud.facts.proxy_mode == "none":
        return answer("traffic-local without kube-proxy", numbers, times.evidence, prefix=prefix)
    asked, besides = "/healthz at the health check node port", ""
    if not worst.http_path:
        asked, besides = "the NodePort", " (kube-proxy drops the check there; a replacement may answer it)"
    numbers = {**numbers, "seconds": [out.least, out.most]}
    told: dict[str, object] = {"prefix": prefix, "out": out, "asked": asked, "besides": besides}
    return answer("traffic-local checked", numbers, times.evidence, **told)


def _unserved(context: VerdictContext, name: str, prefix: str) -> Answer | None:
    """The verdict where nothing gets through, whatever the policy; None where something does."""
    broken = _broken(context)
    if broken:
        return answer(f"{name} broken", prefix=prefix, why=broken)
    text = _without_pods(context)
    return answer(f"{name} no pod", prefix=prefix, why=text) if text else None


def _broken(context: VerdictContext) -> str:
    """Why nothing gets through, whatever the policy; empty where it does."""
    prediction = context.prediction
    if prediction.outcome is not Outcome.ACCEPTED:
        there = context.cloud.balancer
        if there is None:
            lacks = prediction.lacks
            return f"the load balancer is there {lacks}" if lacks else "there is no load balancer"
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
    is_local = context.prediction.policy == "Local"
    if context.driver.keeps_address:
        return answer("client-address kept" if is_local else "client-address replaced by the node's")
    if proxy := context.prediction.proxy:
        return answer("client-address in PROXY", version="v2" if proxy == "PROXYV2" else "v1")
    if context.calls.spec.forwarded:
        return answer("client-address in X-Forwarded-For")
    if context.driver.keeps_address is None:
        return answer("client-address unknown")
    return answer("client-address lost", whose="the amphora's" if is_local else "the amphora's, or a node's,")
