"""The way from one release to another goes from tag to tag."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.catalog.data.releases import BRANCHES, LAST_PATCH
from ccmcheck.catalog.upgrade_path import release_ranges, tags, upgrade_path


def names(old: str, new: str) -> list[str]:
    return [one.name for one in upgrade_path(catalog.release(old), catalog.release(new))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("v1.25.3", "v1.26.1", ["v1.25.3", "v1.25.4", "v1.25.5", "v1.25.6", "v1.26.0", "v1.26.1"]),
        ("1.34", "1.36", ["1.34", "v1.35.0", "v1.36.0"]),
        ("v1.35.0", "v1.36.0", ["v1.35.0", "v1.36.0"]),
        (BRANCHES[-2], "master", [BRANCHES[-2], "master"]),
        ("1.9", "v1.12.0", ["1.9", "v1.12.0"]),
    ],
)
def test_way(old: str, new: str, expected: list[str]) -> None:
    assert names(old, new) == expected


def test_tags_are_in_order_and_of_known_branches() -> None:
    assert list(tags()) == sorted(tags())
    assert set(LAST_PATCH) <= set(BRANCHES)
    assert list(LAST_PATCH) == [branch for branch in BRANCHES if branch in LAST_PATCH]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([], ""),
        (["v1.29.0"], "v1.29.0"),
        (["v1.29.0", "v1.29.1", "v1.30.0"], "v1.29.0 to v1.30.0"),
        (["v1.30.0", "v1.29.0"], "v1.29.0, v1.30.0"),
    ],
)
def test_stretches(wanted: list[str], expected: str) -> None:
    on_the_way = upgrade_path(catalog.release("1.28"), catalog.release("1.31"))
    assert release_ranges([catalog.release(name) for name in wanted], on_the_way) == expected
