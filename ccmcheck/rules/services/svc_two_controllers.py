"""Another controller acts on a Service of the CCM.

What it does: finds a Service of type LoadBalancer without `loadBalancerClass` in the folder of a cluster whose files run
both the CCM and another controller that handles such Services: MetalLB, kube-vip, keepalived-operator, Kuryr or yawol.
A controller that is started for one class only, pools of MetalLB that are not for every Service, and Kuryr without its
handlers of Services are not reported.

Why: both controllers make something for the Service and write one address over the other in its status. Clients and DNS
get the one or the other address, and the load balancer in Octavia costs quota although nobody may use it.

What the CCM does: it handles every Service of type LoadBalancer without `loadBalancerClass`, whoever else does, unless
`[LoadBalancer] enabled` is false.

Releases: all

Fix: by hand: decide which of the two is responsible. The field is immutable once set, and can only be set when the Service
is created or gets the type LoadBalancer.

Source: k8s.io/cloud-provider controllers/service/controller.go wantsLoadBalancer; metallb controller/service.go
convergeBalancer; kube-vip pkg/manager lbClassFilter; kuryr-kubernetes controller/handlers/lbaas.py; keepalived-operator
controllers/keepalivedgroup_controller.go; yawol cmd/yawol-cloud-controller/main.go
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.path_proximity import ClusterIndex, Itself
from ccmcheck.carriers.base import OtherController, RunContext
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS
from ccmcheck.catalog.service_annotations import owner_of
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog.data.load_balancer_controllers import LoadBalancerController
    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-two-controllers",
    "Another controller acts on a Service of the CCM",
    Severity.WARNING,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
    - port: 80
"""
_WITH_ADDRESS = _SERVICE + "  loadBalancerIP: 192.0.2.10\n"
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"
_METALLB = """\
---
kind: Deployment
metadata:
  name: controller
spec:
  template:
    spec:
      containers:
        - name: controller
          image: quay.io/metallb/controller:v0.14.9
"""
_KUBE_VIP = """\
---
kind: DaemonSet
metadata:
  name: kube-vip
spec:
  template:
    spec:
      containers:
        - name: kube-vip
          image: ghcr.io/kube-vip/kube-vip:v0.8.7
          env:
            - name: svc_enable
              value: "true"
"""
_KURYR = """\
---
kind: ConfigMap
metadata:
  name: kuryr-config
data:
  kuryr.conf: |
    [kubernetes]
    enabled_handlers = vif,service,kuryrloadbalancer
"""
_POOL = "---\nkind: IPAddressPool\nmetadata:\n  name: some\nspec:\n  autoAssign: {}\n"
_KEEPALIVED = _METALLB.replace("quay.io/metallb/controller", "quay.io/redhat-cop/keepalived-operator")
_GROUPED = _SERVICE.replace(
    "spec:", "  annotations:\n    keepalived-operator.redhat-cop.io/keepalivedgroup: a/b\nspec:"
)
_YAWOL = _METALLB.replace("quay.io/metallb/controller", "ghcr.io/stackitcloud/yawol/yawol-cloud-controller")
_VIP_CLOUD = _METALLB.replace("quay.io/metallb/controller", "ghcr.io/kube-vip/kube-vip-cloud-provider")


def _elsewhere(path: str) -> RunContext:
    return RunContext(controllers=(OtherController(path, 0, "Deployment controller"),))


