"""``ccmcheck read``: what the CCM's reader gets out of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import completion, console
from ccmcheck.cli.one_file import load, readers
from ccmcheck.cli.options import release_options, variable_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.read_report import ReadReport

FATAL = 1


@click.command("read", short_help="Show what the CCM's reader gets out of a file.")
@click.argument("path", metavar="FILE", shell_complete=completion.files)
@release_options
@click.option("--reader", metavar="CONSUMER@RELEASE", help="Both at once: ccm@release-1.20, cinder-csi-plugin@master.")
@variable_options
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Default: text.")
def command(
    path: str,
    releases: tuple[str, ...],
    consumer: str | None,
    reader: str | None,
    variables: tuple[str, ...],
    env_files: tuple[str, ...],
    stdin_filename: str | None,
    form: str,
) -> int:
    """Show what the CCM's reader gets out of FILE: its outcome, its own error, the values, the names it drops.

    FILE is a cloud.conf or any file that carries one; - is standard input. Secrets are masked. Exit code: 1 where the
    reader stops with an error.
    """
    from ccmcheck.conf.read_report import read_report

    name, carried, broken = load(path, variables, env_files, stdin_filename)
    found = [read_report(name, one, judged) for one in carried for judged in readers(reader, releases, consumer)]
    if form == "json":
        import json

        configs = [{key: value for key, value in one._asdict().items() if key != "note" or value} for one in found]
        document = {"version": 1, "configs": configs}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
    else:
        console.write("\n".join(lines) + "\n" for lines in map(list, map(_text, found)))
    for failure in broken:
        console.warn(f"{failure.place}: {failure.message}")
    if broken:
        return 3
    return FATAL if any(one.outcome == "fatal" for one in found) else 0


def _text(one: ReadReport) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    yield printable(f"{one.source}  {'' if one.carrier == 'file' else one.carrier + '  '}read by {one.reader}")
    if one.error is not None:
        yield printable(f"  fatal: {one.error}")
    if one.note:
        yield printable(f"  note: {one.note}")
    for section, values in one.values.items():
        yield printable(f"  [{section}]")
        for key, value in values.items():
            yield printable(f"    {key} = {_value(value)}")
    for name in one.ignored:
        subsection = f' "{name["subsection"]}"' if "subsection" in name else ""
        key = f" {name['key']}" if "key" in name else ", the whole section"
        yield printable(f"  ignored: [{name['section']}{subsection}]{key}")
    yield ""


def _value(value: object) -> str:
    if isinstance(value, dict):
        return str(value["text"])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(f'"{element}"' for element in value)
    return str(value)
