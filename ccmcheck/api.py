r"""The stable Python surface.

::

    from pathlib import Path
    from ccmcheck.api import Options, check_paths, check_text, fix_text, read_config

    for finding in check_paths(["clusters/"], Options(releases=("1.31",))).findings:
        print(finding.place.path, finding.place.line, finding.rule, finding.label)

    fix_text("[LoadBalancer]\nmonitor-delay = 3\n").text
    read_config(Path("cloud.conf").read_bytes(), reader="ccm@release-1.31").values

Findings, failures and summaries hold no secret. What `read_config` and `fix_text` return does: it is the file's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from ccmcheck import catalog
from ccmcheck.base.errors import CcmcheckError
from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import LintResult
from ccmcheck.conf import reading
from ccmcheck.gcfg import parse

if TYPE_CHECKING:
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings

__all__ = [
    "CcmcheckError",
    "Finding",
    "Fixed",
    "LintResult",
    "Options",
    "ReadResult",
    "ReadResultDict",
    "Severity",
    "check_paths",
    "check_text",
    "fix_text",
    "read_config",
]


class Options(NamedTuple):
    """How to lint.

    Attributes:
        releases: CCM releases, ``1.31`` or ``v1.31.2``; empty to find them near the files, else the newest.
        consumer: Who reads the files.
        select: The only rules or groups of rules to run; empty for all.
        ignore: Rules or groups of rules not to run.
        severities: Severities that replace the rules' own; None switches a rule off.
        variables: Values of template variables.
        template: True when nothing is final, False when all is; None to decide by name and content.
        exclude: Patterns of files to leave out, as in .gitignore.
        default_exclude: Whether examples and test data are left out of folders, by their names.
        diff_base: Only files that changed since the merge base with this git revision.
        kubernetes_version: The cluster's, for rules that need it.
        octavia_release: The cloud's, for rules that need it.
        nodes: The cluster's node count, for rules that need it.
        profiles: Profiles to judge by, built in or files; what they tell of the cloud yields to the three above.
        jobs: How many processes; None to decide.
    """

    releases: tuple[str, ...] = ()
    consumer: str = "ccm"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity | None] = {}
    variables: Mapping[str, str] = {}
    template: bool | None = None
    exclude: tuple[str, ...] = ()
    default_exclude: bool = True
    diff_base: str = ""
    kubernetes_version: str = ""
    octavia_release: str = ""
    nodes: int | None = None
    profiles: tuple[str, ...] = ()
    jobs: int | None = None


_DEFAULTS = Options()


class Fixed(NamedTuple):
    """A text after its fixes. It holds the secrets of the text.

    Attributes:
        text: The text; the same where nothing changed.
        done: Rule and title of each fix made, in order.
        dropped: Rule, title and reason of each that could not be made.
    """

    text: str
    done: tuple[tuple[str, str], ...]
    dropped: tuple[tuple[str, str, str], ...]

    def __repr__(self) -> str:
        return f"<Fixed: {len(self.done)} done, {len(self.dropped)} dropped>"


def check_paths(paths: Sequence[str], options: Options = _DEFAULTS) -> LintResult:
    """Lint files and folders; no configuration file is read.

    Args:
        paths: Files, folders, patterns.
        options: How.

    Returns:
        Findings, files that could not be read, counts.

    Raises:
        WrongUse: A release, a rule or a revision that does not exist.
    """
    from ccmcheck.lint.run_options import RunOptions
    from ccmcheck.lint.runner import run
    from ccmcheck.workspace.discover import DiscoverOptions

    discover = DiscoverOptions(
        exclude=options.exclude, default_exclude=options.default_exclude, diff_base=options.diff_base
    )
    settings, run_context = _settings(options)
    settings = settings._replace(find=settings.find._replace(named=paths))
    return run(paths, RunOptions(settings=settings, discover=discover, run_context=run_context, jobs=options.jobs))


def check_text(text: str, path: str = "cloud.conf", options: Options = _DEFAULTS) -> list[Finding]:
    """Lint one text.

    Args:
        text: A cloud.conf, or a manifest that carries one.
        path: Its name, from which its kind is detected. Where it is a file in a chart, the chart's templates decide
            how its values are read.
        options: How.

    Raises:
        WrongUse: A release or a rule that does not exist.
        InputError: The text cannot be read.
    """
    found = _linter(options).examine(path, text, explicit=True)
    return [complaint.finding for complaint in found.problems]


def fix_text(text: str, path: str = "cloud.conf", options: Options = _DEFAULTS, *, unsafe: bool = False) -> Fixed:
    """Make the fixes of one text.

    Args:
        text: A cloud.conf, or a manifest that carries one.
        path: What it is called, as for `check_text`.
        options: How; ``select`` and ``ignore`` name the rules whose fixes are made.
        unsafe: Whether to make the fixes that change what the CCM does, too.

    Raises:
        WrongUse: A release or a rule that does not exist.
        InputError: The text cannot be read.
    """
    from ccmcheck.fix.passes import fix_text as fix

    result = fix(path, text, _linter(options), unsafe=unsafe)
    return Fixed(
        result.after,
        tuple((outcome.rule, outcome.title) for outcome in result.done),
        tuple((outcome.rule, outcome.title, outcome.reason) for outcome in result.dropped),
    )


def _linter(options: Options) -> Linter:
    from ccmcheck.lint.engine import Linter

    return Linter(*_settings(options))


def _settings(options: Options) -> tuple[Settings, RunContext]:
    from ccmcheck.base.cluster_facts import ClusterFacts, merge
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.carriers.collector import FindOptions
    from ccmcheck.conf.target_release import NEWEST, TargetRelease
    from ccmcheck.lint.selection import severities
    from ccmcheck.lint.settings import Settings
    from ccmcheck.policy.profiles.standards import NO_STANDARDS
    from ccmcheck.workspace.chart_templates import ChartTemplates

    judged = tuple(
        TargetRelease(options.consumer, catalog.release(name, options.consumer), "the options")
        for name in options.releases
    )
    if not judged and options.consumer != "ccm":
        judged = (TargetRelease(options.consumer, catalog.newest(options.consumer), NEWEST),)
    if options.variables:
        from ccmcheck.redact.run_secrets import hide_variables

        hide_variables(options.variables)
    settings = Settings(
        judged=judged,
        severities=severities(options.select, options.ignore, options.severities),
        find=FindOptions(variables=options.variables, template=options.template, chart_templates=ChartTemplates()),
    )
    standards = NO_STANDARDS
    if options.profiles:
        from ccmcheck.policy.profiles.loading import load_all

        standards = load_all(options.profiles)
    facts = ClusterFacts(
        octavia_release=options.octavia_release, kubernetes_version=options.kubernetes_version, nodes=options.nodes
    )
    return settings, RunContext(requirements=standards.requirements, facts=merge(facts, standards.facts))


class ReadResultDict(TypedDict):
    """A `ReadResult` as plain data."""

    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]


class ReadResult(NamedTuple):
    """What a consumer of cloud.conf gets out of a file. It holds the secrets of the file.

    Attributes:
        outcome: ``ok``, or ``fatal`` where the reader ends with an error.
        error: The reader's words when fatal.
        values: What the file sets, by section and key; empty when fatal.
        ignored: The names in the file that go nowhere: ``section``, ``subsection``, ``key``; empty when fatal.
    """

    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]

    def as_dict(self) -> ReadResultDict:
        """The same as plain data, for JSON."""
        return {"outcome": self.outcome, "error": self.error, "values": self.values, "ignored": self.ignored}

    def __repr__(self) -> str:
        return f"<ReadResult {self.outcome}>"  # the values may be secrets


def read_config(data: bytes, reader: str = "ccm@master") -> ReadResult:
    """Read a cloud.conf exactly as one of its consumers does.

    Args:
        data: The file.
        reader: Who reads it: a consumer and a release, such as ``ccm@release-1.31``, ``ccm@v1.31.2``,
            ``cinder-csi-plugin@master``; a consumer alone is its newest release.

    Returns:
        Outcome, error, values, ignored names.

    Raises:
        WrongUse: There is no such reader.
    """
    consumer, release = catalog.reader(reader)
    document = parse(data.decode("utf-8", "surrogateescape"))
    found = reading.read(document, catalog.schema(release, consumer))
    return ReadResult(found.outcome, found.error, found.values, found.ignored)
