"""The likely causes of a failed step: what was predicted for the Service, its events, and what the requests saw."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.conformance.records import RequestProblem, StepResult
from ccmcheck.cluster.core import model, predictions, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.cluster.access.messages import Messages
    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.conformance.session import Session
    from ccmcheck.cluster.core import predictions

_MOST_EVENTS = 3
_BALANCER_STEPS = frozenset({"address", "share", "unshare", "delete", "patch", "change-port"})

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
    step: StepResult, prediction: predictions.Prediction | None, policy: str, events: Sequence[str]
) -> tuple[str, ...]:
    """The likely causes, the likeliest first.

    Args:
        step: The step that failed.
        prediction: For the Service as it was then; None without one.
        policy: The Service's externalTrafficPolicy.
        events: Warnings about the case's objects, see `warnings`.
    """
    found = [*_predicted(step, prediction, policy), *events, *_seen(step)]
    return tuple(dict.fromkeys(found))


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
    if step.name in _BALANCER_STEPS:
        yield "predicted: Octavia takes the requests; the CCM's log and the load balancer's status say what differs"


def _seen(step: StepResult) -> Iterator[str]:
    problems = [reply.problem for reply in step.replies if reply.problem is not None]
    if problems and step.name != "silent":
        yield _OF_REQUESTS[Counter(problems).most_common(1)[0][0]]


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
