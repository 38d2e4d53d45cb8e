"""Works on many clusters at once: threads wait for the network, processes share the computing, nothing waits for one.

Some threads reach clusters, ahead of others that read those that answer: one that hangs is met, and its time runs out,
while there is still something else to do.

A thread that does not come back, in a look-up of a name or a program that cannot be killed, is given up after a time;
its cluster is reported, and another thread takes its place.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, NoReturn, Protocol

from ccmcheck.cluster.core import NamedTuple, budget, errors
from ccmcheck.cluster.fleet.record import Record
from ccmcheck.cluster.fleet.targets import ClusterTarget

_FEW = 4
"""Clusters that are read, or wait to be judged, at least where so many may be."""


class Pace:
    """How many clusters are read and wait to be judged: more while the judge has nothing to do, fewer while they queue.

    Args:
        most: At the most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._allowed = min(_FEW, most)
        self._reading = self._waiting = 0
        self._changed = threading.Condition()

    def enter(self) -> None:
        """Wait until another one may be read."""
        with self._changed:
            self._changed.wait_for(lambda: self._reading + self._waiting < self._allowed)
            self._reading += 1

    def leave(self) -> None:
        """It is read, or it failed."""
        with self._changed:
            self._reading -= 1
            self._changed.notify()

    def idle(self) -> None:
        """The judge has waited in vain: those that are read hang, or their network is slow."""
        with self._changed:
            if self._reading >= self._allowed:
                self._allowed = min(2 * self._allowed, self._most)
                self._changed.notify(self._allowed)

    def added(self) -> None:
        """One more waits to be judged."""
        with self._changed:
            self._waiting += 1

    def taken(self) -> None:
        """One of them is judged now."""
        with self._changed:
            self._waiting -= 1
            change = 1 if not self._waiting else -1 if self._waiting > 1 else 0
            self._allowed = max(min(_FEW, self._most), min(self._allowed + change, self._most))
            self._changed.notify(1 + max(change, 0))  # as many as may go on: to wake the others costs more than to read


AT_ONCE = 32
"""Clusters that are read at the same time."""
AHEAD = 12
"""Clusters that may be connected for each one that is read; a connection that waits takes 35 to 60 KiB."""
MOST_AHEAD = 512
"""Clusters that may be connected in one process, where those are more than are read."""
_RESTING = 3
"""Clusters that may be reached for each one that may be connected; the further ones are connected again to be read."""
_WORTH_A_FORK = 8
"""Clusters for which another process pays."""
_TICK = 0.5
_LENGTH = 8
_GARBAGE = 20_000
"""New objects between two looks for garbage; lists of an API server are many that are none."""
_GRACE = 5.0
"""Seconds beyond a cluster's own time after which its thread is given up."""


