"""Compares ccmcheck's reading of cloud.conf with the real one, input by input.

``python tests/truth/reader/compare.py --count 20000 --seed 7`` makes inputs, lets the code of every release read them, and
prints a line for each reader. It ends with exit code 1 if any reader differs in the outcome, in the error's words, in the
value of a key or in the names that are ignored; each difference goes to a file, cut down to what still shows it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # this tree's ccmcheck, not an installed one

import generate
import reader_build
from reader_oracle import Answer, ask
from reader_releases import BUILDABLE, NEWEST, Buildable, buildable
from reader_ours import HALF_READ, read

MOST_STUDIED = 25  # differences that are cut down and written out, for each reader
_CUTS = 12  # rounds of cutting down, each of which halves the size of what is cut out


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
        return list(_different(self, data, answer))


def readers(releases: Sequence[Buildable], consumers: Sequence[str], work_dir: Path) -> Iterator[Reader]:
    """Build what was asked for.

    Raises:
        reader_build.CannotBuild: A release cannot be built here.
    """
    for release in releases:
        program = reader_build.oracle(release, work_dir)
        for consumer in release.consumers:
            if not consumers or consumer in consumers:
                yield Reader(release, consumer, program)


def _different(reader: Reader, data: bytes, real: Answer) -> Iterator[str]:
    ours = read(data, reader.consumer, reader.release, elsewhere=real.elsewhere)
    if ours.outcome == HALF_READ and real.outcome == "ok":
        return  # ccmcheck shows such a file as if the error was mended; how far the program got has no name there
    if ours.outcome != real.outcome:
        yield f"outcome: real {real.outcome} ({real.error!r}), ours {ours.outcome} ({ours.error!r})"
        return
    if ours.error != real.error:
        yield f"error: real {real.error!r}, ours {ours.error!r}"
    if real.outcome != "ok":
        return
    if ours.subsections != real.subsections:
        yield f"subsections: real {sorted(real.subsections)}, ours {sorted(ours.subsections)}"
    for key in sorted({*real.values, *ours.values}, key=repr):
        theirs, mine = real.values.get(key, "no such key"), ours.values.get(key, "no such key")
        if theirs != mine or type(theirs) is not type(mine):
            yield f"value of {key}: real {theirs!r}, ours {mine!r}"
    if ours.ignored != real.ignored:
        yield f"ignored: only real {sorted(map(repr, real.ignored - ours.ignored))}, only ours {sorted(map(repr, ours.ignored - real.ignored))}"


def smaller(reader: Reader, data: bytes) -> bytes:
    """The input with as much cut out as possible so that the readings still differ."""
    size = max(len(data) // 2, 1)
    for _ in range(_CUTS * 4):
        cuts = [data[:at] + data[at + size :] for at in range(0, len(data), size)]
        answers = reader.real(cuts)
        found = next((cut for cut, real in zip(cuts, answers, strict=True) if reader.differences(cut, real)), None)
        if found is not None:
            data = found
        elif size == 1:
            break
        size = max(min(size, len(data)) // 2, 1) if found is None else min(size, max(len(data), 1))
    return data


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


def main() -> int:
    """Run the comparison that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="inputs for each reader")
    parser.add_argument("--seed", type=int, help="what the inputs depend on; by default any")
    parser.add_argument("--releases", nargs="*", metavar="TAG", help="all that can be built, or `newest`")
    parser.add_argument("--consumers", nargs="*", default=[], metavar="NAME", help="such as ccm; all by default")
    parser.add_argument("--work-dir", type=Path, default=reader_build.default_work_dir(), help="where builds are kept")
    parser.add_argument("--differences", type=Path, help="where to write differing inputs")
    parser.add_argument("--record", action="store_true", help="write the recorded answers anew instead")
    asked = parser.parse_args()

    seed = random.SystemRandom().randrange(1 << 32) if asked.seed is None else asked.seed
    if asked.releases == ["newest"]:
        releases: Sequence[Buildable] = [NEWEST]
    else:
        releases = [buildable(tag) for tag in asked.releases] if asked.releases else BUILDABLE
    if asked.record:
        import record

        record.write(list(readers(releases, asked.consumers, asked.work_dir)))
        return 0
    return run(asked.count, seed, releases, asked.consumers, asked.work_dir, asked.differences)


def run(
    count: int,
    seed: int,
    releases: Sequence[Buildable],
    consumers: Sequence[str],
    work_dir: Path,
    study_at: Path | None,
) -> int:
    """Compare and print the table; the exit code."""
    work_dir.mkdir(parents=True, exist_ok=True)
    study_at = study_at or work_dir / "differences.txt"
    real = generate.samples()
    print(f"seed {seed}, {count} inputs, {len(real)} real texts to mutate")
    inputs = list(generate.inputs(seed, count, real))
    passed = failed = 0
    with study_at.open("w", encoding="utf-8", errors="backslashreplace") as study:
        print(f"{'reader':32}{'inputs':>9}{'equal':>9}{'different':>11}{'seconds':>9}")
        started = time.monotonic()
        for reader in readers(releases, consumers, work_dir):
            different = compare(reader, inputs, study)
            passed += count - different
            failed += different
            seconds = time.monotonic() - started
            print(f"{reader.name:32}{count:9}{count - different:9}{different:11}{seconds:9.1f}", flush=True)
            started = time.monotonic()
    if failed:
        print(f"differences are in {study_at}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
