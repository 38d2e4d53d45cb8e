"""A Service that the CCM ignores because of loadBalancerClass."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.service_annotations import PREFIX, annotation
from ccmcheck.rules.views.service_view import ServiceView

_OURS = ("openstack", "octavia")


def check(service: ServiceView) -> Problems:
    """Look at the field, then for evidence that the Service is intended for the CCM."""
    owner = service.service.owner
    if not owner or service.service.type != "LoadBalancer" or "spec.loadBalancerClass" in service.service.open:
        return
    classes = service.options.classes if service.options is not None else {}
    annotations = [name for name in service.annotations if name.startswith(PREFIX) or annotation(name) is not None]
    if not annotations and owner not in classes and not any(word in owner.lower() for word in _OURS):
        return
    named = f"`{PREFIX}class: {owner}`" if owner in classes else ""
    yield Problem(
        service.span_of("spec", "loadBalancerClass"),
        "the CCM ignores a Service with this field, whatever its value",
        "The Service stays pending unless another controller implements this class."
        + (f" The annotation {annotations[0]} has no effect." if annotations else ""),
        f"Remove the field and set the annotation {named}."
        if named
        else "Remove the field, if the Service is intended for the CCM.",
    )
