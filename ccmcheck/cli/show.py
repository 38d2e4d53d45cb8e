"""``ccmcheck show``: the effective configuration of a release as a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from ccmcheck.cli import console
from ccmcheck.cli.command import Command, option, options
from ccmcheck.cli.input_files import cloud_confs
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CONSUMER,
    RELEASE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
    profile_option,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import or_current_folder, readers, resolve_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.effective_report import EffectiveReport, EffectiveValue
    from ccmcheck.conf.target_release import TargetRelease

FATAL, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")
HEADINGS = ("section", "key", "value", "default", "from", "known in")


@click.command(
    "show",
    cls=Command,
    short_help="Show the effective configuration of a release as a table.",
    examples=(
        ("ccmcheck show --set-only secret.yaml", "The keys that a file sets"),
        ("ccmcheck show --profile gardener --profile kops cloud.conf", "Beside what others set"),
    ),
    retired={"--against": "Write --profile."},
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(
    option("--set-only", is_flag=True, help="Only the keys that the file sets."),
    RELEASE,
    CONSUMER,
    profile_option("Compare with this profile; repeatable.", load=False),
)
@input_options
@output_options(FORMATS)
def command(
    paths: tuple[str, ...],
    releases: tuple[str, ...],
    consumer: str | None,
    set_only: bool,
    profiles: tuple[str, ...],
    inputs: InputArguments,
    outputs: OutputArguments,
) -> int:
    """Show every key that a release knows, with the value it will use and where that comes from. Secrets are masked.

    PATH is a cloud.conf, any file that carries one, a folder, or - for standard input; without one, the current folder.
    Where the reader stops with an error, the table shows what would hold without the lines it cannot read; exit code 1.
    """
    resolved = resolve_inputs(inputs, or_current_folder(paths))
    destinations = resolve_outputs(outputs, FORMATS, configured_color=resolved.run.color)
    readers(None, releases, consumer, ())  # what is wrong with the options is said before a file is read
    survey = cloud_confs(paths or (".",), resolved, (*releases, *((consumer,) if consumer else ())))
    judged = [
        (path, carried, reader)
        for path, carried in survey.confs
        for reader in readers(
            None, releases, consumer, resolved.of(path).release, partial(survey.release_of_text, path, carried), carried
        )
    ]
    if profiles:
        has_error, report = _comparisons(judged, profiles, set_only=set_only)
    else:
        has_error, report = _tables(judged, set_only=set_only)
    destinations.write_painted(report)
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    return FATAL if has_error else 0


def _tables(
    judged: Sequence[tuple[str, CarriedConf, TargetRelease]], *, set_only: bool
) -> tuple[bool, Callable[[str], Iterator[str]]]:
    """The effective configurations: whether a reader stops anywhere, and the report in each format."""
    from ccmcheck.conf.effective_report import effective_report

    tables = [effective_report(path, cloud_conf, reader) for path, cloud_conf, reader in judged]
    if set_only:
        tables = [table._replace(rows=tuple(row for row in table.rows if row.origin != "default")) for table in tables]

    def report(form: str) -> Iterator[str]:
        if form == "json":
            yield _json([{**table._asdict(), "rows": [row._asdict() for row in table.rows]} for table in tables])
        else:
            draw = _markdown if form == "markdown" else _text
            yield from (line + "\n" for table in tables for line in draw(table))

    return any(table.error is not None for table in tables), report


def _comparisons(
    judged: Sequence[tuple[str, CarriedConf, TargetRelease]],
    names: Sequence[str],
    *,
    set_only: bool,
) -> tuple[bool, Callable[[str], Iterator[str]]]:
    """The configurations beside profiles: whether a reader stops anywhere, and the report in each format."""
    from ccmcheck.cli.profile_diff import as_data, as_markdown, as_text
    from ccmcheck.policy.profiles.diff import NOT_KNOWN, compare
    from ccmcheck.policy.profiles.loading import load as load_profile

    profiles = [load_profile(name) for name in dict.fromkeys(names)]
    tables = [compare(path, cloud_conf, reader, profiles) for path, cloud_conf, reader in judged]
    if set_only:
        tables = [
            table._replace(rows=tuple(row for row in table.rows if row.origin not in ("default", NOT_KNOWN)))
            for table in tables
        ]

    def report(form: str) -> Iterator[str]:
        if form == "json":
            yield _json([as_data(table) for table in tables])
        else:
            draw = as_markdown if form == "markdown" else as_text
            yield from (line + "\n" for table in tables for line in draw(table))

    return any(table.error is not None for table in tables), report


def _json(configs: list[dict[str, object]]) -> str:
    from ccmcheck.report.records import dumped_lines

    return dumped_lines({"version": 1, "configs": configs})


def _text(one: EffectiveReport) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    yield printable(_title(one))
    if one.error is not None:
        yield printable(f"  fatal: {one.error}")
    cells = [HEADINGS, *(tuple(map(printable, _cells(row))) for row in one.rows)]
    widths = [min(48, max(len(row[column]) for row in cells)) for column in range(len(HEADINGS))]
    for row in cells:
        yield ("  " + "  ".join(f"{cell:<{size}}" for cell, size in zip(row, widths, strict=True))).rstrip()
    yield ""


def _markdown(one: EffectiveReport) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    yield f"### {printable(_title(one))}"
    yield ""
    if one.error is not None:
        yield f"fatal: `{printable(one.error)}`"
        yield ""
    yield f"| {' | '.join(HEADINGS)} |"
    yield "|" + "---|" * len(HEADINGS)
    for row in one.rows:
        yield "| " + " | ".join(printable(cell).replace("|", "\\|") for cell in _cells(row)) + " |"
    yield ""


def _title(one: EffectiveReport) -> str:
    return f"{one.source}  {'' if one.carrier == 'file' else one.carrier + '  '}as {one.reader} uses it"


def _cells(row: EffectiveValue) -> tuple[str, ...]:
    known = f"{row.since} to {row.until}" if row.until else f"{row.since} and newer"
    return (f"[{row.section}]", row.key, row.value, row.default, row.origin, known)
