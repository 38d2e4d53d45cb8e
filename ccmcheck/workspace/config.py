"""The options of a project's configuration; see `ccmcheck.workspace.find_config` for where it is found."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.globs import matches, prefixed
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

OWN_FILE: Final = "ccmcheck.toml"
SHARED_FILE: Final = "pyproject.toml"

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class KnownNames(NamedTuple):
    """The names that a configuration may use; None where a kind of name is not checked."""

    rules: Collection[str] | None = None
    groups: Collection[str] = ()
    formats: Collection[str] | None = None


ANY_NAME: Final = KnownNames()


class Origin(NamedTuple):
    """The place that a value comes from.

    Attributes:
        path: The file.
        text: Its text, which may hold secrets.
        words: What stands on the line, one after another.
        override: The number of its ``[[override]]`` table, from 1; 0 for none.
    """

    path: str
    text: str
    words: tuple[str, ...]
    override: int = 0

    @property
    def line(self) -> int:
        """The line; 0 where it cannot be told."""
        from ccmcheck.workspace.config_lines import line_of

        return line_of(self.text, self.words, self.override)

    def __repr__(self) -> str:
        """Without the text."""
        return f"<Origin {self.path} {'.'.join(self.words)}>"


class Override(NamedTuple):
    """What a configuration sets for some paths only. None or empty means: not set.

    Attributes:
        paths: Patterns (see `ccmcheck.base.globs`).
        release: See `Config`.
        profile: See `Config`.
        severity: See `Config`; added to the severities that hold without it.
        origins: Where its values come from.
    """

    paths: tuple[str, ...]
    release: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = MappingProxyType({})
    origins: Mapping[tuple[str, ...], Origin] = MappingProxyType({})


class Config(NamedTuple):
    """The options of a project. None or empty means: not set.

    Attributes:
        source: The file, absolute; empty where there is none.
        root: The folder that the patterns are relative to, absolute: its own, or one above it where it extends another.
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
        default_exclude: Whether examples and test data are left out of folders.
        baseline: The baseline's file, absolute.
        max_file_size: Bytes.
        vars: Template variables and their values, which may be secrets.
        env_file: Files of such variables, absolute.
        overrides: What it sets for some paths only; a later one wins.
        extends: The files that it extends, absolute, the nearest one first.
        origins: Where each value comes from, by the option's name, and by name and key for the entries of a table.
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
    default_exclude: bool | None = None
    baseline: str | None = None
    max_file_size: int | None = None
    vars: Mapping[str, str] = _NOTHING
    env_file: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    extends: tuple[str, ...] = ()
    origins: Mapping[tuple[str, ...], Origin] = MappingProxyType({})

    @property
    def facts(self) -> ClusterFacts:
        """What it says of the cluster."""
        return ClusterFacts(
            octavia_release=self.octavia_release or "",
            kubernetes_version=self.kubernetes_version or "",
            nodes=self.nodes,
        )

    @property
    def folder(self) -> str:
        """Its own folder; empty where there is no configuration."""
        return os.path.dirname(self.source)

    def overriding(self, path: str) -> tuple[int, ...]:
        """The numbers of the overrides that hold for a file.

        Args:
            path: Relative to ``root``, with forward slashes.
        """
        return tuple(
            number
            for number, override in enumerate(self.overrides)
            if any(matches(pattern, path) for pattern in override.paths)
        )

    def overridden(self, numbers: tuple[int, ...]) -> Config:
        """The configuration with some of its overrides applied, in their order."""
        config = self
        for number in numbers:
            override = self.overrides[number]
            config = config._replace(
                release=override.release or config.release,
                profile=override.profile or config.profile,
                severity={**config.severity, **override.severity},
                origins={**config.origins, **override.origins},
            )
        return config

    def rebased(self, root: str) -> Config:
        """The same with patterns that are relative to a folder above it."""
        if root == self.root:
            return self
        above = os.path.relpath(self.root, root).replace(os.sep, "/")

        def moved(patterns: Iterable[str]) -> tuple[str, ...]:
            return tuple(prefixed(pattern, above) for pattern in patterns)

        return self._replace(
            root=root,
            exclude=moved(self.exclude),
            per_path_ignores={prefixed(pattern, above): rules for pattern, rules in self.per_path_ignores.items()},
            overrides=tuple(override._replace(paths=moved(override.paths)) for override in self.overrides),
            origins={
                (name[0], prefixed(name[1], above)) if len(name) > 1 and name[0] == "per-path-ignores" else name: origin
                for name, origin in self.origins.items()
            },
        )

    def __repr__(self) -> str:
        """Without the values of variables: they may be secrets."""
        return f"<Config of {self.source or 'no file'}>"


NO_CONFIG: Final = Config()

_TABLES: Final = ("output_file", "severity", "per_path_ignores", "vars")
_OF_CHILD: Final = ("source", "overrides", "extends", "origins")


def extended(base: Config, child: Config) -> Config:
    """A configuration with what it leaves to the one that it extends.

    A value that the child sets replaces the base's; tables are joined by their keys. Overrides of the base come before
    everything that the child sets, so that the nearest file wins.
    """
    root = os.path.commonpath([base.root, child.root])
    base, child = base.rebased(root), child.rebased(root)
    written = {name[0].replace("-", "_") for name in child.origins}
    values: dict[str, Any] = {}
    for field in base._fields:
        if field in _TABLES:
            values[field] = {**getattr(base, field), **getattr(child, field)}
        elif field not in _OF_CHILD and field not in written:
            values[field] = getattr(base, field)
    overrides = (*base.overrides, *child.overrides)
    if base.overrides and not written.isdisjoint(("release", "profile", "severity")):
        kept = {name: origin for name, origin in child.origins.items() if name[0] in ("release", "profile", "severity")}
        own = Override(("**",), child.release, child.profile, child.severity, kept)
        overrides = (*base.overrides, own, *child.overrides)
    return child._replace(
        **values, overrides=overrides, extends=(base.source, *base.extends), origins={**base.origins, **child.origins}
    )
