"""Which nodes become members, by labels and release.

The label that keeps one out counts with any value up to 1.33, and by its value from 1.34 on; the master's role up to 1.20.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run
from predict_cases import options, prediction_of, service

from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.manifests import read_node
from ccmcheck.predict.inputs.nodes import EXCLUDED
from ccmcheck.predict.pipeline import predict


def node(name: str, labels: dict[str, str]) -> tuple[Node, str]:
    address = {"type": "InternalIP", "address": f"10.0.0.{name[1:]}"}
    return read_node({"metadata": {"name": name, "labels": labels}, "status": {"addresses": [address]}})


@pytest.mark.parametrize(
    ("value", "is_left_out"),
    [("", True), ("true", True), ("1", True), ("yes", True), ("false", False), ("F", False), ("0", False)],
)
def test_the_label_by_its_value(value: str, is_left_out: bool) -> None:
    assert bool(node("n1", {EXCLUDED: value})[1]) is is_left_out


@pytest.mark.parametrize(("release", "members"), [("v1.33.1", 1), ("v1.34.0", 2), ("1.36", 2)])
def test_a_label_that_says_false(release: str, members: int) -> None:
    found = tuple(node(name, labels)[0] for name, labels in (("n1", {}), ("n2", {EXCLUDED: "false"})))
    prediction = predict(options("", release), service(), CloudState(nodes=found))
    assert prediction.nodes == members


@pytest.mark.parametrize(("release", "members"), [("1.18", 1), ("v1.20.5", 1), ("v1.21.0", 2)])
def test_a_node_of_the_control_plane(release: str, members: int) -> None:
    labels = {"node-role.kubernetes.io/master": ""}
    found = (node("n1", {})[0], node("n2", labels)[0])
    assert predict(options("", release), service(), CloudState(nodes=found)).nodes == members


def test_a_group_without_node_ports_lets_nobody_in() -> None:
    found = prediction_of(
        text="lb-provider=ovn\nlb-method=SOURCE_IP_PORT\nmanage-security-groups=true\n",
        ports=[{"port": 80}],
        allocateLoadBalancerNodePorts=False,
    )
    answer = found.answer("security-group")
    assert answer is not None
    assert answer.text == "there is nothing to let in: no port of the Service has a NodePort"


CONF = "[Global]\nauth-url = https://keystone.example.com/v3\n[LoadBalancer]\nfloating-network-id = abc\n"
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, ports: [{port: 80}]}
---
"""
CONTROL_PLANE = f"apiVersion: v1\nkind: Node\nmetadata: {{name: n1, labels: {{{EXCLUDED}: ''}}}}\n"
WORKERS = "---\napiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: workers}\n"


@pytest.mark.parametrize(
    ("more", "arguments", "is_refused"),
    [(CONTROL_PLANE, (), True), (CONTROL_PLANE + WORKERS, (), False), (CONTROL_PLANE, ("--nodes", "2"), False)],
)
def test_where_no_node_is_handed_over_there_is_no_load_balancer(
    tmp_path: Path, more: str, arguments: tuple[str, ...], is_refused: bool
) -> None:
    put(tmp_path, {"cloud.conf": CONF, "objects.yaml": SERVICE + more})
    said = run(tmp_path, "predict", *arguments, ".").out
    assert "not handed to the CCM" in said
    assert ("there are no available nodes" in said) is is_refused
    assert ("assumed to have no other Nodes" in said) is is_refused


PLAIN_CONF = (
    "[Global]\nauth-url=https://k.example\nregion=r\n[LoadBalancer]\nsubnet-id=4d3b4d1e-25fb-4a3e-9f0d-0b7c5c1f2a10\n"
)
WITH_PODS = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, externalTrafficPolicy: POLICY, selector: {app: web}, ports: [{port: 80, nodePort: 30080}]}
---
apiVersion: apps/v1
kind: KIND
metadata: {name: web}
spec:
  template:
    metadata: {labels: {app: web}}
    spec: {nodeSelector: SELECTOR}
"""
ONE_NODE = """\
---
apiVersion: v1
kind: Node
metadata: {name: NAME, labels: {LABELS}}
status: {addresses: [{type: InternalIP, address: 10.0.0.1}]}
"""
PLANE = 'node-role.kubernetes.io/control-plane: ""'
APART = f'{PLANE}, {EXCLUDED}: ""'


def _predicted(folder: Path, service_text: str, nodes: dict[str, str], release: str = "1.30") -> str:
    written = "".join(ONE_NODE.replace("NAME", name).replace("LABELS", labels) for name, labels in nodes.items())
    put(folder, {"cloud.conf": PLAIN_CONF, "svc.yaml": service_text, "nodes.yaml": written})
    return " ".join(run(folder, "predict", "--release", release, ".").out.split())


@pytest.mark.parametrize(
    ("policy", "kind", "selector", "nodes", "is_apart"),
    [
        ("Local", "DaemonSet", f"{{{PLANE}}}", {"m": APART, "w": ""}, True),
        ("Local", "Deployment", f"{{{PLANE}}}", {"m": APART, "w": ""}, True),
        ("Local", "DaemonSet", f"{{{PLANE}}}", {"m": PLANE, "w": ""}, False),
        ("Local", "DaemonSet", f"{{{PLANE}}}", {"m": APART, "n": PLANE, "w": ""}, False),
        ("Local", "DaemonSet", '{pool: "a"}', {"m": APART, "w": ""}, False),
        ("Local", "DaemonSet", "{}", {"m": APART, "w": ""}, False),
        ("Cluster", "DaemonSet", f"{{{PLANE}}}", {"m": APART, "w": ""}, False),
    ],
)
def test_pods_that_run_on_excluded_nodes_alone(
    tmp_path: Path, policy: str, kind: str, selector: str, nodes: dict[str, str], is_apart: bool
) -> None:
    """A label that no Node of the files has may be on others, and under Cluster members hand on what comes."""
    text = WITH_PODS.replace("POLICY", policy).replace("KIND", kind).replace("SELECTOR", selector)
    assert ("no member has a pod: they run on Nodes with" in _predicted(tmp_path, text, nodes)) is is_apart


@pytest.mark.parametrize(("replicas", "selector", "has_each"), [(5, '{disk: "ssd"}', False), (5, "{}", True)])
def test_more_pods_than_nodes_that_may_run_them(tmp_path: Path, replicas: int, selector: str, has_each: bool) -> None:
    text = WITH_PODS.replace("POLICY", "Local").replace("KIND", "Deployment").replace("SELECTOR", selector)
    text = text.replace("spec:\n  template", f"spec:\n  replicas: {replicas}\n  template")
    found = _predicted(tmp_path, text, {"a": 'disk: "ssd"', "b": 'disk: "hdd"'})
    assert ("every node has a pod, as long as" in found) is has_each


@pytest.mark.parametrize(("release", "is_said"), [("1.30", True), ("1.19", True)])
def test_ranchers_control_plane_is_handed_over(tmp_path: Path, release: str, is_said: bool) -> None:
    text = WITH_PODS.replace("POLICY", "Cluster").replace("KIND", "Deployment").replace("SELECTOR", "{}")
    found = _predicted(tmp_path, text, {"c": 'node-role.kubernetes.io/controlplane: "true"', "w": ""}, release)
    assert (f"1 of them in the control plane: the label {EXCLUDED}" in found) is is_said
