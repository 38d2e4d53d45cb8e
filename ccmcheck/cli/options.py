"""Options that several commands share, and what they become."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import completion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from click.shell_completion import CompletionItem

    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.runner import RunOptions
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config

Command = TypeVar("Command", bound="Callable[..., Any]")

STDIN = "-"


class SeverityType(click.ParamType[Severity]):
    """A severity by its word."""

    name = "severity"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Severity:
        """Turn the word into the severity."""
        if isinstance(value, Severity):
            return value
        try:
            return Severity[str(value).upper()]
        except KeyError:
            self.fail(f"`{value}` is not one of error, warning, info", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the words."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(severity.word) for severity in Severity if severity.word.startswith(incomplete)]


class SizeType(click.ParamType[int]):
    """A number of bytes, ``10MiB``."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Turn ``10MiB``, ``500kB`` or a plain number into bytes."""
        if isinstance(value, int):
            return value
        from ccmcheck.workspace.config_file import parse_size

        size = parse_size(str(value))
        if size is None:
            self.fail(f"`{value}` is no size; write 500kB or 10MiB", param, ctx)
        return size


def release_options(command: Command) -> Command:
    """``--release``, ``--consumer``."""
    command = click.option(
        "--consumer",
        metavar="NAME",
        shell_complete=completion.consumers,
        help="Who reads the file: ccm (default), cinder-csi-plugin, barbican-kms-plugin, legacy-in-tree.",
    )(command)
    return click.option(
        "--release",
        "releases",
        multiple=True,
        metavar="R",
        shell_complete=completion.releases,
        help="CCM release, 1.31 or v1.31.2; several may be given. "
        "Default: from the CCM's image or chart in the linted files, else the newest.",
    )(command)


def variable_options(command: Command) -> Command:
    """``--var``, ``--env-file``."""
    command = click.option(
        "--env-file",
        "env_files",
        multiple=True,
        metavar="FILE",
        shell_complete=completion.files,
        help="Take the values of template variables from NAME=VALUE lines, or from a clusterctl.yaml.",
    )(command)
    return click.option(
        "--var", "variables", multiple=True, metavar="NAME=VALUE", help="The value of a template variable ${NAME}."
    )(command)


def config_options(command: Command) -> Command:
    """``--config``, ``--no-config``, ``--config-from``, ``--trust-config``."""
    command = click.option(
        "--trust-config",
        is_flag=True,
        help="The configuration may name files outside of its repository, and output files.",
    )(command)
    command = click.option(
        "--config-from",
        metavar="REV",
        help="Take configuration, baseline and suppressions from this revision, such as the base of a pull request.",
    )(command)
    command = click.option("--no-config", is_flag=True, help="Read no configuration file.")(command)
    return click.option(
        "--config",
        "config_file",
        metavar="FILE",
        shell_complete=completion.files,
        help="Use this configuration instead of the nearest ccmcheck.toml.",
    )(command)


