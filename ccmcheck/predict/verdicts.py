"""The verdicts on one Service: each an answer with its mechanism and its evidence.

Sources: OpenStack Octavia and HAProxy measured as `ccmcheck.predict.detection` says; kube-proxy's behaviour is that of
the Kubernetes documentation; KEP-1860 and KEP-3458.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.predict import detection
from ccmcheck.predict.records import Answer, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.calls import Calls
    from ccmcheck.predict.detection import Times
    from ccmcheck.predict.records import Plan, Prediction

ISSUE_LOCAL = "kubernetes/cloud-provider-openstack#2866"
KEP_NODES = "kubernetes/enhancements KEP-3458; kubernetes/kubernetes#133052"
KEP_IP_MODE = "kubernetes/enhancements KEP-1860"
READ = "cloud-provider-openstack pkg/openstack/loadbalancer.go"
SERIAL = "cloud-provider-openstack pkg/util/openstack/loadbalancer_serial.go, read"
SILENT_MEMBERS = "HAProxy redispatch after timeout_member_connect; measured on Octavia's rendered configuration"
AMPHORAE = {"SINGLE": 1, "ACTIVE_STANDBY": 2}
CONNECT_SECONDS = octavia.MEMBER_CONNECT_SECONDS


class Ground:
    """What the verdicts have in common.

    Args:
        calls: What was worked out.
        prediction: The prediction so far.
    """

    def __init__(self, calls: Calls, prediction: Prediction) -> None:
        wanted, cloud = calls.wanted, calls.cloud
        self.calls = calls
        self.prediction = prediction
        self.ways = calls.ways
        self.cloud = cloud
        self.service = calls.service
        self.driver = detection.driver_of(calls.options.lb_provider)
        self.members = _members(calls)
        self.pods = calls.service.replicas
        fall = octavia.DEFAULT_RETRIES_DOWN if not wanted.retries_down else wanted.retries_down
        self.timers = (wanted.delay, wanted.timeout, wanted.retries, fall)
        connect = (wanted.timeouts or {}).get("timeout_member_connect", CONNECT_SECONDS * 1000)
        self.connect = connect / 1000
        self.works = prediction.outcome is Outcome.ACCEPTED
        self.ovn_blind = self.driver == "ovn" and octavia.ovn_has("monitor-in-create", cloud.ovn) is False
        self.ovn_floating = self.driver == "ovn" and octavia.ovn_has("monitor-on-floating-ip", cloud.ovn) is False

    @property
    def monitored(self) -> bool:
        """Whether pools get monitors."""
        return self.calls.wanted.monitor

    def times(self, plan: Plan) -> Times:
        """A pool's detection times."""
        return detection.times(self.driver, plan.pool, plan.monitor_type, self.timers, self.connect)

    def worst(self) -> Plan | None:
        """The port whose checks notice least; None without monitors."""
        plans = [plan for plan in self.prediction.plans if plan.monitor is not None]
        blind = [plan for plan in plans if plan.monitor_type == "UDP-CONNECT"]
        return blind[0] if blind else plans[0] if plans else None


def _members(calls: Calls) -> int | None:
    """How many members a pool gets."""
    if calls.cloud.nodes is not None:
        from ccmcheck.predict.nodes import address_of

        return sum(bool(address_of(node, calls.wanted.family)) for node in calls.nodes)
    return calls.cloud.node_count


def judge(calls: Calls, prediction: Prediction) -> Iterator[Answer]:
    """Give all verdicts.

    Args:
        calls: What was worked out.
        prediction: The prediction so far.

    Yields:
        The answers, in the order in which they matter.
    """
    ground = Ground(calls, prediction)
    yield _accepted(prediction)
    if not prediction.plans:
        return
    if prediction.policy == "Local":
        yield _local(ground, chosen=True)
        yield _cluster(ground, chosen=False)
    else:
        yield _cluster(ground, chosen=True)
        yield _local(ground, chosen=False)
    yield _client_address(ground)
    yield _dead_node(ground)
    if prediction.policy == "Local" and ground.monitored:
        yield _podless_node(ground)
    if ground.monitored:
        yield _probes(ground)
    yield _quota(ground)
    yield _groups(ground)
    yield _hairpin(ground)


