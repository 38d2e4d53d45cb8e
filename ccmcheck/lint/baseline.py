"""The findings a team has decided to live with for now: how many of each rule in each file, not where.

Counting survives edits above and below a finding, which line numbers do not. The price is that a fixed finding makes
room for a new one of the same rule in the same file until the baseline is written again; what is left over is reported
as stale so that this does happen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from ccmcheck.base.errors import BadConfiguration, InputError
from ccmcheck.base.escape import printable
from ccmcheck.base.model import Finding
from ccmcheck.base.open_input import NotInRevision, read_input
from ccmcheck.base.records import NamedTuple

VERSION = 1

_REWRITE = "Write it again with --write-baseline, or fix it by hand: it holds a number for each rule of each file."


class Stale(NamedTuple):
    """A count of the baseline that is higher than what was found.

    Attributes:
        path: The file, as the baseline names it.
        rule: The rule.
        recorded: How many findings the baseline absorbs.
        found: How many there are.
    """

    path: str
    rule: str
    recorded: int
    found: int


class Filtered(NamedTuple):
    """What a baseline leaves of some findings.

    Attributes:
        new: The findings beyond the recorded counts, in their order.
        baselined: How many were absorbed.
        stale: Counts that are too high, by path and rule.
    """

    new: list[Finding]
    baselined: int
    stale: list[Stale]


class Baseline:
    """Counts of findings by file and rule.

    Args:
        counts: From a path, relative to ``root`` and with forward slashes, to the counts by rule.
        root: The folder that the paths start from, absolute: the baseline's own.
    """

    def __init__(self, counts: Mapping[str, Mapping[str, int]], root: str) -> None:
        self.counts = counts
        self.root = root

    def is_about(self, paths: Iterable[str]) -> bool:
        """Whether anything is recorded that files may be compared with."""
        del paths
        return bool(self.counts)

    def filter(self, findings: Iterable[Finding], linted: Iterable[str] | None = None) -> Filtered:
        """Take away what is recorded.

        Args:
            findings: Sorted by their place within each file: the last ones are the new ones.
            linted: The files of this run as the user named them; only they can have stale counts. None for all files of
                the baseline.

        Returns:
            What is left, and what of the baseline is not needed any more.
        """
        names = _Names(self.root)
        found: dict[tuple[str, str], int] = {}
        new: list[Finding] = []
        baselined = 0
        for finding in findings:
            key = (names[finding.place.path], finding.rule)
            found[key] = found.get(key, 0) + 1
            if found[key] <= self.counts.get(key[0], {}).get(key[1], 0):
                baselined += 1
            else:
                new.append(finding)
        seen = None if linted is None else {names[path] for path in linted}
        stale = [
            Stale(path, rule, recorded, found.get((path, rule), 0))
            for path, rules in sorted(self.counts.items())
            if seen is None or path in seen
            for rule, recorded in sorted(rules.items())
            if recorded > found.get((path, rule), 0)
        ]
        return Filtered(new, baselined, stale)


class Baselines:
    """The baseline of each file, where they depend on the file.

    Args:
        baseline_of: Gives a file's baseline; None where it has none. The same object for the same baseline.
    """

    def __init__(self, baseline_of: Callable[[str], Baseline | None]) -> None:
        self._of = baseline_of

    def is_about(self, paths: Iterable[str]) -> bool:
        """Whether any of some files has a baseline."""
        return any(self._of(path) is not None for path in paths)

    def filter(self, findings: Iterable[Finding], linted: Iterable[str] | None = None) -> Filtered:
        """Take away what is recorded; see `Baseline.filter`."""
        baseline_of = cache(self._of)
        baselines: dict[int, Baseline] = {}
        theirs: dict[int, tuple[list[Finding], list[str]]] = {}
        new: list[Finding] = []

        def add(path: str, finding: Finding | None) -> None:
            baseline = baseline_of(path)
            if baseline is None:
                new.extend([finding] if finding is not None else [])
                return
            baselines[id(baseline)] = baseline
            found_findings, paths = theirs.setdefault(id(baseline), ([], []))
            if finding is not None:
                found_findings.append(finding)
            else:
                paths.append(path)

        for finding in findings:
            add(finding.place.path, finding)
        for path in linted or ():
            add(path, None)
        results = [baselines[key].filter(*theirs[key]) for key in theirs]
        return Filtered(
            [*new, *(finding for result in results for finding in result.new)],
            sum(result.baselined for result in results),
            [stale for result in results for stale in result.stale],
        )


def load(path: str, data: bytes | None = None) -> Baseline:
    """Read a baseline.

    Args:
        path: The file.
        data: Its bytes, where they come from elsewhere, such as a revision.

    Returns:
        Its counts.

    Raises:
        BadConfiguration: It does not exist, or is not a baseline.
    """
    import json

    try:
        document: object = json.loads((data if data is not None else read_input(path, pipe=True)).decode())
    except NotInRevision as error:
        raise BadConfiguration(f"There is no baseline {printable(path)}: {error.strerror}.") from None
    except FileNotFoundError:
        raise BadConfiguration(
            f"There is no baseline {printable(path)}.", "Check its name, or write it first."
        ) from None
    except InputError as error:
        raise BadConfiguration(f"The baseline {printable(path)} cannot be read: {error.message}.") from None
    except OSError as error:
        raise BadConfiguration(f"The baseline {printable(path)} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise BadConfiguration(f"The baseline {printable(path)} is not JSON.", _REWRITE) from None
    if not isinstance(document, dict) or not isinstance(document.get("version"), int):
        raise BadConfiguration(f"{printable(path)} is not a baseline: it has no version.", _REWRITE)
    if document["version"] != VERSION:
        message = (
            f"The baseline {printable(path)} has version {document['version']}; this ccmcheck reads version {VERSION}."
        )
        raise BadConfiguration(message, "Write it again with this ccmcheck: --write-baseline.")
    files: object = document.get("files")
    if not isinstance(files, dict):
        raise BadConfiguration(f'The baseline {printable(path)} has no "files".', _REWRITE)
    counts = {name: _counts(path, name, rules) for name, rules in files.items()}
    return Baseline(counts, _folder(path))


def write(path: str, findings: Iterable[Finding]) -> Baseline:
    """Record findings, beside the file first, then renamed, so that no process reads half a baseline.

    Args:
        path: The file; what it held is replaced.
        findings: All findings of a run, before any baseline.

    Returns:
        What was written.

    Raises:
        BadConfiguration: It cannot be written.
    """
    import json

    root = _folder(path)
    names = _Names(root)
    from ccmcheck.base.atomic_write import SHARED, replace

    counts: dict[str, dict[str, int]] = {}
    for finding in findings:
        rules = counts.setdefault(names[finding.place.path], {})
        rules[finding.rule] = rules.get(finding.rule, 0) + 1
    files = {name: dict(sorted(rules.items())) for name, rules in sorted(counts.items())}
    text = json.dumps({"version": VERSION, "files": files}, indent=2) + "\n"
    try:
        replace(path, text.encode(), mode=SHARED)
    except InputError as error:
        raise BadConfiguration(f"The baseline {printable(error.message)}.", error.hint) from None
    return Baseline(counts, root)


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def _counts(path: str, name: str, rules: object) -> dict[str, int]:
    if not isinstance(rules, dict):
        raise BadConfiguration(f'The baseline {printable(path)} has no rules for "{printable(name)}".', _REWRITE)
    counts: dict[str, int] = {}
    for rule, count in rules.items():
        if type(count) is not int or count < 1:
            raise BadConfiguration(
                f'The baseline {printable(path)} has no number for "{printable(rule)}" in "{printable(name)}".',
                _REWRITE,
            )
        counts[rule] = count
    return counts


class _Names(dict[str, str]):
    """From paths as users name them to the baseline's: relative to its folder, so that it can be used from anywhere."""

    def __init__(self, root: str) -> None:
        super().__init__()
        self._root = root

    def __missing__(self, path: str) -> str:
        name = os.path.relpath(path, self._root).replace(os.sep, "/")
        self[path] = name
        return name
