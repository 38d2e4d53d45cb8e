"""Values of the upstream chart ``openstack-cloud-controller-manager``.

They are at the top of a values file, under an umbrella chart's key for it, or in the object that installs the chart.
The map ``cloudConfig`` is rendered as the chart does it; ``cloudConfigContents`` is the text itself and wins over it.
"""

from __future__ import annotations

import re

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.suggest import nearest_name
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.chart_map import ChartMap
from ccmcheck.carriers.chart_rendering import MERGE_KEY, SECTIONS, UPSTREAM, meant_section, upstream
from ccmcheck.carriers.chart_templates import ChartMapping, read_mapping
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog import ccm_chart
from ccmcheck.catalog.data.deployments import CCM, CINDER_CSI, NOBODY
from ccmcheck.catalog.signs.paths import WORD_FOR_CCM
from ccmcheck.catalog.signs.readers import CCM_READER, reader_by_names
from ccmcheck.catalog.signs.releases import is_ccm_image, release_of
from ccmcheck.layers.base import ReadOnly
from ccmcheck.yamlio import Mapping, Scalar, YamlNode, field, kubernetes_scalar, text_of

CARRIER = "Helm values"
_MAP = "cloudConfig"
_TEXT = "cloudConfigContents"
_CONSUMERS = ("ccm",)
_ADDON_CONSUMERS = ("ccm", CINDER_CSI)
"""Who reads the one Secret that capi-helm-charts' addons make."""
_MOST_READ = 16 * 1024 * 1024
"""Code points of templates that are read for the maps of one file, which has one map and a chart of some 10,000."""
_LOGINS = ("auth-url", "use-clouds")
_GLOBAL = "Global"
_INI_NAMES = frozenset(SECTIONS.values())
_CCM_CHART = lazy_regex(rf"(?ai){WORD_FOR_CCM}")
_CHART_VALUES = frozenset(
    ("secret", "image", "controllerExtraArgs", "enabledControllers", "cluster", "logVerbosityLevel", "serviceMonitor")
)
"""Other values of the upstream chart, by which its map is known where every section in it is misspelt."""

_INSTALLS = ("source", "repoURL", "repository", "version", "path", "chart")
"""What stands there where a tool's list of charts has the name."""

_TOP_VALUES = frozenset(("global", _MAP, "cluster", "secret", "image", "resources", "serviceMonitor"))
"""Values beside the map that are no section of cloud.conf: Helm's own, and the chart's that are maps.

Source: cloud-provider-openstack charts/openstack-cloud-controller-manager/values.yaml, all releases.
"""


MAPS = frozenset((_MAP, _TEXT))
"""The values that hold a cloud.conf."""


def are_values(below: Mapping) -> bool:
    """Whether a mapping below the chart's name in an umbrella chart's values has some of it, and no cloud.conf."""
    names = {key.value for key, _ in below.items}
    return not _CHART_VALUES.isdisjoint(names) and names.isdisjoint((*MAPS, *_INSTALLS))


