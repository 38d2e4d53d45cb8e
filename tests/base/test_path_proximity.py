"""What is nearest to a file."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ccmcheck.base.path_proximity import around, beside, nearest, shared_folders


class Found(NamedTuple):
    path: str


def found(*paths: str) -> list[Found]:
    return [Found(path) for path in paths]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("a/b/c.yaml", "a/b/d.yaml", 2),
        ("a/b/c.yaml", "a/b/c.yaml", 3),
        ("a/b/c.yaml", "a/./b/../b/c.yaml", 3),
        ("a/b/c.yaml", "b/b/c.yaml", 0),
        ("./a.yaml", "a.yaml", 1),
    ],
)
def test_shared_folders(one: str, other: str, count: int) -> None:
    assert shared_folders(one, other) == count


def test_nearest() -> None:
    all_of_them = found("prod/ccm.yaml", "dev/ccm.yaml", "prod/more/ccm.yaml")
    assert nearest("prod/secret.yaml", all_of_them) == found("prod/ccm.yaml", "prod/more/ccm.yaml")
    assert nearest("prod/ccm.yaml", all_of_them) == found("prod/ccm.yaml")
    assert nearest("elsewhere.yaml", all_of_them) == all_of_them
    assert nearest("x", []) == []


def test_beside() -> None:
    assert beside("prod/a.yaml", found("prod/a.yaml", "./prod/b.yaml", "prod/c/a.yaml", "a.yaml")) == found(
        "prod/a.yaml", "./prod/b.yaml"
    )


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/conf", ["a/conf"]),
        ("a/web.yaml", ["a/conf"]),
        ("a/services/web.yaml", ["a/conf"]),
        ("b/web.yaml", ["b/deep/conf"]),
        ("c/web.yaml", ["conf"]),
        ("./web.yaml", ["conf"]),
        ("/elsewhere/web.yaml", ["conf"]),
    ],
)
def test_around(path: str, expected: list[str]) -> None:
    assert [one.path for one in around(path, found("conf", "a/conf", "b/deep/conf"))] == expected
    assert around(path, found()) == []
