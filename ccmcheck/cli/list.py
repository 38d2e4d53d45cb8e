"""``ccmcheck list``: what is found, by which release it is judged, and why look-alikes are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import console
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.input_files import look
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    QUIET,
    RELEASE,
    REQUIRE,
    VERBOSE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import or_current_folder, resolve_inputs, target_releases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.workspace.inventory import FoundConf, FoundService, Inventory
    from ccmcheck.workspace.survey import Survey

UNREADABLE = 3
FORMATS = ("text", "json")
HEADINGS = ("place", "carrier", "reader", "release", "from", "Services")
_WIDEST = 60
_PATHS = frozenset({"path", "release_source"})
"""What names files alone: a path is no secret, and without it nobody finds the file."""


@click.command(
    "list",
    cls=Command,
    short_help="List each cloud.conf that is found, its release and its Services.",
    examples=(
        ("ccmcheck list clusters/", "Every cloud.conf below a folder"),
        ("ccmcheck list -v", "Also why look-alikes are none"),
        ("ccmcheck list --require 20 --format json", "Fail where fewer are found"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(RELEASE, REQUIRE)
@input_options
@options(QUIET, VERBOSE)
@output_options(FORMATS)
def command(
    paths: tuple[str, ...],
    releases: tuple[str, ...],
    require: int,
    inputs: InputArguments,
    quiet: bool,
    verbose: int,
    outputs: OutputArguments,
) -> int:
    """List each cloud.conf that is found below PATH: its place, what holds it, who reads it, and by which release.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. The release comes from
    the CCM's image, chart or kustomization that is nearest to the file, with its line, or from --release and the
    configuration. Two equally near ones that differ leave it unknown, and both are named. With -v also the Services
    that each cloud.conf governs, and why files that look like one are none.

    Exit code: 0 whether or not anything is found, 2 fewer than --require, 3 a file could not be read.
    """
    paths = or_current_folder(paths)
    resolved = resolve_inputs(inputs, paths)
    destinations = resolve_outputs(outputs, FORMATS, configured_color=resolved.run.color)
    target_releases(releases, None)  # what is wrong with the options is said before a file is read
    survey = look(paths, resolved, releases, with_documents=True)
    found = _inventory(survey, releases, resolved)
    destinations.write_painted(lambda form: _written(found, form, verbose))
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if not quiet and found.is_empty:
        nothing_found(found.files)
    check_required(require, len(found.confs))
    return UNREADABLE if survey.failures else 0


def _inventory(survey: Survey, releases: tuple[str, ...], inputs: Inputs) -> Inventory:
    from ccmcheck.redact.report import redact_report
    from ccmcheck.workspace.inventory import inventory

    def asked_for(path: str) -> tuple[TargetRelease, ...]:
        return target_releases(releases, None, inputs.of(path).release)

    def releases_of(path: str, carried: CarriedConf) -> tuple[tuple[str, ...], str]:
        config = inputs.of(path)
        named = asked_for(path)
        if named:
            origin = config.origins.get(("release",))
            where = f"{origin.path}:{origin.line}" if origin is not None and origin.line else config.source
            return tuple(one.release.name for one in named), "--release" if releases else where
        found = survey.release_of_text(path, carried)
        return (found.target.release.name,), found.place or found.target.source

    texts = (*survey.texts(), *(text.text for text in survey.not_taken))
    return redact_report(inventory(survey, releases_of), texts, plain=_PATHS)


def _written(found: Inventory, form: str, verbose: int) -> Iterator[str]:
    if form == "json":
        from ccmcheck.report.records import dumped_lines

        yield dumped_lines(_as_data(found))
        return
    yield from _text(found, verbose)


def _as_data(found: Inventory) -> dict[str, object]:
    return {
        "version": 1,
        "files": found.files,
        "cloud_confs": [
            {**one._asdict(), "services": [service._asdict() for service in one.services]} for one in found.confs
        ],
        "services": [service._asdict() for service in found.services],
        "look_alikes": [one._asdict() for one in found.look_alikes],
    }


def _text(found: Inventory, verbose: int) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    if found.confs:
        rows = [HEADINGS, *(tuple(map(printable, _cells(one))) for one in found.confs)]
        widths = [min(_WIDEST, max(len(row[column]) for row in rows)) for column in range(len(HEADINGS))]
        for number, row in enumerate(rows):
            yield "  ".join(f"{cell:<{size}}" for cell, size in zip(row, widths, strict=True)).rstrip() + "\n"
            if verbose and number:
                yield from (f"  {printable(line)}\n" for line in _details(found.confs[number - 1]))
    if found.services:
        yield f"No cloud.conf near {len(found.services)} Service{'' if len(found.services) == 1 else 's'}.\n"
        if verbose:
            yield from (f"  {printable(_service(service))}\n" for service in found.services)
    if verbose:
        for one in found.look_alikes:
            yield printable(f"{one.path}:{one.line}  not taken for a cloud.conf: {one.reason}") + "\n"


def _cells(one: FoundConf) -> tuple[str, ...]:
    return (
        f"{one.path}:{one.line}",
        one.object or one.carrier,
        one.reader,
        ", ".join(one.releases) or "-",
        one.release_source or "-",
        str(len(one.services)),
    )


def _details(one: FoundConf) -> Iterator[str]:
    if one.route and one.route != one.object:
        yield one.route
    if one.workload:
        yield f"mounted by {one.workload}"
    if one.reason:
        yield f"taken for a cloud.conf: {one.reason}"
    yield from map(_service, one.services)


def _service(service: FoundService) -> str:
    return f"Service {service.name}  {service.path}:{service.line}"