def find(carrier: Carrier, values: Mapping, path: str) -> frozenset[str]:
    """Search the values of one chart.

    Args:
        carrier: The object, with the text that the values are in.
        values: A mapping with ``cloudConfig`` or ``cloudConfigContents``.
        path: Where the mapping is in the object, for people.

    Returns:
        The keys that are searched then.
    """
    contents = values.get(_TEXT) if ccm_chart.does(_TEXT, carrier.chart_version) else None
    settings = values.get(_MAP)
    if _is_of_another_cloud(carrier, values):
        return frozenset()
    if settings is not None and not carrier.collector.may_use(carrier.source, settings):
        return frozenset({_MAP, _TEXT})
    mapping = _mapping(carrier, settings, path) if isinstance(settings, Mapping) else upstream(carrier.chart_version)
    if contents is None and not (
        _is_map_of_chart(settings, mapping, values, path)
        and (
            _CCM_CHART.search(f"{carrier.chart} {carrier.subject} {path}")
            or _may_be_ours(carrier.source, settings, mapping or UPSTREAM)
        )
    ):
        return frozenset({_TEXT}) if carrier.chart == CCM else frozenset()
    is_shared = isinstance(settings, Mapping) and mapping is not None and mapping == _addon_mapping(settings, path)
    consumers = _ADDON_CONSUMERS if is_shared else _CONSUMERS
    carrier = carrier._replace(kind=CARRIER, subject=carrier.subject or CARRIER, consumers=consumers)
    if mapping is not None and mapping.unread is not None:
        from ccmcheck.carriers import chart_workload

        chart_workload.find(carrier, values, path or "chart", (values.key(_MAP) or values.key(_TEXT) or values).span)
    read_image(carrier, values)
    if makes_no_secret(values, carrier.chart_version):
        carrier = carrier._replace(consumers=(NOBODY,))
    prefix = f"{path}." if path else ""
    if isinstance(contents, Scalar) and contents.value.strip():
        carrier.search_scalar(contents, prefix + _TEXT, named=True)
    elif isinstance(settings, Mapping) and mapping is not None:
        layer = ChartMap(carrier.source.text, settings, mapping, _beside(carrier, values, mapping))
        if layer.pieces or _has_unknown_section(carrier.source, settings, mapping):
            is_whole = carrier.has_all_values and not _has_marks_between(carrier.source, settings)
            complete = mapping.complete and (is_whole or not carrier.chart)  # a release may name more than is here
            source = _rendered(carrier.source, layer, settings, complete=complete, is_whole=is_whole)
            carrier._replace(source=source, has_all_values=is_whole).collect(prefix + _MAP)
        elif carrier.has_all_values and mapping.unread is not None and carrier.consumers != (NOBODY,):
            collect_empty(carrier, settings.content)
    return frozenset({_MAP, _TEXT})


def collect_empty(carrier: Carrier, place: Span) -> None:
    """Collect the cloud.conf that the chart makes where nothing is set: it has no login."""
    empty = ReadOnly(CARRIER, "[Global]\n", place, "set the chart's value cloudConfig")
    source = carrier.source._replace(stack=carrier.source.stack.push(empty), written=empty.text, marks=())
    carrier._replace(source=source).collect("chart")


def is_section_map(values: dict[str, YamlNode]) -> bool:
    """Whether the maps in a mapping are called as the sections of a cloud.conf are, with a login in ``Global``."""
    login = values.get(_GLOBAL)
    return isinstance(login, Mapping) and login.get("auth-url") is not None and values.keys() <= _INI_NAMES


def find_sections(carrier: Carrier, settings: Mapping, path: str) -> None:
    """Collect the map of a chart of somebody's own that prints each map in it as a section; nobody knows for whom.

    Args:
        carrier: The file or object.
        settings: A mapping that `is_section_map`.
        path: Where it is, for people.
    """
    # null is what a chart has for a key that it does not print unless it is set
    sections = {key.value: key.value for key, _ in settings.items}
    mapping = ChartMapping(sections, complete=False, omits_null=True, guessed=True)
    layer = ChartMap(carrier.source.text, settings, mapping)
    if layer.pieces:
        source = _rendered(carrier.source, layer, settings, complete=False)
        carrier._replace(kind=CARRIER, source=source).collect(path)


def _is_of_another_cloud(carrier: Carrier, values: Mapping) -> bool:
    """Whether the chart or its image is another cloud's controller manager, as their names say.

    ``aws-cloud-controller-manager``'s chart has ``cloudConfig.global`` too.
    """
    image = field(values, "image", "repository")
    repository = carrier.source.value_of(image) if isinstance(image, Scalar) else ""
    names = (name for name in (carrier.chart, carrier.subject, repository) if "cloud-controller-manager" in name)
    return reader_by_names(" ".join(names)) not in ("", CCM_READER)


def _addon_mapping(settings: Mapping, path: str) -> ChartMapping | None:
    """What azimuth's capi-helm-charts do with ``openstack.cloudConfig``: every map is a section of cloud.conf.

    Their template adds ``[Global]``, and keys to ``[Networking]`` and ``[LoadBalancer]``
    (azimuth-cloud/capi-helm-charts, charts/cluster-addons/templates/openstack/cloud-config.yaml).
    """
    return _section_mapping(settings) if path.rpartition(".")[2] == "openstack" else None


