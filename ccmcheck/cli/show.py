"""``ccmcheck show``: the effective configuration of a release as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import completion, console
from ccmcheck.cli.one_file import load, readers
from ccmcheck.cli.options import release_options, variable_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.readout import Row, Shown

FATAL = 1
HEADINGS = ("section", "key", "value", "default", "from", "known in")


@click.command("show", short_help="Show the effective configuration of a release as a table.")
@click.argument("path", metavar="FILE", shell_complete=completion.files)
@release_options
@variable_options
@click.option("--set-only", is_flag=True, help="Only the keys that the file sets.")
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
    stdin_filename: str | None,
    form: str,
) -> int:
    """Show every key that a release knows, with the value it will use and where that comes from. Secrets are masked.

    Where the reader stops with an error, the table shows what would hold without the lines it cannot read; exit code 1.
    """
    from ccmcheck.readout import show

    name, carried, broken = load(path, variables, env_files, stdin_filename)
    found = [show(name, one, judged) for one in carried for judged in readers(None, releases, consumer)]
    if set_only:
        found = [one._replace(rows=tuple(row for row in one.rows if row.origin != "default")) for one in found]
    if form == "json":
        import json

        configs = [{**one._asdict(), "rows": [row._asdict() for row in one.rows]} for one in found]
        console.write([json.dumps({"version": 1, "configs": configs}, indent=2, ensure_ascii=False), "\n"])
    else:
        draw = _markdown if form == "markdown" else _text
        console.write(line + "\n" for one in found for line in draw(one))
    for failure in broken:
        console.warn(f"{failure.path}:{failure.line}:{failure.column}: {failure.message}")
    if broken:
        return 3
    return FATAL if any(one.error is not None for one in found) else 0


def _text(one: Shown) -> Iterator[str]:
    from ccmcheck.escape import printable

    yield printable(_title(one))
    if one.error is not None:
        yield printable(f"  fatal: {one.error}")
    cells = [HEADINGS, *(tuple(map(printable, _cells(row))) for row in one.rows)]
    widths = [min(48, max(len(row[column]) for row in cells)) for column in range(len(HEADINGS))]
    for row in cells:
        yield ("  " + "  ".join(f"{cell:<{size}}" for cell, size in zip(row, widths, strict=True))).rstrip()
    yield ""


def _markdown(one: Shown) -> Iterator[str]:
    from ccmcheck.escape import printable

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


def _title(one: Shown) -> str:
    return f"{one.source}  {'' if one.carrier == 'file' else one.carrier + '  '}as {one.reader} uses it"


def _cells(row: Row) -> tuple[str, ...]:
    known = f"{row.since} to {row.until}" if row.until else f"{row.since} and newer"
    return (f"[{row.section}]", row.key, row.value, row.default, row.origin, known)
