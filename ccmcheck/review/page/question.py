"""The sections of the page on the create-monitor question."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection, Tone
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.create_monitor.report import first_screen, folded


def facts(question: QuestionPage) -> b.Facts:
    """What stands below the title."""
    source = (b.Quiet(f" ({question.source})"),) if question.source else ()
    return b.Facts(
        (
            b.LabelledValue("Configuration", b.Code(question.config) if question.config else "none: the defaults"),
            b.LabelledValue("CCM", (question.release, *source)),
            b.LabelledValue("Provider", question.provider or "the cloud’s default"),
            b.LabelledValue("Nodes", "not known" if question.nodes is None else str(question.nodes)),
        )
    )


def sections(question: QuestionPage) -> Iterator[ReportSection]:
    """The page's sections, the first screen first."""
    advised = question.recommendation
    tone: Tone = "good" if advised.value is not None and advised.now is advised.value else "warn"
    shown = (*first_screen(question), *_picture(question))
    yield b.ReportSection("The motion", shown, 2, anchor="summary", tone="bad" if question.stop else tone)
    yield from folded(question, verbose=0)


def _picture(question: QuestionPage) -> Iterator[Block]:
    """What becomes of first connections, off and on."""
    if question.first_connections:
        columns = ("", "answered at once", "late", "closed")
        rows: tuple[tuple[b.Text, ...], ...] = tuple(
            (whose, *(b.Bar(str(part), part.least, part.most) if part.most else "none" for part in parts))
            for whose, *parts in question.first_connections
        )
        yield b.Table("First connections of a Local Service", columns, rows)
