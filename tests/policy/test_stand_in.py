"""What stands in for a cloud.conf that the platform keeps to itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck import catalog
from ccmcheck.base.profile import Condition, Requirement
from ccmcheck.cli.main import run
from ccmcheck.policy.profiles.stand_in import stand_in

RELEASE = catalog.release("1.31")
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
"""


def _requirement(key: str, check: str, *values: str, **more: str) -> Requirement:
    return Requirement("site", "LoadBalancer", key, check, values, **more)  # type: ignore[arg-type]


def test_required_and_usual_values_stand_in() -> None:
    text = stand_in(
        (
            _requirement("create-monitor", "usual", "true"),
            _requirement("lb-provider", "equals", "ovn"),
            _requirement("lb-method", "absent", "SOURCE_IP_PORT"),
            _requirement("monitor-delay", "usual", "5s", "10s"),
            _requirement("use-octavia", "equals", "true", until="1.25"),
            _requirement("internal-lb", "equals", "true")._replace(
                when=(Condition("LoadBalancer", "lb-provider", "x"),)
            ),
        ),
        RELEASE,
    )
    assert text == "[LoadBalancer]\ncreate-monitor = true\nlb-provider = ovn\n"
    assert stand_in((), RELEASE) == ""


def test_the_platform_of_metakube_takes_nodes_without_a_pod_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "web.yaml").write_text(SERVICE, encoding="utf-8")
    arguments = ["predict", str(tmp_path), "--nodes", "5", "--replicas", "1"]
    assert run([*arguments, "--profile", "metakube"]) in (0, 1)
    shown = capsys.readouterr().out
    assert "there is no cloud.conf: what metakube implies, else the release's defaults stand in" in shown
    assert "nodes without a pod are out of rotation" in shown
    assert run(arguments) in (0, 1)
    assert "nodes without a pod are out of rotation after" not in capsys.readouterr().out.partition("suggestion")[0]
