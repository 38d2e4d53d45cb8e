"""Cuts a case down: one thing less at a time."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from loadbalancer_oracle import Case

Json = dict[str, Any]

_NEEDED = (
    "[Global]", "[LoadBalancer]", "use-octavia", "auth-url", "username", "password", "tenant-name", "domain-name", "region"
)  # fmt: skip
_FIELDS = ("ipFamilies", "loadBalancerIP", "loadBalancerSourceRanges", "sessionAffinityConfig", "healthCheckNodePort")


def cuts(case: Case) -> Iterator[Case]:
    """Yield the case with one thing taken out, or made ordinary, each."""
    lines = case.config.splitlines(keepends=True)
    for number in range(len(lines)):
        if lines[number].partition("=")[0].strip() not in _NEEDED:
            yield case._replace(config="".join(lines[:number] + lines[number + 1 :]))
    for name in case.service["metadata"].get("annotations", {}):
        service = copy.deepcopy(case.service)
        del service["metadata"]["annotations"][name]
        yield case._replace(service=service)
    ports = case.service["spec"]["ports"]
    for number in range(len(ports)) if len(ports) > 1 else ():
        service = copy.deepcopy(case.service)
        del service["spec"]["ports"][number]
        yield case._replace(service=service)
    for name in _FIELDS:
        if name in case.service["spec"]:
            service = copy.deepcopy(case.service)
            del service["spec"][name]
            yield case._replace(service=service)
    for number in range(len(case.nodes)) if len(case.nodes) > 1 else ():
        yield case._replace(nodes=case.nodes[:number] + case.nodes[number + 1 :])
    for ordinary in (case._replace(cluster="kubernetes"), case._replace(octavia="2.27"), case._replace(absent=())):
        if ordinary != case:
            yield ordinary
    for tree in range(len(case.cloud["loadbalancers"])):
        for number in range(len(case.cloud["loadbalancers"][tree]["listeners"])):
            cloud = copy.deepcopy(case.cloud)
            del cloud["loadbalancers"][tree]["listeners"][number]
            yield case._replace(cloud=cloud)
