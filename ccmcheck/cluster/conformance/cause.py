"""The likely causes of a failed step: what was predicted for the Service, its events, and what the requests saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance.records import RequestProblem, StepResult
from ccmcheck.cluster.conformance.session import Session
from ccmcheck.cluster.core import explained, model, predictions, printable

_MOST_EVENTS = 3
_BALANCER_STEPS = frozenset({"address", "share", "unshare", "delete", "patch", "change-port"})

_NOTHING_ODD = "predicted: Octavia takes the requests; the CCM's log and the load balancer's status say what differs"
_OF_BALANCERS = ("SyncLoadBalancerFailed", "UpdateLoadBalancerFailed", "UnAvailableLoadBalancer")
"""Reasons of events about a Service's load balancer."""

_OF_REQUESTS = {
    RequestProblem.SILENT: "nothing answers at the address: a firewall, a security group, or an address that cannot be "
    "reached from here",
    RequestProblem.UNREACHABLE: "there is no route from here to the address",
    RequestProblem.REFUSED: "the address refuses the port: the load balancer has no listener there, or no member left",
    RequestProblem.WAITING: "the load balancer accepts connections, and the members behind it do not answer: NodePorts "
    "that a security group closes, or nodes without a pod",
    RequestProblem.CLOSED: "the load balancer accepts connections and closes them: no member answers",
    RequestProblem.STRANGER: "something else answers in the pods' place: the load balancer itself, or a proxy",
}


def causes(
    step: StepResult, prediction: predictions.Prediction | None, policy: str, events: Sequence[str], idle: str = ""
) -> tuple[str, ...]:
    """The likely causes, the likeliest first, each with what speaks for it.

    What was said of the load balancer that is not made comes before what is predicted for it; where one is made, the
    prediction and what the requests saw come first.

    Args:
        step: The step that failed.
        prediction: For the Service as it was then; None without one.
        policy: The Service's externalTrafficPolicy.
        events: Warnings about the case's objects, see `warnings`.
        idle: Why no CCM works; empty where one does, or it is not known.
    """
    known = {event: _meaning(event) for event in events}
    told = [f"{event} ({meaning})" for event, meaning in known.items() if meaning]
    others = [event for event, meaning in known.items() if not meaning]
    if step.name in _BALANCER_STEPS:
        found = [
            *told,
            *([f"no CCM works: {idle}"] if idle else []),
            *_predicted(step, prediction, policy),
            *others,
            *_seen(step),
        ]
        is_odd = prediction is None or prediction.outcome is not predictions.Outcome.ACCEPTED
        return tuple(dict.fromkeys(found)) or (() if is_odd else (_NOTHING_ODD,))
    # the load balancer was made: what its making met before is no cause of what requests see
    about_pods = [event for event in (*told, *others) if not any(reason in event for reason in _OF_BALANCERS)]
    return tuple(dict.fromkeys([*_predicted(step, prediction, policy), *_seen(step), *about_pods]))


def _meaning(event: str) -> str:
    """What the cause in an event is and what to do, where its message is known; what was tried alone is none."""
    known = explained(event)
    return f"{known[0].means} {known[0].remedy}" if known and not known[0].is_step else ""


def _predicted(step: StepResult, prediction: predictions.Prediction | None, policy: str) -> Iterator[str]:
    if prediction is None or step.name in ("workload", "scale"):
        return
    if prediction.outcome is not predictions.Outcome.ACCEPTED:
        if prediction.why or prediction.error:
            yield f"predicted: {prediction.why or prediction.error}"
        return
    findings = [finding for finding in prediction.findings if finding.severity >= model.Severity.WARNING]
    if step.replies:
        quoted = {finding.text for finding in findings}
        for name in ("security-group", "traffic-local" if policy == "Local" else "traffic-cluster"):
            answer = prediction.answer(name)
            if answer is not None and answer.good is False and answer.text not in quoted:
                yield f"predicted: {answer.text}"
    for finding in findings:
        yield f"predicted: {finding.text.rstrip('.')}" + (f". {finding.help}" if finding.help else "")


def _seen(step: StepResult) -> Iterator[str]:
    problems = [reply.problem for reply in step.replies if reply.problem is not None]
    if step.name != "silent":
        for problem, count in Counter(problems).most_common():
            yield f"{count} of {len(step.replies)} requests: {_OF_REQUESTS[problem]}"


def warnings(session: Session, messages: Messages, case: str) -> list[str]:
    """The last warnings about the objects of a case, masked: messages of the CCM hold what Octavia answered.

    Args:
        session: The API server.
        messages: Says what may be shown of them.
        case: The case's name, with which all of its objects' names begin.
    """
    try:
        events = session.list(session.place.path("events"))
    except ApiError as error:
        return [f"events could not be read: {error.message}"]
    own = [event for event in events if event.get("type") == "Warning" and _is_about(event, case)]
    own.sort(key=_time, reverse=True)
    lines = dict.fromkeys(_line(event, messages) for event in own)
    return list(lines)[:_MOST_EVENTS]


def _is_about(event: Document, case: str) -> bool:
    name = text(mapping(event.get("involvedObject")).get("name"))
    return name == case or name.startswith(f"{case}-")


def _time(event: Document) -> str:
    times = (
        event.get("lastTimestamp"),
        event.get("eventTime"),
        mapping(event.get("metadata")).get("creationTimestamp"),
    )
    return next((value for value in map(text, times) if value), "")


def _line(event: Document, messages: Messages) -> str:
    reason = text(event.get("reason"))
    shown = printable(messages.shown(text(event.get("message"))))
    return f"event {reason if reason.isalnum() else 'Warning'}: {shown}"