def _loaded(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> Standards:
    return load_profiles(names)


def profile_options(words: str) -> Callable[[Command], Command]:
    """``--profile``, read once: it may be a pipe.

    Args:
        words: What the command does by it.
    """
    return click.option(
        "--profile",
        "profiles",
        multiple=True,
        callback=_loaded,
        metavar="NAME|FILE",
        shell_complete=completion.profiles,
        help=f"{words} `ccmcheck profiles` lists those built in.",
    )


@contextmanager
def base_revision(paths: Sequence[str], config_from: str | None) -> Iterator[BaseRevision | None]:
    """The revision of ``--config-from``, which files that configure the run are read from meanwhile.

    Args:
        paths: What is linted; the repository is that of the first path.
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


def load_config(
    paths: Sequence[str],
    config_file: str | None,
    no_config: bool,
    *,
    trusted: bool = False,
    base: BaseRevision | None = None,
) -> Config:
    """The configuration of one run.

    Args:
        paths: What is linted; the nearest configuration is looked for from the first path upward.
        config_file: The file that the user named.
        no_config: True to use none.
        trusted: ``--trust-config``.
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

    if no_config:
        return Config()
    known = Known(rules=RULE_NAMES, groups=GROUPS, formats=REPORTERS, consumers=catalog.CONSUMERS)
    if config_file is not None:
        return load_file(config_file, known, trusted=trusted)
    return load(_first(paths), known, trusted=trusted, base=base)


def load_profiles(names: Sequence[str]) -> Standards:
    """What some profiles ask for together; configobj is only imported where there is one.

    Args:
        names: Built-ins' names, and paths.

    Raises:
        WrongUse: There is none of a name.
        BadConfiguration: One cannot be used.
    """
    from ccmcheck.policy.profiles.standards import NO_STANDARDS

    if not names:
        return NO_STANDARDS
    from ccmcheck.policy.profiles.loading import load_all

    return load_all(names)


def judged(releases: Sequence[str], consumer: str | None, configured: Sequence[str] = ()) -> tuple[TargetRelease, ...]:
    """The releases to judge by, where the user or the configuration names any.

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


def variables(given: Sequence[str], files: Sequence[str], configured: Mapping[str, str]) -> dict[str, str]:
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
    for argument in given:
        name, equals, value = argument.partition("=")
        if not equals or not name:
            raise WrongUse(f"--var `{name}` has no value", "Write --var NAME=VALUE.")
        values[name] = value
    return values


def cluster_options(command: Command) -> Command:
    """``--template``, ``--kubernetes-version``, ``--octavia-release``, ``--nodes``, ``--max-size``."""
    for option in (
        click.option("--max-size", type=SizeType(), help="Do not read files above this size. Default: 10MiB."),
        click.option("--nodes", type=click.IntRange(0), metavar="N", help="The cluster's node count, for rules."),
        click.option("--octavia-release", metavar="R", help="The cloud's Octavia release, where a rule asks."),
        click.option("--kubernetes-version", metavar="V", help="The cluster's Kubernetes version, where a rule asks."),
        click.option("--template/--final", default=None, help="Whether something still renders the files later."),
    ):
        command = option(command)
    return command


class RunArguments(Protocol):
    """What every command that looks through a tree is given; see the options above."""

    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102 - named as the options are
    @property
    def releases(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def consumer(self) -> str | None: ...  # noqa: D102
    @property
    def variables(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def env_files(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def template(self) -> bool | None: ...  # noqa: D102
    @property
    def kubernetes_version(self) -> str | None: ...  # noqa: D102
    @property
    def octavia_release(self) -> str | None: ...  # noqa: D102
    @property
    def nodes(self) -> int | None: ...  # noqa: D102
    @property
    def max_size(self) -> int | None: ...  # noqa: D102
    @property
    def stdin_filename(self) -> str | None: ...  # noqa: D102


def check_versions(kubernetes: str, octavia_release: str) -> None:
    """Check the versions of what is around the CCM.

    Args:
        kubernetes: The cluster's Kubernetes version; empty when not given.
        octavia_release: The cloud's Octavia release; empty when not given.

    Raises:
        WrongUse: One is no version.
    """
    if kubernetes:
        from ccmcheck.catalog.behaviour import minor_of

        if minor_of(kubernetes) is None:
            raise WrongUse(f"`{kubernetes}` is no version of Kubernetes", "Write it as 1.31 or v1.31.2.")
    if octavia_release:
        from ccmcheck.catalog import octavia

        if not octavia.series_of(octavia_release):
            raise WrongUse(
                f"`{octavia_release}` is no release of Octavia that is known",
                "Write a series such as yoga or 2024.1, or a version such as 14.0.0.",
            )


def run_options(
    given: RunArguments,
    config: Config,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    exclude: Sequence[str] = (),
    diff_base: str = "",
    profiles: Standards | None = None,
    base: BaseRevision | None = None,
) -> RunOptions:
    """Everything a run needs, from the command line first, the configuration second, and profiles last.

    Raises:
        WrongUse: A name that does not exist, or a file of variables or a profile that cannot be read.
    """
    from ccmcheck.base.cluster_facts import ClusterFacts, merge
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import Bundle
    from ccmcheck.lint.engine import Settings
    from ccmcheck.lint.runner import RunOptions
    from ccmcheck.lint.selection import severities
    from ccmcheck.lint.suppress import PathIgnores
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE, DiscoverOptions

    standards = profiles if profiles is not None and profiles.names else load_profiles(config.profile)
    max_size = given.max_size or config.max_file_size or DEFAULT_MAX_SIZE
    values = variables(given.variables, (*config.env_file, *given.env_files), config.vars)
    settings = Settings(
        judged=judged(given.releases, given.consumer, config.release),
        severities=severities(select, ignore, config.severity),
        find=FindOptions(variables=values, template=given.template, max_unpacked=max_size),
        path_ignores=PathIgnores(config.per_path_ignores),
        root=config.root,
        base=base,
    )
    options = ClusterFacts(
        octavia_release=given.octavia_release or "",
        kubernetes_version=given.kubernetes_version or "",
        nodes=given.nodes,
    )
    facts = merge(options, config.facts, standards.facts)
    check_versions(facts.kubernetes_version, facts.octavia_release)
    return RunOptions(
        settings=settings,
        discover=DiscoverOptions((*config.exclude, *exclude), config.root, diff_base, max_size),
        bundle=Bundle(requirements=standards.requirements, facts=facts),
        stdin=sys.stdin.buffer.read(max_size + 1) if STDIN in given.paths else b"",
        stdin_name=given.stdin_filename or "<stdin>",
    )


def names(given: Sequence[str]) -> tuple[str, ...]:
    """Names that may be given by several options or separated by commas."""
    return tuple(name.strip() for argument in given for name in argument.split(",") if name.strip())
