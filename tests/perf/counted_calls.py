"""Holds the work of each command to what was recorded: ``make calls``.

Each scenario runs in a process of its own over fixed inputs, its calls counted (see `counting`). Five percent more than
``recorded_calls/PYTHON.json`` says is a failure, which names the functions that grew; ``--record`` writes what is
measured now, for the commit that explains it. Processor time, as a ratio to a fixed piece of work, only warns: it tells
what the counts cannot see, time in C, but a busy machine tells it wrong.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypedDict

from filesets import cloud_conf, control_plane, secret, write_carriers, write_repository, write_services
from stopwatch import environment

MORE = 1.05
"""Times as many calls as recorded are too many."""
SLOWER = 1.3
"""Times the recorded processor time are worth a warning."""
WORTH_NAMING = 0.002
"""The share of a scenario's calls from which a function is recorded by name."""
NAMED = 5
RUNS = 3
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
RECORDS = Path(__file__).with_name("recorded_calls")


class Scenario(NamedTuple):
    """A command over fixed files: what writes them into a folder, and how the command is called there."""

    write: Callable[[Path], object]
    command: tuple[str, ...]


class Measured(TypedDict):
    """What a scenario took: all calls, the ratio of processor time, and the calls of each function worth naming."""

    calls: int
    time: float
    functions: dict[str, int]


def _one(name: str, text: str, folder: Path) -> None:
    (folder / name).write_text(text)


def _two_states(folder: Path) -> None:
    """Services with monitors, and the same without."""
    for side, monitor in (("a", "true"), ("b", "false")):
        write_services(folder / side, 100)
        conf = folder / side / "cloud.conf"
        text = re.sub(r"(?m)^create-monitor *=.*\n", "", conf.read_text())
        conf.write_text(text.replace("[LoadBalancer]", f"[LoadBalancer]\ncreate-monitor={monitor}"))


_JOBS = ("--jobs", "1")
SCENARIOS: dict[str, Scenario] = {
    "start": Scenario(lambda _: None, ("--version",)),
    "explain": Scenario(lambda _: None, ("explain", "duration-bad")),
    "lint a Secret": Scenario(partial(_one, "secret.yaml", secret(1)), ("lint", "secret.yaml")),
    "lint a KubeadmControlPlane": Scenario(partial(_one, "plane.yaml", control_plane(1)), ("lint", "plane.yaml")),
    "lint a cloud.conf": Scenario(partial(_one, "cloud.conf", cloud_conf(1)), ("lint", "cloud.conf")),
    "lint 1,000 files": Scenario(partial(write_carriers, count=1_000), ("lint", *_JOBS, ".")),
    "lint 1,000 files with a finding each": Scenario(
        partial(write_carriers, count=1_000, flawed=True), ("lint", *_JOBS, ".")
    ),
    "fix 200 files": Scenario(partial(write_carriers, count=200, flawed=True), ("fix", *_JOBS, "--diff", ".")),
    "predict 200 Services": Scenario(
        partial(write_services, count=200),
        ("predict", "--cloud-config", "cloud.conf", "--nodes", "20", "services"),
    ),
    "upgrade 200 files": Scenario(
        partial(write_carriers, count=200), ("upgrade", "--from", "1.26", "--to", "1.31", ".")
    ),
    "review 100 Services": Scenario(_two_states, ("review", "a", "b")),
    "lint a repository of 2,000 files": Scenario(partial(write_repository, count=2_000), ("lint", *_JOBS, ".")),
}
"""What is measured, by its name."""


