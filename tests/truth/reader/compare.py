"""Compares ccmcheck's reading of cloud.conf with the real one, input by input.

``python tests/truth/reader/compare.py --count 20000 --seed 7`` makes inputs, lets the code of every release read them, and
prints a line for each reader. It ends with exit code 1 if any reader differs in the outcome, in the error's words, in the
value of a key or in the names that are ignored; each difference goes to a file, cut down to what still shows it. Exit code
77 means that nothing could be run, and the last line says why.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import generate
import reader_build
import reader_choice
import reader_recorded
from reader_oracle import Answer, ask
from reader_ours import differences
from reader_releases import BUILDABLE, CCM, Buildable, buildable

MOST_STUDIED = 25  # differences that are cut down and written out, for each reader
SAMPLE = 2000  # inputs for continuous integration
SKIPPED = 77
_ROUNDS = 50  # of cutting down one input


class Reader(NamedTuple):
    """One program in one release."""

    release: Buildable
    consumer: str
    program: Path

    @property
    def name(self) -> str:
        """As ccmcheck's own options have it."""
        return f"{self.consumer}@{self.release.release}"

    def real(self, inputs: Sequence[bytes]) -> list[Answer]:
        """What the real code does with each input."""
        return ask(self.program, self.consumer, inputs)

    def differences(self, data: bytes, answer: Answer) -> list[str]:
        """What differs for one input, a line each; empty when nothing does."""
        return list(differences(data, self.consumer, self.release, answer))


def readers(release: Buildable, work_dir: Path) -> list[Reader]:
    """Build one release.

    Raises:
        reader_build.CannotBuildError: It cannot be built here.
    """
    program = reader_build.oracle(release, work_dir)
    return [Reader(release, consumer, program) for consumer in release.consumers]


def compare(reader: Reader, inputs: Sequence[bytes], study: TextIO) -> int:
    """Compare one reader on all inputs.

    Args:
        reader: Which.
        inputs: The files.
        study: Where differences are written.

    Returns:
        How many inputs are read differently.
    """
    different = 0
    for data, real in zip(inputs, reader.real(inputs), strict=True):
        if not reader.differences(data, real):
            continue
        different += 1
        if different <= MOST_STUDIED:
            small = smaller(reader, data)
            lines = reader.differences(small, reader.real([small])[0])
            study.write(f"{reader.name}\n  input {small!r}\n" + "".join(f"  {line}\n" for line in lines) + "\n")
    return different


