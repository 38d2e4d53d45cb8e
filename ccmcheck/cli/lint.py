"""``ccmcheck lint``: options to one typed object, the run, the reports, the exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.command import FILES, OUTPUT, RULES, Command, option, options
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CONFIG_FROM,
    CONSUMER,
    FAIL_ON,
    IGNORE,
    JOBS,
    KUBERNETES_VERSION,
    NODES,
    OCTAVIA_RELEASE,
    QUIET,
    RELEASE,
    REQUIRE,
    SELECT,
    VERBOSE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
    profile_option,
)
from ccmcheck.cli.output import Destination, Outputs, resolve_outputs
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import base_revision, names, or_current_folder, profiles_of_run, resolve_inputs
from ccmcheck.cli.run_options import ConfiguredOptions, run_options
from ccmcheck.report import REPORTERS, reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from ccmcheck.base.result import LintResult
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.cli.run_options import Live
    from ccmcheck.lint.baseline import Baseline
    from ccmcheck.lint.run_options import RunOptions
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config

    Progress: TypeAlias = Callable[[int, int], None]

FOUND, UNREADABLE = 1, 3
MOST_AS_TEXT = 50
"""Findings of a rule in a file that people read, without ``--max-findings``."""
FOR_PEOPLE = frozenset({"text", "markdown"})
"""Formats that are shortened where nothing else is asked for."""
TELLS_ALL = frozenset({"json", "ndjson"})
"""Formats that say which rules stayed quiet, also without ``-v``."""
SUMMED_UP_APART = frozenset({"checkstyle", "github", "gitlab", "junit", "openreports", "prometheus", "sarif"})
"""Formats for other programs without a place for the summary, which goes to standard error."""
OF_CODE_HOSTS = frozenset({"github", "gitlab", "markdown", "sarif"})
"""Formats whose paths are relative to the repository's root."""
HAVE_HEADER = frozenset({"text", "markdown", "json", "ndjson"})
"""Formats that say which cluster they are about; with the others, standard error does."""
DESCRIBING = frozenset({"sarif"})
"""Formats that describe the rules; the others are spared loading their pages."""

SUPPRESSIONS = (
    option(
        "--baseline",
        section=RULES,
        metavar="FILE",
        shell_complete=complete_files,
        help="Do not report the findings that this file counts.",
    ),
    option(
        "--write-baseline", section=RULES, metavar="FILE", help="Count all findings into this file and exit with 0."
    ),
    option("--no-suppress", section=RULES, is_flag=True, help="Also report what comments and annotations suppress."),
)
"""The options that leave findings out."""
MAX_FINDINGS = option(
    "--max-findings",
    section=OUTPUT,
    type=click.IntRange(0),
    metavar="N",
    help=f"Show at most N findings of a rule in a file; 0 shows all. Default: {MOST_AS_TEXT} as text and Markdown, "
    "else all. Not for junit, gitlab and checkstyle, which hold all.",
)


