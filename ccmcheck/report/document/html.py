"""Blocks as one HTML page that needs nothing but itself: no script, no font, no picture, no link that loads.

What is in a page may come from anybody's files. So every text is escaped here, whatever a screen would not show as
itself is written as an escape, and a policy in the page's head forbids what the page does not bring: not even a
``style`` attribute counts, which is why bars are small SVGs.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ccmcheck.base.budget import cuts
from ccmcheck.base.escape import inert_markup, printable, printable_lines
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.open_input import read_text
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.links import is_web, linked

STYLE = Path(__file__).with_name("style.css")
_WORD = lazy_regex(r"[a-z]++(?:'[a-z]+)?(?:[ ,.:;]|\Z)")
_UNIT = lazy_regex(r"(?<=\d) (?=(?:m?s|min|%)(?!\w))")
_DOTS, _DOTS_PER_ROW = 44, 22
"""Dots of a diagram that are drawn."""

_DOT, _STEP = 9, 14
_BAR = 1.5
"""The least length of a bar, in hundredths of its column."""

_SHELL = Path(__file__).with_name("shell.html")


def page(title: str, about: str, facts: b.Facts, blocks: Sequence[b.ReportSection]) -> str:
    """Write a page.

    Args:
        title: Its title.
        about: What made it.
        facts: What stands below the title.
        blocks: Its sections; the first one is the summary, and the table of contents follows it.
    """
    import base64
    import hashlib

    from ccmcheck import __version__

    style = "\n" + read_text(str(STYLE))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    first, *rest = blocks
    return read_text(str(_SHELL)).format(
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        version=__version__,
        title=escape(title),
        about=escape(about),
        style=style,
        facts=_joined((facts,)),
        cut="".join(f"\n<p><strong>Cut: {escape(said)}; what is missing is unknown.</strong></p>" for said in cuts()),
        main="\n".join((_joined((first,)), *_contents(rest), _joined(rest))),
    )


def escape(text: str) -> str:
    """A text inside HTML, also inside an attribute."""
    return inert_markup(html.escape(printable(text)))


def sentence(text: str) -> str:
    """A text with a capital at its beginning, unless it begins with a name such as ``create-monitor``."""
    return text[:1].upper() + text[1:] if _WORD.match(text) else text


def prose(text: str) -> str:
    """A text inside HTML whose numbers stay with their units at the end of a line."""
    return _UNIT.sub("\u00a0", escape(text))


def inline(text: b.Text) -> str:
    """A text in a line of prose."""
    return "".join(map(_piece, b.parts(text)))


def _piece(piece: b.Inline) -> str:
    if isinstance(piece, str):
        return prose(piece)
    if isinstance(piece, b.Code):
        return f"<code>{escape(piece.text)}</code>"
    if isinstance(piece, b.Strong):
        return f"<strong>{prose(piece.text)}</strong>"
    if isinstance(piece, b.Quiet):
        return f'<span class="quiet">{prose(piece.text)}</span>'
    if isinstance(piece, b.Badge):
        return f'<span class="{f"tag {piece.tone}".strip()}">{escape(piece.text)}</span>'
    if isinstance(piece, b.Link):
        return link(piece.title, piece.url)
    if isinstance(piece, b.CitedSource):
        return "".join(link(part, url) if url else escape(part) for part, url in linked(piece.text))
    return _bar(piece) if isinstance(piece, b.Bar) else escape(piece.text)


def link(title: str, url: str) -> str:
    """A link, where the address is one of the web; otherwise both as text."""
    if not is_web(url):
        return f"{escape(title)} ({escape(url)})"
    return f'<a href="{escape(url)}" rel="noopener noreferrer">{escape(title)}</a>'


def _bar(piece: b.Bar) -> str:
    start, end = 100 * piece.start, 100 * piece.end
    start = min(start, 100 - _BAR)
    return (
        f'{prose(piece.text)}<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false"><rect class="track" width="100" height="8"/>'
        f'<rect x="{start:.1f}" width="{max(end - start, _BAR):.1f}" height="8"/></svg>'
    )


def _joined(blocks: Iterable[b.Block]) -> str:
    return "\n".join(piece for block in blocks for piece in _WRITERS[type(block)](block))


def _contents(sections: Iterable[b.Block]) -> Iterator[str]:
    listed = [one for one in sections if isinstance(one, b.ReportSection) and one.contents]
    if listed:
        yield '<nav class="contents" aria-label="On this page">\n<ul>'
        yield from (f'<li><a href="#{escape(one.anchor)}">{escape(one.contents)}</a></li>' for one in listed)
        yield "</ul>\n</nav>"


def _aside(aside: Iterable[b.Text]) -> str:
    return "".join(f" {inline(text)}" for text in aside if text)


def _heading(block: b.Heading) -> Iterator[str]:
    yield f"<h{block.level}>{inline(block.text)}{_aside(block.aside)}</h{block.level}>"
    if block.about:
        yield f"<p>{inline(block.about)}</p>"
    yield from _lines(b.Lines(block.below))


def _section(block: b.ReportSection) -> Iterator[str]:
    if block.folded:
        is_part = block.level <= 3
        name = f' id="{escape(block.anchor)}"' if block.anchor else ""
        yield f'<details class="{"service" if is_part else "elsewhere"}"{name}{" open" * (block.folded == "open")}>'
        title = f"<h{block.level}>{inline(block.title)}</h{block.level}>" if is_part else inline(block.title)
        yield f'<summary>{title}{_aside(block.aside)}</summary>\n<div class="inside">'
        yield _joined(block.blocks)
        yield "</div>\n</details>"
    elif block.anchor:
        tone = f' class="summary {block.tone}"' if block.anchor == "summary" else ""
        yield f'<section{tone} aria-labelledby="{escape(block.anchor)}">'
        yield f'<h{block.level} id="{escape(block.anchor)}">{inline(block.title)}</h{block.level}>'
        yield _joined(block.blocks)
        yield "</section>"
    else:
        if block.title:
            yield from _heading(b.Heading(block.title, block.level, aside=block.aside))
        yield _joined(block.blocks)


def _paragraph(block: b.Paragraph) -> Iterator[str]:
    title = f"<strong>{inline(block.title)}.</strong> " if block.title else ""
    if block.tone == "quote":
        yield f"<blockquote>{title}{inline(block.text)}</blockquote>"
    else:
        kind = {"": "", "quiet": ' class="small quiet"', "lead": ' class="lead"'}[block.tone]
        yield f"<p{kind}>{title}{inline(block.text)}</p>"


def _lines(block: b.Lines) -> Iterator[str]:
    if block.lines:
        yield "<p>" + "<br>\n".join(map(inline, block.lines)) + "</p>"


def _facts(block: b.Facts) -> Iterator[str]:
    if not block.facts:
        return
    yield '<dl class="facts">'
    for fact in block.facts:
        details = "".join(f'<br><span class="quiet">{inline(detail)}</span>' for detail in fact.details)
        yield f"<dt>{inline(fact.label)}</dt><dd>{inline(fact.value)}{details}</dd>"
    yield "</dl>"


def _comparison(block: b.PropertyTable) -> Iterator[str]:
    rows = [
        (
            escape(sentence(row.label)),
            *(prose(value) or "–" for value in (row.before, row.after)),
            "" if row.better is None else inline(b.Badge(*(("better", "good") if row.better else ("worse", "bad")))),
        )
        for row in block.rows
    ]
    return _grid(block.caption, ("", *block.columns, ""), rows, kind="stack compared")


def _table(block: b.Table) -> Iterator[str]:
    rows = [tuple(map(inline, row)) for row in block.rows]
    return _grid(block.caption, block.columns, rows, block.marked)


def _grid(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], marked: Sequence[int] = (), kind: str = "stack"
) -> Iterator[str]:
    """A table. A telephone shows each row as a paragraph, and the roles keep it a table."""
    yield f'<div class="table" role="group" aria-label="{escape(caption)}" tabindex="0">'
    yield f'<table class="{kind}" role="table">\n<caption>{escape(caption)}</caption>'
    yield '<thead role="rowgroup"><tr role="row">'
    for head in heads:
        yield f'<th scope="col" role="columnheader">{escape(head)}</th>' if head else '<td role="cell"></td>'
    yield '</tr></thead>\n<tbody role="rowgroup">'
    for number, (first, *others) in enumerate(rows):
        yield f'<tr role="row"{" class=own" * (number in marked)}><th scope="row" role="rowheader">{first or "–"}</th>'
        for head, cell in zip(heads[1:], others, strict=True):
            label = f' data-label="{escape(head)}"' if head else ""
            yield f'<td role="cell"{label}>{cell or ("–" if head else "")}</td>'
        yield "</tr>"
    yield "</tbody>\n</table>\n</div>"


def _items(block: b.ItemList) -> Iterator[str]:
    yield f"<ul{' class=plain' if any(item.word for item in block.items) or block.is_plain else ''}>"
    for item in block.items:
        details = "".join(f'<p class="small quiet">{inline(detail)}</p>' for detail in item.details)
        text = f"<p>{inline(item.text)}</p>{details}" if details or item.word else inline(item.text)
        if item.word:
            yield f'<li class="marked"><p>{inline(b.Badge(item.word, item.tone))}</p><div>{text}</div></li>'
        else:
            yield f"<li>{text}</li>"
    yield "</ul>"


def _console(block: b.Console) -> Iterator[str]:
    label = escape(block.label or "Text of a file")
    text = inert_markup(html.escape(printable_lines(block.text)))
    yield f'<pre tabindex="0" role="group" aria-label="{label}">{text}</pre>'


def _diagram(block: b.Diagram) -> Iterator[str]:
    yield f'<figure class="way">\n<figcaption>{escape(block.title)}</figcaption>'
    if block.absent:
        yield f'<p class="quiet">{escape(block.absent)}</p>'
    else:
        yield f'<ol class="stages{" broken" * block.is_broken}">'
        for stage in block.stages:
            yield f"<li{_changed(stage.is_changed)}>"
            if stage.title or stage.aside:
                yield f'<p class="stage"><strong>{escape(stage.title)}</strong> <span>{inline(stage.aside)}</span></p>'
            for row in stage.rows:
                yield '<div class="row">' + "".join(map(_box, row)) + "</div>"
            if stage.dots is not None:
                yield _dots(*stage.dots)
            if stage.note:
                yield f'<p class="small">{escape(stage.note)}</p>'
            yield "</li>"
        yield "</ol>"
    yield "</figure>"


def _box(box: b.Box) -> str:
    kind = "box missing" if box.is_missing else "box"
    return f"<div{_changed(box.is_changed, kind)}>" + "<br>".join(map(inline, box.lines)) + "</div>"


def _changed(is_changed: bool, kind: str = "") -> str:
    names = f"{kind} {'changed' * is_changed}".strip()
    return f' class="{names}"' if names else ""


def _dots(count: int, hollow: int) -> str:
    """Squares, as many as there are of something; the text beside says how many."""
    drawn = min(count, _DOTS)
    full = drawn - (round(hollow / count * drawn) if count else 0)
    wide, high = _STEP * min(drawn, _DOTS_PER_ROW), _STEP * -(-drawn // _DOTS_PER_ROW)
    paths = "".join(
        f'<path class="{kind}" d="{_squares(first, last)}"/>'
        for kind, first, last in (("full", 0, full), ("hollow", full, drawn))
        if last > first
    )
    return (
        f'<svg class="dots" viewBox="-1 -1 {wide} {high}" width="{wide}" height="{high}" aria-hidden="true" '
        f'focusable="false">{paths}</svg>'
    )


def _squares(first: int, last: int) -> str:
    return "".join(
        f"M{number % _DOTS_PER_ROW * _STEP} {number // _DOTS_PER_ROW * _STEP}h{_DOT}v{_DOT}h-{_DOT}z"
        for number in range(first, last)
    )


def _pair(block: b.DiagramPair) -> Iterator[str]:
    yield f'<div class="pair">\n{_joined((block.first, block.second))}\n</div>'
    if block.note:
        yield f'<p class="small quiet">{escape(block.note)}</p>'


_WRITERS: dict[type, Callable[[Any], Iterator[str]]] = {
    b.Heading: _heading, b.ReportSection: _section, b.Paragraph: _paragraph, b.Lines: _lines, b.Facts: _facts,
    b.PropertyTable: _comparison, b.Table: _table, b.ItemList: _items, b.Console: _console, b.Diagram: _diagram,
    b.DiagramPair: _pair,
}  # fmt: skip
