"""Compares what the real CCM, Octavia and Neutron did in one step with what ccmcheck predicts for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from cloud_play import Step
from loadbalancer_facts import facts
from loadbalancer_ids import identify, readable
from loadbalancer_left import left_differences
from loadbalancer_oracle import Answer, Asked, Case
from loadbalancer_ours import Names, in_order, plain_path, said

from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Event, Outcome, Prediction, Request
from ccmcheck.predict.requests.deletion import follow_deletion
from ccmcheck.predict.requests.reconcile import follow

Json = dict[str, Any]
_Request = TypeVar("_Request", Asked, Request)

OCTAVIA, OVN = "19.0.0", "11.0.0"
PROVIDERS = ("amphora", "octavia", "ovn")
_ENSURE = "failed to ensure load balancer: "
_DELETE = "failed to delete load balancer: "
_OUTCOMES = {Outcome.ACCEPTED: "ok", Outcome.REFUSED: "error", Outcome.FAILS: "error", Outcome.ERROR: "error"}


class Acted(Protocol):
    """One thing that happened, of whichever comparison."""

    @property
    def act(self) -> str: ...
    @property
    def case(self) -> Case: ...
    @property
    def answer(self) -> Answer: ...
    @property
    def statuses(self) -> tuple[int, ...]: ...


class Predicted(NamedTuple):
    """A prediction, and what it was made from."""

    prediction: Prediction
    cloud: CloudState


def predicted(step: Step, release: str) -> Predicted:
    """Predict one step: what OpenStack chooses itself, as addresses, comes from the answer."""
    case = step.case
    config = read_options(case.config, release)
    service = read_service(case.service, allocate=False)
    found = _predicted(step, release, identify("net-ext"))
    if step.act == "delete":
        return Predicted(follow_deletion(config, service, found.cloud), found.cloud)
    network = found.prediction.floating.network
    return found if network in ("", identify("net-ext")) else _predicted(step, release, network)


def _predicted(step: Step, release: str, network: str) -> Predicted:
    case = step.case
    cloud = facts(case, release, (), network).with_facts(
        octavia_release=OCTAVIA, ovn_octavia_release=OVN, providers=PROVIDERS
    )
    after = step.answer.cloud or {}
    there_before = {one["id"] for one in case.cloud["loadbalancers"]}
    made = [one for one in after.get("loadbalancers", []) if one["id"] not in there_before]
    if cloud.balancer is None and made:
        cloud = cloud._replace(vip=made[0]["vip_address"], vip_subnet=made[0]["vip_subnet_id"])
    elif cloud.balancer is None:
        cloud = cloud._replace(vip="", vip_subnet="")
    before = {one["id"] for one in case.cloud["floatingips"]}
    new = [one for one in after.get("floatingips", []) if one["id"] not in before]
    cloud = cloud._replace(new_address=new[0]["floating_ip_address"] if new else "")
    there = cloud.balancer
    if there is not None:
        provider = next(one["provider"] for one in case.cloud["loadbalancers"] if one["id"] == there.id)
        cloud = cloud._replace(balancer=there._replace(provider=provider))
    options, service = read_options(case.config, release), read_service(case.service, allocate=False)
    prediction = predict(options, service, cloud)
    if prediction.outcome is Outcome.FAILS:
        prediction = follow(options, service, cloud)  # without a worker nothing ends in ERROR
    return Predicted(prediction, cloud)


def differences(step: Step, release: str) -> list[str]:
    """What differs for one step, a line each."""
    found = predicted(step, release)
    lines = list(_differences(step, found))
    if not lines and step.answer.outcome == "ok":
        lines = list(left(step, release, found))
    return [readable(line) for line in lines]


def left(step: Step, release: str, found: Predicted) -> Iterator[str]:
    """What differs in what is there afterwards, for a step that succeeded."""
    sent = found.prediction.sent
    taken = [one for one, status in zip(sent, step.statuses, strict=False) if status < 300]
    return left_differences(step.case, step.answer, release, found.cloud, taken, kept_subnets=True)


def _differences(step: Step, found: Predicted) -> Iterator[str]:
    answer, prediction = step.answer, found.prediction
    other = list(outcome_differences(prediction, answer))
    if other:
        yield from other
        return
    names = Names(step.case)
    yield from request_differences(names, prediction.sent, answer)
    yield from error_differences(names, step, prediction)
    if answer.outcome in ("panic", "exit"):
        return
    yield from _events(prediction.events, answer.events)
    yield from service_differences(names, step, prediction)


def outcome_differences(prediction: Prediction, answer: Answer) -> Iterator[str]:
    """Whether it ends well in both."""
    outcome = _OUTCOMES.get(prediction.outcome, prediction.outcome.value)
    real = "error" if answer.outcome in ("panic", "exit") else answer.outcome
    if outcome != real:
        yield f"outcome: predicted {outcome} ({prediction.error or prediction.why}), real {real} ({said(answer.error)})"


def service_differences(names: Names, step: Acted, prediction: Prediction) -> Iterator[str]:
    """What differs in the Service's status and annotations."""
    answer = step.answer
    if answer.outcome == "ok" and step.act != "delete":
        ours = [
            {
                key: value
                for key, value in (("hostname", one.hostname), ("ip", one.ip), ("ipMode", one.ip_mode))
                if value
            }
            for one in prediction.published
        ]
        if ours != list(answer.ingress):
            yield f"status: predicted {ours}, real {list(answer.ingress)}"
    if step.act != "delete":
        before = step.case.service["metadata"].get("annotations", {})
        yield from _written(names, prediction, before, answer)