@click.command(
    "lint",
    cls=Command,
    short_help="Report what is wrong in every cloud.conf below PATH, and where.",
    examples=(
        ("ccmcheck lint", "Everything below the current folder"),
        ("ccmcheck lint --release 1.31 secret.yaml", "One file, as CCM 1.31 reads it"),
        ("ccmcheck lint --diff-base main --format sarif -o ccmcheck.sarif", "What a branch changed, as SARIF"),
    ),
    retired={
        "--fix": "Write ccmcheck fix to see the changes, ccmcheck fix --write to make them.",
        "--only": "Write --select.",
    },
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(
    SELECT,
    IGNORE,
    *SUPPRESSIONS,
    RELEASE,
    CONSUMER,
    KUBERNETES_VERSION,
    OCTAVIA_RELEASE,
    NODES,
    profile_option("Judge by this profile; repeatable.", load=False),
    option(
        "--diff-base",
        section=FILES,
        default="",
        metavar="REV",
        help="Only files that changed since the merge base with REV.",
    ),
    CONFIG_FROM,
    REQUIRE,
)
@input_options
@options(
    FAIL_ON,
    MAX_FINDINGS,
    JOBS,
    QUIET,
    VERBOSE,
)
@output_options(REPORTERS, "text, on GitHub Actions github")
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what LintArguments declares
    """Report what is wrong in every cloud.conf below PATH, and where.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. Services of type
    LoadBalancer are checked, too. With -v also the rules that lack an input.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use or fewer cloud.confs than
    --require, 3 a file could not be read.
    """
    return lint(LintArguments(**values))


class LintArguments(NamedTuple):
    """The arguments of ``lint``; see the options above."""

    paths: tuple[str, ...]
    inputs: InputArguments
    outputs: OutputArguments
    releases: tuple[str, ...]
    consumer: str | None
    fail_on: Severity | None
    max_findings: int | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    diff_base: str
    config_from: str | None
    baseline: str | None
    write_baseline: str | None
    no_suppress: bool
    kubernetes_version: str
    octavia_release: str
    nodes: int | None
    profiles: tuple[str, ...]
    require: int
    jobs: int | None
    quiet: bool
    verbose: int


def lint(arguments: LintArguments) -> int:
    """Run, report, and return the exit code.

    Raises:
        CcmcheckError: Wrong use or a configuration that cannot be used.
    """
    paths = or_current_folder(arguments.paths)
    with base_revision(paths, arguments.config_from) as base:
        return _lint(arguments, paths, base)


def _lint(arguments: LintArguments, paths: tuple[str, ...], base: BaseRevision | None) -> int:
    from ccmcheck.lint.runner import run

    def run_paths(options: RunOptions, progress: Progress | None) -> LintResult:
        result = run(paths, options, progress)
        if not (arguments.quiet or arguments.diff_base) and _is_empty(result):
            nothing_found(result.summary.files, result.summary.left_out)
        return result

    inputs = resolve_inputs(arguments.inputs, paths, base)
    return judge(arguments, inputs, configured_options(arguments, inputs, base), run_paths)


def configured_options(
    arguments: LintArguments, inputs: Inputs, base: BaseRevision | None = None, live: Live | None = None
) -> ConfiguredOptions:
    """The options of each file.

    Args:
        arguments: What the command takes.
        inputs: The configurations.
        base: The revision of ``--config-from``.
        live: What a running cluster says about itself.
    """
    return ConfiguredOptions(
        arguments,
        inputs,
        select=names(arguments.select),
        ignore=names(arguments.ignore),
        profiles=profiles_of_run(
            arguments.profiles, base, arguments.inputs, baseline=arguments.baseline, quiet=arguments.quiet
        ),
        base=base,
        suppress=not arguments.no_suppress,
        live=live,
    )


def judge(
    arguments: LintArguments,
    inputs: Inputs,
    options_of: ConfiguredOptions,
    run: Callable[[RunOptions, Progress | None], LintResult],
) -> int:
    """Run the rules, report, and return the exit code.

    Args:
        arguments: What the command takes.
        inputs: The configurations.
        options_of: The options of each file.
        run: Finds what to lint, and lints it.

    Raises:
        CcmcheckError: Wrong use or a configuration that cannot be used.
    """
    from ccmcheck.lint.baselines import Baselines
    from ccmcheck.report.style import Style
    from ccmcheck.report.tally import summary_line

    config = inputs.run
    fail_on = arguments.fail_on or config.fail_on or Severity.WARNING
    outputs = _outputs(arguments, config)
    known: Baseline | Baselines | None = None
    if arguments.write_baseline is None:
        known = _baseline(arguments.baseline) if arguments.baseline else Baselines(options_of.baseline)
    shown = [_most_shown(arguments, form) for form in outputs.formats]
    options = run_options(arguments, inputs, options_of, diff_base=arguments.diff_base)._replace(
        jobs=arguments.jobs,
        replacements="sarif" in outputs.formats,
        tell_unjudged=bool(arguments.verbose) or not TELLS_ALL.isdisjoint(outputs.formats),
        baseline=known,
        most_shown=max(shown) if all(shown) else 0,
    )
    with console.progress(not arguments.quiet and outputs.main.format in ("text", "concise")) as bar:
        result = run(options, bar)
    if arguments.write_baseline is not None:
        from ccmcheck.lint.baseline import write

        write(arguments.write_baseline, result.findings)
        console.warn(f"{len(result.findings)} findings are counted in {arguments.write_baseline}")
        check_required(arguments.require, result.summary.cloud_confs)
        return UNREADABLE if result.failures else 0
    if result.summary.header and not arguments.quiet and outputs.main.format not in HAVE_HEADER:
        console.warn(result.summary.header)
    _report(result, outputs, arguments, fail_on)
    if not arguments.quiet and outputs.main.format in SUMMED_UP_APART:
        console.warn(summary_line(result, Style(color=False)))
    check_required(arguments.require, result.summary.cloud_confs)
    if result.failures:
        return UNREADABLE
    return FOUND if any(finding.severity >= fail_on for finding in result.findings) else 0


def _baseline(path: str) -> Baseline:
    from ccmcheck.lint.baseline import load

    return load(path)


def _is_empty(result: LintResult) -> bool:
    """Whether nothing was found that any rule is about, and nothing failed."""
    summary = result.summary
    return not (summary.cloud_confs or summary.services or result.findings or result.failures)


def _outputs(arguments: LintArguments, config: Config) -> Outputs:
    default = config.format or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")
    return resolve_outputs(
        arguments.outputs,
        REPORTERS,
        default,
        configured_files=config.output_file,
        configured_color=config.color,
    )


def _report(result: LintResult, outputs: Outputs, arguments: LintArguments, fail_on: Severity) -> None:
    from ccmcheck.report.options import ReportOptions

    if not outputs.formats.isdisjoint(DESCRIBING):
        from ccmcheck.explain.rules import rule_info

        reported = {finding.rule for finding in result.findings}
        result = result._replace(rules={name: rule_info(name) for name in reported})

    root = os.getcwd()  # noqa: PTH109 - pathlib is slow to import
    # an object of a running cluster is no file of the repository
    has_files = not result.summary.header and not outputs.formats.isdisjoint(OF_CODE_HOSTS)
    repository = ""
    if has_files:
        from ccmcheck.workspace.repository_paths import repository_top

        repository = repository_top(root)

    def report(destination: Destination) -> Iterator[str]:
        options = ReportOptions(
            color=destination.color,
            verbose=arguments.verbose,
            quiet=arguments.quiet,
            width=destination.width,
            fail_on=fail_on,
            max_findings=_most_shown(arguments, destination.format),
            root=root,
            repository=repository,
        )
        return reporter(destination.format)(options).report(result)

    outputs.write(report)
    summary = step_summary(outputs.main.format)
    if summary and not arguments.quiet:
        console.append(summary, report(Destination("markdown", summary, color=False, width=0)))


def _most_shown(arguments: LintArguments, form: str) -> int:
    """How many findings of a rule in a file a report shows; 0 for all."""
    from ccmcheck.report.limit import LIMITED_FORMATS

    if form not in LIMITED_FORMATS:
        return 0
    if arguments.max_findings is not None:
        return arguments.max_findings
    return MOST_AS_TEXT if form in FOR_PEOPLE else 0


def step_summary(name: str) -> str:
    """The file whose Markdown GitHub shows as the summary of a job's step; empty where there is none.

    Args:
        name: The format of standard output; with any but GitHub's own, the output is for something else.
    """
    if name != "github" or os.environ.get("GITHUB_ACTIONS") != "true":
        return ""
    return os.environ.get("GITHUB_STEP_SUMMARY", "")
