"""``ccmcheck lint``: options to one typed object, the run, the reports, the exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.options import (
    SeverityType,
    base_revision,
    cluster_options,
    config_options,
    load_config,
    names,
    profile_options,
    release_options,
    run_options,
    variable_options,
)
from ccmcheck.report import REPORTERS, reporter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.result import LintResult
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config

FOUND, UNREADABLE = 1, 3
TELLS_ALL = frozenset({"json", "ndjson"})
"""Formats that say which rules stayed quiet, also without ``-v``."""
DESCRIBING = frozenset({"sarif"})
"""Formats that describe the rules; the others are spared loading their pages."""


@click.command("lint", short_help="Say what is wrong in every cloud.conf below PATH, and where.")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.files)
@release_options
@variable_options
@config_options
@cluster_options
@profile_options("Judge by this profile; several may be given.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    shell_complete=completion.formats,
    help=f"One of {', '.join(REPORTERS)}.",
)
@click.option(
    "--output-file", "output_files", multiple=True, metavar="FORMAT=PATH", help="Also write a report to a file."
)
@click.option("--fail-on", type=SeverityType(), help="Exit with 1 from this severity on. Default: warning.")
@click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    shell_complete=completion.rules,
    help="Run only these rules or groups; commas separate them.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULE",
    shell_complete=completion.rules,
    help="Do not run these rules or groups.",
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files and folders below PATH.")
@click.option("--diff-base", default="", metavar="REV", help="Only files that changed since the merge base with REV.")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option(
    "--baseline", metavar="FILE", shell_complete=completion.files, help="Findings counted in this file are not shown."
)
@click.option("--write-baseline", metavar="FILE", help="Count all findings into this file and exit with 0.")
@click.option("--no-suppress", is_flag=True, help="Also show what comments and annotations silence.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes. Default: as many as pay.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), help="Default: auto, which heeds NO_COLOR.")
@click.option("-q", "--quiet", is_flag=True, help="No summary line.")
@click.option("-v", "--verbose", count=True, help="Also say which rules were not judged, and what they need.")
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what LintArguments declares
    """Say what is wrong in every cloud.conf below PATH, and where.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. Exit code: 0 nothing at
    or above --fail-on, 1 findings, 2 wrong use, 3 a file could not be read.
    """
    return lint(LintArguments(**options))


class LintArguments(NamedTuple):
    """What was typed; see the options above."""

    paths: tuple[str, ...]
    releases: tuple[str, ...]
    consumer: str | None
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    config_file: str | None
    no_config: bool
    config_from: str | None
    trust_config: bool
    formats: tuple[str, ...]
    output_files: tuple[str, ...]
    fail_on: Severity | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    exclude: tuple[str, ...]
    diff_base: str
    stdin_filename: str | None
    baseline: str | None
    write_baseline: str | None
    no_suppress: bool
    template: bool | None
    kubernetes_version: str | None
    octavia_release: str | None
    nodes: int | None
    profiles: Standards
    max_size: int | None
    jobs: int | None
    color: str | None
    quiet: bool
    verbose: int


def lint(given: LintArguments) -> int:
    """Run, report, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use or a configuration that cannot be used.
    """
    paths = given.paths or (os.curdir,)
    with base_revision(paths, given.config_from) as base:
        return _lint(given, paths, base)


def _lint(given: LintArguments, paths: Sequence[str], base: BaseRevision | None) -> int:
    from ccmcheck.lint import baseline
    from ccmcheck.lint.runner import run

    config = load_config(paths, given.config_file, given.no_config, trusted=given.trust_config, base=base)
    fail_on = given.fail_on or config.fail_on or Severity.WARNING
    screen, files = _outputs(given, config)
    baseline_file = given.baseline or config.baseline
    options = run_options(
        given,
        config,
        select=names(given.select) or config.select,
        ignore=(*config.ignore, *names(given.ignore)),
        exclude=given.exclude,
        diff_base=given.diff_base,
        profiles=given.profiles,
        base=base,
    )._replace(
        jobs=given.jobs,
        tell_unjudged=bool(given.verbose) or not TELLS_ALL.isdisjoint((screen, *files)),
        baseline=baseline.load(baseline_file) if baseline_file and given.write_baseline is None else None,
    )
    if given.no_suppress:
        options = options._replace(settings=options.settings._replace(suppress=False))
    with console.progress(not given.quiet and screen in ("text", "concise")) as bar:
        result = run(paths, options, bar)
    if given.write_baseline is not None:
        baseline.write(given.write_baseline, result.findings)
        console.warn(f"{len(result.findings)} findings are counted in {given.write_baseline}")
        return UNREADABLE if result.failures else 0
    _report(result, screen, files, given, config, fail_on)
    if result.failures:
        return UNREADABLE
    return FOUND if any(finding.severity >= fail_on for finding in result.findings) else 0


def _outputs(given: LintArguments, config: Config) -> tuple[str, dict[str, str]]:
    """The format for stdout, and from further formats to their files."""
    files = dict(config.output_file)
    for argument in given.output_files:
        name, equals, path = argument.partition("=")
        if not equals or not path:
            raise WrongUse(f"--output-file `{argument}` names no file", "Write --output-file sarif=ccmcheck.sarif.")
        files[name] = path
    formats = dict.fromkeys((*given.formats, *files))
    for name in formats:
        reporter(name)
    if len(given.formats) > 1:
        raise WrongUse(
            "Only one format fits on standard output.",
            f"Write the others to files: --output-file {given.formats[1]}=PATH.",
        )
    if given.formats:
        return given.formats[0], files
    if config.format is not None:
        return config.format, files
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text", files


def _report(
    result: LintResult, screen: str, files: dict[str, str], given: LintArguments, config: Config, fail_on: Severity
) -> None:
    from ccmcheck.report.options import ReportOptions

    if any(name in DESCRIBING for name in (screen, *files)):
        from ccmcheck.explain.rules import rule_info

        names = {finding.rule for finding in result.findings}
        result = result._replace(rules={name: rule_info(name) for name in names})
    options = ReportOptions(
        color=console.wants_color(given.color or config.color or "auto"),
        verbose=given.verbose,
        quiet=given.quiet,
        width=console.width(),
        fail_on=fail_on,
        root=os.getcwd(),  # noqa: PTH109 - pathlib is slow to import
    )
    console.write(reporter(screen)(options).report(result))
    plain = options._replace(color=False, width=0)
    for name, path in files.items():
        console.save(path, reporter(name)(plain).report(result))
