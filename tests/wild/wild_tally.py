"""Compares what ccmcheck reports with what people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from wild_judgements import Key, verdict
from wild_labels import SERVICES, UNKNOWN, Carrier, Mistake, Repository
from wild_runs import Finding, Reported, Run

# the line of a carrier may be that of the key above its text, or of the first line that is no comment
NEAR = 2


@dataclass
class Tally:
    """The counts of one repository or of many, and the cases behind those that are wrong."""

    found: int = 0
    unpromised: int = 0
    missed: list[Carrier] = field(default_factory=list)
    extra: list[Reported] = field(default_factory=list)
    releases: Counter[str] = field(default_factory=Counter)
    wrong_releases: list[tuple[Carrier, str]] = field(default_factory=list)
    mistakes: int = 0
    missed_mistakes: list[tuple[Carrier, Mistake]] = field(default_factory=list)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    false_fatal: list[Finding] = field(default_factory=list)
    in_look_alikes: list[Finding | Reported] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def tally(repository: Repository, run: Run, judgements: Mapping[Key, str]) -> Tally:
    counts = Tally(failures=list(run.failures))
    reported = list(run.inputs)
    # labels with known lines first: a label takes the input that is nearest to its first line
    for carrier in repository.carriers:
        if carrier.carrier in SERVICES:
            continue
        match = _match(carrier, reported)
        if match:
            reported.remove(match)
            counts.found += carrier.promised
            counts.unpromised += not carrier.promised
            _release(counts, carrier, match)
        elif carrier.promised:
            counts.missed.append(carrier)
    counts.extra = [r for r in reported if not _inside_service(r, repository)]
    _findings(counts, repository, run, judgements)
    return counts


def _match(carrier: Carrier, reported: list[Reported]) -> Reported | None:
    near = [r for r in reported if r.path == carrier.path and (not r.line or _touches(carrier, r.line))]
    return min(near, key=lambda r: abs(r.line - carrier.first_line), default=None)


def _touches(carrier: Carrier, line: int) -> bool:
    return carrier.first_line - NEAR <= line <= carrier.last_line


def _inside_service(reported: Reported, repository: Repository) -> bool:
    services = (c for c in repository.carriers if c.carrier in SERVICES and c.path == reported.path)
    return any(not reported.line or _touches(c, reported.line) for c in services)


def _release(counts: Tally, carrier: Carrier, match: Reported) -> None:
    if carrier.consumer != "ccm":
        return
    if minor(match.release) == minor(carrier.release):
        counts.releases["right"] += 1
    else:
        counts.releases[UNKNOWN if match.release == UNKNOWN else "wrong"] += 1
        counts.wrong_releases.append((carrier, match.release))


def minor(release: str) -> str:
    """A release without its patch and its "v": what it reads does not differ between patches, with few exceptions."""
    return ".".join(release.removeprefix("v").split(".")[:2])


def _findings(counts: Tally, repository: Repository, run: Run, judgements: Mapping[Key, str]) -> None:
    lines = {(f.path, f.line) for f in run.findings}
    for carrier in repository.carriers:
        for mistake in carrier.mistakes:
            if (carrier.path, mistake.line) in lines:
                counts.mistakes += 1
            else:
                counts.missed_mistakes.append((carrier, mistake))
    for finding in run.findings:
        judged = verdict(judgements, repository, finding)
        counts.verdicts[finding.severity, judged] += 1
        if finding.fatal and judged == "false":
            counts.false_fatal.append(finding)
    output: list[Finding | Reported] = [*run.findings, *run.inputs]
    counts.in_look_alikes = [e for e in output if repository.look_alike or e.path in repository.look_alikes]
