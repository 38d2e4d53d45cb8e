"""Measures `cluster fleet` against many stand-in clusters behind TLS, four of each hundred broken."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fleet_certificates import certificates
from fleet_objects import FAULTS, Layout
from fleet_stand_in import running
from stopwatch import WrongExitError, environment

_LOOK_SECONDS = 0.1
_KIB = 1024
SERVICES, NODES = 200, 50


class FleetSample(NamedTuple):
    """What one run took.

    Attributes:
        wall: Seconds until it was done.
        cpu: Seconds of processor time of all its processes, without the stand-in's.
        memory: MiB of all its processes at their largest moment; what they share counts once. 0 where the system does
            not say that.
        read: Clusters that were read completely.
    """

    wall: float
    cpu: float
    memory: float
    read: int


def measure_fleet(folder: Path, clusters: int, services: int = SERVICES) -> FleetSample:
    """Run it once.

    Args:
        folder: An empty folder.
        clusters: How many clusters there are.
        services: How many each of them holds.

    Returns:
        What it took.

    Raises:
        WrongExitError: There is no openssl, or too few clusters were read.
    """
    folder.mkdir()
    if not certificates(folder):
        raise WrongExitError("there is no openssl")
    with running(folder, Layout(clusters, services, NODES)) as stand_in:
        (folder / "kubeconfig").write_text(json.dumps(stand_in.kubeconfig("/m", {"token": "t"})))
        arguments = ("cluster", "fleet", "--management", "--kubeconfig", "kubeconfig", "--format", "json", "--quiet")
        started, before = time.monotonic(), _cpu_of_children()
        command = [sys.executable, "-m", "ccmcheck", *arguments]
        with (folder / "report").open("w") as report:
            process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=report)
            peak = 0.0
            while process.poll() is None:
                peak = max(peak, _memory(process.pid))
                time.sleep(_LOOK_SECONDS)
        wall, cpu = time.monotonic() - started, _cpu_of_children() - before
    with (folder / "report").open() as report:
        summary = json.loads(report.readline().rstrip(",\n") + "}")["summary"]
    expected = clusters - sum(number % 100 in FAULTS for number in range(clusters))
    if summary["read"] != expected:
        raise WrongExitError(f"{summary['read']} of {expected} clusters were read")
    return FleetSample(wall, cpu, peak, summary["read"])


def _cpu_of_children() -> float:
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(process: int) -> float:
    """MiB of a process and all below it, each page shared out among those that have it."""
    total, left = 0, [process]
    while left:
        number = left.pop()
        with suppress(OSError):
            for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
            left += map(int, Path(f"/proc/{number}/task/{number}/children").read_text().split())
    return total / _KIB
