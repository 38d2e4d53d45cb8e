"""What monitors cost: probes a second by provider, topology and nodes, and the quota; N·M/d from each amphora."""

from __future__ import annotations

import pytest
from predict_cases import Json, nodes, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.pipeline import predict

ON, OVN = "create-monitor=true\n", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"


@pytest.mark.parametrize(
    ("listed", "text", "topology", "count", "words", "numbers"),
    [
        ("TCP/80", "", "SINGLE", 10, "0.2 probes/s per node, 2 in all", (0.2, 2, 2)),
        ("TCP/80", "", "SINGLE", None, "0.2 probes/s per node", (0.2, None, None)),
        ("TCP/80", "", "ACTIVE_STANDBY", 10, "0.4 probes/s per node, 4 in all, 2 per amphora", (0.4, 2, 4)),
        ("TCP/80", "", "ACTIVE_STANDBY", None, "0.4 probes/s per node", (0.4, None, None)),
        ("TCP/80 TCP/443", "monitor-delay=7s\n", "SINGLE", 3, "0.286 probes/s per node, 0.857 in all",
         (0.2857, 0.8571, 0.8571)),
        ("TCP/80 TCP/443", "monitor-delay=7s\n", "", 3,
         "0.857 probes/s (single) or 1.71 (active-standby), 0.286 or 0.571 per node", (0.2857, 0.8571, None)),
        ("TCP/80", "", "", None, "0.2 probes/s per node (single) or 0.4 (active-standby)", (0.2, None, None)),
        ("TCP/80", "monitor-delay=1s\n", "SINGLE", 2, "1 probes/s per node, 2 in all", (1, 2, 2)),
        ("TCP/80", OVN, "ACTIVE_STANDBY", 10, "0.2 probes/s per node, 2 in all", (0.2, ..., 2)),
        ("TCP/80", OVN, "", None, "0.2 probes/s per node", (0.2, ..., None)),
        # a UDP check of ovn waits for silence: d + t
        ("UDP/53 TCP/80", f"{OVN}monitor-delay=7s\nmonitor-timeout=2s\n", "", 10,
         "0.254 probes/s per node, 2.54 in all", (0.254, ..., 2.5397)),
        ("TCP/80", "lb-provider=vlan\n", "SINGLE", 10, "how this provider probes is not known", ()),
        ("TCP/80", "monitor-delay=0s\n", "SINGLE", 10, "a delay of 0 leaves the rate open", ()),
    ],
)  # fmt: skip
def test_probes(
    listed: str, text: str, topology: str, count: int | None, words: str, numbers: tuple[object, ...]
) -> None:
    cloud = CloudState(facts=ClusterFacts(topology=topology), nodes=None if count is None else nodes(count))
    found = predict(options(ON + text), service(listed), cloud).answer("probes")
    assert found is not None
    assert (found.good, found.text) == (None, words)
    expected = dict(zip(("per_node", "per_amphora", "total"), numbers, strict=True)) if numbers else {}
    assert found.numbers == {name: value for name, value in expected.items() if value is not ...}


@pytest.mark.parametrize(
    ("listed", "text", "quota", "used", "good", "words"),
    [
        ("TCP/80", "", 0, 0, True, "no monitor counts against the quota"),
        ("TCP/80", ON, None, None, None, "1 monitor, one per port; the project's quota is not given"),
        ("TCP/80", ON, -1, 7, True, "1 monitor, one per port; the quota has no limit"),
        ("TCP/80", ON, 0, None, False, "1 monitor, one per port: 1 of 0, which refuses the whole load balancer"),
        ("TCP/80 UDP/53", ON, 3, 1, True, "2 monitors, one per port: 3 of 3"),
        ("TCP/80 UDP/53", ON, 3, 2, False, "2 monitors, one per port: 4 of 3, which refuses the whole load balancer"),
    ],
)
def test_the_quota(listed: str, text: str, quota: int | None, used: int | None, good: bool | None, words: str) -> None:
    cloud = CloudState(facts=ClusterFacts(monitor_quota=quota, monitors_used=used))
    found = prediction_of(listed, text, cloud=cloud).answer("quota")
    assert found is not None
    assert (found.good, found.text) == (good, words)
    needed: Json = {"monitors": len(listed.split()), "used": used or 0, "quota": quota}
    assert found.numbers == (needed if text else {"monitors": 0})
