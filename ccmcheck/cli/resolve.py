"""Resolves what commands run with: the command line wins over ccmcheck.toml, ccmcheck.toml over profiles."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadConfiguration, InputError, WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.options import STDIN, Given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.target_release import FoundRelease, TargetRelease
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.chart_templates import ChartTemplates
    from ccmcheck.workspace.config import Config, KnownNames
    from ccmcheck.workspace.configurations import Configurations


texts_in_memory: ContextVar[tuple[Mapping[str, str], ...]] = ContextVar("texts_in_memory", default=())
"""What is read in the place of files, by name, where a command is called from Python; two of these for `review`."""


class CommandInputs:
    """What a command that reads files runs with.

    Args:
        arguments: The options.
        paths: What is read.
        configurations: ccmcheck's own configurations.

    Attributes:
        configurations: ccmcheck's own configurations.
        texts: What is read in the place of files, by name.
        discover: Which files are read.
        stdin_name: The name of standard input in messages.
    """

    def __init__(self, arguments: Given, paths: Sequence[str], configurations: Configurations) -> None:
        from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE, DiscoverOptions

        self.configurations = configurations
        self.texts = texts_in_memory.get()
        self.stdin_name = arguments.stdin_filename or "<stdin>"
        self.discover = DiscoverOptions(
            arguments.exclude,
            configurations.of_run.folder,
            max_size=arguments.max_size or DEFAULT_MAX_SIZE,
            max_size_wins=arguments.max_size is not None,
            configurations=configurations,
        )
        self._is_template = arguments.is_template
        self._kubernetes = arguments.kubernetes_version
        check_versions(self._kubernetes, "")
        self._paths = paths
        self._given = variables(arguments.variables, arguments.env_files, {})
        self._find: dict[tuple[str, int], FindOptions] = {}

    @property
    def run(self) -> Config:
        """The configuration at the place of invocation, for what concerns the whole run."""
        return self.configurations.of_run

    @cached_property
    def shared(self) -> Config:
        """The configuration nearest to everything that is read, for commands that look at several files as one."""
        return self.configurations.of_all([self.stdin_name if path == STDIN else path for path in self._paths])

    @cached_property
    def find(self) -> FindOptions:
        """How files are searched by the configuration nearest to all of them."""
        return self._find_options(self.shared)

    @property
    def stdin_limit(self) -> int:
        """The most bytes of standard input."""
        return self.discover.max_size_of(self.stdin_name)

    @cached_property
    def stdin(self) -> bytes:
        """Standard input, one byte more than the limit where it has more; read once."""
        return sys.stdin.buffer.read(self.stdin_limit + 1)

    @property
    def filled_stdin(self) -> bytes:
        """Standard input, where an empty one is no finding but says that what should have filled it failed.

        Raises:
            WrongUse: It is empty.
        """
        if not self.stdin.strip():
            raise WrongUse("Standard input is empty.", "Look at the command that should have written into it.")
        return self.stdin

    def of(self, path: str) -> Config:
        """The configuration of a file; of standard input, by its name."""
        return self.configurations.of(path)

    def find_of(self, path: str) -> FindOptions:
        """How a file is searched."""
        return self._find_options(self.of(path))

    def kubernetes_of(self, path: str) -> str:
        """The version of Kubernetes that the option or the configuration of a file gives; empty for none."""
        version = self._kubernetes or self.of(path).kubernetes_version or ""
        check_versions(version, "")
        return version

    @cached_property
    def _chart_templates(self) -> ChartTemplates:
        """The templates of the charts on the disk, each read once."""
        from ccmcheck.workspace.chart_templates import ChartTemplates

        return ChartTemplates()

    def _find_options(self, config: Config) -> FindOptions:
        limit = self.discover.max_size if self.discover.max_size_wins else config.max_file_size
        key = (config.source, limit or 0)
        find_options = self._find.get(key)
        if find_options is None:
            from ccmcheck.carriers import FindOptions

            find_options = self._find[key] = FindOptions(
                variables={**variables((), config.env_file, config.vars), **self._given},
                named=self._paths,
                template=self._is_template,
                max_unpacked=limit or self.discover.max_size,
                chart_templates=self._chart_templates,
            )
        return find_options


def resolve_inputs(arguments: Given, paths: Sequence[str], base: BaseRevision | None = None) -> CommandInputs:
    """What the options of files and the configurations say together.

    Args:
        arguments: The options.
        paths: What is read.
        base: The revision of ``--config-from``.

    Raises:
        WrongUse: A file of variables cannot be read.
        BadConfiguration: A configuration cannot be used.
    """
    refuse_rules(arguments.exclude)
    found_configurations = configurations(arguments.config_file, arguments.no_config, base)
    return CommandInputs(arguments, paths, found_configurations)


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
        for said in base.ignored_changes():
            console.warn(said)


def _first(paths: Sequence[str]) -> str:
    return next((path for path in paths if path != STDIN), os.curdir)


def known_names() -> KnownNames:
    """The names that configurations may use."""
    from ccmcheck.report import REPORTERS
    from ccmcheck.rules import GROUPS, RULE_NAMES
    from ccmcheck.workspace.config import KnownNames

    return KnownNames(rules=RULE_NAMES, groups=GROUPS, formats=REPORTERS)


def configurations(config_file: str | None, no_config: bool, base: BaseRevision | None = None) -> Configurations:
    """The configurations of one run.

    Args:
        config_file: ``--config``.
        no_config: ``--no-config``.
        base: The revision to look in.

    Raises:
        BadConfiguration: The one that is named cannot be read, or names something that does not exist.
    """
    from ccmcheck.workspace.config import NO_CONFIG
    from ccmcheck.workspace.configurations import Configurations
    from ccmcheck.workspace.find_config import load_file

    if no_config:
        return Configurations(for_all=NO_CONFIG)
    if config_file is None:
        return Configurations(known_names, base=base)
    try:
        return Configurations(for_all=load_file(config_file, known_names(), base=base))
    except BadConfiguration as error:
        if config_file.endswith(".toml"):
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
    from ccmcheck.conf.target_release import NEWEST, TargetRelease

    if consumer is not None and consumer not in catalog.CONSUMERS:
        raise WrongUse(f"There is no consumer `{consumer}`.", f"There are {', '.join(catalog.CONSUMERS)}.")
    reader = consumer or "ccm"
    names = tuple(releases) or tuple(configured)
    source = "--release" if releases else "the configuration"
    if not names:
        return (TargetRelease(reader, catalog.newest(reader), NEWEST),) if consumer and consumer != "ccm" else ()
    found = dict.fromkeys(catalog.release(name, reader) for name in names)
    return tuple(TargetRelease(reader, release, source) for release in found)


def readers(
    reader: str | None,
    releases: Sequence[str],
    consumer: str | None,
    configured: Sequence[str],
    found: Callable[[], FoundRelease] | None = None,
    carried: CarriedConf | None = None,
) -> tuple[TargetRelease, ...]:
    """Who reads a file: ``--reader ccm@release-1.31``, or ``--release`` and ``--consumer``, or what the files say.

    Args:
        reader: ``--reader``.
        releases: ``--release``, each.
        consumer: ``--consumer``.
        configured: What the configuration names.
        found: What the files say, asked where nothing else does; None without files.
        carried: The cloud.conf, which may have another reader than the CCM where no option names one.

    Raises:
        WrongUse: There is no such release or consumer, or it is named twice.
    """
    from ccmcheck import catalog
    from ccmcheck.conf.target_release import NOTHING_FOUND, TargetRelease, own_reader

    if reader is not None:
        if releases or consumer:
            raise WrongUse("--reader names consumer and release at once; leave out --release and --consumer.")
        name, release = catalog.reader(reader)
        return (TargetRelease(name, release, "--reader"),)
    named = target_releases(releases, consumer, configured if consumer in (None, "ccm") else ())
    judged = named or ((found() if found is not None else NOTHING_FOUND).target,)
    return judged if carried is None or consumer else own_reader(carried, judged) or judged


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

    Those with secret names are hidden in every output from now on.

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
    if values:
        from ccmcheck.redact.run_secrets import hide_variables

        hide_variables(values)
    return values


def refuse_rules(patterns: Sequence[str]) -> None:
    """Refuse rules where ``--exclude`` takes paths.

    Raises:
        WrongUse: One is a rule or a group.
    """
    if not patterns:
        return
    from ccmcheck.rules import GROUPS, RULE_NAMES

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


def names(arguments: Sequence[str]) -> tuple[str, ...]:
    """Names that may be given by several options or separated by commas."""
    return tuple(name.strip() for argument in arguments for name in argument.split(",") if name.strip())
