"""Parts of the page on create-monitor in words, the same in every form."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.catalog.data.octavia import DEFAULT_RETRIES_DOWN, MEMBER_CONNECT_SECONDS
from ccmcheck.policy.create_monitor.story import ADVICE, OPTION, PAST, SET, SETTERS, UNSET, UPSTREAM
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.report.document import blocks as b
from ccmcheck.review.create_monitor.records import QuestionPage, Recommendation, ServiceCase

_TITLES = {"traffic": "traffic", "dead-node": "dead node", "podless-node": "moved pod", "client-address": "client IP"}

_UNSEEN = {"podless-node": "no check takes the node out"}
"""What holds without monitors, of which a prediction then says nothing."""


def judged(page: QuestionPage) -> tuple[str, ...]:
    """What is judged: the configuration, the release, the provider, the nodes."""
    nodes = "nodes not known" if page.nodes is None else f"{page.nodes} node{'' if page.nodes == 1 else 's'}"
    return (
        f"Configuration {page.config}" if page.config else "no cloud.conf: the defaults",
        f"CCM {page.release} ({page.source.partition(',')[0]})" if page.source else f"CCM {page.release}",
        page.provider or "the cloud's default provider",
        nodes,
    )


def judged_line(page: QuestionPage, first: QuestionPage | None) -> str:
    """The same in a line, below another page what differs from it."""
    above = judged(first) if first is not None else ()
    return "   ".join(part for part in judged(page) if part not in above)


def checks(page: QuestionPage) -> str:
    """The timers that the figures are for."""
    predictions = [case.then for case in page.services if case.then is not None]
    for prediction, plan in ((one, plan) for one in predictions for plan in one.plans):
        if plan.monitor is not None:
            monitor = plan.monitor
            down = monitor.get("max_retries_down") or DEFAULT_RETRIES_DOWN
            return (
                f"checks every {monitor.get('delay')} s, timeout {monitor.get('timeout')} s, out after {down} "
                f"failures, back after {monitor.get('max_retries')}{_silence(prediction, monitor.get('delay'), down)}"
            )
    return "no checks"


def _silence(prediction: Prediction, delay: object, down: object) -> str:
    """How the time comes about until a silent node is out, where HAProxy checks: its timeout has no part in it."""
    answer = prediction.answer("dead-node")
    silent = answer.numbers.get("silent") if answer is not None else None
    if not isinstance(silent, list) or not isinstance(delay, int) or not isinstance(down, int):
        return ""
    wait = min(delay, MEMBER_CONNECT_SECONDS)
    is_so = driver_of(prediction.provider).has_amphorae is True and silent[1] == down * (delay + wait)
    return f"; silent: {down} × ({delay} + {wait} to connect) s" if is_so else ""


def headline(recommendation: Recommendation) -> str:
    """The answer in a few words."""
    if recommendation.value is None:
        return "Not enough is known to say whether create-monitor should be on here"
    if recommendation.now is recommendation.value:
        same = "on" if recommendation.value else "off"
        return f"Leave create-monitor {same}" + ("" if recommendation.given else ", and write it down")
    return f"Turn create-monitor {'on' if recommendation.value else 'off'}"


def timers_text(advised: Recommendation | ServiceCase) -> str:
    """The set of timers, and why that one; empty where there is nothing to say."""
    return ": ".join(filter(None, (advised.timers, advised.timers_why)))


def row_text(case: ServiceCase) -> str:
    """What the row says, and why."""
    if not case.row:
        return "no row matches what is known"
    where = f" in {case.via}" if case.via == "cloud.conf" else f", by {case.via}" if case.via else ""
    value = f"create-monitor: {case.advice}" if case.via else case.advice
    return f"{value}{where}: {case.why} [{case.source}]"


def misses(case: ServiceCase) -> Iterator[tuple[str, list[str], str]]:
    """The rows that do not match, those with the same reason together.

    Yields:
        ``?`` for what is not known, else ``–``; the rows; and why.
    """
    found: dict[tuple[bool | None, str], list[str]] = {}
    for trial in case.tried:
        if not trial.matches:
            found.setdefault((trial.matches, trial.why), []).append(trial.row)
    for (matches, why), rows in found.items():
        yield "?" if matches is None else "–", rows, why


def outcomes(case: ServiceCase) -> Iterator[tuple[str, ...]]:
    """What happens to traffic, to dead nodes and moved pods, now and then; one line where nothing changes.

    Yields:
        A label, and one or two texts.
    """
    if case.now is None or case.then is None or case.stand_in:
        return
    for name, title in _TITLES.items():
        now, then = _verdict(case.now, name), _verdict(case.then, name)
        if now == then and now:
            yield title, now
        elif then:
            yield title, f"now: {now or _UNSEEN.get(name, '–')}", f"then: {then}"


def _verdict(prediction: Prediction, name: str) -> str:
    if prediction.outcome not in (Outcome.ACCEPTED, Outcome.UNKNOWN):
        accepted = prediction.answer("accepted")
        return "" if name != "traffic" else accepted.text if accepted is not None else prediction.why
    answer = prediction.answer(f"traffic-{prediction.policy.lower()}" if name == "traffic" else name)
    if answer is None:
        return prediction.why if name == "traffic" else ""
    return answer.text


_HOW = {
    UPSTREAM: "upstream",
    SET: "every cloud.conf",
    OPTION: "its option",
    UNSET: "the CCM's default",
    ADVICE: "advice",
    PAST: "past",
}


def others_items(verbose: int) -> Iterator[b.ListItem]:
    """What others set: who deploys clusters today, and with ``-v`` everybody else and the notes, too."""
    for setter in SETTERS:
        if verbose or setter.kind in (SET, OPTION, UNSET):
            value = {None: "left out", True: "true", False: "false"}[setter.value]
            said = ", ".join(filter(None, (value, setter.timers, _HOW[setter.kind], setter.date if setter.tag else "")))
            note = f"; set by {setter.commit}" if setter.tag and setter.value is not None else ""
            note += f"; {setter.note}" if setter.note else ""
            details = (b.Link(setter.source, setter.url), note if verbose else "")
            yield b.ListItem((b.Strong(setter.name), f": {said}"), details=(details,))
    for setter in SETTERS:
        if setter.installs:
            yield b.ListItem((f"{setter.name} installs {setter.installs} ", b.CitedSource(setter.installs_from)))
