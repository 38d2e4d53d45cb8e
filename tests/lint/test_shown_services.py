"""Services that a document shows."""

from __future__ import annotations

import pytest

from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings

SERVICE = """\
```yaml
kind: Service
metadata:
  name: web
{annotations}spec:
  type: LoadBalancer
  loadBalancerIP: web.example.com
  selector:
    app: web
  ports:
  - port: 80
```
"""
OURS = "  annotations:\n    loadbalancer.openstack.org/keep-floatingip: 'true'\n"
AWS = "```\nservice.beta.kubernetes.io/aws-load-balancer-ssl-cert: x\n```\n"


@pytest.mark.parametrize(
    ("path", "text", "reported"),
    [
        ("docs/service.md", SERVICE.format(annotations="") + AWS, False),
        ("docs/service.md", SERVICE.format(annotations=OURS) + AWS, True),
        ("docs/service.md", SERVICE.format(annotations=""), True),
        ("service.yaml", SERVICE.format(annotations="").replace("```yaml\n", "").replace("```\n", "# aws") + "", True),
    ],
)
def test_a_page_about_several_clouds_shows_services_of_any(path: str, text: str, reported: bool) -> None:
    found = Linter(Settings(), RunContext()).lint(path, text.encode(), explicit=True)
    assert ("svc-lbip" in {finding.rule for finding in found.findings}) == reported


@pytest.mark.parametrize(
    ("annotations", "reported"), [("", False), (OURS.replace("keep-floatingip", "flavor-id"), True)]
)
def test_advice_about_the_floating_ip_of_a_service_in_a_folder_needs_a_sign_of_openstack(
    annotations: str, *, reported: bool
) -> None:
    text = (
        SERVICE.format(annotations=annotations)
        .replace("```yaml\n", "")
        .replace("```\n", "")
        .replace("web.example.com", "203.0.113.10")
    )
    found = Linter(Settings(), RunContext()).lint("service.yaml", text.encode())
    assert ("svc-lbip" in {finding.rule for finding in found.findings}) == reported
