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
from ccmcheck.predict.verdicts.context import READ, VerdictContext

KEP_IP_MODE = "kubernetes/enhancements KEP-1860"
UNTIL_NODES_CHANGE = "until the next change of nodes removes the rules"
IPVS_LOCAL = "kubernetes/kubernetes#97081, #93456; pkg/proxy/ipvs/proxier.go"


def security_group(context: VerdictContext) -> Answer:
    """Whether the nodes let probes and traffic in."""
    name = "security-group"
    rules = context.prediction.rules
    ports = [f"{plan.node_port}/{plan.protocol.lower()}" for plan in context.prediction.plans if plan.node_port]
    checked = context.service.check_port
    # the CCM opens it whenever the Service has one; without managed groups only monitors need it
    if checked and any(checked == port for port in _asked_or_opened(context)):
        ports.append(f"{checked}/tcp")
    shown = first_of(ports, 6)
    without = nodes_without_group(context.calls) if rules else ()
    if without:
        return Answer(
            name,
            False,
            f"the managed group is not put on {first_of(without, 3)}: their addresses are not in the member subnet, "
            f"and other rules must open {shown} there",
            "the CCM puts the group on the ports that have the node's address in the member subnet",
            READ,
            {"nodes": len(context.calls.nodes), "without": len(without)},
        )
    if not ports:
        return Answer(name, None, "there is nothing to let in: no port of the Service has a NodePort", "", READ)
    if context.driver.keeps_address:
        if rules is None:
            return Answer(
                name,
                context.cloud.open_ports,
                f"clients must be let in to {shown} on the nodes by other rules; the probes are not subject to them",
                "OVN keeps the client's address, and lets its own probes skip the rules: ONLINE does not prove that "
                "clients get in",
                "ovn-org/ovn northd.c, v20.03 to v25.03",
            )
        if context.behaviours["managed-groups-shut-ovn-clients-out"]:
            return Answer(
                name,
                False,
                "the managed group lets the member subnet in, and the packets come from the clients' addresses",
                "",
                READ,
            )
        where = ", ".join(dict.fromkeys(rule.remote for rule in rules if rule.port != context.service.check_port))
        if context.behaviours["managed-groups-emptied-by-node-changes"]:
            return Answer(
                name,
                False,
                f"clients from {where} are let in to {shown}, {UNTIL_NODES_CHANGE}",
                "the source ranges are empty when nodes change; fixed in v1.30.2, v1.31.2, v1.32.0",
                READ,
            )
        return Answer(name, True, f"clients from {where} are let in to {shown}", "", READ)
    if rules is None:
        why = "manage-security-groups is off"
        if context.calls.options.manage_security_groups:
            why = f"manage-security-groups does nothing in {context.prediction.release}"
        return Answer(
            name,
            context.cloud.open_ports,
            f"{why}: other rules must let the member subnet in to {shown}",
            "traffic and probes come from the amphora's port in the member subnet",
            "octavia, read",
        )
    open_ports = {rule.port for rule in rules}
    shut = [plan for plan in context.prediction.plans if plan.monitor_port and plan.monitor_port not in open_ports]
    if shut:
        return Answer(
            name,
            False,
            f"the managed group does not open {shut[0].monitor_port}/tcp, which the monitors ask: all members go down "
            "unless other rules let the member subnet in",
            "the rule for the health check node port came with 1.26",
            "cloud-provider-openstack#1984",
        )
    return Answer(name, True, f"{rules[0].remote} is let in to {shown}", "", READ)


def _asked_or_opened(context: VerdictContext) -> set[int]:
    """The ports on the nodes that monitors ask, and that the managed group opens to whoever may use the NodePorts."""
    opened = set() if context.driver.keeps_address else {rule.port for rule in context.prediction.rules or ()}
    return opened | {plan.monitor_port for plan in context.prediction.plans}


