r"""Quoted scalars: ``"…"`` with its escapes, ``'…'`` with its doubled quotes, both folded over lines or not.

Only what changes is escaped again, in a way that JSON understands as well. A change is checked by parsing the result;
where folding prevents it, the whole scalar is written on one line.
"""

from __future__ import annotations

import re

from ccmcheck.base.edits import OverlappingEdits, apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Lens, must_escape
from ccmcheck.layers.segments import Segments

_BREAK = r"(?:\r\n|[\n\r\x85])"
_BLANKS = r"[ \t]++(?![ \t]*+[\r\n\x85])"
_FOLD = rf"[ \t]*+(?P<breaks>(?:{_BREAK}[ \t]*+)++)"
_DOUBLE = (
    rf'(?P<same>(?:[^\\" \t\r\n\x85]++|{_BLANKS})++)|{_FOLD}'
    r"|\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    rf"|\\(?:(?P<joined>{_BREAK}[ \t]*+(?P<more>(?:{_BREAK}[ \t]*+)*+))"
    r"|x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>[0-9A-Fa-f]{8})|(?P<short>.))"
)
_SINGLE = rf"(?P<same>(?:[^' \t\r\n\x85]++|{_BLANKS})++)|{_FOLD}|(?P<quote>'')"
_ONE_BREAK = lazy_regex(_BREAK)
_SHORT = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
_ALWAYS_ESCAPED = r'|["\\\t\n]'
_SURROGATE = r"[\ud800-\udfff]"


class Quoted(Lens):
    """A quoted scalar.

    Args:
        outer: The text around.
        span: The scalar with its quotes, without anchor and tag.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_outer", "_segments", "_span", "kind", "locked", "text")

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        self._outer = outer
        self._span = span
        self.text = text
        self.locked = locked
        self._segments: Segments | None = None
        self.kind = "double-quoted" if outer[span.start] == '"' else "single-quoted"

    @property
    def exact(self) -> bool:
        """True unless the scalar is written in a way that only YAML's own parser knows; see `Layer.exact`."""
        return self._read() is not None

    def outward(self, span: Span) -> Span:
        """Find the place; an escape is taken whole. See `Layer.outward`."""
        segments = self._read()
        return segments.outward(span) if segments else self._span

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry the changes outward, each escaped; see `Lens.carried`."""
        changed = apply(self.text, ordered)
        whole = [Edit(*self._span, quote(changed))]
        segments = self._read()
        if segments is None:
            return whole
        double = self.kind == "double-quoted"
        if not double and (must_escape(changed).search(changed) or "\n" in changed or "\t" in changed):
            return whole
        try:
            carried = sort(self._carry(edit, segments, double) for edit in ordered)
        except OverlappingEdits:
            return whole
        start, end = self._span
        after = apply(self._outer[start:end], [Edit(e.start - start, e.end - start, e.text) for e in carried])
        return carried if _value(_pieces(after)) == changed else whole

    def _carry(self, edit: Edit, segments: Segments, double: bool) -> Edit:
        """Widen a change to whole pieces and escape it."""
        touched = segments.touching(Span(edit.start, edit.end))
        start, end, text = edit
        if touched and not touched[0].same:
            text = self.text[touched[0].inner : start] + text
            start = touched[0].inner
        if touched and not touched[-1].same:
            last = touched[-1].inner + touched[-1].inner_length
            text += self.text[end:last]
            end = last
        span = segments.outward(Span(start, end))
        return Edit(span.start, span.end, escape(text) if double else text.replace("'", "''"))

    def _read(self) -> Segments | None:
        if self._segments is None:
            start, end = self._span
            pieces = _pieces(self._outer[start:end])
            if pieces is None or _value(pieces) != self.text:
                return None
            self._segments = Segments(((len(inner), length, same) for inner, length, same in pieces), start + 1)
        return self._segments


def double_quoted(outer: str, span: Span) -> Quoted | None:
    r"""The layer of a double-quoted string of another language, whose escapes YAML has too: ``\n``, ``\t``, ``\"``.

    Args:
        outer: The text around.
        span: The string with its quotes.

    Returns:
        The layer, None where the string has an escape that YAML does not know.
    """
    value = _value(_pieces(outer[span.start : span.end]))
    return None if value is None else Quoted(outer, span, value)


def quote(text: str) -> str:
    """Write a text as a double-quoted scalar on one line, which is valid JSON too.

    Args:
        text: Its value.

    Returns:
        The scalar with its quotes.

    Raises:
        CannotEdit: The text holds bytes that are not UTF-8, which YAML cannot hold.
    """
    if not text.isascii() and re.search(_SURROGATE, text):
        raise CannotEdit("the text holds bytes that are not UTF-8")
    return f'"{escape(text)}"'


def escape(text: str) -> str:
    """Escape what cannot stand between double quotes."""
    pattern = must_escape(text, _ALWAYS_ESCAPED)
    return pattern.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def _pieces(raw: str) -> list[tuple[str, int, bool]] | None:
    """Split a quoted scalar with its quotes: each piece's text, its length as written, whether both are equal."""
    pattern = re.compile(_DOUBLE if raw[0] == '"' else _SINGLE)  # only where it is needed: compiling is slow
    pieces: list[tuple[str, int, bool]] = []
    position, end = 1, len(raw) - 1
    while position < end:
        match = pattern.match(raw, position, end)
        if match is None:
            return None
        same = match["same"]
        if same is not None:
            pieces.append((same, len(same), True))
        else:
            inner = _inner(match)
            if inner is None:
                return None
            pieces.append((inner, len(match[0]), False))
        position = match.end()
    return pieces


def _inner(match: re.Match[str]) -> str | None:
    """The text of an escape or a folded line end."""
    if match["breaks"] is not None:
        count = len(_ONE_BREAK.findall(match["breaks"]))
        return "\n" * (count - 1) or " "
    groups = match.groupdict()
    if groups.get("quote"):
        return "'"
    if groups["high"]:
        return bytes.fromhex(groups["high"] + groups["low"]).decode("utf-16-be")
    if groups["joined"] is not None:
        return "\n" * len(_ONE_BREAK.findall(groups["more"]))
    if groups["short"] is not None:
        return _SHORT.get(groups["short"])
    return chr(int(groups["x"] or groups["u"] or groups["U"], 16))


def _value(pieces: list[tuple[str, int, bool]] | None) -> str | None:
    return None if pieces is None else "".join(inner for inner, _, _ in pieces)
