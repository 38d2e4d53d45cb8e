"""The access rules of an application credential, by the paths of the cloud's endpoints."""

from __future__ import annotations

import pytest

from ccmcheck.cluster.octavia.requests import ALL, MEMBERS, access_rules, newest_version

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


@pytest.mark.parametrize(
    ("versions", "newest"),
    [
        ([{"id": "v2.9"}, {"id": "v2.27"}, {"id": "v2.10"}], (2, 27)),
        ([{"id": "1.0"}, {"id": None}, {"id": "v2.x"}, {"id": "vx.3"}, {"id": "v2"}, "v9.9", {}], (1, 0)),
        ([{"id": "v2.3"}, {"id": "v1234.5678"}], (2, 3)),
        ([{"id": "v12345.9"}, {"id": "v2.1234567"}], (12345, 9)),
        ([{"id": "v2.123456"}], (2, 123456)),
        ([], None),
        (["v2.1", {"id": "latest"}], None),
    ],
)
def test_the_newest_version_that_is_listed(versions: list[object], newest: tuple[int, int] | None) -> None:
    """One of more than seven digits is none."""
    assert newest_version(versions) == newest


def test_an_id_is_a_part_of_a_path_and_nothing_more() -> None:
    assert MEMBERS.of("a/b?c").path == "/v2/lbaas/pools/a%2Fb%3Fc/members"
    assert MEMBERS.of("a")._replace(path="") == MEMBERS._replace(path="")
