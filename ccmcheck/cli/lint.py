"""``ccmcheck lint``: options to one typed object, the run, the reports, the exit code."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.boundary import is_within, work_tree
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.cli import console
from ccmcheck.cli.options import Given
from ccmcheck.cli.output import Destination, Outputs, resolve_outputs
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import CommandInputs
from ccmcheck.cli.run_options import ConfiguredOptions, run_options
from ccmcheck.cli.running import FOUND, UNREADABLE, CommandRun, declared
from ccmcheck.report import REPORTERS, reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ccmcheck.base.result import ClusterCheck, LintResult
    from ccmcheck.lint.baseline import Baseline
    from ccmcheck.lint.kept_results import KeptResults
    from ccmcheck.lint.run_options import RunOptions
    from ccmcheck.report.base import Reporter
    from ccmcheck.workspace.config import Config

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["FOUND", "UNREADABLE", "judge"]

_NOT_CI = ("", "0", "false")


@declared(
    "lint",
    "paths select ignore baseline write_baseline no_suppress releases consumer kubernetes_version octavia_release "
    "nodes profiles os_cloud diff_base config_from deployments require INPUTS fail_on max_findings statistics jobs "
    "cache_dir no_cache clear_cache quiet verbose OUTPUTS",
    formats=REPORTERS,
    says={"profiles": "Judge by this profile; repeatable.", "formats": "text, on GitHub Actions github"},
)
def command(run: CommandRun) -> int:
    """Report what is wrong in every cloud.conf below PATH, and where.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. Services of type
    LoadBalancer are checked, too. With -v also the rules that lack an input. --os-cloud adds what `cluster preflight`
    asks OpenStack; what does not pass there exits with 1, what cannot be asked with 3.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use or fewer cloud.confs than
    --require, 3 a file could not be read.
    """
    from ccmcheck.lint.runner import run as lint

    given, paths = run.given, run.paths
    kept = _kept_results(given, paths) if not run.inputs.texts else None

    def run_paths(options: RunOptions, progress: Progress | None) -> LintResult:
        result = lint(paths, options._replace(kept=kept), progress)
        if not (given.quiet or given.diff_base) and _is_empty(result):
            nothing_found(result.summary.files, result.summary.left_out)
        saved = result.summary.has_answers and not given.diff_base and given.consumer in (None, "", "ccm", IN_TREE)
        if given.os_cloud or saved:
            from ccmcheck.cli.preflight_run import with_checks, with_saved

            result = with_checks(run, result) if given.os_cloud else with_saved(run, result)
            failed.extend(check for check in result.summary.checks if check.passed is False)
        return _with_logs(result, options) if result.summary.logs and not given.diff_base else result

    failed: list[ClusterCheck] = []
    given = given.but(paths=paths)
    options_of = ConfiguredOptions(given, run.inputs, base=run.base)
    return judge(given, run.inputs, options_of, run_paths) or bool(failed)


def _with_logs(result: LintResult, options: RunOptions) -> LintResult:
    """A result with what the logs beside the files say."""
    from ccmcheck.base.result import ClusterCheck
    from ccmcheck.explain.log_lines import saved_causes
    from ccmcheck.workspace.discover import Target, read

    held = ((path, read(Target(path), options.discover.max_size_of(path))) for path in result.summary.logs)
    texts = ((path, data.decode(errors="replace")) for path, data in held if isinstance(data, bytes))
    causes = (ClusterCheck(place, None, *said) for place, *said in saved_causes(texts))
    return result._replace(summary=result.summary._replace(checks=(*result.summary.checks, *causes)))


def judge(
    arguments: Given,
    inputs: CommandInputs,
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
    from ccmcheck.lint.baseline import Baselines
    from ccmcheck.report.document.style import Style
    from ccmcheck.report.tally import summary_line

    config = inputs.run
    fail_on = arguments.fail_on or config.fail_on or Severity.WARNING
    outputs = _outputs(arguments, config)
    known: Baseline | Baselines | None = None
    if arguments.write_baseline is None:
        known = _baseline(arguments.baseline) if arguments.baseline else Baselines(options_of.baseline)
    forms = {form: reporter(form) for form in outputs.formats}
    if arguments.statistics and (without := [form for form in forms if not forms[form].has_statistics]):
        raise WrongUse(f"--statistics is not for {without[0]}.", "Write --format text, markdown or json.")
    shown = [1 if arguments.statistics else form.shown_of(arguments.max_findings) for form in forms.values()]
    options = run_options(arguments, inputs, options_of)._replace(
        jobs=arguments.jobs,
        replacements=any(form.has_replacements for form in forms.values()),
        tell_unjudged=bool(arguments.verbose) or any(form.names_unjudged for form in forms.values()),
        baseline=known,
        most_shown=max(shown) if all(shown) else 0,
    )
    main = forms[outputs.main.format]
    with console.progress(not arguments.quiet and main.shows_progress) as bar:
        result = run(options, bar)
    if arguments.write_baseline is not None:
        from ccmcheck.lint.baseline import write

        write(arguments.write_baseline, result.findings)
        console.warn(f"{len(result.findings)} findings are counted in {arguments.write_baseline}")
        check_required(arguments.require, result.summary.cloud_confs)
        return UNREADABLE if result.failures else 0
    if result.summary.header and not arguments.quiet and not main.has_summary:
        console.warn(result.summary.header)
    _report(result, outputs, forms, arguments, fail_on)
    if not (arguments.quiet or main.has_summary or main.is_bare):
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
        arguments, REPORTERS, default, configured_files=config.output_file, configured_color=config.color
    )


def _report(
    result: LintResult, outputs: Outputs, forms: Mapping[str, type[Reporter]], arguments: Given, fail_on: Severity
) -> None:
    from ccmcheck.report.options import ReportOptions

    if any(form.describes_rules for form in forms.values()):
        from ccmcheck.explain.rules import rule_info

        reported = {finding.rule for finding in result.findings}
        result = result._replace(rules={name: rule_info(name) for name in reported})

    root = os.getcwd()
    # an object of a running cluster is no file of the repository
    has_files = not result.summary.header and any(form.is_for_code_hosts for form in forms.values())
    repository = ""
    if has_files:
        from ccmcheck.base.repository_paths import repository_top

        repository = repository_top(root)

    def report(destination: Destination) -> Iterator[str]:
        form = reporter(destination.format)
        options = ReportOptions(
            color=destination.color,
            verbose=arguments.verbose,
            quiet=arguments.quiet,
            width=destination.width,
            fail_on=fail_on,
            max_findings=form.shown_of(arguments.max_findings),
            statistics=arguments.statistics,
            root=root,
            repository=repository,
        )
        return form(options).report(result)

    outputs.write(report)
    summary = step_summary(outputs.main.format)
    if summary and not arguments.quiet:
        console.append(summary, report(Destination("markdown", summary, color=False, width=0)))


def step_summary(name: str) -> str:
    """The file whose Markdown GitHub shows as the summary of a job's step; empty where there is none.

    Args:
        name: The format of standard output; with any but GitHub's own, the output is for something else.
    """
    if name != "github" or os.environ.get("GITHUB_ACTIONS") != "true":
        return ""
    return os.environ.get("GITHUB_STEP_SUMMARY", "")


def _kept_results(given: Given, paths: Sequence[str]) -> Callable[[], KeptResults | None] | None:
    """Opens what earlier runs kept; None where nothing is.

    In a CI system nothing is, unless an option names the folder: a branch could fill it there. Nor is it where only
    what changed is linted, which is little.

    Args:
        given: What the command line says.
        paths: What is linted.

    Raises:
        WrongUse: The folder of an option cannot be used.
    """
    named = given.cache_dir
    if given.clear_cache and (kept := _opened_cache(given, paths)) is not None:
        kept.clear()
    if given.no_cache or given.diff_base or (named is None and os.environ.get("CI", "").lower() not in _NOT_CI):
        return None
    if named is not None:
        _opened_cache(given, paths)  # what is wrong with it is said before a file is read
    return cache(lambda: _opened_cache(given, paths))


def _opened_cache(given: Given, paths: Sequence[str]) -> KeptResults | None:
    """What is kept; None where the user's own cache folder cannot be used."""
    named = given.cache_dir
    folder = os.path.abspath(named or _cache_folder())
    try:
        from ccmcheck.base.cache_folder import CacheFolder
        from ccmcheck.lint.kept_results import KeptResults

        if any(is_within(os.path.realpath(folder), top) for top in _checkouts(paths)):
            raise PermissionError("it lies in the checkout")
        return KeptResults(CacheFolder(folder, is_named=named is not None), paths)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        if named is None:
            if given.verbose:
                console.warn(f"{folder} cannot be used, so no result is kept between runs: {why}")
            return None
        raise WrongUse(f"--cache-dir {named} cannot be used: {why}", "Leave it out, or write --no-cache.") from None


def _cache_folder() -> str:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(named if os.path.isabs(named) else os.path.expanduser("~/.cache"), "ccmcheck")


def _checkouts(paths: Sequence[str]) -> Iterator[str]:
    """The repositories, or else folders, that are linted."""
    folders = {path if os.path.isdir(path) else os.path.dirname(path) for path in (os.curdir, *paths)}
    for folder in {os.path.realpath(one) for one in folders}:
        yield work_tree(folder) or folder
