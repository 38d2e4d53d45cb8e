"""A Service with externalTrafficPolicy Local and no health monitor.

What it does: finds Services of type LoadBalancer with `externalTrafficPolicy: Local` that get no health monitor, by
their annotation or the nearest cloud.conf.

Why: kube-proxy drops connections to a node without a pod of such a Service. Only a monitor removes those nodes from
rotation. Without one an amphora waits `timeout-member-connect` (5 s) there, tries another node, and closes the client's
connection after four tries: with 3 of 20 nodes that have a pod about half of first connections are closed after 20 s
and a third wait 5 to 15 s. With `lb-method = SOURCE_IP` a client always reaches the same node: it works always or never.

What the CCM does: it adds every node as a member, and creates a monitor for each port only if `create-monitor` or the
annotation `enable-health-monitor` is true. The monitor of a Local Service checks the health check node port since 1.23;
with ovn it checks the NodePort.

Releases: 1.14 and newer

Fix: writes the annotation `enable-health-monitor: "true"` where the decision matrix recommends monitors.

Fix safety: unsafe because nodes without a pod are removed from the load balancer, whose status then is DEGRADED

Source: HAProxy 2.6.12 on octavia 19.0.0's rendered configuration, measured; kubernetes/cloud-provider-openstack#2866;
pkg/openstack/loadbalancer.go; ccmcheck's decision matrix
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import PodOwner, RunContext
from ccmcheck.policy.create_monitor.records import Advice
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix, Span
    from ccmcheck.objects.service_view import ServiceView
    from ccmcheck.policy.create_monitor.records import MatrixRow

META = Meta(
    "svc-local-no-monitor",
    "A Service with externalTrafficPolicy Local and no health monitor",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector:
    app: web
  ports:
    - port: 80
"""
_ON = '  annotations:\n    loadbalancer.openstack.org/enable-health-monitor: "true"\n'
_OFF = _ON.replace("true", "false")
_ANNOTATED = _SERVICE.replace("spec:", f"{_OFF}spec:")
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"
_KNOWN = RunContext(facts=ClusterFacts(nodes=12), owners={"": (PodOwner("web.yaml", "shop", {"app": "web"}, 3),)})

_EVERYWHERE = """\
kind: DaemonSet
metadata: {name: web, namespace: shop}
spec:
  template:
    metadata: {labels: {app: web}}
"""

