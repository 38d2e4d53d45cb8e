"""Values of the upstream chart ``openstack-cloud-controller-manager``.

They are at the top of a values file, under an umbrella chart's key for it, or in the object that installs the chart.
The map ``cloudConfig`` is rendered as the chart does it; ``cloudConfigContents`` is the text itself and wins over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Span
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.chart_map import ChartMap
from ccmcheck.carriers.chart_rendering import SECTIONS
from ccmcheck.carriers.images import is_ccm_image, release_of
from ccmcheck.yamlio import Mapping, Scalar, field, kubernetes_scalar, text_of

if TYPE_CHECKING:
    from ccmcheck.carriers.carrier import Carrier
    from ccmcheck.carriers.source_text import SourceText

CARRIER = "Helm values"
_MAP = "cloudConfig"
_TEXT = "cloudConfigContents"
_CONSUMERS = ("ccm",)
_LOGINS = ("auth-url", "use-clouds")


def find(carrier: Carrier, values: Mapping, path: str) -> frozenset[str]:
    """Search the values of one chart.

    Args:
        carrier: The object, with the text that the values are in.
        values: A mapping with ``cloudConfig`` or ``cloudConfigContents``.
        path: Where the mapping is in the object, for people.

    Returns:
        The keys that are searched then.
    """
    contents = values.get(_TEXT)
    settings = values.get(_MAP)
    section_names = {key.value for key, _ in settings.items} if isinstance(settings, Mapping) else set()
    if contents is None and section_names.isdisjoint(SECTIONS):
        return frozenset()
    carrier = carrier._replace(kind=CARRIER, subject=carrier.subject or CARRIER, consumers=_CONSUMERS)
    _read_image(carrier, values)
    if _is_off(values, "enabled") or _is_off(values, "create"):
        return frozenset({_MAP, _TEXT})  # the chart creates no Secret from them
    prefix = f"{path}." if path else ""
    if isinstance(contents, Scalar) and contents.value.strip():
        carrier.search_scalar(contents, prefix + _TEXT, named=True)
    elif isinstance(settings, Mapping):
        layer = ChartMap(carrier.source.text, settings)
        if layer.pieces:
            carrier._replace(source=_rendered(carrier.source, layer, settings)).collect(prefix + _MAP)
    return frozenset({_MAP, _TEXT})


def _rendered(source: SourceText, layer: ChartMap, settings: Mapping) -> SourceText:
    """The rendered text, with the places in it that the values do not decide.

    A value with a template mark is one. So is the end of a section that a template's condition may add keys to, and of
    ``[Global]`` where nothing says how to log in: credentials usually come from another values file.
    """
    marks: list[Span] = []
    ends: dict[str, int] = {}
    logs_in = False
    for piece in layer.pieces:
        ends[piece.section] = piece.line_end
        if piece.key is None:
            continue
        if source.has_mark(piece.node):
            marks.append(Span(piece.start, piece.end))
        if piece.node is piece.value and piece.key.value in _LOGINS:
            logs_in = logs_in or bool(layer.text[piece.start : piece.end].strip('"'))
    for name, end in ends.items():
        section = settings.get(name)
        templated = isinstance(section, Mapping) and len(source.marks_in(section.span)) > _count_marks(source, section)
        if templated or (name == "global" and not logs_in):
            marks.append(Span(end, end))
    if not logs_in and "global" not in ends:
        marks.append(Span(len(layer.text), len(layer.text)))
    templated = bool(source.marks_in(settings.span))
    return source._replace(
        stack=source.stack.push(layer),
        written=layer.text,
        marks=tuple(sorted(marks)),
        final=source.final and not templated,
        depth=source.depth + 1,
    )


def _count_marks(source: SourceText, section: Mapping) -> int:
    return sum(len(source.marks_in(key.content)) + len(source.marks_in(value.content)) for key, value in section.items)


def _is_off(values: Mapping, name: str) -> bool:
    node = field(values, "secret", name)
    return isinstance(node, Scalar) and kubernetes_scalar(node) is False


def _read_image(carrier: Carrier, values: Mapping) -> None:
    """The release of an image that the values name; the chart's own default is its appVersion."""
    repository = text_of(field(values, "image", "repository")) or ""
    node = field(values, "image", "tag")
    tag = text_of(node) or ""
    if node is not None and tag and (not repository or is_ccm_image(repository)):
        image = f"{repository}:{tag}" if repository else tag
        collector = carrier.collector
        collector.pods.append(
            CcmPod(
                collector.path,
                carrier.subject,
                "",
                image,
                release_of(f"ccm:{tag}"),
                document=collector.document,
                line=collector.position(carrier.source, node.content.start)[0],
            )
        )
