"""Releases of the CCM that texts tell beside its workloads: by charts, images and variables."""

from __future__ import annotations

import time

import pytest

from ccmcheck.carriers import find
from ccmcheck.catalog.signs.releases import is_variable

CHART = "openstack-cloud-controller-manager"
IMAGE = f"registry.k8s.io/provider-os/{CHART}"
COMMAND = f"helm upgrade -i ccm cpo/{CHART}"


def told(path: str, text: str) -> list[str]:
    return [pod.release for pod in find(path, text).run_context.image_tags]


class TestCommands:
    @pytest.mark.parametrize(
        "comment",
        [
            f"# {COMMAND} --version 2.30.0\n",
            f"  #{COMMAND} --version 2.30.0\n",
            f"# {COMMAND} \\\n#   --version 2.30.0\n",
            f"helm repo update # {COMMAND} --version 2.30.0\n",
            f"helm upgrade -i ccm cpo/{CHART} # --version 2.30.0\n",
        ],
    )
    def test_a_comment_installs_nothing(self, comment: str) -> None:
        assert told("up.sh", f"#!/bin/sh\n{comment}{COMMAND} --version 2.31.1\n") == ["v1.31.1"]

    def test_a_sign_within_a_word_begins_no_comment(self) -> None:
        assert told("up.sh", f"{COMMAND} --set a=b#c --version 2.31.1\n") == ["v1.31.1"]

    def test_lines_may_end_as_on_windows(self) -> None:
        assert told("up.sh", f"{COMMAND} \\\r\n  --namespace kube-system \\\r\n  --version 2.31.1\r\n") == ["v1.31.1"]


class TestTerraform:
    def release(self, version: str, rest: str) -> list[str]:
        resource = f'resource "helm_release" "ccm" {{\n  chart = "{CHART}"\n  version = {version}\n}}\n'
        return told("main.tf", resource + rest)

    @pytest.mark.parametrize("name", ["var.version", "local.version"])
    def test_no_version_of_another_block_is_the_variable_s(self, name: str) -> None:
        own = 'variable "version" {\n  default = "2.31.1"\n}\nlocals {\n  version = "2.31.1"\n}\n'
        other = 'terraform {\n  required_providers {\n    helm = {\n      version = "2.9.0"\n    }\n  }\n}\n'
        assert self.release(name, own + other) == ["v1.31.1"]
        assert self.release(name, other) == []

    def test_a_variable_and_a_local_value_may_have_one_name(self) -> None:
        both = 'variable "v" {\n  default = "2.30.0"\n}\nlocals {\n  v = "2.31.1"\n}\n'
        assert self.release("var.v", both) == ["v1.30.0"]
        assert self.release("local.v", both) == ["v1.31.1"]

    def test_a_map_among_the_local_values_is_another_thing(self) -> None:
        assert self.release("local.v", 'locals {\n  a = {\n    v = "2.30.0"\n  }\n  v = "2.31.1"\n}\n') == ["v1.31.1"]


class TestImages:
    @pytest.mark.parametrize(
        ("path", "text"),
        [
            ("mirror.sh", f"IMAGES=(\n  {IMAGE}:v1.30.0\n)\n"),
            ("mirror.sh", f'IMAGES=(\n  "{IMAGE}:v1.30.0"\n)\n'),
            ("mirror.sh", f'IMAGES="\n{IMAGE}:v1.30.0\n"\n'),
            ("main.tf", f'locals {{\n  images = [\n    "{IMAGE}:v1.30.0",\n  ]\n}}\n'),
            ("images.json", f'[\n  "{IMAGE}:v1.30.0",\n  "{IMAGE}:v1.31.0"\n]\n'),
        ],
    )
    def test_a_list_runs_nothing(self, path: str, text: str) -> None:
        assert told(path, text) == []

    @pytest.mark.parametrize("comment", [" # ", "\t#", " // "])
    def test_nor_does_a_comment_behind_a_value(self, comment: str) -> None:
        assert told("main.tf", f'a = "x"{comment}was {IMAGE}:v1.30.0\nimage = "{IMAGE}:v1.31.2"\n') == ["v1.31.2"]

    def test_an_address_is_no_comment(self) -> None:
        assert told("up.sh", f"run https://r.example/a#b {IMAGE}:v1.31.2\n") == ["v1.31.2"]


