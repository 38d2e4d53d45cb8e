"""What becomes of a Service under another release: annotations, outcome, verdicts, status."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.review.upgrade.conditions import Case
from ccmcheck.review.upgrade.service import ServiceEffect, service_effects

UUID = "5d52e0f6-0000-4000-8000-000000000000"
PREFIX = "loadbalancer.openstack.org/"
WEB = Service("web", "shop", ports=(ServicePort(80, node_port=30080),), uid="u")


def changes(old: str, new: str, service: Service = WEB, conf: str = "") -> dict[str, ServiceEffect]:
    text = f"[LoadBalancer]\nsubnet-id = {UUID}\nfloating-network-id = {UUID}\n{conf}"
    case = Case(read_options(text, old), read_options(text, new))
    return {one.about: one for one in service_effects(case, service, CloudState())}


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("health-monitor-max-retries-down", "1.25", "1.36", "was ignored, and counts"),
        # declared in 1.32.0, read in 1.34.0, and at the tips of 1.32 and 1.33
        ("lb-method", "v1.31.4", "v1.33.1", ""),
        ("lb-method", "v1.31.4", "v1.34.0", "was ignored, and counts"),
        ("lb-method", "v1.31.4", "1.33", ""),
        ("lb-method", "v1.31.4", "release-1.33", "was ignored, and counts"),
        # the CCM writes it, and never reads it
        ("load-balancer-address", "v1.25.3", "v1.25.4", ""),
        ("subnet-id", "1.25", "1.36", ""),
        ("no-such-thing", "1.25", "1.36", ""),
    ],
)
def test_annotations(name: str, old: str, new: str, words: str) -> None:
    found = changes(old, new, WEB._replace(annotations={PREFIX + name: "2"})).get("annotation")
    assert (found.text if found is not None else "") == (f"the annotation {name} {words}" if words else "")


def test_an_outcome_that_mends() -> None:
    found = changes("1.22", "1.31", WEB._replace(annotations={PREFIX + "proxy-protocol": "v2"}))["outcome"]
    assert found.severity is Severity.INFO
    assert found.text.startswith("Octavia takes its requests; before, the CCM ends with an error (")


def test_an_outcome_that_breaks() -> None:
    found = changes("v1.27.3", "v1.28.2", conf=f"default-tls-container-ref = https://b/v1/{UUID}\n")["outcome"]
    assert found.severity is Severity.ERROR
    assert "the CCM ends with an error" in found.text


def test_the_status() -> None:
    assert "status" not in changes("1.29", "1.30")  # ipMode VIP is what no ipMode means
    found = changes("1.29", "1.30", WEB._replace(annotations={PREFIX + "proxy-protocol": "true"}))["status"]
    assert found.text == "its status: ip the floating IP, ipMode Proxy; before: ip the floating IP"


@pytest.mark.parametrize(
    ("old", "new", "service", "severity"),
    [
        # a class without a floating network makes its Services internal up to 1.18
        ("1.18", "1.19", WEB._replace(annotations={f"{PREFIX}class": "inner"}), Severity.WARNING),
        ("1.24", "1.25", WEB._replace(families=("IPv6",)), Severity.WARNING),
        ("1.29", "1.30", WEB._replace(annotations={f"{PREFIX}proxy-protocol": "true"}), Severity.INFO),
    ],
)
def test_another_address_is_worse_than_another_mode(old: str, new: str, service: Service, severity: Severity) -> None:
    inner = f'[LoadBalancerClass "inner"]\nsubnet-id = {UUID}\n'
    assert changes(old, new, service, inner)["status"].severity is severity


def test_verdicts() -> None:
    found = changes("1.22", "1.36", conf="manage-security-groups = true\n")
    assert found["security-group"].severity is Severity.INFO
    assert "before: manage-security-groups does nothing in 1.22" in found["security-group"].text


def test_nothing() -> None:
    assert changes("1.34", "1.36") == {}