def _section_mapping(settings: Mapping) -> ChartMapping | None:
    """What a chart does with a map whose maps are called as sections are: it prints each, and may add to them."""
    names = {key.value for key, _ in settings.items}
    return ChartMapping({name: name for name in names - {_GLOBAL}}, complete=False) if names <= _INI_NAMES else None


def _mapping(carrier: Carrier, settings: Mapping, path: str) -> ChartMapping | None:
    """What the chart does with its map: the templates beside the file decide, else it is the upstream chart.

    None where the templates read the map in a way of their own, and for a file with more maps than they are read for.
    """
    collector = carrier.collector
    texts = collector.options.chart_templates(collector.path)
    if texts is None:
        return _addon_mapping(settings, path) or upstream(carrier.chart_version)
    if collector.templates_read > _MOST_READ:
        return None
    collector.templates_read += sum(map(len, texts))
    path = f"{path}.{_MAP}" if path else _MAP
    mapping = read_mapping(texts, path)
    # a chart without templates of its own for the map hands it to the upstream chart
    if mapping is not None:
        return mapping
    if any(f".{path}" in text for text in texts):
        return _addon_mapping(settings, path.removesuffix(_MAP).rstrip("."))
    if _CCM_CHART.search(path) is None and any(f".{_MAP}" in text for text in texts):  # by a variable
        found_mapping = _section_mapping(settings)
        return found_mapping._replace(guessed=True) if found_mapping is not None else None
    return _addon_mapping(settings, path.removesuffix(_MAP).rstrip(".")) or upstream(carrier.chart_version)


def _is_map_of_chart(settings: YamlNode | None, mapping: ChartMapping | None, values: Mapping, path: str) -> bool:
    """Whether a map is the one that a chart renders, if with misspelt sections."""
    if not isinstance(settings, Mapping):
        return False
    if mapping is None:
        return True
    names = {key.value for key, _ in settings.items}
    if not names.isdisjoint(mapping.names) or mapping.any_section:
        return True
    misspelt = [key.value for key, node in settings.items if meant_section(key.value, node, mapping)]
    if not misspelt:
        return False
    if _CCM_CHART.search(path) is not None or not _CHART_VALUES.isdisjoint(key.value for key, _ in values.items):
        return True
    # other charts have a map of the same name with the sections as cloud.conf spells them
    return not path and _INI_NAMES.isdisjoint(names)


def _may_be_ours(source: SourceText, settings: YamlNode | None, mapping: ChartMapping) -> bool:
    """Whether a key in a map is one of cloud.conf, or nearly, or the map shows none.

    Charts of other clouds' controller managers, which began as copies of the upstream one, have the same sections. What
    a template or a merge key (``<<``) adds is not shown.
    """
    shows = False
    for name, node in settings.items if isinstance(settings, Mapping) else ():
        if not isinstance(node, Mapping) or name.value == MERGE_KEY:
            continue
        meant = meant_section(name.value, node, mapping) or name.value
        section = mapping.sections.get(meant, meant)
        for key, _ in node.items:
            if key.value == MERGE_KEY or source.has_mark(key):
                continue
            shows = True
            target = mapping.entries.get((meant, key.value))
            known = catalog.all_keys(target.section if target is not None else section)
            written = target.key if target is not None else key.value
            if written.lower() in known or nearest_name(written, known):
                return True
    return not shows


