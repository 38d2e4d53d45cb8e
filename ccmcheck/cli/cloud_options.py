"""The options that say what the cloud and the cluster are like, shared by all commands that predict."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.profile import TOPOLOGIES
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.options import SizeType, check_versions, profile_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.predict.inputs.cloud import Cloud
    from ccmcheck.predict.inputs.manifests import Gathered


class CloudArguments(NamedTuple):
    """What these options give; see below."""

    octavia_release: str
    ovn_octavia_release: str
    kubernetes_version: str
    cluster_name: str | None
    nodes: int | None
    replicas: int | None
    topology: str | None
    monitor_quota: int | None
    monitors_used: int | None
    profiles: Standards

    @property
    def is_silent(self) -> bool:
        """Whether none of them is given."""
        return not any(self[:3]) and all(one is None for one in self[3:9]) and not self.profiles.names


def cloud_options(command: Callable[..., int]) -> Callable[..., int]:
    """``--octavia-release`` … ``--profile``, and how files are read: ``--template``, ``--max-size``.

    The command gets the former as one, ``cloud``, a `CloudArguments`.
    """

    @wraps(command)
    def gathered(**options: Any) -> int:  # noqa: ANN401 - click hands over what the command's arguments declare
        cloud = CloudArguments(**{name: options.pop(name) for name in CloudArguments._fields})
        return command(cloud=cloud, **options)

    taking: Callable[..., int] = gathered
    for option in reversed(
        (
            click.option(
                "--octavia-release", metavar="R", default="", help="Octavia's series or version, 2024.1 or 14.0.0."
            ),
            click.option(
                "--ovn-octavia-release", metavar="R", default="", help="ovn-octavia-provider's series or version."
            ),
            click.option("--kubernetes-version", metavar="V", default="", help="The cluster's Kubernetes version."),
            click.option(
                "--cluster-name",
                metavar="NAME",
                help="The CCM's --cluster-name. Default: from its workload, else kubernetes.",
            ),
            click.option(
                "--nodes",
                type=click.IntRange(0, 10_000),
                metavar="N",
                help="How many nodes there are. Default: the Nodes among the files.",
            ),
            click.option(
                "--replicas",
                type=click.IntRange(0),
                metavar="N",
                help="How many pods each Service has. Default: from the workloads among the files.",
            ),
            click.option("--topology", type=click.Choice(list(TOPOLOGIES)), help="Octavia's loadbalancer_topology."),
            click.option(
                "--monitor-quota",
                type=click.IntRange(-1),
                metavar="N",
                help="How many health monitors the project may have.",
            ),
            click.option(
                "--monitors-used",
                type=click.IntRange(0),
                metavar="N",
                help="How many it has already, besides those of the Services here.",
            ),
            click.option("--template/--final", default=None, help="Whether something still renders the files later."),
            click.option("--max-size", type=SizeType(), help="Do not read files above this size. Default: 10MiB."),
        )
    ):
        taking = option(taking)
    return profile_options("Take what this profile tells of the cloud; several may be given.")(taking)


def check_cloud(given: CloudArguments) -> None:
    """Check the names of releases.

    Args:
        given: What was typed.

    Raises:
        WrongUse: There is no such release.
    """
    from ccmcheck.catalog import octavia

    check_versions(given.kubernetes_version, given.octavia_release)
    if given.ovn_octavia_release and octavia.ovn_has("monitors", given.ovn_octavia_release) is None:
        raise WrongUse(
            f"`{given.ovn_octavia_release}` is no release of ovn-octavia-provider that is known",
            "Write a version such as 7.0.1, or a series such as 2024.2.",
        )


def nodes_of(given: CloudArguments) -> int | None:
    """How many nodes there are, as options tell, or else profiles; None when unknown."""
    return given.nodes if given.nodes is not None else given.profiles.facts.nodes


def surroundings(
    given: CloudArguments, objects: Sequence[KubernetesObject], pods: Sequence[CcmPod]
) -> tuple[Gathered, Cloud]:
    """What files hold of a cluster, and the cloud around it, as far as options, files and profiles tell.

    Args:
        given: What was typed; it wins.
        objects: What the files hold.
        pods: The CCM's workloads among them.
    """
    from ccmcheck.predict.inputs.manifests import gather

    gathered = gather(objects, nodes_of(given))
    if given.replicas is not None:
        # so many pods and no more, also where the files have one on every node
        counted = (
            met._replace(service=met.service._replace(replicas=given.replicas, everywhere=False))
            for met in gathered.services
        )
        gathered = gathered._replace(services=tuple(counted))
    return gathered, _cloud(given, gathered, pods)


def remarks(given: CloudArguments, gathered: Gathered) -> list[str]:
    """What there is to say of the nodes.

    Args:
        given: What was typed.
        gathered: What the files hold.
    """
    found = [f"node {text}: not handed to the CCM" for text in gathered.left_out]
    if given.nodes is not None and gathered.nodes and given.nodes != len(gathered.nodes):
        found.append(f"--nodes {given.nodes} is passed over: the files hold {len(gathered.nodes)} Nodes")
    return found


def _cloud(given: CloudArguments, gathered: Gathered, pods: Sequence[CcmPod]) -> Cloud:
    from ccmcheck.predict.inputs.cloud import told_by
    from ccmcheck.workspace.gathering import stand_ins

    known = told_by(given.profiles.facts)
    count = nodes_of(given)
    named = next((pod.cluster_name for pod in pods if pod.cluster_name), "")
    return known._replace(
        cluster=given.cluster_name or named or known.cluster,
        nodes=gathered.nodes or (None if count is None else stand_ins(count)),
        node_count=None,
        octavia=given.octavia_release or known.octavia,
        ovn=given.ovn_octavia_release or known.ovn,
        kubernetes=given.kubernetes_version or known.kubernetes,
        topology=TOPOLOGIES.get(given.topology or "", known.topology),
        monitor_quota=given.monitor_quota if given.monitor_quota is not None else known.monitor_quota,
        monitors_used=given.monitors_used if given.monitors_used is not None else known.monitors_used,
    )
