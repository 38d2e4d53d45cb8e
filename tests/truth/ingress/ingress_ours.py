"""The Services that ccmcheck finds in the values of a chart, as a comparison needs them."""

from __future__ import annotations

import json
from typing import Any

from ccmcheck.carriers import find
from ccmcheck.predict.inputs.manifests import plain

LOAD_BALANCER = "LoadBalancer"


def services(chart: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The Services of type LoadBalancer in a HelmRelease with the values."""
    text = json.dumps(
        {
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {"name": "rel"},
            "spec": {"chart": {"spec": {"chart": chart}}, "values": values},
        },
        indent=1,
    )
    found = find("release.yaml", text).objects
    return sorted((summary(plain(one.node, one.source)) for one in found if one.kind == "Service"), key=str)


def summary(service: Any) -> dict[str, Any]:
    """What the CCM reads of a Service."""
    spec = service["spec"]
    return {
        "name": service["metadata"]["name"],
        "annotations": service["metadata"].get("annotations") or {},
        "type": spec.get("type"),
        "policy": spec.get("externalTrafficPolicy") or "",
        "ranges": spec.get("loadBalancerSourceRanges") or [],
        "address": spec.get("loadBalancerIP") or "",
        "ports": sorted([port["port"], port.get("protocol") or "TCP"] for port in spec["ports"]),
    }
