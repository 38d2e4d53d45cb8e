"""The arguments of ``fix``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.cli.options import InputArguments


class FixArguments(NamedTuple):
    """The arguments of ``fix``; see the options of `ccmcheck.cli.fix`."""

    paths: tuple[str, ...]
    inputs: InputArguments
    config_from: str | None
    require: int
    releases: tuple[str, ...]
    consumer: str | None
    old: str | None
    new: str | None
    kubernetes_version: str
    octavia_release: str
    nodes: int | None
    write: bool
    diff: bool
    check: bool
    output_dir: str | None
    unsafe: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    color: str | None
    quiet: bool
    patch_format: str | None
    with_secrets: bool
    jobs: int | None
    profiles: tuple[str, ...]
