"""``ccmcheck upgrade``: what a file means after an upgrade of the CCM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import console
from ccmcheck.cli.one_file import load
from ccmcheck.cli.options import variable_options
from ccmcheck.errors import WrongUse
from ccmcheck.escape import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.model import Finding
    from ccmcheck.review.upgrade import KeyChange, Upgrade

CHANGES = 1
WORDS = {
    "vanishes": "is ignored from {since} on",
    "comes to life": "was ignored, and counts from {since} on: {after}",
    "default": "is not set; its default changes in {since} from {before} to {after}",
    "value": "is read as {after} from {since} on, as {before} before",
}


@click.command("upgrade", short_help="Say what a file means after an upgrade of the CCM.")
@click.argument("path", metavar="FILE")
@click.option("--from", "old", required=True, metavar="R", help="The CCM release that runs now, 1.25 or v1.25.3.")
@click.option("--to", "new", metavar="R", help="The release to upgrade to. Default: the newest.")
@variable_options
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Default: text."
)
def command(
    path: str,
    old: str,
    new: str | None,
    variables: tuple[str, ...],
    env_files: tuple[str, ...],
    stdin_filename: str | None,
    form: str,
) -> int:
    """Say what FILE means after an upgrade of the CCM.

    Keys that vanish, come to life, or change their default; whether the CCM still starts; findings that come and go.
    ``ccmcheck fix --release R`` makes the safe changes for the new release. Exit code: 1 where anything changes.
    """
    from ccmcheck import catalog
    from ccmcheck.carriers.base import Bundle
    from ccmcheck.engine import Linter, Settings
    from ccmcheck.releases import Judged
    from ccmcheck.review.upgrade import upgrade

    before = catalog.release(old)
    after = catalog.release(new) if new is not None else catalog.newest()
    if not before < after:
        raise WrongUse(f"{after.name} is not newer than {before.name}.", "Give the older release with --from.")
    name, carried, broken = load(path, variables, env_files, stdin_filename)
    linters = (
        Linter(Settings(judged=(Judged("ccm", before, "--from"),)), Bundle()),
        Linter(Settings(judged=(Judged("ccm", after, "--to"),)), Bundle()),
    )
    found = [upgrade(name, one, before, after, linters) for one in carried]
    if form == "json":
        import json

        document = {"version": 1, "from": before.name, "to": after.name, "configs": [_record(one) for one in found]}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
    else:
        draw = _markdown if form == "markdown" else _text
        console.write(f"{line}\n" for one in found for line in draw(one, before.name, after.name))
    for failure in broken:
        console.warn(f"{failure.path}:{failure.line}:{failure.column}: {failure.message}")
    if broken:
        return 3
    return 0 if all(one.is_quiet for one in found) else CHANGES


def _title(one: Upgrade, old: str, new: str) -> str:
    return f"{one.source}  {'' if one.carrier == 'file' else one.carrier + '  '}CCM {old} → {new}"


def _text(one: Upgrade, old: str, new: str) -> Iterator[str]:
    yield printable(_title(one, old, new))
    for line in _lines(one, new):
        yield printable(f"  {line}")
    yield ""


def _markdown(one: Upgrade, old: str, new: str) -> Iterator[str]:
    yield f"### {printable(_title(one, old, new))}"
    yield ""
    for line in _lines(one, new):
        yield f"* {printable(line)}".replace("<", "&lt;")
    yield ""


def _lines(one: Upgrade, new: str) -> Iterator[str]:
    """What changes, in the order of what hurts most."""
    if one.error_after is not None and one.error_before is None:
        yield f"stops: the CCM does not start from {one.fatal_since} on: {one.error_after}"
    elif one.error_after is not None:
        yield f"stops: the CCM {new} does not start, nor does the old one: {one.error_after}"
    elif one.error_before is not None:
        yield f"starts again: the old release ends with: {one.error_before}"
    for change in one.keys:
        yield _key(change)
    for finding in one.appear:
        yield f"new: {_finding(finding)}"
    for finding in one.gone:
        yield f"gone: {_finding(finding)}"
    if one.is_quiet:
        yield "nothing changes"


def _key(change: KeyChange) -> str:
    words = WORDS[change.kind].format(
        since=change.since, before=change.before or "nothing", after=change.after or "nothing"
    )
    line = f" (line {change.line})" if change.line else ""
    return f"{change.kind}: [{change.section}] {change.key}{line} {words}"


def _finding(finding: Finding) -> str:
    line = f" (line {finding.place.inner_line})" if finding.place.inner_line else ""
    return f"{finding.severity.word} {finding.rule}{line}: {finding.label}" + (f". {finding.help}" * bool(finding.help))


def _record(one: Upgrade) -> dict[str, object]:
    from ccmcheck.report.records import finding_record

    return {
        **one._asdict(),
        "keys": [change._asdict() for change in one.keys],
        "appear": [finding_record(finding, "") for finding in one.appear],
        "gone": [finding_record(finding, "") for finding in one.gone],
    }
