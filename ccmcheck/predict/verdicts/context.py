"""What all verdicts stand on: the plans, the driver, its timers, the number of nodes and of pods."""

from __future__ import annotations

from typing import Any

from ccmcheck.catalog.data import octavia
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import HealthCheck, Times
from ccmcheck.predict.records import PortPlan, Prediction
from ccmcheck.predict.requests.calls import Calls

READ = "cloud-provider-openstack pkg/openstack/loadbalancer.go"
"""The evidence for what the CCM does."""

_IPV6 = 6


class VerdictContext:
    """What the verdicts have in common."""

    def __init__(self, calls: Calls, prediction: Prediction) -> None:
        spec, cloud = calls.spec, calls.cloud
        self.calls = calls
        self.prediction = prediction
        self.behaviours = calls.behaviours
        self.cloud = cloud
        self.service = calls.service
        self.driver = driver_of(cloud.provider(calls.options.lb_provider))
        self.members = _members(calls)
        ready = calls.service.ready_nodes
        self.pods = calls.service.replicas if ready is None else ready
        connect = (spec.timeouts or {}).get("timeout_member_connect", octavia.MEMBER_CONNECT_SECONDS * 1000)
        self.connect = connect / 1000
        self.ovn_blind = self.driver.has("monitor-in-create", cloud.ovn_release) is False
        self.ovn_unbuilt = ovn_unbuilt(calls)
        acts = self.driver.has("monitor-on-floating-ip", cloud.ovn_release)
        self.ovn_ignores = "floating IPs" if prediction.floating.wanted and acts is False else ""
        if spec.family == _IPV6 and self.driver.has("ipv6-monitors", cloud.ovn_release) is False:
            self.ovn_ignores = "IPv6 members"

    @property
    def monitored(self) -> bool:
        """Whether pools get monitors."""
        return self.calls.spec.monitor

    @property
    def timers(self) -> tuple[int, int, int, int]:
        """Delay, timeout, successes and failures of the first monitor, where pools get monitors."""
        monitor: Any = self.prediction.plans[0].monitor
        fall = self.calls.spec.retries_down or octavia.DEFAULT_RETRIES_DOWN
        return monitor["delay"], monitor["timeout"], monitor["max_retries"], fall

    @property
    def asks_pods_for_health(self) -> bool:
        """Whether serial calls make members without a monitor_port, so that /healthz is asked at the NodePort."""
        return self.calls.options.serial and any(
            plan.http_path and plan.monitor_port == plan.node_port for plan in self.prediction.plans
        )

    @property
    def loses_monitor_ports(self) -> bool:
        """Whether a change of nodes takes the health check node port from the members, so that their checks fail."""
        return self.behaviours["monitor-port-lost"] and any(plan.http_path for plan in self.prediction.plans)

    @property
    def keeps_unready_nodes(self) -> bool:
        """Whether nodes that are not ready stay members, so that only monitors take them out."""
        is_local = self.prediction.policy == "Local"
        return self.behaviours["local-keeps-unready-nodes" if is_local else "keeps-unready-nodes"]

    def times(self, plan: PortPlan) -> Times:
        """A pool's detection times."""
        return self.driver.times(HealthCheck(plan.pool, plan.monitor_type, *self.timers, self.connect))

    def stream_plan(self) -> PortPlan | None:
        """The first port that HAProxy serves; None where keepalived serves all, or there is none."""
        return next((plan for plan in self.prediction.plans if plan.pool not in ("UDP", "SCTP")), None)

    def worst(self) -> PortPlan:
        """The port whose checks notice least, where pools get monitors."""
        plans = self.prediction.plans
        return next((plan for plan in plans if plan.monitor_type == "UDP-CONNECT"), plans[0])


def ovn_unbuilt(calls: Calls) -> bool:
    """Whether the ovn provider makes only the load balancer of the first request, and leaves its parts pending."""
    cloud = calls.cloud
    return (
        calls.behaviours["creates-in-one-call"]
        and not calls.options.serial
        and cloud.balancer is None
        and driver_of(calls.options.lb_provider).has("fully-populated", cloud.ovn_release) is False
    )


def _members(calls: Calls) -> int | None:
    """How many members a pool gets."""
    if calls.cloud.nodes is not None:
        from ccmcheck.predict.inputs.nodes import address_of

        return sum(bool(address_of(node, calls.spec.family)) for node in calls.nodes)
    return calls.cloud.node_count
