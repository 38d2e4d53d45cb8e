"""An annotation without effect.

What it does: finds annotations that are read but have no effect on this Service: timers without a health monitor, a subnet
or network with `port-id`, a class of an internal Service before 1.25, features that an old Octavia lacks.

Why: the author expects an effect.

What the CCM does: it ignores them, mostly silently.

Releases: 1.14 and newer

Fix: by hand.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go, by `ccmcheck predict`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations, annotation, is_known, is_valid
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog.data_types import Annotation as Known
    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-annotation-dead",
    "An annotation without effect",
    Severity.INFO,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/{}
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""
_DELAY = _SERVICE.format('health-monitor-delay: "10"')
_ID = "0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"
_PORT = _SERVICE.format(f"port-id: {_ID}\n    loadbalancer.openstack.org/subnet-id: {_ID}")
_CONF = f"[LoadBalancer]\nfloating-network-id = {_ID}\n"
_ON = f"{_CONF}create-monitor = true\n"

BAD = (
    Case(_DELAY, at=(5, 5), conf=_CONF),
    Case(_PORT, at=(6, 5), conf=_CONF),
    Case(
        _SERVICE.format('enable-health-monitor: "false"').replace(
            "spec:", '    loadbalancer.openstack.org/health-monitor-timeout: "3"\nspec:'
        ),
        at=(6, 5),
        conf=_ON,
        shown=False,
    ),
)
GOOD = (
    Case(_DELAY, conf=_ON),
    Case(_DELAY),
    Case(_PORT.replace("    loadbalancer.openstack.org/port-id", "    x/port-id"), conf=_CONF),
    Case(_DELAY, conf=_CONF, release="1.23", shown=False),
    Case(_SERVICE.format('health-monitor-delay: "10s"'), conf=_CONF, shown=False),
    Case(_SERVICE.format("flavor-id: x"), conf=f"{_CONF}lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", shown=False),
)

_LB_METHOD = f"{PREFIX}lb-method"
_CLASS = f"{PREFIX}class"


def check(service: ServiceView) -> Iterator[Problem]:
    """Report the annotations that the prediction ignores."""
    if (
        not service.handled
        or service.driver.is_special
        or not any(name.startswith(PREFIX) for name in service.annotations)
    ):
        return
    prediction = service.prediction
    # reported by svc-annotation-unknown, svc-annotation-value and, where a class sets the same, svc-class
    elsewhere = {_LB_METHOD} | {
        known.name for known in all_annotations() if _CLASS in service.annotations and _is_of_class(known)
    }
    for one in prediction.ignored if prediction is not None else ():
        given, found = service.annotations.get(one.what), annotation(one.what)
        if given is None or not given.text or found is None or one.what in elsewhere:
            continue
        known = one.what.startswith(PREFIX) and is_known(one.what, service.release)
        if known and is_valid(found, given.text, service.release):
            yield Problem(given.key.span, f"has no effect: {one.why}", "", "Remove it, or remove the reason.")


def _is_of_class(known: Known) -> bool:
    """Whether a class of cloud.conf can set the same."""
    named = annotation(_CLASS)
    return named is not None and bool(known.keys) and set(known.keys) <= set(named.keys) and known.name != _CLASS
