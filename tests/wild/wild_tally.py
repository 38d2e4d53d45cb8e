"""Compares what ccmcheck reports with what people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from wild_labels import SERVICES, UNPROMISED, Carrier, Key, Repository
from wild_runs import Finding, Input, Run

# ccmcheck may name the line of the key above a text
NEAR = 2


@dataclass
class Tally:
    counts: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)  # behind the counts that should be zero

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.verdicts.update(other.verdicts)
        self.cases += other.cases

    def case(self, count: str, text: str) -> None:
        self.counts[count] += 1
        self.cases.append(f"{count}: {text}")


def tally(repository: Repository, run: Run, judgements: Mapping[Key, str]) -> Tally:
    result = Tally()
    left = list(run.inputs)
    for carrier in repository.carriers:
        if carrier.carrier in SERVICES:
            _service(result, carrier, run)
            continue
        match = _nearest(carrier, left)
        if match:
            left.remove(match)
        elif carrier.left_out:
            result.counts["left out"] += 1
            continue
        _carrier(result, carrier, match)
    for extra in left:
        result.case("extra", f"{extra.path}:{extra.line} {extra.carrier}")
    lines = {(finding.path, finding.line) for finding in run.findings}
    for carrier in repository.carriers:
        for mistake in carrier.mistakes if not carrier.left_out else ():
            if (carrier.path, mistake.line) in lines:
                result.counts["mistake reported"] += 1
            else:
                result.case("mistake missed", f"{carrier.path}:{mistake.line} {mistake.severity}: {mistake.what}")
    for finding in run.findings:
        _finding(result, repository, finding, judgements)
    result.cases += run.failures
    return result


def _nearest(carrier: Carrier, inputs: list[Input]) -> Input | None:
    near = range(carrier.first_line - NEAR, carrier.last_line + 1)
    candidates = [i for i in inputs if i.path == carrier.path and (not i.line or i.line in near)]
    return min(candidates, key=lambda i: abs(i.line - carrier.first_line), default=None)


def _service(result: Tally, carrier: Carrier, run: Run) -> None:
    if run.services is None:
        return
    if _nearest(carrier, list(run.services)):
        result.counts["Service found"] += 1
    elif carrier.left_out:
        result.counts["Service left out"] += 1
    else:
        result.case("Service missed", f"{carrier.path}:{carrier.first_line} {carrier.carrier}")


def _carrier(result: Tally, carrier: Carrier, match: Input | None) -> None:
    place = f"{carrier.path}:{carrier.first_line}"
    if carrier.carrier in UNPROMISED:
        return
    if not match:
        result.case("missed", f"{place} {carrier.carrier}")
        return
    result.counts["found"] += 1
    if carrier.consumer != "ccm":
        return
    if minor(match.release) == minor(carrier.release):
        result.counts["release right"] += 1
    else:
        kind = "release not determined" if match.release == "unknown" else "release wrong"
        result.case(kind, f"{place} {match.release} instead of {carrier.release} {carrier.release_source}")


def minor(release: str) -> str:
    """A release without its patch and its "v"."""
    return ".".join(release.removeprefix("v").split(".")[:2])


def _finding(result: Tally, repository: Repository, finding: Finding, judgements: Mapping[Key, str]) -> None:
    verdict = judge(repository, finding, judgements)
    place = f"{finding.path}:{finding.line} {finding.rule}"
    result.verdicts[finding.severity, verdict] += 1
    if finding.fatal and verdict == "false":
        result.case("false fatal", place)
    if repository.look_alike or finding.path in repository.look_alikes:
        result.case("look-alike", place)


def judge(repository: Repository, finding: Finding, judgements: Mapping[Key, str]) -> str:
    key = (repository.name, repository.commit, finding.path, finding.line, finding.inner, finding.rule)
    return judgements.get(key, "unjudged")
