"""The options of a project's configuration; see `ccmcheck.workspace.find_config` for where it is found."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ccmcheck.base.model import Severity

OWN_FILE: Final = "ccmcheck.toml"
SHARED_FILE: Final = "pyproject.toml"

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Known(NamedTuple):
    """The names that a configuration may use; None where a kind of name is not checked."""

    rules: Collection[str] | None = None
    groups: Collection[str] = ()
    formats: Collection[str] | None = None
    consumers: Collection[str] | None = None


ANY_NAME: Final = Known()


class Config(NamedTuple):
    """The options of a project. None or empty means: not set.

    Attributes:
        source: The file, absolute; empty where there is none.
        root: Its folder, absolute: paths are relative to it, and so are the patterns.
        release: CCM releases to judge.
        octavia_release: The Octavia release of the cloud.
        kubernetes_version: The version of the cluster.
        nodes: How many nodes it has.
        profile: Profiles to judge by: built-ins' names, and files, absolute.
        format: The format for stdout.
        output_file: Further formats and the files they go to, absolute.
        fail_on: The severity that makes the exit code 1.
        color: ``auto``, ``always`` or ``never``.
        select: The only rules, or groups of rules, to run.
        ignore: Rules, or groups of rules, not to run.
        severity: Severities that replace the rules' own; None switches a rule off.
        per_path_ignores: Patterns (see `ccmcheck.base.globs`) and the rules not to run on what they match.
        exclude: Patterns of what is not looked at.
        baseline: The baseline's file, absolute.
        max_file_size: Bytes.
        vars: Template variables and their values, which may be secrets.
        env_file: Files of such variables, absolute.
        consumers: Who reads the cloud.confs.
    """

    source: str = ""
    root: str = ""
    release: tuple[str, ...] = ()
    octavia_release: str | None = None
    kubernetes_version: str | None = None
    nodes: int | None = None
    profile: tuple[str, ...] = ()
    format: str | None = None
    output_file: Mapping[str, str] = _NOTHING
    fail_on: Severity | None = None
    color: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = MappingProxyType({})
    per_path_ignores: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    max_file_size: int | None = None
    vars: Mapping[str, str] = _NOTHING
    env_file: tuple[str, ...] = ()
    consumers: tuple[str, ...] = ()

    @property
    def facts(self) -> ClusterFacts:
        """What it says of the cluster."""
        return ClusterFacts(
            octavia_release=self.octavia_release or "",
            kubernetes_version=self.kubernetes_version or "",
            nodes=self.nodes,
        )

    def __repr__(self) -> str:
        """Without the values of variables: they may be secrets."""
        return f"<Config of {self.source or 'no file'}>"


OPTIONS: Final = tuple(name.replace("_", "-") for name in Config._fields if name not in ("source", "root"))
"""The names of the options as they are written in a file."""
