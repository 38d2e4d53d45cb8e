"""``ccmcheck lint``: options to one typed object, the run, the reports, the exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.options import MAX_FINDINGS, MOST_AS_TEXT, SUPPRESSIONS, Given
from ccmcheck.cli.output import Destination, Outputs, resolve_outputs
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import names, profiles_of_run
from ccmcheck.cli.run_options import ConfiguredOptions, run_options
from ccmcheck.cli.running import FOUND, UNREADABLE, Run, declared
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

__all__ = [
    "FOUND",
    "MAX_FINDINGS",
    "MOST_AS_TEXT",
    "SUPPRESSIONS",
    "UNREADABLE",
    "LintArguments",
    "configured_options",
    "judge",
]

LintArguments = Given
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


@declared(
    "lint",
    "paths select ignore baseline write_baseline no_suppress releases consumer kubernetes_version octavia_release "
    "nodes profiles diff_base config_from require INPUTS fail_on max_findings jobs quiet verbose OUTPUTS",
    formats=REPORTERS,
    says={"profiles": "Judge by this profile; repeatable.", "formats": "text, on GitHub Actions github"},
    examples=(
        ("ccmcheck lint", "Everything below the current folder"),
        ("ccmcheck lint --release 1.31 secret.yaml", "One file, as CCM 1.31 reads it"),
        ("ccmcheck lint --diff-base main --format sarif -o ccmcheck.sarif", "What a branch changed, as SARIF"),
    ),
)
def command(run: Run) -> int:
    """Report what is wrong in every cloud.conf below PATH, and where.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. Services of type
    LoadBalancer are checked, too. With -v also the rules that lack an input.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use or fewer cloud.confs than
    --require, 3 a file could not be read.
    """
    from ccmcheck.lint.runner import run as lint

    given, paths = run.given, run.paths

    def run_paths(options: RunOptions, progress: Progress | None) -> LintResult:
        result = lint(paths, options, progress)
        if not (given.quiet or given.diff_base) and _is_empty(result):
            nothing_found(result.summary.files, result.summary.left_out)
        return result

    return judge(given.but(paths=paths), run.inputs, configured_options(given, run.inputs, run.base), run_paths)


def configured_options(
    arguments: Given, inputs: Inputs, base: BaseRevision | None = None, live: Live | None = None
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
    arguments: Given,
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


def _outputs(arguments: Given, config: Config) -> Outputs:
    default = config.format or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")
    return resolve_outputs(
        arguments.outputs,
        REPORTERS,
        default,
        configured_files=config.output_file,
        configured_color=config.color,
    )


def _report(result: LintResult, outputs: Outputs, arguments: Given, fail_on: Severity) -> None:
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


def _most_shown(arguments: Given, form: str) -> int:
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