def smaller(reader: Reader, data: bytes) -> bytes:
    """The input with as much cut out as possible so that the readings still differ."""
    size = max(len(data) // 2, 1)
    for _ in range(_ROUNDS):
        cuts = [data[:at] + data[at + size :] for at in range(0, len(data), size)]
        found = next(
            (cut for cut, real in zip(cuts, reader.real(cuts), strict=True) if reader.differences(cut, real)), None
        )
        if found is not None:
            data = found
        elif size == 1:
            break
        else:
            size //= 2
    return data


class Tally:
    """The table, and the count of inputs that were read alike and not."""

    def __init__(self, inputs: Sequence[bytes], study: TextIO) -> None:
        self.passed = 0
        self.failed = 0
        self._inputs = inputs
        self._study = study
        print(f"{'reader':32}{'inputs':>9}{'equal':>9}{'different':>11}{'seconds':>9}")

    def add(self, reader: Reader) -> None:
        """Compare one reader and print its line."""
        started = time.monotonic()
        count = len(self._inputs)
        different = compare(reader, self._inputs, self._study)
        self.passed += count - different
        self.failed += different
        seconds = time.monotonic() - started
        print(f"{reader.name:32}{count:9}{count - different:9}{different:11}{seconds:9.1f}", flush=True)

    def add_release(self, release: Buildable, consumers: Sequence[str], work_dir: Path) -> bool:
        """Build a release and compare its readers; False where it cannot be had."""
        started = time.monotonic()
        try:
            known = readers(release, work_dir)
        except reader_build.NotAvailableError as error:
            print(f"{release.tag:32}not available: {_last_line(error)}")
            return False
        except reader_build.CannotBuildError as error:
            print(f"{release.tag:32}does not build: {error}")
            self.failed += len(self._inputs)
            return True
        if (seconds := time.monotonic() - started) > 1:
            print(f"{release.tag:32}built in {seconds:.0f} s", flush=True)
        for reader in known:
            if not consumers or reader.consumer in consumers:
                self.add(reader)
        return True


def record(work_dir: Path) -> None:
    """Choose inputs and write down what the readers answer."""
    known = [
        reader
        for release in BUILDABLE
        for reader in readers(release, work_dir)
        if reader.consumer == CCM or (reader.consumer, release.tag) in reader_choice.RECORDED_OTHERS
    ]
    made = reader_choice.candidates()
    shown: list[set[tuple[str, ...]]] = [set() for _ in made]
    oldest = {reader.consumer: reader for reader in reversed(known)}
    newest = {reader.consumer: reader for reader in known}
    for reader in [*oldest.values(), *newest.values()]:
        empty = reader.real([b""])[0]
        for number, answer in enumerate(reader.real(made)):
            shown[number] |= reader_choice.features(made[number], answer, empty)
    chosen = list(dict.fromkeys([*reader_choice.BY_HAND, *reader_choice.by_type(), *reader_choice.choose(made, shown)]))
    reader_recorded.write(
        [(reader.release, reader.consumer, *_two(reader.real([b"", reader_recorded.MAP_PROBE]))) for reader in known],
        chosen,
        [reader.real(chosen) for reader in known],
    )
    size = sum(path.stat().st_size for path in reader_recorded.FOLDER.iterdir())
    print(f"{len(chosen)} inputs, {len(known)} readers, {size} bytes")


def main() -> int:
    """Run the comparison that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help="inputs for each reader; 20000, or 2000 in a sample")
    parser.add_argument("--seed", type=int, help="what the inputs depend on; by default any")
    parser.add_argument("--sample", action="store_true", help="only the newest release that can be built here")
    parser.add_argument("--releases", nargs="*", default=[], metavar="TAG", help="all that can be built by default")
    parser.add_argument("--consumers", nargs="*", default=[], metavar="NAME", help="such as ccm; all by default")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir(), help="where builds are kept")
    parser.add_argument("--differences", type=Path, help="where to write differing inputs")
    parser.add_argument("--record", action="store_true", help="write the recorded answers anew instead")
    asked = parser.parse_args()
    if reader_build.go_command() is None:
        print("skipped: go is not on PATH")
        return SKIPPED
    if asked.record:
        record(asked.work_dir)
        return 0

    count = asked.count or (SAMPLE if asked.sample else 20_000)
    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    real = generate.samples()
    print(f"seed {seed}, {count} inputs, {len(real)} real texts to mutate", flush=True)
    asked.work_dir.mkdir(parents=True, exist_ok=True)
    study_at = asked.differences or asked.work_dir / "differences.txt"
    with study_at.open("w", encoding="utf-8", errors="backslashreplace") as study:
        tally = Tally(list(generate.inputs(seed, count, real)), study)
        for release in _releases(asked.releases, newest_first=asked.sample):
            if tally.add_release(release, asked.consumers, asked.work_dir) and asked.sample:
                break
    if tally.failed:
        print(f"differences are in {study_at}; the same inputs: --seed {seed} --count {count}")
    elif not tally.passed:
        print("skipped: no release can be had here")
        return SKIPPED
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


def _releases(tags: Sequence[str], *, newest_first: bool) -> Iterator[Buildable]:
    known = [buildable(tag) for tag in tags] if tags else list(BUILDABLE)
    yield from reversed(known) if newest_first else known


def _two(answers: Sequence[Answer]) -> tuple[Answer, Answer]:
    first, second = answers
    return first, second


def _last_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1].strip()


if __name__ == "__main__":
    sys.exit(main())
