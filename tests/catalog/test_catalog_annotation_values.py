"""How the values of annotations are read, what was meant by others, and from when on a release knows a name."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST, UNITS
from ccmcheck.catalog.service_annotations import (
    PREFIX,
    all_annotations,
    annotation,
    first_release,
    integer,
    intended_value,
    is_valid,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("+5", 5),
        ("-0", 0),
        ("00000000000000000000007", 7),
        ("9223372036854775807", 9223372036854775807),
        ("-9223372036854775808", -9223372036854775808),
        ("9223372036854775808", None),
        ("", None),
        (" 5", None),
        ("5s", None),
        ("0x5", None),
        ("1_000", None),
        ("٥", None),
        ("5\n", None),
    ],
)
def test_integers_are_those_of_go(text: str, value: int | None) -> None:
    assert integer(text) == value


@pytest.mark.parametrize(
    ("name", "text", "release", "said"),
    [
        ("enable-health-monitor", "True", "1.36", "true"),
        ("enable-health-monitor", " yes ", "1.36", "true"),
        ("enable-health-monitor", "'off'", "1.36", "false"),
        ("enable-health-monitor", "", "1.36", None),
        ("enable-health-monitor", "maybe", "1.36", None),
        ("proxy-protocol", "V2", "1.36", "v2"),
        ("proxy-protocol", "v2", "1.30", None),
        ("proxy-protocol", "v1", "1.30", "true"),
        ("proxy-protocol", "on", "1.36", "true"),
        ("health-monitor-delay", "5s", "1.36", "5"),
        ("health-monitor-delay", "1m", "1.36", "60"),
        ("health-monitor-delay", "1500ms", "1.36", None),
        ("timeout-client-data", "50s", "1.36", "50000"),
        ("timeout-client-data", "1.5s", "1.36", "1500"),
        ("timeout-client-data", "50 s", "1.36", "50000"),
        ("health-monitor-max-retries", "3s", "1.36", None),
        ("health-monitor-max-retries", " 3", "1.36", "3"),
        ("connection-limit", "unlimited", "1.36", None),
        ("subnet-id", "x", "1.36", None),
    ],
)
def test_what_was_meant(name: str, text: str, release: str, said: str | None) -> None:
    found = annotation(PREFIX + name)
    assert found is not None
    assert intended_value(found, text, catalog.release(release)) == said
    assert said is None or is_valid(found, said, catalog.release(release))


@pytest.mark.parametrize(
    ("name", "release", "first"),
    [
        ("enable-health-monitor", "1.17", "v1.18.0"),
        ("health-monitor-delay", "v1.23.4", "v1.24.0"),
        ("health-monitor-max-retries-down", "1.25", "v1.26.4"),
        ("health-monitor-max-retries-down", "v1.27.1", "v1.27.3"),
        ("health-monitor-max-retries-down", "v1.28.0", "v1.28.1"),
        ("node-selector", "v1.29.0", "v1.29.1"),
        ("node-selector", "v1.30.0", "v1.30.1"),
        ("load-balancer-address", "v1.26.0", "v1.26.1"),
    ],
)
def test_the_first_release_that_knows_a_name(name: str, release: str, first: str) -> None:
    found = annotation(PREFIX + name)
    assert found is not None
    assert first_release(found, catalog.release(release)) == first


def test_what_counts_something_is_an_integer() -> None:
    integers = {one.name.removeprefix(PREFIX) for one in all_annotations() if one.type == "int"}
    assert set(RANGES) == integers
    assert set(UNITS) <= integers
    assert set(SHORTEST) <= set(UNITS)


def test_access_lists_came_with_train() -> None:
    assert octavia.first_with("allowed-cidrs") == "train"
    assert octavia.first_with("timeouts") == "rocky"
    assert [octavia.api_has("tags", version) for version in (None, (2, 4), (2, 5))] == [None, False, True]
