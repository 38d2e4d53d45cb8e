"""A Service of a checkout beside the live one: the fields and annotations that decide about its load balancer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccmcheck.cluster import core
from ccmcheck.cluster.access.documents import mapping, mappings
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.drift.records import REMOVED, DriftedValue, last_change, sync_of
from ccmcheck.cluster.live.ownership import without_ccm

FIELDS: tuple[tuple[str, str], ...] = (
    ("type", "type"), ("owner", "loadBalancerClass"), ("ports", "ports"), ("policy", "externalTrafficPolicy"),
    ("affinity", "sessionAffinity"), ("address", "loadBalancerIP"), ("source_ranges", "loadBalancerSourceRanges"),
    ("families", "ipFamilies"), ("allocates", "allocateLoadBalancerNodePorts"),
    ("check_port", "healthCheckNodePort"),
)  # fmt: skip
"""What `Service` reads of the spec, with the field's name."""
OF_THE_CHART = "what its chart sets without values"
_FILLED_IN = frozenset({"families", "check_port"})
"""What the API server fills in where a manifest says nothing."""
_ELSEWHERE = frozenset({"node-selector", "keep-floatingip", "load-balancer-id", "load-balancer-address"})
"""Annotations whose effect the requests for a new load balancer do not show."""
_FALSE = frozenset({"", "false"})


class Judging(core.NamedTuple):
    """By what Services are judged.

    Attributes:
        options: The live cloud.conf.
        cloud: What is around them.
        release: The release that runs.
    """

    options: core.predict_options.Options
    cloud: core.cloud_state.CloudState
    release: core.catalog.Release


class ServicePair(core.NamedTuple):
    """One Service on both sides.

    Attributes:
        git: The checkout's as plain data; texts with a template mark as `Opaque`.
        live: The cluster's, as the API server sent it.
        is_derived: Whether the checkout's is made of a chart's values, which do not say everything.
    """

    git: object
    live: Document
    is_derived: bool = False


def compare(pair: ServicePair, judging: Judging) -> tuple[tuple[DriftedValue, ...], tuple[str, ...]]:
    """Compare two Services by what the CCM makes of them.

    Returns:
        What differs, and what git says only after rendering.
    """
    ours = core.service_input.read_service(pair.git)
    theirs = core.service_input.read_service(without_ccm(pair.live), allocate=False)
    unknown = (*ours.open, *((OF_THE_CHART,) if pair.is_derived else ()))
    fields = _fields(pair, ours, theirs)
    return (*fields, *_annotations(pair, ours, theirs, judging)), unknown


def synced(pair: ServicePair, differences: Iterable[DriftedValue]) -> Document:
    """The live Service after what applies the checkout has applied it: what git says, over what it leaves alone.

    Args:
        pair: The Service on both sides.
        differences: What differs.
    """
    live, git = without_ccm(pair.live), mapping(pair.git)
    spec, annotations = dict(mapping(live.get("spec"))), dict(live["metadata"]["annotations"])
    for difference in differences:
        field = difference.name.removeprefix("spec.")
        owner, name = (spec, field) if field != difference.name else (annotations, difference.name)
        given = mapping(git.get("spec")) if owner is spec else mapping(mapping(git.get("metadata")).get("annotations"))
        if difference.in_git:
            owner[name] = given[name]
        elif difference.sync == REMOVED:
            owner.pop(name, None)
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}, "spec": spec}


def _fields(
    pair: ServicePair, ours: core.service_input.Service, theirs: core.service_input.Service
) -> Iterator[DriftedValue]:
    spec = mapping(mapping(pair.git).get("spec"))
    for attribute, name in FIELDS:
        given = spec.get(name) is not None
        if (
            _is_open(spec.get(name))
            or "spec" in ours.open
            or (not given and (attribute in _FILLED_IN or pair.is_derived))
        ):
            continue
        git, live = _values(attribute, spec, ours, theirs)
        if git == live:
            continue
        yield DriftedValue(
            f"spec.{name}",
            _written(git),
            _written(live),
            in_git=given,
            in_cluster=mapping(pair.live.get("spec")).get(name) is not None,
            changed=last_change(pair.live, "spec", name),
            sync=sync_of(pair.live, given, "spec", name),
        )


