"""A big cluster, and many of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache, partial

from bench_files import ANY_VERDICT, Bench
from bench_rows import Result, Row, mib, seconds, times
from big_cluster import MIB, NODES, SECONDS, SERVICES, big_cluster
from fleets import SERVICES as SERVICES_EACH
from fleets import FleetSample, measure_fleet
from stopwatch import Command, run_apart

FLEET = 1_000
FLEET_SECONDS = 15.0
FLEET_MIB = 120.0
LARGE_FLEET = 3_000
FEW_SERVICES = 10
"""Of the clusters whose number alone is to be seen in memory: those of a usual size would take minutes."""
FLAT = 1.15


def cluster(bench: Bench) -> Iterator[Row]:
    """A big cluster, from an API server in a process of its own; the real one is measured by `make truth`."""
    folder = bench.folder("cluster")
    with big_cluster(folder) as config:
        lint = bench.ccmcheck("cluster", "lint", "--kubeconfig", str(config), cwd=folder, codes=ANY_VERDICT)
        yield Row(f"cluster lint, {SERVICES:,} Services, {NODES:,} nodes", partial(_cluster, lint))


def _cluster(lint: Command) -> Result:
    sample = run_apart(lint)
    reached = sample.wall <= SECONDS and sample.memory <= MIB
    goal = f"≤ {SECONDS:.0f} s, ≤ {MIB:.0f} MiB"
    return Result(times(sample), "", mib(sample.memory), goal, reached)


def fleet(bench: Bench) -> Iterator[Row]:
    """Many clusters behind TLS, four of each hundred broken; the memory is that of all processes together."""
    if shutil.which("openssl") is None:
        return

    @cache
    def sample(clusters: int, services: int = SERVICES_EACH) -> FleetSample:
        return measure_fleet(bench.root / f"fleet-{clusters}-{services}", clusters, services)

    yield Row(f"fleet of {FLEET:,} clusters of {SERVICES_EACH} Services", lambda: _fleet(sample(FLEET)))
    what = f"memory, {LARGE_FLEET:,} clusters of {FEW_SERVICES} Services to {FLEET:,}"
    yield Row(what, lambda: _flat(sample(LARGE_FLEET, FEW_SERVICES), sample(FLEET, FEW_SERVICES)))


def _fleet(sample: FleetSample) -> Result:
    reached = sample.wall <= FLEET_SECONDS and sample.memory <= FLEET_MIB
    took = f"{seconds(sample.wall)} (cpu {seconds(sample.cpu)})"
    goal = f"≤ {FLEET_SECONDS:.0f} s, ≤ {FLEET_MIB:.0f} MiB"
    return Result(took, f"{sample.read:,} read", mib(sample.memory), goal, reached)


def _flat(large: FleetSample, small: FleetSample) -> Result:
    ratio = large.memory / max(small.memory, 1)
    return Result(mib(large.memory), mib(small.memory), f"{ratio:.2f} x", f"≤ {FLAT} x", ratio <= FLAT)
