"""A cloud.conf that a script or cloud-init writes with nothing in it is one; an example in a page is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run

EMPTY = {
    "bootstrap.sh": "cat > /etc/kubernetes/cloud.conf <<EOF\n# to be written\nEOF\n",
    "none.sh": "cat > /etc/kubernetes/cloud.conf <<EOF\nEOF\n",
    "main.tf": 'resource "x" "y" {\n  user_data = <<EOT\n#cloud-config\nwrite_files:\n- path: /etc/kubernetes/cloud.conf\n'
    "  content: |\n    # to be written\nEOT\n}\n",
    "user-data": '#cloud-config\nwrite_files:\n- path: /etc/kubernetes/cloud.conf\n  permissions: "0600"\n  content: ""\n',
    "kcp.yaml": "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: p}\nspec:\n"
    "  kubeadmConfigSpec:\n    files:\n    - path: /etc/kubernetes/cloud.conf\n      permissions: '0600'\n      content: ''\n",
}
OTHERS = {
    "from.yaml": "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: p}\nspec:\n"
    "  kubeadmConfigSpec:\n    files:\n    - path: /etc/kubernetes/cloud.conf\n      permissions: '0600'\n"
    "      contentFrom: {secret: {name: c, key: k}}\n",
    "variable.sh": "cat > /etc/kubernetes/cloud.conf <<EOF\n$CLOUD_CONF\nEOF\n",
    "added.sh": "cat > /etc/kubernetes/cloud.conf <<EOF\n# ours\nEOF\ncat >> /etc/kubernetes/cloud.conf <<EOF\n$MORE\nEOF\n",
    "page.md": "Write the file:\n\n```sh\ncat > /etc/kubernetes/cloud.conf <<EOF\n# your configuration\nEOF\n```\n",
    "systemd.sh": "cat > /etc/systemd/cloud-provider.conf <<EOF\n# empty\nEOF\n",
}


@pytest.mark.parametrize("name", EMPTY)
def test_is_found(name: str, tmp_path: Path) -> None:
    done = run(put(tmp_path, {name: EMPTY[name]}), "lint", "--format", "concise")
    assert done.code == 1, done
    assert "auth-incomplete: incomplete credentials: nothing is in it" in done.out


@pytest.mark.parametrize("name", OTHERS)
def test_is_left_alone(name: str, tmp_path: Path) -> None:
    assert run(put(tmp_path, {name: OTHERS[name]}), "lint", "-q", "--format", "concise").out == ""
