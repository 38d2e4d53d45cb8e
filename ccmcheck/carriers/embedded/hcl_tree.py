"""Blocks and maps of HCL as values with places: what is written out is known, what an expression computes is not.

Source: hashicorp/hcl hclsyntax/spec.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.layers.placed_values import Leaf, Line, List, Map, Tree
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unindented import common_blanks, unindented

LABELS = "#labels"
"""The field of a block with its labels."""

_SPACE = lazy_regex(r"(?:[\s,]++|(?:#|//)[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)*+")
_NAME = lazy_regex(r"\"(?P<quoted>[^\"\n\\$]*+)\"|(?P<bare>[A-Za-z_][\w.-]*+)|\((?P<computed>[^()\n]*+)\)")
_BLANKS = lazy_regex(r"[ \t]*+")
_STRING = lazy_regex(r"\"(?P<text>[^\"\n\\]*+)\"")
_PLAIN = lazy_regex(r"(?P<word>true|false|null)\b|-?\d++(?:\.\d++)?(?![\w.])")
_CALL = lazy_regex(r"(?:yamlencode|jsonencode|tomap|tolist|toset|merge|concat)\(")
_HEREDOC = lazy_regex(r"<<(?P<flush>-?)(?P<word>[^\W\d][\w-]*+)\r?\n")
_END = lazy_regex(r"[ \t]*+(?=[,\r\n}\])#]|//|/\*|\Z)")
_PIECE = lazy_regex(
    r"[^\"\n(){}\[\],#/<]++|\"(?:[^\"\\\n]|\\.)*+\"?|(?P<open>[({\[])|(?P<close>[)}\]])|(?P<end>[\n,])"
    r"|(?P<comment>#[^\n]*+|//[^\n]*+)|(?P<heredoc><<-?(?P<word>[^\W\d][\w-]*+)\r?\n)|[/<]"
)
_DEEPEST = 40
_MOST_PIECES = 20_000


def body_at(text: str, start: int) -> tuple[Map, int]:
    """Read the body of a block, or a map.

    Args:
        text: A file in HCL.
        start: Behind its brace.

    Returns:
        Its fields, and where it ends. A field that comes as blocks is a list of them.
    """
    return _body(text, start, 0)


def _body(text: str, start: int, depth: int) -> tuple[Map, int]:
    found = Map(Span(max(start - 1, 0), start))
    position = start
    while depth <= _DEEPEST:
        position = _behind(_SPACE, text, position)
        name = _NAME.match(text, position)
        if name is None:
            break
        position = _field(text, name, found, depth)
        if position < 0:
            position = name.end()
            break
    end = position + 1 if text.startswith("}", position) else position
    found.place = Span(found.place.start, max(end, start))
    return found, end


def _field(text: str, name: re.Match[str], found: Map, depth: int) -> int:
    """Read an attribute or a block behind its name into a mapping; where it ends, or -1 for neither."""
    key = name["quoted"] if name["quoted"] is not None else name["bare"] or ""
    place = Span(*name.span(name.lastgroup or 0))
    position = _behind(_BLANKS, text, name.end())
    if text.startswith(("=", ":"), position) and not text.startswith("==", position):
        value, position = _value(text, _behind(_BLANKS, text, position + 1), depth + 1)
        if key:
            found.put(key, value, place)
        return position
    labels = List(place)
    while (label := _NAME.match(text, position)) is not None and label["computed"] is None:
        group = label.lastgroup or "bare"
        labels.append(_text(text, Span(*label.span(group))))
        position = _behind(_BLANKS, text, label.end())
    if not text.startswith("{", position):
        return -1
    block, position = _body(text, position + 1, depth + 1)
    if labels:
        block[LABELS] = labels
    if key == "dynamic" and labels and isinstance(labels[0], Leaf):
        found.put(labels[0].text, Leaf(None, "", place, unknown=True), place)
        return position
    several = found.get(key)
    if isinstance(several, List):
        several.append(block)
    elif several is None:
        blocks = List(place)
        blocks.append(block)
        found.put(key, blocks, place)
    return position


def _value(text: str, start: int, depth: int) -> tuple[Tree, int]:
    """Read one expression."""
    if depth <= _DEEPEST:
        if text.startswith("{", start):
            return _body(text, start + 1, depth)
        if text.startswith("[", start):
            return _list(text, start, depth)
        call = _CALL.match(text, start)
        if call is not None:
            value, end = _value(text, _behind(_SPACE, text, call.end()), depth + 1)
            end = _behind(_SPACE, text, end)
            if text.startswith(")", end) and not (isinstance(value, Leaf) and value.unknown):
                return value, end + 1
    heredoc = _HEREDOC.match(text, start)
    if heredoc is not None:
        return _heredoc(text, heredoc)
    for pattern in (_STRING, _PLAIN):
        match = pattern.match(text, start)
        if match is not None and _END.match(text, match.end()) is not None:
            return _leaf(match), match.end()
    end = _behind_expression(text, start)
    shown = text[start:end].rstrip()
    return Leaf(None, shown, Span(start, start + len(shown)), unknown=True), end


def _heredoc(text: str, match: re.Match[str]) -> tuple[Leaf, int]:
    """Read a heredoc, which names other values by ``${`` in it, and is unknown then as a whole value."""
    end = _behind_heredoc(text, match["word"], match.end())
    body = Span(match.end(), max(text.rfind("\n", 0, end) + 1, match.end()))
    layer = unindented(text, body, "heredoc", common_blanks) if match["flush"] else Slice(text, body, "heredoc")
    lines: list[Line] = []
    start = 0
    for line in layer.text.split("\n"):
        lines.append(Line(start, start + len(line), layer.outward(Span(start, start)).start))
        start += len(line) + 1
    unknown = "${" in layer.text or "%{" in layer.text
    return Leaf(layer.text, layer.text, Span(match.start(), end), lines=tuple(lines), unknown=unknown), end


def _leaf(match: re.Match[str]) -> Leaf:
    start, end = match.span()
    written = match[0]
    if written.startswith('"'):
        inner = written[1:-1]
        unknown = "${" in inner or "%{" in inner
        return Leaf(inner, inner, Span(start, end), written, (Line(0, len(inner), start + 1),), unknown=unknown)
    value: object = {"true": True, "false": False, "null": None}.get(written)
    if written[0].isdigit() or written[0] == "-":
        value = float(written) if "." in written else int(written)
    return Leaf(value, written, Span(start, end), written, (Line(0, len(written), start),))


def _text(text: str, place: Span) -> Leaf:
    written = text[place.start : place.end]
    return Leaf(written, written, place, lines=(Line(0, len(written), place.start),))


def _list(text: str, start: int, depth: int) -> tuple[Tree, int]:
    found = List(Span(start, start + 1))
    position = start + 1
    while True:
        position = _behind(_SPACE, text, position)
        if position >= len(text) or text.startswith("]", position):
            break
        value, end = _value(text, position, depth + 1)
        if end <= position:
            break
        found.append(value)
        position = end
    end = min(position + 1, len(text))
    found.place = Span(start, end)
    return found, end


def _behind_expression(text: str, start: int) -> int:
    """Where an expression ends that is not read: at its line's end, or a comma, outside of all brackets."""
    depth = 0
    position = start
    for _ in range(_MOST_PIECES):
        piece = _PIECE.match(text, position)
        if piece is None or (piece["comment"] and not depth):
            return position
        if piece["open"]:
            depth += 1
        elif piece["close"]:
            if not depth:
                return position
            depth -= 1
        elif piece["end"] and not depth:
            return position
        position = piece.end()
        if piece["heredoc"]:
            position = _behind_heredoc(text, piece["word"], position)
    return position


def _behind_heredoc(text: str, word: str, start: int) -> int:
    """Where the line of a heredoc's closing word ends; the end of the text where it is not closed."""
    position = start
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if text[position:end].strip() == word:
            return end
        position = end + 1
    return len(text)


def _behind(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match is not None else position


def blocks_in(value: Tree | None) -> Iterator[Map]:
    """The blocks of a field, or its map."""
    for one in value if isinstance(value, List) else (value,):
        if isinstance(one, Map):
            yield one
