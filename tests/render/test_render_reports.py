"""The dashboard and the CronJob: their shape, what they name, and how little they may do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from rendering_aids import Folder

from ccmcheck.base.result import LintResult
from ccmcheck.cli.main import run
from ccmcheck.report.options import ReportOptions
from ccmcheck.report.prometheus import PrometheusReporter

if TYPE_CHECKING:
    from pathlib import Path

GATEWAY = ("--var", "pushgateway=http://pushgateway.monitoring:9091")


def dashboard(folder: Folder) -> Any:
    ran = folder.render("dashboard")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


def queries(found: Any) -> list[str]:
    return [target["expr"] for panel in found["panels"] for target in panel["targets"]]


def test_the_dashboard_reads_metrics_that_there_are(folder: Folder) -> None:
    text = "".join(PrometheusReporter(ReportOptions()).report(LintResult()))
    known = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    found = dashboard(folder)
    words = " ".join(queries(found)) + found["templating"]["list"][1]["query"]
    used = set(re.findall(r"ccmcheck_\w+", words))
    assert used
    assert used <= known


def test_panels_do_not_overlap_and_have_own_ids(folder: Folder) -> None:
    panels = dashboard(folder)["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < 24


def test_grafana_s_own_model_keeps_every_field(folder: Folder) -> None:
    model = pytest.importorskip("grafana_foundation_sdk.models.dashboard")
    encoder = pytest.importorskip("grafana_foundation_sdk.cog.encoder")
    found = dashboard(folder)

    def read(document: Any) -> Any:
        return json.loads(encoder.JSONEncoder().encode(model.Dashboard.from_json(document)))

    def lost(ours: Any, theirs: Any, way: str = "") -> list[str]:
        if isinstance(ours, dict):
            gaps = [f"{way}.{key}" for key in ours if key not in theirs]
            return gaps + [gap for key in ours if key in theirs for gap in lost(ours[key], theirs[key], f"{way}.{key}")]
        if isinstance(ours, list):
            return [gap for one, other in zip(ours, theirs, strict=True) for gap in lost(one, other, f"{way}[]")]
        return [] if ours == theirs else [way]

    assert lost(found, read(found)) == []
    assert lost({**found, "nothing": 1}, read({**found, "nothing": 1})) == [".nothing"]


def test_promtool_reads_every_query(folder: Folder, tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed; it is in Debian's package prometheus")
    rules = [
        {"record": f"ccmcheck:query{number}", "expr": query.replace("$cluster", ".*")}
        for number, query in enumerate(queries(dashboard(folder)))
    ]

    def check(groups: list[dict[str, str]]) -> int:
        path = tmp_path / "rules.yaml"
        path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": groups}]}))
        return subprocess.run([promtool, "check", "rules", str(path)], capture_output=True, check=False).returncode

    assert check(rules) == 0
    assert check([{"record": "x", "expr": "sum by ("}]) != 0


def pod(folder: Folder, *options: str) -> Any:
    ran = folder.render("report-cronjob", *options)
    assert (ran.code, ran.err) == (0, "")
    job = yaml.safe_load(ran.out)
    assert job["spec"]["concurrencyPolicy"] == "Forbid"
    return job["spec"]["jobTemplate"]["spec"]["template"]["spec"]


def containers(spec: Any) -> dict[str, Any]:
    return {one["name"]: one for one in (*spec.get("initContainers", ()), *spec["containers"])}


@pytest.mark.parametrize("options", [(), GATEWAY])
def test_every_container_may_do_as_little_as_possible(options: tuple[str, ...], folder: Folder) -> None:
    spec = pod(folder, *options)
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in containers(spec).values():
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["readOnlyRootFilesystem"] is True
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


def test_only_ccmcheck_gets_the_token(folder: Folder) -> None:
    mounts = {
        name: {mount["name"] for mount in container["volumeMounts"]}
        for name, container in containers(pod(folder, *GATEWAY)).items()
    }
    assert "token" in mounts["ccmcheck"]
    assert mounts["push"] == {"metrics"}


def test_metrics_are_pushed_where_a_gateway_is_named(folder: Folder) -> None:
    assert set(containers(pod(folder))) == {"ccmcheck"}
    found = containers(pod(folder, *GATEWAY, "--var", "instance=prod"))
    assert found["push"]["args"][-1] == "http://pushgateway.monitoring:9091/metrics/job/ccmcheck/instance/prod"
    assert "prometheus=/metrics/ccmcheck.prom" in found["ccmcheck"]["args"]


@pytest.mark.parametrize(
    "options", [(), GATEWAY, (*GATEWAY, "--var", "ccm_namespace=openshift-cloud-controller-manager")]
)
def test_the_command_is_one_of_ours(
    options: tuple[str, ...], folder: Folder, capfd: pytest.CaptureFixture[str]
) -> None:
    container = containers(pod(folder, *options))["ccmcheck"]
    shell = container["command"][0] == "sh"
    words = ["cluster", "report", *container["args"]] if shell else container["args"]
    assert run(words) == 3  # there is no service account here
    assert "this is not a pod with a service account" in capfd.readouterr().err


@pytest.mark.parametrize(("code", "expected"), [(0, 0), (3, 0), (2, 1), (1, 1)])
def test_a_partial_result_does_not_fail_the_pod_that_pushes(code: int, expected: int, folder: Folder) -> None:
    command = containers(pod(folder, *GATEWAY))["ccmcheck"]["command"]
    script = folder.path / "ccmcheck"
    script.write_text(f"#!/bin/sh\nexit {code}\n")
    script.chmod(0o755)
    done = subprocess.run(
        [*command, "--write"], env={"PATH": f"{folder.path}:/usr/bin:/bin"}, capture_output=True, check=False
    )
    assert done.returncode == expected


def test_values_of_variables_stay_texts(folder: Folder) -> None:
    spec = pod(folder, "--var", 'image=registry.example.org/x: "y"', "--var", "schedule=0 3 * * 0")
    assert containers(spec)["ccmcheck"]["image"] == 'registry.example.org/x: "y"'
