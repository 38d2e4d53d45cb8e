"""The requests: until the first answer, fifty that must be answered, or none that may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ccmcheck.cluster.conformance.cases import FIRST_SECONDS, FIRST_TRIES, REQUEST_SECONDS, REQUESTS
from ccmcheck.cluster.conformance.delays import milliseconds
from ccmcheck.cluster.conformance.records import Reply, RequestProblem
from ccmcheck.cluster.conformance.session import StepFailed
from ccmcheck.cluster.conformance.stage import SeenByStep, Stage

FIRST_PAUSE = 1.0
"""Seconds between two tries for the first answer where they fail at once: curl's next try would fail as fast."""
SETTLED = 10
"""Answers in a row after which nodes are as they should be."""
SETTLE_SECONDS = 120.0
UNANSWERED = 3
"""Requests in a row that no pod answers, after which an address counts as silent."""
REACHABLE_TRIES = 3


def first_answer(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Send requests until the first is answered."""
    replies: list[Reply] = []
    for _try in range(FIRST_TRIES):
        replies.append(stage.ask(stage.target, FIRST_SECONDS))
        if replies[-1].problem is None:
            return SeenByStep(f"after {len(replies)} request{'' if len(replies) == 1 else 's'}", tuple(replies))
        stage.session.pause(FIRST_PAUSE)
    raise StepFailed(f"none of {FIRST_TRIES} requests was answered: {_problems(replies)}", replies)


def requests(stage: Stage, values: Mapping[str, Any]) -> SeenByStep:
    """Send the requests; each must be answered by a pod of the case."""
    port = stage.port + 1 if values.get("second") else stage.port
    target = stage.target._replace(port=port)
    replies: list[Reply] = []
    for _request in range(int(values.get("count", REQUESTS))):
        replies.append(stage.ask(target, REQUEST_SECONDS))
        stage.session.pause(0)
    text = summary(replies)
    if any(reply.problem is not None for reply in replies):
        raise StepFailed(text, replies)
    pods = {reply.pod for reply in replies}
    strangers = pods - set(stage.pods) - set(stage.see_pods())
    if strangers:
        raise StepFailed(f"answered by pods that are not those of the Service: {', '.join(sorted(strangers))}", replies)
    if values.get("pods") and len(pods) > int(values["pods"]):
        raise StepFailed(f"{text}: by {len(pods)} pods, not by one", replies)
    if values.get("forwarded") and not all(reply.forwarded for reply in replies):
        raise StepFailed(f"{text}: without the client's address in a PROXY header", replies)
    return SeenByStep(text, tuple(replies))


def answers(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Wait until a request is answered."""
    replies: list[Reply] = []

    def answered() -> bool | None:
        replies.append(one_request(stage))
        return True if replies[-1].problem is None else None

    _wait(stage, answered, replies, "no request was answered")
    return SeenByStep(f"after {len(replies)} requests" if len(replies) > 1 else "at once", tuple(replies))


def silent(stage: Stage, values: Mapping[str, Any]) -> SeenByStep:
    """Wait until no pod answers any more."""
    target = stage.target._replace(port=stage.old_port) if values.get("old") else stage.target
    replies: list[Reply] = []

    def unanswered() -> bool | None:
        replies.append(stage.ask(target, REQUEST_SECONDS))
        last = replies[-UNANSWERED:]
        return True if len(last) == UNANSWERED and all(reply.problem is not None for reply in last) else None

    _wait(stage, unanswered, replies, f"{target} is still answered")
    return SeenByStep(f"{target}: {_problems(replies[-UNANSWERED:])}", tuple(replies))


def settle(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Wait until some requests in a row are answered: checks take nodes without a pod out after a while."""
    started = stage.session.clock()
    replies: list[Reply] = []

    def settled() -> bool | None:
        replies.append(one_request(stage))
        last = replies[-SETTLED:]
        return True if len(last) == SETTLED and all(reply.problem is None for reply in last) else None

    seconds = min(SETTLE_SECONDS, stage.session.limits.wait)

    def late() -> str:
        return f"after {seconds:g} s requests are still lost: {summary(replies)}"

    stage.session.until(settled, late, seconds=seconds, pause=0, replies=replies)
    lost = sum(reply.problem is not None for reply in replies)
    return SeenByStep(f"after {stage.session.clock() - started:.0f} s, {lost} requests lost", tuple(replies))


def reachable(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Send the requests where the address can be reached from here; an internal one need not be."""
    tries: list[Reply] = []
    for _try in range(REACHABLE_TRIES):
        tries.append(one_request(stage))
        if tries[-1].problem is None:
            return requests(stage, {})
        stage.session.pause(FIRST_PAUSE)
    how = "run it in a pod with --in-cluster to send requests"
    return SeenByStep(
        f"not reachable from here ({_problems(tries)}), as an internal address may be; {how}", tuple(tries)
    )


def one_request(stage: Stage) -> Reply:
    """Send one."""
    return stage.ask(stage.target, REQUEST_SECONDS)


def _wait(stage: Stage, done: Callable[[], bool | None], replies: list[Reply], text: str) -> None:
    late = f"{text} within {stage.session.limits.wait:g} s"
    stage.session.until(done, lambda: f"{late}: {_problems(replies[-10:])}", pause=FIRST_PAUSE, replies=replies)


def summary(replies: Sequence[Reply]) -> str:
    """Requests in a line: how many were answered, how fast, and what became of the others."""
    answered = [reply.seconds for reply in replies if reply.problem is None]
    line = f"{len(answered)} of {len(replies)} requests answered"
    if answered:
        middle = sorted(answered)[len(answered) // 2]
        line += f" (median {milliseconds(middle)}, longest {milliseconds(max(answered))})"
    lost = _problems([reply for reply in replies if reply.problem is not None])
    return f"{line}, {lost}" if lost else line


def _problems(replies: Sequence[Reply]) -> str:
    counts = Counter(_words(reply) for reply in replies)
    return ", ".join(f"{count} × {words}" for words, count in counts.most_common())


def _words(reply: Reply) -> str:
    if reply.problem is None:
        return "answered"
    if reply.problem is RequestProblem.STRANGER and reply.status:
        return f"HTTP {reply.status} from something else"
    if reply.problem in (RequestProblem.WAITING, RequestProblem.SILENT):
        return f"{reply.problem.value} within {reply.seconds:.0f} s"
    return str(reply.problem.value)
