"""The options of a run of the rules: those of the command line win over each file's configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.options import STDIN, Given, load_profiles
from ccmcheck.cli.resolve import CommandInputs, check_versions, target_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.baseline import Baseline
    from ccmcheck.lint.run_options import FileOptions, RunOptions
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config
    from ccmcheck.workspace.deployment.build import ChosenDeployments


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
        select: ``--select``.
        ignore: ``--ignore``.
        profiles: ``--profile``.
        base: The revision of ``--config-from``.
        suppress: False to show what is suppressed.
        only_fixes: Whether rules are selected for fixes alone.
        live: What a running cluster says about itself; it wins over configurations and profiles.
        chosen: ``--deployment``.
    """

    def __init__(
        self,
        arguments: Given,
        inputs: CommandInputs,
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        profiles: Standards | None = None,
        base: BaseRevision | None = None,
        suppress: bool = True,
        only_fixes: bool = False,
        live: Live | None = None,
        chosen: ChosenDeployments | None = None,
    ) -> None:
        self._arguments = arguments
        self._inputs = inputs
        self._select = select
        self._ignore = ignore
        self._profiles = profiles if profiles is not None and profiles.names else None
        self._base = base
        self._suppress = suppress
        self._only_fixes = only_fixes
        self._live = live or Live()
        self._chosen = chosen
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
        standards = self._profiles or load_profiles(config.profile)
        select, ignore = self._select or config.select, (*config.ignore, *self._ignore)
        off = severities(select, ignore, {}) if self._only_fixes else {}
        settings = Settings(
            judged=self._judged(config),
            severities=severities((), (), config.severity)
            if self._only_fixes
            else severities(select, ignore, config.severity),
            find=self._inputs.find_of(path),
            suppress=self._suppress,
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


def run_options(
    arguments: Given, inputs: CommandInputs, options_of: ConfiguredOptions, *, diff_base: str = ""
) -> RunOptions:
    """Everything that a run of the rules needs.

    Args:
        arguments: What the command takes.
        inputs: The configurations.
        options_of: The options of each file.
        diff_base: ``--diff-base``.

    Raises:
        WrongUse: A name that does not exist, or a profile that cannot be read.
    """
    from ccmcheck.lint.run_options import RunOptions

    options_of(inputs.stdin_name)  # what is wrong with the options is said before a file is read
    return RunOptions(
        options_of=options_of,
        discover=inputs.discover._replace(diff_base=diff_base),
        stdin=inputs.stdin if STDIN in arguments.paths else b"",
        stdin_name=inputs.stdin_name,
    )