def hairpin(context: VerdictContext) -> Answer:
    """Whether pods may use the Service's own address."""
    name = "hairpin"
    if not context.prediction.proxy:
        return _short_way(context)
    published = context.prediction.published
    if published and published[0].hostname:
        return Answer(
            name,
            True,
            f"a hostname is published, so that pods go through the load balancer: {published[0].hostname}",
            "kube-proxy knows no address of the Service to act on; ipMode is never set",
            KEP_IP_MODE,
        )
    version = context.cloud.facts.kubernetes_version
    if not context.behaviours["sets-ip-mode"]:
        return Answer(
            name,
            False,
            "pods that use the Service's address miss the PROXY header: their connections bypass the load balancer",
            "the CCM sets ipMode since 1.30",
            "cloud-provider-openstack#1287, #1449; KEP-1860",
        )
    if not version:
        return Answer(
            name,
            None,
            "ipMode Proxy is published; Kubernetes supports it since 1.30",
            "the version is not given",
            KEP_IP_MODE,
        )
    if kubernetes_has("ip-mode", version):
        return Answer(name, True, "ipMode Proxy sends pods through the load balancer", "", KEP_IP_MODE)
    return Answer(
        name,
        False,
        f"pods that use the Service's address miss the PROXY header: Kubernetes {version} does not support ipMode",
        "LoadBalancerIPMode is on by default since 1.30",
        KEP_IP_MODE,
    )


def _short_way(context: VerdictContext) -> Answer:
    """Pods that use the address of a Service without the PROXY protocol: kube-proxy sends them to a pod itself."""
    name, facts = "hairpin", context.cloud.facts
    if facts.proxy_mode == "none":
        return Answer(
            name,
            None,
            "whether pods that use the Service's address get to a pod directly is up to kube-proxy's replacement",
            "",
            KEP_IP_MODE,
        )
    if facts.proxy_mode == "ipvs" and context.prediction.policy == "Local" and not context.service.everywhere:
        old = facts.kubernetes_version and not kubernetes_has("ipvs-reaches-other-nodes", facts.kubernetes_version)
        who = "pods" if old else "pods with hostNetwork"
        return Answer(
            name,
            False if old else None,
            f"{who} on nodes without a pod of this Service cannot use its address: kube-proxy in IPVS mode drops what "
            "finds no local endpoint",
            "" if old else "other pods get to another node's endpoints since Kubernetes 1.24",
            IPVS_LOCAL,
        )
    return Answer(
        name, True, "pods may use the Service's address: their connections bypass the load balancer", "", KEP_IP_MODE
    )


_AFFINITY = "kubernetes.io/docs/reference/networking/virtual-ips, session affinity"


def affinity(context: VerdictContext) -> Iterator[Answer]:
    """Whether a client stays at one pod, where the Service asks for that."""
    if context.service.affinity != "ClientIP":
        return
    if context.driver.keeps_address is None:
        yield Answer("affinity", None, "whether a client stays at one pod is up to the provider")
    elif context.driver.keeps_address:
        yield Answer("affinity", True, "each client stays at one pod", "kube-proxy sees its address", _AFFINITY)
    else:
        many = f"so that at most {context.members} pods are used" if context.members else "not client by client"
        yield Answer(
            "affinity",
            False,
            f"each node sends all clients to one pod, {many}",
            "kube-proxy sees the amphora's address alone, and pins it to a pod for three hours by default",
            _AFFINITY,
        )


def families(context: VerdictContext) -> Iterator[Answer]:
    """Whether clients of both IP families get in, where the Service has both."""
    service = context.service
    if not context.behaviours["ip-families"] or not (service.dual or len(service.families) > 1):
        return
    first = service.families[0] if service.families else "the cluster's first IP family"
    yield Answer(
        "families",
        False if service.dual else None,
        f"only {first} gets a load balancer",
        "the CCM makes one, for the first of ipFamilies",
        READ,
    )


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
        text = "Octavia takes " + ("the request" if len(prediction.requests) < 3 else "the requests")
        return Answer("accepted", True, text, evidence="octavia 19.0.0, run")
    if prediction.outcome is Outcome.REFUSED:
        first = prediction.refusals[0]
        more = f", and {len(prediction.refusals) - 1} more" if len(prediction.refusals) > 1 else ""
        return Answer(
            "accepted",
            False,
            f"{first.by} refuses it with {first.status}: {first.said}{more}",
            f"{_WHOLE if first.by == 'Octavia' else _GROUP}; the CCM tries again and again",
            first.evidence,
            {"status": first.status, "field": first.field},
        )
    if prediction.outcome is Outcome.FAILS:
        first = prediction.refusals[0]
        return Answer(
            "accepted",
            False,
            f"Octavia takes it, and the load balancer ends in ERROR: {first.said}",
            "the CCM deletes it and starts over" if _deletes(prediction) else "it stays in ERROR",
            first.evidence,
            {"field": first.field},
        )
    return Answer("accepted", None, prediction.why)


def _deletes(prediction: Prediction) -> bool:
    return any(event.reason == "SyncLoadBalancerFailed" and "deleted" in event.message for event in prediction.events)
