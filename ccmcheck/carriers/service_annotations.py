"""Annotations of the CCM without the Service that gets them: in documents, in patches, and in values of any chart.

Their names and values are judged, and nothing that the rest of the Service decides: type, ports and policy are unknown.
What has the same annotations as a whole Service is judged as that Service alone, see `Collector.settle_annotations`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers import written_service
from ccmcheck.carriers.base import SERVICE_ANNOTATIONS
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.embedded.chart_settings import COMMAND_END
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.service_annotations import INTERNAL, PREFIX
from ccmcheck.layers.placed_values import Leaf, Line, Map, PlacedReader, made
from ccmcheck.yamlio import Mapping, Scalar, YamlNode

_LOAD_BALANCER = "LoadBalancer"
_NAME = rf"(?P<name>{re.escape(PREFIX)}[\w.-]{{1,100}}|{re.escape(INTERNAL)})"
_ESCAPED = (
    r"(?P<name>loadbalancer\\{1,2}\.openstack\\{1,2}\.org/[\w.-]{1,100}"
    r"|service\\{1,2}\.beta\\{1,2}\.kubernetes\\{1,2}\.io/openstack-internal-load-balancer)"
)
_IN_MAP = lazy_regex(
    rf"^[^\n#]{{0,300}}?\"{_NAME}\"[ \t]*+[=:][ \t]*+(?:\"(?P<value>[^\"\n\\]*+)\"|(?P<other>[^\n\",}}#]++))",
    re.MULTILINE,
)
_SET = lazy_regex(
    rf"[Aa]nnotations\.[\"']?{_ESCAPED}[\"']?=(?P<quote>[\"']?)(?P<value>[^\s\"',\\]*+)(?P=quote)(?P<other>(?!))?"
)
"""``helm --set 'service.annotations.loadbalancer\\.openstack\\.org/NAME=VALUE'``."""
_SET_IN_HCL = lazy_regex(
    rf"[Aa]nnotations\.{_ESCAPED}\"[\s,]{{0,200}}+(?:type[ \t]*+=[ \t]*+\"\w++\"[\s,]{{0,200}}+)?value[ \t]*+=[ \t]*+"
    r"(?:\"(?P<value>[^\"\n\\]*+)\"|(?P<other>[^\n,}]*+))"
)
_ANNOTATED = lazy_regex(
    rf"\bannotate\b[^\n]{{0,300}}?[ \t][\"']?{_NAME}=(?P<quote>[\"']?)(?P<value>[^\s\"'`;&|()]*+)(?P<other>(?!))?"
)
"""``kubectl annotate service web loadbalancer.openstack.org/NAME=VALUE``."""
_BETWEEN = lazy_regex(r"[};&|]|(?<!\\)\n[ \t]*+(?![ \t\"'-])[^\n=]*\n|(?<!\\)\n[ \t]*+\n")
_UNKNOWN = ("$", "%{", "<", "{{", "`")
_SWITCHES = ("enabled", "create")
_NOT_A_VALUE = lazy_regex(r"[*?|]|\A(?:!|\^|[<>]=?[ \t]*+\d|(?:\S++[ \t]++){3}\S)")
"""What stands where an annotation's value does: a pattern of Kyverno's or Gatekeeper's, or a description."""


def are_annotations(node: YamlNode) -> bool:
    """Whether a mapping is one of annotations: a name of the CCM's is in it, and every such name has a plain value."""
    if not isinstance(node, Mapping):
        return False
    own = [value for key, value in node.items if key.value.startswith(PREFIX) or key.value == INTERNAL]
    return bool(own) and all(isinstance(value, Scalar) and _NOT_A_VALUE.search(value.value) is None for value in own)


def find(carrier: Carrier, parent: Mapping, annotations: Mapping, where: str, *, as_written: bool) -> None:
    """Collect the annotations in a mapping, unless a field beside them says that they are for no load balancer.

    Args:
        carrier: The file or object, with the text that they are in.
        parent: The mapping that has them; themselves where nothing is around them.
        annotations: A mapping for which `are_annotations` holds.
        where: Where it is in the object, for people.
        as_written: Whether they are the object's own, whose values have to be texts; a chart may write its own.
    """
    if parent is not annotations and _is_for_none(parent):
        return
    _collect(carrier, annotations, where, as_written=as_written)


