"""The sections of the page on the create-monitor question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.document import blocks as b
from ccmcheck.document.html import sentence
from ccmcheck.review.create_monitor.tradeoff import tradeoff
from ccmcheck.review.create_monitor.words import others_rows, snippet, timers_text
from ccmcheck.review.page.timers import points_block, tradeoff_blocks
from ccmcheck.review.page.way import CHANGED, diagram

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.document.blocks import Block, Section, Tone
    from ccmcheck.review.create_monitor.records import Argument, QuestionPage, ScriptCase, ServiceCase

_MOST_SERVICES = 200
_MOST_PORTS = 6


def facts(question: QuestionPage) -> b.Facts:
    """What stands below the title."""
    source = (b.Quiet(f" ({question.source})"),) if question.source else ()
    return b.Facts(
        (
            b.Fact("Configuration", b.Code(question.config) if question.config else "none: the defaults"),
            b.Fact("CCM", (question.release, *source)),
            b.Fact("Provider", question.provider or "the cloud’s default"),
            b.Fact("Nodes", "not known" if question.nodes is None else str(question.nodes)),
        )
    )


def sections(question: QuestionPage) -> Iterator[Section]:
    """The page's sections, the summary first."""
    yield _summary(question)
    yield _answer(question)
    if question.figures or question.scripts:
        yield b.Section("Figures of this cluster", tuple(_figures(question)), 2, anchor="figures", contents="Figures")
    if question.services:
        yield b.Section("Services", tuple(_services(question)), 2, anchor="services", contents="Services")
    timers = _timers(question)
    if timers:
        about = "Faster checks find a dead node sooner and send more probes."
        if question.timers_for and question.timers:
            about += f" These are the figures for {question.timers_for}."
        blocks = (b.Paragraph(about), *timers)
        yield b.Section("Detection time and probe load", blocks, 2, anchor="timers", contents="Timers")
    if question.arguments_for or question.arguments_against:
        blocks = (
            *_arguments(("For ", b.Code("create-monitor = true")), question.arguments_for),
            *_arguments("Against it", question.arguments_against),
        )
        yield b.Section("For and against", blocks, 2, anchor="arguments", contents="For and against")
    if question.risks:
        blocks = tuple(_arguments("", question.risks))
        yield b.Section("Caveats with it on", blocks, 2, anchor="risks", contents="Caveats")
    if question.instead:
        blocks = tuple(_arguments("", question.instead))
        yield b.Section("What else would do", blocks, 2, anchor="instead", contents="What else")
    yield from _draft(question)
    yield from _elsewhere(question)


def _summary(question: QuestionPage) -> Section:
    advised = question.recommendation
    blocks: list[Block] = []
    if question.stop:
        blocks.append(b.Paragraph((b.Badge("the CCM does not run", "bad"), " ", b.Code(question.stop))))
    many = "" if len(advised.rows) == 1 else "s"
    rows = (b.Quiet(f" (matrix row{many} {', '.join(advised.rows)})"),) if advised.rows else ()
    blocks.append(b.Paragraph((sentence(advised.why), *rows), "lead"))
    if question.summary:
        blocks.append(b.Items(tuple(b.Item(claim.text) for claim in question.summary)))
    if advised.config:
        blocks.append(b.Console(snippet(advised), "ini", "What to write into cloud.conf"))
    if advised.timers or advised.timers_why:
        blocks.append(b.Paragraph(f"Timers: {timers_text(advised)}"))
    if advised.needs:
        needs = [piece for need in advised.needs for piece in (" ", b.Code(need))]
        blocks.append(b.Paragraph(("To say more:", *needs)))
    tone: Tone = "good" if advised.value is not None and advised.now is advised.value else "warn"
    return b.Section("In short", tuple(blocks), 2, anchor="summary", tone="bad" if question.stop else tone)


def _answer(question: QuestionPage) -> Section:
    blocks: list[Block] = [b.Paragraph(question.asked, "quote")]
    blocks += [b.Paragraph(b.Source(text)) for text in question.answer]
    if question.would_change:
        items = tuple(b.Item(b.Source(sentence(text))) for text in question.would_change)
        blocks.append(b.Section("What would change the answer", (b.Items(items),)))
    return b.Section("The question and the answer", tuple(blocks), 2, anchor="answer", contents="Answer")


def _figures(question: QuestionPage) -> Iterator[Block]:
    if question.figures:
        rows = tuple(b.Row(figure.label, figure.now, figure.then, figure.better) for figure in question.figures)
        yield b.Comparison("Figures now, and with what is recommended", rows, ("now", "then"))
    if question.scripts:
        rows_of = tuple((f"{script.name} use case", script.policy, *_outcomes(script)) for script in question.scripts)
        table = b.Table("Outcome of the conformance scripts, predicted", ("script", "policy", "now", "then"), rows_of)
        yield b.Section("The draft’s conformance scripts", (table,))


def _outcomes(script: ScriptCase) -> Iterator[b.Text]:
    for passes, text in ((script.now, script.now_text), (script.then, script.then_text)):
        badge = (
            b.Badge("not known") if passes is None else b.Badge("passes", "good") if passes else b.Badge("fails", "bad")
        )
        yield badge, " ", text.removeprefix("passes: ").removeprefix("passes ").removeprefix("fails ")


