"""Octavia's drivers: one file each, data alone, and nothing else of the package goes by their names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ccmcheck
from ccmcheck.catalog.data.octavia import ALGORITHMS, DATAGRAM_MONITORS, PROVIDERS, SERIES, STREAM_MONITORS
from ccmcheck.catalog.octavia import api_version, at_least, series_of
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import HealthCheck

PACKAGE = Path(ccmcheck.__file__).parent
FILES = sorted(
    path.stem for path in (PACKAGE / "predict/drivers").glob("*.py") if "DRIVER = " in path.read_text(encoding="utf-8")
)
NAMES = {*PROVIDERS, "other"} - {"octavia"}  # an API is called so, too
MOST_COMPARISONS = 9
"""Outside catalog/, policy/'s tables, predict/drivers/ and rules' cases: one judgement each."""


def test_each_file_is_a_driver_and_each_provider_has_one() -> None:
    assert {*PROVIDERS.values(), "unknown"} == set(FILES)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_driver_is_named_after_its_file_and_uses_octavias_words(name: str) -> None:
    driver = driver_of(name)
    assert driver.name == PROVIDERS[name]
    assert driver.title.startswith("the ")
    assert {*(driver.methods or ()), *driver.methods_of_create} <= set(ALGORITHMS)
    assert (driver.monitors or set()) <= STREAM_MONITORS | DATAGRAM_MONITORS
    assert {*(driver.methods or {}).values(), *driver.protocol_since.values()} <= {"", *SERIES}
    assert driver.evidence or driver == driver_of("x")._replace(name=name, title=driver.title, is_known=True)


@pytest.mark.parametrize("name", ["a10", "vmwareedge", "netscaler", "", "x"])
def test_only_octavias_own_drivers_and_f5_have_known_times(name: str) -> None:
    times = driver_of(name).times(HealthCheck("TCP", "TCP", 5, 3, 1, 3))
    assert times.known is (name == "")


def test_victoria_is_a_series_and_a_leading_v_may_stand_before_a_number() -> None:
    assert series_of("victoria") == series_of("v7.0.0") == series_of("Victoria") == "victoria"
    assert at_least("victoria", "ussuri") is True
    assert at_least("victoria", "wallaby") is False
    assert api_version("victoria") == (2, 23)


def comparisons(path: Path) -> list[int]:
    """Lines where a driver's name is compared with something."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            sides += [one for side in sides if isinstance(side, ast.Tuple | ast.Set | ast.List) for one in side.elts]
            words = [side for side in sides if isinstance(side, ast.Constant)]
            if any(word.value in NAMES for word in words if isinstance(word.value, str)):
                found.append(node.lineno)
    return found


def test_few_places_go_by_a_drivers_name() -> None:
    places = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] != "catalog" and path.parent.name != "drivers"
        for line in comparisons(path)
    ]
    foreign = ("carriers/", "catalog/signs/", "gcfg/")  # groups of regular expressions that are called "other"
    drivers = [place for place in places if not place.startswith(foreign)]
    assert len(drivers) <= MOST_COMPARISONS, drivers
