"""ClusterRoles of the sidecars beside the Cinder CSI driver's controller, by the releases of their images."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

DRIVER = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: csi, namespace: kube-system}}
spec:
  template:
    spec:
      serviceAccountName: {account}
      containers:
        - {{name: cinder-csi-plugin, image: 'registry.k8s.io/provider-os/cinder-csi-plugin:v1.33.0', args: [{flags}]}}
        - {{name: a, image: 'registry.k8s.io/sig-storage/csi-attacher:v{attacher}'}}
        - {{name: p, image: '{registry}csi-provisioner:v{provisioner}', args: [{gates}]}}
        - {{name: r, image: 'registry.k8s.io/sig-storage/csi-resizer:v1.12.0'}}
        - {{name: s, image: 'registry.k8s.io/sig-storage/csi-snapshotter:v{snapshotter}'}}
"""
NEW = {
    "registry": "registry.k8s.io/sig-storage/",
    "account": "csi",
    "attacher": "4.7.0",
    "provisioner": "5.1.0",
    "snapshotter": "8.1.0",
    "flags": "",
    "gates": "",
}
RIGHTS = """\
persistentvolumes create
persistentvolumes patch
volumeattachments list
volumeattachments patch
volumeattachments/status patch
csinodes list
nodes list
persistentvolumeclaims/status patch
volumesnapshotcontents patch
volumesnapshotcontents/status patch
volumesnapshotcontents/status update
"""
BINDING = """---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {{name: {role}}}
roleRef: {{kind: ClusterRole, name: {role}}}
subjects: [{{kind: ServiceAccount, name: csi, namespace: kube-system}}]
"""


def role(name: str = "csi-role", without: str = "", rights: str = RIGHTS) -> str:
    head = f"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: {name}}}\nrules:\n"
    group = '["", storage.k8s.io, snapshot.storage.k8s.io]'
    pairs = [line.split() for line in rights.splitlines() if line not in without.split(", ")]
    return head + "".join(
        f"  - {{apiGroups: {group}, resources: [{resource}], verbs: [{verb}]}}\n" for resource, verb in pairs
    )


def said(folder: Path, rbac: str, other: str = "", **driver: str) -> str:
    (folder / "driver.yaml").write_text(DRIVER.format(**{**NEW, **driver}))
    (folder / "rbac.yaml").write_text(rbac)
    (folder / "more.yaml").write_text(other or "a: 1\n")
    return " ".join(run(folder, "lint", "--select", "ccm-role", ".").out.split())


BOUND = BINDING.format(role="csi-role")
OLD = {"provisioner": "3.6.2", "snapshotter": "4.2.1", "attacher": "2.2.0", "gates": "--feature-gates=Topology=true"}


@pytest.mark.parametrize("missing", RIGHTS.splitlines())
def test_each_right_is_missed(tmp_path: Path, missing: str) -> None:
    resource, verb = missing.split()
    assert f"`{verb}` of `{resource}`" in said(tmp_path, role(without=missing) + BOUND)


def test_the_sidecar_is_named_at_its_own_role(tmp_path: Path) -> None:
    rbac = role("first", rights="pods list") + BINDING.format(role="first")
    own = role("csi-provisioner-role", "persistentvolumes patch, csinodes list")
    out = said(tmp_path, rbac + own + BINDING.format(role="csi-provisioner-role"))
    assert out.count("ccm-role") == 2  # the finding, and how to learn more
    assert "csi-provisioner-role" in out


@pytest.mark.parametrize(
    ("without", "driver"),
    [
        pytest.param("", {}, id="all of them"),
        pytest.param("volumeattachments/status patch", OLD, id="an older attacher"),
        pytest.param("volumesnapshotcontents patch, volumesnapshotcontents/status patch", OLD, id="an older snapshotter"),
        pytest.param("csinodes list, nodes list", {**OLD, "gates": "--v=1"}, id="no topology by default"),
        pytest.param("csinodes list, nodes list", {"gates": "--feature-gates=Topology=false"}, id="no topology"),
        pytest.param("csinodes list, nodes list", {"flags": "--with-topology=false"}, id="no topology by the driver"),
        pytest.param(RIGHTS.replace("\n", ", "), {"account": "other"}, id="another account"),
        pytest.param(RIGHTS.replace("\n", ", "), {"account": "'{{ .Values.account }}'"}, id="a template"),
    ],
)  # fmt: skip
def test_right_roles(tmp_path: Path, without: str, driver: dict[str, str]) -> None:
    assert "ccm-role" not in said(tmp_path, role(without=without) + BOUND, **driver)


def test_what_the_roles_of_one_account_allow_together(tmp_path: Path) -> None:
    others = role("more", rights="persistentvolumes patch") + BINDING.format(role="more")
    assert "ccm-role" not in said(tmp_path, role(without="persistentvolumes patch") + BOUND + others)
    assert "ccm-role" not in said(tmp_path, role(without="persistentvolumes patch") + BOUND, others[4:])
    assert "ccm-role" not in said(tmp_path, role(without="persistentvolumes patch"))
    (tmp_path / "deeper").mkdir()
    assert "ccm-role" in said(tmp_path, role(without="persistentvolumes patch") + BOUND)


def test_a_mirror_of_the_images(tmp_path: Path) -> None:
    out = said(tmp_path, role(without="csinodes list") + BOUND, registry="docker.io/rancher/mirrored-sig-storage-")
    assert "csi-provisioner `list` of `csinodes`" in out


def test_a_provisioner_that_leaves_the_finalizer_out(tmp_path: Path) -> None:
    rbac = role(without="persistentvolumes patch", rights=RIGHTS) + BOUND
    out = said(tmp_path, rbac, gates="--feature-gates=HonorPVReclaimPolicy=false")
    assert "csi-provisioner `patch`" not in out
    assert "csi-attacher `patch` of `persistentvolumes`" in out


def test_roles_of_other_sidecars_alone(tmp_path: Path) -> None:
    rbac = role("csi-snapshotter-role", rights="volumesnapshotcontents patch")
    out = said(tmp_path, rbac + BINDING.format(role="csi-snapshotter-role"))
    assert "does not allow csi-snapshotter `" in out
    assert all(f"csi-{other} `" not in out for other in ("attacher", "provisioner", "resizer"))
