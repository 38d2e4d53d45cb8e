r"""The stable Python surface.

::

    from pathlib import Path
    from ccmcheck.api import LintOptions, check_paths, check_text, fix_text, predict, read_config

    for finding in check_paths(["clusters/"], LintOptions(releases=("1.31",))).findings:
        print(finding.place.path, finding.place.line, finding.rule, finding.label)

    fix_text("[LoadBalancer]\nmonitor-delay = 3\n").text
    read_config(Path("cloud.conf").read_bytes(), reader="ccm@release-1.31").values
    predict({"cloud.conf": "[Global]\n...", "web.yaml": "kind: Service\n..."}, nodes=3).data["services"]

Findings, failures, summaries and reports hold no secret. What `read_config`, `fix_text`, `set_text` and `render` return
does: it is the file's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from ccmcheck import catalog
from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse
from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import LintResult
from ccmcheck.conf.reading import read_bytes

if TYPE_CHECKING:
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.catalog import KeySpec
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings

__all__ = [
    "CcmcheckError", "CommandReport", "Finding", "Fixed", "InputError", "LintOptions", "LintResult",
    "ReadResult", "ReadResultDict", "Severity", "WrongUse", "check_paths", "check_text", "explain", "fix_text",
    "inventory", "key", "keys", "predict", "profiles", "read_config", "releases", "render", "review",
    "set_text", "show", "upgrade",
]  # fmt: skip


Files: TypeAlias = Sequence[str] | Mapping[str, str]
"""Files and folders, or texts by what to call them, which are judged as the files of one checkout."""


class LintOptions(NamedTuple):
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


_DEFAULTS = LintOptions()


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


def check_paths(paths: Sequence[str], options: LintOptions = _DEFAULTS) -> LintResult:
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


def check_text(text: str, path: str = "cloud.conf", options: LintOptions = _DEFAULTS) -> list[Finding]:
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
    return [problem.finding for problem in _linter(options).examine(path, text, explicit=True).problems]


def fix_text(text: str, path: str = "cloud.conf", options: LintOptions = _DEFAULTS, *, unsafe: bool = False) -> Fixed:
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


def _linter(options: LintOptions) -> Linter:
    from ccmcheck.lint.engine import Linter

    return Linter(*_settings(options))


def _settings(options: LintOptions) -> tuple[Settings, RunContext]:
    from ccmcheck.base.cluster_facts import ClusterFacts, merge
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.conf.target_release import NEWEST, TargetRelease
    from ccmcheck.lint.selection import severities
    from ccmcheck.lint.settings import Settings, find_options
    from ccmcheck.policy.profiles.standards import NO_STANDARDS

    judged = tuple(
        TargetRelease(options.consumer, catalog.release(name, options.consumer), "the options")
        for name in options.releases
    )
    if not judged and options.consumer != "ccm":
        judged = (TargetRelease(options.consumer, catalog.newest(options.consumer), NEWEST),)
    settings = Settings(
        judged=judged,
        severities=severities(options.select, options.ignore, options.severities),
        find=find_options(options.variables, options.template),
    )
    standards = NO_STANDARDS
    if options.profiles:
        from ccmcheck.policy.profiles.loading import load_all

        standards = load_all(options.profiles)
    facts = ClusterFacts(
        octavia_release=options.octavia_release, kubernetes_version=options.kubernetes_version, nodes=options.nodes
    )
    return settings, RunContext(requirements=standards.requirements, facts=merge(facts, standards.facts))


class CommandReport(NamedTuple):
    """What a command reports. It holds no secret.

    Attributes:
        data: What the command prints with ``--format json``.
        notes: What it says beside it on standard error.
        found: Whether something fails the command, which ends with 1 then.
        partial: Whether something could not be read; the notes name it.
    """

    data: Mapping[str, Any]
    notes: tuple[str, ...]
    found: bool
    partial: bool


def predict(files: Files, **options: object) -> CommandReport:
    """Predict what the CCM requests from Octavia for each Service, and whether traffic works.

    Args:
        files: Manifests and a cloud.conf.
        options: Those of ``ccmcheck predict``: ``nodes=3``, ``release="1.31"``, ``octavia_release="2024.1"``. No
            configuration file is read without ``config``.

    Raises:
        WrongUse: An option or a name that does not exist.
        InputError: A file that cannot be read.
    """
    return _report("predict", (files,), options)


def review(before: Files, after: Files, **options: object) -> CommandReport:
    """Compare two states of the files: what the change does to running Services.

    Args:
        before: One file or folder, or texts.
        after: The same after the change.
        options: Those of ``ccmcheck review``; see `predict`.

    Raises:
        WrongUse: An option or a name that does not exist.
        InputError: A file that cannot be read.
    """
    return _report("review", (before, after), options)


def upgrade(files: Files, **options: object) -> CommandReport:
    """Report what changes for files when the CCM is upgraded.

    Args:
        files: A cloud.conf, and what lies around it.
        options: Those of ``ccmcheck upgrade``: ``from_="1.25"``, ``to="1.36"``; see `predict`.

    Raises:
        WrongUse: An option or a name that does not exist.
        InputError: A file that cannot be read.
    """
    return _report("upgrade", (files,), options)


def inventory(files: Files, **options: object) -> CommandReport:
    """List each cloud.conf that is found, its reader, its release and its Services; see `predict`."""
    return _report("list", (files,), options)


def show(files: Files, **options: object) -> CommandReport:
    """The effective configuration of each cloud.conf at a release; see `predict`."""
    return _report("show", (files,), options)


def _report(command: str, sides: tuple[Files, ...], options: Mapping[str, object]) -> CommandReport:
    from ccmcheck.cli.calling import call

    texts = [files for files in sides if isinstance(files, Mapping)]
    if texts and len(texts) < len(sides):
        raise WrongUse("One side is files and the other texts.", "Give both as paths, or both as texts by their names.")
    if not all(sides):
        raise InputError("there are no files", "Name some, or give texts by their names.")
    paths = () if len(texts) > 1 else tuple(path for files in sides for path in files)
    called = call(command, paths, texts, options if "config" in options else {"no_config": True, **options})
    return CommandReport(called.data, called.notes, called.code == 1, called.code == 3)


def explain(name: str) -> list[dict[str, object]]:
    """The pages about a rule, key, section, annotation, profile or row of the matrix, as ``ccmcheck explain`` has them.

    Args:
        name: Such as ``duration-bad``, ``LoadBalancer.monitor-delay``, ``profile:scs``, ``M13``.

    Raises:
        WrongUse: There is nothing of that name.
    """
    from ccmcheck.explain.lookup import explain as look_up
    from ccmcheck.explain.page import as_data

    return [as_data(page) for page in look_up(name)]


def profiles() -> list[dict[str, object]]:
    """The built-in profiles, with their requirements and facts."""
    from ccmcheck.explain.profiles import as_data
    from ccmcheck.policy.profiles.loading import load
    from ccmcheck.policy.profiles.standards import BUILT_IN

    return [as_data(load(name)) for name in BUILT_IN]


def releases() -> list[str]:
    """The minor releases of the CCM that are known, the oldest first."""
    from ccmcheck.catalog.data.releases import BRANCHES

    return [catalog.release(name.removeprefix("release-")).name for name in BRANCHES if name != "master"]


def keys(reader: str = "ccm@master") -> list[KeySpec]:
    """The keys that a reader knows: ``section``, ``name``, ``type``, ``default``, ``secret`` of each.

    Args:
        reader: As for `read_config`.

    Raises:
        WrongUse: There is no such reader.
    """
    consumer, release = catalog.reader(reader)
    return [key for section in catalog.schema(release, consumer).sections for key in section.keys]


def key(name: str, reader: str = "ccm@master") -> KeySpec | None:
    """One key that a reader knows; None where it knows none of that name.

    Args:
        name: ``LoadBalancer.monitor-delay``, or ``monitor-delay``.
        reader: As for `read_config`.

    Raises:
        WrongUse: There is no such reader.
    """
    section, _, plain = name.rpartition(".")
    named = [spec for spec in keys(reader) if spec.name == plain and (not section or spec.section == section)]
    return named[0] if named else None


def set_text(
    text: str, *assignments: str, unset: Sequence[str] = (), path: str = "cloud.conf", reader: str = "ccm@master"
) -> str:
    """Set keys in a text, losing nothing around them; what it returns holds the secrets of the text.

    Args:
        text: A cloud.conf, or a manifest that carries some; each gets the change.
        assignments: ``create-monitor=true``, ``LoadBalancer.lb-method=ROUND_ROBIN``.
        unset: Keys to remove.
        path: What it is called, as for `check_text`.
        reader: Who reads it, as for `read_config`: a value that it does not accept is refused.

    Raises:
        WrongUse: A key or a value that does not exist, or there is no cloud.conf.
        CcmcheckError: The text cannot be changed in that place.
    """
    from ccmcheck.carriers import FindOptions, find
    from ccmcheck.conf.assignments import assignment
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.fix.settings import assign

    consumer, release = catalog.reader(reader)
    schema = catalog.schema(release, consumer)
    wanted = [assignment(one, schema) for one in assignments] + [assignment(one, schema, unset=True) for one in unset]
    options = FindOptions(explicit=True)
    target = TargetRelease(consumer, release, "the reader")
    after, _ = assign(path, text, [(target, wanted)] * len(find(path, text, options).carried), options)
    return after


def render(
    template: str, *settings: str, release: str = "", profile: str | None = None, cloud_config: str | None = None
) -> str:
    """Write a new cloud.conf, or an object that carries one; what it returns holds the secrets of its sources.

    Args:
        template: ``cloud.conf``, ``secret``, ``helm-values`` and so on; see ``ccmcheck render --help``.
        settings: ``[SECTION.]KEY=VALUE``, over all others.
        release: The CCM's; the newest where it is empty.
        profile: Whose requirements are set.
        cloud_config: A file with a cloud.conf that it starts from.

    Raises:
        WrongUse: A template, a profile or a key that does not exist.
        InputError: The file cannot be read.
    """
    from ccmcheck.render import RenderRequest
    from ccmcheck.render import render as rendered

    source = (None, None, None, cloud_config, None)
    return rendered(
        RenderRequest(template, release, *source, settings, profile, None, None, {}, None, enforce=False)
    ).text


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
    found_reading = read_bytes(data, catalog.schema(release, consumer))
    return ReadResult(found_reading.outcome, found_reading.error, found_reading.values, found_reading.ignored)
