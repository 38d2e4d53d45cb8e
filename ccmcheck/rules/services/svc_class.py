"""An unknown load balancer class, or annotations that a class overrides."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.base.suggest import nearest_name
from ccmcheck.rules._support import placeholders, service_fixes, spelling, yaml_fixes
from ccmcheck.rules.views.service_config import may_gain_sections
from ccmcheck.rules.views.service_manifest import WrittenAnnotation
from ccmcheck.rules.views.service_view import ServiceView

_MOST_CONFS = 50
"""Cloud.confs equally near to a Service by which it is predicted."""
_FLOATING_SUBNETS = ("floating-subnet-id", "floating-subnet", "floating-subnet-tags")


def check(service: ServiceView) -> Problems:
    """Look the class up in cloud.conf."""
    annotation = service.annotation("class") if service.handled else None
    each = [service.options] if service.options is not None else service.options_of_each
    if annotation is None or not annotation.text or not each:
        return
    if any(may_gain_sections(conf, service.release) for conf in service.confs):
        return
    if spelling.placeholder(annotation.text):
        return
    if placeholders.are_for_readers(service.manifest.path, is_named=service.manifest.is_named):
        return  # a page's Services are of its readers' clouds, not of the cloud.conf near it
    names = sorted({name for options in each for name in options.classes})
    if annotation.text not in names:
        predictions = [service.predicted(options) for options in each[:_MOST_CONFS]]
        if any(one is None or "invalid loadbalancer class" not in one.error for one in predictions):
            return
        near = nearest_name(annotation.text, names)
        where = service.conf_name or "cloud.conf"
        yield Problem(
            annotation.span,
            f"the CCM fails: no class `{annotation.text}` in {where}",
            "The Service gets no load balancer, and an existing one is no longer updated.",
            f"Write `{near}`."
            if near
            else f"Write one of {', '.join(f'`{name}`' for name in names[:5])}."
            if names
            else "Remove the annotation, or add the section to cloud.conf.",
            _fix(service, near),
        )
    elif len(each) == 1 and service.internal is False and service.behaviours["service-config"]:
        for name, value in _overridden(service, each[0].classes[annotation.text]._asdict()):
            yield Problem(
                name.span,
                f"has no effect: the class {annotation.text} sets {value}",
                "For networks and subnets of an external Service the class takes precedence over annotations.",
                "Remove the annotation, or use another class.",
                severity=Severity.INFO,
            )


def _overridden(service: ServiceView, chosen: dict[str, str]) -> Iterator[tuple[WrittenAnnotation, str]]:
    """The annotations that the class overrides with another value."""
    subnet = next((chosen[name.replace("-", "_")] for name in _FLOATING_SUBNETS if chosen[name.replace("-", "_")]), "")
    overrides = {"floating-network-id": chosen["floating_network_id"], "network-id": chosen["network_id"]}
    overrides |= {"subnet-id": chosen["subnet_id"], **dict.fromkeys(_FLOATING_SUBNETS, subnet)}
    for name, value in overrides.items():
        annotation = service.annotation(name) if value else None
        if annotation is not None and annotation.text and annotation.text != value:
            yield annotation, f"`{value}`"


def _fix(service: ServiceView, near: str | None) -> Fix | None:
    if near is None:
        return None
    return yaml_fixes.unsafe(service.manifest, f"write `{near}`", service_fixes.set_annotation(service, "class", near))
