"""Releases in scripts and stacks: the default of a Heat parameter, and an image that the script around it assigns."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find

IMAGE = "openstack-cloud-controller-manager"
HEAT = """\
heat_template_version: 2014-10-16
parameters:
  cloud_provider_tag:
    type: string
    description: tag of the CCM's image
    default: {}
  other_tag:
    type: string
    default: v1.2.3
"""


@pytest.mark.parametrize(
    ("default", "release"), [("v1.27.1", "v1.27.1"), ('"v1.27.1"', "v1.27.1"), ("v0.2.0", "v0.2.0"), ('""', "")]
)
def test_the_default_of_a_parameter(default: str, release: str) -> None:
    found = find("kubecluster.yaml", HEAT.format(default)).run_context.image_tags
    assert [(pod.subject, pod.release, pod.line, pod.is_default) for pod in found] == (
        [("cloud_provider_tag", release, 6, True)] if release else []
    )


def test_a_variable_has_a_value() -> None:
    (pod,) = find("vars.yaml", "cloud_provider_tag: v1.27.1\n").run_context.image_tags
    assert (pod.release, pod.is_default) == ("v1.27.1", False)


SCRIPT = """\
{}
cat <<EOF | kubectl apply -f -
kind: DaemonSet
metadata: {{name: ccm, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: ${{IMAGE}}
        command: [/bin/openstack-cloud-controller-manager]
EOF
"""


@pytest.mark.parametrize(
    ("assignments", "image", "release"),
    [
        (f"IMAGE={IMAGE}:v1.31.2", f"{IMAGE}:v1.31.2", "v1.31.2"),
        (f"IMAGE=\"$(prefix 'docker.io/k8scloudprovider/'){IMAGE}:${{TAG}}\"", f"{IMAGE}:${{TAG}}", ""),
        (f"IMAGE={IMAGE}:v1.31.2\nIMAGE={IMAGE}:v1.30.0", "${IMAGE}", ""),
        (f"OTHER_IMAGE={IMAGE}:v1.31.2", "${IMAGE}", ""),
        ("IMAGE=registry.example.com/ccm:v1.31.2", "${IMAGE}", ""),
    ],
)
def test_an_image_that_the_script_assigns(assignments: str, image: str, release: str) -> None:
    (pod,) = find("up.sh", SCRIPT.format(assignments)).run_context.pods
    assert (pod.image, pod.release) == (image, release)
