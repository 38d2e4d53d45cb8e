"""Resolves what commands run with: the command line wins over ccmcheck.toml, ccmcheck.toml over profiles."""

# pathlib is slow to import:
# ruff: noqa: PTH110

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from ccmcheck.base.errors import BadConfiguration, InputError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.options import STDIN, load_profiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.carriers import FindOptions
    from ccmcheck.cli.options import InputArguments
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.runner import RunOptions
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config
    from ccmcheck.workspace.discover import DiscoverOptions


class Inputs(NamedTuple):
    """What a command that reads files runs with.

    Attributes:
        config: ccmcheck's own configuration.
        find: How files are searched.
        discover: Which files are read.
        stdin_name: The name of standard input in messages.
    """

    config: Config
    find: FindOptions
    discover: DiscoverOptions
    stdin_name: str


def resolve_inputs(arguments: InputArguments, paths: Sequence[str], base: BaseRevision | None = None) -> Inputs:
    """What `ccmcheck.cli.options.input_options` and the configuration say together.

    Args:
        arguments: The options.
        paths: What is read; the nearest configuration is looked for from the first path upward.
        base: The revision of ``--config-from``.

    Raises:
        WrongUse: A file of variables cannot be read.
        BadConfiguration: The configuration cannot be used.
    """
    from ccmcheck.carriers import FindOptions
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE, DiscoverOptions

    config = load_config(paths, arguments, base)
    refuse_rules(arguments.exclude)
    max_size = arguments.max_size or config.max_file_size or DEFAULT_MAX_SIZE
    values = variables(arguments.variables, (*config.env_file, *arguments.env_files), config.vars)
    if values:
        from ccmcheck.redact.run_secrets import hide_variables

        hide_variables(values)
    return Inputs(
        config,
        FindOptions(variables=values, template=arguments.is_template, max_unpacked=max_size),
        DiscoverOptions((*config.exclude, *arguments.exclude), config.root, max_size=max_size),
        arguments.stdin_filename or "<stdin>",
    )


