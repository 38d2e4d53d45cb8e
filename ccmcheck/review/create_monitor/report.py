"""The page on create-monitor as a report: the walk through the matrix alone, or the whole page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.policy.create_monitor import story
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection, Tone
from ccmcheck.report.document.writers import written
from ccmcheck.review.create_monitor import words
from ccmcheck.review.create_monitor.records import ASKED, PageArgument, QuestionPage, ServiceCase

_WIDTH = 10
_MOST_SERVICES = 20
"""A comment of a merge request holds some 60,000 characters."""

_MOST_ARGUMENTS = 5
"""Of a list; the worst come first."""

APPLIES: dict[bool | None, Tone] = {True: "warn", False: "off", None: "info"}


def as_lines(
    page: QuestionPage,
    form: str,
    width: int = 0,
    *,
    whole: bool = True,
    verbose: int = 0,
    first: QuestionPage | None = None,
) -> Iterator[str]:
    """The page for people.

    Args:
        page: The page.
        form: ``text`` or ``markdown``.
        width: Columns to wrap text at; 0 for none.
        whole: False for the walk through the matrix alone.
        verbose: 1 for all Services, the rows tried, and what does not apply here.
        first: The page above this one, which says what holds for both.

    Yields:
        Lines.
    """
    return written(blocks(page, whole=whole, verbose=verbose, first=first), form, width)


def blocks(page: QuestionPage, *, whole: bool, verbose: int, first: QuestionPage | None = None) -> Iterator[Block]:
    """The page as blocks; arguments as for `as_lines`."""
    yield b.Heading(words.headline(page.recommendation), 2, below=(words.judged_line(page, first if whole else None),))
    if not whole:
        yield from _walk(page, verbose)
    elif first is None:
        yield from first_screen(page)
        yield from folded(page, verbose)
    else:
        yield from further_screen(page, first)
        yield from further_folded(page, first, verbose)


def _written(page: QuestionPage) -> Iterator[Block]:
    """What stops the CCM, and what to write into cloud.conf."""
    if page.stop:
        yield b.ItemList((b.ListItem(f"with this file {page.stop}", "bad"),))
    if page.recommendation.config:
        lines = [f"{key} = {value}" for key, value in page.recommendation.config.items()]
        yield b.Console("\n".join(["[LoadBalancer]", *lines]), "ini", "What to write into cloud.conf", 4)


def first_screen(page: QuestionPage) -> Iterator[Block]:
    """The motion: what to write, what changes, what to decide."""
    advised = page.recommendation
    yield from _written(page)
    exceptions = sum(bool(case.annotations) for case in page.services)
    also = f", and {exceptions} Service{' sets' if exceptions == 1 else 's set'} annotations" if exceptions else ""
    yield b.Paragraph(f"Why: {_why(page)}. All figures are for exactly this{also}: {words.checks(page)}.")
    yield b.Table("What changes", ("", "now", "with the motion"), tuple(page.motion))
    setting, option, _ = page.setting
    yield b.Paragraph(f"To decide: which of the draft's five options. On {setting}: option {option} (judgement).")
    if advised.needs:
        yield b.Paragraph(f"Not known: {', '.join(advised.needs)}.")


def further_screen(page: QuestionPage, first: QuestionPage) -> Iterator[Block]:
    """What differs from the first screen of the page above."""
    rows = tuple(row for row in page.motion if row not in first.motion)
    if (page.stop, page.recommendation.config) != (first.stop, first.recommendation.config):
        yield from _written(page)
    if rows or _why(page) != _why(first) or words.checks(page) != words.checks(first):
        yield b.Paragraph(f"Why: {_why(page)}. Figures are for {words.checks(page)}.")
    if rows:
        yield b.Table("What differs from the motion above", ("", "now", "with the motion"), rows)
    else:
        yield b.Paragraph("What to write and all figures are as above.")
    if page.setting != first.setting:
        yield b.Paragraph(f"On {page.setting.name}: option {page.setting.option} (judgement).")


def further_folded(page: QuestionPage, first: QuestionPage, verbose: int, suffix: str = "") -> Iterator[ReportSection]:
    """Of what can be folded away what is the page's own and differs from the page above.

    Args:
        page: The page.
        first: The page above.
        verbose: As for `as_text`.
        suffix: What makes its anchors unique.
    """
    said = {section.anchor: section.blocks for section in folded(first, verbose)}
    for section in folded(page, verbose):
        above = said.get(section.anchor, ())
        own = tuple(_not_said(block, above) for block in section.blocks if block not in above)
        if section.anchor in ("services", "notes") and own:
            yield section._replace(blocks=own, anchor=section.anchor + suffix)


def _not_said(block: Block, above: Sequence[Block]) -> Block:
    """A list without the items that a list above has."""
    if not isinstance(block, b.ItemList):
        return block
    said = [item for other in above if isinstance(other, b.ItemList) for item in other.items]
    return block._replace(items=tuple(item for item in block.items if item not in said))


def _why(page: QuestionPage) -> str:
    advised = page.recommendation
    return advised.why + (f" ({', '.join(advised.rows)})" if advised.rows else "")


def folded(page: QuestionPage, verbose: int) -> Iterator[ReportSection]:
    """What can be folded away, in the order in which a voter asks."""

    def part(title: str, short: str, *inside: Block) -> ReportSection:
        return b.ReportSection(title, inside, 2, folded="closed", anchor=short.lower(), contents=short)

    yield part("The draft's options for externalTrafficPolicy Local", "Options", *_options(page))
    yield part("What can break, and what it costs: the worst first", "Risks", _arguments(page.risks, verbose))
    rows = tuple(
        _row(case) for case in (*(page.services if verbose else page.services[:_MOST_SERVICES]), *page.tenants)
    )
    more = 0 if verbose else len(page.services) - _MOST_SERVICES
    yield part(
        "Services, and those that tenants may create",
        "Services",
        b.Table("The decision for each", ("Service", "policy", "row", "create-monitor", "write"), rows),
        *((b.Paragraph(f"… and {more} more Services; -v shows them"),) if more > 0 else ()),
    )
    yield part(ASKED, "Reasons", *map(b.Paragraph, story.ANSWER), _arguments(page.arguments, verbose))
    if page.instead:
        yield part("What else would do", "Instead", _arguments(page.instead if verbose else page.instead[:2], verbose))
    counts = story.counted()
    yield part(
        "What others set",
        "Others",
        b.Paragraph(
            f"Of {counts.all} organisations {counts.set_on} write true, {counts.option_on} have it as their option's "
            f"default, {counts.unset} leave it out."
        ),
        b.ItemList(tuple(words.others_items(verbose)), is_plain=True),
    )
    steps = tuple(
        b.LabelledValue(step.when, (f"{step.effect:<4} {step.who}: {step.what} ", b.CitedSource(step.source)))
        for step in story.STEPS
        if verbose or step.is_main
    )
    yield part("Who switched it on or off, and why", "History", b.Facts(steps, is_prose=True))
    yield part("What would change the answer", "Open", b.ItemList(tuple(map(b.ListItem, story.WOULD_CHANGE))))
    if verbose:
        links = tuple(b.ListItem(b.Link(link.title, link.url)) for link in story.LINKS)
        yield part("Links", "Links", b.ItemList(links, is_plain=True))
    told = (
        *page.notes,
        *(page.assumed if verbose else ()),
        *([f"release: {page.source}"] if "," in page.source else ()),
    )
    if told:
        yield part("Notes and assumptions", "Notes", b.ItemList(tuple(map(b.ListItem, told))))


def _options(page: QuestionPage) -> Iterator[Block]:
    """The draft's options here, and the one for each setting."""
    items = (
        b.ListItem(
            f"{option.number}. {option.title}",
            details=(
                f"consequence: {option.consequence}; needs: {option.needs}",
                f"rollout: {option.rollout}; rollback: {option.rollback}",
            ),
        )
        for option in page.options
    )
    yield b.ItemList(tuple(items), is_plain=True)
    settings = tuple(b.LabelledValue(name, f"option {number}: {why}") for name, number, why in story.SETTINGS)
    yield b.ReportSection("Recommended by setting (judgement)", (b.Facts(settings, is_prose=True),), 3)
    yield b.Paragraph(("The draft: ", b.CitedSource(story.DRAFT), ", its scripts: ", b.CitedSource(story.SCRIPTS)))


