"""Fixes beside the findings that they are for, and predictions of many Services."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

from bench_files import ANY_VERDICT, WITH_FINDINGS, Bench
from bench_rows import Result, Row, beside, times
from filesets import write_carriers, write_services
from stopwatch import Command, measure

FLAWED = 1_000
FIX_LIKE_LINT = 1.3
SERVICES = 1_000
SERVICES_SECONDS = 1.0

_EACH = """
import sys
from pathlib import Path
from ccmcheck import api
work = getattr(api, sys.argv[1])
for path in Path().rglob("*.yaml"):
    work(path.read_text(), str(path))
"""


def fix(bench: Bench) -> Iterator[Row]:
    """What a fix with its guard takes beside linting the same text, and the same of the commands."""
    folder = write_carriers(bench.root / "to-fix", FLAWED, flawed=True)
    fix_text, check_text = (
        Command(f"api.{name}", (sys.executable, "-c", _EACH, name), folder) for name in ("fix_text", "check_text")
    )
    yield Row(f"fix {FLAWED:,} texts", partial(beside, fix_text, check_text, bench.seldom, at_most=FIX_LIKE_LINT))
    lint = bench.ccmcheck("lint", ".", cwd=folder, codes=WITH_FINDINGS)
    diff = bench.ccmcheck("fix", "--diff", ".", cwd=folder)
    yield Row(diff.name, partial(beside, diff, lint, bench.seldom))


def predict(bench: Bench) -> Iterator[Row]:
    """Many Services predicted in one run, and what each adds to it."""
    yield Row(f"{SERVICES:,} Services predicted in one run", partial(_predict, bench))


def _predict(bench: Bench) -> Result:
    folder = write_services(bench.root / "services", SERVICES)
    (folder / "one").mkdir()
    first = (folder / "services" / "00000.yaml").read_text().partition("---\n")[0]
    (folder / "one" / "service.yaml").write_text(first)
    options = ("--cloud-config", "cloud.conf", "--nodes", "20")
    commands = [
        bench.ccmcheck("predict", *options, path, cwd=folder, codes=ANY_VERDICT) for path in ("services", "one")
    ]
    ours, single = measure(commands, bench.seldom)
    each = (ours.cpu - single.cpu) / (SERVICES - 1) * 1e3
    return Result(
        times(ours),
        f"one {times(single)}",
        f"{each:.2f} ms a Service",
        f"≤ {SERVICES_SECONDS:.0f} s",
        ours.wall <= SERVICES_SECONDS,
    )
