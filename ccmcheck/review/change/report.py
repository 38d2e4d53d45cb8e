"""A review as a report: the summary, what changes, the cloud.confs, then the Services, worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, Tone
from ccmcheck.review.change.records import ConfigChange, Fate, Review, ReviewPoint, ServiceChange
from ccmcheck.review.change.summary import STAND_INS, broken_lines, points_below, summary
from ccmcheck.review.change.words import Alike, alike, config_lines, heading

COMMENT = 59_400
"""Code points of a comment, with some room: GitHub takes 65,536, GitLab a million."""

TONES: dict[Severity, Tone] = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}
_WIDTH = 13
_IN_CONFIGS = frozenset({"behaviour"})
"""Kinds that stand below their cloud.conf."""


class Extent(NamedTuple):
    """How much a form lists; ``-v`` lists everything.

    Attributes:
        points: Points.
        subjects: Subjects of a point.
        names: Services of which the same is said.
        services: Groups of such Services.
    """

    points: int
    subjects: int
    names: int
    services: int


_SCREEN = Extent(30, 4, 4, 20)
_EVERYTHING = Extent(10**9, 10**9, 10**9, 10**9)
_IN_COMMENT = Extent(10**9, 6, 50, 10**9)


def as_data(review: Review) -> dict[str, object]:
    """A review as plain data; see `ccmcheck.review.change.json_form.as_data`."""
    from ccmcheck.review.change.json_form import as_data as data

    return data(review)


def as_text(review: Review, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """A review for a terminal.

    Args:
        review: The review.
        verbose: 1 for everything, what stays as it is too; 2 for the requests' bodies.
        quiet: Whether the summary, the errors and the warnings are all.

    Yields:
        Lines.
    """
    from ccmcheck.report.document import text

    return text.write(_blocks(review, _EVERYTHING if verbose else _SCREEN, verbose, quiet=quiet))


def as_markdown(review: Review, command: str = "review", *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """A review as Markdown, for the comment of a merge request.

    Args:
        review: The review.
        command: The command that it is of.
        verbose: 1 for everything, what stays as it is too, without regard to a comment's size.
        quiet: Whether the summary, the errors and the warnings are all.

    Yields:
        Lines.
    """
    from ccmcheck.report.document import markdown

    blocks = _blocks(
        review, _EVERYTHING if verbose else _IN_COMMENT, min(verbose, 1), quiet=quiet, title=f"ccmcheck {command}: "
    )
    return markdown.write(blocks, limit=0 if verbose else COMMENT, more=f"ccmcheck {command} -v")


def _blocks(review: Review, extent: Extent, verbose: int, *, quiet: bool, title: str = "") -> Iterator[Block]:
    first, *rest = summary(review)
    yield b.Heading(title + first, 3, below=tuple(rest))
    points = points_below(review, told=_IN_CONFIGS)
    if quiet:
        points = [point for point in points if not point.is_good and point.severity >= Severity.WARNING]
    if points:
        items = [point_item(point, extent.subjects) for point in points[: extent.points]]
        if len(points) > extent.points:
            items.append(b.ListItem(f"and {len(points) - extent.points} more; -v shows them", "info"))
        yield b.ItemList(tuple(items))
    broken = () if review.is_quiet else tuple(broken_lines(review))
    if broken:
        yield b.Lines(broken)
    if quiet:
        return
    if review.stand_ins:
        yield b.Paragraph(STAND_INS)
    for configs in _alike_configs(review, verbose):
        text, *aside = heading(configs[0])
        more = f" and {len(configs) - 1} more" if len(configs) > 1 else ""
        lines = tuple(b.ListItem(line) for line in config_lines(configs[0]))
        yield b.ReportSection(f"{text}{more}", (b.ItemList(lines, is_plain=True),), 4, tuple(aside))
    groups = alike((change for change in review.services if verbose or not change.is_quiet), unchanged=bool(verbose))
    for group in groups[: extent.services]:
        yield _services(group, extent, verbose)
    left = sum(len(group.services) for group in groups[extent.services :])
    if left:
        yield b.Paragraph(f"… and {left} more Services; -v shows them")
    if verbose and review.notes:
        yield b.ReportSection("Notes", (b.ItemList(tuple(map(b.ListItem, review.notes))),), 4)


def _alike_configs(review: Review, verbose: int) -> Iterable[list[ConfigChange]]:
    """The cloud.confs of which something is said, those of which the same is said together."""
    found: dict[object, list[ConfigChange]] = {}
    for config in review.configs:
        lines = tuple(config_lines(config))
        if lines or verbose or config.changes_release:
            _, *aside = heading(config)
            key = config.title if verbose else (lines, *aside)
            found.setdefault(key, []).append(config)
    return found.values()


def point_item(point: ReviewPoint, most: int = _SCREEN.subjects) -> b.ListItem:
    """A point, with some of its subjects and what to do."""
    subjects = first_of(point.subjects, most)
    text: b.Text = (b.Strong(subjects), ": ", point.text) if subjects else point.text
    if point.is_good:
        return b.ListItem(text, "good", "better")
    return b.ListItem(text, TONES[point.severity], point.severity.word, tuple(remedy(point)))


def remedy(point: ReviewPoint) -> Iterator[b.Text]:
    """What to do about a point, and where that can be read; for what is neither a warning nor an error, nothing."""
    if point.severity < Severity.WARNING:
        return
    source = (b.CitedSource(point.evidence),) if point.evidence else ()
    if point.do:
        yield (f"→ {point.do} ", *source) if source else f"→ {point.do}"
    elif source:
        yield source


def _services(group: Alike, extent: Extent, verbose: int) -> Block:
    """Services of which the same is said."""
    first = group.services[0]
    where = f"{first.path}:{first.line}" if len(group.services) == 1 and first.path else ""
    rows = tuple(
        b.PropertyRow(title, after if first.fate in (Fate.CREATED, Fate.JOINED) and not before else before, after)
        for title, before, after in group.rows
    )
    blocks: list[Block] = [b.PropertyTable("", rows, width=_WIDTH)] if rows else []
    if group.requests:
        blocks.append(b.Facts((b.LabelledValue("requests", group.requests),), _WIDTH, is_prose=True))
    if verbose > 1:
        blocks += [block for change in group.services for block in _bodies(change)]
    names = [b.Code(change.service) for change in group.services[: extent.names]]
    more = len(group.services) - len(names)
    listed: list[b.Inline] = [f"Service{'s' if len(group.services) > 1 else ''} "]
    for number, name in enumerate(names):
        listed += [", ", name] if number else [name]
    if more > 0:
        listed.append(f" and {more} more")
    return b.ReportSection(tuple(listed), tuple(blocks), 4, (group.words, where), folded="closed")


def _bodies(change: ServiceChange) -> Iterator[Block]:
    """The requests for one Service, with their bodies."""
    import json

    if change.requests:
        yield b.Paragraph(b.Strong(change.service))
    for request in change.requests:
        yield b.Paragraph(b.Code(f"{request.method} {request.path}"))
        if request.body is not None:
            yield b.Console(json.dumps(request.body, indent=2, ensure_ascii=False), "json")
