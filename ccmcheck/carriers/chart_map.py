"""The lens on the upstream chart's ``cloudConfig`` map: inside is the cloud.conf that the chart renders from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccmcheck.base.model import Edit, Span
from ccmcheck.carriers.chart_rendering import UPSTREAM, RenderedChart, RenderedPiece, shown_span
from ccmcheck.carriers.chart_templates import ChartMapping
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.yamlio import Mapping, Scalar


class ChartMap:
    """A ``cloudConfig`` map.

    Places are known to the character; still the layer is not exact, because the lines inside are not those of the file.

    Args:
        outer: The YAML text.
        settings: The map's node.
        mapping: What the chart does with it.
        beside: See `RenderedChart`.

    Attributes:
        text: The rendered cloud.conf.
        pieces: See `RenderedChart`.
    """

    __slots__ = ("_outer", "_rendered", "pieces", "text")
    kind = "Helm values"
    exact = False

    def __init__(
        self, outer: str, settings: Mapping, mapping: ChartMapping = UPSTREAM, beside: Iterable[tuple[Scalar, str]] = ()
    ) -> None:
        self._outer = outer
        self._rendered = RenderedChart(settings, mapping, beside)
        self.pieces = self._rendered.pieces
        self.text = self._rendered.text

    def outward(self, span: Span) -> Span:
        """Find the YAML nodes that a place shows; over several entries, all that lies between. See `Layer.outward`."""
        if not self.pieces:
            return shown_span(self._rendered.settings)
        first = self.pieces[self._rendered.index_at(span.start)]
        last = self.pieces[self._rendered.index_at(max(span.start, span.end - 1))]
        if first is last and first.value is first.node and isinstance(first.node, Scalar):
            return self._in_value(first, first.node, span)
        low, high = shown_span(first.node), shown_span(last.node)
        return Span(min(low.start, high.start), max(low.end, high.end))

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes to the YAML text; see `Layer.put` and `ccmcheck.carriers.chart_edits`."""
        if not edits:
            return []
        from ccmcheck.carriers.chart_edits import carry

        return carry(self._rendered, self._outer, edits)

    def _in_value(self, piece: RenderedPiece, node: Scalar, span: Span) -> Span:
        """A place in a value, character by character where the YAML and the rendered text say it alike."""
        quotes = 0 if self._rendered.mapping.bare else 1
        shown = self.text[piece.start + quotes : piece.end - quotes]
        layer = scalar_layer(node, self._outer)
        start, end = span.start - piece.start - quotes, span.end - piece.start - quotes
        if not layer.exact or layer.text != shown or start < 0 or end > len(shown):
            return shown_span(node)
        return layer.outward(Span(start, end))
