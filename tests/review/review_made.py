"""What the tests of the page share: predictions, and reviews made of them by hand."""

from __future__ import annotations

from typing import Any

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Prediction, SecurityGroupRule
from ccmcheck.review.change.records import (
    ConfigChange,
    Detection,
    Fate,
    Health,
    ManifestChange,
    Monitors,
    Rate,
    Review,
    ReviewPoint,
    ReviewTotals,
    ServiceChange,
    ServiceFact,
    SettingChange,
)

FIXED = (5, 3, 1, 3)
OFF = (
    "[LoadBalancer]\nfloating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
    "subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\n"
)
ON = OFF + "create-monitor = true\n"


def nodes(count: int) -> tuple[Node, ...]:
    return tuple(
        Node(f"node-{number}", (("InternalIP", f"10.0.{number >> 8}.{number & 255}"),), {"": ""})
        for number in range(1, count + 1)
    )


def service(
    listed: str = "TCP/80", *, name: str = "web", policy: str = "Cluster", replicas: int | None = 3, **spec: Any
) -> Service:
    ports = [
        {
            "name": f"p{number}",
            "protocol": one.split("/")[0],
            "port": int(one.split("/")[1]),
            "nodePort": 30000 + number,
        }
        for number, one in enumerate(listed.split(), 1)
    ]
    annotations = spec.pop("annotations", {})
    filled = {"type": "LoadBalancer", "externalTrafficPolicy": policy, "ports": ports, **spec}
    if policy == "Local":
        filled.setdefault("healthCheckNodePort", 31000)
    metadata = {"name": name, "namespace": "shop", "uid": "0b1c2d3e", "annotations": annotations}
    made = {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": filled}
    return read_service(made)._replace(replicas=replicas)


def predicted(config: str, of: Service, known: tuple[Node, ...] | None, **facts: Any) -> Prediction:
    return predict(read_options(config, "1.36"), of, CloudState(ClusterFacts(octavia_release="2024.1", **facts), known))


def service_change(
    of: Service,
    *,
    before: str = OFF,
    after: str = ON,
    health: tuple[Health, Health] = (Health.IMPAIRED, Health.WORKS),
    fate: Fate = Fate.RECONCILED,
    count: int = 12,
    **fields: Any,
) -> ServiceChange:
    old, new = (predicted(config, of, nodes(count), topology="ACTIVE_STANDBY") for config in (before, after))
    facts = []
    for name in ("client-address", "dead-node", "probes", "quota", "security-group", "hairpin"):
        was, now = old.answer(name), new.answer(name)
        if was or now:
            better = None if not (was and now) or was.good is now.good else bool(now.good)
            facts.append(ServiceFact(name, was.text if was else "", now.text if now else "", better))
    made = len(new.plans)
    change = ServiceChange(
        of.title,
        "apps/web.yaml",
        3,
        "apps/web.yaml",
        ManifestChange.SAME,
        "cloud.conf",
        fate,
        *health,
        old,
        new,
        new.requests,
    )
    return change._replace(monitors=Monitors(0, made, made), facts=tuple(facts), **fields)


def review(*services: ServiceChange, **fields: Any) -> Review:
    """A review with something of everything."""
    config = ConfigChange(
        "clusters/prod/secret.yaml › Secret kube-system/cloud-config",
        "clusters/prod/secret.yaml › Secret kube-system/cloud-config",
        ManifestChange.CHANGED,
        "1.36",
        "1.36",
        "assumed: the newest",
        settings=(
            SettingChange("LoadBalancer", "create-monitor", "false", "true", from_default=True, effect="2 monitors"),
            SettingChange("Global", "password", "****", "****"),
        ),
        restart=True,
        services=len(services),
    )
    names = tuple(one.service for one in services)
    made = Review(
        "main",
        "feature/monitors",
        (
            ReviewPoint(
                Severity.ERROR, "stops", "stops working: Octavia refuses it", names[:1], "a reason", "octavia, run"
            ),
            ReviewPoint(Severity.WARNING, "recreated", "its pools are recreated", names[1:2]),
            ReviewPoint(
                Severity.INFO, "monitors", "monitors are created", names, "", "kubernetes/cloud-provider-openstack#2866"
            ),
        ),
        ReviewTotals(
            len(services),
            1,
            0,
            1,
            fates={Fate.RECONCILED: len(services)},
            monitors=Monitors(0, 4, 4),
            quota=10,
            used=2,
            rate_before=Rate(0, 0),
            rate_after=Rate(9.6, 0.8),
            amphorae=2,
            detection_before=Detection(None, None, known=True),
            detection_after=Detection(15, 30, known=True),
            nodes=12,
            restarts=1,
        ),
        (config,),
        services,
        ("nodes are counted",),
    )
    return made._replace(**fields)


def ordinary() -> Review:
    """Three Services that change in different ways, and two that do not."""
    web = service_change(
        service("TCP/80 TCP/443", policy="Local"),
        rules_added=(SecurityGroupRule("TCP", 31000, "10.0.0.0/24", "IPv4", "health checks"),),
    )
    dns = service_change(
        service("TCP/53 UDP/53", name="dns", loadBalancerIP="203.0.113.7"),
        after=ON + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n",
        fate=Fate.RECREATED,
        health=(Health.WORKS, Health.WORKS),
        count=150,
        stays=("its provider stays amphora",),
    )
    mixed = service_change(
        service("TCP/80 UDP/80", name="mixed"),
        after=ON + "monitor-delay = 2s\n",
        health=(Health.WORKS, Health.DOWN),
        fate=Fate.STUCK,
    )
    return review(mixed, dns, web, quiet("calm"), quiet("still"))


def quiet(name: str) -> ServiceChange:
    change = service_change(service(name=name), fate=Fate.UNTOUCHED, health=(Health.WORKS, Health.WORKS))
    return change._replace(facts=(), requests=(), monitors=Monitors(2, 2), after=change.before)
