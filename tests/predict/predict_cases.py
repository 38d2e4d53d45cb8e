"""What the tests of ``predict`` share: Services, configurations and nodes in few words."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.options import Options, read_options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Prediction, Request
from ccmcheck.predict.verdicts import acceptance

Json = dict[str, Any]

PREFIX = "loadbalancer.openstack.org/"
FACTS = Path(__file__).resolve().parents[3] / "shared" / "facts" / "octavia"
SUBNET = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
NETWORK = "9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90"
NEWEST = "1.36"
RELEASES = tuple(f"1.{minor}" for minor in range(14, 37))
"""All whose requests are predicted."""


def nodes(count: int) -> tuple[Node, ...]:
    """Nodes with an IPv4 address each."""
    return tuple(
        Node(f"node-{number}", (("InternalIP", f"10.0.0.{number}"),), {"": ""}) for number in range(1, count + 1)
    )


def facts(name: str) -> Any:
    """What was measured, where it is at hand."""
    path = FACTS / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    return json.loads(path.read_text(encoding="utf-8"))


def ports(text: str) -> list[Json]:
    """``TCP/80 UDP/53`` as ports with NodePorts from 30001 on."""
    found = []
    for number, one in enumerate(text.split(), 1):
        protocol, port = one.split("/")
        found.append({"name": f"p{number}", "protocol": protocol, "port": int(port), "nodePort": 30000 + number})
    return found


def manifest(listed: str = "TCP/80", annotations: Json | None = None, **spec: object) -> Json:
    """A Service as Kubernetes hands it out; annotations without their prefix."""
    given = {name if "/" in name else PREFIX + name: value for name, value in (annotations or {}).items()}
    filled: Json = {"type": "LoadBalancer", "externalTrafficPolicy": "Cluster", "ports": ports(listed), **spec}
    if filled["externalTrafficPolicy"] == "Local":
        filled.setdefault("healthCheckNodePort", 31000)
    metadata = {"name": "web", "namespace": "shop", "uid": "0b1c2d3e", "annotations": given}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": filled}


def service(listed: str = "TCP/80", annotations: Json | None = None, **spec: object) -> Service:
    """The same, read."""
    return read_service(manifest(listed, annotations, **spec), allocate=False)


@cache
def options(text: str = "", release: str = NEWEST) -> Options:
    """A ``[LoadBalancer]`` section below what a cloud.conf needs otherwise."""
    subnet = (
        "" if "subnet-id" in text or "network-id" in text else f"subnet-id={SUBNET}\nfloating-network-id={NETWORK}\n"
    )
    return read_options(f"[LoadBalancer]\nuse-octavia=true\n{subnet}{text}", release)


def prediction_of(
    listed: str = "TCP/80",
    text: str = "",
    annotations: Json | None = None,
    *,
    release: str = NEWEST,
    cloud: CloudState | None = None,
    count: int = 3,
    **spec: object,
) -> Prediction:
    """The prediction for one Service."""
    known = cloud or CloudState()
    if known.nodes is None and known.node_count is None:
        known = known._replace(nodes=nodes(count))
    return predict(options(text, release), service(listed, annotations, **spec), known)


def balancer(found: Prediction) -> Json:
    """What the load balancer is asked to be."""
    body: Any = found.request
    assert body is not None
    asked: Json = body["loadbalancer"]
    return asked


def listeners(found: Prediction) -> list[Json]:
    """The listeners of the one request, with everything in them."""
    listed: list[Json] = balancer(found)["listeners"]
    return listed


def post(kind: str, **body: object) -> Request:
    """The request that makes one thing in a call of its own."""
    return Request("POST", f"/v2.0/lbaas/{kind}s", {kind: body})


def refused(*requests: Request, text: str = "", cloud: CloudState | None = None, family: int = 4) -> list[str]:
    """What Octavia and its driver refuse of requests: status, field and reason."""
    found = acceptance.refusals(requests, options(text), cloud or CloudState(), family)
    return [f"{one.status} {one.field}: {one.why}" for one in found]
