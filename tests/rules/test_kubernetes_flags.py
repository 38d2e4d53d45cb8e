"""Flags and feature gates of Kubernetes' own programs, in whole folders: which version is meant, and what stays silent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import run

from ccmcheck.api import Finding, LintOptions, check_paths
from ccmcheck.catalog.data.kubernetes_flags import FLAGS, GATES
from ccmcheck.rules.objects import kubernetes_flag

KUBELET = "kind: KubeletConfiguration\nfeatureGates:\n  CSIMigrationOpenStack: true\n"
VERSION = "kube_version: v{}\n"
SECRET = "canary7Zq"


def findings(folder: Path, files: dict[str, str], version: str = "") -> Sequence[Finding]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return check_paths([str(folder)], LintOptions(select=("kubernetes-flag",), kubernetes_version=version)).findings


def found(folder: Path, files: dict[str, str], version: str = "") -> list[tuple[str, int]]:
    return [
        (Path(one.place.path).relative_to(folder).as_posix(), one.place.line)
        for one in findings(folder, files, version)
    ]


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


HEAD = "#!/bin/sh\nkubeadm init --kubernetes-version v1.34.1\n"
CONF_FLAGS = "args: [--cloud-config=/etc/config/cloud.conf, --cloud-provider=openstack]"
OTHERS = {
    "the next document": {
        "all.yaml": f"kind: KubeletConfiguration\n---\nkind: DaemonSet\ncontainers:\n- {CONF_FLAGS}\n"
    },
    "arguments before the command": {
        "all.yaml": f"kind: KubeletConfiguration\nitems:\n- apiVersion: apps/v1\n  kind: DaemonSet\n  containers:\n  - {CONF_FLAGS}\n"
    },
    "prose before the arguments": {"all.yaml": f'note: "the kubelet registers it"\ncontainers:\n- {CONF_FLAGS}\n'},
    "a path of the CSI driver": {
        "all.yaml": "- name: kubelet\n- args: [/bin/cinder-csi-plugin, --cloud-config=/etc/config/cloud.conf]\n"
    },
    "the name of a patch": {
        "patch-kubelet-dir.yaml": f"apiVersion: apps/v1\nkind: DaemonSet\ncontainers:\n- {CONF_FLAGS}\n  path: /var/lib/kubelet\n"
    },
    "a command after the kubelet's restart": {
        "boot.env": f"{HEAD}systemctl restart kubelet\nccm --cloud-config=/etc/cloud.conf\n"
    },
    "a command by its path": {
        "boot.env": f"{HEAD}/usr/bin/kubelet --v=1\nnohup /usr/local/bin/ccm --cloud-config=/etc/cloud.conf &\n"
    },
    "a container": {"boot.env": f"{HEAD}/usr/bin/kubelet --v=1\nsudo docker run ccm --cloud-config=/etc/cloud.conf\n"},
    "an installation": {"boot.env": f"{HEAD}apt-get install -y kubelet kubeadm\nccm --cloud-config=/etc/cloud.conf\n"},
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_flags_of_other_programs(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files, version="1.34") == []


@pytest.mark.parametrize(
    "text",
    [
        "systemctl stop kubelet\nexport KUBELET_EXTRA_ARGS=--cloud-config=/etc/cloud.conf\n",
        "exec /usr/bin/kubelet --v=1 --cloud-config=/etc/cloud.conf\n",
        "/usr/bin/kubelet \\\n  --v=1 \\\n  --cloud-config=/etc/cloud.conf\n",
        "docker run k8s/hyperkube:v1 /hyperkube kubelet --cloud-config=/etc/cloud.conf\n",
        "/usr/bin/hyperkube kubelet --cloud-config=/etc/cloud.conf\n",
        "nohup kubelet --cloud-config=/etc/cloud.conf &\n",
    ],
)
def test_flags_of_the_kubelet_in_a_script(text: str, tmp_path: Path) -> None:
    text = HEAD + text
    lines = text.splitlines()
    expected = 1 + next(number for number, line in enumerate(lines) if "cloud-config" in line)
    assert found(tmp_path, {"boot.env": text}, version="1.34") == [("boot.env", expected)]


JINJA = """\
{% if cloud_provider == "openstack" %}
KUBELET_CLOUDPROVIDER="--cloud-provider=openstack --cloud-config={{ kube_config_dir }}/cloud_config"
{% elif cloud_provider == "external" %}
KUBELET_CLOUDPROVIDER="--cloud-provider=external"
{% endif %}
"""


@pytest.mark.parametrize(
    ("files", "version", "severities"),
    [
        ({"kubelet.env.j2": JINJA}, "1.25", []),
        ({"kubelet.env.j2": JINJA}, "1.30", ["INFO"]),
        ({"kubelet.env.j2": JINJA.replace("openstack", "external")}, "1.30", ["INFO"]),
        ({"kubelet.env.j2": JINJA.partition("\n")[2].partition("{%")[0]}, "1.30", ["ERROR"]),
        ({"boot.env": f"{HEAD}if a; then\nKUBELET_EXTRA_ARGS=--cloud-provider=openstack\nfi\n"}, "1.30", ["INFO"]),
        ({"kubelet.env.j2": "{% if x %}\nKUBELET_ARGS=--feature-gates=CSIMigration=true\n{% endif %}\n"}, "1.30", []),
        ({"kubelet.env.j2": "KUBELET_ARGS=--feature-gates=CSIMigration=true\n"}, "1.30", ["ERROR"]),
    ],
)
def test_branches_that_exclude_each_other(
    files: dict[str, str], version: str, severities: list[str], tmp_path: Path
) -> None:
    assert [one.severity.name for one in findings(tmp_path, files, version)] == severities


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


@pytest.mark.parametrize("unit", ["kube-" + "x" * 50, "image: ", "0" * 60, "kubelet-", "/usr/bin/"])
def test_a_long_line_is_read_in_one_pass(unit: str) -> None:
    """Where each place looked at all that follows, this took minutes."""
    began = time.process_time()
    assert sum(1 for _ in kubernetes_flag._FLAGS_AND_GATES.finditer(unit * (300_000 // len(unit)))) < 300_000
    assert time.process_time() - began < 5
