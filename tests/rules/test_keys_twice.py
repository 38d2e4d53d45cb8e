"""A key that stands twice: of workloads that are ours, and where no branch of a template leaves one of them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths

WORKLOAD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      tolerations: [{operator: Exists}]
      nodeSelector: {a: b}
MORE
"""
AGAIN = "      tolerations: []"
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
DATA
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://k.example.com/v3
    password=hunter2-canary
"""


def found(folder: Path, text: str) -> list[str]:
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    result = check_paths([str(folder)], LintOptions(select=("key-twice",)))
    assert result.failures == []
    told = [f"{one.label} {one.detail}" for one in result.findings]
    assert "canary" not in " ".join(told)
    return told


@pytest.mark.parametrize(
    ("more", "times"),
    [
        (AGAIN, 1),
        ("", 0),
        (f"{AGAIN}\n{AGAIN}", 2),
        (f"{{{{- if .Values.a }}}}\n{AGAIN}\n{{{{- end }}}}", 0),
        (f"{{{{- with .Values.a }}}}\n      b: c\n{{{{- end }}}}\n{AGAIN}", 1),
        (f"{{% if a %}}\n{AGAIN}\n{{% endif %}}", 0),
        ("      containers: [&a {name: x, tolerations: [*a]}, *a, *a]", 0),
    ],
)
def test_what_stands_twice_in_a_workload(tmp_path: Path, more: str, times: int) -> None:
    assert sum("`tolerations` stands twice" in one for one in found(tmp_path, WORKLOAD.replace("MORE", more))) == times
    other = WORKLOAD.replace("MORE", more).replace("openstack-cloud-controller-manager", "cloud-sql-proxy")
    assert found(tmp_path, other) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("data: {cloud.conf: W0dsb2JhbF0K}", "stands in `data`, too"),
        ("data: {other: W0dsb2JhbF0K}", ""),
        ("data: {}", ""),
        ("stringData: {}", "`stringData` stands twice"),
        ("data: {cloud.conf: '{{ .Values.conf | b64enc }}'}", ""),
    ],
)
def test_what_stands_twice_in_a_secret(tmp_path: Path, data: str, words: str) -> None:
    told = found(tmp_path, SECRET.replace("DATA", data))
    assert [words in one for one in told] == [True] * bool(words)
    assert found(tmp_path, SECRET.replace("DATA", data).replace("[Global]", "[Other]").replace("cloud.conf", "x")) == []
