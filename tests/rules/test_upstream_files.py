"""URLs of files on cloud-provider-openstack's branch: what is gone, what changes, and what is a tag's."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.upstream_manifests import GONE

RAW = "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack"
ROLES = "manifests/controller-manager/cloud-controller-manager-roles.yaml"


def found(folder: Path, text: str, name: str = "install.sh") -> list[tuple[Severity, str]]:
    (folder / name).write_text(text, encoding="utf-8")
    result = check_paths([str(folder)], LintOptions(select=("upstream-file",)))
    return [(one.severity, f"{one.label} {one.help}") for one in result.findings]


@pytest.mark.parametrize("old", GONE)
def test_a_file_that_is_gone_is_named_with_what_there_is(tmp_path: Path, old: str) -> None:
    path = f"{old}x.yaml" if old.endswith("/") else old
    ((severity, said),) = found(tmp_path, f"kubectl apply -f {RAW}/master/{path}\n")
    assert severity is Severity.WARNING
    assert GONE[old] in said


def test_a_command_behind_an_echo_counts(tmp_path: Path) -> None:
    assert len(found(tmp_path, f"echo {RAW}/master/{ROLES} | xargs kubectl apply -f\n")) == 1


@pytest.mark.parametrize("name", ["install.sh", "tasks.yaml", "main.tf"])
def test_a_branch_changes(tmp_path: Path, name: str) -> None:
    ((severity, said),) = found(tmp_path, f'- "kubectl apply -f {RAW}/refs/heads/master/{ROLES}"\n' * 3, name)
    assert severity is Severity.INFO
    assert "in the place of `master`" in said


def test_the_files_of_a_folder_are_told_together(tmp_path: Path) -> None:
    old = [one for one in GONE if not one.endswith("/")]
    told = found(tmp_path, "".join(f"kubectl apply -f {RAW}/master/{one}\n" for one in old) * 2)
    assert len(told) == len({GONE[one].rpartition("/")[0] for one in old})
    assert all(one in " ".join(text for _, text in told) for one in (*old, *map(GONE.get, old)) if one)


def test_the_file_is_named_though_the_excerpt_may_be_masked(tmp_path: Path) -> None:
    ((_, said),) = found(tmp_path, f"kubectl apply -f {RAW}/master/{ROLES}\n")
    assert f"this installs {ROLES} as" in said


@pytest.mark.parametrize(
    "text",
    [
        f"kubectl apply -f {RAW}/v1.31.2/{ROLES}\n",
        f"# kubectl apply -f {RAW}/master/{ROLES}\n",
        f'echo "see {RAW}/master/{ROLES}"\n',
        f"  - printf 'see {RAW}/master/{ROLES}'\n",
        f"curl {RAW}/master/docs/openstack-cloud-controller-manager/using.md\n",
        f"kubectl apply -f https://raw.githubusercontent.com/somebody/cloud-provider-openstack/master/{ROLES}\n",
    ],
)
def test_what_is_of_a_tag_or_another_place_is_left_alone(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []
