"""Who reads a cloud.conf where the file around it, or the object's name, tells of another program than the CCM."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ccmcheck.carriers import find
from ccmcheck.carriers.base import IN_TREE

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

CONF = "[Global]\nauth-url=https://k/v3\nuser-id=u\npassword=p\n[LoadBalancer]\nmonitor-delay=5\n"
INDENTED = "".join(f"        {line}\n" for line in CONF.splitlines())
CONTROL_PLANE = f"""\
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: one
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager:
        extraArgs:
          cloud-provider: openstack
          cloud-config: /etc/kubernetes/cloud.conf
    files:
    - path: /etc/kubernetes/cloud.conf
      content: |
{INDENTED}"""
SCRIPT = f"cat > /etc/kubernetes/cloud.conf <<EOF\n{CONF}EOF\nkubelet --cloud-provider=openstack --cloud-config=/etc/kubernetes/cloud.conf\n"
SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {}\n  namespace: {}\nstringData:\n  cloud.conf: |\n"
    + "".join(f"    {line}\n" for line in CONF.splitlines())
)


def readers(name: str, text: str) -> tuple[str, ...]:
    (carried,) = find(name, text).carried
    return carried.consumers


@pytest.mark.parametrize(("name", "text"), [("x.yaml", CONTROL_PLANE), ("x.sh", SCRIPT)])
def test_the_flag_of_kubernetes_own_processes(tmp_path: Path, name: str, text: str) -> None:
    assert readers(name, text) == (IN_TREE,)
    assert (
        readers(
            name,
            text.replace("cloud-provider: openstack", "cloud-provider: external").replace("=openstack", "=external"),
        )
        == ()
    )
    assert readers(name, text + "# openstack-cloud-controller-manager\n") == ()
    assert readers(name, text.replace("openstack", "openstack-x")) == ()
    put(tmp_path, {name: text})
    done = run(tmp_path, "lint")
    assert "legacy-in-tree" in done.out
    assert "duration-bad" in done.out


@pytest.mark.parametrize(
    ("name", "namespace", "reader"),
    [
        ("cluster-autoscaler-cloud-config", "kube-system", "cluster-autoscaler"),
        ("cloud-provider-config", "yawol-system", "yawol"),
        ("yawol-credentials", "x", "yawol"),
    ],
)
def test_a_program_without_known_releases_is_listed_and_not_judged(
    tmp_path: Path, name: str, namespace: str, reader: str
) -> None:
    put(tmp_path, {"x.yaml": SECRET.format(name, namespace)})
    assert json.loads(run(tmp_path, "lint", "--format=json").out)["findings"] == []
    (conf,) = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert conf["reader"] == reader


def test_the_ccm_s_own_secret_is_judged(tmp_path: Path) -> None:
    put(tmp_path, {"x.yaml": SECRET.format("cloud-config", "kube-system")})
    assert "duration-bad" in run(tmp_path, "lint").out


def test_files_of_several_readers_are_fixed_each_by_its_own(tmp_path: Path) -> None:
    text = (
        SECRET.format("cloud-config", "kube-system")
        + "---\nopenstackCloudProvider:\n  load_balancer:\n    monitor-delay: 5\n"
    )
    put(tmp_path, {"x.yaml": text})
    assert run(tmp_path, "fix", "--write").code == 0
    assert (tmp_path / "x.yaml").read_text() == text.replace("monitor-delay=5", "monitor-delay=5s").replace(
        "monitor-delay: 5", "monitor-delay: 5s"
    )


DRIVER = """\
---
kind: DaemonSet
metadata:
  name: cinder
spec:
  template:
    spec:
      containers:
      - name: driver
        image: quay.io/example/cinder-csi-plugin
      volumes:
      - name: cloudconfig
        secret:
          secretName: cloudconfig
"""
SHARED = SECRET.format("cloudconfig", "kube-system").split("    [LoadBalancer]")[0]


def test_a_secret_that_only_the_cinder_driver_of_its_file_mounts() -> None:
    assert readers("x.yaml", SHARED + DRIVER) == ("cinder-csi-plugin",)


@pytest.mark.parametrize(
    "text",
    [
        SHARED,
        SHARED.replace("cloudconfig", "cloud-config") + DRIVER,
        SHARED + DRIVER + "# openstack-cloud-controller-manager\n",
        SHARED + DRIVER.replace("image", "x-image-of"),
        SECRET.format("cloudconfig", "kube-system") + DRIVER,
    ],
    ids=["alone", "another Secret", "the CCM is there", "no image", "load balancers"],
)
def test_whose_secret_it_is_stays_unknown_without_that(text: str) -> None:
    assert readers("x.yaml", text) == ()
