"""The cloud.conf of a test is for the Services of that test alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

CONF = "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
    '    loadbalancer.openstack.org/timeout-client-data: "60000"\nspec:\n  type: LoadBalancer\n  ports:\n  - port: 80\n'
)


@pytest.mark.parametrize(
    ("conf", "service", "governs"),
    [
        ("chart/tests/cloud.conf", "chart/templates/web.yaml", False),
        ("chart/testdata/cloud.conf", "chart/web.yaml", False),
        ("tests/cloud.conf", "web.yaml", False),
        ("chart/config/cloud.conf", "chart/templates/web.yaml", True),
        ("tests/config/cloud.conf", "tests/web.yaml", True),
        ("tests/cloud.conf", "tests/case/web.yaml", True),
        ("cloud.conf", "tests/web.yaml", True),
    ],
)
def test_which_conf_governs_a_service(tmp_path: Path, conf: str, service: str, governs: bool) -> None:
    put(tmp_path, {conf: CONF, service: SERVICE, "ccmcheck.toml": "default-exclude = false\n"})
    findings = json.loads(run(tmp_path, "lint", "--select", "services", "--format=json").out)["findings"]
    assert ("svc-ovn-unsupported" in {one["rule"] for one in findings}) is governs
    (found,) = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert bool(found["services"]) is governs
