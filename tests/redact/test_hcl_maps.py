"""What an expression of HCL makes, and a Secret's binary data, are hidden; blocks and labels around them are shown."""

from __future__ import annotations

import pytest

from ccmcheck.redact.masker import mask_file_text

SECRET = "SuperSecretHunter23"


@pytest.mark.parametrize(
    "opening", ["binary_data = {", "data_wo = {", "data = merge(var.x, {", "data = var.x ? {", "string_data = foo({"]
)
def test_fields_of_a_map_that_holds_a_secret(opening: str) -> None:
    end = "})" if "(" in opening else "}"
    text = (
        'resource "kubernetes_secret" "c" {\n  metadata {\n    name = "cloud-config"\n  }\n'
        f'  {opening}\n    name = "{SECRET}"\n    type = "{SECRET}"\n  {end}\n}}\n'
        'resource "kubernetes_service" "s" {\n  metadata {\n    name = "web"\n  }\n}\n'
    )
    shown = mask_file_text(text)
    assert SECRET not in shown
    assert 'name = "cloud-config"' in shown
    assert 'name = "web"' in shown


def test_a_variable_that_may_hold_a_file() -> None:
    assert "Hunter2Secr3tX9" not in mask_file_text("export CLOUD_CONFIG=Hunter2Secr3tX9\n")
    assert "kubernetes" in mask_file_text("export CLUSTER_NAME=kubernetes\n")
