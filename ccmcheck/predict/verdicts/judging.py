"""The verdicts on one Service: each an answer with its mechanism and its evidence.

Sources: OpenStack Octavia and HAProxy measured as `ccmcheck.predict.drivers` says; kube-proxy's behaviour is
that of the Kubernetes documentation; KEP-1860 and KEP-3458.

Which clients get where they should: those that are to stay at a pod, and those of the Service's second IP family.

Whether packets get through: security groups on the way in, and kube-proxy's short way from pods.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.predict.drivers.record import Driver
from ccmcheck.predict.records import Answer, Outcome, Prediction
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.groups import nodes_without_group
from ccmcheck.predict.verdicts import load, rollout, traffic
from ccmcheck.predict.verdicts.answers import answer
from ccmcheck.predict.verdicts.context import VerdictContext

UNTIL_NODES_CHANGE = "until the next change of nodes removes the rules"


def security_group(context: VerdictContext) -> Answer:
    """Whether the nodes let probes and traffic in."""
    rules = context.prediction.rules
    ports = [f"{plan.node_port}/{plan.protocol.lower()}" for plan in context.prediction.plans if plan.node_port]
    checked = context.service.check_port
    # the CCM opens it whenever the Service has one; without managed groups only monitors need it
    if checked and any(checked == port for port in _asked_or_opened(context)):
        ports.append(f"{checked}/tcp")
    shown = first_of(ports, 6)
    without = nodes_without_group(context.calls) if rules else ()
    if without:
        numbers = {"nodes": len(context.calls.nodes), "without": len(without)}
        return answer("security-group not put", numbers, nodes=first_of(without, 3), ports=shown)
    if not ports:
        return answer("security-group no ports")
    if context.driver.keeps_address:
        if rules is None:
            by_others = answer("security-group of others, clients' addresses", ports=shown)
            return by_others._replace(good=context.cloud.open_ports)
        if context.behaviours["managed-groups-shut-ovn-clients-out"]:
            return answer("security-group shuts clients out")
        where = ", ".join(dict.fromkeys(rule.remote for rule in rules if rule.port != context.service.check_port))
        if context.behaviours["managed-groups-emptied-by-node-changes"]:
            return answer("security-group emptied", clients=where, ports=shown, until=UNTIL_NODES_CHANGE)
        return answer("security-group lets clients in", clients=where, ports=shown)
    if rules is None:
        why = "manage-security-groups is off"
        if context.calls.options.manage_security_groups:
            why = f"manage-security-groups does nothing in {context.prediction.release}"
        return answer("security-group of others", why=why, ports=shown)._replace(good=context.cloud.open_ports)
    open_ports = {rule.port for rule in rules}
    shut = [plan for plan in context.prediction.plans if plan.monitor_port and plan.monitor_port not in open_ports]
    if shut:
        return answer("security-group without check port", port=shut[0].monitor_port)
    return answer("security-group lets members in", subnet=rules[0].remote, ports=shown)


def _asked_or_opened(context: VerdictContext) -> set[int]:
    """The ports on the nodes that monitors ask, and that the managed group opens to whoever may use the NodePorts."""
    opened = set() if context.driver.keeps_address else {rule.port for rule in context.prediction.rules or ()}
    return opened | {plan.monitor_port for plan in context.prediction.plans}


def hairpin(context: VerdictContext) -> Answer:
    """Whether pods may use the Service's own address."""
    if not context.prediction.proxy:
        return _short_way(context)
    published = context.prediction.published
    if published and published[0].hostname:
        return answer("hairpin hostname", hostname=published[0].hostname)
    version = context.cloud.facts.kubernetes_version
    if not context.behaviours["sets-ip-mode"]:
        return answer("hairpin CCM without ipMode")
    if not version:
        return answer("hairpin Kubernetes unknown")
    if kubernetes_has("ip-mode", version):
        return answer("hairpin ipMode")
    return answer("hairpin Kubernetes without ipMode", version=version)


