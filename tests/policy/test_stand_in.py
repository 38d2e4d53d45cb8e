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


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("ports: [{port: 53, protocol: UDP}]", "the platform makes no load balancer for UDP"),
        ("selector: {app: web}, ports: [{port: 53, protocol: UDP}]", "the platform makes no load balancer for UDP"),
        ("ports: [{port: 80}]", ""),
    ],
)
def test_lint_judges_services_alone_by_the_profile(
    change: str, finding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As predict does; a Service without a selector is no exception."""
    tmp_path.joinpath("web.yaml").write_text(SERVICE.replace("ports: [{port: 80}]", change), encoding="utf-8")
    assert run(["lint", str(tmp_path), "--profile", "metakube"]) == (1 if finding else 0)
    assert finding in (shown := capsys.readouterr().out)
    assert shown.startswith("No findings; 0 cloud.confs, 1 file") is not bool(finding)


@pytest.mark.parametrize(("profile", "code"), [("kubespray", 1), ("metakube", 0), ("upstream", 0), ("scs", 0)])
def test_what_a_profile_says_of_create_monitor_is_known(
    profile: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without monitors a Local Service loses connections; what no profile names stays unknown, as classes do."""
    (tmp_path / "web.yaml").write_text(SERVICE, encoding="utf-8")
    named = SERVICE.replace("{name: web}", '{name: api, annotations: {loadbalancer.openstack.org/class: "gold"}}')
    (tmp_path / "api.yaml").write_text(named.replace("Local", "Cluster"), encoding="utf-8")
    assert run(["lint", str(tmp_path), "--profile", profile]) == code
    shown = capsys.readouterr().out
    assert shown.count("warning  svc-local-no-monitor\n") == code
    assert shown.count("create-monitor is false, by the profile.") == code


def test_a_cloud_conf_goes_before_what_the_profile_implies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "web.yaml").write_text(SERVICE, encoding="utf-8")
    (tmp_path / "cloud.conf").write_text("[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    run(["lint", str(tmp_path), "--profile", "kubespray"])
    assert "svc-local-no-monitor" not in capsys.readouterr().out