def _accepted(prediction: Prediction) -> Answer:
    if prediction.outcome is Outcome.ACCEPTED:
        text = "Octavia takes " + ("the request" if len(prediction.requests) < 3 else "the requests")
        return Answer("accepted", True, text, evidence="octavia 19.0.0, run")
    if prediction.outcome is Outcome.REFUSED and prediction.refusals:
        first = prediction.refusals[0]
        more = f", and {len(prediction.refusals) - 1} more" if len(prediction.refusals) > 1 else ""
        return Answer(
            "accepted",
            False,
            f"Octavia refuses it with {first.status}: {first.why}{more}",
            "one refused field refuses the whole load balancer; the CCM tries again and again",
            first.evidence,
            {"status": first.status, "field": first.field},
        )
    if prediction.outcome is Outcome.FAILS and prediction.refusals:
        first = prediction.refusals[0]
        return Answer(
            "accepted",
            False,
            f"Octavia takes it, and the load balancer ends in ERROR: {first.why}",
            "the CCM deletes it and begins anew" if _deletes(prediction) else "it stays in ERROR",
            first.evidence,
            {"field": first.field},
        )
    return Answer("accepted", None, prediction.why or prediction.error or "nothing is asked for")


def _deletes(prediction: Prediction) -> bool:
    return any(event.reason == "SyncLoadBalancerFailed" and "deleted" in event.message for event in prediction.events)


def _cluster(ground: Ground, *, chosen: bool) -> Answer:
    name = "traffic-cluster"
    prefix = "" if chosen else "with policy Cluster: "
    broken = _broken(ground)
    if broken:
        return Answer(name, False, prefix + broken)
    text = "every node takes connections and hands them on to a pod"
    if ground.members is not None:
        text = f"all {ground.members} nodes take connections and hand them on to a pod"
    if not ground.monitored and ground.ways["keeps-unready-nodes"]:
        return Answer(
            name,
            True if not chosen else None,
            f"{prefix}{text}; a node that dies stays in rotation until its Node object is deleted",
            "the service controller leaves nodes that are not ready to the load balancer's checks, and there are none",
            KEP_NODES,
        )
    return Answer(name, True, prefix + text, "kube-proxy on every node knows all pods", READ)


def _broken(ground: Ground) -> str:
    """Why nothing gets through, whatever the policy; empty where it does."""
    prediction = ground.prediction
    if prediction.outcome not in (Outcome.ACCEPTED, Outcome.UNKNOWN):
        return "there is no load balancer"
    if ground.members == 0:
        return "the pools have no members: no node matches" if ground.calls.wanted.selectors else "there is no member"
    if all(not plan.node_port for plan in prediction.plans):
        return "the pools have no members: the ports have no NodePort"
    if _serial_local(ground):
        return (
            "all members are down: the monitor asks /healthz at the NodePort, because members that are made one by one "
            "have no monitor_port"
        )
    return ""


def _serial_local(ground: Ground) -> bool:
    return ground.calls.options.serial and any(
        plan.http_path and plan.monitor_port == plan.node_port for plan in ground.prediction.plans
    )


def _local(ground: Ground, *, chosen: bool) -> Answer:
    name = "traffic-local"
    prefix = "" if chosen else "with policy Local: "
    if _serial_local(ground):
        return Answer(name, False, prefix + _broken(ground), "", SERIAL)
    broken = _broken(ground)
    if broken:
        return Answer(name, False, prefix + broken)
    if not chosen and ground.monitored:
        return Answer(name, None, f"{prefix}checks would take nodes without a pod out of rotation", "", ISSUE_LOCAL)
    share, numbers = _share(ground)
    if not ground.monitored:
        return Answer(
            name,
            False if share else None if ground.members == 1 else True,
            f"{prefix}{share or 'every node has a pod, as long as that stays so'}{_cost(ground) if share else ''}",
            "kube-proxy drops what comes to a node without a pod of the Service; nothing takes such nodes out",
            ISSUE_LOCAL,
            numbers,
        )
    worst = ground.worst()
    if worst is None or not share:
        return Answer(name, True, f"{prefix}every node has a pod", numbers=numbers)
    out = _podless(ground, worst)
    if ground.ovn_blind:
        return Answer(
            name,
            False,
            f"{prefix}{share}: the monitor stays PENDING_CREATE and checks nothing",
            "monitors inside a fully populated create came with 1.2.0, 2.1.0, 3.1.0 and 4.0.0",
            "openstack/ovn-octavia-provider commit e320491",
            numbers,
        )
    if out is None:
        return Answer(
            name,
            False,
            f"{prefix}{share}, for good: port {worst.port}/{worst.protocol} is checked by UDP-CONNECT, to which "
            "silence is success",
            "a node without a pod drops datagrams silently; only an ICMP unreachable counts as failure",
            detection.OVN if ground.driver == "ovn" else detection.KEEPALIVED,
            numbers,
        )
    return Answer(
        name,
        True,
        f"{prefix}nodes without a pod are out of rotation after {out}",
        f"each monitor asks {'/healthz at the health check node port' if worst.http_path else 'the NodePort'}; such "
        "nodes are ERROR for good, and the load balancer DEGRADED",
        ground.times(worst).evidence,
        {**numbers, "seconds": [out.least, out.most]},
    )