def _short_way(context: VerdictContext) -> Answer:
    """Pods that use the address of a Service without the PROXY protocol: kube-proxy sends them to a pod itself."""
    facts = context.cloud.facts
    if facts.proxy_mode == "none":
        return answer("hairpin without kube-proxy")
    if facts.proxy_mode == "ipvs" and context.prediction.policy == "Local" and not context.service.everywhere:
        old = facts.kubernetes_version and not kubernetes_has("ipvs-reaches-other-nodes", facts.kubernetes_version)
        return answer("hairpin old IPVS" if old else "hairpin IPVS")
    return answer("hairpin short way")


def affinity(context: VerdictContext) -> Iterator[Answer]:
    """Whether a client stays at one pod, where the Service asks for that."""
    if context.service.affinity != "ClientIP":
        return
    if context.driver.keeps_address is None:
        yield answer("affinity unknown")
    elif context.driver.keeps_address:
        yield answer("affinity by client")
    else:
        many = f"so that at most {context.members} pods are used" if context.members else "not client by client"
        yield answer("affinity by node", many=many)


def families(context: VerdictContext) -> Iterator[Answer]:
    """Whether clients of both IP families get in, where the Service has both."""
    service = context.service
    if not context.behaviours["ip-families"] or not (service.dual or len(service.families) > 1):
        return
    first = service.families[0] if service.families else "the cluster's first IP family"
    yield answer("families both required" if service.dual else "families both preferred", first=first)


def judge(calls: Calls, prediction: Prediction) -> Iterator[Answer]:
    """Give all verdicts.

    Yields:
        The answers, in the order in which they matter.
    """
    context = VerdictContext(calls, prediction)
    yield _accepted(prediction, context.driver)
    if not prediction.plans:
        return
    is_local = prediction.policy == "Local"
    if is_local:
        yield traffic.local(context, chosen=True)
        yield traffic.cluster(context, chosen=False)
    else:
        yield traffic.cluster(context, chosen=True)
        yield traffic.local(context, chosen=False)
    yield traffic.client_address(context)
    yield from affinity(context)
    yield from families(context)
    yield traffic.dead_node(context)
    if context.monitored:
        if is_local:
            yield traffic.podless_node(context)
        yield from filter(None, [rollout.rollout(context)])
        yield load.probes(context)
    yield load.quota(context)
    yield security_group(context)
    yield hairpin(context)


_WHOLE = "one refused field refuses the whole load balancer"
_GROUP = "the load balancer is there, and the Service's status stays without its address"


def _accepted(prediction: Prediction, driver: Driver) -> Answer:
    if prediction.outcome is Outcome.ACCEPTED:
        if driver.is_named and not driver.checks_requests:
            return Answer("accepted", None, f"where the cloud has it; what {driver.title}'s driver takes is not known")
        return answer("accepted requests", requests="the request" if len(prediction.requests) < 3 else "the requests")
    if prediction.outcome is Outcome.REFUSED:
        first = prediction.refusals[0]
        more = f", and {len(prediction.refusals) - 1} more" if len(prediction.refusals) > 1 else ""
        return answer(
            "accepted refused" if first.by == "Octavia" else "accepted by Octavia alone",
            {"status": first.status, "field": first.field},
            first.evidence,
            by=first.by,
            status=first.status,
            said=first.said,
            more=more,
            consequence=_WHOLE if first.by == "Octavia" else _GROUP,
        )
    if prediction.outcome is Outcome.FAILS:
        first = prediction.refusals[0]
        consequence = "the CCM deletes it and starts over" if _deletes(prediction) else "it stays in ERROR"
        numbers = {"field": first.field}
        return answer("accepted in ERROR", numbers, first.evidence, said=first.said, consequence=consequence)
    return answer("accepted unknown", why=prediction.why)


def _deletes(prediction: Prediction) -> bool:
    return any(event.reason == "SyncLoadBalancerFailed" and "deleted" in event.message for event in prediction.events)
