"""The default of a Heat parameter is a release that whoever creates the stack may change."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find

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
