"""Laws of whole deployments, over generated ones, by the commands as users run them, in one process::

    python tests/property/deployment_laws.py --seeds 0:20000
    python tests/property/deployment_laws.py --seeds 0:2000 --law commands

* ``missing``: without a fact no verdict turns into another one, and what stands in for it is said.
* ``mistake``: an added mistake never lowers an exit code, and is reported.
* ``moved``: where a tree lies, and what it is called, means nothing.
* ``commands``: lint, predict, review and upgrade agree on whether the CCM runs.

Each breach is printed with its seed, which repeats it.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from deployments import MISTAKES, Generated, generated

from ccmcheck.cli.main import run as run_command

PLACES = ("other/place/of/prod", "Z-1", "clusters/dev")


_known: dict[tuple[object, ...], tuple[int, str]] = {}
"""What commands said of the deployment as it was generated, which several laws ask for."""


def said(*command: object) -> tuple[int, str]:
    """The exit code and the output of a command."""
    if len(command) > 1 and isinstance(command[1], Path) and command[1].name == "a":
        if command not in _known:
            _known[command] = _run(*command)
        return _known[command]
    return _run(*command)


def _run(*command: object) -> tuple[int, str]:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        name, *words = map(str, command)
        code = run_command([name, "--no-config", *words])
    return code, out.getvalue()


def data(command: str, *words: object) -> tuple[int, Any]:
    """The exit code and the JSON of a command."""
    code, out = said(command, *words, "--format=json")
    return code, json.loads(out) if out else {}


def put(folder: Path, deployment: Generated) -> Path:
    """Write a deployment's files into an empty folder; ``a`` is for the one as it was generated."""
    if folder.name == "a" and folder.exists():
        return folder
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for path, text in deployment.files.items():
        (folder / path).write_text(text)
    return folder


ASSUMED = re.compile(r"\bwith more than \d+ nodes?, |\bunless every node runs a pod of this Service, ")
"""How a verdict names what it assumes in place of what nobody knows."""


def verdicts(predicted: Any) -> dict[tuple[str, str], tuple[bool | None, str]]:
    """By Service and verdict, whether it is good; None where unknown or assumed aloud."""
    return {
        (one["service"], name): (
            None if ASSUMED.search(answer["text"]) else answer["good"],
            one["verdict"]["outcome"],
        )
        for one in predicted["services"]
        for name, answer in one["verdict"]["answers"].items()
    }


GIVEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "--octavia-release": ("release", ("train", "ussuri", "wallaby", "2024.1")),
    "--ovn-octavia-release": ("ovn-octavia-provider", ("1.0.1", "2.1.0", "7.0.1")),
    "--topology": ("topology", ("single", "active-standby")),
    "--monitor-quota": ("the project's quota is not given", ("0", "1", "100")),
    "--kubernetes-version": ("CCM's release", ("1.24", "1.29", "1.34")),
    "--cluster-name": ("name", ("x",)),
    "--nodes": ("nodes", ("1", "3")),
}
"""Options that give a fact, with what says that it is not given, and values."""


def missing(whole: Generated, folder: Path, chance: random.Random) -> Iterator[str]:
    """See the top; one fact that the deployment has is taken away."""
    fact = chance.choice([*sorted(whole.facts), *GIVEN])
    here = put(folder / "a", whole)
    if fact in GIVEN:
        word, values = GIVEN[fact]
        old, new = data("predict", here, f"{fact}={chance.choice(values)}")[1], data("predict", here)[1]
        yield from turned(fact, old, new, word)
        return
    lacking = put(folder / "lacking", whole.without(fact))
    sign = {"the CCM": "assumed: the newest", "the cloud.conf": "defaults stand in"}.get(fact)
    if sign is None:
        yield from turned(fact, data("predict", here)[1], data("predict", lacking)[1])
        return
    command = chance.choice(("lint", "predict", "list") if fact == "the CCM" else ("predict",))
    if sign not in said(command, lacking)[1]:
        yield f"without {fact} {command} does not say that it is assumed"


def turned(fact: str, old: Any, new: Any, word: str = "") -> Iterator[str]:
    """The verdicts that are others without a fact, where nothing beside them says what is assumed.

    Args:
        fact: The fact.
        old: The prediction with it.
        new: That without it.
        word: What says that it is assumed, among what is assumed and unknown; empty where each verdict must.
    """
    named = {
        one["service"]: word
        and any(word in text for text in (*one["assumed"], one["verdict"]["answers"].get("quota", {}).get("text", "")))
        for one in new["services"]
    }
    before = verdicts(old)
    for key, (good, outcome) in verdicts(new).items():
        is_other = key in before and None not in (good, before[key][0]) and (good, outcome) != before[key]
        if is_other and not named[key[0]]:
            yield f"without {fact} {key} turns from {before[key]} to {good, outcome}"


