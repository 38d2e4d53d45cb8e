"""Which clusters a fleet is, and how they are read: the options of ``ccmcheck cluster fleet``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli.cluster_access import AccessOptions
from ccmcheck.cli.fleet_output import FleetOutputArguments
from ccmcheck.cli.given import Declared, choice, flag, texts, word
from ccmcheck.cluster.access.kubeconfig import ALLOW_ALL, DENY_ALL, Trust

if TYPE_CHECKING:
    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.cli.run_options import Live
    from ccmcheck.cluster.fleet.connection import FleetConnection
    from ccmcheck.cluster.fleet.targets import Shard
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.run_options import RunOptions


class FleetArguments(AccessOptions, FleetOutputArguments):
    """What `cluster fleet` is told: where the clusters are, how much is done at once, what is judged and shown."""

    contexts = texts()
    all_contexts = flag()
    kubeconfig_dir = word()
    management = flag()
    management_only = flag()
    cluster_namespaces = texts()
    selector = word()
    exec_policy = choice(["DenyAll", "Allowlist", "AllowAll"])
    exec_plugins = texts()
    exec_timeout = Declared(30.0, type=click.FloatRange(1, 600))
    at_once = Declared(32, type=click.IntRange(1, 1000))
    timeout = Declared(10.0, type=click.FloatRange(0.1, 600))
    cluster_timeout = Declared(120.0, type=click.FloatRange(0.1, 86400))
    shard = word()
    resume = word()
    ccm_namespaces = texts()

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


def check(arguments: FleetArguments) -> FleetArguments:
    """The options, where they fit together.

    Raises:
        WrongUse: They name no cluster, or contradict each other.
    """
    if arguments.management_only:
        arguments = arguments.but(management=True)
    if arguments.management and (arguments.all_contexts or arguments.kubeconfig_dir or len(arguments.contexts) > 1):
        raise WrongUse(
            "--management reads the Clusters of one management cluster",
            "Leave out --all-contexts, --kubeconfig-dir and further --context.",
        )
    if not arguments.management:
        for name, value in (("--selector", arguments.selector), ("--namespace", arguments.cluster_namespaces)):
            if value:
                raise WrongUse(f"{name} is about the Clusters of a management cluster", "Add --management.")
        if arguments.in_cluster:
            raise WrongUse("--in-cluster is about the management cluster", "Add --management.")
        if not (arguments.contexts or arguments.all_contexts or arguments.kubeconfig_dir):
            raise WrongUse(
                "no cluster is named",
                "Write --context for each, --all-contexts, --kubeconfig-dir DIR, or --management.",
            )
    if arguments.kubeconfig_dir and arguments.contexts:
        raise WrongUse("--kubeconfig-dir takes the current context of each file", "Leave out --context.")
    if arguments.in_cluster and (arguments.contexts or arguments.kubeconfig):
        raise WrongUse("--in-cluster uses no kubeconfig", "Leave out --context and --kubeconfig.")
    if arguments.exec_plugins and arguments.exec_policy != "Allowlist":
        raise WrongUse("--exec-plugin lists what --exec-policy Allowlist allows", "Add --exec-policy Allowlist.")
    return arguments


def trust_of(arguments: FleetArguments) -> Trust:
    """What the kubeconfigs may ask for: the user's own everything, those of others nothing.

    Raises:
        WrongUse: ``--exec-plugin`` is empty, or has a quote without its other one.
    """
    import shlex

    own = not arguments.management and not arguments.kubeconfig_dir
    try:
        plugins = tuple(tuple(shlex.split(words)) for words in arguments.exec_plugins)
    except ValueError as error:
        raise WrongUse(f"--exec-plugin cannot be split into words: {str(error).lower()}") from None
    if not all(plugins):
        raise WrongUse("--exec-plugin is empty", "Write the program's name, then its arguments.")
    return Trust(arguments.exec_policy or (ALLOW_ALL if own else DENY_ALL), plugins, arguments.exec_timeout)


def open_management(arguments: FleetArguments) -> tuple[FleetConnection, str]:
    """A connection to the management cluster, and the context's name; empty inside of it.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.fleet.connection import FleetConnection
    from ccmcheck.cluster.fleet.files import own_credentials, pod_credentials

    if arguments.in_cluster:
        return FleetConnection(pod_credentials()), ""
    trust = Trust(ALLOW_ALL, seconds=arguments.exec_timeout)  # the user's own kubeconfig does what it does for kubectl
    name = arguments.contexts[0] if arguments.contexts else ""
    credentials, context = own_credentials(arguments.kubeconfig, name, trust)
    return FleetConnection(credentials), context


def shard(arguments: FleetArguments) -> Shard:
    """The part of the fleet that this run is about.

    Raises:
        WrongUse: The option is wrong.
    """
    from ccmcheck.cluster.fleet.targets import Shard, shard_of

    return shard_of(arguments.shard, os.environ.get("JOB_COMPLETION_INDEX")) if arguments.shard else Shard()


PLACE = "cluster"
"""Stands for all objects where ccmcheck's own configuration is looked for: that of the current folder."""


class FleetJudge:
    """The options of the rules for each cluster: those of the command line, then what the cluster says of itself.

    Args:
        arguments: The arguments.
        inputs: ccmcheck's own configuration.

    Raises:
        WrongUse: Something is wrong with the options.
    """

    def __init__(self, arguments: FleetArguments, inputs: CommandInputs) -> None:
        self._arguments = arguments
        self._inputs = inputs
        self._options(None)  # what is wrong with the options is said before anything is asked

    def __call__(self, facts: ClusterFacts, judged: tuple[TargetRelease, ...]) -> tuple[RunOptions, ClusterFacts]:
        """See `ccmcheck.cluster.fleet.examine.Judge`."""
        from ccmcheck.cli.run_options import Live

        return self._options(Live(facts, judged))

    def _options(self, live: Live | None) -> tuple[RunOptions, ClusterFacts]:
        from ccmcheck.cli.run_options import ConfiguredOptions
        from ccmcheck.lint.run_options import RunOptions

        of_place = ConfiguredOptions(self._arguments, self._inputs, live=live)(PLACE)
        return RunOptions(options_of=lambda _: of_place, jobs=1, tell_unjudged=False), of_place.facts
