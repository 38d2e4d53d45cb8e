"""A Service that Kubernetes rejects."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.rules._support import placeholders, service_fixes, spelling, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Mapping, Scalar, kubernetes_scalar

_ADDRESSES = frozenset(("loadBalancerSourceRanges", "loadBalancerIP", "externalIPs", "clusterIP", "clusterIPs"))
_REPORTED_ELSEWHERE = frozenset(("annotation", "check port", "port range"))
"""By svc-annotation-value and svc-hcnp-range."""


def check(service: ServiceView) -> Problems:
    """Report every fault that no other rule reports."""
    if service.is_accepted or service.manifest.text_at("spec", "type").lower() != "loadbalancer":
        return
    kubernetes = service.run_context.facts.kubernetes_version
    for fault in service.service.faults:
        if fault.about in _REPORTED_ELSEWHERE or fault.holds(kubernetes) is False:
            continue
        if fault.about == "missing" and (service.is_partial or not service.is_settled):
            continue
        if fault.about == "clash" and not service.is_settled:
            continue
        is_field = fault.about == "field"
        node = service.pair_at(*fault.path)[1]
        left = ""
        if isinstance(node, Scalar) and not is_field:
            in_address = not _ADDRESSES.isdisjoint(fault.path)
            left = (spelling.left_in_address if in_address else spelling.placeholder)(node.value)
        elif isinstance(node, Mapping) and not is_field:
            left = _in_braces(node)
        if left and service.is_meant_for_others and not service.manifest.is_named:
            continue  # another cloud's example
        if left:
            yield from placeholders.in_service(service.manifest, service.span_of(*fault.path), left, "the API server")
            continue
        # a field that there was before may be right for the cluster
        sure = fault.holds(kubernetes) if is_field else fault.refuses(kubernetes)
        fix = _fix(service, fault.path, fault.better, is_field=is_field)
        yield Problem(
            service.key_span_of(*fault.path) if is_field else service.span_of(*fault.path),
            fault.text,
            (_DROPPED if sure else _DROPPED_LATER) if is_field else _REFUSED if sure else "",
            f"Write `{fix.edits[0].text}`."
            if fix is not None and isinstance(fault.better, str) and not is_field
            else fault.help,
            fix,
            severity=None if sure else Severity.INFO if is_field else Severity.WARNING,
        )


def _in_braces(node: Mapping) -> str:
    """The placeholder ``{name}``, which is a mapping to YAML; empty for others, of which nothing is shown."""
    text = node.document.text[slice(*node.content)]
    is_alone = not node.has_other_keys and len(node.items) == 1
    return text if is_alone and spelling.placeholder(text) == text else ""


_REFUSED = "The API server rejects the whole Service, so there is no load balancer."
_DROPPED = "kubectl rejects the Service; clients without strict validation silently drop the field."
_DROPPED_LATER = (
    "From that version on kubectl rejects the Service; clients without strict validation silently drop the field."
)


def _fix(service: ServiceView, path: tuple[str | int, ...], better: str | int | None, *, is_field: bool) -> Fix | None:
    """Write the intended field or value."""
    key, node = service.pair_at(*path)
    manifest = service.manifest
    if is_field:
        edit = yaml_fixes.write(manifest, key, better) if key is not None and isinstance(better, str) else None
        return yaml_fixes.unsafe(manifest, f"write `{better}`", edit)
    if not isinstance(node, Scalar) or better is None:
        return None
    if isinstance(better, int):
        edit = service_fixes.as_number(node, better)
    elif isinstance(kubernetes_scalar(node), str):
        edit = service_fixes.replace(manifest, node, better)
    else:
        edit = service_fixes.as_text(manifest, node)
    return yaml_fixes.safe(manifest, f"write `{edit.text}`" if edit is not None else "", edit)
