"""Complete Services: correct ones have no findings, wrong ones are fixed in their own style."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths, fix_text

RIGHT = Path(__file__).parent / "services"
"""What charts render, what the API server returns, kustomizations, Helm templates, Services of other clouds."""

WRONG = """\
# all of these are wrong somehow
apiVersion: v1
kind: Service
metadata:
    name: web   # the shop
    namespace: 'shop'
    labels:
        version: 1.10
    annotations:
        # wanted since the outage in May
        loadbalancer.openstack.org/enable-health-monitor: true      # always
        loadbalancer.openstack.org/health-monitor-delay: '5s'
        loadbalancer.openstack.org/health-monitor-max-retries: 3
        loadbalancer.openstack.org/timeout-client-data: "60" # one minute
        "loadbalancer.openstack.org/keep-floating-ip": "True"
        prometheus.io/port: 9090
spec:
    type: loadbalancer
    externalTrafficpolicy: Local
    selector: {app: web}
    allocateLoadBalancerNodePorts: false
    ports:
        -   port: "80"
            name: HTTP
            targetPort: '8080'
            protocol: tcp
        # for the impatient
        -   port: 443
            name: quic
            protocol: UDP
"""
FIXED = """\
# all of these are wrong somehow
apiVersion: v1
kind: Service
metadata:
    name: web   # the shop
    namespace: 'shop'
    labels:
        version: "1.10"
    annotations:
        # wanted since the outage in May
        loadbalancer.openstack.org/enable-health-monitor: "true"      # always
        loadbalancer.openstack.org/health-monitor-delay: '5'
        loadbalancer.openstack.org/health-monitor-max-retries: "3"
        loadbalancer.openstack.org/timeout-client-data: "60" # one minute
        "loadbalancer.openstack.org/keep-floatingip": "true"
        prometheus.io/port: "9090"
spec:
    type: LoadBalancer
    externalTrafficPolicy: Local
    selector: {app: web}
    ports:
        -   port: 80
            name: http
            targetPort: 8080
            protocol: TCP
        # for the impatient
        -   port: 443
            name: quic
            protocol: UDP
"""


@pytest.mark.parametrize("release", ["1.31", "1.33", "1.36"])
def test_correct_services_have_no_findings(release: str) -> None:
    result = check_paths([str(RIGHT)], LintOptions(releases=(release,)))
    assert [(one.place.path, one.place.line, one.rule, one.label) for one in result.findings] == []
    assert result.failures == []
    assert result.summary.files >= 9


def test_an_older_release_reports_what_it_does_not_know() -> None:
    result = check_paths([str(RIGHT)], LintOptions(releases=("1.20",)))
    assert {(Path(one.place.path).name, one.rule) for one in result.findings} == {
        ("ingress-nginx.yaml", "svc-annotation-unknown"),
        ("ingress-nginx.yaml", "svc-annotation-value"),
        ("cloud.conf", "ccm-release-bug"),
    }


def test_services_are_fixed_in_their_own_style() -> None:
    assert fix_text(WRONG, "web.yaml", unsafe=True).text == FIXED


def test_carriage_returns_stay() -> None:
    assert fix_text(WRONG.replace("\n", "\r\n"), "web.yaml", unsafe=True).text == FIXED.replace("\n", "\r\n")


def test_safe_fixes_only_correct_what_kubernetes_rejects() -> None:
    done = fix_text(WRONG, "web.yaml").text.splitlines()
    before = WRONG.splitlines()
    changed = [line.strip() for line, old in zip(done, before, strict=True) if line != old]
    assert changed == [
        'version: "1.10"',
        'loadbalancer.openstack.org/enable-health-monitor: "true"      # always',
        'loadbalancer.openstack.org/health-monitor-max-retries: "3"',
        'prometheus.io/port: "9090"',
        "type: LoadBalancer",
        "-   port: 80",
        "name: http",
        "targetPort: 8080",
        "protocol: TCP",
    ]
