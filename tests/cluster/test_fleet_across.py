"""What clusters share and should not, in memory that does not grow with them."""

from __future__ import annotations

from typing import Any

import pytest

from ccmcheck.cluster.fleet import forms, summary
from ccmcheck.cluster.fleet.summary import SeenValues, Shared, shared

ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"


def record(name: str, project: str = "", cluster_name: str = "", **fields: Any) -> dict[str, Any]:
    return {"name": name, "project": project, "ccms": [{"cluster_name": cluster_name or name}], **fields}


def found(*records: dict[str, Any]) -> list[Shared]:
    seen = SeenValues()
    for one in records:
        seen.add(one)
    return shared(records, seen)


def test_one_load_balancer_in_two_clusters_is_found_in_any_spelling() -> None:
    (one,) = found(
        record("a", balancers=[["x/web", ID]]),
        record("b", balancers=[["y/web", ID.upper().replace("-", "")]]),
        record("c", balancers=[["y/web", ID.replace("1", "2")]]),
    )
    assert (one.kind, one.value, one.clusters, one.services) == (
        "load-balancer-shared",
        ID,
        ("a", "b"),
        ("x/web", "y/web"),
    )
    assert one.text == f"load balancer {ID} is used by 2 clusters: each replaces the others' members"


def test_one_load_balancer_for_two_services_of_a_cluster_is_theirs() -> None:
    assert (
        found(
            record(
                "a", balancers=[["x/web", ID], ["x/api", ID]], addresses=[["x/web", "1.2.3.4"], ["x/api", "1.2.3.4"]]
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("address", "first", "second", "count"),
    [
        ("203.0.113.7", "", "", 1),
        ("2001:db8::7", "p", "q", 1),
        ("lb.example.org", "", "", 1),
        ("10.0.0.7", "", "", 0),  # two networks may have it
        ("10.0.0.7", "p", "q", 0),
        ("10.0.0.7", "p", "p", 1),
        ("fd00::7", "p", "q", 0),
        ("100.64.1.1", "", "", 0),
    ],
)
def test_private_addresses_count_within_a_project(address: str, first: str, second: str, count: int) -> None:
    records = (record("a", first, addresses=[["x/web", address]]), record("b", second, addresses=[["x/web", address]]))
    assert [one.kind for one in found(*records)] == ["address-shared"] * count


def test_names_of_load_balancers_collide_in_one_project_alone() -> None:
    name = [["default/web", "kube_service_kubernetes_default_web"]]

    def records(*projects: str) -> list[dict[str, Any]]:
        return [
            record(str(number), project, "kubernetes", balancer_names=name) for number, project in enumerate(projects)
        ]

    assert [(one.kind, one.total) for one in found(*records("p", "p", "p"))] == [
        ("load-balancer-name-shared", 3),
        ("cluster-name-shared", 3),
    ]
    assert found(*records("p", "q", "")) == []
    assert found(*records("", "")) == []


def test_a_cluster_without_a_name_has_the_default_one() -> None:
    (one,) = found({**record("a", "p"), "ccms": [{"cluster_name": ""}]}, record("b", "p", "kubernetes"))
    assert one.text.startswith("2 clusters of one project are called kubernetes, the default of --cluster-name:")


def test_only_the_values_of_several_clusters_are_collected() -> None:
    many = [
        record(
            f"c{number}",
            addresses=[[f"x/{index}", f"45.{number % 250}.{number // 250}.{index}"] for index in range(40)],
        )
        for number in range(1000)
    ]
    many[7]["addresses"][3] = many[900]["addresses"][5]
    seen = SeenValues()
    for one in many:
        seen.add(one)
    collected = [key for one in many for key in {key for key, _ in summary._values(one)} if seen.twice(key)]
    assert len(collected) < 400  # of 40,000: those that are there twice, and a few whose bits collide
    (twice,) = shared(many, seen)
    assert twice.clusters == ("c7", "c900")


def test_what_the_same_clusters_share_is_one_line() -> None:
    mine = {"balancer_names": [["x/web", "kube_web"], ["x/api", "kube_api"]], "addresses": [["x/web", "203.0.113.7"]]}
    across = found(
        record("a", "p", "k", **mine), record("b", "p", "k", **mine), record("c", "p", balancers=[["x/web", ID]])
    )
    ((first, *others),) = forms._by_clusters(across).values()
    assert (first.kind, first.clusters) == ("load-balancer-name-shared", ("a", "b"))
    assert forms._besides(others) == "; they also share 1 load balancer name, 1 cluster name, 1 published IP"
    assert forms._besides([]) == ""
