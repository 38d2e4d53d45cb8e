"""The sections of the page on the create-monitor question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection, Tone
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.create_monitor.report import first_screen, folded, further_folded, further_screen
from ccmcheck.review.create_monitor.words import headline, judged_line


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


def sections(question: QuestionPage, further: Sequence[QuestionPage] = ()) -> Iterator[ReportSection]:
    """The page's sections, the first screen first; of further configurations what differs."""
    shown = (*first_screen(question), *_picture(question))
    yield b.ReportSection("The motion", shown, 2, anchor="summary", tone=_tone(question))
    for number, other in enumerate(further, 2):
        about = b.Paragraph(judged_line(other, question), "quiet")
        title, anchor = headline(other.recommendation), f"motion-{number}"
        yield b.ReportSection(
            title, (about, *further_screen(other, question)), 2, anchor=anchor, contents=title, tone=_tone(other)
        )
        yield from further_folded(other, question, 0, f"-{number}")
    yield from folded(question, verbose=0)


def _tone(question: QuestionPage) -> Tone:
    if question.stop:
        return "bad"
    advised = question.recommendation
    return "good" if advised.value is not None and advised.now is advised.value else "warn"


def _picture(question: QuestionPage) -> Iterator[Block]:
    """What becomes of first connections, off and on."""
    if question.first_connections:
        columns = ("", "answered at once", "late", "closed")
        rows: tuple[tuple[b.Text, ...], ...] = tuple(
            (whose, *(b.Bar(str(part), part.least, part.most) if part.most else "none" for part in parts))
            for whose, *parts in question.first_connections
        )
        yield b.Table("First connections of a Local Service, rounded", columns, rows)