class WorkerLimits(NamedTuple):
    """How much is done at the same time.

    Attributes:
        at_once: Clusters that are read at the same time, and clusters that are reached meanwhile, in all processes.
        processes: How many processes; None for as many as pay off.
        seconds: How long one cluster may take at most.
    """

    at_once: int = AT_ONCE
    processes: int | None = None
    seconds: float = 150.0

    def processes_for(self, count: int) -> int:
        """How many processes to start for some clusters."""
        if not hasattr(os, "fork"):
            return 1
        if self.processes is not None:
            return max(1, min(self.processes, count))
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, min(cores, 8, count // _WORTH_A_FORK))


def connected(at_once: int) -> int:
    """How many clusters may be connected in one process, of which some are read at the same time.

    Args:
        at_once: How many are read.
    """
    most = min(at_once * AHEAD, MOST_AHEAD)
    try:
        import resource
    except ImportError:  # not on Windows
        return max(at_once, most)
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(at_once, most if files == resource.RLIM_INFINITY else min(most, files // 2))


class FleetStep(Protocol):
    """A part of the work on a cluster; it does not raise."""

    def __call__(self) -> Record | FleetStep:
        """The record of a cluster that is done or has failed, else what comes next."""


class Reached:
    """A cluster that is reached.

    Args:
        read: What comes next.
        rest: Closes its connection, which reading it opens again: many may wait, and each takes memory and a file.
    """

    def __init__(self, read: FleetStep, rest: Callable[[], None]) -> None:
        self._read = read
        self.rest = rest

    def __call__(self) -> Record | FleetStep:
        """See `FleetStep`."""
        return self._read()


class ClusterWork(Protocol):
    """Reaches a cluster; it does not raise."""

    def __call__(self, target: ClusterTarget, /) -> Record | FleetStep:
        """The record of a cluster that is not reached, else what reads it, which gives what judges it."""


class _Work(NamedTuple):
    """What `spread` is given, but the clusters."""

    reach: ClusterWork
    give_up: Callable[[ClusterTarget, str], Record]
    limits: WorkerLimits


def spread(
    work: ClusterWork,
    give_up: Callable[[ClusterTarget, str], Record],
    targets: Sequence[ClusterTarget],
    limits: WorkerLimits,
) -> Iterator[Record]:
    """Work on clusters; each record comes when it is done.

    Args:
        work: Reaches a cluster.
        give_up: Makes the record of a cluster whose work did not end, for a reason.
        targets: The clusters.
        limits: How much is done at the same time.
    """
    count = limits.processes_for(len(targets))
    if count == 1:
        yield from _in_threads(_Work(work, give_up, limits), targets)
        return
    shares = [targets[number::count] for number in range(count)]
    of_share = _Work(work, give_up, limits._replace(at_once=max(1, limits.at_once // count)))
    children: dict[int, tuple[int, Sequence[ClusterTarget]]] = {}
    try:
        for share in shares:
            pipe, child = _fork(of_share, share, tuple(children))
            children[pipe] = child, share
        yield from _gather(children, give_up)
    finally:
        for pipe, (child, _) in children.items():
            os.close(pipe)
            _end(child)


def _in_threads(work: _Work, targets: Sequence[ClusterTarget]) -> Iterator[Record]:
    """Records in the order in which they are done."""
    threads = _Threads(work, targets)
    try:
        missing = set(range(len(targets)))
        while missing:
            for number, record in filter(lambda ended: ended[0] in missing, threads.done()):  # not given up before
                missing.discard(number)
                yield record
    finally:
        threads.end()


class _Threads:
    """Threads of three kinds: those that reach clusters, those that read what was reached, one that judges.

    What is read is large, and computing takes longer than a near network: no more is read than can be judged.

    Args:
        work: What is done with each cluster.
        targets: The clusters.
    """

    def __init__(self, work: _Work, targets: Sequence[ClusterTarget]) -> None:
        import queue

        limits = work.limits
        self._work = work
        self._targets = targets
        self._numbers = iter(range(len(targets)))
        self._taking = threading.Lock()
        self._most_connected = connected(limits.at_once)
        self._places = threading.Semaphore(_RESTING * self._most_connected)
        self._begun: dict[int, tuple[float, Callable[[], None]]] = {}
        self._reached: queue.SimpleQueue[tuple[int, FleetStep] | None] = queue.SimpleQueue()
        self._read_ones: queue.SimpleQueue[tuple[int, FleetStep] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Record]] = queue.SimpleQueue()
        self._pace = Pace(limits.at_once)
        for _ in range(min(limits.at_once, len(targets))):
            self._start(self._reach)
            self._start(self._read)
        self._start(self._judge)

    def done(self) -> Iterator[tuple[int, Record]]:
        """What is done next: a record with its cluster's number, or those that are given up; nothing for a while."""
        import queue

        try:
            yield self._done.get(timeout=_TICK)
        except queue.Empty:
            yield from self._overdue()

    def _overdue(self) -> Iterator[tuple[int, Record]]:
        """Give up what has taken too long, and put another thread in the place of each."""
        latest = time.monotonic() - self._work.limits.seconds - _GRACE
        for number, (begin, role) in list(self._begun.items()):
            if begin < latest and self._begun.pop(number, None) is not None:
                if role == self._read:
                    self._pace.leave()
                self._places.release()
                self._start(role)
                yield (
                    number,
                    self._work.give_up(
                        self._targets[number], f"it did not end within {self._work.limits.seconds:.0f} s"
                    ),
                )

    def end(self) -> None:
        """Let the threads that wait for something to do end."""
        self._reached.put(None)
        self._read_ones.put(None)

    def _start(self, role: Callable[[], None]) -> None:
        threading.Thread(target=role, daemon=True).start()

    def _reach(self) -> None:
        while True:
            self._places.acquire()  # until the cluster is done
            with self._taking:
                number = next(self._numbers, None)
            if number is None:
                self._places.release()
                return
            if not self._step(number, self._reach, partial(self._work.reach, self._targets[number]), self._reached):
                return

    def _read(self) -> None:
        while True:
            reached = self._reached.get()
            if reached is None:
                self._reached.put(None)  # for the next thread
                return
            self._pace.enter()
            if not self._step(reached[0], self._read, reached[1], self._read_ones):
                return
            self._pace.leave()

    def _judge(self) -> None:
        while (read := self._next_read()) is not None:
            self._pace.taken()
            if not self._step(read[0], self._judge, read[1], self._read_ones):
                return

    def _next_read(self) -> tuple[int, FleetStep] | None:
        import queue

        while True:
            try:
                return self._read_ones.get(timeout=_TICK)
            except queue.Empty:
                self._pace.idle()

    def _step(self, number: int, role: Callable[[], None], step: FleetStep, following: SimpleQueue[Any]) -> bool:
        """Do a step; False where it was given up meanwhile, and another thread has taken the place of this one."""
        self._begun[number] = time.monotonic(), role
        try:
            found = step()
        except BaseException as error:  # noqa: BLE001 - a thread that ends would take its cluster along
            is_over = budget.is_out_of_memory(error)
            why = budget.ended_by(error)[0] if is_over else f"internal error: {errors.described(error)}"
            found = self._work.give_up(self._targets[number], why)
        if self._begun.pop(number, None) is None:
            return False
        if callable(found):
            if following is self._read_ones:
                self._pace.added()
            elif isinstance(found, Reached) and self._reached.qsize() >= self._most_connected:
                with suppress(OSError):
                    found.rest()
            following.put((number, found))
        else:
            self._places.release()
            self._done.put((number, found))
        return True


def _fork(work: _Work, share: Sequence[ClusterTarget], others: tuple[int, ...]) -> tuple[int, int]:
    """Start a process for a share; its pipe and its ID."""
    parent = os.getpid()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        for pipe in (*others, reader):
            os.close(pipe)
        _serve(work, share, writer, parent)
    os.close(writer)
    return reader, child


def _serve(work: _Work, share: Sequence[ClusterTarget], writer: int, parent: int) -> NoReturn:
    """Do a share and end; the parent's clean-up is none of its business."""
    import gc
    import json
    import signal

    status = 1
    try:
        gc.freeze()  # what the parent made stays shared with it
        gc.set_threshold(_GARBAGE)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _end_with(parent)
        for record in _in_threads(work, share):
            body = json.dumps(record).encode()
            view = memoryview(len(body).to_bytes(_LENGTH, "little") + body)
            while view:
                view = view[os.write(writer, view) :]
        status = 0
    finally:
        os._exit(status)


def _end_with(parent: int) -> None:
    """End soon after the parent, which may be killed without a chance to end its children."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_TICK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _gather(
    children: dict[int, tuple[int, Sequence[ClusterTarget]]], give_up: Callable[[ClusterTarget, str], Record]
) -> Iterator[Record]:
    """The records of all processes, as they come; clusters of a process that ended early are given up."""
    import json

    buffers = {pipe: bytearray() for pipe in children}
    missing = {pipe: {target.key: target for target in share} for pipe, (_, share) in children.items()}
    for pipe, piece in _pieces(children):
        buffers[pipe] += piece
        for body in _messages(buffers[pipe]):
            record: Record = json.loads(body)
            missing[pipe].pop(record["key"], None)
            yield record
        for target in missing[pipe].values() if not piece else ():
            yield give_up(target, "the process that read it ended")


def _pieces(pipes: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """What each of some pipes gives, as it comes; the last piece of each is empty."""
    import selectors

    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            ready = [key.fd for key, _ in selector.select()]
            pieces = [(pipe, os.read(pipe, 1 << 16)) for pipe in ready]
            for pipe in [pipe for pipe, piece in pieces if not piece]:
                selector.unregister(pipe)
            yield from pieces


def _messages(buffer: bytearray) -> Iterator[bytes]:
    """The whole messages of a buffer, which are taken out of it."""
    start = 0
    while len(buffer) - start >= _LENGTH:
        stop = start + _LENGTH + int.from_bytes(buffer[start : start + _LENGTH], "little")
        if stop > len(buffer):
            break
        yield bytes(buffer[start + _LENGTH : stop])
        start = stop
    del buffer[:start]


def _end(child: int) -> None:
    import signal

    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        return
