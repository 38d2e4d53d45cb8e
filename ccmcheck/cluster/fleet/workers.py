"""Works on many clusters at once: threads wait for the network, processes share the computing, nothing waits for one.

A thread that does not come back, in a look-up of a name or a program that cannot be killed, is given up after a time;
its cluster is reported, and another thread takes its place.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, NoReturn, Protocol

from ccmcheck.base.errors import described
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.cluster.fleet.record import Record
    from ccmcheck.cluster.fleet.targets import Target

AT_ONCE = 32
"""Clusters that are read at the same time."""
_WORTH_A_FORK = 8
"""Clusters for which another process pays."""
_TICK = 0.5
_LENGTH = 8
_GARBAGE = 20_000
"""New objects between two looks for garbage; lists of an API server are many that are none."""
_GRACE = 5.0
"""Seconds beyond a cluster's own time after which its thread is given up."""


class Limits(NamedTuple):
    """How much is done at the same time.

    Attributes:
        at_once: Clusters that are read at the same time, in all processes.
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


class Work(Protocol):
    """Makes the record of a cluster; it does not raise."""

    def __call__(self, target: Target, /) -> Record:
        """The record."""


def spread(
    work: Work, give_up: Callable[[Target, str], Record], targets: Sequence[Target], limits: Limits
) -> Iterator[Record]:
    """Work on clusters; each record comes when it is done.

    Args:
        work: Makes the record of a cluster.
        give_up: Makes the record of a cluster whose work did not end, for a reason.
        targets: The clusters.
        limits: How much is done at the same time.
    """
    count = limits.processes_for(len(targets))
    if count == 1:
        yield from _in_threads(work, give_up, targets, limits)
        return
    shares = [targets[number::count] for number in range(count)]
    share_limits = limits._replace(at_once=max(1, limits.at_once // count))
    children: dict[int, tuple[int, Sequence[Target]]] = {}
    try:
        for share in shares:
            pipe, child = _fork(work, give_up, share, share_limits, tuple(children))
            children[pipe] = child, share
        yield from _gather(children, give_up)
    finally:
        for pipe, (child, _) in children.items():
            os.close(pipe)
            _end(child)


def _in_threads(
    work: Work, give_up: Callable[[Target, str], Record], targets: Sequence[Target], limits: Limits
) -> Iterator[Record]:
    """Records in the order in which they are done."""
    import queue

    done: queue.SimpleQueue[tuple[int, Record]] = queue.SimpleQueue()
    numbers = iter(range(len(targets)))
    taking = threading.Lock()
    begun: dict[int, float] = {}

    def serve() -> None:
        while True:
            with taking:
                number = next(numbers, None)
                if number is None:
                    return
                begun[number] = time.monotonic()
            try:
                record = work(targets[number])
            except BaseException as error:  # noqa: BLE001 - a thread that ends would take its cluster along
                record = give_up(targets[number], f"internal error: {described(error)}")
            done.put((number, record))

    def start() -> None:
        threading.Thread(target=serve, daemon=True).start()

    for _ in range(min(limits.at_once, len(targets))):
        start()
    missing = set(range(len(targets)))
    while missing:
        try:
            number, record = done.get(timeout=_TICK)
        except queue.Empty:
            pass
        else:
            begun.pop(number, None)
            if number in missing:  # not given up
                missing.discard(number)
                yield record
            continue
        latest = time.monotonic() - limits.seconds - _GRACE
        for number in [number for number, begin in list(begun.items()) if begin < latest]:
            begun.pop(number, None)
            if number in missing:
                missing.discard(number)
                start()
                yield give_up(targets[number], f"it did not end within {limits.seconds:.0f} s")


def _fork(
    work: Work,
    give_up: Callable[[Target, str], Record],
    share: Sequence[Target],
    limits: Limits,
    others: tuple[int, ...],
) -> tuple[int, int]:
    """Start a process for a share; its pipe and its ID."""
    parent = os.getpid()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        for pipe in (*others, reader):
            os.close(pipe)
        _serve(work, give_up, share, limits, writer, parent)
    os.close(writer)
    return reader, child


def _serve(
    work: Work,
    give_up: Callable[[Target, str], Record],
    share: Sequence[Target],
    limits: Limits,
    writer: int,
    parent: int,
) -> NoReturn:
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
        for record in _in_threads(work, give_up, share, limits):
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
    children: dict[int, tuple[int, Sequence[Target]]], give_up: Callable[[Target, str], Record]
) -> Iterator[Record]:
    """The records of all processes, as they come; clusters of a process that ended early are given up."""
    import json
    import selectors

    buffers = {pipe: bytearray() for pipe in children}
    missing = {pipe: {target.key: target for target in share} for pipe, (_, share) in children.items()}
    with selectors.DefaultSelector() as selector:
        for pipe in children:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                pipe = key.fd
                piece = os.read(pipe, 1 << 16)
                if not piece:
                    selector.unregister(pipe)
                    for target in missing[pipe].values():
                        yield give_up(target, "the process that read it ended")
                    continue
                buffer = buffers[pipe]
                buffer += piece
                for body in _messages(buffer):
                    record: Record = json.loads(body)
                    missing[pipe].pop(record["key"], None)
                    yield record


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
