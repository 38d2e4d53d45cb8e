"""Services in the values of charts of ingress controllers: annotations, type, ports and the rest as the chart has them.

A chart is recognised by the name that stands beside its values, or by the key of a dependency of that name; values
alone count only where an annotation of the CCM is in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.carriers import written_service
from ccmcheck.carriers.base import Listening
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.written_service import field, service_tree
from ccmcheck.catalog.data.ingress_charts import BESIDE_SPEC, BY_NAME, CHARTS, SPEC_FIELDS, IngressChart
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.layers.placed_values import Leaf, List, Map, PlacedReader, Tree, at, made, text_at
from ccmcheck.yamlio import Mapping, marks

_LONGEST_NAME = 63
_LOAD_BALANCER = "LoadBalancer"


def find(carrier: Carrier, values: Mapping, path: str, *, is_for_ccm: bool) -> None:
    """Collect the Services that the values of a chart describe.

    Args:
        carrier: The file or object, with the text that the values are in.
        values: A mapping with one of `ccmcheck.carriers.generic.INGRESS_KEYS`.
        path: Where the mapping is in the object, for people.
        is_for_ccm: Whether the object has annotations of the CCM, so that a mapping may be a chart without its name.
    """
    own_key = path.rpartition(".")[2]
    named = BY_NAME.get(own_key) or BY_NAME.get(carrier.chart)
    if named is None and (carrier.chart or not is_for_ccm):
        return
    if not any(isinstance(values.get(chart.service[0]), Mapping) for chart in ((named,) if named else CHARTS)):
        return
    if not all(carrier.collector.may_use(carrier.source, value) for _, value in values.items):
        return
    tree = PlacedReader(carrier.source.text, 0, carrier.source.has_mark).try_read(values)
    chart = (named or _guessed(tree)) if isinstance(tree, Map) else None
    if chart is None or not isinstance(tree, Map):
        return
    place = _place_of(tree, chart.service)
    service = at(tree, *chart.service)
    listening = _listening(carrier, tree, chart)
    if service is None and carrier.has_all_values and listening is not None and listening.on:
        service = Map(place)
    is_on = _is_on(tree, (*chart.service, "enabled")) and _is_on(tree, chart.switch, default=not chart.switch)
    if not isinstance(service, Map) or not is_on:
        return
    where = ".".join(part for part in (path, *chart.service) if part)
    if chart.name == "ingress-nginx":
        _collect_internal(carrier, tree, chart, where)
        if not _is_on(tree, (*chart.service, "external", "enabled")):
            return
    _collect(carrier, tree, chart, service, place, where)


def _guessed(tree: Tree) -> IngressChart | None:
    """The chart that values alone belong to: an annotation of the CCM is in them, and nothing tells of another one."""
    candidates = [
        chart
        for chart in CHARTS
        for names in (["annotations"], ["internal", "annotations"], *([one] for one in chart.more_annotations))
        if any(name.startswith(PREFIX) for name in field(tree, *chart.service, *names))
    ]
    hinted = (one for one in candidates if not {*field(tree), *field(tree, *one.service)}.isdisjoint(one.hints))
    return next(hinted, next((chart for chart in candidates if len(chart.service) > 1), None))


def _collect(
    carrier: Carrier, tree: Map, chart: IngressChart, service: Map, place: Span, where: str, suffix: str = ""
) -> None:
    spec = _spec(chart, service, place)
    kind = text_at(spec, "type") or chart.type
    is_unknown = isinstance(at(spec, "type"), Leaf) and not text_at(spec, "type")
    if kind != _LOAD_BALANCER and not is_unknown:
        return
    if "type" not in spec:
        spec.put("type", made(kind, place))
    spec.put("ports", _ports(tree, chart, service, place))
    annotations = Map(place)
    for name in ("annotations", *chart.more_annotations):
        for key, value in field(service, name).items():
            annotations.put(key, value, field(service, name).names.get(key))
    if chart.writes_texts:
        annotations = written_service.texts(annotations)
    title = _name(carrier, tree, chart, place, suffix)
    made_tree = service_tree(title, annotations, spec, place, carrier.namespace)
    written_service.collect(carrier, made_tree, where, listening=_listening(carrier, tree, chart))


def _listening(carrier: Carrier, tree: Tree, chart: IngressChart) -> Listening | None:
    """What lets the controller expect a PROXY header; None where that is decided elsewhere or has no key."""
    leaves = [leaf for path in chart.proxy_at for leaf in _leaves(tree, path)]
    is_partial = bool(carrier.chart) and not carrier.has_all_values
    if not chart.proxy_at or is_partial or any(leaf.unknown for leaf in leaves):
        return None
    words = [leaf.text.lower() for leaf in leaves if leaf.value not in (None, False, "")]
    is_on = any(word != "false" and (not word.startswith("-") or "proxyprotocol" in word) for word in words)
    return Listening(chart.name, (chart.name,) if is_on else (), (chart.name,))


def _leaves(tree: Tree | None, path: tuple[str, ...]) -> Iterator[Leaf]:
    """The scalars at a path, in which ``*`` is any key, and those of a list there."""
    if path and isinstance(tree, Map):
        for name in tree if path[0] == "*" else (path[0],):
            yield from _leaves(tree.get(name), path[1:])
    elif isinstance(tree, Leaf):
        yield tree
    elif isinstance(tree, List):
        yield from (item for item in tree if isinstance(item, Leaf))


def _collect_internal(carrier: Carrier, tree: Map, chart: IngressChart, where: str) -> None:
    """The second Service of ingress-nginx, where it is switched on and has annotations."""
    outer = field(tree, *chart.service)
    internal = field(outer, "internal")
    if not _is_on(internal, ("enabled",), default=False) or not field(internal, "annotations"):
        return
    service = Map(internal.place)
    for name, value in internal.items():
        service.put(name, value, internal.names.get(name))
    if "type" not in service and "type" in outer:
        service.put("type", outer["type"], outer.names.get("type"))
    place = outer.names.get("internal", internal.place)
    _collect(carrier, tree, chart, service, place, f"{where}.internal", "-internal")


def _spec(chart: IngressChart, service: Map, place: Span) -> Map:
    spec = Map(place)
    fields = field(service, *chart.spec)
    for name in ("type", *SPEC_FIELDS):
        source = fields if name in fields or name not in BESIDE_SPEC else service
        value = source.get(name)
        if value is None or (not isinstance(value, Leaf) and not value):
            continue
        if isinstance(value, Leaf) and not value.unknown and not value.value:
            continue  # an empty text, null, 0 and false are not written
        spec.put(name, value, source.names.get(name))
    if chart.policy and "externalTrafficPolicy" not in fields:
        spec.put("externalTrafficPolicy", made(chart.policy, place))
    return spec


def _ports(tree: Map, chart: IngressChart, service: Map, place: Span) -> Tree:
    """The ports; an unknown value where the values have ports that are not followed."""
    found = List(place)
    replaced = {name.removesuffix("Ports") for name in chart.lists if isinstance(service.get(name), List)}
    everything = "ports" in chart.lists and "ports" in service
    for port in chart.ports:
        if everything or port.name in replaced or not _is_on(tree, port.enabled_at, default=port.is_on):
            continue
        number = at(tree, *port.number_at) if port.number_at else None
        leaf = number if isinstance(number, Leaf) else written_service.number(port.number, place)
        found.append(written_service.port(port.name, leaf, port.protocol, place))
    for name in chart.lists:
        listed = service.get(name)
        if isinstance(listed, Leaf) and listed.value is not None:
            return Leaf(None, "", listed.place, unknown=True)
        found.extend(_listed(listed, name, place))
    if chart.name == "ingress-nginx":
        for protocol, key in [(of, key) for of in ("tcp", "udp") for key in field(tree, of)]:
            if not key.isdigit():
                return Leaf(None, "", place, unknown=True)
            where = field(tree, protocol).names.get(key, place)
            leaf = Leaf(int(key), key, where)
            found.append(written_service.port(f"{key}-{protocol}", leaf, protocol.upper(), where))
    if chart.name == "traefik" and not {"traefik", "web", "websecure", "metrics"}.issuperset(field(tree, "ports")):
        return Leaf(None, "", place, unknown=True)
    return found


def _listed(listed: Tree | None, name: str, place: Span) -> Iterator[Map]:
    """The ports of a list in the values."""
    for position, item in enumerate(listed if isinstance(listed, List) else ()):
        number = at(item, "port")
        if isinstance(number, Leaf):
            title = text_at(item, "name") or f"{name}-{position}"
            yield written_service.port(title, number, text_at(item, "protocol") or "TCP", place)


def _name(carrier: Carrier, tree: Map, chart: IngressChart, place: Span, suffix: str) -> Leaf:
    """The Service's name, as far as the release's is known: that of the chart stands in for it."""
    override = at(tree, chart.name_at)
    if isinstance(override, Leaf) and override.text:
        name = f"{_cut(_cut(override.text) + chart.suffix)}{suffix}"
        return Leaf(name, name, override.place, unknown=override.unknown)
    release = carrier.release
    own = chart.fixed_name or text_at(tree, "nameOverride") or chart.name
    whole = release if release and (own in release or chart.is_named_alone) else f"{release}-{own}".lstrip("-")
    if chart.fixed_name:
        whole = text_at(tree, *chart.service, "name") or chart.fixed_name
    return made(f"{_cut(_cut(whole) + chart.suffix)}{suffix}", place)


def _cut(name: str) -> str:
    """A name as charts shorten it: ``trunc 63 | trimSuffix "-"``, as ``helm create`` writes into ``_helpers.tpl``.

    What a template's mark makes of it is unknown, and so is what is left of that.
    """
    return name if marks.find(name) else name[:_LONGEST_NAME].removesuffix("-")


def _is_on(tree: Tree, path: tuple[str, ...], *, default: bool = True) -> bool:
    """Whether a switch is on; one that is unknown counts as on."""
    value = at(tree, *path) if path else None
    if not isinstance(value, Leaf) or value.value is None:
        return default or (isinstance(value, Leaf) and value.unknown)
    return bool(value.unknown or value.value)


def _place_of(tree: Map, path: tuple[str, ...]) -> Span:
    """Where the key is whose value describes the Service."""
    parent = at(tree, *path[:-1]) if len(path) > 1 else tree
    return parent.names.get(path[-1], parent.place) if isinstance(parent, Map) else tree.place
