"""A load balancer's ID or address in a manifest.

What it does: finds `load-balancer-id` on a Service that shares its load balancer with no other Service of the run, and
`load-balancer-address`. Objects that come from the API server, with a `uid` or a `status`, are left alone.

Why: the CCM writes both to the Service. In a file they outlive the load balancer: applied to another cluster, or after the load
balancer was created again, the Service is bound to another cluster's load balancer, or to a deleted one.

What the CCM does: it only looks for the load balancer with that ID; if there is none, the Service fails. It
overwrites the address.

Releases: 1.23 and newer; the address v1.25.4, v1.26.1 and newer

Fix: removes the annotations.

Fix safety: unsafe because an existing load balancer that is intended would be replaced by a new one

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go updateServiceAnnotation
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.uuids import UUID
from ccmcheck.carriers.base import RunContext, SharingService
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-lbid-in-git",
    "A load balancer's ID or address in a manifest",
    Severity.WARNING,
    kinds=("Service",),
)

_ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
_HEAD = "kind: Service\nmetadata:\n  name: web\n"
_ID_LINE = f"    loadbalancer.openstack.org/load-balancer-id: {_ID}\n"
_ADDRESS_LINE = "    loadbalancer.openstack.org/load-balancer-address: 192.0.2.7\n"
_TAIL = "spec:\n  type: LoadBalancer\n  ports:\n    - port: 80\n"
_SHARED = RunContext(sharing_services={_ID: (SharingService("a.yaml", "Service api", _ID, "", (("81", "TCP"),)),)})

BAD = (
    Case(
        f"{_HEAD}  annotations:\n{_ADDRESS_LINE}{_ID_LINE}{_TAIL}",
        at=(6, 50),
        fixed=f"{_HEAD}{_TAIL}",
        unsafe=True,
    ),
    Case(
        f"{_HEAD}  annotations:\n    team: shop\n{_ID_LINE}{_TAIL}",
        at=(6, 50),
        fixed=f"{_HEAD}  annotations:\n    team: shop\n{_TAIL}",
        unsafe=True,
        severity=Severity.INFO,
    ),
    Case(
        f"{_HEAD}  annotations:\n{_ADDRESS_LINE}{_TAIL}",
        at=(5, 55),
        fixed=f"{_HEAD}{_TAIL}",
        unsafe=True,
        severity=Severity.INFO,
        shown=False,
    ),
)
GOOD = (
    Case(f"{_HEAD}  annotations:\n{_ID_LINE}{_TAIL}", run_context=_SHARED),
    Case(f"{_HEAD}  uid: 5e1f\n  annotations:\n{_ID_LINE}{_ADDRESS_LINE}{_TAIL}"),
    Case(f"{_HEAD}  annotations:\n{_ID_LINE}{_TAIL}", release="1.22"),
    Case(f"{_HEAD}  annotations:\n{_ADDRESS_LINE}{_TAIL}", release="v1.26.0"),
    Case(f"{_HEAD}  annotations:\n    loadbalancer.openstack.org/load-balancer-id: ${{ID}}\n{_TAIL}", template=True),
    Case(f"{_HEAD}{_TAIL}", shown=False),
    Case(f"{_HEAD}  annotations:\n{_ID_LINE.replace(_ID, 'EXISTING_LB_ID')}{_TAIL}", shown=False),
)

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
            "binds the Service to this load balancer, in any cluster that it is applied to",
            "The CCM writes this annotation; no other linted Service shares the load balancer.",
            "Remove it, unless the load balancer was created for this Service by other means, or is another Service's.",
            _removed(service, names),
            severity=None if both else Severity.INFO,
        )
    elif address is not None and address.text:
        yield Problem(
            address.span,
            "is written and overwritten by the CCM",
            "If the file is applied repeatedly, its value and the CCM's alternate.",
            "Remove it.",
            _removed(service, [_WRITTEN[1]]),
            severity=Severity.INFO,
        )


def _removed(service: ServiceView, names: list[str]) -> Fix | None:
    edit = service_fixes.remove_annotations(service, *names)
    return yaml_fixes.unsafe(service.manifest, "remove what the CCM writes", *edit)