def request_differences(names: Names, ours: Sequence[Request], answer: Answer) -> Iterator[str]:
    real, mine = _by_port(in_order(answer.changes)), _by_port(in_order(ours))
    for number, (one, other) in enumerate(zip(mine, real, strict=False)):
        path = f"{plain_path(other.path)}?{other.query}" if other.query else plain_path(other.path)
        if not names.unify(f"{one.method} {plain_path(one.path)}".rstrip("/"), f"{other.method} {path}"):
            yield f"request {number}: predicted {one.method} {plain_path(one.path)}, real {other.method} {path}"
            return
        for line in names.compare(_sorted(one.body), _sorted(other.body), ""):
            yield f"request {number}, {other.method} {path}: {line}"
    if len(mine) != len(real):
        rest = [f"{one.method} {plain_path(one.path)}" for one in (mine if len(mine) > len(real) else real)]
        which = "predicted" if len(mine) > len(real) else "real"
        yield f"requests: {which} goes on with {rest[min(len(mine), len(real)) :]}"


def _by_port(requests: Sequence[_Request]) -> list[_Request]:
    """Requests, with those to nodes' ports by port: the service controller lists nodes in any order."""
    found: list[_Request] = []
    run: list[_Request] = []
    for one in requests:
        if "/ports/" in one.path:
            run.append(one)
        else:
            found.extend(sorted(run, key=_port_of))
            found.append(one)
            run = []
    found.extend(sorted(run, key=_port_of))
    return found


def _port_of(request: Asked | Request) -> str:
    return request.path.split("/ports/")[1].split("/")[0]


def _sorted(body: Any) -> Any:
    """A body with members by name: the service controller lists nodes in any order."""
    if isinstance(body, dict):
        return {key: sorted(value, key=lambda one: one["name"]) if key == "members" else _sorted(value)
                for key, value in body.items()}  # fmt: skip
    return [_sorted(one) for one in body] if isinstance(body, list) else body


def error_differences(names: Names, step: Acted, prediction: Prediction) -> Iterator[str]:
    """Whether it fails by the predicted words."""
    answer = step.answer
    error = said(answer.error).removeprefix(_ENSURE).removeprefix(_DELETE)
    if prediction.outcome is Outcome.REFUSED:
        if step.statuses[-1:] != (prediction.refusals[0].status,):
            yield f"error: predicted {prediction.refusals[0].status} ({prediction.why}), real {error!r}"
    elif answer.outcome in ("error", "panic", "exit") and not _is(names, prediction.error, error):
        yield f"error: predicted {prediction.error!r}, real {error!r}"


def _is(names: Names, mine: str, theirs: str) -> bool:
    """Whether an error is the predicted one; an ellipsis stands for anything."""
    if "…" in mine:
        return re.fullmatch(".*".join(map(re.escape, mine.split("…"))), theirs, re.DOTALL) is not None
    return names.unify(mine, theirs)


def _events(ours: Sequence[Event], theirs: Sequence[str]) -> Iterator[str]:
    mine = [f"{one.kind} {one.reason}" for one in ours]
    real = [" ".join(one.split(" ")[1:3]) for one in theirs]
    if mine != real:
        yield f"events: predicted {mine}, real {real}"
        return
    for one, other in zip(ours, theirs, strict=True):
        text = " ".join(other.split(" ")[3:])
        if one.by_ccm and "…" not in one.message and one.message != text:
            yield f"event {one.reason}: predicted {one.message!r}, real {text!r}"


def _written(names: Names, prediction: Prediction, before: Json, answer: Answer) -> Iterator[str]:
    ours = {**before, **prediction.written}
    if set(ours) != set(answer.annotations):
        yield f"annotations: predicted {sorted(ours)}, real {sorted(answer.annotations)}"
        return
    for name, text in ours.items():
        if not names.unify(text, answer.annotations[name]):
            yield f"annotation {name}: predicted {text!r}, real {answer.annotations[name]!r}"


def kind_of(case: Case) -> str:
    """``amphora`` or ``ovn``, for the table."""
    return "ovn" if "lb-provider = ovn" in case.config else "amphora"
