"""One template mark, as `ccmcheck.yamlio.marks` finds them."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple


class TemplateMark(NamedTuple):
    """One template mark.

    Attributes:
        span: From its first brace or sign to its last.
        kind: ``variable`` (``${VAR}`` and its forms), ``shell`` (``$VAR``), ``escape`` (``$${…}``, prints ``${…}``),
            ``braces`` (``{{ … }}`` that prints something), ``control`` (conditions, loops, assignments), ``comment``,
            ``broken`` (a tag that is not closed: up to the end of its line), ``reference`` (see `references`).
        name: The variable's name where the mark is just that; else empty.
        default: The value of a variable that is not set; None without one.
    """

    span: Span
    kind: str
    name: str = ""
    default: str | None = None

    @property
    def prints(self) -> bool:
        """Whether rendering writes something in its place, as far as the mark alone shows."""
        return self.kind not in ("control", "comment")


def disjoint(found: Iterable[TemplateMark]) -> list[TemplateMark]:
    """Marks in the order of the text, without those that begin in an earlier one; the longer wins at one place.

    Args:
        found: Marks of one text, of several kinds; of equal spans the first stays.
    """
    kept: list[TemplateMark] = []
    for mark in sorted(found, key=_place):
        if not kept or mark.span.start >= kept[-1].span.end:
            kept.append(mark)
    return kept


def _place(mark: TemplateMark) -> tuple[int, int]:
    return mark.span.start, -mark.span.end
