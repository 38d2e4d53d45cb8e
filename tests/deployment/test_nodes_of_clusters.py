"""Each cluster has its own Nodes, whether lint or predict counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import RIGHT, run

if TYPE_CHECKING:
    from pathlib import Path

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, selector: {app: web}, ports: [{port: 80, nodePort: 30080}]}
"""
PODS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}
"""


def nodes(count: int) -> str:
    return "---\n".join(
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: n{number}}}\nspec: {{providerID: openstack:///n{number}}}\n"
        f"status: {{addresses: [{{type: InternalIP, address: 10.0.0.{number}}}]}}\n"
        for number in range(1, count + 1)
    )


@pytest.mark.parametrize("has_conf", [True, False])
def test_they_are_counted_apart(tmp_path: Path, *, has_conf: bool) -> None:
    counts = {"a": 3, "b": 5} if has_conf else {"a": 3}
    for name, count in counts.items():
        folder = tmp_path / name
        folder.mkdir()
        files = {"web.yaml": SERVICE, "pods.yaml": PODS, "nodes.yaml": nodes(count)}
        if has_conf:
            files["cloud.conf"] = RIGHT.replace("create-monitor = true", "create-monitor = false")
        for path, text in files.items():
            folder.joinpath(path).write_text(text)
    predicted = run(tmp_path, "predict", ".").out
    linted = run(tmp_path, "lint", ".", "--select", "svc-local-no-monitor").out
    for count in counts.values():
        said = f"{count - 1} of {count} nodes have no pod of this Service"
        assert said in predicted
        assert not has_conf or said in linted
    assert "of 8" not in linted
