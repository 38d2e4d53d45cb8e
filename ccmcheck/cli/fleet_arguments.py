"""The arguments of ``cluster fleet``, and the options of the rules for each of its clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.base.model import Severity
    from ccmcheck.cli.options import InputArguments, OutputArguments
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.cli.run_options import Live
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.run_options import RunOptions

PLACE = "cluster"
"""Stands for all objects where ccmcheck's own configuration is looked for: that of the current folder."""


class FleetArguments(NamedTuple):
    """The arguments that say nothing of the clusters; see `ccmcheck.cli.cluster_fleet`."""

    inputs: InputArguments
    outputs: OutputArguments
    ccm_namespaces: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    releases: tuple[str, ...]
    consumer: str | None
    kubernetes_version: str
    octavia_release: str
    nodes: int | None
    profiles: tuple[str, ...]
    fail_on: Severity | None
    details: tuple[str, ...]
    max_clusters: int | None
    exit_zero: bool
    jobs: int | None
    quiet: bool
    verbose: int
    paths: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """What decides the records, for a run that goes on with those of another."""
        from hashlib import sha256

        from ccmcheck import __version__

        decisive = (
            __version__, self.ccm_namespaces, self.select, self.ignore, self.releases, self.consumer,
            self.kubernetes_version, self.octavia_release, self.nodes, self.profiles,
        )  # fmt: skip
        return sha256(repr(decisive).encode()).hexdigest()[:16]


class FleetJudge:
    """The options of the rules for each cluster: those of the command line, then what the cluster says of itself.

    Args:
        arguments: The arguments.
        inputs: ccmcheck's own configuration.

    Raises:
        WrongUse: Something is wrong with the options.
    """

    def __init__(self, arguments: FleetArguments, inputs: Inputs) -> None:
        from ccmcheck.cli.options import load_profiles

        self._arguments = arguments
        self._inputs = inputs
        self._profiles = load_profiles(arguments.profiles)
        self._options(None)  # what is wrong with the options is said before anything is asked

    def __call__(self, facts: ClusterFacts, judged: tuple[TargetRelease, ...]) -> tuple[RunOptions, ClusterFacts]:
        """See `ccmcheck.cluster.fleet.examine.Judge`."""
        from ccmcheck.cli.run_options import Live

        return self._options(Live(facts, judged))

    def _options(self, live: Live | None) -> tuple[RunOptions, ClusterFacts]:
        from ccmcheck.cli.resolve import names
        from ccmcheck.cli.run_options import ConfiguredOptions
        from ccmcheck.lint.run_options import RunOptions

        arguments = self._arguments
        of_place = ConfiguredOptions(
            arguments,
            self._inputs,
            select=names(arguments.select),
            ignore=names(arguments.ignore),
            profiles=self._profiles,
            live=live,
        )(PLACE)
        return RunOptions(options_of=lambda _: of_place, jobs=1, tell_unjudged=False), of_place.facts
