"""What is known of a clouds.yaml in the same Secret as a cloud.conf."""

from __future__ import annotations

from base64 import b64encode

import pytest

from ccmcheck.carriers import find

CONF = "[Global]\nuse-clouds = true\nclouds-file = /etc/config/clouds.yaml\ncloud = openstack\n"
PLAIN = "# ours\nclouds:\n\n  prod-tenant:\n    auth:\n      password: canary\n  # next\n# of column 0\n  'b.c':  # other\n    region_name: R\ncache: {}\n"


def clouds_in(text: str, *, encoded: bool = True) -> list[str]:
    """The clouds known of a Secret's clouds.yaml."""
    field, shown = ("data", b64encode) if encoded else ("stringData", bytes)
    lines = "".join(
        f"  {key}: |\n" + "".join(f"    {line}\n" for line in shown(value.encode()).decode().splitlines())
        for key, value in (("cloud.conf", CONF), ("clouds.yaml", text))
    )
    (conf,) = find(
        "x.yaml", f"apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\n{field}:\n{lines}"
    ).carried
    return [name for one in conf.siblings if (name := one.partition("#")[2])]


@pytest.mark.parametrize("encoded", [True, False])
def test_the_names_alone_are_known(*, encoded: bool) -> None:
    assert clouds_in(PLAIN, encoded=encoded) == ["prod-tenant", "b.c"]


def test_any_form_of_yaml_is_read() -> None:
    assert clouds_in("clouds: {a: {}}\n") == ["a"]
    assert clouds_in("clouds:\n  a: &x\n    region_name: R\n  b:\n") == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "clouds:\n  <<: *others\n  b:\n",
        "clouds:\n  {{ name }}:\n    auth: {}\n",
        "clouds:\n  a:\n    auth: {}\n{% for name in names %}\n  {{ name }}:\n{% endfor %}\n",
        "clouds:\n  a:\n    auth: {}\n${MORE}\n",
        "other: {}\n",
    ],
)
def test_what_is_not_plain_is_unknown(text: str) -> None:
    assert clouds_in(text) == []