class TestVariables:
    @pytest.mark.parametrize(
        "name",
        [
            "external_openstack_cloud_controller_image_tag",
            "occm_version",
            "my_occm_chart_version",
            "cloud_provider_tag",
            "cloud_provider_openstack_version",
            "k8scloudprovider_tag",
        ],
    )
    def test_names(self, name: str) -> None:
        assert is_variable(name)

    @pytest.mark.parametrize(
        "name",
        [
            "aws_cloud_provider_tag",
            "version",
            "occm",
            "occm_versions",
            "foccm_version",
            "occm_image",
            "my-occm_version",
        ],
    )
    def test_other_names(self, name: str) -> None:
        assert not is_variable(name)

    def test_a_long_name_is_looked_at_once(self) -> None:
        name = "occm_" * 40_000 + "x"
        start = time.process_time()
        assert not is_variable(name)
        assert time.process_time() - start < 1


class TestAssignments:
    MANIFEST = (
        "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/$V/manifests/controller-manager/"
        f"{CHART}-ds.yaml"
    )

    @pytest.mark.parametrize(
        "assignment",
        [
            "V=v1.31.1\n",
            "export V='v1.31.1'\n",
            'set -e; V="v1.31.1"\n',
            "  local V=v1.31.1 # V=v1.30.0\n",
            "# V=v1.30.0\nV=v1.31.1\n",
            "V := v1.31.1\n",
            "if true; then V=v1.31.1; fi\n",
            "V=v1.31.1 X=a#V=v1.30.0 run\n",
        ],
    )
    def test_a_script_s_variable_has_the_value_that_no_comment_gives_it(self, assignment: str) -> None:
        assert told("up.sh", f"{assignment}kubectl apply -f {self.MANIFEST}\n") == ["v1.31.1"]
        as_chart = assignment.replace("v1.", "2.")
        assert told("up.sh", f"{as_chart}{COMMAND} --version $V\n") == ["v1.31.1"]

    @pytest.mark.parametrize(
        "line",
        ["# usage: V=v1.30.0 ./up.sh\n", "W=v1.30.0\n", "echo $V=v1.30.0\n", '[ "$V" == v1.30.0 ]\n', "XV=v1.30.0\n"],
    )
    def test_nothing_else_assigns(self, line: str) -> None:
        assert told("up.sh", f"{line}kubectl apply -f {self.MANIFEST}\n") == [""]
        assert told("up.sh", f"{line.replace('v1.', '2.')}{COMMAND} --version $V\n") == [""]


@pytest.mark.parametrize(
    ("image", "release"),
    [
        (f"docker.io/k8scloudprovider/{CHART}:v0.1.0", "v0.1.0"),
        (f"k8scloudprovider/{CHART}:v0.3.0", "v0.3.0"),
        (f"k8scloudprovider/{CHART}:0.3.0", ""),
        (f"k8scloudprovider/{CHART}:v0.4.0", ""),
        (f"k8scloudprovider/{CHART}:v0.1.0-rc", ""),
        (f"k8scloudprovider/{CHART}-operator:v0.1.0", ""),
        (f"pharmer/{CHART}:v0.1.0", ""),
    ],
)
def test_the_first_three_tags_are_releases_in_their_own_registry(image: str, release: str) -> None:
    pods = find("ccm.yaml", f"kind: Pod\nspec:\n  containers:\n  - name: ccm\n    image: {image}\n").run_context.pods
    assert [pod.release for pod in pods if pod.release] == [release] * bool(release)
