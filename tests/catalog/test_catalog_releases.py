"""Releases by their names, and their order."""

from __future__ import annotations

import itertools

import pytest

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog.data.releases import BRANCHES

NEWEST = catalog.newest().name
NEXT = f"1.{catalog.newest().minor + 1}"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("1.31", "1.31"),
        ("release-1.31", "release-1.31"),
        ("v1.31", "1.31"),
        ("v1.31.2", "v1.31.2"),
        ("1.31.2", "v1.31.2"),
        ("v1.31.02", "v1.31.2"),
        ("v1.31.2-alpha.1", "v1.31.2"),
        ("v1.31.2+dirty", "v1.31.2"),
        ("0.1.0", "v0.1.0"),
        ("v0.3.0", "v0.3.0"),
        ("master", "master"),
        ("latest", NEWEST),
    ],
)
def test_names(given: str, name: str) -> None:
    assert catalog.release(given).name == name == str(catalog.release(given))


@pytest.mark.parametrize(
    "given", ["", "1", "1.", "31", NEXT, f"v{NEXT}.0", "2.0", "1.8", "release-1.31.2.1", "1.31-x", "x", "0.1", "v0.4.0"]
)
def test_unknown_names(given: str) -> None:
    with pytest.raises(WrongUse) as raised:
        catalog.release(given)
    assert f"1.9 to {NEWEST}" in raised.value.hint


def test_each_consumer_has_its_time() -> None:
    assert catalog.newest("legacy-in-tree").name == "1.25"
    assert catalog.newest().name == BRANCHES[-2]
    for name in ("1.2", "1.26", "master"):
        with pytest.raises(WrongUse):
            catalog.release(name, "legacy-in-tree")
    with pytest.raises(WrongUse, match="`nobody` is not known"):
        catalog.release("1.31", "nobody")


def test_order() -> None:
    names = ["1.9", "v1.26.0", "1.26", "v1.26.4", "v1.26.10", "release-1.26", "v1.27.0", "1.27", "1.36", "master"]
    releases = [catalog.release(name) for name in names]
    assert all(earlier < later for earlier, later in itertools.pairwise(releases))
    assert len(set(releases)) == len(names)


@pytest.mark.parametrize(
    ("name", "same"),
    [("1.26", "v1.26.4"), ("1.32", "v1.32.1"), ("1.36", "v1.36.0"), ("1.9", "release-1.9"), ("latest", NEWEST)],
)
def test_a_minor_release_is_its_newest_tag(name: str, same: str) -> None:
    assert catalog.release(name)[:3] == catalog.release(same)[:3]


def test_what_only_the_tip_of_a_branch_has() -> None:
    """`lb-method` by annotation came to release-1.32 after its last tag, v1.32.1."""
    assert catalog.release("release-1.32").at_least("v1.32.2")
    assert not catalog.release("1.32").at_least("v1.32.2")


def test_a_minor_release_of_the_in_tree_provider_is_its_branch() -> None:
    """Its tags are Kubernetes', of which the catalog has no list."""
    assert catalog.release("1.20", "legacy-in-tree")[:3] == catalog.release("release-1.20", "legacy-in-tree")[:3]


@pytest.mark.parametrize(
    ("name", "bound", "expected"),
    [
        ("v1.26.4", "v1.26.4", True),
        ("v1.26.3", "v1.26.4", False),
        ("1.26", "v1.26.4", True),
        ("v1.26.0", "1.26", True),
        ("1.25", "1.26", False),
        ("v1.27.0", "v1.26.4", True),
        ("master", "v1.36.9", True),
        ("master", "master", True),
        ("1.36", "master", False),
    ],
)
def test_at_least(name: str, bound: str, expected: bool) -> None:
    assert catalog.release(name).at_least(bound) is expected


def test_the_first_tags_have_their_place_among_the_later_ones() -> None:
    names = ["1.9", "v0.1.0", "1.10", "v0.2.0", "1.11", "1.12", "v0.3.0", "v1.13.0"]
    assert sorted(names, key=catalog.release) == names
    assert catalog.release("v0.2.0").branch == "1.11"


def test_at_least_what() -> None:
    with pytest.raises(ValueError, match="not a release: soon"):
        catalog.release("1.26").at_least("soon")


def test_branches_and_tags() -> None:
    assert catalog.release("1.26").is_minor
    assert catalog.release("master").branch == "master"
    assert catalog.release("v1.26.1").branch == "1.26"
    assert not catalog.release("v1.26.1").is_minor
    assert not catalog.release("release-1.26").is_minor
    assert catalog.release("release-1.26").branch == "1.26"
    assert catalog.release("v1.26.1").within("1.20..1.26")
    assert not catalog.release("master").within("1.20..1.36")
    assert not catalog.release("1.26").within("")


@pytest.mark.parametrize(
    ("text", "consumer", "name"),
    [
        ("ccm@master", "ccm", "master"),
        ("ccm@release-1.31", "ccm", "release-1.31"),
        ("cinder-csi-plugin@v1.20.0", "cinder-csi-plugin", "v1.20.0"),
        ("barbican-kms-plugin", "barbican-kms-plugin", NEWEST),
        ("v1.31.2", "ccm", "v1.31.2"),
    ],
)
def test_readers(text: str, consumer: str, name: str) -> None:
    assert catalog.reader(text) == (consumer, catalog.release(name, consumer))


@pytest.mark.parametrize("text", ["nobody@1.31", "ccm@", "ccm@soon", "soon", "legacy-in-tree@1.31"])
def test_unknown_readers(text: str) -> None:
    with pytest.raises(WrongUse):
        catalog.reader(text)