BAD = (
    Case(_SERVICE + _METALLB, at=(5, 9), conf=_CONF),
    Case(_WITH_ADDRESS + _KUBE_VIP, at=(5, 9), conf=_CONF),
    Case(_SERVICE + _KURYR, at=(5, 9), conf=_CONF),
    Case(_GROUPED + _KEEPALIVED, at=(7, 9), conf=_CONF),
    Case(_SERVICE + _YAWOL, at=(5, 9), conf=_CONF),
    Case(_SERVICE + _VIP_CLOUD, at=(5, 9), conf=_CONF, shown=False),
    Case(
        _SERVICE.replace("  type", "  externalTrafficPolicy: Local\n  type") + _METALLB,
        at=(6, 9),
        conf=_CONF,
        shown=False,
    ),
    Case(_SERVICE + _METALLB + _POOL.format("true"), at=(5, 9), conf=_CONF, shown=False),
    Case(_SERVICE, at=(5, 9), conf=_CONF, run_context=_elsewhere("metallb/controller.yaml"), shown=False),
    Case(
        _SERVICE.replace("spec:", "  annotations:\n    metallb.io/address-pool: lan\nspec:") + _METALLB,
        at=(7, 9),
        conf=_CONF,
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE.replace("  selector", "  loadBalancerClass: metallb.io/metallb\n  selector") + _METALLB, conf=_CONF),
    Case(_SERVICE + _METALLB + "          args: [--lb-class=metallb.io/metallb]\n", conf=_CONF),
    Case(_SERVICE + _METALLB, conf="[LoadBalancer]\nenabled = false\n"),
    Case(_SERVICE + _METALLB + _POOL.format("false"), conf=_CONF),
    Case(_SERVICE + _METALLB, shown=False),
    Case(_SERVICE.replace("LoadBalancer", "NodePort") + _METALLB, conf=_CONF, shown=False),
    Case(_SERVICE + _KUBE_VIP, conf=_CONF, shown=False),
    Case(_WITH_ADDRESS + _KUBE_VIP.replace('"true"', '"false"'), conf=_CONF, shown=False),
    Case(
        _WITH_ADDRESS + _KUBE_VIP + '            - name: lb_class_only\n              value: "true"\n',
        conf=_CONF,
        shown=False,
    ),
    Case(_SERVICE + _KURYR.replace(",service,kuryrloadbalancer", ""), conf=_CONF, shown=False),
    Case(_SERVICE + _KEEPALIVED, conf=_CONF, shown=False),
    Case(_SERVICE + _YAWOL + "          args: [-classname=yawol]\n", conf=_CONF, shown=False),
    Case(
        _SERVICE.replace("spec:", "  annotations:\n    load-balancer.hetzner.cloud/name: x\nspec:") + _METALLB,
        conf=_CONF,
        shown=False,
    ),
    Case(_SERVICE, conf=_CONF, run_context=_elsewhere("other/cluster.yaml"), shown=False),
    Case(
        _SERVICE + _METALLB.replace("quay.io/metallb/controller:v0.14.9", "ghcr.io/ovn-org/ovn-kubernetes/ovn-kube-u"),
        conf=_CONF,
        shown=False,
    ),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look for controllers in the cluster's files that handle the Service, too."""
    found = service.run_context.controllers
    if not found or not service.handled or service.options is None or service.is_partial or not service.is_settled:
        return
    span = service.span_of("spec", "type")
    cluster = _in_cluster(found, service)
    owners = {owner_of(name) for name in service.annotations} - {""}
    for number, row in enumerate(CONTROLLERS):
        if not _handles(row, service) or (service.is_meant_for_others and row.name not in owners):
            continue
        near = [one for one in cluster if one.row == number]
        parts = [one for one in near if not one.is_workload]
        if parts and not any(one.is_open for one in parts):
            continue
        running = [one for one in near if one.is_workload] or (parts if row.file_key else [])
        if not running:
            continue
        where = "in this file" if running[0].path == service.manifest.path else f"in {running[0].path}"
        local = f" {row.local}" if row.local and service.service.policy == "Local" else ""
        yield Problem(
            span,
            f"{row.name} acts on this Service as well as the CCM: {running[0].subject} {where}",
            f"{row.effect}{local}",
            (f"{row.remedy}; or write" if row.remedy else "Write")
            + " `enabled = false` into [LoadBalancer], so that the CCM handles no Service.",
        )
        return


def _handles(row: LoadBalancerController, service: ServiceView) -> bool:
    """Whether a controller handles a Service without a class."""
    if row.annotation and row.annotation not in service.annotations:
        return False
    return not row.needs_address or bool(service.service.address)


def _in_cluster(controllers: tuple[OtherController, ...], service: ServiceView) -> list[OtherController]:
    """The controllers in the cluster of the Service and its cloud.conf, in their order."""
    index = _index(Itself(controllers))
    found: dict[int, OtherController] = {}
    for conf in service.confs:
        found.update(index.of(conf.path, service.manifest.path))
    return [found[number] for number in sorted(found)]


@lru_cache(maxsize=4)
def _index(controllers: Itself[OtherController]) -> ClusterIndex[OtherController]:
    return ClusterIndex(
        ((one, _words(CONTROLLERS[one.row])) for one in controllers.records),
        alike=lambda one: (one.row, one.is_workload, one.is_open),
    )


def _words(row: LoadBalancerController) -> Iterator[str]:
    yield row.name.lower()
    for image in row.images:
        yield image.strip("/").partition("/")[0]
