"""What the linter finds in one file, with what each finding is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.model import Finding, Place, Problem, Severity
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.base.result import Failure
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.reading import Reading
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.gcfg import Document
    from ccmcheck.lint.locate import Locator
    from ccmcheck.redact.masker import Masker


class Hit(NamedTuple):
    """The releases at which a problem occurs, and whose they are, where not the CCM's."""

    severity: Severity
    releases: tuple[str, ...]
    fatal: bool
    reader: str = ""


class LocatedProblem:
    """One problem of one cloud.conf, and the finding made of it.

    Args:
        number: Which subject of the examination, from 0; -1 for the file itself.
        rule: The rule's name.
        problem: What the rule yielded; its texts are not masked.
        locator: Makes the finding; most fixes are made and none of them shown, so that is done when it is asked for.
        hit: Its severity, the releases it occurs at, and whether a reader stops there.
        releases: The releases it is about, where several were judged and not all agree.
    """

    __slots__ = (
        "_by_hand", "_finding", "_locator", "_place", "fatal", "number", "problem", "reader", "releases", "rule",
        "severity",
    )  # fmt: skip

    def __init__(
        self, number: int, rule: str, problem: Problem, locator: Locator, hit: Hit, releases: tuple[str, ...]
    ) -> None:
        self.number = number
        self.rule = rule
        self.problem = problem
        self.releases = releases
        self.fatal = hit.fatal
        self.reader = hit.reader
        self.severity = hit.severity
        self._locator = locator
        self._finding: Finding | None = None
        self._place: Place | None = None
        self._by_hand: str | None = None

    @property
    def finding(self) -> Finding:
        """What may be shown."""
        found = self._finding
        if found is None:
            found = self._finding = self._locator.with_texts(self.counted, self.problem)
            if self.by_hand:
                advice = found.help or f"Fix: {found.fix_title}."
                found = found._replace(help=f"{advice} Change it by hand: {self.by_hand}.", fix_title="")
                self._finding = found
        return found

    @property
    def is_fixable(self) -> bool:
        """Whether it has a fix that may be made: one for a cloud.conf or object, right at every release judged."""
        return self.problem.fix is not None and self.number >= 0 and not self.releases

    @property
    def by_hand(self) -> str:
        """Why its fix must be made by hand, see `Stack.by_hand`; empty where it need not, or has none."""
        fix, stack = self.problem.fix, self._locator.carried.stack
        if fix is None or not stack.layers or not self.is_fixable:
            return ""
        if self._by_hand is None:
            self._by_hand = stack.by_hand(fix.edits)
        return self._by_hand

    @property
    def counted(self) -> Finding:
        """What is counted where it is not shown: the finding without its texts."""
        fix = self.problem.fix
        able = fix.applicability if fix is not None and self.is_fixable and not self.by_hand else None
        texts = ("", "", "", "", None, able, "", self.releases, (), (), self.reader, (), ())
        return Finding(self.rule, self.severity, self.fatal, self.place, *texts)

    @property
    def masker(self) -> Masker:
        """Masks what the text it is about holds."""
        return self._locator.masker

    @property
    def place(self) -> Place:
        """Where it is; the same as the finding's, without the rest of it."""
        found = self._place
        if found is None:
            found = self._place = self._locator.place(self.problem.span)
        return found

    @property
    def fix_title(self) -> str:
        """What its fix does, masked; the same as the finding's, without looking for secrets where none can be."""
        from ccmcheck.redact.masker import quotes_no_secret  # nothing of it is needed without a finding

        title = self.problem.fix.title if self.problem.fix is not None else ""
        return title if quotes_no_secret(title) else self._locator.masker.scrub(title)


class Read(NamedTuple):
    """What was read in one cloud.conf.

    Attributes:
        document: Its text, parsed.
        readings: What each target release reads in it.
        judged: The target releases.
    """

    document: Document
    readings: tuple[Reading, ...]
    judged: tuple[TargetRelease, ...] = ()


class FileAnalysis(NamedTuple):
    """The analysis of one file.

    Attributes:
        carried: Its cloud.confs.
        subjects: The subjects of the problems, by their numbers: the cloud.confs, then objects.
        failures: Parts of it that could not be read.
        problems: What is wrong, without what is suppressed.
        suppressed: How many were suppressed.
        judged: The releases, with where they come from.
        read: What was read in each cloud.conf.
        not_taken: The texts that look like a cloud.conf and are none, see `ccmcheck.carriers.FileContents`.
    """

    carried: tuple[CarriedConf, ...] = ()
    subjects: tuple[CarriedConf, ...] = ()
    failures: tuple[Failure, ...] = ()
    problems: tuple[LocatedProblem, ...] = ()
    suppressed: int = 0
    judged: tuple[TargetRelease, ...] = ()
    read: tuple[Read, ...] = ()
    not_taken: tuple[CarriedConf, ...] = ()


class FileResult(NamedTuple):
    """What one file gave.

    Attributes:
        path: The file as the user named it.
        findings: In the order of their places.
        failures: Parts of it that could not be read.
        carriers: The carrier of each cloud.conf in it.
        with_findings: How many of them have a finding.
        suppressed: How many findings were suppressed.
        judged: The releases, with where they come from.
        notes: Why texts that look like a cloud.conf are not taken for one, and what depends on files that are not
            known, a sentence each.
        is_build: Whether it is a kustomization with the files that it is built from.
        unlisted: How many findings are not listed, because it is an unchanged copy of an upstream manifest.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    carriers: tuple[str, ...] = ()
    with_findings: int = 0
    suppressed: int = 0
    judged: tuple[TargetRelease, ...] = ()
    notes: tuple[str, ...] = ()
    is_build: bool = False
    unlisted: int = 0


class FileVerdict(NamedTuple):
    """The result of one file.

    Attributes:
        result: It.
        code: By what it is found again; 0 where it is not kept.
        record: What is to be kept of it; None where that is known.
    """

    result: FileResult
    code: int = 0
    record: dict[str, Any] | None = None
