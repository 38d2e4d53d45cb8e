"""What rules ask of a whole run is worked out once, however many files there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from ccmcheck.base import path_proximity


class Record(NamedTuple):
    path: str


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    paths: list[str] = []
    real: Callable[[str], str] = path_proximity.folder_of

    def noted(path: str) -> str:
        paths.append(path)
        return real(path)

    monkeypatch.setattr(path_proximity, "folder_of", noted)
    return paths


def may_be(record: Record) -> bool:
    return record.path.endswith(".yaml")


def test_folders_are_compared_once_for_all_files(asked: list[str]) -> None:
    some = tuple(Record(f"a/{number}.yaml") for number in range(500))
    others = tuple(Record(f"b/{number}.yaml") for number in range(500))
    first = path_proximity.may_be_together(some, others, may_be)
    assert first == others
    assert len(asked) == 1000
    assert all(path_proximity.may_be_together(some, others, may_be) is first for _ in range(100))
    assert len(asked) == 1000


@pytest.mark.parametrize(
    ("some", "others"),
    [(("a/x",), ("b/x.yaml", "c/x.yaml")), (("a/x", "b/x"), ("c/x.yaml",)), ((), ("c/x.yaml",)), (("a/x",), ("c/x",))],
)
def test_records_of_several_folders_may_be_of_several_clusters(some: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert not path_proximity.may_be_together(tuple(map(Record, some)), tuple(map(Record, others)), may_be)
