"""Whether a load balancer belongs to another cluster, and how it came to two."""

from __future__ import annotations

from typing import Any

import pytest
from openstack_api import balancer

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.cluster.octavia.comparison import RENAMED_NEXT, SAME_NAME, SHARED, WAS_RENAMED, adoption, other_cluster
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Member, Node, Pool

OURS, THEIRS = "kube_service_prod_shop_web", "kube_service_dev_shop_web"
TEXT = "Kubernetes external service shop/web from cluster {}"
PROD = ClusterFacts(cluster_name="prod")
NODES = (Node("n0", (("Hostname", "n0"), ("InternalIP", "10.0.0.10"))), Node("n1", (("InternalIP", "10.0.0.11"),)))


def listener(*addresses: str) -> Listener:
    """A listener with a member for each address; without any pool where there is none."""
    members = tuple(Member(address, address, 30080) for address in addresses)
    return Listener("l", "TCP", 80, Pool("p", "TCP", "ROUND_ROBIN", members) if members else None)


@pytest.mark.parametrize(
    ("fields", "other"),
    [
        ({"name": OURS}, ""),
        ({"name": "mine"}, ""),
        ({"name": THEIRS}, "dev"),
        ({"name": OURS, "tags": ["mine", OURS]}, ""),
        ({"name": OURS, "tags": ["mine", OURS, THEIRS]}, "dev"),
        ({"name": OURS, "description": TEXT.format("prod")}, ""),
        ({"name": OURS, "description": TEXT.format("dev")}, "dev"),
        ({"name": "mine", "tags": [], "description": "mine, too"}, ""),
    ],
)
def test_the_other_cluster(fields: dict[str, Any], other: str) -> None:
    assert other_cluster(balancer(**{"identifier": "b1", **fields}), "prod") == other


@pytest.mark.parametrize(
    ("name", "tags", "cluster", "renames", "expected"),
    [
        (OURS, (OURS,), "prod", True, ""),
        ("mine", (OURS, "mine"), "prod", True, ""),
        (THEIRS, (OURS,), "prod", True, RENAMED_NEXT),
        (THEIRS, (OURS,), "prod", False, SHARED),
        (OURS, ("mine", OURS, THEIRS), "prod", True, SHARED),
        (OURS, (OURS,), "dev", True, WAS_RENAMED),
    ],
)
def test_names_tags_and_descriptions_tell_how(
    name: str, tags: tuple[str, ...], cluster: str, renames: bool, expected: str
) -> None:
    found = balancer(name, "b1", tags=list(tags), description=TEXT.format(cluster))
    cloud = CloudState(PROD, NODES)
    assert adoption(found, cloud, Balancer("b1", name, tags=tags), renames=renames) == expected


@pytest.mark.parametrize(
    ("nodes", "listeners", "expected"),
    [
        (NODES, (listener("10.9.9.9", "10.9.9.8"),), SAME_NAME),
        (NODES, (listener(), listener("10.9.9.9")), SAME_NAME),
        (NODES, (listener("10.9.9.9"), listener("10.0.0.11")), ""),
        (NODES, (listener(),), ""),
        (NODES, (), ""),
        ((), (listener("10.9.9.9"),), ""),
        (None, (listener("10.9.9.9"),), ""),
    ],
)
def test_members_of_which_none_is_a_node_are_another_clusters(
    nodes: tuple[Node, ...] | None, listeners: tuple[Listener, ...], expected: str
) -> None:
    record = Balancer("b1", OURS, listeners, (OURS,))
    cloud = CloudState(PROD, nodes)
    assert adoption(balancer(OURS, "b1"), cloud, record, renames=True) == expected