def _beside(carrier: Carrier, values: Mapping, mapping: ChartMapping) -> list[tuple[Scalar, str]]:
    """The sections that stand beside the chart's map instead of inside it, each with the path that is meant.

    Only what is surely a section is one: all its keys are known in it, and one is no common word. The values that the
    chart has there, and Helm's ``global``, have other names or are left out; the chart's own templates may name more.
    """
    if mapping.any_section or not mapping.complete:
        return []
    found: list[tuple[Scalar, str]] = []
    for key, node in values.items:
        name = key.value
        if name in _TOP_VALUES or not isinstance(node, Mapping) or not node.items:
            continue
        meant = name if name in mapping.names else meant_section(name, node, mapping)
        known = catalog.all_keys(mapping.sections.get(meant, "")) if meant else ()
        names = [entry.value for entry, _ in node.items]
        is_section = all(one.lower() in known for one in names) and any("-" in one for one in names)
        # an anchor says that the map is used elsewhere
        if is_section and "&" not in node.document.text[key.span.end : node.content.start]:
            found.append((key, f"{_MAP}.{meant}"))
    texts = (carrier.collector.options.chart_templates(carrier.collector.path) or ()) if found else ()
    return [
        (key, meant)
        for key, meant in found
        if not any(re.search(rf"(?<!\b{_MAP}\.)\b{re.escape(key.value)}\b", text) for text in texts)
    ]


def _rendered(
    source: SourceText, layer: ChartMap, settings: Mapping, *, complete: bool, is_whole: bool = False
) -> SourceText:
    """The rendered text, with the places in it that the values do not decide.

    A value with a template mark is one. So is the end of a section that a template's condition or a merge key may add
    keys to, and of ``[Global]`` where nothing says how to log in and these may not be all values: credentials usually
    come from another values file.
    """
    marks: list[Span] = []
    merges = settings.key(MERGE_KEY) is not None
    ends: dict[str, int] = {}
    logs_in = is_whole
    name = ""
    for piece in layer.pieces:
        if piece.meant:
            continue
        ends[piece.section] = piece.line_end
        if piece.key is None:
            name = ""
            continue
        if source.has_mark(piece.node) or piece.unknown:
            marks.append(Span(piece.start, piece.end))
        if piece.node is piece.key:
            name = layer.text[piece.start : piece.end]
        elif name in _LOGINS:
            logs_in = logs_in or bool(layer.text[piece.start : piece.end].strip('"'))
    for name, end in ends.items():
        section = settings.get(name)
        templated = isinstance(section, Mapping) and len(source.marks_in(section.span)) > _count_marks(source, section)
        merged = merges or (isinstance(section, Mapping) and section.key(MERGE_KEY) is not None)
        if templated or merged or not complete or (name == "global" and not logs_in):
            marks.append(Span(end, end))
    if not logs_in and "global" not in ends:
        marks.append(Span(len(layer.text), len(layer.text)))
    return source._replace(
        stack=source.stack.push(layer), written=layer.text, marks=tuple(sorted(marks)), depth=source.depth + 1
    )


def _count_marks(source: SourceText, section: Mapping) -> int:
    return sum(len(source.marks_in(key.content)) + len(source.marks_in(value.content)) for key, value in section.items)


def _has_marks_between(source: SourceText, settings: Mapping) -> bool:
    """Whether a template's marks stand between the sections, or for one, so that it may add others."""
    inside = sum(len(source.marks_in(value.span)) for _, value in settings.items if isinstance(value, Mapping))
    return len(source.marks_in(settings.span)) > inside


def _has_unknown_section(source: SourceText, settings: Mapping, mapping: ChartMapping) -> bool:
    """Whether a template expression stands for a whole section."""
    return any(
        key.value in mapping.names
        and isinstance(value, Scalar)
        and (source.has_mark(value) or _is_mark_below(source, value))
        for key, value in settings.items
    )


def _is_mark_below(source: SourceText, value: Scalar) -> bool:
    """Whether a mark alone is the text of a block scalar: its cover is a comment, so that the scalar is empty."""
    end = value.content.end
    following = next((mark.start for mark in source.marks if mark.start >= end), -1)
    return not value.value and following >= 0 and not source.written[end:following].strip()


def makes_no_secret(values: Mapping | None, version: str) -> bool:
    """Whether values switch off the chart's Secret."""
    names = ("enabled", "create") if ccm_chart.does("secret.enabled", version) else ("create",)
    nodes = [field(values, "secret", name) for name in names]
    return any(isinstance(node, Scalar) and kubernetes_scalar(node) is False for node in nodes)


def read_image(carrier: Carrier, values: Mapping) -> None:
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
