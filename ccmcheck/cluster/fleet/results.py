"""The records of a run, one JSON object a line: a header, a line for each cluster, an end.

It is the format ``ndjson``, the file of ``--resume`` and what `cluster merge` reads. A line is appended in one write,
so that a run that is killed leaves whole lines and at most a part of the last, which the next run cuts off.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from errno import ENOSPC
from types import TracebackType
from typing import IO, Any, Self

from ccmcheck import __version__
from ccmcheck.cluster.core import NamedTuple, errors, open_to_keep
from ccmcheck.cluster.fleet.record import READ, Record

VERSION = 1
MOST_OF_A_LINE = 16 * 1024 * 1024
_SYNC_SECONDS = 1.0
_MODE = 0o600


class Header(NamedTuple):
    """What a run is about.

    Attributes:
        shard: ``I/N``.
        clusters: How many clusters it is about.
        options: A digest of the options that decide the records.
        management: The management cluster; empty without one.
    """

    shard: str
    clusters: int
    options: str
    management: str = ""


def header_line(header: Header) -> str:
    """The first line."""
    return line_of(
        {
            "type": "header",
            "version": VERSION,
            "kind": "fleet",
            "tool": "ccmcheck",
            "tool_version": __version__,
            **header._asdict(),
        }
    )


def cluster_line(record: Record) -> str:
    """The line of a cluster."""
    return line_of({"type": "cluster", **record})


def end_line(header: Header, clusters: int) -> str:
    """The last line: who sees it has all lines."""
    return line_of({"type": "end", "shard": header.shard, "clusters": clusters})


def line_of(value: dict[str, Any]) -> str:
    """One line of JSON."""
    from ccmcheck.cluster.core import json_text

    return json_text.dumped(value) + "\n"


def parsed(line: bytes) -> Record | None:
    """A line's object; None for one that is cut off, or none of ours."""
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("type"), str) else None


class Results:
    """The records of a run in a file, so that they take no memory.

    Args:
        path: The file of ``--resume``; empty for one that goes with the run.
        header: What the run is about.

    Raises:
        WrongUse: The file is of another kind of run, or another process writes it.
        InputError: It cannot be written.
    """

    def __init__(self, path: str, header: Header) -> None:
        self._path = path
        self._places: dict[str, int] = {}
        self._synced = time.monotonic()
        self.done: set[str] = set()
        """The keys of clusters that were read completely by an earlier run."""
        self._file: IO[bytes]
        if not path:
            import tempfile

            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with the results
            return
        try:
            opened = open_to_keep(path, os.O_RDWR, _MODE)
        except errors.InputError as error:
            raise errors.WrongUse(f"--resume {error.message}", error.hint) from None
        self._file = os.fdopen(opened, "r+b", buffering=0)
        try:
            self._lock()
            self._take_over(header)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            os.fsync(self._file.fileno())
        self._file.close()

    def add(self, record: Record) -> None:
        """Keep a record.

        Raises:
            InputError: It cannot be written.
        """
        self._places[record["key"]] = self._append(cluster_line(record))

    def records(self) -> Iterator[Record]:
        """All records, the last one of each cluster."""
        reading = os.dup(self._file.fileno())
        with os.fdopen(reading, "rb") as file:
            file.seek(0)
            at = 0
            for line in file:
                record = parsed(line)
                if record is not None and record["type"] == "cluster" and self._places.get(record["key"]) == at:
                    yield record
                at += len(line)

    def forget(self, keys: Collection[str]) -> None:
        """Leave out clusters that the file has and this run is not about."""
        for key in set(self._places).difference(keys):
            del self._places[key]
            self.done.discard(key)

    def end(self, header: Header) -> None:
        """Write the last line, after which the file is the result of a whole run."""
        if self._path:
            self._append(end_line(header, header.clusters))

    def _append(self, line: str) -> int:
        data = line.encode("ascii")
        try:
            at = self._file.seek(0, os.SEEK_END)
            is_whole = self._file.write(data) == len(data)
            if self._path and time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            where = f"--resume {self._path}" if self._path else "the temporary file of the results"
            raise errors.InputError(
                f"{where} cannot be written: {(error.strerror or 'unknown reason').lower()}"
            ) from None
        if not is_whole:
            raise errors.InputError(f"the results cannot be written: {os.strerror(ENOSPC).lower()}")
        return at

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise errors.WrongUse(f"another run writes {self._path}", "Wait for it, or name another file.") from None

    def _take_over(self, header: Header) -> None:
        """What an earlier run left: its complete records count, and the end of a line that was cut off goes."""
        at = 0
        first = True
        self._file.seek(0)
        reading = os.dup(self._file.fileno())
        with os.fdopen(reading, "rb") as file:
            for line in file:
                is_whole = line.endswith(b"\n")
                record = parsed(line) if is_whole and len(line) <= MOST_OF_A_LINE else None
                if first:
                    self._check(record, header)
                    first = False
                if record is None and is_whole:
                    raise errors.WrongUse(f"{self._path} is not a file of --resume")
                if record is None:
                    break
                if record["type"] == "cluster" and isinstance(record.get("key"), str):
                    self._places[record["key"]] = at
                    (self.done.add if record.get("state") == READ else self.done.discard)(record["key"])
                at += len(line)
        os.ftruncate(self._file.fileno(), at)
        if first or not at:
            self._append(header_line(header))

    def _check(self, record: Record | None, header: Header) -> None:
        if record is None or record.get("kind") != "fleet" or record.get("version") != VERSION:
            raise errors.WrongUse(f"{self._path} is not a file of --resume", "Name a file that does not exist yet.")
        if record.get("options") != header.options:
            raise errors.WrongUse(
                f"{self._path} is of a run with other options",
                "Repeat the command as it was, or name a file that does not exist yet.",
            )
