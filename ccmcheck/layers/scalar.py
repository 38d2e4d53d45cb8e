"""A YAML scalar's lens by its style."""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.layers.base import Layer, ReadOnly
from ccmcheck.yamlio.nodes import Scalar


def scalar_layer(node: Scalar, text: str) -> Layer:
    """The layer of a scalar; only the lenses of the styles that a run meets are loaded.

    Args:
        node: The scalar.
        text: The text that it was parsed from.

    Returns:
        The layer, whose text is the scalar's value.
    """
    value = node.value
    span = node.content
    style = node.style
    locked = ""
    if node.shared:
        locked = "an alias leads here: the change would be made in several places"
    elif node.anchor is not None:
        locked = "the scalar has an anchor"
    if style == "literal":
        from ccmcheck.layers.block import LiteralBlock

        return LiteralBlock(text, span, value, locked)
    if style in ("double", "single"):
        from ccmcheck.layers.quoted import Quoted

        return Quoted(text, span, value, locked)
    if style == "folded":
        return ReadOnly("folded block", value, span, "a folded block scalar must be edited by hand")
    if text.startswith(value, span.start) and span.end - span.start == len(value):
        from ccmcheck.layers.plain import PlainScalar

        return PlainScalar(text, span, value, locked)
    return ReadOnly("plain", value, Span(*span), "a plain scalar over several lines must be edited by hand")
