"""What the CCM does to what it made: at its next reconciles, and when nodes change."""

from __future__ import annotations

import pytest
from predict_cases import NETWORK, SUBNET, nodes, options, service

from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.steady import after_node_change, predict_onward, steady_state

GROUPS = "manage-security-groups=true\n"
CLOUD = CloudState(nodes=nodes(3), subnets={SUBNET: "10.0.0.0/24"}, balancers_known=True)


@pytest.mark.parametrize("release", ["v1.31.2", "v1.35.0", "v1.36.0"])
@pytest.mark.parametrize(
    ("text", "annotations"),
    [
        (f"{GROUPS}network-id={NETWORK}\n", {}),
        (f"{GROUPS}subnet-id=\n", {"network-id": NETWORK}),
        (f'{GROUPS}[LoadBalancerClass "a"]\nnetwork-id={NETWORK}\n', {"class": "a"}),
        (f"{GROUPS}network-id={NETWORK}\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", {}),
    ],
)
def test_managed_groups_with_a_network_alone_crash_at_the_second_reconcile(
    release: str, text: str, annotations: dict[str, str]
) -> None:
    prediction = predict_onward(options(text, release), service("TCP/80", annotations), CLOUD)
    assert prediction.outcome is Outcome.ACCEPTED
    answer = prediction.answer("steady")
    assert answer is not None
    assert answer.good is False
    assert "second reconcile" in answer.text
    assert "crashes" in answer.text
    assert prediction.findings[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "text",
    [
        f"{GROUPS}network-id={NETWORK}\nsubnet-id={SUBNET}\n",
        f"{GROUPS}network-id={NETWORK}\nmember-subnet-id={SUBNET}\n",
        f"{GROUPS}subnet-id={SUBNET}\n",
        f"network-id={NETWORK}\n",
    ],
)
def test_others_reach_a_steady_state(text: str) -> None:
    config, web = options(text), service("TCP/80")
    assert predict_onward(config, web, CLOUD).answer("steady") is None
    state = steady_state(config, web, CLOUD)
    assert state.exists
    assert not state.kept.requests


def test_a_node_that_goes_leaves_the_pool_and_nothing_else_changes() -> None:
    config, web = options(f"subnet-id={SUBNET}\ncreate-monitor=true\n"), service("TCP/80")
    state = steady_state(config, web, CLOUD)
    assert not after_node_change(config, web, state).requests
    (request,) = after_node_change(config, web, state, nodes(2)).requests
    assert request.method == "PUT"
    assert request.path.endswith("/members")
    assert [member["name"] for member in (request.body or {})["members"]] == ["node-1", "node-2"]  # type: ignore[attr-defined]


def test_with_a_network_alone_a_node_change_takes_the_first_nodes_subnet() -> None:
    config, web = options(f"network-id={NETWORK}\n"), service("TCP/80")
    cloud = CLOUD._replace(node_subnet=SUBNET)
    state = steady_state(config, web, cloud)
    (request,) = after_node_change(config, web, state, nodes(2)).requests
    assert {member["subnet_id"] for member in (request.body or {})["members"]} == {SUBNET}  # type: ignore[attr-defined]
