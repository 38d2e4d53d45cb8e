"""Runs ccmcheck over fetched public repositories and prints what it found, missed and got wrong: see README.md here."""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from wild_checkouts import NotFetchedError, export
from wild_labels import SETS, VERDICTS, Key, Repository, load, load_judgements
from wild_runs import Run, run
from wild_tally import Tally, judge, tally

COLUMNS = ("found", "missed", "extra", "release", "mistakes", *VERDICTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--checkouts", type=Path, required=True, help="a folder of owner+name, each a mirror or a checkout"
    )
    parser.add_argument("--trees", type=Path, help="keep the work trees here and use them again")
    parser.add_argument("--findings", type=Path, help="append all findings and verdicts as JSON lines, to judge them")
    parser.add_argument("--only", metavar="OWNER/NAME", help="one repository")
    parser.add_argument("set", nargs="?", choices=SETS, default="open")
    options = parser.parse_args()
    judgements = load_judgements()
    total = Tally()
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
            result = tally(repository, done, judgements)
            result.cases = [f"{repository.name}: {case}" for case in result.cases]
            print(row(repository.name, *cells(result)), flush=True)
            total.add(result)
            if options.findings:
                write(options.findings, repository, done, judgements)
    print(row("total", *cells(total)), "", *total.cases, "", *summary(total), sep="\n")


def row(name: str, *values: object) -> str:
    return f"{name[:46]:<46}" + "".join(f"{value!s:>10}" for value in values)


def cells(result: Tally) -> tuple[object, ...]:
    n = result.counts
    judged = (sum(k for (_, v), k in result.verdicts.items() if v == verdict) for verdict in VERDICTS)
    release = f"{n['release right']}/{n['release wrong']}/{n['release not determined']}"
    mistakes = f"{n['mistake reported']}/{n['mistake reported'] + n['mistake missed']}"
    return (n["found"], n["missed"], n["extra"], release, mistakes, *judged)


def summary(result: Tally) -> list[str]:
    lines = [f"{count}: {n}" for count, n in sorted(result.counts.items())]
    for severity in ("error", "warning", "info"):
        counts = ((verdict, result.verdicts[severity, verdict]) for verdict in VERDICTS)
        lines.append(f"{severity}: " + ", ".join(f"{n} {verdict}" for verdict, n in counts))
    return lines


def write(target: Path, repository: Repository, done: Run, judgements: dict[Key, str]) -> None:
    with target.open("a") as lines:
        for finding in done.findings:
            verdict = judge(repository, finding, judgements)
            entry = {"repository": repository.name, "commit": repository.commit, **asdict(finding), "verdict": verdict}
            lines.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
