"""A load balancer's ID or address in a manifest."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.base.uuids import UUID
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView

_WRITTEN = ("load-balancer-id", "load-balancer-address")


def check(service: ServiceView) -> Problems:
    """Look at both annotations."""
    if not service.handled or service.is_live:
        return
    balancer, address = (service.annotation(name) for name in _WRITTEN)
    named = (balancer.text or "").strip() if balancer is not None else ""
    alone = UUID.fullmatch(named) is not None and not service.others(named)
    if balancer is not None and alone:
        names = [name for name in _WRITTEN if service.annotation(name) is not None]
        copy = _in_another_cluster(service, named) if service.behaviours["renames"] else ""
        yield Problem(
            balancer.span,
            "binds the Service to this one load balancer, in every cluster that the file is applied to",
            f"{copy} names it for another cluster. If one of the CCMs made it, each renames it to its own cluster's and "
            "replaces the other's listeners and members; whichever Service is deleted first deletes it."
            if copy
            else "The CCM writes this annotation to live Services; no other Service of these files shares the load balancer.",
            "Remove it, unless the load balancer was created for this Service by other means, or is another Service's.",
            _removed(service, names),
            severity=None if address is not None else Severity.INFO,
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


def _in_another_cluster(service: ServiceView, balancer: str) -> str:
    """The file of the same Service beside another CCM with the load balancer; empty without one."""
    run, own = service.run_context, service.manifest
    names = {folder_of(pod.path): pod.cluster_name for pod in run.pods}
    for other in run.sharing_services.get(balancer, ()):
        first, second = (names.get(folder_of(path)) for path in (own.path, other.path))
        if other.subject == own.subject and first != second and None not in (first, second):
            return other.path
    return ""


def _removed(service: ServiceView, names: list[str]) -> Fix | None:
    edit = service_fixes.remove_annotations(service, *names)
    return yaml_fixes.unsafe(service.manifest, "remove what the CCM writes", *edit)
