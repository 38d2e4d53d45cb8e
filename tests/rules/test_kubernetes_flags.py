"""Flags and feature gates of Kubernetes' own programs, in whole folders: which version is meant, and what stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.catalog.data.kubernetes_flags import FLAGS, GATES

KUBELET = "kind: KubeletConfiguration\nfeatureGates:\n  CSIMigrationOpenStack: true\n"
VERSION = "kube_version: v{}\n"
SECRET = "canary7Zq"


def found(folder: Path, files: dict[str, str], version: str = "") -> list[tuple[str, int]]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    result = check_paths([str(folder)], LintOptions(select=("kubernetes-flag",), kubernetes_version=version))
    return [(Path(one.place.path).relative_to(folder).as_posix(), one.place.line) for one in result.findings]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"kubelet.yaml": KUBELET, "inventory/group_vars/all.yml": VERSION.format("1.26.5")}, [("kubelet.yaml", 3)]),
        ({"kubelet.yaml": KUBELET, "inventory/group_vars/all.yml": VERSION.format("1.25.5")}, []),
        ({"kubelet.yaml": KUBELET}, []),
        # which of them it is of, nobody knows
        ({"kubelet.yaml": KUBELET, "a.yml": VERSION.format("1.26.5"), "b.yml": VERSION.format("1.24.5")}, []),
        ({"kubelet.md": f"```yaml\n{VERSION.format('1.26.5')}{KUBELET}```\n"}, []),
        ({"app.yaml": VERSION.format("1.26.5") + "featureGates:\n  CSIMigrationOpenStack: true\n"}, []),
    ],
)
def test_the_version_that_is_meant(tmp_path: Path, files: dict[str, str], expected: list[tuple[str, int]]) -> None:
    assert found(tmp_path, files) == expected


def test_a_version_that_is_given_wins(tmp_path: Path) -> None:
    files = {"kubelet.yaml": VERSION.format("1.25.0") + KUBELET}
    assert found(tmp_path, files) == []
    assert found(tmp_path, files, version="1.26") == [("kubelet.yaml", 4)]


def test_what_is_masked(tmp_path: Path) -> None:
    (tmp_path / "kubelet.env").write_text(
        f'KUBELET="--cloud-provider=external --cloud-config=/x/{SECRET} --token={SECRET}"\nPASSWORD={SECRET}\n'
    )
    outputs = [run(tmp_path, "lint", ".", f"--format={one}").out for one in ("text", "json", "sarif", "github")]
    assert all("kubernetes-flag" in out and SECRET not in out for out in outputs)


def test_the_tables() -> None:
    assert all(row.label.count("{}") <= 1 and row.detail.endswith(".") and row.do.endswith(".") for row in FLAGS)
    assert all(row.is_info or row.since or row.before for row in FLAGS)
    for name, rows in GATES.items():
        assert [minor for _, minor in rows] == sorted(minor for _, minor in rows), name
        assert {value for value, _ in rows} <= {"", "true", "false"}
