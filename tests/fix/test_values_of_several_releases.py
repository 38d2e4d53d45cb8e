"""A fix in a file of values that several releases read is made only where it is one for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: ccm-{0}, namespace: kube-system}}
spec:
  chart: {{spec: {{chart: openstack-cloud-controller-manager, version: 2.31.2}}}}
  valuesFrom: [{{kind: ConfigMap, name: ccm-values}}]
  values:
    cluster: {{name: {0}}}
    cloudConfig: {{loadBalancer: {{lb-provider: {1}, manage-security-groups: true}}}}
"""
VALUES = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: ccm-values, namespace: kube-system}
data:
  values.yaml: |
    cloudConfig:
      global:
        auth-url: https://k.example.com/v3
        application-credential-id: a
        application-credential-secret: b
      loadBalancer:
        create-monitor: true
        lb-method: ROUND_ROBIN
"""


@pytest.mark.parametrize(("second", "is_fixed"), [("amphora", False), ("ovn", True)])
def test_values_of_several_releases(tmp_path: Path, second: str, is_fixed: bool) -> None:
    put(
        tmp_path,
        {"a.yaml": RELEASE.format("a", "ovn"), "b.yaml": RELEASE.format("b", second), "values.yaml": VALUES},
    )
    done = run(tmp_path, "fix", "--write", ".")
    assert ("SOURCE_IP_PORT" in (tmp_path / "values.yaml").read_text()) == is_fixed
    if not is_fixed:
        assert "b.yaml reads this file, too, and there it is no mistake" in done.err
        assert (tmp_path / "values.yaml").read_text() == VALUES
