"""A load balancer's ID or address in a manifest."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Fix, Problem, Severity
from ccmcheck.base.uuids import UUID
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView

_WRITTEN = ("load-balancer-id", "load-balancer-address")


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at both annotations."""
    if not service.handled or service.is_live:
        return
    balancer, address = (service.annotation(name) for name in _WRITTEN)
    named = (balancer.text or "").strip() if balancer is not None else ""
    alone = UUID.fullmatch(named) is not None and not service.others(named)
    if balancer is not None and alone:
        both = address is not None
        names = [name for name in _WRITTEN if service.annotation(name) is not None]
        yield Problem(
            balancer.span,
            "binds the Service to this one load balancer, in every cluster that the file is applied to",
            "The CCM writes this annotation to live Services; no other Service of these files shares the load balancer.",
            "Remove it, unless the load balancer was created for this Service by other means, or is another Service's.",
            _removed(service, names),
            severity=None if both else Severity.INFO,
        )
    elif address is not None and address.text:
        yield Problem(
            address.span,
            "the CCM writes this annotation itself, and overwrites the value of the file",
            "Each time that the file is applied, the value changes there and back.",
            "Remove it.",
            _removed(service, [_WRITTEN[1]]),
            severity=Severity.INFO,
        )


def _removed(service: ServiceView, names: list[str]) -> Fix | None:
    edit = service_fixes.remove_annotations(service, *names)
    return yaml_fixes.unsafe(service.manifest, "remove what the CCM writes", *edit)
