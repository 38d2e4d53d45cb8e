"""Predictions for a terminal: a drawing of the way from the client to the nodes, then what there is to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.afterwards import afterwards, event_text, status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.conformance import Script
    from ccmcheck.predict.forms.json_form import Report, Told
    from ccmcheck.predict.records import Answer, Plan, Prediction

TITLES = {
    "accepted": "Octavia",
    "traffic-cluster": "traffic",
    "traffic-local": "traffic",
    "client-address": "client IP",
    "dead-node": "dead node",
    "podless-node": "moved pod",
    "probes": "probes",
    "quota": "quota",
    "security-group": "let in",
    "hairpin": "from inside",
}
_SIGNS = {True: "✓", False: "✗", None: "·"}
_ALWAYS = ("accepted", "client-address", "dead-node", "podless-node", "probes", "security-group")
_MOST_PORTS = 12
"""Lines of ports in a drawing; the others are counted."""

_MOST_REFUSALS = 4
"""Different reasons of a refusal that are told without -v."""

_WIDTH = 12


def draw(report: Report, *, verbose: int = 0) -> Iterator[str]:
    """Draw everything that is told of one configuration at one release.

    Args:
        report: What there is to tell.
        verbose: 1 for all verdicts with their mechanisms; 2 for the bodies of requests, too.

    Yields:
        Lines.
    """
    for note in report.notes:
        yield printable(note)
    if report.notes:
        yield ""
    for told in report.services:
        yield from map(printable, _service(told, verbose))
        yield ""
    for script in report.scripts:
        yield printable(_script(script, verbose))
    if report.services or report.scripts:
        yield printable(f"CCM {report.release} ({report.source}), {report.config or 'without a cloud.conf'}")


def _service(told: Told, verbose: int) -> Iterator[str]:
    found = told.prediction
    ports = f"{len(found.plans)} port{'' if len(found.plans) == 1 else 's'}" if found.plans else ""
    where = f"{told.path}:{told.line}" if told.path and told.line else told.path
    head = (f"Service {found.service}", f"externalTrafficPolicy: {found.policy}", ports, where)
    yield "   ".join(part for part in head if part)
    if found.plans and found.outcome is not Outcome.ERROR:
        yield from drawing(found)
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN, Outcome.ERROR):
        bad = found.outcome is Outcome.ERROR or (found.outcome is Outcome.NOTHING and found.findings)
        sign = "✗" if bad else "?" if found.outcome is Outcome.UNKNOWN else "·"
        yield f"  {sign} {found.why}"
    for answer in found.answers:
        if _is_shown(answer, found, verbose):
            yield from _answer(answer, verbose)
    suggestion = told.suggestion
    if suggestion is not None:
        yield f"  → {suggestion.change}"
        yield f"    then: {suggestion.then}"
        yield f"    matrix row {suggestion.row} · ccmcheck explain create-monitor"
    yield from _rest(found, verbose)


def _is_shown(answer: Answer, found: Prediction, verbose: int) -> bool:
    if verbose:
        return True
    if answer.name == "accepted":
        return answer.good is not None
    if answer.name.startswith("traffic-"):
        return answer.name.endswith(found.policy.lower())
    if found.outcome is not Outcome.ACCEPTED:
        return False
    return answer.good is False or answer.name in _ALWAYS


def _answer(answer: Answer, verbose: int) -> Iterator[str]:
    yield f"  {_SIGNS[answer.good]} {TITLES.get(answer.name, answer.name):<{_WIDTH}} {answer.text}"
    if verbose and (answer.mechanism or answer.evidence):
        said = answer.mechanism + (f" [{answer.evidence}]" if answer.evidence else "")
        yield f"    {'':<{_WIDTH}} {said.strip()}"


def drawing(found: Prediction) -> Iterator[str]:
    """``client ─▶ floating IP ─▶ listener ─▶ pool ─▶ nodes``, a line a port, and the monitor below."""
    start = f"  client ─▶ {_entry(found)} ─▶ "
    shown = found.plans[:_MOST_PORTS]
    provider = found.provider or "default provider's"
    listeners = [f"{provider} listener {plan.listener}/{number(plan)}" for plan in shown]
    pools = [f"pool {_pool(plan)}" for plan in shown]
    wide, deep = max(map(len, listeners)), max(map(len, pools))
    lead = " " * len(start)
    for index, plan in enumerate(shown):
        nodes = _nodes(found, plan)
        yield f"{start if not index else lead}{listeners[index]:<{wide}} ─▶ {pools[index]:<{deep}} ─▶ {nodes}".rstrip()
    if len(found.plans) > len(shown):
        yield f"{lead}… and {len(found.plans) - len(shown)} more ports"
    for line in _monitors(found):
        yield lead + line


def _pool(plan: Plan) -> str:
    return f"{plan.pool}/{number(plan)}"


def number(plan: Plan) -> str:
    """The Service's port; a question mark for one that is filled in later."""
    return str(plan.port or "?")


