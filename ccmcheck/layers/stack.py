"""The layers between a file and a cloud.conf in it."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Layer

FILE_BEGINS = "\x1e"
"""What a text of several files begins with; see `ccmcheck.kustomize.bundle`."""
LONGEST_TRIED = 20_000
"""Code points of a text that changes are tried on before anybody asks for them: no cloud.conf has as many."""


class Stack:
    """A file's text and the layers that were entered, outermost first; immutable.

    Args:
        text: The file's text.
        layers: Each a lens on the text of the one before it.
    """

    __slots__ = ("layers", "text")

    def __init__(self, text: str, layers: tuple[Layer, ...] = ()) -> None:
        self.text = text
        self.layers = layers

    @property
    def inner(self) -> str:
        """The innermost text."""
        return self.layers[-1].text if self.layers else self.text

    @property
    def is_of_files(self) -> bool:
        """Whether the text is that of several files, in none of which it stands as a whole."""
        return self.text.startswith(FILE_BEGINS)

    @property
    def is_composed(self) -> bool:
        """Whether the innermost text was put together of pieces, so that it stands in no file."""
        from ccmcheck.layers.composed import Composed

        return isinstance(self.layers[-1], Composed)

    def outermost(self, count: int) -> Stack:
        """The first layers alone."""
        return Stack(self.text, self.layers[:count])

    @property
    def exact(self) -> bool:
        """Whether each place in `inner` is one place in the file."""
        return all(layer.exact for layer in self.layers)

    def push(self, layer: Layer) -> Stack:
        """Enter one more layer.

        Args:
            layer: A lens on `inner`.

        Returns:
            A new stack.
        """
        return Stack(self.text, (*self.layers, layer))

    def outward(self, span: Span) -> Span:
        """Map a place in the innermost text to the place in the file.

        Args:
            span: In `inner`.

        Returns:
            The place in the file.
        """
        for layer in reversed(self.layers):
            span = layer.outward(span)
        return span

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes out to the file.

        Args:
            edits: On `inner`.

        Returns:
            Edits on the file, in its order.

        Raises:
            CannotEdit: A layer cannot carry them; the message is the reason.
            OverlappingEdits: Two of them change the same place.
        """
        carried = sort(edits)
        for layer in reversed(self.layers):
            carried = layer.put(carried)
        return carried

    def by_hand(self, edits: Sequence[Edit]) -> str:
        """Why changes must be made by hand; empty where they need not, or where large texts would have to be read.

        Args:
            edits: On `inner`.
        """
        if any(len(layer.text) > LONGEST_TRIED for layer in self.layers):
            return next(filter(None, (getattr(layer, "locked", "") for layer in reversed(self.layers))), "")
        try:
            self.put(edits)
        except CannotEdit as error:
            return error.message
        return ""

    def __repr__(self) -> str:
        return f"Stack({', '.join(layer.kind for layer in self.layers)})"