def find_in_service(carrier: Carrier, obj: KubernetesObject, *, is_patch: bool = False) -> None:
    """Collect the annotations of a Service that has neither a type nor ports: a patch, or a part that people read.

    Args:
        carrier: The Service.
        obj: The same.
        is_patch: Whether it is known to be a patch, whatever it sets.
    """
    annotations = obj.at("metadata", "annotations")
    if not isinstance(annotations, Mapping) or not are_annotations(annotations):
        return
    if is_patch or obj.at("spec", "type") is None:
        _collect(carrier, annotations, "metadata.annotations", as_written=True, name=obj.name)


def find_in_commands(carrier: Carrier, *, in_maps: bool) -> None:
    """Collect the annotations that commands and Terraform set, whose values become texts.

    Args:
        carrier: The file.
        in_maps: Whether quoted names with a value are some, too: in Terraform's maps, and in the JSON of a patch.
    """
    text = carrier.source.text
    if INTERNAL not in text and "openstack.org/" not in text and "openstack\\" not in text:
        return
    _find_groups(carrier, (_SET, _ANNOTATED), COMMAND_END)
    _find_groups(carrier, (_SET_IN_HCL, _IN_MAP) if in_maps else (_SET_IN_HCL,), _BETWEEN)


def _find_groups(carrier: Carrier, patterns: Sequence[re.Pattern[str]], end: re.Pattern[str]) -> None:
    """Collect what patterns find, as one object up to what ends a command, a map or a resource."""
    text = carrier.source.text
    group: list[re.Match[str]] = []
    for match in sorted((match for pattern in patterns for match in pattern.finditer(text)), key=_start):
        if group and end.search(text, group[-1].end(), match.start()):
            _collect_tree(carrier, _map_of(group), "annotations")
            group = []
        group.append(match)
    if group:
        _collect_tree(carrier, _map_of(group), "annotations")


def _start(match: re.Match[str]) -> int:
    return match.start("name")


def _map_of(entries: list[re.Match[str]]) -> Map:
    annotations = Map(Span(entries[0].start("name"), entries[-1].end()))
    for entry in entries:
        group = "value" if entry["value"] is not None else "other"
        value, place = entry[group].strip(), Span(*entry.span(group))
        known = not any(sign in value for sign in _UNKNOWN)
        if group == "other":
            known = value in ("true", "false") or value.isdecimal()
        lines = (Line(0, len(value), place.start),) if group == "value" else ()
        leaf = Leaf(value, value, place, lines=lines) if known else Leaf(None, "", place, unknown=True)
        annotations.put(entry["name"].replace("\\", ""), leaf, Span(*entry.span("name")))
    return annotations


def _collect(carrier: Carrier, node: Mapping, where: str, *, as_written: bool, name: str = "") -> None:
    annotations = PlacedReader(carrier.source.text, 0, carrier.source.has_mark).try_read(node)
    if isinstance(annotations, Map):
        _collect_tree(carrier, annotations if as_written else written_service.texts(annotations), where, name)


def _collect_tree(carrier: Carrier, annotations: Map, where: str, name: str = "") -> None:
    place = annotations.place
    tree, metadata, spec = Map(place), Map(place), Map(place)
    tree.put("kind", made(written_service.SERVICE, place))
    if name:
        metadata.put("name", made(name, place))
    metadata.put("annotations", annotations)
    tree.put("metadata", metadata)
    spec.put("type", made(_LOAD_BALANCER, place))
    spec.put("ports", Leaf(None, "", place, unknown=True))
    tree.put("spec", spec)
    obj = written_service.made_object(carrier, tree, where, SERVICE_ANNOTATIONS)
    if obj is not None:
        carrier.collector.annotations.append((written_service.places_of(carrier, annotations), obj))


def _is_for_none(parent: Mapping) -> bool:
    """Whether a type beside the annotations is that of a Service without a load balancer, or a switch is off."""
    kind = parent.get("type")
    if isinstance(kind, Scalar) and kind.value.isalpha() and kind.value != _LOAD_BALANCER:
        return True
    return any(isinstance(value := parent.get(name), Scalar) and value.value == "false" for name in _SWITCHES)
