"""Runs ccmcheck over fetched public repositories and prints what it found, missed and got wrong: see README.md here."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import wild_judgements
from wild_checkouts import NotFetchedError, export
from wild_labels import SETS, Repository, load
from wild_runs import Finding, Run, run
from wild_tally import Tally, tally

SEVERITIES = ("error", "warning", "info")
COLUMNS = ("found", "missed", "extra", "release", "mistakes", "true", "noise", "false", "unjudged")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--checkouts", type=Path, required=True, help="a folder of owner+name, each a mirror or a checkout"
    )
    parser.add_argument("--trees", type=Path, help="keep the work trees here and use them again")
    parser.add_argument("--findings", type=Path, help="write all findings and verdicts as JSON lines, to judge them")
    parser.add_argument("--only", metavar="OWNER/NAME", help="one repository")
    parser.add_argument("set", nargs="?", choices=SETS, default="open")
    options = parser.parse_args()
    judgements = wild_judgements.load()
    total = Tally()
    printed: list[str] = []
    print(row("repository", *COLUMNS))
    with tempfile.TemporaryDirectory() as temporary:
        for repository in load(options.set):
            if options.only not in (None, repository.name):
                continue
            try:
                tree = export(options.checkouts, repository.folder, repository.commit, options.trees or Path(temporary))
            except NotFetchedError as error:
                print(f"{repository.name}: not measured: {error}")
                continue
            done = run(tree)
            counts = tally(repository, done, judgements)
            total.add(counts)
            print(row(repository.name, *cells(counts)), flush=True)
            printed += [f"{repository.name}: {line}" for line in cases(counts)]
            if options.findings:
                write(options.findings, repository, done, judgements)
    print(row("total", *cells(total)))
    print("\n".join(["", *summary(total), "", *printed]))
    return 0


def row(name: str, *values: object) -> str:
    return f"{name[:46]:<46}" + "".join(f"{value!s:>10}" for value in values)


def cells(counts: Tally) -> tuple[object, ...]:
    releases = counts.releases
    judged = [
        sum(n for (_, v), n in counts.verdicts.items() if v == verdict)
        for verdict in (*wild_judgements.VERDICTS, "unjudged")
    ]
    return (
        counts.found,
        len(counts.missed),
        len(counts.extra),
        f"{releases['right']}/{releases['wrong']}/{releases['unknown']}",
        f"{counts.mistakes}/{counts.mistakes + len(counts.missed_mistakes)}",
        *judged,
    )


def summary(counts: Tally) -> Iterator[str]:
    yield f"carriers: {counts.found} found, {len(counts.missed)} missed, {counts.unpromised} more that nobody promises"
    yield f"releases: {dict(counts.releases)}"
    for severity in SEVERITIES:
        found = {verdict: n for (level, verdict), n in sorted(counts.verdicts.items()) if level == severity}
        yield f"{severity}: {sum(found.values())} {found}"
    yield f"false fatal: {len(counts.false_fatal)}"
    yield f"output about look-alikes: {len(counts.in_look_alikes)}"


def cases(counts: Tally) -> Iterator[str]:
    """The cases behind the counts that should be zero."""
    for carrier in counts.missed:
        yield f"missed {carrier.carrier} {carrier.path}:{carrier.first_line}"
    for extra in counts.extra:
        yield f"extra {extra.carrier} {extra.path}:{extra.line}"
    for carrier, release in counts.wrong_releases:
        yield f"release {release} instead of {carrier.release} ({carrier.release_source}) {carrier.path}:{carrier.first_line}"
    for carrier, mistake in counts.missed_mistakes:
        yield f"missed {mistake.severity} {carrier.path}:{mistake.line} {mistake.what}"
    for finding in counts.false_fatal:
        yield f"false fatal {finding.path}:{finding.line} {finding.rule}"
    for entry in counts.in_look_alikes:
        yield f"look-alike {entry.path}:{entry.line} {entry.rule if isinstance(entry, Finding) else entry.carrier}"
    yield from counts.failures


def write(target: Path, repository: Repository, done: Run, judgements: dict[wild_judgements.Key, str]) -> None:
    with target.open("a") as lines:
        for finding in done.findings:
            judged = wild_judgements.verdict(judgements, repository, finding)
            entry = {"repository": repository.name, "commit": repository.commit, **asdict(finding), "verdict": judged}
            lines.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
