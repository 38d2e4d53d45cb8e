"""An annotation that internal-lb in cloud.conf overrides."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.service_annotations import INTERNAL
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the annotation, then at cloud.conf."""
    annotation = service.annotation(INTERNAL) if service.handled else None
    if annotation is None or annotation.text != "false" or not service.behaviours["internal-is-enforced"]:
        return
    if service.config("internal-lb") is True:
        where = service.conf_name or "cloud.conf"
        yield Problem(
            annotation.span,
            f"has no effect: internal-lb = true in {where} takes precedence",
            "The Service gets no floating IP.",
            'Remove internal-lb from cloud.conf, and annotate the Services that are internal with "true".',
        )