def or_current_folder(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths, or ``.`` where there is none; standard input is never read unasked, but its data get a hint."""
    if paths:
        return paths
    if console.has_data(sys.stdin):
        console.warn("standard input has data that is not read; write `-` to read it")
    return (os.curdir,)


@contextmanager
def base_revision(paths: Sequence[str], config_from: str | None) -> Iterator[BaseRevision | None]:
    """The revision of ``--config-from``, which files that configure the run are read from meanwhile.

    Args:
        paths: What is read; the repository is that of the first path.
        config_from: The revision; None without the option.

    Raises:
        WrongUse: There is no repository, no git that can be used, or no such revision.
    """
    if config_from is None:
        yield None
        return
    from ccmcheck.base.open_input import reading_from
    from ccmcheck.workspace.base_revision import BaseRevision

    with BaseRevision(config_from, _first(paths)) as base, reading_from(base.read_or_refuse):
        yield base


def _first(paths: Sequence[str]) -> str:
    return next((path for path in paths if path != STDIN), os.curdir)


def load_config(paths: Sequence[str], arguments: InputArguments, base: BaseRevision | None = None) -> Config:
    """The configuration of one run.

    Args:
        paths: What is read; the nearest configuration is looked for from the first path upward.
        arguments: ``--config``, ``--no-config``, ``--trust-config``.
        base: The revision to look in.

    Raises:
        BadConfiguration: It cannot be read, or names something that does not exist.
    """
    from ccmcheck import catalog
    from ccmcheck.lint.selection import RULE_NAMES
    from ccmcheck.report import REPORTERS
    from ccmcheck.rules import GROUPS
    from ccmcheck.workspace.config import Config, Known
    from ccmcheck.workspace.find_config import load, load_file

    if arguments.no_config:
        return Config()
    known = Known(rules=RULE_NAMES, groups=GROUPS, formats=REPORTERS, consumers=catalog.CONSUMERS)
    if arguments.config_file is None:
        return load(_first(paths), known, trusted=arguments.trust_config, base=base)
    try:
        return load_file(arguments.config_file, known, trusted=arguments.trust_config)
    except BadConfiguration as error:
        if arguments.config_file.endswith(".toml"):
            raise
        raise BadConfiguration(
            error.message, "--config names ccmcheck's own configuration; name a cloud.conf with --cloud-config FILE."
        ) from None


def target_releases(
    releases: Sequence[str], consumer: str | None, configured: Sequence[str] = ()
) -> tuple[TargetRelease, ...]:
    """The releases that options or the configuration name; empty where neither does.

    Raises:
        WrongUse: There is no such release or consumer.
    """
    from ccmcheck import catalog
    from ccmcheck.conf.target_release import TargetRelease

    if consumer is not None and consumer not in catalog.CONSUMERS:
        raise WrongUse(f"There is no consumer `{consumer}`.", f"There are {', '.join(catalog.CONSUMERS)}.")
    reader = consumer or "ccm"
    names = tuple(releases) or tuple(configured)
    source = "--release" if releases else "the configuration"
    if not names:
        return (TargetRelease(reader, catalog.newest(reader), "the newest"),) if consumer and consumer != "ccm" else ()
    found = dict.fromkeys(catalog.release(name, reader) for name in names)
    return tuple(TargetRelease(reader, release, source) for release in found)


def readers(
    reader: str | None, releases: Sequence[str], consumer: str | None, configured: Sequence[str]
) -> tuple[TargetRelease, ...]:
    """Who reads a file: ``--reader ccm@release-1.31``, or ``--release`` and ``--consumer``, or the newest CCM.

    Raises:
        WrongUse: There is no such release or consumer, or it is named twice.
    """
    from ccmcheck import catalog
    from ccmcheck.conf.target_release import TargetRelease

    if reader is not None:
        if releases or consumer:
            raise WrongUse("--reader names consumer and release at once; leave out --release and --consumer.")
        name, release = catalog.reader(reader)
        return (TargetRelease(name, release, "--reader"),)
    named = target_releases(releases, consumer, configured if consumer in (None, "ccm") else ())
    return named or (TargetRelease("ccm", catalog.newest(), "the newest"),)


def one_release(releases: Sequence[str], configured: Sequence[str] = ()) -> str | None:
    """The release where a command takes one; None where neither options nor the configuration name one.

    Raises:
        WrongUse: Several are given.
    """
    if len(set(releases)) > 1:
        raise WrongUse("This command takes one --release.")
    return next(iter((*releases, *configured)), None)


def variables(arguments: Sequence[str], files: Sequence[str], configured: Mapping[str, str]) -> dict[str, str]:
    """The values of template variables: the command line wins over files, files over the configuration.

    Raises:
        WrongUse: A file that is not there, or an argument without ``=``.
    """
    values = dict(configured)
    for path in files:
        from ccmcheck.base.open_input import read_text
        from ccmcheck.carriers.variables_file import read_variables

        try:
            values.update(read_variables(read_text(path, pipe=True), path))
        except InputError as error:
            raise WrongUse(f"--env-file {path} cannot be read: {error.message}") from None
        except OSError as error:
            raise WrongUse(f"--env-file {path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise WrongUse(f"--env-file {path} is not UTF-8") from None
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name:
            raise WrongUse("--var needs a name and a value with `=` between them", "Write --var NAME=VALUE.")
        values[name] = value
    return values


def refuse_rules(patterns: Sequence[str]) -> None:
    """Refuse rules where ``--exclude`` takes paths.

    Raises:
        WrongUse: One is a rule or a group.
    """
    if not patterns:
        return
    from ccmcheck.lint.selection import RULE_NAMES
    from ccmcheck.rules import GROUPS

    for pattern in patterns:
        named = names((pattern,))
        if named and all(name in RULE_NAMES or name in GROUPS for name in named) and not os.path.exists(pattern):
            raise WrongUse(f"--exclude takes paths, and `{pattern}` is a rule.", f"Write --ignore {pattern}.")


def check_versions(kubernetes: str, octavia_release: str) -> None:
    """Check the versions of what is around the CCM.

    Args:
        kubernetes: The cluster's Kubernetes version; empty when not given.
        octavia_release: The cloud's Octavia release; likewise.

    Raises:
        WrongUse: One is not a version.
    """
    if kubernetes:
        from ccmcheck.catalog.behaviour import minor_of

        if minor_of(kubernetes) is None:
            raise WrongUse(f"`{kubernetes}` is not a Kubernetes version", "Write it as 1.31 or v1.31.2.")
    if octavia_release:
        from ccmcheck.catalog import octavia

        if not octavia.series_of(octavia_release):
            raise WrongUse(
                f"`{octavia_release}` is not a known Octavia release",
                "Write a series such as yoga or 2024.1, or a version such as 14.0.0.",
            )


class RunArguments(Protocol):
    """What every command that runs rules takes."""

    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102 - named as the options are
    @property
    def inputs(self) -> InputArguments: ...  # noqa: D102
    @property
    def releases(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def consumer(self) -> str | None: ...  # noqa: D102
    @property
    def kubernetes_version(self) -> str: ...  # noqa: D102
    @property
    def octavia_release(self) -> str: ...  # noqa: D102
    @property
    def nodes(self) -> int | None: ...  # noqa: D102


def run_options(
    arguments: RunArguments,
    inputs: Inputs,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    diff_base: str = "",
    profiles: Standards | None = None,
    base: BaseRevision | None = None,
) -> RunOptions:
    """Everything that a run of the rules needs.

    Raises:
        WrongUse: A name that does not exist, or a profile that cannot be read.
    """
    from ccmcheck.base.cluster_facts import ClusterFacts, merge
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.lint.engine import Settings
    from ccmcheck.lint.runner import RunOptions
    from ccmcheck.lint.selection import severities
    from ccmcheck.lint.suppress import PathIgnores

    config = inputs.config
    standards = profiles if profiles is not None and profiles.names else load_profiles(config.profile)
    settings = Settings(
        judged=target_releases(arguments.releases, arguments.consumer, config.release),
        severities=severities(select, ignore, config.severity),
        find=inputs.find,
        path_ignores=PathIgnores(config.per_path_ignores),
        root=config.root,
        base=base,
    )
    options = ClusterFacts(
        octavia_release=arguments.octavia_release,
        kubernetes_version=arguments.kubernetes_version,
        nodes=arguments.nodes,
    )
    facts = merge(options, config.facts, standards.facts)
    check_versions(facts.kubernetes_version, facts.octavia_release)
    max_size = inputs.discover.max_size
    return RunOptions(
        settings=settings,
        discover=inputs.discover._replace(diff_base=diff_base),
        run_context=RunContext(requirements=standards.requirements, facts=facts),
        stdin=sys.stdin.buffer.read(max_size + 1) if STDIN in arguments.paths else b"",
        stdin_name=inputs.stdin_name,
    )


def names(arguments: Sequence[str]) -> tuple[str, ...]:
    """Names that may be given by several options or separated by commas."""
    return tuple(name.strip() for argument in arguments for name in argument.split(",") if name.strip())