def _podless(ground: Ground, plan: Plan) -> detection.Span | None:
    """Until a node without a pod is out: the check node port answers that it has none, a NodePort is silent."""
    times = ground.times(plan)
    return times.refused if plan.http_path else times.silent


def _share(ground: Ground) -> tuple[str, dict[str, object]]:
    """What part of connections goes to nodes without a pod; empty text where none does."""
    members, pods = ground.members, ground.pods
    if members is None or pods is None:
        if members == 1:
            return "", {"members": 1}
        return "connections also go to nodes that have no pod of this Service", {"members": members, "pods": pods}
    empty = max(members - min(pods, members), 0)
    numbers: dict[str, object] = {"members": members, "pods": pods, "without": empty}
    if not members or not empty:
        return "", numbers
    numbers["share"] = round(empty / members, 4)
    least = "" if pods <= 1 else "at least "
    text = f"{least}{empty} of {members} nodes have no pod of this Service ({_replicas(pods)} given)"
    return f"{text}: {round(100 * empty / members)} % of first connections go there", numbers


def _replicas(count: int) -> str:
    return f"{count} replica{'' if count == 1 else 's'}"


def _cost(ground: Ground) -> str:
    if ground.driver == "ovn":
        return "; each is lost"
    if ground.driver == "amphora":
        if all(plan.pool in ("UDP", "SCTP") for plan in ground.prediction.plans):
            return "; each is lost"
        return f"; each costs up to {ground.connect:g} s"
    return ""


def _client_address(ground: Ground) -> Answer:
    name, wanted = "client-address", ground.calls.wanted
    local = ground.prediction.policy == "Local"
    if ground.driver == "ovn":
        if local:
            return Answer(name, True, "the pods see the client's address", "OVN does not change it", detection.OVN)
        return Answer(
            name,
            False,
            "the pods see a node's address",
            "OVN keeps the client's, and kube-proxy replaces it under policy Cluster",
            "kubernetes.io/docs/reference/networking/virtual-ips",
        )
    if wanted.proxy:
        return Answer(
            name,
            None,
            f"the pods see the amphora's address, and a PROXY {'v2' if wanted.proxy == 'PROXYV2' else 'v1'} header "
            "with the client's, which they must expect",
            "the amphora ends the client's connection and opens one of its own",
            "octavia 19.0.0, rendered configuration",
        )
    if wanted.forwarded:
        return Answer(
            name,
            True,
            "the pods see the client's address in X-Forwarded-For",
            "the amphora inserts the header, and takes every port for HTTP",
            "octavia 19.0.0, rendered configuration",
        )
    who = "the amphora's address" if local else "the amphora's, or a node's, address"
    if ground.driver != "amphora":
        return Answer(name, None, "whether the client's address is kept is up to the provider")
    return Answer(
        name,
        False,
        f"the pods see {who}",
        "the amphora ends the client's connection and opens one of its own",
        "octavia 19.0.0, rendered configuration",
    )


def _dead_node(ground: Ground) -> Answer:
    name = "dead-node"
    if not ground.monitored:
        if ground.ways["keeps-unready-nodes"]:
            return Answer(
                name,
                False,
                "a dead node stays in rotation until its Node object is deleted",
                "there is no check, and the service controller no longer takes out nodes that are not ready",
                KEP_NODES,
            )
        return Answer(
            name,
            None,
            "a dead node is out once the service controller notices that it is not ready",
            "before 1.27 it takes such nodes out by itself",
            KEP_NODES,
        )
    if ground.ovn_blind or ground.ovn_floating:
        why = "never checks" if ground.ovn_blind else "does not act on floating IPs"
        return Answer(
            name,
            False,
            f"a dead node stays in rotation: this release of the ovn provider {why}",
            "LP#1997418, LP#1956035" if not ground.ovn_blind else "the monitor stays PENDING_CREATE",
            "openstack/ovn-octavia-provider release notes",
        )
    worst = ground.worst()
    if worst is None:
        return Answer(name, None, "there is no monitor")
    found = ground.times(worst)
    if not found.known:
        return Answer(name, None, found.how)
    if (worst.http_path and worst.monitor_type != "UDP-CONNECT") or found.silent is not None:
        text = f"a dead node is out after {found.refused} (refused) or {found.silent} (silent)"
        numbers = {"refused": _pair(found.refused), "silent": _pair(found.silent), "back": _pair(found.back)}
        return Answer(name, True, f"{text}, back after {found.back}", found.how, found.evidence, numbers)
    return Answer(
        name,
        False,
        f"port {worst.port}/{worst.protocol}: a host that answers with ICMP unreachable is out after {found.refused}, "
        "a silent one never",
        found.how,
        found.evidence,
        {"refused": _pair(found.refused), "silent": None, "back": _pair(found.back)},
    )