def _services(question: QuestionPage) -> Iterator[Block]:
    shown = question.services[:_MOST_SERVICES]
    if len(shown) > 1:
        rows = tuple((case.service, case.policy, case.row or "–", case.advice or "not known") for case in shown)
        columns = ("Service", "policy", "row", "create-monitor")
        yield b.Table("The row of the decision matrix for each Service", columns, rows)
    for number, case in enumerate(shown):
        yield b.Section(
            case.service,
            tuple(_service(case)),
            aside=(b.Badge(case.row) if case.row else "", b.Quiet(b.listed(case.ports, _MOST_PORTS))),
            folded="closed" if number else "open",
        )
    if len(question.services) > len(shown):
        more = len(question.services) - len(shown)
        yield b.Paragraph((f"And {more} more Services, which ", b.Code("--format json"), " has."), "quiet")


def _service(case: ServiceCase) -> Iterator[Block]:
    if case.path:
        yield b.Paragraph(f"{case.path}:{case.line}" if case.line else case.path, "quiet")
    advice = (b.Strong(f"create-monitor {case.advice}"), f"{f', in {case.via}' if case.via else ''}: ")
    source = (b.Quiet(" Source: "), b.Source(case.source)) if case.source else ()
    yield b.Paragraph((*(advice if case.advice else ()), case.why, *source))
    items = [
        b.Item((b.Code(name), " is to be deleted") if value is None else b.Code(f'{name}: "{value}"'))
        for name, value in case.annotations
    ]
    items += [b.Item((b.Badge("caution", "warn"), " ", b.Source(sentence(text)))) for text in case.cautions]
    items += [b.Item(sentence(text)) for text in case.actions]
    if case.timers or case.timers_why:
        items.append(b.Item(f"Timers: {timers_text(case)}"))
    if case.needs:
        items.append(b.Item(f"Not known, and could bring an earlier row to match: {'; '.join(case.needs)}."))
    if items:
        yield b.Items(tuple(items))
    if case.now is not None and case.then is not None:
        pair = b.Pair(diagram(case.now, "Now"), diagram(case.then, "As recommended", other=case.now), CHANGED)
        yield b.Section("The way of a connection", (pair,), 4)
    if case.trials:
        matches = {True: "yes", False: "no", None: "not known"}
        rows = tuple((trial.row, matches[trial.matches], trial.why) for trial in case.trials)
        table = b.Table(f"Rows of the matrix tried for {case.service}", ("row", "matches", "why"), rows)
        yield b.Section("The rows that were tried", (table,), 4, folded="closed")


def _timers(question: QuestionPage) -> tuple[Block, ...]:
    """What is compared, or the probes that each node gets where nodes are not counted."""
    if question.timers and any(point.probes for point in question.timers):
        return (points_block(question.timers),)
    for case in sorted(question.services, key=lambda service: service.service != question.timers_for):
        prediction = case.then or case.now
        of = None if prediction is None else tradeoff([prediction], None, {})
        if of is not None:
            return tradeoff_blocks(of)
    return (points_block(question.timers),) if question.timers else ()


def _arguments(title: b.Text, arguments: Sequence[Argument]) -> Iterator[Block]:
    """Those that do not apply are folded away."""
    if not arguments:
        return
    blocks: list[Block] = [
        b.Items(tuple(_argument(argument) for argument in arguments if argument.applies is not False))
    ]
    others = tuple(_argument(argument) for argument in arguments if argument.applies is False)
    if others:
        does = "does" if len(others) == 1 else "do"
        blocks.append(b.Section(f"{len(others)} that {does} not apply here", (b.Items(others),), 4, folded="closed"))
    yield b.Section(title, tuple(blocks))


def _argument(argument: Argument) -> b.Item:
    badge = (" ", b.Badge("applies here", "info")) if argument.applies else ()
    details: list[b.Text] = [f"Here: {argument.here}"] if argument.here else []
    if argument.source:
        details.append(("Source: ", b.Source(argument.source)))
    return b.Item((sentence(argument.text), *badge), details=tuple(details))


def _draft(question: QuestionPage) -> Iterator[Section]:
    if not question.draft:
        return
    steps = tuple(
        b.Item((b.Strong(step.when), f" {step.what} "), details=(b.Link(step.source, step.url),))
        for step in question.draft
    )
    asked = tuple(b.Item(b.Strong(one.question), details=(b.Source(one.answer),)) for one in question.open_questions)
    blocks: tuple[Block, ...] = (b.Items(steps, is_plain=True),)
    if asked:
        blocks = (*blocks, b.Section("What is open today", (b.Items(asked, is_plain=True),)))
    yield b.Section("What became of the draft", blocks, 2, anchor="draft", contents="The draft")


def _elsewhere(question: QuestionPage) -> Iterator[Section]:
    if question.timeline:
        steps = tuple(
            b.Item(
                (
                    b.Strong(step.when),
                    f" {step.who}: {step.what} ",
                    b.Badge(step.effect, "info" if step.effect == "on" else ""),
                ),
                details=(*((sentence(step.why),) if step.why else ()), ("Source: ", b.Source(step.source))),
            )
            for step in question.timeline
        )
        title = "Who switched it on or off, and why"
        yield b.Section(title, (b.Items(steps, is_plain=True),), 2, anchor="timeline", contents="History")
    if question.others:
        rows = [(who, value, timers or "–", how, where) for who, value, timers, how, where in others_rows(question)]
        columns = ("who", "create-monitor", "timers", "how", "where")
        table = b.Table("create-monitor and its timers elsewhere", columns, tuple(rows))
        yield b.Section("What others set", (table,), 2, anchor="others", contents="What others set")
    if question.links:
        links = tuple(b.Item(b.Link(link.title, link.url)) for link in question.links)
        yield b.Section("Links", (b.Items(links),), 2, anchor="links", contents="Links")
    if question.notes or question.assumed:
        blocks = [b.Items(tuple(b.Item(sentence(text)) for text in (*question.notes, *question.assumed)))]
        yield b.Section("Notes and assumptions", tuple(blocks), 2, anchor="notes", contents="Notes")
