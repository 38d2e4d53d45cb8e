"""The options of a run of the rules: those of the command line win over each file's configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.input_files import chosen
from ccmcheck.cli.options import STDIN, Given, load_profiles
from ccmcheck.cli.resolve import CommandInputs, check_versions, names, target_releases

if TYPE_CHECKING:
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.baseline import Baseline
    from ccmcheck.lint.run_options import FileOptions, RunOptions
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config


class Live(NamedTuple):
    """What a running cluster says about itself.

    Attributes:
        facts: Its version and its nodes.
        judged: The releases of its CCMs, as far as they are known.
    """

    facts: ClusterFacts = NO_FACTS
    judged: tuple[TargetRelease, ...] = ()


class ConfiguredOptions:
    """The options of each file: those of the command line, which win, and those of its configuration.

    Args:
        arguments: What the command takes.
        inputs: The configurations.
        base: The revision of ``--config-from``.
        only_fixes: Whether rules are selected for fixes alone.
        live: What a running cluster says about itself; it wins over configurations and profiles.

    Raises:
        WrongUse: There is no profile or no deployment of a name.
        BadConfiguration: A profile cannot be used.
    """

    def __init__(
        self,
        arguments: Given,
        inputs: CommandInputs,
        *,
        base: BaseRevision | None = None,
        only_fixes: bool = False,
        live: Live | None = None,
    ) -> None:
        self._arguments = arguments
        self._inputs = inputs
        self._base = base
        self._only_fixes = only_fixes
        self._live = live or Live()
        if base is not None and not arguments.quiet:
            _say_what_is_outside(arguments, base)
        self._profiles = arguments.standards
        self._chosen = chosen(arguments, inputs)
        self._known: dict[int, tuple[Config, FileOptions]] = {}
        self._baselines: dict[str, Baseline] = {}

    def __call__(self, path: str) -> FileOptions:
        """The options of a file; the same object for the same configuration.

        Raises:
            WrongUse: A name that does not exist, or a profile that cannot be read.
        """
        config = self._inputs.of(path)
        known = self._known.get(id(config))
        if known is None:
            # the configuration is kept, so that no other one gets its id
            known = self._known[id(config)] = (config, self._made(config, path))
        return known[1]

    def baseline(self, path: str) -> Baseline | None:
        """The baseline of a file, as its configuration says.

        Raises:
            BadConfiguration: It cannot be read.
        """
        name = self._inputs.of(path).baseline
        if name is None:
            return None
        if name not in self._baselines:
            from ccmcheck.lint.baseline import load

            self._baselines[name] = load(name)
        return self._baselines[name]

    def _judged(self, config: Config) -> tuple[TargetRelease, ...]:
        """The releases to judge by: an option's, else those that run, else the configuration's."""
        arguments = self._arguments
        if self._live.judged and not arguments.releases and arguments.consumer in (None, "ccm"):
            return self._live.judged
        return target_releases(arguments.releases, arguments.consumer, config.release)

    def _made(self, config: Config, path: str) -> FileOptions:
        from ccmcheck.lint.run_options import FileOptions
        from ccmcheck.lint.selection import severities
        from ccmcheck.lint.settings import Settings
        from ccmcheck.lint.suppress import PathIgnores

        arguments = self._arguments
        standards = self._profiles if self._profiles.names else load_profiles(config.profile)
        select, ignore = names(arguments.select) or config.select, (*config.ignore, *names(arguments.ignore))
        off = severities(select, ignore, {}) if self._only_fixes else {}
        settings = Settings(
            judged=self._judged(config),
            severities=severities((), (), config.severity)
            if self._only_fixes
            else severities(select, ignore, config.severity),
            find=self._inputs.find_of(path),
            suppress=not arguments.no_suppress,
            path_ignores=PathIgnores(config.per_path_ignores),
            root=config.root,
            base=self._base,
            chosen=self._chosen,
        )
        options = ClusterFacts(
            octavia_release=arguments.octavia_release,
            kubernetes_version=arguments.kubernetes_version,
            nodes=arguments.nodes,
        )
        facts = merge(options, self._live.facts, config.facts, standards.facts)
        check_versions(facts.kubernetes_version, facts.octavia_release)
        return FileOptions(settings, standards.requirements, facts, lambda rule: rule not in off)


def _say_what_is_outside(arguments: Given, base: BaseRevision) -> None:
    """Name the files of options for which ``--config-from`` cannot hold."""
    from ccmcheck.policy.profiles.standards import BUILT_IN

    named = [("--config", path) for path in (arguments.config_file,) if path]
    named += [("--baseline", path) for path in (arguments.baseline,) if path]
    named += [("--env-file", path) for path in arguments.env_files]
    named += [("--profile", path) for path in arguments.profiles if path not in BUILT_IN]
    for option, path in named:
        if not base.covers(path):
            console.warn(f"{option} {path} is outside of the repository, so it is read as it is")


def run_options(arguments: Given, inputs: CommandInputs, options_of: ConfiguredOptions) -> RunOptions:
    """Everything that a run of the rules needs.

    Args:
        arguments: What the command takes.
        inputs: The configurations.
        options_of: The options of each file.

    Raises:
        WrongUse: A name that does not exist, or a profile that cannot be read.
    """
    from ccmcheck.lint.run_options import RunOptions

    options_of(inputs.stdin_name)  # what is wrong with the options is said before a file is read
    return RunOptions(
        options_of=options_of,
        discover=inputs.discover._replace(diff_base=arguments.diff_base),
        stdin=inputs.stdin if STDIN in arguments.paths else b"",
        stdin_name=inputs.stdin_name,
    )
