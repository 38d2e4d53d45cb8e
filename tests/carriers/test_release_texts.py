"""Each sign of a release in a text that is no object, by an example, and what is none."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find
from ccmcheck.carriers.release_texts import SIGNS

CHART = "openstack-cloud-controller-manager"
REPOSITORY = "https://github.com/kubernetes/cloud-provider-openstack"
RAW = "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack"
DS = f"manifests/controller-manager/{CHART}-ds.yaml"

EXAMPLES: dict[str, tuple[str, str, str, str]] = {
    "a variable of Terraform by its name": (
        "a.tf",
        'variable "occm_image_tag" {\n  default = "v1.31.2"\n}\n',
        "v1.31.2",
        'variable "image_tag" {\n  default = "v1.31.2"\n}\n',
    ),
    "the chart in Terraform": (
        "a.tf",
        f'resource "helm_release" "ccm" {{\n  chart   = "cpo/{CHART}"\n  version = "2.31.1"\n}}\n',
        "v1.31.1",
        f'resource "x" "a" {{\n  chart = "{CHART}"\n}}\nresource "x" "b" {{\n  version = "2.31.1"\n}}\n',
    ),
    "the address of manifests": (
        "up.sh",
        f"kubectl apply -f {RAW}/v1.31.1/{DS}\n",
        "v1.31.1",
        f"kubectl apply -f {RAW}/v1.31.1/manifests/cinder-csi-plugin/\n",
    ),
    "manifests of a checkout": (
        "up.sh",
        f"git clone -b v1.31.1 {REPOSITORY}\nkubectl apply -f cloud-provider-openstack/x -f manifests/controller-manager/\n",
        "v1.31.1",
        f"git clone -b v1.31.1 {REPOSITORY}\n",
    ),
    "a helm command": (
        "up.sh",
        f"VERSION=2.31.1\nhelm upgrade -i ccm cpo/{CHART} --version $VERSION\n",
        "v1.31.1",
        f"helm upgrade -i csi cpo/openstack-cinder-csi --version 2.31.1 # not {CHART}\n",
    ),
    "an image in a line": (
        "vars.yml",
        f"image: x/{CHART}:v1.31.2\n",
        "v1.31.2",
        f"images: |\n  - x/{CHART}:v1.31.2\n",
    ),
}


def releases(path: str, text: str) -> set[str]:
    return {pod.release for pod in find(path, text).run_context.image_tags}


def test_each_sign_has_an_example() -> None:
    assert list(EXAMPLES) == [sign.name for sign in SIGNS]


@pytest.mark.parametrize("sign", EXAMPLES)
def test_a_sign_and_what_is_none(sign: str) -> None:
    path, text, release, other = EXAMPLES[sign]
    assert releases(path, text) == {release}
    assert releases(path, other) == set()


def test_the_version_is_in_the_same_block_or_map() -> None:
    before = f'module "a" {{\n  chart_version = local.v\n  values = [\n    "x",\n  ]\n  chart_name = "{CHART}"\n}}\n'
    assert releases("a.tf", f'locals {{\n  v = "2.31.1"\n}}\n{before}') == {"v1.31.1"}
    listed = f'charts = [\n  {{\n    chartname = "x/{CHART}"\n    version = "2.31.1"\n  }},\n  {{\n    version = "2.1.0"\n  }},\n]\n'
    assert releases("a.tf", listed) == {"v1.31.1"}
