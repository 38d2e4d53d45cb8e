"""``ccmcheck show``: the effective configuration of a release as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.budget import worked_off
from ccmcheck.cli.input_files import cloud_confs, readers_of
from ccmcheck.cli.resolve import readers
from ccmcheck.cli.running import CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.cli.config_tables import ConfigTable
    from ccmcheck.conf.target_release import TargetRelease

    Judged: TypeAlias = "Iterator[tuple[str, CarriedConf, TargetRelease]]"

FORMATS = ("text", "markdown", "json")
_UNSET = frozenset({"default", "not known"})
"""Where the value of a key comes from that no file sets."""


@declared(
    "show",
    "paths set_only releases consumer kubernetes_version profiles INPUTS quiet OUTPUTS",
    formats=FORMATS,
    says={"profiles": "Compare with this profile; repeatable."},
)
def command(run: CommandRun) -> int:
    """Show every key that a release knows, with the value it will use and where that comes from. Secrets are masked.

    PATH is a cloud.conf, any file that carries one, a folder, or - for standard input; without one, the current folder.
    Where the reader stops with an error, the table shows what would hold without the lines it cannot read; exit code 1.
    """
    from ccmcheck.cli.config_tables import as_data, blocks

    given, inputs = run.given, run.inputs
    _ = run.outputs, readers(None, given.releases, given.consumer, ())  # wrong options are said before a file is read
    survey = cloud_confs(run.paths, inputs, tuple(filter(None, (given.consumer, *given.releases))))
    judged = (
        (path, carried, reader) for path, carried in survey.confs for reader in readers_of(path, carried, survey, run)
    )
    left_out = _UNSET if given.set_only else frozenset[str]()
    each = _compared(judged, given.profiles, left_out) if given.profiles else _effective(judged, left_out)
    tables = worked_off(each, "not all cloud.confs are shown")
    run.outputs.write_blocks(
        lambda _: map(blocks, tables), lambda: {"version": 1, "configs": [as_data(table) for table in tables]}
    )
    return run.ended(survey.failures, found=any(table.error is not None for table in tables))


def _effective(judged: Judged, left_out: Collection[str]) -> Iterator[ConfigTable]:
    from ccmcheck.conf.effective_report import effective_report

    for path, cloud_conf, reader in judged:
        table = effective_report(path, cloud_conf, reader)
        yield table._replace(rows=tuple(row for row in table.rows if row.origin not in left_out))


def _compared(judged: Judged, names: Sequence[str], left_out: Collection[str]) -> Iterator[ConfigTable]:
    """The configurations beside profiles."""
    from ccmcheck.policy.profiles.diff import compare
    from ccmcheck.policy.profiles.loading import load as load_profile

    profiles = [load_profile(name) for name in dict.fromkeys(names)]
    for path, cloud_conf, reader in judged:
        table = compare(path, cloud_conf, reader, profiles)
        yield table._replace(rows=tuple(row for row in table.rows if row.origin not in left_out))
