"""The garbage collector does not look through what stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from ccmcheck.base.garbage_collection import LongLived


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    gc.enable()
    gc.set_threshold(1_000, 10, 10)
    yield
    gc.set_threshold(*before)
    gc.unfreeze()
    gc.enable()


def test_it_waits_while_many_objects_are_made_and_leaves_them_alone() -> None:
    gc.collect()
    frozen = gc.get_freeze_count()
    with LongLived():
        assert not gc.isenabled()
        kept = [[number] for number in range(5_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(kept)


def test_few_objects_are_looked_through_as_usual() -> None:
    gc.collect()
    frozen = gc.get_freeze_count()
    with LongLived():
        kept = [[number] for number in range(10)]
    assert gc.isenabled()
    assert gc.get_freeze_count() == frozen, kept


def test_an_error_and_one_within_another_leave_it_as_it_was() -> None:
    with pytest.raises(KeyError), LongLived():
        raise KeyError
    assert gc.isenabled()
    with LongLived():
        with LongLived():
            pass
        assert not gc.isenabled()
    gc.disable()
    with LongLived():
        pass
    assert not gc.isenabled()
