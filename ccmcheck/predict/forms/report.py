"""Predictions as a report: a drawing of the way from the client to the nodes, then what the CCM and Octavia do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from ccmcheck.base.data_files import read_table
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.predict.conformance import Script
from ccmcheck.predict.forms.connection import drawing, monitor, port
from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport
from ccmcheck.predict.records import Answer, Outcome, Prediction, Request
from ccmcheck.predict.verdicts.afterwards import afterwards, event_text, noted_members, status
from ccmcheck.predict.verdicts.findings import RELEASE
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, LabelledValue, Tone

TITLES: dict[str, str] = dict(read_table(__file__, "titles.tsv"))
_TONES: dict[bool | None, Tone] = {True: "good", False: "bad", None: "info"}
_ALWAYS = (
    "accepted", "steady", "client-address", "affinity", "families", "dead-node", "podless-node", "probes",
    "security-group",
)  # fmt: skip
_MOST_REFUSALS = 4
"""Different reasons of a refusal that are listed without -v."""
_MOST_CHOICES = 6
"""Choices at a Service that are listed without -v."""

_MANY_ALONE = 20
"""Members that are made by a request each, of which a reader is told."""
_MOST_REQUESTS = 8
_WIDTH = 13


def as_text(report: PredictionReport, *, verbose: int = 0, is_one_of_many: bool = False) -> Iterator[str]:
    """The report for a terminal.

    Args:
        report: The predictions.
        verbose: 1 for all verdicts with their mechanisms; 2 for the bodies of requests, too.
        is_one_of_many: Whether others are reported beside it, so that it begins with its name.

    Yields:
        Lines.
    """
    from ccmcheck.report.document import text

    judged = f"CCM {report.release} ({report.source}), {report.config or 'without a cloud.conf'}"
    if is_one_of_many:
        return text.write((b.Heading(judged), *_equals(report), *_blocks(report, verbose)))
    end = (b.Lines((judged,)), *_equals(report)) if report.services or report.scripts else ()
    return text.write((*_blocks(report, verbose), *end))


def as_markdown(report: PredictionReport) -> Iterator[str]:
    """The report as Markdown, with everything but the bodies of requests.

    Args:
        report: The predictions.

    Yields:
        Lines.
    """
    from ccmcheck.report.document import markdown

    title = f"CCM {report.release}: {report.config or 'no cloud.conf, defaults'}"
    return markdown.write((b.Heading(title), *_equals(report), *_blocks(report, 1)))


def _equals(report: PredictionReport) -> Iterator[Block]:
    """The deployments that the report holds for besides the one whose cloud.conf it names."""
    others = report.deployments[1:]
    if others:
        # the objects' names are those of the first, as a rule, and make many overlays hard to read
        roots = tuple(dict.fromkeys(name.partition(" › ")[0] for name in others))
        names = roots if len(roots) == len(others) else others
        yield b.Lines((f"The same for {len(others)} more: {', '.join(names)}",))


def _blocks(report: PredictionReport, verbose: int) -> Iterator[Block]:
    if report.notes:
        yield b.Lines(report.notes)
    counts = Counter(choice for service in report.services for choice in _choices(service.choices, verbose))
    for service in report.services:
        yield _service(
            service, verbose, [_decided(one, verbose) for one in _choices(service.choices, verbose) if counts[one] == 1]
        )
    common = tuple(_decided(one, verbose, f" ({count} Services)") for one, count in counts.items() if count > 1)
    if common:
        yield b.ReportSection("At several Services", (b.Facts(common, _WIDTH),))
    if choices := _choices(report.choices, verbose):
        facts = tuple(_decided(choice, verbose) for choice in choices)
        yield b.ReportSection("Nodes, routes and the CCM", (b.Facts(facts, _WIDTH),))
    refused = {one.prediction.policy for one in report.services if one.prediction.outcome is Outcome.REFUSED}
    # what passes for a Service without annotations would seem to be said of the one that is refused
    scripts = [script for script in report.scripts if not (script.passes and script.policy in refused)]
    if scripts:
        yield b.ReportSection("Conformance scripts", (b.ItemList(tuple(_script(one, verbose) for one in scripts)),))


def _choices(choices: Iterable[OpenChoice], verbose: int) -> list[OpenChoice]:
    """What decides, as far as it is shown."""
    return [choice for choice in choices if verbose or not choice.quiet][: None if verbose else _MOST_CHOICES]


def _decided(choice: OpenChoice, verbose: int, where: str = "") -> LabelledValue:
    source = ((b.CitedSource(choice.source),),) if verbose else ()
    return b.LabelledValue(choice.topic, f"{choice.says} → {choice.change}{where}", "", source)


def _service(of: ServiceReport, verbose: int, choices: Iterable[LabelledValue]) -> Block:
    prediction = of.prediction
    ports = f"{len(prediction.plans)} port{'' if len(prediction.plans) == 1 else 's'}" if prediction.plans else ""
    where = f"{of.path}:{of.line}" if of.path and of.line else of.path
    aside = (f"externalTrafficPolicy: {prediction.policy}", ports, where)
    blocks: list[Block] = []
    if prediction.plans and prediction.outcome is not Outcome.ERROR:
        blocks.append(b.Console("\n".join(drawing(prediction)), inset=0))
        if verbose:
            blocks.append(_ports(prediction))
    reason = tuple(_reason(prediction))
    if reason:
        blocks.append(b.ItemList(reason))
    facts = [_answer(answer, verbose) for answer in prediction.answers if _is_shown(answer, prediction, verbose)]
    suggestion = of.suggestion
    if suggestion is not None:
        row = f"matrix row {suggestion.row} · ccmcheck explain create-monitor"
        facts.append(b.LabelledValue("suggestion", suggestion.change, "next", (f"then: {suggestion.then}", row)))
    facts += choices
    facts += _rest(prediction, verbose)
    blocks.append(b.Facts(tuple(facts), _WIDTH))
    if verbose > 1:
        blocks += [block for request in prediction.sent for block in _request(request)]
    return b.ReportSection(("Service ", b.Code(prediction.service)), tuple(blocks), aside=aside)


def _ports(prediction: Prediction) -> Block:
    rows = tuple(
        (f"{plan.listener}/{port(plan)}", f"{plan.pool} {plan.method}", str(plan.node_port or "none"), monitor(plan))
        for plan in prediction.plans
    )
    return b.Table("", ("listener", "pool", "NodePort", "monitor"), rows)


def _reason(prediction: Prediction) -> Iterator[b.ListItem]:
    """Why there is no load balancer, or why it is not known whether there is."""
    if prediction.outcome in (Outcome.NOTHING, Outcome.UNKNOWN, Outcome.ERROR):
        tone: Tone = "unknown" if prediction.outcome is Outcome.UNKNOWN else "info"
        if prediction.outcome is Outcome.ERROR or (prediction.outcome is Outcome.NOTHING and prediction.findings):
            tone = "bad"
        yield b.ListItem(prediction.why, tone)


def _is_shown(answer: Answer, prediction: Prediction, verbose: int) -> bool:
    if verbose:
        return True
    if answer.name == "accepted":
        return answer.good is not None
    if answer.name.startswith("traffic-"):
        return answer.name.endswith(prediction.policy.lower())
    if prediction.outcome is not Outcome.ACCEPTED:
        return False
    return answer.good is False or answer.name in _ALWAYS


def _answer(answer: Answer, verbose: int) -> LabelledValue:
    details: tuple[b.Text, ...] = ()
    if verbose and (answer.mechanism or answer.evidence):
        source = (b.CitedSource(answer.evidence),) if answer.evidence else ()
        details = ((answer.mechanism + " " * bool(answer.mechanism and source), *source),)
    return b.LabelledValue(TITLES.get(answer.name, answer.name), answer.text, _TONES[answer.good], details)


def _refusals(prediction: Prediction, verbose: int) -> Iterator[LabelledValue]:
    """The further reasons of a refusal: they come up once the first is fixed."""
    seen = {prediction.refusals[0].why} if prediction.refusals else set()
    for refusal in prediction.refusals[1:]:
        if refusal.why not in seen:
            seen.add(refusal.why)
            if not verbose and len(seen) > _MOST_REFUSALS:
                return
            yield b.LabelledValue("and then", f"{refusal.status}: {refusal.why} ({refusal.field or 'the request'})")


def _rest(prediction: Prediction, verbose: int) -> Iterator[LabelledValue]:
    yield from _refusals(prediction, verbose)
    for title, text in afterwards(prediction) if verbose else (*noted_members(prediction), *status(prediction)):
        yield b.LabelledValue(title, text)
    if prediction.sent:
        yield b.LabelledValue("requests", _requests(prediction.sent))
        alone = sum("member" in (request.body or ()) for request in prediction.sent)
        if alone > _MANY_ALONE:
            why = f"{alone} members are added one by one, each after the load balancer is ACTIVE again"
            yield b.LabelledValue("slow", why)
    for event in () if verbose else prediction.events:
        if event.kind == "Warning":
            yield b.LabelledValue("event", event_text(event))
    for ignored in prediction.ignored:
        yield b.LabelledValue("ignored", f"{ignored.what}: {ignored.why}")
    for finding in prediction.findings:
        if not verbose and prediction.outcome is not Outcome.NOTHING and finding.about != RELEASE:
            continue
        said = "" if finding.text == prediction.why else f"{finding.text}. "
        yield b.LabelledValue(finding.severity.word if said else "next", f"{said}{finding.help}".removesuffix(". "))
    assumed = prediction.assumed
    if assumed and not verbose:
        assumed = (assumed[0] + (f"; {len(assumed) - 1} more with -v" if len(assumed) > 1 else ""),)
    for text in assumed:
        yield b.LabelledValue("assumed", text)


def _requests(sent: Iterable[Request]) -> str:
    """The requests, runs of the same kind counted."""
    runs = [(said, len(list(run))) for said, run in groupby(map(_kind, sent))]
    shown = [f"{said}{f' ×{count}' if count != 1 else ''}" for said, count in runs]
    return first_of(shown, _MOST_REQUESTS)


def _kind(request: Request) -> str:
    place, _, below = request.path.removeprefix("/v2.0/").removeprefix("lbaas/").partition("/")
    return f"{request.method} {place}{'/…' if below else ''}"


def _request(request: Request) -> Iterator[Block]:
    import json

    yield b.Paragraph(b.Code(f"{request.method} {request.path}"))
    if request.body is not None:
        yield b.Console(json.dumps(request.body, indent=2, ensure_ascii=False), "json")


def _script(script: Script, verbose: int) -> b.ListItem:
    title = {"default": "default use case", "special": "special use case"}[script.name]
    why = f" ({script.why})" if script.why and (script.passes is not True or verbose) else ""
    return b.ListItem(f"{title} (one pod, {script.policy}): {script.text}{why}", _TONES[script.passes])
