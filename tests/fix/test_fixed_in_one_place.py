"""Findings of several files about one mistake: one of them has the fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run


@pytest.mark.parametrize(
    ("keys", "annotation", "changed"),
    [
        ("", "", ["cloud.conf"]),
        ("create-monitor=false\n", "", ["cloud.conf"]),
        (
            "create-monitor=true\n",
            ', annotations: {loadbalancer.openstack.org/enable-health-monitor: "false"}',
            ["web.yaml"],
        ),
    ],
)
def test_one_mistake_is_fixed_in_one_place(tmp_path: Path, keys: str, annotation: str, changed: list[str]) -> None:
    files = {
        "cloud.conf": f"[Global]\nauth-url=https://k/v3\nusername=u\n[LoadBalancer]\nlb-provider=amphora\n{keys}",
        "web.yaml": (
            f"kind: Service\nmetadata: {{name: web{annotation}}}\n"
            "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n"
        ),
    }
    put(tmp_path, {**files})
    rules = "create-monitor-implicit,create-monitor-recommended,svc-local-no-monitor"
    run(tmp_path, "fix", "--unsafe", "--write", f"--select={rules}", ".")
    assert [name for name, text in files.items() if (tmp_path / name).read_text() != text] == changed
    assert run(tmp_path, "lint", "--select=svc-local-no-monitor", ".").code == 0
