"""Resources of Terraform and variables of Kubespray are shown without their secrets, whatever the format."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

CANARY = "canarySecret123"
FILES = {
    "main.tf": 'resource "rancher2_cluster" "prod" {\n  rke_config {\n    cloud_provider { openstack_cloud_provider { global '
    f'{{ password = "{CANARY}" username = "u" }} }} }}\n  }}\n}}\n',
    "gv.yaml": f"external_openstack_pasword: {CANARY}\nexternal_openstack_auth_url: https://k/v3\n",
    "ccm.yaml": "kind: Pod\nmetadata: {name: ccm}\nspec:\n  containers:\n    - name: ccm\n"
    "      image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2\n",
}


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown"])
def test_no_secret_is_shown(form: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = run(tmp_path, "lint", "--format", form, ".").out
    assert CANARY not in said
    assert "rke-provider-name" in said
    assert "unread-setting" in said
