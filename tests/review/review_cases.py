"""What the tests of ``review`` share: two sides made of a few texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.cluster import read_cluster
from ccmcheck.predict.inputs.manifests import Manifests
from ccmcheck.review.change.compare import review
from ccmcheck.review.change.inputs import Side, side_of
from ccmcheck.review.change.records import Review, ServiceChange
from ccmcheck.workspace.survey import Survey

Json = dict[str, Any]

PREFIX = "loadbalancer.openstack.org/"
NEWEST = "1.36"
CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = s3cr3t

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
"""
MONITOR = "create-monitor = true\n"


def manifest(name: str = "web", listed: str = "TCP/80", annotations: Json | None = None, **spec: object) -> Json:
    """A Service's manifest; annotations without their prefix."""
    ports = []
    for one in listed.split():
        protocol, port, *rest = one.split("/")
        port_spec: Json = {"name": f"{protocol}-{port}".lower(), "protocol": protocol, "port": int(port)}
        ports.append({**port_spec, **({"nodePort": int(rest[0])} if rest else {})})
    namespace, _, short = name.rpartition("/")
    given = {PREFIX + key: value for key, value in (annotations or {}).items()}
    metadata = {"name": short, "namespace": namespace or "shop", "annotations": given}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {"type": "LoadBalancer", "ports": ports, **spec},
    }


LOCAL: Json = {"externalTrafficPolicy": "Local"}
THREE = (
    manifest("ingress-nginx/ingress", "TCP/80/30080 TCP/443/30443", healthCheckNodePort=31000, **LOCAL),
    manifest("shop/web", "TCP/80/30081"),
    manifest("dns/dns", "UDP/53/30053 TCP/53/30054", healthCheckNodePort=31001, **LOCAL),
)
"""Three Services: one behind an ingress controller, one of the plain kind, and one of both protocols."""


def side(
    conf: str | None,
    services: Sequence[Json] = (),
    *,
    name: str = "side",
    release: str = NEWEST,
    nodes: int | None = 20,
    files: Mapping[str, str] | None = None,
    **around: object,
) -> Side:
    """One side: a cloud.conf, Services, and further files by their names."""
    survey = Survey()
    texts = dict(files or {})
    if conf is not None:
        texts["cloud.conf"] = conf
    if services:
        texts["services.yaml"] = "\n---\n".join(json.dumps(one) for one in services)
    for path, text in texts.items():
        survey.add(path, text.encode("utf-8", "surrogateescape"), FindOptions(explicit=True))
    asked = (TargetRelease("ccm", catalog.release(release), "--release"),) if release else ()

    def cloud(objects: Sequence[KubernetesObject], pods: Sequence[CcmPod]) -> tuple[Manifests, CloudState]:
        gathered, state = read_cluster(objects, pods, ClusterFacts(nodes=nodes))
        facts: Json = {name: value for name, value in around.items() if name in ClusterFacts._fields}
        others: Json = {name: value for name, value in around.items() if name not in facts}
        return gathered, state.with_facts(**facts)._replace(**others)

    return side_of(name, survey, asked, cloud)


def reviewed(
    before: str,
    after: str,
    services: Sequence[Json] = (manifest(),),
    new_services: Sequence[Json] | None = None,
    *,
    release: str = NEWEST,
    new_release: str = "",
    **around: Any,
) -> Review:
    """A review of what follows `CONF` before and after; the Services stay unless new ones are given."""
    return review(
        side(CONF + before, services, name="base", release=release, **around),
        side(
            CONF + after,
            services if new_services is None else new_services,
            name="head",
            release=new_release or release,
            **around,
        ),
    )


def only(found: Review) -> ServiceChange:
    """The one Service of a review."""
    (service,) = found.services
    return service


def points_of(found: Review) -> list[tuple[str, str]]:
    """Severity and kind of all points."""
    return [(point.severity.word, point.kind) for point in found.points]


def asked(service: ServiceChange) -> list[str]:
    """The requests because of the change."""
    return [f"{one.method} {one.path.removeprefix('/v2.0/').removeprefix('lbaas/')}" for one in service.requests]
