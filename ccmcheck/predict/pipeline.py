"""From one configuration and one Service to a prediction, with verdicts and findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccmcheck.catalog.data.cluster import PLANE_ROLES
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import EXCLUDED, address_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import OPEN, Answer, Event, Outcome, Prediction, Refusal, Request
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.node_update import reconcile_nodes, update_failed
from ccmcheck.predict.requests.reconcile import began, reconcile, sync_failed
from ccmcheck.predict.verdicts import acceptance
from ccmcheck.predict.verdicts.acceptance import failures
from ccmcheck.predict.verdicts.findings import advise, ends
from ccmcheck.predict.verdicts.judging import judge

_SHOWN_NODES = 3
_IN_ONE_SUBNET = (
    "all in the VIP's subnet, `subnet-id`: name the nodes' in `member-subnet-id` (since 1.25) where it is another"
)

_CHECKED = ("lb-provider", "create-monitor", "enable-health-monitor")
_DECIDES = {
    "traffic": (*_CHECKED, "spec.externalTrafficPolicy"),
    **dict.fromkeys(("dead-node", "podless-node"), _CHECKED),
    "client-address": ("lb-provider", "x-forwarded-for", "proxy-protocol", "spec.externalTrafficPolicy"),
    "security-group": ("lb-provider", "manage-security-groups"),
}
"""By the beginning of a verdict's name, the keys, annotations and fields without which it is not known."""