def _pair(span: detection.Span | None) -> list[float] | None:
    return None if span is None else [span.least, span.most]


def _podless_node(ground: Ground) -> Answer:
    name = "podless-node"
    worst = ground.worst()
    found = None if worst is None else ground.times(worst)
    if worst is None or found is None or not found.known:
        return Answer(name, None, "nothing is known of this provider's checks")
    out = _podless(ground, worst)
    if out is None or ground.ovn_blind:
        return Answer(name, False, "a node whose last pod goes stays in rotation", found.how, found.evidence)
    return Answer(
        name,
        True,
        f"a node whose last pod goes is out after {out}, a node that gets its first pod is in after {found.back}",
        found.how,
        found.evidence,
        {"out": _pair(out), "back": _pair(found.back)},
    )


def _probes(ground: Ground) -> Answer:
    name = "probes"
    delay, timeout = ground.timers[0], ground.timers[1]
    plans = [plan for plan in ground.prediction.plans if plan.monitor is not None]
    if delay <= 0:
        return Answer(name, None, "a delay of 0 leaves the rate open")
    if ground.driver == "ovn":
        node = sum(1 / (delay + timeout) if plan.monitor_type == "UDP-CONNECT" else 1 / delay for plan in plans)
        total = None if ground.members is None else node * ground.members
        text = f"{_rate(node)} probes/s a node" + ("" if total is None else f", {_rate(total)} in all")
        numbers: dict[str, object] = {"per_node": round(node, 4), "total": None if total is None else round(total, 4)}
        return Answer(name, None, text, "each chassis checks its own VMs", detection.OVN, numbers)
    if ground.driver != "amphora":
        return Answer(name, None, "how this provider probes is not known")
    one = len(plans) / delay
    amphora = None if ground.members is None else one * ground.members
    count = AMPHORAE.get(ground.cloud.topology)
    if count is not None:
        total = None if amphora is None else amphora * count
        text = f"{_rate(one * count)} probes/s a node" + ("" if total is None else f", {_rate(total)} in all")
        if count > 1 and amphora is not None:
            text += f", {_rate(amphora)} an amphora"
    else:
        total = None
        text = f"{_rate(one)} probes/s a node (single) or {_rate(2 * one)} (active-standby)"
        if amphora is not None:
            text = f"{_rate(amphora)} probes/s (single) or {_rate(2 * amphora)} (active-standby)"
            text += f", {_rate(one)} or {_rate(2 * one)} a node"
    numbers = {
        "per_node": round(one * (count or 1), 4),
        "per_amphora": None if amphora is None else round(amphora, 4),
        "total": None if total is None else round(total, 4),
    }
    return Answer(
        name,
        None,
        text,
        "every amphora of a load balancer checks every member of every pool",
        "octavia/amphorae/drivers/haproxy/rest_api_driver.py; 0.2 probes/s a member at 5 s, measured",
        numbers,
    )


