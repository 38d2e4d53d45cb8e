"""``ccmcheck show``: the effective configuration of a release as a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.cli.input_files import cloud_confs
from ccmcheck.cli.resolve import readers
from ccmcheck.cli.running import Run, declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.effective_report import EffectiveReport, EffectiveValue
    from ccmcheck.conf.target_release import TargetRelease

FORMATS = ("text", "markdown", "json")
HEADINGS = ("section", "key", "value", "default", "from", "known in")


@declared(
    "show",
    "paths set_only releases consumer profiles INPUTS quiet OUTPUTS",
    formats=FORMATS,
    says={"profiles": "Compare with this profile; repeatable."},
    examples=(
        ("ccmcheck show --set-only secret.yaml", "The keys that a file sets"),
        ("ccmcheck show --profile gardener --profile kops cloud.conf", "Beside what others set"),
    ),
)
def command(run: Run) -> int:
    """Show every key that a release knows, with the value it will use and where that comes from. Secrets are masked.

    PATH is a cloud.conf, any file that carries one, a folder, or - for standard input; without one, the current folder.
    Where the reader stops with an error, the table shows what would hold without the lines it cannot read; exit code 1.
    """
    given, inputs = run.given, run.inputs
    _ = run.outputs, readers(None, given.releases, given.consumer, ())  # wrong options are said before a file is read
    survey = cloud_confs(run.paths, inputs, tuple(filter(None, (given.consumer, *given.releases))))
    judged = [
        (path, carried, reader)
        for path, carried in survey.confs
        for reader in readers(
            None,
            given.releases,
            given.consumer,
            inputs.of(path).release,
            partial(survey.release_of_text, path, carried),
            carried,
        )
    ]
    if given.profiles:
        has_error, report = _comparisons(judged, given.profiles, set_only=given.set_only)
    else:
        has_error, report = _tables(judged, set_only=given.set_only)
    run.write(report)
    return run.ended(survey.failures, found=has_error)


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
