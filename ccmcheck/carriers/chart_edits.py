"""Changes of the rendered cloud.conf, carried back to the chart's values.

A fix changes a value, changes a key, removes a line or adds one. Each has its place in the map. The chart quotes
what it prints, so a value means the same with and without its quotes here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.carriers.chart_rendering import RenderedChart, RenderedPiece, entries_of, printed_scalar, shown_span
from ccmcheck.layers.plain import PlainScalar
from ccmcheck.layers.quoted import quote
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.yamlio import Scalar
from ccmcheck.yamlio.meaning import resolve

_KEY = lazy_regex(r"[A-Za-z][\w.-]*\Z")
_LINE = lazy_regex(r"(?P<key>[A-Za-z][\w.-]*+)[ \t]*+=[ \t]*+(?P<value>[^\n]*+)\Z")
_HEADER = lazy_regex(r"\[(?P<name>\w++)\]\Z")
_UNESCAPED = lazy_regex(r"\\(.)", re.DOTALL)
_UNESCAPES = {"n": "\n", "t": "\t"}
_BY_HAND = "the chart renders this text from several values; change them by hand"


def carry(chart: RenderedChart, outer: str, edits: Sequence[Edit]) -> list[Edit]:
    """Carry changes outward.

    Args:
        chart: The map and its rendered text.
        outer: The YAML text around.
        edits: On the rendered text.

    Returns:
        Edits on the YAML text, in its order.

    Raises:
        CannotEdit: A change has no single place in the map.
    """
    by_piece: dict[int, list[Edit]] = {}
    carried: list[Edit] = []
    for edit in sort(edits):
        if edit.start == edit.end and "\n" in edit.text:
            carried.append(_added(chart, outer, edit))
        elif not edit.text.strip("\n") and "\n" in chart.text[edit.start : edit.end]:
            carried += _removed(chart, outer, edit)
        else:
            by_piece.setdefault(_piece_of(chart, edit), []).append(edit)
    for index, changes in by_piece.items():
        piece = chart.pieces[index]
        old = chart.text[piece.start : piece.end]
        if piece.node is piece.key and old != piece.key.value:
            raise CannotEdit("the chart's template names the key; change it there")
        new = apply(old, [Edit(edit.start - piece.start, edit.end - piece.start, edit.text) for edit in changes])
        if piece.node is piece.key and _is_there(chart, piece, new):
            raise CannotEdit("the map has that key already; change it by hand")
        carried += _renamed(piece, outer, new) if piece.node is piece.key else _changed(piece, outer, new)
    return sort(carried)


def _piece_of(chart: RenderedChart, edit: Edit) -> int:
    """The index of the piece (a key or value) that a change is in, its ends included."""
    index = chart.index_at(edit.start)
    for candidate in (index, index - 1):
        piece = chart.pieces[candidate] if candidate >= 0 else None
        if piece is not None and piece.key is not None and piece.start <= edit.start and edit.end <= piece.end:
            return candidate
    raise CannotEdit(_BY_HAND)


def _is_there(chart: RenderedChart, piece: RenderedPiece, new: str) -> bool:
    """Whether a map has a key that is not rendered, such as one of null."""
    entries = entries_of(chart.settings.get(piece.section))
    return any(key is not piece.key and key.value.lower() == new.lower() for key, _ in entries)


def _renamed(piece: RenderedPiece, outer: str, new: str) -> list[Edit]:
    if piece.key is None or not _KEY.match(new):
        raise CannotEdit("this cannot be a key of the chart's values")
    return list(scalar_layer(piece.key, outer).put([Edit(0, len(piece.key.value), new)]))


def _changed(piece: RenderedPiece, outer: str, new: str) -> list[Edit]:
    node = piece.node
    if not isinstance(node, Scalar):
        raise CannotEdit("the value is a list or a map; change it by hand")
    value = _unquoted(new)
    layer = scalar_layer(node, outer)
    if not layer.exact:
        raise CannotEdit("the value is written over several lines; change it by hand")
    carried = list(layer.put([Edit(0, len(layer.text), value)]))
    return [_quoting(edit, value) for edit in carried] if node.style == "plain" else carried


def _removed(chart: RenderedChart, outer: str, edit: Edit) -> list[Edit]:
    """Remove the entries whose whole lines a change removes; a section only as a whole, with its header."""
    pieces = [piece for piece in chart.pieces if edit.start <= piece.start and piece.line_end <= edit.end]
    removed = chart.text[edit.start : edit.end].strip("\n")
    if not pieces or removed != chart.text[pieces[0].start : pieces[-1].line_end]:
        raise CannotEdit(_BY_HAND)
    headers = {piece.section: piece.node for piece in pieces if piece.key is None and not piece.meant}
    carried: list[Edit] = []
    for piece in pieces:
        if piece.key is None or piece.node is not piece.key or piece.value is None:
            continue
        lines = _lines(outer, piece.key.span.start, shown_span(piece.value).end)
        carried.append(Edit(*lines, ""))
    for name, key in headers.items():
        entries = entries_of(chart.settings.get(name))
        if sum(piece.section == name and piece.key is piece.node for piece in pieces) < len(entries):
            raise CannotEdit(_BY_HAND)
        last = max(shown_span(value).end for _, value in entries)
        lines = _lines(outer, key.span.start, last)
        carried = [removal for removal in carried if not lines.start <= removal.start < lines.end]
        carried.append(Edit(*lines, ""))
    return carried


def _lines(outer: str, start: int, end: int) -> Span:
    """The whole lines of a span, which must hold nothing else."""
    first = outer.rfind("\n", 0, start) + 1
    last = outer.find("\n", end)
    last = len(outer) if last < 0 else last
    rest = outer[end:last].strip()
    if outer[first:start].strip(" \t") or (rest and not rest.startswith("#")):
        raise CannotEdit("the entry shares its line with others; remove it by hand")
    return Span(first, min(last + 1, len(outer)))


def _added(chart: RenderedChart, outer: str, edit: Edit) -> Edit:
    """Add the lines of an insertion among the entries, or as a section of their own at the end."""
    lines = [line for line in edit.text.split("\n") if line.strip()]
    index = sum(piece.line_end <= edit.start for piece in chart.pieces) - 1
    if not lines or index < 0 or (chart.text[edit.start - 1] != "\n" and edit.text[0] != "\n"):
        raise CannotEdit(_BY_HAND)
    neighbour = chart.pieces[index]
    below_header = neighbour.key is None
    if below_header:
        neighbour = chart.pieces[index + 1] if index + 1 < len(chart.pieces) else neighbour
    if neighbour.meant or (chart.mapping.entries and neighbour.section not in chart.mapping.sections):
        raise CannotEdit("the chart's template decides under which name the value is read; add it by hand")
    section_indent, indent = _indents(chart, outer, neighbour)
    header = _HEADER.match(lines[0])
    if header is None:
        added = [indent + _yaml_line(line) for line in lines]
        at = shown_span(neighbour.value).end if neighbour.value is not None else 0
    else:
        names = [name for name, section in chart.mapping.sections.items() if section == header["name"]]
        if not names or chart.settings.key(names[0]) is not None or edit.start != len(chart.text):
            raise CannotEdit("this section has to be added to the chart's values by hand")
        added = [f"{section_indent}{names[0]}:"] + [indent + _yaml_line(line) for line in lines[1:]]
        at = shown_span(chart.settings).end
    newline = "\r\n" if "\r\n" in outer else "\n"
    if below_header and neighbour.key is not None:
        start = outer.rfind("\n", 0, neighbour.key.span.start) + 1
        return Edit(start, start, "".join(f"{line}{newline}" for line in added))
    end = outer.find("\n", at)
    if end < 0:
        return Edit(len(outer), len(outer), "".join(f"{newline}{line}" for line in added))
    return Edit(end + 1, end + 1, "".join(f"{line}{newline}" for line in added))


def _indents(chart: RenderedChart, outer: str, neighbour: RenderedPiece) -> tuple[str, str]:
    """The indentation of the sections' keys and of an entry's; there is none in flow style."""
    indents: list[str] = []
    for node in (chart.settings.key(neighbour.section), neighbour.key):
        start = node.span.start if node is not None else 0
        blanks = outer[outer.rfind("\n", 0, start) + 1 : start]
        if node is None or blanks.strip(" "):
            raise CannotEdit("the chart's values are not written line by line; add the key by hand")
        indents.append(blanks)
    return indents[0], indents[1]


def _yaml_line(line: str) -> str:
    match = _LINE.match(line.strip())
    if match is None:
        raise CannotEdit(_BY_HAND)
    value = _unquoted(match["value"])
    bare = f"{match['key']}:"
    if not value:
        return bare + ' ""'
    after = PlainScalar(bare, Span(len(bare), len(bare)), "").put([Edit(0, 0, value)])
    return apply(bare, [_quoting(edit, value) for edit in after])


def _unquoted(shown: str) -> str:
    """The value of a rendered text, quoted or not, as gcfg would read it."""
    text = shown.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return _UNESCAPED.sub(lambda match: _UNESCAPES.get(match[1], match[1]), text[1:-1])
    if '"' in text or "\\" in text or "\n" in text:
        raise CannotEdit("this value cannot be carried to the chart's values; change it by hand")
    return text


def _quoting(edit: Edit, value: str) -> Edit:
    """The edit that writes a value, with quotes around it where the chart would print it differently without."""
    meant = resolve(value)
    shown = meant if isinstance(meant, str) else printed_scalar(meant)
    if shown == value or not edit.text.endswith(value) or edit.text.endswith(quote(value)):
        return edit
    return edit._replace(text=edit.text[: len(edit.text) - len(value)] + quote(value))