def _entry(found: Prediction) -> str:
    if found.floating.wanted:
        return f"floating IP {found.floating.address}".rstrip()
    return "VIP"


def _nodes(found: Prediction, plan: Plan) -> str:
    if not plan.node_port:
        return "no node: the port has no NodePort"
    count = "? nodes" if found.nodes is None else f"{found.nodes} node{'' if found.nodes == 1 else 's'}"
    return f"{count} :{plan.node_port}"


def checks(found: Prediction) -> dict[str, int]:
    """What the monitors ask, each kind once with how many there are of it."""
    seen: dict[str, int] = {}
    for plan in found.plans:
        if plan.monitor is not None:
            asks = f"{plan.monitor_type}{' ' + plan.http_path if plan.http_path else ''}"
            asks += f" on port {plan.monitor_port}" if plan.http_path else " on the NodePort"
            seen[asks] = seen.get(asks, 0) + 1
    return seen


def _monitors(found: Prediction) -> Iterator[str]:
    """Each kind of monitor once, with its timers and what it asks."""
    seen = checks(found)
    if not seen:
        yield f"monitor: none ({found.monitor_source})"
        return
    timers = found.plans[0].monitor or {}
    down = timers.get("max_retries_down")
    said = f"every {timers.get('delay')} s, timeout {timers.get('timeout')} s, {timers.get('max_retries')} up"
    said += f", {down if down is not None else 'Octavia’s 3'} down"
    for asks, count in seen.items():
        yield f"{count} monitor{'' if count == 1 else 's'}: {asks}, {said}"


def _further(found: Prediction, verbose: int) -> Iterator[str]:
    """What else is refused: whoever mends the first comes to these next."""
    told = {found.refusals[0].why} if found.refusals else set()
    for refusal in found.refusals[1:]:
        if refusal.why not in told:
            told.add(refusal.why)
            if not verbose and len(told) > _MOST_REFUSALS:
                return
            yield f"    {'and then':<{_WIDTH}} {refusal.status}: {refusal.why} ({refusal.field or 'the request'})"


def _rest(found: Prediction, verbose: int) -> Iterator[str]:
    yield from _further(found, verbose)
    for title, text in afterwards(found) if verbose else status(found):
        yield f"    {title:<{_WIDTH}} {text}"
    if found.sent:
        yield f"    {'asks':<{_WIDTH}} {_requests(found)}"
    for event in () if verbose else found.events:
        if event.kind == "Warning":
            yield f"    {'event':<{_WIDTH}} {event_text(event)}"
    for ignored in found.ignored:
        yield f"    {'ignored':<{_WIDTH}} {ignored.what}: {ignored.why}"
    for finding in found.findings if found.outcome is Outcome.NOTHING else ():
        said = "" if finding.text == found.why else f"{finding.text}. "
        text = f"{said}{finding.help}".removesuffix(". ")
        yield f"    {finding.severity.word if said else 'next':<{_WIDTH}} {text}"
    for text in found.assumed if verbose else _counted(found.assumed):
        yield f"    {'assumed':<{_WIDTH}} {text}"
    if verbose > 1:
        import json

        for request in found.sent:
            yield f"    {request.method} {request.path}"
            if request.body is not None:
                yield from (
                    "      " + line for line in json.dumps(request.body, indent=2, ensure_ascii=False).split("\n")
                )


def _counted(assumed: tuple[str, ...]) -> Iterator[str]:
    """One line that says that there is more to know; the ports of the drawing may be among it."""
    if assumed:
        yield assumed[0] + (f"; {len(assumed) - 1} more with -v" if len(assumed) > 1 else "")


def _requests(found: Prediction) -> str:
    """The requests, runs of the same kind counted."""
    parts: list[list[object]] = []
    for request in found.sent:
        place = request.path.removeprefix("/v2.0/")
        kind = place.removeprefix("lbaas/").partition("/")[0]
        said = f"{request.method} {kind}" + ("/…" if "/" in place.removeprefix("lbaas/") else "")
        if parts and parts[-1][0] == said:
            parts[-1][1] = int(str(parts[-1][1])) + 1
        else:
            parts.append([said, 1])
    shown = [f"{said}{f' ×{count}' if count != 1 else ''}" for said, count in parts]
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")


def _script(script: Script, verbose: int) -> str:
    title = {"default": "default use case", "special": "special use case"}[script.name]
    line = f"  {_SIGNS[script.passes]} {title} (one pod, {script.policy}): {script.text}"
    return f"{line} ({script.why})" if script.passes is not True or verbose else line
