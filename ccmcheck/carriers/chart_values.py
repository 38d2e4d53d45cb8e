"""Values of the upstream chart ``openstack-cloud-controller-manager``, wherever they stand.

They stand at the top of a values file, under an umbrella chart's key for it, or in the object that installs the chart.
The map ``cloudConfig`` is rendered as the chart does it; ``cloudConfigContents`` is the text itself and wins over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Span
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.chart_map import SECTIONS, ChartMap
from ccmcheck.carriers.images import is_ccm_image, release_of
from ccmcheck.yamlio import Mapping, Scalar, field, kubernetes_scalar, text_of

if TYPE_CHECKING:
    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.search import Around

CARRIER = "Helm values"
_MAP = "cloudConfig"
_TEXT = "cloudConfigContents"
_CONSUMERS = ("ccm",)
_LOGINS = ("auth-url", "use-clouds")


def find(around: Around, values: Mapping, way: str) -> frozenset[str]:
    """Search the values of one chart.

    Args:
        around: The text that they are in, and the object that they belong to.
        values: A mapping with ``cloudConfig`` or ``cloudConfigContents``.
        way: Where the mapping is in the object, for people.

    Returns:
        The keys that need not be looked at any more.
    """
    contents = values.get(_TEXT)
    settings = values.get(_MAP)
    section_names = {key.value for key, _ in settings.items} if isinstance(settings, Mapping) else set()
    if contents is None and section_names.isdisjoint(SECTIONS):
        return frozenset()
    holder = around.holder
    holder = holder._replace(carrier=CARRIER, subject=holder.subject or CARRIER, consumers=_CONSUMERS)
    around = around._replace(holder=holder)
    _read_image(around, values)
    if _is_off(values, "enabled") or _is_off(values, "create"):
        return frozenset({_MAP, _TEXT})  # the chart makes no Secret of them, so nobody reads them
    prefix = f"{way}." if way else ""
    if isinstance(contents, Scalar) and contents.value.strip():
        around.value(contents, prefix + _TEXT, named=True)
    elif isinstance(settings, Mapping):
        layer = ChartMap(around.level.text, settings)
        if layer.pieces:
            around._replace(level=_rendered(around.level, layer, settings)).take(prefix + _MAP)
    return frozenset({_MAP, _TEXT})


def _rendered(level: Level, layer: ChartMap, settings: Mapping) -> Level:
    """The level of the rendered text, with the places in it that the values do not decide.

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
        if level.has_mark(piece.node):
            marks.append(Span(piece.start, piece.end))
        if piece.node is piece.value and piece.key.value in _LOGINS:
            logs_in = logs_in or bool(layer.text[piece.start : piece.end].strip('"'))
    for name, end in ends.items():
        section = settings.get(name)
        templated = isinstance(section, Mapping) and len(level.within(section.span)) > _marks_in(level, section)
        if templated or (name == "global" and not logs_in):
            marks.append(Span(end, end))
    if not logs_in and "global" not in ends:
        marks.append(Span(len(layer.text), len(layer.text)))
    templated = bool(level.within(settings.span))
    return level._replace(
        stack=level.stack.push(layer),
        written=layer.text,
        marks=tuple(sorted(marks)),
        final=level.final and not templated,
        depth=level.depth + 1,
    )


def _marks_in(level: Level, section: Mapping) -> int:
    return sum(len(level.within(key.content)) + len(level.within(value.content)) for key, value in section.items)


def _is_off(values: Mapping, name: str) -> bool:
    node = field(values, "secret", name)
    return isinstance(node, Scalar) and kubernetes_scalar(node) is False


def _read_image(around: Around, values: Mapping) -> None:
    """The release of an image that the values name; the chart's own default is its appVersion."""
    repository = text_of(field(values, "image", "repository")) or ""
    tag = text_of(field(values, "image", "tag")) or ""
    if tag and (not repository or is_ccm_image(repository)):
        image = f"{repository}:{tag}" if repository else tag
        search = around.search
        search.pods.append(CcmPod(search.path, around.holder.subject, "", image, release_of(f"ccm:{tag}")))
