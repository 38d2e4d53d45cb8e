"""The cases of a run, one after another; whatever happens, what they created is removed at the end.

The likely causes of a failed step: what was predicted for the Service, its events, and what the requests saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import mapping, moment_text, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import objects, prediction
from ccmcheck.cluster.conformance.cases import ChosenCase
from ccmcheck.cluster.conformance.cleanup import remove
from ccmcheck.cluster.conformance.delays import compare
from ccmcheck.cluster.conformance.interrupts import Interrupted, Interrupts
from ccmcheck.cluster.conformance.prediction import PredictionInputs
from ccmcheck.cluster.conformance.records import (
    CaseResult,
    CaseVerdict,
    DelayComparison,
    Reply,
    RequestProblem,
    RunResult,
    StepResult,
)
from ccmcheck.cluster.conformance.session import NotApplicable, RunStopped, Session, StepFailed
from ccmcheck.cluster.conformance.stage import ProbeTarget, SeenByStep, Stage
from ccmcheck.cluster.conformance.stage import ask as ask_really
from ccmcheck.cluster.conformance.steps import balancer, traffic, workload
from ccmcheck.cluster.core import NamedTuple, budget, explained, model, predictions, printable, redact_report

_ACTIONS: Mapping[str, Callable[[Stage, Mapping[str, Any]], SeenByStep]] = {
    "workload": workload.create,
    "scale": workload.scale,
    "rollout": workload.rollout,
    "service": balancer.create,
    "address": balancer.address,
    "not-public": balancer.not_public,
    "patch": balancer.patch,
    "change-port": balancer.change_port,
    "share": balancer.share,
    "unshare": balancer.unshare,
    "delete": balancer.delete,
    "first-answer": traffic.first_answer,
    "requests": traffic.requests,
    "answers": traffic.answers,
    "silent": traffic.silent,
    "settle": traffic.settle,
    "reachable": traffic.reachable,
}
"""What each kind of step does, by the names that cases use."""

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


class RunPlan(NamedTuple):
    """What a run does.

    Attributes:
        cluster: The first line of the report.
        cases: The cases.
        image: The image of the workload.
        port: The port that clients connect to.
        command: The command that removes the run, for what is left.
        ask: Sends one request.
    """

    cluster: str
    cases: tuple[ChosenCase, ...]
    image: str
    port: int
    command: str
    ask: Callable[[ProbeTarget, float], Reply] = ask_really


class ConformanceRun:
    """One run.

    Args:
        session: The API server.
        plan: What is done.
        known: What predictions need.
        interrupts: The signals.
        say: Says what happens to the user, a line at a time.

    Attributes:
        interrupted: The signal that ended it; None where none did.
    """

    def __init__(
        self,
        session: Session,
        plan: RunPlan,
        known: PredictionInputs,
        interrupts: Interrupts,
        say: Callable[[str], None],
    ) -> None:
        self._session = session
        self._plan = plan
        self._known = known
        self._messages = Messages(known.texts)
        self._interrupts = interrupts
        self._say = say
        self._results: list[CaseResult] = []
        self._stopped = ""
        self._user: int | None = objects.USER
        self.interrupted: Interrupted | None = None

    def run(self) -> RunResult:
        """Run all cases, and remove what they created."""
        started, now = self._session.clock(), datetime.now(UTC)
        fault: Exception | budget.TimeIsUp | None = None
        try:
            try:
                self._cases()
            except Interrupted as error:
                self._interrupt(error)
            except (Exception, budget.TimeIsUp) as error:  # noqa: BLE001 - raised again once what was created is removed
                fault = error
                if isinstance(error, budget.OVER):
                    budget.lift_limits()  # to remove it takes what it takes
            self._interrupts.removing()
        except Interrupted as error:  # between the last case and the line before
            self._interrupt(error)
        remains = None
        if self._session.made:
            self._say("removing what was created")
            remains = remove(self._session.for_removal(), self._plan.command)
        if fault is not None:
            if remains is not None:
                self._say(f"left in the cluster: {', '.join(remains.objects)}; {remains.command} removes it")
            raise fault
        tried = {case.name for case in self._results}
        for case, required in self._plan.cases:
            if case.name not in tried:
                self._results.append(CaseResult(case.name, case.title, CaseVerdict.ABORT, required))
        result = RunResult(
            self._plan.cluster,
            self._session.place.run_id,
            self._plan.image,
            tuple(self._results),
            moment_text(now),
            self._session.clock() - started,
            self._stopped,
            remains,
            self._known.failures,
            self._known.source,
        )
        return redact_report(result, self._known.texts)

    def _interrupt(self, error: Interrupted) -> None:
        self.interrupted = error
        self._stopped = "interrupted"

    def _cases(self) -> None:
        session, place = self._session, self._session.place
        try:
            session.create(objects.NAMESPACES, objects.namespace(place))
            session.create(place.path("configmaps"), objects.configuration(place))
            if session.get(requests.OPENSHIFT) is not None:
                self._user = None
            for chosen in self._plan.cases:
                self._case(chosen)
                if self._stopped:
                    return
        except ApiError as error:
            self._stopped = f"nothing can be created: {error.message}. {error.hint}".strip()
        except RunStopped as error:
            self._stopped = error.sentence

    def _case(self, chosen: ChosenCase) -> None:
        case, session = chosen.case, self._session
        started = session.clock()
        stage = Stage(session, case, self._plan.image, self._plan.port, self._plan.ask, self._user)
        steps: list[StepResult] = []
        try:
            for step in case.steps:
                if step.action == "requests" and stage.asked is None:
                    stage.asked = (stage.service, stage.pods)
                steps.append(self._step(stage, step.action, step.values))
                self._say(f"{case.name}: {step.action}: {steps[-1].text}")
                if steps[-1].ok is not True:
                    break
            explain = True
        except RunStopped as error:
            self._stopped = error.sentence
            steps.append(StepResult(case.steps[len(steps)].action, None, error.text))
            explain = False
        except Interrupted:
            steps.append(StepResult(case.steps[len(steps)].action, None, "interrupted"))
            self._results.append(self._result(chosen, stage, steps, started, explain=False))
            raise
        try:
            result = self._result(chosen, stage, steps, started, explain=explain)
        except RunStopped as error:  # while events were read
            self._stopped = error.sentence
            result = self._result(chosen, stage, steps, started, explain=False)
        self._results.append(result)
        if not self._stopped:
            self._tidy(stage)

    def _step(self, stage: Stage, action: str, values: Any) -> StepResult:  # noqa: ANN401 - the step's own
        started = self._session.clock()
        ok: bool | None = True
        replies: tuple[Reply, ...] = ()
        try:
            said, replies = _ACTIONS[action](stage, values)
        except StepFailed as error:
            ok, said, replies = False, error.text, error.replies
        except NotApplicable as error:
            ok, said = None, error.text
        except ApiError as error:
            ok, said = False, f"{error.message}"
        return StepResult(action, ok, said, self._session.clock() - started, replies)

    def _result(
        self, chosen: ChosenCase, stage: Stage, steps: Sequence[StepResult], started: float, *, explain: bool
    ) -> CaseResult:
        last = steps[-1]
        verdict = CaseVerdict.ABORT if last.ok is None else CaseVerdict.PASS if last.ok else CaseVerdict.FAIL
        policy = policy_of(stage.service)
        predictor = self._known.predictor
        predicted = predictor.predict(stage.service, stage.pods) if predictor is not None and stage.service else None
        found: tuple[str, ...] = ()
        if explain and verdict is CaseVerdict.FAIL:
            events = warnings(self._session, self._messages, chosen.case.name)
            found = causes(last, predicted, policy, events, self._known.idle)
        return CaseResult(
            chosen.case.name,
            chosen.case.title,
            verdict,
            chosen.required,
            tuple(steps),
            (stage.address,) if stage.address else (),
            prediction.line(predicted, policy) if predicted is not None else "",
            prediction.client_address(predicted) if predicted is not None else "",
            self._comparison(stage, steps),
            found,
            self._session.clock() - started,
        )

    def _comparison(self, stage: Stage, steps: Sequence[StepResult]) -> DelayComparison | None:
        """The first requests beside the prediction for the Service as it was then."""
        sent = next((step for step in steps if step.name == "requests"), None)
        if sent is None or stage.asked is None:
            return None
        service, pods = stage.asked
        predictor = self._known.predictor
        predicted = predictor.predict(service, pods) if predictor is not None else None
        until = sum(step.seconds for step in steps[: steps.index(sent) + 1][-2:])
        return compare(predicted, policy_of(service), sent.replies, until)

    def _tidy(self, stage: Stage) -> None:
        """Remove the objects of a case before the next begins; what cannot be removed is left to the end."""
        session = self._session
        try:
            for path in (stage.second_path, stage.service_path):
                if path in session.made:
                    balancer.gone(stage, path)
            session.delete(stage.deployment_path)
            session.made.pop(stage.deployment_path, None)
        except (StepFailed, ApiError) as error:
            self._say(f"{stage.case.name}: {error}")
        except RunStopped as error:
            self._stopped = error.sentence


def policy_of(service: Document) -> str:
    """A Service's externalTrafficPolicy."""
    return text(mapping(service.get("spec")).get("externalTrafficPolicy")) or "Cluster"
