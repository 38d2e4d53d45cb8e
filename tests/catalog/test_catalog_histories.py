"""What is known of keys and annotations over all releases."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ccmcheck import catalog
from ccmcheck.catalog import service_annotations
from ccmcheck.catalog.key_effects import KEY_EFFECTS
from ccmcheck.redact.masker import is_secret_name


def test_one_history() -> None:
    found = catalog.history("loadbalancer", "Monitor-Max-Retries-Down")
    assert found is not None
    assert (found.section, found.key) == ("LoadBalancer", "monitor-max-retries-down")
    assert "0 is not sent" in found.notes
    assert list(found.consumers) == ["ccm"]
    one = found.consumers["ccm"]
    assert one.lifetime[:4] == ("1.26", "", "v1.26.4", "")
    assert one.lifetime.missing_in_tags == ("v1.27.0", "v1.27.1", "v1.27.2", "v1.28.0")
    assert one.documented
    assert found.documented


def test_types_and_defaults_over_time() -> None:
    found = catalog.history("Networking", "public-network-name")
    assert found is not None
    one = found.consumers["ccm"]
    assert one.types == (("1.10..1.18", "string"), ("1.19..master", "list"))
    assert one.defaults == (
        ("1.10..1.16", "public", "before"),
        ("1.17..1.18", "", "zero"),
        ("1.19..master", (), "zero"),
    )
    ended = catalog.history("LoadBalancer", "use-octavia")
    assert ended is not None
    assert ended.consumers["ccm"].lifetime[1:4:2] == ("1.25", "v1.25.6")


def test_environment() -> None:
    found = catalog.history("Global", "auth-url")
    assert found is not None
    assert found.consumers["ccm"].environment == (("1.9..1.16", "OS_AUTH_URL"),)


def test_a_key_without_a_reader() -> None:
    assert catalog.history("Global", "project-id") is None
    assert catalog.history("Nowhere", "auth-url") is None


def test_all_names() -> None:
    assert {"Global", "LoadBalancerClass", "KeyManager", "RBD"} <= set(catalog.all_sections())
    assert "secret-name" in catalog.all_keys("global")
    assert catalog.all_keys("Nowhere") == ()
    for section in catalog.all_sections():
        for key in catalog.all_keys(section):
            assert catalog.history(section, key) is not None, (section, key)


def test_secret_names_are_masked_too() -> None:
    assert all(
        is_secret_name(key.name)
        for consumer in catalog.CONSUMERS
        for section in catalog.schema(catalog.newest(consumer), consumer).sections
        for key in section.keys
        if key.secret
    )


@pytest.mark.parametrize(
    ("name", "lacking", "having"),
    [
        ("class", ["1.14"], ["1.15"]),
        ("floating-network-id", [], ["1.9", "v1.14.0", "master"]),
        ("subnet-id", ["1.9"], ["1.10", "v1.12.0"]),
        ("proxy-protocol", ["1.9", "v1.13.1", "1.13"], ["v1.14.0"]),
        ("load-balancer-address", ["v1.25.3", "v1.26.0"], ["v1.25.4", "v1.26.1"]),
        ("node-selector", ["v1.30.0"], ["v1.30.1"]),
        ("lb-method", ["1.31"], ["v1.32.0"]),
        ("lb-provider", ["master"], []),
    ],
)
def test_annotations_by_tag(name: str, lacking: list[str], having: list[str]) -> None:
    known = service_annotations.is_known
    whole = service_annotations.PREFIX + name
    assert [release for release in lacking if known(whole, catalog.release(release))] == []
    assert [release for release in having if not known(whole, catalog.release(release))] == []


def test_what_annotations_override() -> None:
    found = {annotation.name.partition("/")[2]: annotation.keys for annotation in service_annotations.all_annotations()}
    assert found["enable-health-monitor"] == ("create-monitor",)
    assert found["openstack-internal-load-balancer"] == ("internal-lb",)
    assert found["floating-subnet-id"] == ("floating-subnet-id", "floating-subnet", "floating-subnet-tags")
    assert found["proxy-protocol"] == ()
    for keys in found.values():
        assert all(catalog.history("LoadBalancer", key) for key in keys)
    assert service_annotations.annotation("loadbalancer.openstack.org/Class") is None


def test_meanings_are_of_known_keys() -> None:
    assert [name for name in KEY_EFFECTS if catalog.history(*name) is None] == []


def test_reading_one_release_loads_the_key_table_alone() -> None:
    code = (
        "import sys; from ccmcheck import catalog; catalog.schema('1.36');"
        "print([name for name in sys.modules if name.startswith('ccmcheck.catalog.data.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "data.keys" in loaded
    for name in ("key_notes", "annotations", "upgrades"):
        assert name not in loaded
