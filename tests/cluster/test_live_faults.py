"""Ways in which clusters break, each with what `cluster lint` says of it: the rule, and words of its message.

``live_faults.jsonl`` has a fault a line: an event of a Service without an address, the last line of a CCM that ends again and
again, the state of its container, or the cluster's nodes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from api_server import cluster
from cluster_pending import event, waiting
from cluster_runs import lint
from live_acts import Acts
from live_objects import RIGHT
from test_cluster_health import ago, state, with_pods

if TYPE_CHECKING:
    from api_server import ApiServer

FAULTS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("live_faults.jsonl").read_text(encoding="utf-8").splitlines()
]

ON_THE_REAL_STACK: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "truth" / "live" / "live_faults.jsonl").read_text("utf-8").splitlines()
]


def broken(fault: dict[str, Any]) -> ApiServer:
    """A cluster with one fault."""
    if "nodes" in fault:
        server = cluster(RIGHT)
        server.lists["/api/v1/nodes"] = [node(f"n{number}", **one) for number, one in enumerate(fault["nodes"])]
        return server
    if fault["rule"] == "svc-pending":
        return waiting(cluster(RIGHT), event(fault["what"]), log="")
    last = {"exitCode": 1, "reason": fault.get("ended") or "Error", "finishedAt": ago(minutes=2)}
    log = fault.get("what", "")
    waits = fault.get("waiting", "CrashLoopBackOff")
    restarts = fault.get("restarts", 9)
    return with_pods(state(waits, restarts=restarts, last=last if restarts else None), log=f"F1102 {log}\n".encode())


def node(name: str, **of: Any) -> dict[str, Any]:
    """A Node with a provider ID, labels, taints, addresses and its readiness."""
    return {
        "metadata": {"name": name, "labels": of["labels"]},
        "spec": {"providerID": of["providerID"], "taints": of["taints"]},
        "status": {
            "addresses": [{"type": "InternalIP", "address": address} for address in of["addresses"]],
            "conditions": [{"type": "Ready", "status": of["ready"]}],
        },
    }


@pytest.mark.part(of=3)
@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_each_fault_is_named(number: int, tmp_path: Path) -> None:
    fault = FAULTS[number]
    report = lint(tmp_path, broken(fault), "--format", "json").report
    findings = [one for one in report["findings"] if one["rule"] == fault["rule"]]
    # what the message itself says is no explanation
    said = [one["help"] if "what" in fault else f"{one['label']} {one['detail']} {one['help']}" for one in findings]
    assert any(fault["says"].lower() in words.lower() for words in said), said


def test_the_list_is_long_and_each_is_there_once() -> None:
    assert len({json.dumps(fault, sort_keys=True) for fault in FAULTS}) == len(FAULTS) >= 80


def test_those_of_the_real_stack_are_whole() -> None:
    names = [fault["fault"] for fault in ON_THE_REAL_STACK]
    assert len(set(names)) == len(names) >= 80
    acts = {act[0] for fault in ON_THE_REAL_STACK for act in fault["do"]}
    assert not [name for name in acts if not hasattr(Acts, name.replace("-", "_"))]
    fields = {"fault", "do", "run", "rules", "beside", "fails", "words", "never", "code", "files", "then", "unnamed"}
    for fault in ON_THE_REAL_STACK:
        for run in (fault, *fault.get("then", ())):
            assert run.keys() <= fields
            # each says what must be said, or that all is well
            assert run.get("code") == 0 or any(run.get(field) for field in ("rules", "fails", "words"))