def mistake(whole: Generated, folder: Path, chance: random.Random) -> Iterator[str]:
    """See the top; one mistake is made."""
    name = chance.choice(sorted(MISTAKES))
    wrong = MISTAKES[name](whole)
    if wrong.files == whole.files:
        yield f"{name} changes nothing"
    right_folder, wrong_folder = put(folder / "a", whole), put(folder / "wrong", wrong)
    for command in ("lint", "predict"):
        (before, _), (after, found) = data(command, right_folder), data(command, wrong_folder)
        if after < before:
            yield f"{name}: {command} ends with {after}, without it with {before}"
        if command == "lint" and not found["findings"]:
            yield f"{name}: lint reports nothing"


def moved(whole: Generated, folder: Path, chance: random.Random) -> Iterator[str]:
    """See the top; two of the commands are run at two places."""
    places = [put(folder / name, whole) for name in ("a", chance.choice(PLACES))]
    for command in chance.sample(("lint", "predict", "list"), 2):
        outputs = [said(command, place, "--format=json")[1].replace(str(place), "") for place in places]
        read = [json.loads(output) for output in outputs]
        for one in read:
            one.get("summary", {}).pop("seconds", None)
            for finding in one.get("findings", ()):
                finding.pop("fingerprint")
        if read[0] != read[1]:
            yield f"{command} differs at {places[1].relative_to(folder)}"


def commands(whole: Generated, folder: Path, chance: random.Random) -> Iterator[str]:
    """See the top; of half of the deployments with a mistake."""
    name = chance.choice(sorted(MISTAKES)) if chance.random() < 0.5 else ""
    mine = MISTAKES[name](whole) if name else whole
    place = put(folder / "mine", mine)
    stops = any(one["fatal"] for one in data("lint", place)[1]["findings"])
    predicted = data("predict", place)[1]["services"]
    outcomes = {one["verdict"]["outcome"] for one in predicted}
    if stops and outcomes - {"nothing"}:
        yield f"{name}: lint says that the CCM ends, predict {outcomes}"
    if "nothing changes" not in said("review", place, place)[1]:
        yield f"{name}: review of equal sides finds a change"
    release = predicted[0]["release"]
    code, upgraded = data("upgrade", "--from", "v1.23.4", "--to", release, place)
    ends = any(one["upgrade"]["error_after"] is not None for one in upgraded.get("configs", ()) if one["upgrade"])
    if code not in (0, 1) or ends != stops:
        yield f"{name}: upgrade ({code}) says that the CCM ends: {ends}, lint: {stops}"
    reviewed = data("review", put(folder / "b", whole), place)[1]
    stopped = any(point["kind"] == "fatal" for point in reviewed["points"])
    if stopped != (stops and bool(name)):
        yield f"{name}: review says that the CCM ends: {stopped}, lint: {stops}"


LAWS: dict[str, Callable[[Generated, Path, random.Random], Iterator[str]]] = {
    "missing": missing,
    "mistake": mistake,
    "moved": moved,
    "commands": commands,
}


def breaches(law: str, seed: int, folder: Path) -> list[str]:
    """How a generated deployment breaks a law.

    Args:
        law: The law.
        seed: The deployment's.
        folder: Gets its files.
    """
    chance = random.Random(f"{law} {seed}")  # noqa: S311 - the same each time
    try:
        return list(LAWS[law](generated(seed), folder, chance))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is one
        return [f"{type(error).__name__}: {error}"]


def breaches_of_all(laws: Iterable[str], seed: int) -> Iterator[tuple[str, str]]:
    """The same for several laws, each with the law."""
    _known.clear()
    with tempfile.TemporaryDirectory() as folder:
        for law in laws:
            for breach in breaches(law, seed, Path(folder)):
                yield law, breach


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:100", metavar="FIRST:END")
    parser.add_argument("--law", action="append", choices=LAWS, help="default: all but commands")
    options = parser.parse_args()
    first, _, end = options.seeds.partition(":")
    laws = options.law or [law for law in LAWS if law != "commands"]
    counts = dict.fromkeys(laws, 0)
    started = time.monotonic()
    for seed in range(int(first), int(end)):
        for law, breach in breaches_of_all(laws, seed):
            counts[law] += 1
            print(f"seed {seed}, {law}: {breach}", flush=True)
        if seed % 500 == 499:
            print(f"seeds up to {seed}: {counts}, {time.monotonic() - started:.0f} s", flush=True)
    total = sum(counts.values())
    print(f"seeds {options.seeds}: {', '.join(f'{law} {count}' for law, count in counts.items())} breaches")
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