BAD = (
    Case(
        _SERVICE,
        at=(8, 26),
        fixed=_SERVICE.replace("spec:", f"{_ON}spec:"),
        unsafe=True,
        conf=_CONF,
        run_context=_KNOWN,
    ),
    Case(_ANNOTATED, at=(7, 55), fixed=_ANNOTATED.replace("false", "true"), unsafe=True, conf=_CONF),
    Case(_ANNOTATED, at=(7, 55), shown=False),
    Case(
        _SERVICE, at=(8, 26), conf=_CONF + "use-octavia = true\nfloating-network-id = x\n", release="1.17", shown=False
    ),
    Case(
        f"{_SERVICE}---\n{_EVERYWHERE}    spec: {{nodeSelector: {{edge: ''}}}}\n",
        at=(8, 26),
        fixed=f"{_SERVICE}---\n{_EVERYWHERE}    spec: {{nodeSelector: {{edge: ''}}}}\n".replace(
            "spec:", f"{_ON}spec:", 1
        ),
        unsafe=True,
        conf=_CONF,
        shown=False,
    ),
    Case(_SERVICE, at=(8, 26), conf=_CONF + "provider-requires-serial-api-calls = true\n", shown=False),
    Case(
        "kind: Service\nmetadata: {name: web}\n"
        "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n",
        at=(3, 51),
        fixed="kind: Service\n"
        'metadata: {name: web, annotations: {loadbalancer.openstack.org/enable-health-monitor: "true"}}\n'
        "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n",
        unsafe=True,
        conf=_CONF,
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE.replace("spec:", f"{_ON}spec:"), conf=_CONF),
    Case(_SERVICE, conf=_CONF + "create-monitor = true\n"),
    Case(_SERVICE.replace("Local", "Cluster"), conf=_CONF),
    Case(_SERVICE),
    Case(f"{_SERVICE}---\n{_EVERYWHERE}", conf=_CONF),
    Case(_SERVICE, conf=_CONF, run_context=RunContext(facts=ClusterFacts(nodes=1)), shown=False),
    Case(_ANNOTATED.replace("false", "True"), conf=_CONF, shown=False),
    Case(_SERVICE, conf=_CONF, run_context=_KNOWN._replace(facts=ClusterFacts(nodes=1)), shown=False),
    Case(_SERVICE, conf=_CONF + "enabled = false\n", shown=False),
    Case(_SERVICE + "  loadBalancerClass: io.cilium/l2-announcer\n", conf=_CONF, shown=False),
    Case(_SERVICE.replace("LoadBalancer", "NodePort"), conf=_CONF, shown=False),
    Case(_SERVICE.replace("Local", "${POLICY}"), conf=_CONF, template=True, shown=False),
    Case(_ANNOTATED.replace('"false"', '"${MONITOR}"'), conf=_CONF, template=True, shown=False),
    Case(_SERVICE, conf=_CONF + "create-monitor = yes\nmonitor-delay = 5\n", shown=False),
    Case(_SERVICE + "  allocateLoadBalancerNodePorts: false\n", conf=_CONF, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the policy, then at what enables monitors."""
    if not service.is_ours or service.service.policy != "Local" or service.monitor is not False:
        return
    if service.monitor_annotation is None and service.annotation("enable-health-monitor") is not None:
        return  # its value is invalid: reported by svc-annotation-value
    if service.service.everywhere:
        return
    answer = service.answer("traffic-local")
    if answer is not None and not answer.mechanism:
        return  # nothing gets through, whatever the policy: without NodePorts reported by svc-no-nodeports
    if (answer is None and service.prediction is not None) or (answer is not None and answer.good is not False):
        return
    if service.nodes == 1:
        return
    row = service.row
    wanted = row is not None and row.cures and row.advice in (Advice.ON, Advice.ON_FOR_LOCAL)
    given = service.monitor_annotation
    yield Problem(
        _place(service),
        answer.text if answer is not None else "connections also go to nodes without a pod of this Service",
        f"{_reason(service)}. {_WHY}",
        _help(service, wanted=wanted),
        _fix(service) if wanted or (row is None and given is not None and service.options is not None) else None,
    )


_WHY = "kube-proxy drops connections to a node without a pod, and nothing removes such nodes from the load balancer."


def _place(service: ServiceView) -> Span:
    given = service.monitor_annotation
    return given.span if given is not None else service.span_of("spec", "externalTrafficPolicy")


def _reason(service: ServiceView) -> str:
    if service.monitor_annotation is not None:
        return "The annotation disables the monitors"
    where = f" in {service.conf_name}" if service.conf_name else ""
    options = service.options
    if options is not None and "create-monitor" in options.given:
        return f"create-monitor is false{where}"
    return f"create-monitor is not set{where} and defaults to false"


def _help(service: ServiceView, *, wanted: bool) -> str:
    if not wanted:
        return _without_monitors(service.row)
    annotation = 'the annotation loadbalancer.openstack.org/enable-health-monitor: "true"'
    if service.monitor_annotation is not None:
        return 'Remove the annotation and write create-monitor = true in cloud.conf, or set it to "true".'
    if not service.behaviours["monitor-annotation"]:
        return "Write create-monitor = true in cloud.conf."
    return f"Write create-monitor = true in cloud.conf, for all Services, or {annotation}, for this one."


def _fix(service: ServiceView) -> Fix | None:
    if not service.behaviours["monitor-annotation"]:
        return None
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "true")
    return yaml_fixes.unsafe(service.manifest, 'write the annotation `enable-health-monitor: "true"`', edit)


def _without_monitors(row: MatrixRow | None) -> str:
    """What to do where the decision matrix does not simply recommend monitors."""
    if row is None:
        return ""
    if row.advice is Advice.OFF and row.when.protocol is not None:
        return f"No monitor helps here: {row.why} ({row.id}). Use externalTrafficPolicy Cluster."
    actions = "; ".join(row.actions)
    why = f"A monitor alone does not help here: {row.why} ({row.id}). " if row.advice is Advice.OFF else ""
    return f"{why}{actions[:1].upper()}{actions[1:]}." if actions else ""
