"""Which clusters a fleet is, and how they are read: the options of ``ccmcheck cluster fleet``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cluster_access import IN_CLUSTER, KUBECONFIG
from ccmcheck.cli.command import CLUSTER, Function, as_record, option
from ccmcheck.cli.fleet_output import FleetOutputArguments
from ccmcheck.cli.given import texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.cli.run_options import Live
    from ccmcheck.cluster.access.kubeconfig import Trust
    from ccmcheck.cluster.fleet.connection import FleetConnection
    from ccmcheck.cluster.fleet.targets import Shard
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.run_options import RunOptions


def _seconds(name: str, between: tuple[float, float], default: int, what: str) -> Callable[[Function], Function]:
    return option(
        name, type=click.FloatRange(*between), default=float(default), metavar="S", help=f"{what} Default: {default}."
    )


class FleetAccess(NamedTuple):
    """Where the clusters are; see `fleet_access_options`."""

    contexts: tuple[str, ...] = ()
    all_contexts: bool = False
    kubeconfig: str = ""
    kubeconfig_dir: str = ""
    management: bool = False
    management_only: bool = False
    in_cluster: bool = False
    cluster_namespaces: tuple[str, ...] = ()
    selector: str = ""
    exec_policy: str | None = None
    exec_plugins: tuple[str, ...] = ()
    exec_timeout: float = 30.0


fleet_access_options = as_record(
    "access",
    FleetAccess,
    option(
        "--context",
        "contexts",
        multiple=True,
        metavar="C",
        help="Context of the kubeconfig; repeatable. With --management, that of the management cluster.",
    ),
    option("--all-contexts", is_flag=True, help="All contexts of the kubeconfigs."),
    KUBECONFIG,
    option("--kubeconfig-dir", default="", metavar="DIR", help="The current context of each kubeconfig in a folder."),
    option("--management", is_flag=True, help="The Clusters of a Cluster API management cluster, by their Secrets."),
    option("--management-only", is_flag=True, help="The same without access to them: what the management side says."),
    IN_CLUSTER,
    option("--namespace", "cluster_namespaces", multiple=True, metavar="N", help="Namespace of Clusters; repeatable."),
    option("--selector", default="", metavar="LABELS", help="Label selector of Clusters: team=a,stage!=dev."),
    option(
        "--exec-policy",
        type=click.Choice(["DenyAll", "Allowlist", "AllowAll"]),
        help="What kubeconfigs may make this machine do. Default: DenyAll for those of Secrets and --kubeconfig-dir, "
        "AllowAll for your own.",
    ),
    option(
        "--exec-plugin",
        "exec_plugins",
        multiple=True,
        metavar="'NAME ARG…'",
        help="Exec plug-in that Allowlist allows, with its arguments, which may have *.",
    ),
    _seconds("--exec-timeout", (1, 600), 30, "How long an exec plug-in may take."),
)
"""Gives the command ``access``, a `FleetAccess`."""


class FleetLimits(NamedTuple):
    """How much is done at once, and how long it may take; see `fleet_limit_options`."""

    at_once: int = 32
    timeout: float = 10.0
    cluster_timeout: float = 120.0
    shard: str = ""
    resume: str = ""


fleet_limit_options = as_record(
    "limits",
    FleetLimits,
    option(
        "--at-once",
        type=click.IntRange(1, 1000),
        default=32,
        metavar="N",
        help="Clusters that are read at the same time. Default: 32.",
    ),
    _seconds("--timeout", (0.1, 600), 10, "How long to wait for an answer."),
    _seconds("--cluster-timeout", (0.1, 86_400), 120, "How long to read one cluster."),
    option(
        "--shard",
        default="",
        metavar="I/N",
        help="Only the I-th of N parts, from 0; N alone takes I from JOB_COMPLETION_INDEX.",
    ),
    option("--resume", default="", metavar="FILE", help="Keep results in this file, and go on where a run ended."),
)
"""Gives the command ``limits``, a `FleetLimits`."""


def check(access: FleetAccess) -> FleetAccess:
    """The options, where they fit together.

    Raises:
        WrongUse: They name no cluster, or contradict each other.
    """
    if access.management_only:
        access = access._replace(management=True)
    if access.management and (access.all_contexts or access.kubeconfig_dir or len(access.contexts) > 1):
        raise WrongUse(
            "--management reads the Clusters of one management cluster",
            "Leave out --all-contexts, --kubeconfig-dir and further --context.",
        )
    if not access.management:
        for name, value in (("--selector", access.selector), ("--namespace", access.cluster_namespaces)):
            if value:
                raise WrongUse(f"{name} is about the Clusters of a management cluster", "Add --management.")
        if access.in_cluster:
            raise WrongUse("--in-cluster is about the management cluster", "Add --management.")
        if not (access.contexts or access.all_contexts or access.kubeconfig_dir):
            raise WrongUse(
                "no cluster is named",
                "Write --context for each, --all-contexts, --kubeconfig-dir DIR, or --management.",
            )
    if access.kubeconfig_dir and access.contexts:
        raise WrongUse("--kubeconfig-dir takes the current context of each file", "Leave out --context.")
    if access.in_cluster and (access.contexts or access.kubeconfig):
        raise WrongUse("--in-cluster uses no kubeconfig", "Leave out --context and --kubeconfig.")
    if access.exec_plugins and access.exec_policy != "Allowlist":
        raise WrongUse("--exec-plugin lists what --exec-policy Allowlist allows", "Add --exec-policy Allowlist.")
    return access


def trust_of(access: FleetAccess) -> Trust:
    """What the kubeconfigs may ask for: the user's own everything, those of others nothing.

    Raises:
        WrongUse: ``--exec-plugin`` is empty, or has a quote without its other one.
    """
    import shlex

    from ccmcheck.cluster.access.kubeconfig import ALLOW_ALL, DENY_ALL, Trust

    own = not access.management and not access.kubeconfig_dir
    try:
        plugins = tuple(tuple(shlex.split(words)) for words in access.exec_plugins)
    except ValueError as error:
        raise WrongUse(f"--exec-plugin cannot be split into words: {str(error).lower()}") from None
    if not all(plugins):
        raise WrongUse("--exec-plugin is empty", "Write the program's name, then its arguments.")
    return Trust(access.exec_policy or (ALLOW_ALL if own else DENY_ALL), plugins, access.exec_timeout)


def open_management(access: FleetAccess) -> tuple[FleetConnection, str]:
    """A connection to the management cluster, and the context's name; empty inside of it.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.access.kubeconfig import ALLOW_ALL, Trust
    from ccmcheck.cluster.fleet.connection import FleetConnection
    from ccmcheck.cluster.fleet.files import own_credentials, pod_credentials

    if access.in_cluster:
        return FleetConnection(pod_credentials()), ""
    trust = Trust(ALLOW_ALL, seconds=access.exec_timeout)  # the user's own kubeconfig does what it does for kubectl
    name = access.contexts[0] if access.contexts else ""
    credentials, context = own_credentials(access.kubeconfig, name, trust)
    return FleetConnection(credentials), context


def shard(limits: FleetLimits) -> Shard:
    """The part of the fleet that this run is about.

    Raises:
        WrongUse: The option is wrong.
    """
    from ccmcheck.cluster.fleet.targets import Shard, shard_of

    return shard_of(limits.shard, os.environ.get("JOB_COMPLETION_INDEX")) if limits.shard else Shard()


PLACE = "cluster"
"""Stands for all objects where ccmcheck's own configuration is looked for: that of the current folder."""


class FleetArguments(FleetOutputArguments):
    """The arguments that say nothing of the clusters."""

    ccm_namespaces = texts("--ccm-namespace", "N", "Namespace of the CCM; repeatable. Default: kube-system.", CLUSTER)

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

    def __init__(self, arguments: FleetArguments, inputs: CommandInputs) -> None:
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
