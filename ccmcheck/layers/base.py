"""The interface of every layer.

A cloud.conf rarely stands alone in a file: it is base64 in a scalar of a Secret, which is a block scalar of another
object, and so on. Each layer is a lens on the text around it: it has the text inside, maps a place inside to the
place outside, and carries changes outward. The laws, held by property tests::

    put([]) == []
    get(apply(outer, put(edits))) == apply(get(outer), edits)

and everything outside the layer's own place stays as it is, byte by byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span

_NOT_AS_IT_IS = r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
_NOT_AS_IT_IS_IN_ASCII = r"[^\t\n\x20-\x7e]"


def must_escape(text: str, more: str = "") -> re.Pattern[str]:
    """The pattern of what a YAML file must escape: unprintable characters, and line ends such as NEL, LS, PS and CR.

    Compiling it for the whole of Unicode takes milliseconds, so that is done only when a text needs it.

    Args:
        text: What is to be searched.
        more: A further character class to find.

    Returns:
        The pattern, for this very text.
    """
    return re.compile((_NOT_AS_IT_IS_IN_ASCII if text.isascii() else _NOT_AS_IT_IS) + more)


class Layer(Protocol):
    """A lens on the text around it."""

    @property
    def kind(self) -> str:
        """Its name in a finding's route: ``base64``, ``literal block``."""

    @property
    def text(self) -> str:
        """What is inside."""

    @property
    def exact(self) -> bool:
        """Whether each place inside is one place outside; False for base64."""

    def outward(self, span: Span) -> Span:
        """Find where a place inside is.

        Args:
            span: In `text`.

        Returns:
            The place in the text around; the whole encoded text where the layer is not exact.
        """

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes outward.

        Args:
            edits: On `text`.

        Returns:
            Edits on the text around, in its order.

        Raises:
            CannotEdit: The layer cannot carry them; the message is the reason.
            OverlappingEdits: Two of them change the same place.
        """


class Lens:
    """What the lenses share: changes are put in order, and none is carried out of a text that is locked."""

    __slots__ = ()
    locked = ""
    """Why it must not be edited; empty where it may."""

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes outward; see `Layer.put`."""
        ordered = sort(edits)
        if ordered and self.locked:
            raise CannotEdit(self.locked)
        return self.carried(ordered) if ordered else []

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry changes outward; there is at least one, and they are in order."""
        raise NotImplementedError


class Shifted(Lens):
    """A text that stands in the one around it as it is.

    Args:
        start: Where.
        text: It.
    """

    __slots__ = ("start", "text")
    kind = ""
    exact = True

    def __init__(self, start: int, text: str) -> None:
        self.start = start
        self.text = text

    def outward(self, span: Span) -> Span:
        """Shift a place; see `Layer.outward`."""
        return Span(span.start + self.start, span.end + self.start)

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Shift changes; see `Lens.carried`."""
        if ordered[-1].end > len(self.text):
            raise CannotEdit("a change lies outside the text")
        return [Edit(edit.start + self.start, edit.end + self.start, edit.text) for edit in ordered]


class ReadOnly(Lens):
    """A text whose places and changes cannot be carried outward, such as a folded scalar.

    Args:
        kind: See `Layer.kind`.
        text: What is inside.
        span: The whole of it in the text around.
        locked: Why it must be edited by hand; one clause.
    """

    __slots__ = ("kind", "locked", "span", "text")
    exact = False

    def __init__(self, kind: str, text: str, span: Span, locked: str) -> None:
        self.kind, self.text, self.span, self.locked = kind, text, span, locked

    def outward(self, _span: Span) -> Span:
        """The whole place; see `Layer.outward`."""
        return self.span
