"""Which files belong to a file, by their paths."""

from __future__ import annotations

from typing import NamedTuple

from ccmcheck.base.path_proximity import in_same_folder, nearest


class Record(NamedTuple):
    path: str


def records(*paths: str) -> list[Record]:
    return [Record(path) for path in paths]


def test_nearest() -> None:
    all_of_them = records("prod/ccm.yaml", "dev/ccm.yaml", "prod/more/ccm.yaml")
    assert nearest("prod/secret.yaml", all_of_them) == records("prod/ccm.yaml", "prod/more/ccm.yaml")
    assert nearest("prod/ccm.yaml", all_of_them) == records("prod/ccm.yaml")
    assert nearest("elsewhere.yaml", all_of_them) == all_of_them
    assert nearest("x", []) == []


def test_in_same_folder() -> None:
    assert in_same_folder("prod/a.yaml", records("prod/a.yaml", "./prod/b.yaml", "prod/c/a.yaml", "a.yaml")) == records(
        "prod/a.yaml", "./prod/b.yaml"
    )