def _rate(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def _quota(ground: Ground) -> Answer:
    needed = len(ground.prediction.plans) if ground.monitored else 0
    quota = ground.cloud.monitor_quota
    used = ground.cloud.monitors_used
    if not needed:
        return Answer("quota", True, "no monitor counts against the quota", numbers={"monitors": 0})
    numbers = {"monitors": needed, "used": used, "quota": quota}
    text = f"{needed} monitor{'' if needed == 1 else 's'}, one a port"
    if quota is None:
        return Answer(
            "quota", None, f"{text}; the project's quota is not given", evidence="octavia quotas, run", numbers=numbers
        )
    if quota < 0:
        return Answer("quota", True, f"{text}; the quota has no limit", numbers=numbers)
    fits = used + needed <= quota
    return Answer(
        "quota",
        fits,
        f"{text}: {used + needed} of {quota}" + ("" if fits else ", which refuses the whole load balancer"),
        evidence="octavia quotas, run",
        numbers=numbers,
    )


def _groups(ground: Ground) -> Answer:
    name = "security-group"
    rules = ground.prediction.rules
    ports = [f"{plan.node_port}/{plan.protocol.lower()}" for plan in ground.prediction.plans if plan.node_port]
    checked = ground.calls.wanted.check_port
    if checked and any(plan.monitor_port == checked for plan in ground.prediction.plans):
        ports.append(f"{checked}/tcp")
    shown = ", ".join(dict.fromkeys(ports[:6])) + (f" and {len(ports) - 6} more" if len(ports) > 6 else "")
    if ground.driver == "ovn":
        if rules is None:
            return Answer(
                name,
                ground.cloud.open_ports,
                f"clients must be let in to {shown} on the nodes by other rules; the probes pass them by",
                "OVN keeps the client's address, and lets its own probes skip the rules: ONLINE does not prove that "
                "clients get in",
                "ovn-org/ovn northd.c, v20.03 to v25.03",
            )
        if ground.ways["managed-groups-shut-ovn-clients-out"]:
            return Answer(
                name,
                False,
                "the managed group lets the member subnet in, and the packets come from the clients' addresses",
                "",
                READ,
            )
        where = ", ".join(dict.fromkeys(rule.remote for rule in rules if rule.port != ground.service.check_port))
        if ground.ways["managed-groups-emptied-by-node-changes"]:
            return Answer(
                name,
                False,
                f"clients from {where} are let in to {shown}, until the next change of nodes removes the rules",
                "the source ranges are empty when nodes change; mended in v1.30.2, v1.31.2, v1.32.0",
                READ,
            )
        return Answer(name, True, f"clients from {where} are let in to {shown}", "", READ)
    if rules is None:
        why = "manage-security-groups is off"
        if ground.calls.options.manage_security_groups:
            why = f"manage-security-groups does nothing in {ground.prediction.release}"
        return Answer(
            name,
            ground.cloud.open_ports,
            f"{why}: other rules must let the member subnet in to {shown}",
            "traffic and probes come from the amphora's port in the member subnet",
            "octavia, read",
        )
    open_ports = {rule.port for rule in rules}
    shut = [plan for plan in ground.prediction.plans if plan.monitor_port and plan.monitor_port not in open_ports]
    if shut:
        return Answer(
            name,
            False,
            f"the managed group does not open {shut[0].monitor_port}/tcp, which the monitors ask: all members go down "
            "unless other rules let the member subnet in",
            "the rule for the health check node port came with 1.26",
            "cloud-provider-openstack#1984",
        )
    where = rules[0].remote if rules else ""
    return Answer(name, True, f"{where} is let in to {shown}" if rules else "no port needs to be open", "", READ)


def _hairpin(ground: Ground) -> Answer:
    name = "hairpin"
    if not ground.calls.wanted.proxy:
        return Answer(name, True, "pods may use the Service's address: kube-proxy takes the short way", "", KEP_IP_MODE)
    published = ground.prediction.published
    if published and published[0].hostname:
        return Answer(
            name,
            True,
            f"a hostname is published, so that pods go through the load balancer: {published[0].hostname}",
            "kube-proxy knows no address to take the short way to; ipMode is never set",
            KEP_IP_MODE,
        )
    version = ground.cloud.kubernetes
    if not ground.ways["sets-ip-mode"]:
        return Answer(
            name,
            False,
            "pods that use the Service's address miss the PROXY header: kube-proxy takes the short way",
            "the CCM sets ipMode since 1.30",
            "cloud-provider-openstack#1287, #1449; KEP-1860",
        )
    if not version:
        return Answer(
            name,
            None,
            "ipMode Proxy is published; Kubernetes heeds it since 1.30",
            "the version is not given",
            KEP_IP_MODE,
        )
    if kubernetes_has("ip-mode", version):
        return Answer(name, True, "ipMode Proxy sends pods through the load balancer", "", KEP_IP_MODE)
    return Answer(
        name,
        False,
        f"pods that use the Service's address miss the PROXY header: Kubernetes {version} does not heed ipMode",
        "LoadBalancerIPMode is on by default since 1.30",
        KEP_IP_MODE,
    )
