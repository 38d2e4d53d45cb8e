"""Source ranges that exclude the cluster's own networks."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules._support.source_ranges import SourceRanges, missing, source_ranges
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Scalar, Sequence


def check(service: ServiceView) -> Problems:
    """Compare the ranges with the networks of a profile."""
    facts = service.run_context.facts
    networks = (*facts.pod_cidrs, *facts.node_cidrs)
    if not networks or not service.is_ours or not service.is_settled or service.proxy != "":
        return
    ranges = source_ranges(service)
    excluded = missing(networks, ranges.ranges) if ranges.restricts else ()
    if excluded:
        yield Problem(
            ranges.span,
            f"the ranges exclude the cluster's own networks: {' and '.join(excluded)}",
            "kube-proxy also applies the ranges to connections from inside the cluster: pods cannot reach this Service by its "
            "public address.",
            f"Append {' and '.join(f'`{network}`' for network in excluded)}.",
            _fix(service, ranges, excluded),
        )


def _fix(service: ServiceView, ranges: SourceRanges, excluded: tuple[str, ...]) -> Fix | None:
    title = f"append {', '.join(excluded)}"
    manifest = service.manifest
    if ranges.in_spec:
        node = service.pair_at("spec", "loadBalancerSourceRanges")[1]
        if not isinstance(node, Sequence):
            return None
        return yaml_fixes.unsafe(
            manifest, title, *(yaml_fixes.insert_item(manifest, node, network) for network in excluded)
        )
    annotation = ranges.given
    if annotation is None or not isinstance(annotation.node, Scalar):
        return None
    edit = service_fixes.replace(manifest, annotation.node, ",".join(((annotation.text or "").rstrip(", "), *excluded)))
    return yaml_fixes.unsafe(manifest, title, edit)
