"""UDP monitors of ovn do not detect nodes without a pod.

What it does: finds Services with a UDP port, `externalTrafficPolicy: Local`, provider ovn and health monitors.

Why: datagrams to a node without a pod are lost, and the monitor does not detect it.

What the CCM does: since 1.26 it requests a UDP-CONNECT monitor on the NodePort. OVN treats no answer as success and only ICMP
unreachable as failure; kube-proxy silently drops datagrams for such a NodePort.

Releases: 1.26 and newer; before, ovn rejects the monitor of a Local Service

Fix: none; a pod on each node that is a member (a DaemonSet, or the annotation `node-selector`), or policy Cluster.

Source: ovn-org/ovn controller/pinctrl.c; cloud-provider-openstack pkg/openstack/loadbalancer.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import PodOwner, RunContext
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "ovn-udp-local",
    "UDP monitors of ovn do not detect nodes without a pod",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: dns
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {app: dns}
  ports:
    - port: 53
      protocol: UDP
"""
_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n"
_EVERYWHERE = RunContext(owners={"": (PodOwner("dns.yaml", "default", {"app": "dns"}, None, everywhere=True),)})

BAD = (
    Case(_SERVICE, at=(10, 17), conf=_CONF),
    Case(
        _SERVICE,
        at=(10, 17),
        conf=_CONF,
        run_context=RunContext(facts=ClusterFacts(nodes=3)),
        release="1.26",
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE.replace("Local", "Cluster"), conf=_CONF),
    Case(_SERVICE.replace("UDP", "TCP"), conf=_CONF),
    Case(_SERVICE, conf=_CONF.replace("ovn", "amphora")),
    Case(_SERVICE, conf=_CONF, run_context=_EVERYWHERE),
    Case(_SERVICE, conf=_CONF, release="1.25"),
    Case(_SERVICE),
    Case(_SERVICE.replace("UDP", "${P}"), conf=_CONF, template=True, shown=False),
    Case(_SERVICE + "  allocateLoadBalancerNodePorts: false\n", conf=_CONF, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Report what the prediction says about traffic to Local Services."""
    if not service.is_ours or service.service.policy != "Local" or "UDP" not in service.protocols:
        return
    if (
        not service.driver.is_special
        or service.monitor is not True
        or service.behaviours["local-monitor-is-http-on-ovn"]
    ):
        return
    answer = service.answer("traffic-local")
    if answer is None or answer.good is not False or not answer.mechanism:
        return  # without members there is nothing to check: reported by svc-no-nodeports
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "UDP")
    selects = ", or select the nodes with the annotation node-selector" if service.behaviours["node-selectors"] else ""
    yield Problem(
        service.span_of("spec", "ports", index, "protocol"),
        answer.text,
        f"{answer.mechanism[0].upper()}{answer.mechanism[1:]}.",
        f"Run a pod on every node (a DaemonSet){selects}, or use externalTrafficPolicy Cluster.",
    )