def _values(
    attribute: str, spec: Document, ours: core.service_input.Service, theirs: core.service_input.Service
) -> tuple[object, object]:
    """A field on both sides, in a form in which equal values are equal."""
    if attribute == "ports":
        fixed = {
            (port.get("port"), port.get("protocol") or "TCP")
            for port in mappings(spec.get("ports"))
            if port.get("nodePort")
        }
        return _ports(ours, fixed), _ports(theirs, fixed)
    git, live = getattr(ours, attribute), getattr(theirs, attribute)
    return (_ranges(git), _ranges(live)) if attribute == "source_ranges" else (git, live)


def _ports(service: core.service_input.Service, fixed: set[tuple[Any, Any]]) -> tuple[str, ...]:
    """The ports, with the NodePorts that the manifest asks for."""
    return tuple(
        sorted(
            f"{port.port}/{port.protocol}"
            + (f" nodePort {port.node_port}" if (port.port, port.protocol) in fixed else "")
            for port in service.ports
        )
    )


def _ranges(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({str(core.ranges.normal(value.strip()) or value) for value in values}))


def _is_open(value: object) -> bool:
    """Whether a template mark is a part of a value."""
    if isinstance(value, dict):
        return any(map(_is_open, value.values()))
    return any(map(_is_open, value)) if isinstance(value, list) else isinstance(value, core.Opaque)


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return core.masking.mask_value(str(value)) if value else ""


def _annotations(
    pair: ServicePair, ours: core.service_input.Service, theirs: core.service_input.Service, judging: Judging
) -> Iterator[DriftedValue]:
    if "metadata.annotations" in ours.open:
        return
    live_names = mapping(mapping(pair.live.get("metadata")).get("annotations"))
    for name in {**theirs.annotations, **ours.annotations}:
        if name in ours.open or not (
            core.service_annotations.is_known(name, judging.release) or name == core.service_annotations.SOURCE_RANGES
        ):
            continue
        git, live = ours.annotations.get(name), theirs.annotations.get(name)
        if live is None and name in core.service_annotations.WRITTEN_BY_CCM and live_names.get(name) == git:
            continue  # the CCM wrote what the manifest says, too
        if (git is None and pair.is_derived) or _is_same(name, git, live, theirs, judging):
            continue
        path = ("metadata", "annotations", name)
        yield DriftedValue(
            name,
            core.masking.mask_value(git or ""),
            core.masking.mask_value(live or ""),
            in_git=git is not None,
            in_cluster=live is not None,
            changed=last_change(pair.live, *path),
            sync=sync_of(pair.live, git is not None, *path),
        )


def _is_same(
    name: str, git: str | None, live: str | None, service: core.service_input.Service, judging: Judging
) -> bool:
    """Whether two values of an annotation, or one and none, mean the same."""
    if git == live:
        return True
    known = core.service_annotations.annotation(name)
    if name == core.service_annotations.SOURCE_RANGES:
        return _ranges(tuple((git or "").split(","))) == _ranges(tuple((live or "").split(",")))
    if git is not None and live is not None:
        return (
            known is not None
            and known.type == "int"
            and core.service_annotations.integer(git) is not None
            and core.service_annotations.integer(git) == core.service_annotations.integer(live)
        )
    short = name.rpartition("/")[2]
    if short in _ELSEWHERE:
        return short == "keep-floatingip" and {git or "", live or ""} <= _FALSE
    with_it = {**service.annotations, name: git if git is not None else live or ""}
    without = {key: value for key, value in service.annotations.items() if key != name}
    return _have_one_effect(service._replace(annotations=with_it), service._replace(annotations=without), judging)


def _have_one_effect(first: core.service_input.Service, second: core.service_input.Service, judging: Judging) -> bool:
    """Whether the CCM makes the same load balancer of two Services, as where a default is written out."""
    one, other = (_effect(core.predict(judging.options, service, judging.cloud)) for service in (first, second))
    return one is not None and one == other


def _effect(prediction: core.predictions.Prediction) -> tuple[object, ...] | None:
    """What the CCM does; None where it is not known."""
    if prediction.outcome in (core.predictions.Outcome.NOTHING, core.predictions.Outcome.UNKNOWN):
        return None
    floating = prediction.floating._replace(source="", why="")
    return prediction.outcome, prediction.error, prediction.requests, prediction.published, floating, prediction.rules
