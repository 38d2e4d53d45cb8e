"""Values beside the chart that reads them: its own templates say what they become."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import git, put, run

from ccmcheck.workspace.chart_templates import ChartTemplates

HELPERS = """\
{{- define "cloudConfig" -}}
[Global]
auth-url = {{ .Values.cloudConfig.global.authUrl }}
application-credential-id = {{ .Values.cloudConfig.global.id }}
region = {{ .Values.cloudConfig.global.region | default "R" }}
cert-file = {{ .Values.cloudConfig.global.certFile }}

[LoadBalancer]
lb-provider = {{ .Values.cloudConfig.loadbalancer.lbProvider }}
monitor-delay = {{ .Values.cloudConfig.loadbalancer.monitorDelay }}
monitor-timeout = {{ .Values.cloudConfig.loadbalancer.monitorTimeout | default "3s" }}
{{- end -}}
"""
VALUES = """\
cloudConfig:
  global:
    authUrl: https://keystone.example.com
    region: ""
    unread: x
  loadbalancer:
    lbProvider: amphora
    monitorDelay: 5 s
    monitorTimeout: unknown
"""
CHART = "apiVersion: v2\nname: x\nversion: 1.0.0\n"


VALID = VALUES.replace("    unread: x\n", "").replace("5 s", "5s").replace("unknown", "4s")
"""The same without what is wrong."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"Chart.yaml": CHART, "templates/_helpers.tpl": HELPERS, "values.yaml": VALUES, "ci/test.yaml": VALUES}
    put(tmp_path, {"charts/ccm/" + name: text for name, text in files.items()})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def errors(folder: Path, name: str) -> list[tuple[str, int]]:
    document = json.loads(run(folder, "lint", "--format=json", name).out)
    assert document["failures"] == []
    return [(one["rule"], one["line"]) for one in document["findings"] if one["severity"] == "error"]


@pytest.mark.parametrize("name", ["values.yaml", "ci/test.yaml"])
def test_the_templates_decide(folder: Path, name: str) -> None:
    path = f"charts/ccm/{name}"
    assert errors(folder, path) == [("duration-bad", 8)]
    out = run(folder, "show", "--format=json", path).out
    assert '"amphora"' in out


def test_a_fix_changes_the_value_under_its_own_name(folder: Path) -> None:
    assert run(folder, "fix", "--write", "charts/ccm/values.yaml").code == 0
    assert (folder / "charts/ccm/values.yaml").read_text() == VALUES.replace("5 s", "5s")
    assert run(folder, "set", "charts/ccm/values.yaml", "lb-provider=octavia").code == 0
    assert "    lbProvider: octavia\n" in (folder / "charts/ccm/values.yaml").read_text()


def test_what_the_template_names_must_be_added_by_hand(folder: Path) -> None:
    done = run(folder, "set", "charts/ccm/values.yaml", "subnet-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69")
    assert done.code != 0
    assert "the chart's template decides" in done.err
    assert (folder / "charts/ccm/values.yaml").read_text() == VALUES


def test_a_section_that_its_templates_do_not_read(folder: Path) -> None:
    put(folder, {"charts/ccm/values.yaml": VALUES.replace("loadbalancer:", "loadBalancer:")})
    assert errors(folder, "charts/ccm/values.yaml") == [("helm-section-name", 6)]


@pytest.mark.parametrize("line", ["{{ toToml .Values.cloudConfig }}", '{{- include "x" .Values.cloudConfig.global }}'])
def test_templates_that_are_not_understood_make_it_unknown(folder: Path, line: str) -> None:
    put(folder, {"charts/ccm/templates/_helpers.tpl": f"[Global]\n{line}\n"})
    assert errors(folder, "charts/ccm/values.yaml") == []


def test_without_templates_for_the_map_it_is_the_upstream_chart_s(folder: Path) -> None:
    put(folder, {"charts/ccm/templates/_helpers.tpl": "a: b\n"})
    assert ("helm-section-name", 6) in errors(folder, "charts/ccm/values.yaml")


def test_a_section_beside_the_map_is_read_where_its_templates_read_it(folder: Path) -> None:
    beside = "cloudConfig:\n  global:\n    auth-url: https://keystone\nloadBalancer:\n  lb-provider: ovn\n"
    put(folder, {"charts/ccm/values.yaml": beside, "charts/ccm/templates/_helpers.tpl": "a: b\n"})
    assert errors(folder, "charts/ccm/values.yaml") == [("helm-section-name", 4)]
    put(folder, {"charts/ccm/templates/_helpers.tpl": "{{- with .Values.loadBalancer }}{{ toToml . }}{{ end }}\n"})
    assert errors(folder, "charts/ccm/values.yaml") == []
    put(folder, {"charts/ccm/templates/_helpers.tpl": '{{ index .Values "loadBalancer" "lb-provider" }}\n'})
    assert errors(folder, "charts/ccm/values.yaml") == []
    put(folder, {"charts/ccm/templates/_helpers.tpl": "{{ .Values.loadBalancers }}\n"})
    assert errors(folder, "charts/ccm/values.yaml") == [("helm-section-name", 4)]


def test_values_of_another_folder_are_the_upstream_chart_s(folder: Path) -> None:
    put(folder, {"clusters/a/values.yaml": VALUES})
    assert ("helm-section-name", 6) in errors(folder, "clusters/a/values.yaml")


