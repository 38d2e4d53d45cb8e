"""``ccmcheck show``: the effective configuration of a release as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import completion, console
from ccmcheck.cli.one_file import load, readers
from ccmcheck.cli.options import release_options, variable_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers.base import Carried
    from ccmcheck.conf.effective_report import EffectiveReport, EffectiveValue
    from ccmcheck.conf.target_release import TargetRelease

FATAL = 1
HEADINGS = ("section", "key", "value", "default", "from", "known in")


@click.command("show", short_help="Show the effective configuration of a release as a table.")
@click.argument("path", metavar="FILE", shell_complete=completion.files)
@release_options
@variable_options
@click.option("--set-only", is_flag=True, help="Only the keys that the file sets.")
@click.option(
    "--against",
    "--profile",
    "against",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=completion.profiles,
    help="Put it beside what this profile has; several may be given. `ccmcheck profiles` lists those built in.",
)
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Default: text."
)
def command(
    path: str,
    releases: tuple[str, ...],
    consumer: str | None,
    variables: tuple[str, ...],
    env_files: tuple[str, ...],
    set_only: bool,
    against: tuple[str, ...],
    stdin_filename: str | None,
    form: str,
) -> int:
    """Show every key that a release knows, with the value it will use and where that comes from. Secrets are masked.

    Where the reader stops with an error, the table shows what would hold without the lines it cannot read; exit code 1.
    """
    name, carried, broken = load(path, variables, env_files, stdin_filename)
    judged = readers(None, releases, consumer)
    if against:
        errors = _compare(name, carried, judged, against, form, set_only=set_only)
    else:
        errors = _show(name, carried, judged, form, set_only=set_only)
    for failure in broken:
        console.warn(f"{failure.place}: {failure.message}")
    if broken:
        return 3
    return FATAL if errors else 0


def _show(name: str, carried: Sequence[Carried], judged: Sequence[TargetRelease], form: str, *, set_only: bool) -> bool:
    """Print the effective configurations; whether a reader stops anywhere."""
    from ccmcheck.conf.effective_report import effective_report

    found = [effective_report(name, one, reader) for one in carried for reader in judged]
    if set_only:
        found = [one._replace(rows=tuple(row for row in one.rows if row.origin != "default")) for one in found]
    if form == "json":
        _write_json([{**one._asdict(), "rows": [row._asdict() for row in one.rows]} for one in found])
    else:
        draw = _markdown if form == "markdown" else _text
        console.write(line + "\n" for one in found for line in draw(one))
    return any(one.error is not None for one in found)


def _compare(
    name: str,
    carried: Sequence[Carried],
    judged: Sequence[TargetRelease],
    against: Sequence[str],
    form: str,
    *,
    set_only: bool,
) -> bool:
    """Print the configurations beside profiles; whether a reader stops anywhere."""
    from ccmcheck.cli.against import as_data, as_markdown, as_text
    from ccmcheck.policy.profiles.diff import NOT_KNOWN, compare
    from ccmcheck.policy.profiles.loading import load as load_profile

    profiles = [load_profile(one) for one in dict.fromkeys(against)]
    found = [compare(name, one, reader, profiles) for one in carried for reader in judged]
    if set_only:
        found = [
            one._replace(rows=tuple(row for row in one.rows if row.origin not in ("default", NOT_KNOWN)))
            for one in found
        ]
    if form == "json":
        _write_json([as_data(one) for one in found])
    else:
        draw = as_markdown if form == "markdown" else as_text
        console.write(line + "\n" for one in found for line in draw(one))
    return any(one.error is not None for one in found)


def _write_json(configs: list[dict[str, object]]) -> None:
    import json

    console.write([json.dumps({"version": 1, "configs": configs}, indent=2, ensure_ascii=False), "\n"])


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