def predict(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict what the CCM does with a Service, and what becomes of it.

    Returns:
        The prediction. Nothing is raised, whatever the Service holds.
    """
    prediction, calls = reconcile(config, service, cloud)
    if calls is None:
        return prediction._replace(findings=(*prediction.findings, *ends(prediction)))
    prediction = _judged(prediction, calls)
    answers = tuple(judge(calls, prediction))
    if left_open := [*(set(config.open) & config.given), *service.open]:
        answers = tuple(_left_open(answer, left_open) for answer in answers)
    prediction = prediction._replace(answers=answers, members=tuple(_members(calls)))
    return prediction._replace(findings=(*prediction.findings, *advise(calls, prediction)))


def _left_open(answer: Answer, left_open: Sequence[str]) -> Answer:
    """An answer that stands on a value that a template leaves open is none."""
    decides = next((names for verdict, names in _DECIDES.items() if answer.name.startswith(verdict)), ())
    names = [name for name in left_open if name.rpartition("/")[2] in decides]
    if not names:
        return answer
    are = "is" if len(names) == 1 else "are"
    text = f"{', '.join(sorted(names))} {are} filled in later; by default {answer.text}"
    return answer._replace(good=None, text=text, numbers={**answer.numbers, OPEN: sorted(names)})


def _members(calls: Calls) -> Iterator[str]:
    """Which address of each node a member has, of how many that it could be; a few stand for all."""
    nodes = [node for node in calls.nodes if not node.made_up]
    spec = calls.spec
    for node in nodes[:_SHOWN_NODES]:
        address = address_of(node, spec.family)
        internal = [one for kind, one in node.addresses if kind == "InternalIP"]
        alike = [one for one in internal if not spec.family or ranges.family(one) == spec.family]
        what = f", the first of {len(alike)} InternalIPs" if len(alike) > 1 else "" if alike else ", its ExternalIP"
        yield f"{address or 'none'} ({node.name}{what if address else ''})"
    if len(nodes) > _SHOWN_NODES:
        yield f"{len(nodes) - _SHOWN_NODES} more"
    planes = [node for node in nodes if any(role in node.labels for role in PLANE_ROLES)]
    if len(planes) < len(nodes) and planes and calls.behaviours["knows-exclude-label"]:
        yield f"{len(planes)} of them of the control plane, which the label {EXCLUDED} keeps out"
    if nodes and spec.internal and spec.vip_subnet and calls.options.subnet_id == spec.member_subnet == spec.vip_subnet:
        yield _IN_ONE_SUBNET


def predict_node_update(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict what a change of nodes makes the CCM do, up to what Octavia or Neutron refuses; see `reconcile_nodes`."""
    prediction, calls = reconcile_nodes(config, service, cloud)
    if calls is None:
        return prediction
    refused = tuple(one for one in _refusals(prediction, calls) if not _is_tolerated(prediction.requests[one.at]))
    if not refused:
        return prediction
    answer = f"… got {refused[0].status} instead: {refused[0].why}"
    events = (
        (*prediction.events, update_failed(answer)) if prediction.outcome is Outcome.ACCEPTED else prediction.events
    )
    return prediction._replace(outcome=Outcome.REFUSED, why=refused[0].why, error="", refusals=refused, events=events)


def _refusals(prediction: Prediction, calls: Calls) -> tuple[Refusal, ...]:
    """What the APIs and the driver refuse."""
    config = calls.options._replace(lb_provider=calls.cloud.provider(calls.options.lb_provider))
    return tuple(acceptance.refusals(prediction.requests, config, calls.cloud, _family(calls)))


def _judged(prediction: Prediction, calls: Calls) -> Prediction:
    """Apply the answers of Octavia and its drivers to the requests, and add the events that follow."""
    cloud = calls.cloud
    config = calls.options._replace(lb_provider=cloud.provider(calls.options.lb_provider))
    refusals = _refusals(prediction, calls)
    fatal = tuple(refusal for refusal in refusals if not _is_tolerated(prediction.requests[refusal.at]))
    prediction = _tolerate(
        prediction,
        calls,
        tuple(refusal for refusal in refusals if refusal not in fatal and (not fatal or refusal.at < fatal[0].at)),
    )
    if fatal:
        outcome, error, message = Outcome.REFUSED, "", _answer(fatal[0], calls)
    elif prediction.outcome is Outcome.ERROR:
        return prediction
    else:
        fatal = tuple(failures(prediction.requests, driver_of(config.lb_provider)))
        if not fatal or (calls.behaviours["creates-in-one-call"] and cloud.balancer is not None):
            return prediction._replace(refusals=fatal)
        outcome, error = Outcome.FAILS, "loadbalancer {loadbalancer} has gone into ERROR state"
        if calls.behaviours["deletes-failed"]:
            error += ", please check Octavia for details. Load balancer was deleted and its creation will be retried"
        message = f"error creating loadbalancer {calls.spec.name}: {error}"
    return prediction._replace(
        outcome=outcome,
        why=fatal[0].why,
        error=error,
        events=(
            *began(cloud),
            *(event for event in prediction.events if event.by_ccm and event.at <= fatal[0].at),
            sync_failed(message),
        ),
        refusals=fatal,
        published=(),
        written=_written(prediction, fatal[0].at, calls),
    )


def _is_tolerated(request: Request) -> bool:
    """Whether the CCM only logs a refusal: that of another algorithm for an existing pool (1.32)."""
    return request.method == "PUT" and request.path.startswith("/v2.0/lbaas/pools/") and "members" not in request.path


def _tolerate(prediction: Prediction, calls: Calls, refused: tuple[Refusal, ...]) -> Prediction:
    """The CCM goes on after these, with an event for each before its last."""
    if not refused:
        return prediction
    text = "Error updating LB method for LoadBalancer: … got {} instead: {}"
    noted = [
        Event("Warning", "LoadBalancerLbMethodUnknown", text.format(refusal.status, refusal.why), at=refusal.at + 1)
        for refusal in refused
    ]
    for refusal in refused:
        calls.notes.ignore("lb-method", f"the existing pool keeps its algorithm: {refusal.why}")
    return prediction._replace(
        tolerated=refused,
        events=(*prediction.events[:-1], *noted, *prediction.events[-1:]),
        ignored=tuple(dict.fromkeys(calls.notes.ignored)),
    )


def _family(calls: Calls) -> int:
    """The VIP's IP family; 0 when unknown."""
    cloud, spec = calls.cloud, calls.spec
    known = ranges.family(cloud.balancer.address if cloud.balancer is not None else cloud.vip)
    if known or cloud.balancer is not None:
        return known
    if spec.vip_network and not (spec.vip_subnet or spec.vip_port):
        return _family_of_network(cloud, spec.vip_network) or spec.family
    subnet = ranges.family(cloud.subnets.get(spec.vip_subnet, "")) if spec.vip_subnet and not spec.vip_port else 0
    return subnet or spec.family or _family_of_nodes(calls)


def _family_of_network(cloud: CloudState, network: str) -> int:
    """That of the subnet that Octavia takes of a network, preferring IPv4; 0 where its subnets are not known."""
    subnets = [cloud.subnets.get(subnet, "") for subnet, within in cloud.networks.items() if within == network]
    families = set(map(ranges.family, subnets)) - {0}
    return min(families, default=0)


def _family_of_nodes(calls: Calls) -> int:
    """The family of a load balancer in the nodes' subnet, where all nodes have addresses of one only."""
    if calls.options.subnet_id or calls.spec.vip_port or calls.options.network_id or calls.spec.vip_network:
        return 0
    nodes = [node for node in calls.nodes if not node.made_up]
    found = {ranges.family(address) for node in nodes for kind, address in node.addresses if kind == "InternalIP"}
    return found.pop() if len(found) == 1 else 0


def _written(prediction: Prediction, at: int, calls: Calls) -> Mapping[str, str]:
    """The annotations that the CCM writes even where a request is refused."""
    request = prediction.requests[at]
    if request.api == "neutron" and "/security-group" in request.path:
        return prediction.written
    if not calls.behaviours["writes-id-at-once"] or request.path.endswith("/loadbalancers"):
        return {}
    return {name: value for name, value in prediction.written.items() if name.endswith("-id")}


def _answer(refusal: Refusal, calls: Calls) -> str:
    name = calls.spec.name
    if refusal.by == "Neutron" and "floatingip" in refusal.field:
        return f"error creating LB floatingip: … got {refusal.status} instead: {refusal.why}"
    if refusal.by == "Neutron":
        return (
            f"failed when reconciling security groups for LB service {calls.service.title}: failed to apply security "
            f"rule …, failed to create rule for security group …: … got {refusal.status} instead: {refusal.why}"
        )
    if calls.cloud.balancer is None and calls.behaviours["creates-in-one-call"] and not calls.options.serial:
        return f"error creating loadbalancer {name}: … got {refusal.status} instead: {refusal.why}"
    return f"… got {refusal.status} instead: {refusal.why}"
