"""A text that is put together from pieces of the text around it, as a built object is from the files that set it.

Each piece is either a part of the text around it as it stands, or stands for one that it was made from. Places go to
the piece; a change goes outward only where everything that it touches stands there in the same order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple

_SEVERAL = "what it changes is set in several places"
_COMPUTED = "the value is computed from what stands there"


class ComposedPiece(NamedTuple):
    """One piece of a composed text.

    Attributes:
        start: Where it starts in the composed text.
        end: Where it ends there.
        outer: Where it comes from in the text around.
        verbatim: Whether it is that very text.
    """

    start: int
    end: int
    outer: Span
    verbatim: bool


class Composed:
    """The layer of a text that is composed of pieces of the text around.

    Args:
        outer: The text around.
        text: The composed text.
        pieces: In the order of ``text``; they do not overlap.
    """

    __slots__ = ("_outer", "_starts_asked_for", "pieces", "text")
    kind = "built"
    exact = True

    def __init__(self, outer: str, text: str, pieces: Sequence[ComposedPiece]) -> None:
        self._outer = outer
        self.text = text
        self.pieces = tuple(pieces)
        self._starts_asked_for: list[int] | None = None

    @property
    def _starts(self) -> list[int]:
        """Where the pieces start; of most objects nobody asks for a place."""
        if self._starts_asked_for is None:
            self._starts_asked_for = [piece.start for piece in self.pieces]
        return self._starts_asked_for

    def outward(self, span: Span) -> Span:
        """Find where a place inside comes from; see `ccmcheck.layers.base.Layer`."""
        if not self.pieces:
            return Span(0, 0)
        at = bisect_right(self._starts, span.start) - 1
        if (at < 0 or self.pieces[at].end < span.start) and at + 1 < len(self.pieces):
            following = self.pieces[at + 1]
            if at < 0 or "\n" not in self.text[span.start : following.start]:
                at += 1
        first = self.pieces[at]
        if not first.verbatim:
            return first.outer
        start = min(max(first.outer.start + span.start - first.start, first.outer.start), first.outer.end)
        if span.end <= first.end:
            return Span(start, max(start, first.outer.start + span.end - first.start))
        last = self.pieces[bisect_right(self._starts, span.end - 1) - 1]
        end = last.outer.start + min(span.end, last.end) - last.start if last.verbatim else last.outer.end
        length = self.text.count("\n", span.start, span.end)
        if end < start or self._outer.count("\n", start, end) > length:
            end = first.outer.end
        return Span(start, end)

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes outward; see `ccmcheck.layers.base.Layer`."""
        return sort(self._carry(edit) for edit in edits)

    def _carry(self, edit: Edit) -> Edit:
        within = self._piece_around(edit)
        if within is not None:
            if not within.verbatim:
                raise CannotEdit(_COMPUTED)
            if edit.start == edit.end and "\n" in edit.text and edit.start == within.end:
                self._line_end(within)
            shift = within.outer.start - within.start
            return Edit(edit.start + shift, edit.end + shift, self._indented(edit, within))
        if edit.start == edit.end and self._begins_line(edit.start):
            at = bisect_right(self._starts, edit.start) - 1
            if at < 0 or self.text[self.pieces[at].end : edit.start] != "\n":
                raise CannotEdit(_SEVERAL)
            end = self._line_end(self.pieces[at])
            text = self._indented(edit, self.pieces[at])
            return Edit(end, end, text if self._outer[end - 1 : end] == "\n" else f"\n{text.removesuffix(chr(10))}")
        start, end = self._start(edit.start), self._end(edit.end)
        if end < start or _bare(self.text[edit.start : edit.end]) != _bare(self._outer[start:end]):
            raise CannotEdit(_SEVERAL)
        anchor = self.pieces[bisect_right(self._starts, max(edit.start, self._starts[0])) - 1]
        return Edit(start, end, self._indented(edit, anchor))

    def _piece_around(self, edit: Edit) -> ComposedPiece | None:
        """The piece that a change lies in; where it lies between two, an insertion of lines belongs to the first."""
        at = bisect_right(self._starts, edit.start) - 1
        candidates = [self.pieces[index] for index in (at, at - 1) if index >= 0]
        if edit.text.startswith(("\n", "\r")):
            candidates.reverse()
        return next((piece for piece in candidates if piece.start <= edit.start and edit.end <= piece.end), None)

    def _start(self, place: int) -> int:
        """Where a change begins outside: within a piece, or at the start of a line that begins with one."""
        at = bisect_right(self._starts, place) - 1
        known = self.pieces[at] if at >= 0 else None
        if known is not None and known.verbatim and place <= known.end:
            return known.outer.start + place - known.start
        if at + 1 == len(self.pieces) or not self._begins_line(place):
            raise CannotEdit(_SEVERAL)
        first = self.pieces[at + 1]
        return self._outer.rfind("\n", 0, first.outer.start) + 1

    def _end(self, place: int) -> int:
        """Where a change ends outside: within a piece, or after the line that ends with one."""
        at = bisect_right(self._starts, place) - 1
        if self.pieces[at].start == place and self._begins_line(place):
            at -= 1
        if at < 0 or not self.pieces[at].verbatim:
            raise CannotEdit(_SEVERAL)
        last = self.pieces[at]
        if place <= last.end:
            return last.outer.start + place - last.start
        if self.text[last.end : place] == "\n":
            return self._line_end(last)
        following = self.pieces[at + 1] if at + 1 < len(self.pieces) else None
        if following is not None and following.verbatim and not self.text[place : following.start].strip(" "):
            return following.outer.start - (following.start - place)
        raise CannotEdit(_SEVERAL)

    def _line_end(self, piece: ComposedPiece) -> int:
        """Where the next line begins outside, after a piece that nothing but a comment follows on its line."""
        end = self._outer.find("\n", piece.outer.end) + 1 or len(self._outer)
        rest = self._outer[piece.outer.end : end].strip(" \r\n\x1f")
        if not piece.verbatim or (rest and not rest.startswith("#")):
            raise CannotEdit(_SEVERAL)
        return end - 2 if self._outer[end - 2 : end] == "\x1f\n" else end

    def _begins_line(self, place: int) -> bool:
        return place == 0 or self.text[place - 1] == "\n"

    def _indented(self, edit: Edit, anchor: ComposedPiece) -> str:
        """The new text with its lines indented as the lines around it outside are."""
        text = edit.text
        if "\n" not in text:
            return text
        lines = text.split("\n")
        begins = self._begins_line(edit.start)
        item: tuple[int, int] | None = None  # where the dash is that the next lines belong to, inside and outside
        for number, line in enumerate(lines):
            if not line.strip() or not (number or begins):
                continue
            bare = line.lstrip(" ")
            indent = len(line) - len(bare)
            if item is None or indent <= item[0]:
                outer = self._outer_indent(indent, edit.start, anchor, is_item=_is_item(bare))
                item = (indent, outer) if _is_item(bare) else None
            else:
                outer = item[1] + indent - item[0]
            lines[number] = " " * outer + bare
        return "\n".join(lines)

    def _outer_indent(self, indent: int, place: int, anchor: ComposedPiece, *, is_item: bool) -> int:
        """How far a line is indented outside: as the nearest one above of its kind that is indented as far inside.

        The dashes of a sequence may stand at the column of its key, or further in: those of others tell, then the key.
        """
        line_end = place - 1 if place and self._begins_line(place) else self.text.find("\n", place)
        position = len(self.text) if line_end < 0 else line_end
        shift: int | None = None
        of_key: int | None = None
        while position >= 0:
            line = self.text.rfind("\n", 0, position) + 1
            first = self._first_of_line(line, position)
            if (
                first is not None
                and first.verbatim
                and abs(first.outer.start - anchor.outer.start) < len(self.text) * 4
            ):
                bare = self.text[line:position].lstrip(" ")
                inner = position - line - len(bare)
                outer_line = self._outer.rfind("\n", 0, first.outer.start) + 1
                written = self._outer[outer_line : first.outer.end]
                outer = len(written) - len(written.lstrip(" "))
                if shift is None:
                    shift = outer - inner
                if inner == indent and _is_item(bare) == is_item:
                    return outer
                if inner == indent and is_item and of_key is None:
                    of_key = outer
                if inner < indent:
                    break
            position = line - 1
        return of_key if of_key is not None else max(indent + (shift or 0), 0)

    def _first_of_line(self, line: int, end: int) -> ComposedPiece | None:
        at = bisect_left(self._starts, line)
        return self.pieces[at] if at < len(self.pieces) and self.pieces[at].start <= end else None


def _is_item(line: str) -> bool:
    """Whether a line without its indentation begins an item of a sequence."""
    return line.startswith("- ") or line == "-"


def _bare(text: str) -> list[str]:
    """The lines of a text without their indentation, comments after them and blank lines."""
    return [line.strip().split(" #")[0].rstrip() for line in text.split("\n") if line.strip()]
