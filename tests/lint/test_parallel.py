"""Results come back in order, and a lost worker is an error, not a hang."""

from __future__ import annotations

import os

import pytest

from ccmcheck.base.errors import InternalError
from ccmcheck.lint import parallel


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 500])
def test_keeps_the_order(count: int, size: int) -> None:
    assert list(parallel.spread(lambda number: number * 2, range(size), count)) == [
        number * 2 for number in range(size)
    ]


def test_tells_when_a_worker_is_lost() -> None:
    def die(number: int) -> int:
        os._exit(number)

    with pytest.raises(InternalError, match="worker"):
        list(parallel.spread(die, range(200), 2))


def test_large_results_pass() -> None:
    got = list(parallel.spread(lambda number: "x" * 100_000 + str(number), range(130), 2))
    assert [text[100_000:] for text in got] == [str(number) for number in range(130)]


def test_few_files_stay_in_one_process() -> None:
    assert parallel.processes(parallel.WORTH_IT - 1) == 1
    assert parallel.processes(3, wanted=2) == 2
    assert parallel.processes(1, wanted=8) == 1
