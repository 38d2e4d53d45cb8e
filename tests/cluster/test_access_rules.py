"""The access rules of an application credential, by the paths of the cloud's endpoints."""

from __future__ import annotations

from ccmcheck.cluster.octavia.requests import ALL, access_rules

ENDPOINTS = {"load-balancer": "https://cloud.example/load-balancer/", "network": "https://cloud.example:9696"}


def test_without_a_cloud_the_paths_are_those_of_the_services() -> None:
    rules = access_rules()
    assert [rule["path"] for rule in rules] == [request.path for request in ALL]
    assert rules[1] == {"service": "load-balancer", "method": "GET", "path": "/v2/lbaas/loadbalancers"}
    assert rules[-1] == {"service": "network", "method": "GET", "path": "/v2.0/subnets"}


def test_the_path_of_an_endpoint_is_a_part_of_its_rules() -> None:
    rules = access_rules(ENDPOINTS.__getitem__)
    assert [rule["path"] for rule in rules] == [
        request.path if request.service == "network" else f"/load-balancer{request.path}" for request in ALL
    ]
