"""What a run of the cases measured: plain records, which the reports read."""

from __future__ import annotations

from enum import Enum

from ccmcheck.cluster.core import NamedTuple, lint_results


class CaseVerdict(Enum):
    """The result of a case."""

    PASS = "PASS"  # noqa: S105 - no password
    FAIL = "FAIL"
    ABORT = "ABORT"
    """It could not be tried, or not to its end: a time limit, an interruption, a cluster that cannot hold it."""


class RequestProblem(Enum):
    """Why a request was not answered by a pod."""

    REFUSED = "connection refused"
    SILENT = "no connection"
    """Nothing answers at the address within the time."""
    WAITING = "no answer"
    """The connection was accepted, and no answer came within the time."""
    CLOSED = "closed without an answer"
    UNREACHABLE = "network unreachable"
    STRANGER = "answered by something else"


class Reply(NamedTuple):
    """One request.

    Attributes:
        seconds: From its start to the answer, or to the failure.
        problem: Why no pod answered; None where one did.
        pod: Which one.
        client: The address that the pod saw.
        forwarded: The client's address by X-Forwarded-For or a PROXY header; empty without one.
        status: The HTTP status of what answered in a pod's place; 0 for none.
    """

    seconds: float
    problem: RequestProblem | None = None
    pod: str = ""
    client: str = ""
    forwarded: str = ""
    status: int = 0


class StepResult(NamedTuple):
    """One step of a case.

    Attributes:
        name: What it does: ``address``, ``requests``.
        ok: Whether it held; None where it could not be tried.
        text: What was seen, in a line.
        seconds: How long it took.
        replies: The requests that were sent.
    """

    name: str
    ok: bool | None
    text: str
    seconds: float = 0.0
    replies: tuple[Reply, ...] = ()


class DelayComparison(NamedTuple):
    """Measured delays beside the predicted ones.

    Attributes:
        predicted: The prediction in a line.
        measured: The measurement in a line.
        agrees: Whether the measurement is within what chance allows; None where nothing is predicted.
    """

    predicted: str
    measured: str
    agrees: bool | None


class CaseResult(NamedTuple):
    """One case.

    Attributes:
        name: Its name.
        title: What it holds.
        verdict: The result.
        required: Whether a failure counts.
        steps: Its steps, up to the one that failed.
        addresses: The addresses of its Services.
        predicted: What ccmcheck predicts for its Service, in a line; empty without a prediction.
        client: Whose address it predicts that the pods see; empty without a prediction.
        comparison: Of delays; None where no request was sent.
        causes: The likely causes of the failure, the likeliest first.
        seconds: How long it took.
    """

    name: str
    title: str
    verdict: CaseVerdict
    required: bool
    steps: tuple[StepResult, ...] = ()
    addresses: tuple[str, ...] = ()
    predicted: str = ""
    client: str = ""
    comparison: DelayComparison | None = None
    causes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def failing(self) -> StepResult | None:
        """The step that did not hold."""
        return next((step for step in self.steps if step.ok is not True), None)

    @property
    def counts(self) -> bool:
        """Whether it makes the run fail."""
        return self.required and self.verdict is CaseVerdict.FAIL


class Remains(NamedTuple):
    """What clean-up could not remove.

    Attributes:
        objects: Each in a line: ``Namespace ccmcheck-conformance-…: Service default waits for …``.
        why: Why.
        command: What removes it.
    """

    objects: tuple[str, ...]
    why: str
    command: str


class RunResult(NamedTuple):
    """A run.

    Attributes:
        cluster: The first line: context, server, UID.
        run_id: The value of the label of everything that it created.
        image: The image of the workload.
        cases: The cases that were tried, in order.
        started: When, RFC 3339.
        seconds: How long it took.
        stopped: Why it ended early; empty otherwise.
        remains: What is left in the cluster; None where nothing is.
        failures: What the prediction could not read.
        source: What is predicted by; empty where nothing is.
    """

    cluster: str
    run_id: str
    image: str
    cases: tuple[CaseResult, ...] = ()
    started: str = ""
    seconds: float = 0.0
    stopped: str = ""
    remains: Remains | None = None
    failures: tuple[lint_results.Failure, ...] = ()
    source: str = ""
