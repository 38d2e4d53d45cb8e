"""Many clusters at once: one that hangs or ends its process stops no other, and nothing is lost."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from ccmcheck.base.errors import WrongUse
from ccmcheck.cluster.fleet import workers
from ccmcheck.cluster.fleet.targets import ClusterTarget, Shard, shard_of
from ccmcheck.cluster.fleet.workers import ClusterWork, Reached, WorkerLimits, connected, spread

if TYPE_CHECKING:
    from collections.abc import Callable

Record = dict[str, Any]
TARGETS = [ClusterTarget(f"c{number}", "source", f"c{number}") for number in range(40)]


def record(target: ClusterTarget) -> Record:
    return {"name": target.name, "key": target.key, "by": os.getpid()}


def given_up(target: ClusterTarget, why: str) -> Record:
    return {"name": target.name, "key": target.key, "why": why}


def timed(target: ClusterTarget, seconds: float) -> Record:
    """A record after some time, with when it began and ended."""
    began = time.monotonic()
    time.sleep(seconds)
    return {**record(target), "began": began, "ended": time.monotonic()}


def most_at_once(found: dict[str, Record]) -> int:
    """How many were worked on at the same time."""
    most: int = max(sum(one["began"] <= at["began"] < one["ended"] for one in found.values()) for at in found.values())
    return most


def names(work: ClusterWork, limits: WorkerLimits) -> dict[str, Record]:
    found = list(spread(work, given_up, TARGETS, limits))
    assert sorted(one["name"] for one in found) == sorted(target.name for target in TARGETS)
    return {one["name"]: one for one in found}


@pytest.mark.parametrize("processes", [1, 3])
def test_every_cluster_comes_once(processes: int) -> None:
    found = names(record, WorkerLimits(at_once=8, processes=processes))
    by = {one["by"] for one in found.values()}
    assert len(by) == processes
    assert (os.getpid() in by) is (processes == 1)


@pytest.mark.parametrize("processes", [1, 2])
def test_clusters_are_waited_for_at_the_same_time(processes: int) -> None:
    found = names(lambda target: timed(target, 0.1), WorkerLimits(at_once=20, processes=processes))
    assert most_at_once(found) > 4


@pytest.mark.parametrize("processes", [1, 2])
def test_a_cluster_that_does_not_come_back_is_given_up(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_GRACE", 0.2)
    monkeypatch.setattr(workers, "_TICK", 0.05)

    def hang(target: ClusterTarget) -> Record:
        if target.name in ("c0", "c1", "c2", "c3"):
            time.sleep(5)
        return record(target)

    found = names(hang, WorkerLimits(at_once=4, processes=processes, seconds=0.3))
    assert {name for name, one in found.items() if "why" in one} == {"c0", "c1", "c2", "c3"}


def test_clusters_are_reached_ahead_of_those_that_are_read_but_not_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "_RESTING", 1)
    reached: list[str] = []
    ahead: list[int] = []

    def reach(target: ClusterTarget) -> Callable[[], Record]:
        reached.append(target.name)

        def read() -> Record:
            time.sleep(0.02)
            ahead.append(len(reached) - len(ahead))
            return record(target)

        return read

    names(reach, WorkerLimits(at_once=2, processes=1))
    assert reached == [target.name for target in TARGETS]
    assert 2 * workers.AHEAD - 2 <= max(ahead) <= 2 * workers.AHEAD + 1


def test_those_that_wait_behind_many_others_are_not_connected_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "AHEAD", 4)
    open_ones: set[str] = set()
    most: list[int] = []
    rested: list[str] = []

    def reach(target: ClusterTarget) -> Reached:
        open_ones.add(target.name)

        def rest() -> None:
            rested.append(target.name)
            open_ones.discard(target.name)

        def read() -> Record:
            time.sleep(0.02)
            most.append(len(open_ones))
            open_ones.discard(target.name)
            return record(target)

        return Reached(read, rest)

    names(reach, WorkerLimits(at_once=2, processes=1))
    assert len(rested) >= 10
    assert max(most) <= 2 * 4 + 2 * 2  # those that wait, are read, and are being reached


def test_a_connection_that_does_not_close_loses_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "AHEAD", 1)

    def fail() -> None:
        raise OSError

    def reach(target: ClusterTarget) -> Reached:
        def read() -> Record:
            time.sleep(0.01)
            return record(target)

        return Reached(read, fail)

    names(reach, WorkerLimits(at_once=2, processes=1))


def test_no_more_are_connected_than_a_process_may_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100_000, 100_000))
    assert [connected(at_once) for at_once in (2, 32, 100, 1000)] == [24, 384, 512, 1000]
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert connected(50) == 512
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 4096))
    assert [connected(at_once) for at_once in (1, 8, 40)] == [12, 32, 40]


@pytest.mark.ci
@pytest.mark.parametrize("processes", [1, 2])
def test_the_time_of_clusters_that_hang_runs_while_others_are_read(processes: int) -> None:
    def reach(target: ClusterTarget) -> Record | Callable[[], Record]:
        if target.name in ("c30", "c31"):
            return timed(target, 2)
        return lambda: timed(target, 0.2)

    found = names(reach, WorkerLimits(at_once=4, processes=processes))
    hung = [found.pop("c30"), found.pop("c31")]
    # not only when the others, of which 4 are read at once, are done
    assert all(sum(one["ended"] > late["began"] for one in found.values()) > 4 for late in hung)


@pytest.mark.parametrize("processes", [1, 2])
def test_clusters_that_hang_while_they_are_read_hang_at_the_same_time(
    processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_TICK", 0.05)

    def reach(target: ClusterTarget) -> Callable[[], Record]:
        return lambda: timed(target, 0.5)

    found = names(reach, WorkerLimits(at_once=40, processes=processes))
    assert most_at_once(found) > 4 * processes  # in a process the first four alone are read at once, until they hang


@pytest.mark.parametrize("processes", [1, 2])
def test_a_cluster_whose_reading_does_not_end_is_given_up(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_GRACE", 0.2)
    monkeypatch.setattr(workers, "_TICK", 0.05)

    def reach(target: ClusterTarget) -> Callable[[], Record]:
        def read() -> Record:
            if target.name in ("c0", "c1", "c2", "c3"):
                time.sleep(5)
            if target.name == "c7":
                raise RuntimeError("c4nary")
            return record(target)

        return read

    found = names(reach, WorkerLimits(at_once=4, processes=processes, seconds=0.3))
    why = {name: one["why"] for name, one in found.items() if "why" in one}
    assert set(why) == {"c0", "c1", "c2", "c3", "c7"}
    assert why["c7"].startswith("internal error: RuntimeError")
    assert "c4nary" not in str(found)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_is_that_of_its_cluster_alone(processes: int) -> None:
    def fail(target: ClusterTarget) -> Record:
        if target.name == "c7":
            raise RuntimeError("c4nary")
        return record(target)

    found = names(fail, WorkerLimits(at_once=8, processes=processes))
    assert [
        (name, one["why"].startswith("internal error: RuntimeError")) for name, one in found.items() if "why" in one
    ] == [("c7", True)]
    assert "c4nary" not in str(found)


def test_a_process_that_ends_gives_up_what_it_had_left() -> None:
    parent = os.getpid()

    def die(target: ClusterTarget) -> Record:
        if target.name == "c4" and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return record(target)

    found = names(die, WorkerLimits(at_once=2, processes=2))
    left = {name for name, one in found.items() if one.get("why") == "the process that read it ended"}
    assert "c4" in left
    assert not left & {f"c{number}" for number in range(1, 40, 2)}  # those of the other process


def test_processes_end_with_the_run() -> None:
    def slow(target: ClusterTarget) -> Record:
        time.sleep(0.05)
        return record(target)

    running = spread(slow, given_up, TARGETS, WorkerLimits(4, 2))
    child = next(running)["by"]
    running.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_shards_have_every_cluster_once_whatever_else_there_is() -> None:
    shards = [Shard(index, 7) for index in range(7)]
    of_all = {target.name: [shard for shard in shards if shard.has(target)] for target in TARGETS}
    assert all(len(found) == 1 for found in of_all.values())
    assert len({found[0] for found in of_all.values()}) > 3
    assert of_all["c5"] == [Shard(1, 7)], "the shard of a name must never change: results of two versions are merged"


@pytest.mark.parametrize(
    ("text", "index", "shard"), [("0/4", None, Shard(0, 4)), ("3/4", "1", Shard(3, 4)), ("4", "2", Shard(2, 4))]
)
def test_a_shard_is_named_or_that_of_the_job(text: str, index: str | None, shard: Shard) -> None:
    assert shard_of(text, index) == shard


@pytest.mark.parametrize("text", ["4", "4/4", "-1/4", "a/b", "1/0", "1/99999", "", "/", "1/", "²/3"])
def test_a_shard_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(WrongUse):
        shard_of(text, None)