def measure(name: str) -> Measured:
    """Run a scenario in processes of its own: once to count, then some times by the clock.

    Args:
        name: One of `SCENARIOS`.

    Returns:
        What it took; the least of the times.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "work")
        work.mkdir()
        SCENARIOS[name].write(work)
        counts = json.loads(_apart("count", name, work))
        times = [float(_apart("time", name, work)) for _ in range(RUNS)]
    total = sum(counts.values())
    functions = {place: count for place, count in counts.items() if count >= total * WORTH_NAMING}
    return {"calls": total, "time": round(min(times), 2), "functions": dict(sorted(functions.items()))}


def _apart(what: str, name: str, folder: Path) -> str:
    """What a process of its own says of a scenario."""
    answer = subprocess.run(
        [sys.executable, __file__, "--apart", what, name],
        cwd=folder,
        env={**environment(folder), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        raise SystemExit(f"{name}: {answer.stderr}")
    return answer.stdout


def _apart_main(what: str, name: str) -> None:
    """In that process: count the calls, or compare the processor time with that of a fixed piece of work."""
    out = io.StringIO()

    def work() -> None:
        from ccmcheck.cli.main import run

        with redirect_stdout(out), redirect_stderr(out), chdir("."):
            code = run(SCENARIOS[name].command)
            if code not in (0, 1):
                raise SystemExit(f"ended with {code}: {out.getvalue()}")

    if what == "count":
        from counting import counted, place

        json.dump({place(code): count for code, count in counted(work).items()}, sys.stdout)
        return
    started = time.process_time()
    work()
    ours = time.process_time() - started
    print(ours / min(_fixed_work() for _ in range(5)))


def _fixed_work() -> float:
    """The processor time of some work that is always the same."""
    started = time.process_time()
    words = [f"key-{number} = value of {number % 97}" for number in range(20_000)]
    found = sum(1 for word in words if re.match(r"key-\d*7 = (\w+) of", word))
    sorted(words, key=lambda word: (len(word), word[::-1]))
    assert found
    return time.process_time() - started


def _compare(name: str, now: Measured, recorded: Measured) -> bool:
    """Print a scenario's line and what is worth knowing beside it; True where it makes too many calls."""
    ratio, slower = now["calls"] / recorded["calls"], now["time"] / max(recorded["time"], 0.01)
    too_many = ratio > MORE
    verdict = "FAILED" if too_many else "passed"
    print(
        f"{verdict}  {name}: {now['calls']:,} calls, {ratio:.3f} x the record; processor time {slower:.2f} x",
        flush=True,
    )
    if too_many:
        grown = {place: count - recorded["functions"].get(place, 0) for place, count in now["functions"].items()}
        for place in sorted(grown, key=grown.__getitem__, reverse=True)[:NAMED]:
            print(f"   {place}  {recorded['functions'].get(place, 'few')} → {now['functions'][place]}")
    elif ratio < 2 - MORE:
        print("   fewer: record it, so that it stays so")
    if slower > SLOWER:
        print(f"   warning: it takes {slower:.2f} times the recorded processor time; is the machine busy?")
    return too_many


def main() -> int:
    """Measure, compare, and return 1 where a scenario makes too many calls."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("scenario", nargs="*", help="which; all if none")
    parser.add_argument("--record", action="store_true", help="write what is measured")
    parser.add_argument("--apart", nargs=2, metavar=("WHAT", "SCENARIO"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.apart:
        _apart_main(*options.apart)
        return 0
    if unknown := set(options.scenario) - SCENARIOS.keys():
        parser.error(f"no scenario {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
    path = RECORDS / f"{PYTHON}.json"
    records: dict[str, Measured] = json.loads(path.read_text()) if path.exists() else {}
    failed = passed = 0
    for name in SCENARIOS:
        if options.scenario and name not in options.scenario:
            continue
        now = measure(name)
        if options.record:
            records[name] = now
            print(f"{name}: {now['calls']:,} calls", flush=True)
        elif name not in records:
            print(
                f"{name}: {now['calls']:,} calls; nothing is recorded for Python {PYTHON}, --record does it", flush=True
            )
        else:
            too_many = _compare(name, now, records[name])
            failed, passed = failed + too_many, passed + (not too_many)
    if options.record:
        lines = (f"  {json.dumps(name)}: {json.dumps(records[name])}" for name in SCENARIOS if name in records)
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
