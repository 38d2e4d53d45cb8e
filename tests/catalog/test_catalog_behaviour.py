"""Behaviour by tag, and Octavia's releases."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves, fixed_in, kubernetes_has
from ccmcheck.catalog.data.behaviour import BEHAVIOURS, stretches
from ccmcheck.predict.drivers import driver_of


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("monitor-port-lost", ("v1.23.0",), ("v1.22.2", "v1.23.1", "1.23", "master")),
        ("managed-groups-do-nothing", ("v1.19.0", "v1.23.4", "1.23"), ("1.18", "v1.24.0")),
        (
            "managed-groups-emptied-by-node-changes",
            ("v1.28.0", "1.28", "v1.29.1", "1.29", "v1.30.1", "v1.31.0", "v1.31.1"),
            ("1.27", "v1.30.2", "1.30", "v1.31.2", "1.31", "v1.32.0", "master"),
        ),
        ("load-balancers-need-a-key", ("1.14", "1.17"), ("v1.18.0",)),
        ("keeps-unready-nodes", ("v1.27.0", "master"), ("1.26",)),
        ("local-keeps-unready-nodes", ("v1.25.0", "v1.25.2", "1.26", "master"), ("1.24", "v1.25.3")),
        ("gate-drops-unready-nodes", ("v1.27.0", "1.29"), ("1.26", "v1.30.0")),
        ("gate-drops-unready-local-nodes", ("v1.28.2", "1.29"), ("v1.28.1", "v1.30.0")),
    ],
)
def test_a_stretch_ends_at_its_tag(name: str, inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    assert [release for release in inside if not behaves(name, catalog.release(release))] == []
    assert [release for release in outside if behaves(name, catalog.release(release))] == []


def test_stretches_are_in_order() -> None:
    for name in BEHAVIOURS:
        for first, before in stretches(name):
            if first and before:
                of = "legacy-in-tree" if name.startswith("in-tree-") else "ccm"
                assert catalog.release(first, of) < catalog.release(before, of), name


def test_where_a_behaviour_ends_is_named_from_the_release_on() -> None:
    name = "managed-groups-emptied-by-node-changes"
    assert fixed_in(name, catalog.release("1.29")) == "v1.30.2 or v1.31.2"
    assert fixed_in(name, catalog.release("v1.31.0")) == "v1.31.2"
    assert fixed_in("keeps-unready-nodes", catalog.release("1.30")) == ""


def test_an_unknown_behaviour_is_an_error() -> None:
    with pytest.raises(KeyError):
        behaves("sings", catalog.newest())


@pytest.mark.parametrize(
    ("version", "has"),
    [("1.30", True), ("v1.31.2", True), ("1.29.9", False), ("1.300", True), ("", False), ("latest", False)],
)
def test_kubernetes_versions(version: str, has: bool) -> None:
    assert kubernetes_has("ip-mode", version) is has


@pytest.mark.parametrize(
    ("release", "series", "newer"),
    [
        ("2024.1", "yoga", True),
        ("Yoga", "yoga", True),
        ("xena", "yoga", False),
        ("10.0.0", "yoga", True),
        ("v9.1", "yoga", False),
        ("19.0.0", "2026.2", True),
        ("18.0.0", "2026.2", False),
        ("2030.1", "2026.2", True),
        ("2022.1", "2026.2", None),
        ("", "yoga", None),
        ("1.0.0", "yoga", None),
        ("newest", "yoga", None),
    ],
)
def test_octavia_releases(release: str, series: str, newer: bool | None) -> None:
    assert octavia.at_least(release, series) is newer


@pytest.mark.parametrize(
    ("driver", "method", "release", "taken"),
    [
        ("ovn", "SOURCE_IP_PORT", "", True),
        ("ovn", "ROUND_ROBIN", "", False),
        ("ovn", "SOURCE_IP", "", None),
        ("ovn", "SOURCE_IP", "2025.2", False),
        ("ovn", "SOURCE_IP", "2026.2", True),
        ("amphora", "SOURCE_IP_PORT", "2026.2", False),
        ("other", "ROUND_ROBIN", "", None),
    ],
)
def test_methods(driver: str, method: str, release: str, taken: bool | None) -> None:
    assert driver_of(driver).takes(method, release) is taken


def test_how_long_a_node_without_a_pod_stays() -> None:
    assert driver_of("amphora").gone_seconds(5, 3, 3) == 15
    assert driver_of("ovn").gone_seconds(5, 3, 3) == 24
    assert driver_of("netscaler").gone_seconds(5, 3, 3) is None
