"""Each sign of a release in a text that is no object, by an example, and what is none."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find
from ccmcheck.catalog.signs.release_texts import IN_TEXTS, KUBERNETES, ReleaseSign, kubernetes_versions_in

CHART = "openstack-cloud-controller-manager"
REPOSITORY = "https://github.com/kubernetes/cloud-provider-openstack"
RAW = "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack"
DS = f"manifests/controller-manager/{CHART}-ds.yaml"

OTHERS: dict[str, str] = {
    "a variable of Terraform by its name": 'variable "image_tag" {\n  default = "v1.31.2"\n}\n',
    "a value of Terraform by its name": 'image_tag = "v1.31.2"\n',
    "the chart in Terraform": f'resource "x" "a" {{\n  chart = "{CHART}"\n}}\nresource "x" "b" {{\n  version = "2.31.1"\n}}\n',
    "the address of manifests": f"kubectl apply -f {RAW}/v1.31.1/manifests/cinder-csi-plugin/\n",
    "manifests of a checkout": f"git clone -b v1.31.1 {REPOSITORY}\n",
    "a helm command": f"helm upgrade -i csi cpo/openstack-cinder-csi --version 2.31.1 # not {CHART}\n",
    "an image in a line": f"images: |\n  - x/{CHART}:v1.31.2\n",
}
"""For each sign what looks like it and is none."""


def releases(path: str, text: str) -> set[str]:
    return {pod.release for pod in find(path, text).run_context.image_tags}


@pytest.mark.parametrize("sign", IN_TEXTS, ids=lambda sign: sign.says)
def test_a_sign_is_found_in_its_example_alone(sign: ReleaseSign) -> None:
    path = "a.tf" if sign.language else "vars.yml" if sign.is_weak else "up.sh"
    assert releases(path, sign.example) == {sign.release}
    assert releases(path, OTHERS[sign.says]) == set()


@pytest.mark.parametrize(("says", "example"), [(says, example) for says, _, example in KUBERNETES])
def test_versions_of_kubernetes(says: str, example: str) -> None:
    assert kubernetes_versions_in(f"\n{example}\n") == [("v1.9.3", 3 if "Terraform" in says else 2)]
    assert kubernetes_versions_in(f"# minikube {example}".replace("\n", " ").replace("variable", "")) == []


def test_the_version_is_in_the_same_block_or_map() -> None:
    before = f'module "a" {{\n  chart_version = local.v\n  values = [\n    "x",\n  ]\n  chart_name = "{CHART}"\n}}\n'
    assert releases("a.tf", f'locals {{\n  v = "2.31.1"\n}}\n{before}') == {"v1.31.1"}
    listed = f'charts = [\n  {{\n    chartname = "x/{CHART}"\n    version = "2.31.1"\n  }},\n  {{\n    version = "2.1.0"\n  }},\n]\n'
    assert releases("a.tf", listed) == {"v1.31.1"}
