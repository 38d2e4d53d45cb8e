"""The outcome of the two conformance scripts of the Sovereign Cloud Stack's draft standard on KaaS load balancers.

Both scripts run one nginx pod with a Service of type LoadBalancer, wait for an IP, ask it up to 30 times with
5 seconds' patience until one answer comes, and then 50 times with 2 seconds' patience; the first failure ends them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import CONNECT_TRIES, MEMBER_CONNECT_SECONDS
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import FIRST_NODE_PORT, Service, ServicePort
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Answer, Outcome, Prediction
from ccmcheck.predict.verdicts.judging import UNTIL_NODES_CHANGE

PATIENCE_SECONDS = 2
ASKED = 50
_DIFFERS = "it depends on the CCM's release, or on conditions of the template"


class Script(NamedTuple):
    """One script's outcome.

    Attributes:
        name: ``default`` or ``special``.
        policy: The Service's externalTrafficPolicy.
        passes: None where that depends on what is not known.
        text: The outcome in a line.
        why: The reason.
    """

    name: str
    policy: str
    passes: bool | None
    text: str
    why: str


def conformance(config: Options, cloud: CloudState) -> tuple[Script, Script]:
    """Predict both scripts."""
    # the scripts' Services are new ones
    around = cloud._replace(balancer=None, group=None, floating_ip=None)
    return _script("default", "Cluster", config, around), _script("special", "Local", config, around)


def conformance_of_each(configs: Sequence[Options], cloud: CloudState) -> tuple[Script, ...]:
    """The same where one of several configurations holds: unknown where they differ."""
    first, *others = [conformance(config, cloud) for config in configs]
    return tuple(
        script
        if all(other[number].passes == script.passes for other in others)
        else script._replace(passes=None, text="not known", why=_DIFFERS)
        for number, script in enumerate(first)
    )


def _script(name: str, policy: str, config: Options, cloud: CloudState) -> Script:
    service = Service(
        "nginx-svc",
        ports=(ServicePort(80, "TCP", FIRST_NODE_PORT),),
        policy=policy,
        check_port=FIRST_NODE_PORT + 1 if policy == "Local" else 0,
        replicas=1,
    )
    prediction = predict(config, service, cloud)
    passes, text, why = _judge(prediction, policy)
    return Script(name, policy, passes, text, why)


def _judge(prediction: Prediction, policy: str) -> tuple[bool | None, str, str]:
    if prediction.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        passes = False if prediction.outcome is Outcome.NOTHING else None
        return passes, "waits for an IP forever" if passes is False else "not known", prediction.why
    if prediction.outcome is not Outcome.ACCEPTED:
        return False, "waits for an IP forever", prediction.why
    groups = prediction.answer("security-group")
    # the scripts change no nodes
    if groups is not None and groups.good is False and not groups.text.endswith(UNTIL_NODES_CHANGE):
        if "without" in groups.numbers:
            return None, "depends on the other security groups of these nodes", groups.text
        return False, "fails: nothing gets through", groups.text
    traffic = prediction.answer("traffic-local" if policy == "Local" else "traffic-cluster")
    if policy == "Cluster":
        if traffic is not None and traffic.good is False:
            return False, "fails", traffic.text
        return True, "passes", "every node hands connections on to the pod"
    return _local(prediction)


def _local(prediction: Prediction) -> tuple[bool | None, str, str]:
    traffic = prediction.answer("traffic-local")
    if traffic is None:
        return None, "not known", ""
    members = traffic.numbers.get("members")
    if members == 1:
        return True, "passes", "there is one node, and it has the pod"
    monitored = any(plan.monitor is not None for plan in prediction.plans)
    if traffic.good is False:
        if not monitored and driver_of(prediction.provider).redispatches:
            return _without_checks(prediction, members if isinstance(members, int) else None)
        return False, f"fails within its {ASKED} requests", traffic.text
    if traffic.good and monitored:
        early = "the script waits for its first answer only, so it may begin too early"
        return (
            True,
            "passes once the checks have taken the nodes without the pod out",
            f"{_out(prediction, traffic)}; {early}",
        )
    return None, "not known", traffic.text


def _without_checks(prediction: Prediction, members: int | None) -> tuple[bool | None, str, str]:
    """Judge one pod behind an amphora that keeps all nodes in rotation."""
    if prediction.plans[0].method == "SOURCE_IP":
        share = "the others pass" if members is None else f"1 of {members} passes"
        return (
            None,
            "depends on the client's address",
            f"by SOURCE_IP a client is always sent to the same node; clients of nodes without the pod fail, {share}",
        )
    wrong = f"{members - 1} of {members} nodes have" if members is not None else "all nodes but one have"
    why = (
        f"{wrong} no pod; HAProxy waits {MEMBER_CONNECT_SECONDS} s there before it tries another node, and closes the "
        f"connection after {CONNECT_TRIES} tries; the script waits {PATIENCE_SECONDS} s"
    )
    return False, f"fails within its {ASKED} requests", why


def _out(prediction: Prediction, traffic: Answer) -> str:
    """When the nodes without the pod are out of a new load balancer."""
    plan = prediction.plans[0]
    delay = plan.monitor["delay"] if plan.monitor is not None else None
    if driver_of(prediction.provider).redispatches and isinstance(delay, int):
        # haproxy src/server.c, v2.6.0: a new server is up and goes down at its first failure; a NodePort is silent
        waits = 0 if plan.http_path else min(delay, MEMBER_CONNECT_SECONDS)
        return f"a new member falls at its first failed check, within {delay + waits} s"
    seconds = traffic.numbers.get("seconds")
    return f"they are out within {seconds[1]:g} s" if isinstance(seconds, list) else "they are out then"
