"""What each release of each consumer reads."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse


def has(release: str, section: str, key: str, consumer: str = "ccm") -> bool:
    found = catalog.schema(release, consumer).section(section)
    return found is not None and found.key(key) is not None


@pytest.mark.parametrize(
    ("key", "lacking", "having"),
    [
        (
            "monitor-max-retries-down",
            ["1.25", "v1.26.3", "v1.27.0", "v1.27.2", "v1.28.0"],
            ["v1.26.4", "1.26", "v1.27.3", "1.27", "v1.28.1", "1.36", "master"],
        ),
        ("node-selector", ["1.27", "v1.28.2", "v1.29.0", "v1.30.0"], ["v1.28.3", "1.28", "v1.29.1", "v1.30.1"]),
        ("use-octavia", ["v1.26.0", "1.26", "master"], ["1.9", "v1.25.0", "1.25"]),
        ("nodesecuritygroupids", ["1.28"], ["1.9", "v1.27.3"]),
        ("enabled", ["1.23"], ["v1.24.0"]),
        ("create_monitor", ["1.31"], []),
    ],
)
def test_keys_come_and_go_by_tag(key: str, lacking: list[str], having: list[str]) -> None:
    assert [name for name in lacking if has(name, "LoadBalancer", key)] == []
    assert [name for name in having if not has(name, "LoadBalancer", key)] == []


def test_a_key_may_be_brought_to_a_branch_after_its_last_tag() -> None:
    assert has("release-1.23", "Networking", "address-sort-order")
    assert not has("1.23", "Networking", "address-sort-order")
    assert not has("v1.23.4", "Networking", "address-sort-order")
    assert not has("v1.24.5", "Networking", "address-sort-order")
    assert has("v1.24.6", "Networking", "address-sort-order")
    assert not has("v1.25.3", "Networking", "address-sort-order")


def test_sections_by_consumer_and_release() -> None:
    def names(release: str, consumer: str = "ccm") -> list[str]:
        return [section.name for section in catalog.schema(release, consumer).sections]

    assert names("1.14") == ["Global", "LoadBalancer", "BlockStorage", "Route", "Metadata", "Networking"]
    assert names("1.36") == ["Global", "LoadBalancer", "Route", "Metadata", "Networking", "LoadBalancerClass"]
    assert names("1.36", "cinder-csi-plugin") == ["Global", "BlockStorage", "Metadata"]
    assert names("1.36", "barbican-kms-plugin") == ["Global", "KeyManager"]
    assert "Networking" not in names("1.20", "legacy-in-tree")


@pytest.mark.parametrize(
    ("release", "consumer", "section", "is_map"),
    [
        ("1.36", "ccm", "LoadBalancerClass", True),
        ("1.36", "ccm", "Global", False),
        ("1.30", "cinder-csi-plugin", "Global", False),
        ("1.31", "cinder-csi-plugin", "Global", True),
    ],
)
def test_subsections(release: str, consumer: str, section: str, is_map: bool) -> None:
    found = catalog.schema(release, consumer).section(section)
    assert found is not None
    assert found.is_map is is_map


@pytest.mark.parametrize(
    ("release", "section", "key", "kind", "default", "how"),
    [
        ("1.17", "LoadBalancer", "use-octavia", "bool", False, "zero"),
        ("1.18", "LoadBalancer", "use-octavia", "bool", True, "before"),
        ("1.17", "LoadBalancer", "monitor-delay", "duration", "0s", "zero"),
        ("1.18", "LoadBalancer", "monitor-delay", "duration", "5s", "before"),
        ("1.17", "LoadBalancer", "lb-provider", "string", "", "zero"),
        ("1.36", "LoadBalancer", "lb-provider", "string", "amphora", "before"),
        ("1.16", "Networking", "public-network-name", "string", "public", "before"),
        ("1.18", "Networking", "public-network-name", "string", "", "zero"),
        ("1.19", "Networking", "public-network-name", "list", (), "zero"),
        ("1.36", "LoadBalancer", "max-shared-lb", "int", 2, "before"),
        ("1.36", "LoadBalancer", "monitor-max-retries", "uint", 1, "before"),
        ("1.36", "LoadBalancer", "lbclasses", "reserved", None, "zero"),
        ("1.36", "Global", "os-endpoint-type", "word", "", "zero"),
        ("1.36", "Metadata", "request-timeout", "duration", "60s", "empty"),
        ("1.16", "Metadata", "search-order", "string", "configDrive,metadataService", "before"),
        ("1.17", "Metadata", "search-order", "string", "configDrive,metadataService", "empty"),
    ],
)
def test_types_and_defaults(release: str, section: str, key: str, kind: str, default: object, how: str) -> None:
    found = catalog.schema(release).section(section)
    assert found is not None
    spec = found.key(key)
    assert spec is not None
    assert (spec.section, spec.name, spec.type, spec.default, spec.default_source) == (section, key, kind, default, how)


def test_default_values() -> None:
    found = catalog.schema("1.36").section("LoadBalancer")
    networking = catalog.schema("1.36").section("Networking")
    assert found is not None
    assert networking is not None
    defaults = {key.name: key.default_value for key in (*found.keys, *networking.keys)}
    assert defaults["monitor-delay"] == 5_000_000_000
    assert defaults["create-monitor"] is False
    assert defaults["public-network-name"] == []
    assert defaults["public-network-name"] is not networking.keys[1].default_value


@pytest.mark.parametrize("name", ["loadbalancer", "LOADBALANCER", "loadBalancer"])
def test_names_match_in_any_case(name: str) -> None:
    found = catalog.schema("1.36").section(name)
    assert found is not None
    assert found.key("Monitor-DELAY") is found.key("monitor-delay")
    assert found.key("monitordelay") is None


def test_unicode_folding() -> None:
    assert catalog.fold("NetworKing") == "networking"
    assert catalog.fold("paſsword") == "password"
    assert catalog.fold("STRAẞE") == catalog.fold("straße") != catalog.fold("strasse")
    assert catalog.fold("İ") == "İ"
    assert catalog.fold("usеrname") != "username"  # with a Cyrillic letter


def test_secrets() -> None:
    secret = {
        key.name
        for consumer in catalog.CONSUMERS
        for name in ("1.17", "1.20", "1.36")
        if consumer in {"ccm", "cinder-csi-plugin"}
        for section in catalog.schema(name, consumer).sections
        for key in section.keys
        if key.secret
    }
    passwords = {"password", "token", "application-credential-secret", "trustee-password", "trusteepassword"}
    assert secret == {*passwords, "trust-id"}


def test_gcfg_and_strictness() -> None:
    assert catalog.schema("1.11").gcfg == "v1.2.1"
    assert catalog.schema("1.12").gcfg == catalog.schema("master").gcfg == "v1.2.3"
    legacy = catalog.schema("1.24", "legacy-in-tree")
    assert (legacy.gcfg, legacy.refuses_unknown) == ("v1.2.0", True)
    assert not catalog.schema("1.25", "legacy-in-tree").refuses_unknown
    # pkg/cloudprovider/providers/openstack/openstack.go of release-1.9 has no gcfg.FatalOnly yet
    assert [name for name in ("1.9", "1.10", "1.36") if catalog.schema(name).refuses_unknown] == ["1.9"]
    assert [name for name in ("1.13", "1.14", "1.18", "1.19") if catalog.schema(name).hides_errors] == ["1.14", "1.18"]


def test_a_schema_is_made_once() -> None:
    assert catalog.schema("1.31") is catalog.schema(catalog.release("v1.31"))


def test_unknown_consumer() -> None:
    with pytest.raises(WrongUse):
        catalog.schema(catalog.newest(), "nobody")