def _row(case: ServiceCase) -> tuple[b.Text, ...]:
    said = [
        f'{name.rpartition("/")[2]}: "{value}"' if value is not None else f"no {name}"
        for name, value in case.annotations.items()
    ]
    return (case.service, case.policy, case.row or "?", case.advice or "not known", "; ".join(said) or "nothing")


def _walk(page: QuestionPage, verbose: int) -> Iterator[Block]:
    advised = page.recommendation
    yield from _written(page)
    facts: list[tuple[str, ...]] = [("why", _why(page)), ("timers", words.timers_text(advised))]
    facts += [("needed", need) for need in advised.needs] + [("note", note) for note in page.notes]
    yield b.ReportSection("", (_facts(facts),))
    for case in page.services if verbose else page.services[:_MOST_SERVICES]:
        yield _service(case, known=advised.timers_why)
    if len(page.services) > _MOST_SERVICES and not verbose:
        yield b.Paragraph(f"… and {len(page.services) - _MOST_SERVICES} more Services; -v shows them")


def _service(case: ServiceCase, *, known: str) -> Block:
    where = f"{case.path}:{case.line}" if case.path and case.line else case.path
    facts: list[tuple[str, ...]] = [(case.row or "?", words.row_text(case))]
    facts += [("besides", text) for text in case.actions] + [("caution", text) for text in case.cautions]
    if case.timers_why not in known:
        facts.append(("timers", words.timers_text(case)))
    for annotation, value in case.annotations.items():
        said = f'annotation {annotation}: "{value}"' if value is not None else f"delete the annotation {annotation}"
        facts.append(("write", said))
    facts += words.outcomes(case)
    rows = [f"{sign} {', '.join(rows)}: {why}" for sign, rows, why in words.misses(case)]
    if rows:
        facts.append(("tried", *rows))
    aside = ("" if case.stand_in else case.policy, " ".join(case.ports), where)
    title: b.Text = case.service if case.stand_in else ("Service ", b.Code(case.service))
    return b.ReportSection(title, (_facts(facts),), aside=aside)


def _facts(facts: Iterable[tuple[str, ...]]) -> Block:
    """Each a label, its text, and what follows on lines of its own; those without a text are left out."""
    shown = (b.LabelledValue(label, text, details=tuple(details)) for label, text, *details in facts if text)
    return b.Facts(tuple(shown), _WIDTH, is_prose=True)


def _arguments(arguments: Sequence[PageArgument], verbose: int) -> Block:
    """Those that hold or may hold; the others are counted."""
    shown = [argument for argument in arguments if verbose or argument.applies is not False]
    shown = shown if verbose else shown[:_MOST_ARGUMENTS]
    items = [
        b.ListItem(
            (f"{argument.text}.{f' Here: {argument.here}.' if argument.here else ''} ", b.CitedSource(argument.source)),
            APPLIES[argument.applies],
        )
        for argument in shown
    ]
    if len(shown) < len(arguments):
        items.append(b.ListItem(f"{len(arguments) - len(shown)} more with -v: smaller, or not of this cluster", "off"))
    return b.ItemList(tuple(items))