def test_nothing_is_read_above_the_repository_or_without_one(folder: Path) -> None:
    inner = folder / "charts" / "ccm" / "ci"
    (inner / ".git").mkdir()
    assert ChartTemplates()(str(inner / "test.yaml")) is None
    (inner / ".git").rmdir()
    shutil.rmtree(folder / ".git")
    assert ChartTemplates()(str(inner / "test.yaml")) is None
    assert ChartTemplates()(str(inner.parent / "values.yaml")) == (HELPERS,)


def test_links_and_large_files_are_left_out(folder: Path) -> None:
    templates = folder / "charts" / "ccm" / "templates"
    (templates / "large.tpl").write_bytes(b"x" * (1024 * 1024 + 1))
    (templates / "link.yaml").symlink_to("/etc/passwd")
    os.mkfifo(templates / "pipe.yaml")
    assert ChartTemplates()(str(templates.parent / "values.yaml")) == (HELPERS,)


def changed_keys(folder: Path, *arguments: str) -> set[str]:
    """The keys of cloud.conf that a review finds changed."""
    done = run(folder, "review", "--format=json", *arguments)
    assert done.code == 0, done.err
    return {setting["key"] for one in json.loads(done.out)["configs"] for setting in one["settings"]}


def test_a_revision_is_read_by_its_own_templates(folder: Path) -> None:
    values, helpers = "charts/ccm/values.yaml", "charts/ccm/templates/_helpers.tpl"
    put(folder, {values: VALID})
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    put(folder, {values: VALID.replace("amphora", "ovn")})
    git(folder, "commit", "-qam", "two")
    put(folder, {helpers: HELPERS.replace("lb-provider", "lb-method")})
    git(folder, "commit", "-qam", "three")
    assert changed_keys(folder, "--git", "HEAD~1..HEAD") == {"lb-method", "lb-provider"}
    git(folder, "rm", "-qr", "charts")
    git(folder, "commit", "-qm", "four")
    assert changed_keys(folder, "--git", "HEAD~3..HEAD~2") == {"lb-provider"}
    (folder / "below").mkdir()
    assert changed_keys(folder / "below", "--git", "HEAD~3..HEAD~2", "../charts") == {"lb-provider"}
    put(folder, {values: VALID, "charts/ccm/Chart.yaml": CHART, helpers: "{{ toToml .Values.cloudConfig }}"})
    assert changed_keys(folder, "--git", "HEAD~3..HEAD~2") == {"lb-provider"}


@pytest.mark.parametrize(("old", "new"), [("a", "b"), ("a/values.yaml", "b/values.yaml"), ("a/ci", "b/ci")])
def test_each_side_of_a_review_is_read_by_its_own_templates(tmp_path: Path, old: str, new: str) -> None:
    for name, text in (("a", VALID), ("b", VALID.replace("amphora", "ovn"))):
        values: dict[str, str | bytes] = {"values.yaml": text, "ci/test.yaml": text}
        put(tmp_path / name, {"Chart.yaml": CHART, "templates/_helpers.tpl": HELPERS, **values})
    git(tmp_path, "init", "-q")
    assert changed_keys(tmp_path, old, new) == {"lb-provider"}


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (
            "cloudConfig:\n  global:\n    auth-url: x\n  block_storage:\n    ignore-volume-az: true\n",
            "# this map is not blockStorage",
        ),
        (
            "cloudConfig:\n  global:\n    auth-url: x\nload_balancer:\n  lb-provider: ovn\n",
            "# this map is read below",
        ),
    ],
)
def test_a_map_that_the_chart_does_not_read_is_not_masked(values: str, shown: str, tmp_path: Path) -> None:
    put(tmp_path, {"values.yaml": values})
    out = run(tmp_path, "lint", "--select=helm-section-name", "values.yaml").out
    assert shown in out
    assert "****" not in out


def test_what_is_null_in_a_chart_s_own_map_of_sections_is_left_out(tmp_path: Path) -> None:
    values = (
        "cloud-conf:\n  Global:\n    auth-url: https://k\n    application-credential-id: a\n"
        "  LoadBalancer:\n    monitor-delay: null\n    create-monitor: ''\n    lb-method:\n    lb-providr: ovn\n"
    )
    put(tmp_path, {"values.yaml": values})
    assert errors(tmp_path, "values.yaml") == [("gcfg-blank-value", 7), ("unknown-key", 9)]
    assert run(tmp_path, "set", "values.yaml", "create-monitor=true").code == 0
    assert (tmp_path / "values.yaml").read_text() == values.replace("''", "'true'")
    refused = run(tmp_path, "set", "values.yaml", "monitor-delay=5s")
    assert refused.code == 3, refused.out
    assert (tmp_path / "values.yaml").read_text() == values.replace("''", "'true'")


def test_a_fix_writes_no_key_that_stands_there_as_null(tmp_path: Path) -> None:
    values = (
        "cloud-conf:\n  Global:\n    auth-url: https://k\n    application-credential-id: a\n"
        "  LoadBalancer:\n    monitor-delay: null\n    monitor_delay: 5s\n"
    )
    put(tmp_path, {"values.yaml": values})
    run(tmp_path, "fix", "--unsafe", "--write", "values.yaml")
    assert (tmp_path / "values.yaml").read_text().count("monitor-delay:") == 1
