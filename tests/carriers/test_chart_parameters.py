"""Single settings of the CCM's chart in objects: Argo CD's parameters, helmfile's and k3s' ``set``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import find

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: occm
spec:
  source:
    chart: openstack-cloud-controller-manager
    targetRevision: 2.31.2
    helm:
      parameters:
      - name: cloudConfig.global.auth-url
        value: "https://keystone.example.com"
      - name: "cloudConfig.loadBalancer.monitor-delay"
        value: '5'
      - name: cloudConfig.loadBalancer.floating-network-id
        value: $NETWORK
      - name: image.tag
        value: v1.31.2
"""
HELMFILE = """\
releases:
- name: occm
  chart: cpo/openstack-cloud-controller-manager
  version: 2.31.2
  set:
  - name: cloudConfig.global.auth-url
    value: https://keystone.example.com
  - name: cloudConfig.loadBalancer.monitor-delay
    value: '5'
"""
K3S = """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata:
  name: occm
spec:
  chart: openstack-cloud-controller-manager
  version: 2.31.2
  set:
    cloudConfig.global.auth-url: https://keystone.example.com
    cloudConfig.loadBalancer.monitor-delay: '5'
"""
FORMS = {
    "Argo CD": APPLICATION,
    "helmfile": HELMFILE,
    "k3s": K3S,
    "a dependency": APPLICATION.replace("cloudConfig", "occm.cloudConfig").replace(
        "chart: openstack-c", "chart: our-c"
    ),
}


def findings(folder: Path) -> list[tuple[int, str]]:
    """Line and rule of every finding."""
    return [(one["line"], one["rule"]) for one in json.loads(run(folder, "lint", "--format=json").out)["findings"]]


@pytest.mark.parametrize("form", FORMS)
def test_a_finding_is_where_the_value_is_and_fixed_there(tmp_path: Path, form: str) -> None:
    text = FORMS[form]
    put(tmp_path, {"x.yaml": text})
    line = text[: text.index("'5'")].count("\n") + 1
    assert [one for one in findings(tmp_path) if one[1] == "duration-bad"] == [(line, "duration-bad")]
    assert run(tmp_path, "fix", "--write").code == 0
    assert (tmp_path / "x.yaml").read_text() == text.replace("'5'", "'5s'")


@pytest.mark.parametrize("form", ["k3s", "a dependency"])
def test_what_values_files_add_is_unknown(tmp_path: Path, form: str) -> None:
    put(tmp_path, {"x.yaml": FORMS[form].replace("'5'", "'5s'")})
    assert findings(tmp_path) == []


class TestAnApplicationOfParametersAlone:
    def test_has_all_its_values(self, tmp_path: Path) -> None:
        put(tmp_path, {"x.yaml": APPLICATION.replace("'5'", "'5s'")})
        assert "auth-incomplete" in [rule for _, rule in findings(tmp_path)]
        put(tmp_path, {"x.yaml": APPLICATION.replace("'5'", "'5s'") + "      fileParameters: [{name: a, path: b}]\n"})
        assert "auth-incomplete" not in [rule for _, rule in findings(tmp_path)]

    def test_names_its_cluster(self, tmp_path: Path) -> None:
        put(tmp_path, {"x.yaml": APPLICATION + "      - {name: cluster.name, value: prod}\n"})
        assert "cluster prod, from x.yaml" in run(tmp_path, "list").out

    @pytest.mark.parametrize(("more", "is_read"), [("", False), (", forceString: true", True)])
    def test_sets_a_bool_as_helm_does(self, tmp_path: Path, more: str, is_read: bool) -> None:
        switch = f'      - {{name: secret.create, value: "false"{more}}}\n'
        put(tmp_path, {"x.yaml": APPLICATION + switch + "      - {name: cluster.name, value: prod}\n"})
        assert any(rule != "installer-setting" for _, rule in findings(tmp_path)) is is_read
        listed = run(tmp_path, "list").out
        assert ("read by nobody" in listed) is not is_read
        assert "cluster prod, from x.yaml" in listed


def test_a_variable_is_unknown() -> None:
    (carried,) = find("x.yaml", APPLICATION).carried
    assert "xxxx" in carried.stack.inner
    assert "$NETWORK" in carried.text


def test_other_parameters_are_none() -> None:
    assert not find("x.yaml", APPLICATION.replace("cloudConfig.", "cloudSettings.")).carried
    assert not find("x.yaml", APPLICATION.replace("parameters:", "values:")).carried


@pytest.mark.parametrize("value", ["true", "No", "", "12", "1.5", "1e3", "0x1f", "null", "12:30", "2026-11-22", "a:"])
def test_a_field_without_quotes_gets_no_other_type(tmp_path: Path, value: str) -> None:
    plain = APPLICATION.replace('"https://keystone.example.com"', "RegionOne").replace("auth-url", "region")
    put(tmp_path, {"plain.yaml": plain})
    assert run(tmp_path, "set", "plain.yaml", f"Global.region={value}").code != 0
    assert (tmp_path / "plain.yaml").read_text() == plain


@pytest.mark.parametrize("value", ["5s", "1m0s", "12345678-1234-1234-1234-123456789012"])
def test_a_field_without_quotes_gets_a_string(tmp_path: Path, value: str) -> None:
    plain = APPLICATION.replace('"https://keystone.example.com"', "RegionOne").replace("auth-url", "region")
    put(tmp_path, {"plain.yaml": plain})
    assert run(tmp_path, "set", "plain.yaml", f"Global.region={value}").code == 0
    assert (tmp_path / "plain.yaml").read_text() == plain.replace("RegionOne", value)
