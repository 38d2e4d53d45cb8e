"""Compares the model of first connections with a real HAProxy on what Octavia renders.

``python tests/truth/haproxy/haproxy_compare.py --seed 7`` renders pools with Octavia's own template, starts HAProxy on them,
and connects: to members that answer, are silent, or refuse. It ends with exit code 1 if the shares, pooled by algorithm and
load, differ by more than three points, or a connection is closed more than 0.3 s from the time predicted. ``--record`` keeps
the table for everyday tests. Exit code 77 means that HAProxy or Octavia cannot be had here, and the last line says why.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from haproxy_play import FIRST_LISTENER, Pool, arranged, in_order, measure, member_address
from haproxy_table import Row, faults, rows_of
from octavia_api import NotAvailableError, default_work_dir, installed

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "recorded" / "shares.json"
SKIPPED = 77
SHAPES = ((3, 1), (5, 1), (5, 3), (10, 3), (20, 1), (20, 3), (20, 12), (50, 3), (50, 10))
ORDERS = ("xxx.........", "x...x...x...", "x.x..x......", "x..x..x.....", "xx.....x....", "x....", "xxx..")
TIMEOUT = 0.8
_VERSION = re.compile(r"\d+")
_MAXCONN = re.compile(r"^(\s*maxconn) \d+$", re.MULTILINE)


def pools(chance: random.Random, *, sample: bool) -> list[Pool]:
    """What is measured: every shape by every algorithm and load, members silent and refusing."""
    made: list[Pool] = []

    def add(times: int, *words: Any, **more: Any) -> None:
        made.extend(arranged(*words, chance=chance, **more) for _ in range(times))

    for shape in SHAPES[:4] if sample else SHAPES:
        for silent in (True, False):
            known = {"silent": silent, "timeout": TIMEOUT}
            add(2 if sample else 4, shape, "ROUND_ROBIN", "busy", connections=100, **known)
            add(10 if sample else 24, shape, "ROUND_ROBIN", "alone", connections=20, **known)
            add(1, shape, "SOURCE_IP", "clients", connections=240, **known)
    for shape in ((3, 2), (3, 1), (5, 3), (10, 3)):
        for load in ("busy", "held"):  # few, so that they end before timeout_client_data ends those that are held
            add(4, shape, "LEAST_CONNECTIONS", load, connections=10, silent=True, timeout=TIMEOUT)
    # whole rounds of 3, 4 and 5 connections
    made += [in_order(order, timeout=TIMEOUT, connections=60) for order in (ORDERS[:1] if sample else ORDERS)]
    if not sample:  # what every Service has that sets no timeout
        add(2, (20, 3), "ROUND_ROBIN", "busy", connections=40, silent=True, timeout=5.0)
        add(1, (20, 3), "SOURCE_IP", "clients", connections=40, silent=True, timeout=5.0)
        add(1, (20, 3), "SOURCE_IP", "clients", connections=40, silent=False, timeout=5.0)
    return made


def render(python: Path, folder: Path, wanted: list[Pool], version: str) -> Path:
    """Octavia's configuration for the pools and a version of HAProxy, with as many connections as this machine may open.

    Raises:
        NotAvailableError: Octavia's template cannot be rendered here.
    """
    request = {
        "folder": str(folder),
        "version": _VERSION.findall(version)[:2],
        "pools": [
            {
                "method": pool.method,
                "listener": FIRST_LISTENER + number,
                "timeout_ms": round(1000 * pool.timeout),
                "members": [[member_address(index), port] for index, port in enumerate(pool.ports)],
            }
            for number, pool in enumerate(wanted)
        ],
    }
    done = subprocess.run(
        [str(python), str(HERE / "haproxy_render.py")],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotAvailableError(f"octavia's template: {done.stderr.strip().splitlines()[-1]}")
    text = "\n".join(line for line in done.stdout.splitlines() if line.strip() not in ("daemon", "user nobody"))
    configuration = folder / "haproxy.cfg"
    configuration.write_text(_MAXCONN.sub(r"\1 4000", text) + "\n", encoding="utf-8")
    return configuration


def show(rows: list[Row]) -> None:
    """The table: what was measured beside the model."""
    print(
        f"{'pool':14}{'algorithm':19}{'load':9}{'others':14}{'count':>6}  measured at once/waits/closed  model      closed after"
    )
    for row in rows:
        print(row.line())


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="what chance depends on; by default any, and printed")
    parser.add_argument("--sample", action="store_true", help="a small part, for continuous integration")
    parser.add_argument("--haproxy", metavar="PROGRAM", help="the one to measure; by default that of the path")
    parser.add_argument("--record", action="store_true", help="keep the table for everyday tests")
    asked = parser.parse_args()
    seed = random.randrange(10**6) if asked.seed is None else asked.seed  # noqa: S311 - nothing secret
    haproxy = shutil.which(asked.haproxy or "haproxy")
    if haproxy is None:
        print("skipped: there is no haproxy; Debian's package is called that")
        return SKIPPED
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    version = subprocess.run([haproxy, "-v"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    print(f"{version}; seed {seed}", flush=True)
    wanted = pools(random.Random(seed), sample=asked.sample)  # noqa: S311 - nothing secret
    try:
        python = installed(default_work_dir())
        with tempfile.TemporaryDirectory() as folder:
            configuration = render(python, Path(folder), wanted, version)
            measured = asyncio.run(measure([haproxy], configuration, wanted, seed))
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    rows = rows_of(wanted, measured)
    show(rows)
    wrong = faults(rows)
    for fault in wrong:
        print(fault)
    if asked.record:
        RECORDED.parent.mkdir(exist_ok=True)
        table = {"haproxy": version, "seed": seed, "rows": [row.as_dict() for row in rows]}
        RECORDED.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows) - min(len(wrong), len(rows))} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
