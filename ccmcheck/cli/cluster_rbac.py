"""``ccmcheck cluster rbac``: the roles that the requests of the commands about a running cluster need."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import NAMESPACE
from ccmcheck.cli.command import Command, option, options
from ccmcheck.render.rights import RIGHTS, Named, WantedRights, manifests

CLUSTERS = option(
    "--cluster",
    "clusters",
    multiple=True,
    metavar="N/NAME",
    help="For fleet: a Cluster whose kubeconfig Secret may be read; repeatable.",
)
RESOURCES = option(
    "--resource",
    "resources",
    multiple=True,
    metavar="N/NAME",
    help="For fleet: a Secret or ConfigMap that a ClusterResourceSet applies; repeatable.",
)


def names_in_namespaces(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """``NAMESPACE/NAME`` as pairs.

    Raises:
        WrongUse: One is something else.
    """
    found = []
    for text in texts:
        namespace, slash, name = text.partition("/")
        if not slash or not namespace or not name or "/" in name:
            raise WrongUse(f"`{text}` is not NAMESPACE/NAME", "Write clusters/prod-a.")
        found.append((namespace, name))
    return tuple(found)


@click.command(
    "rbac",
    cls=Command,
    short_help="Print the roles that a command needs.",
    examples=(
        ("ccmcheck cluster rbac --secret cloud-config | kubectl apply -f -", "Create the service account"),
        ("ccmcheck cluster rbac --for lint --config-map cloud.conf", "Where the cloud.conf is in a ConfigMap"),
        ("ccmcheck cluster rbac --for fleet --cluster clusters/prod-a", "In a management cluster of Cluster API"),
    ),
)
@options(
    option(
        "--for",
        "commands",
        multiple=True,
        type=click.Choice(list(RIGHTS)),
        metavar="COMMAND",
        help=f"{', '.join(RIGHTS)}; repeatable. Default: lint.",
    ),
    NAMESPACE,
    option("--secret", metavar="NAME", help="Secret of the cloud.conf. Default: cloud-config."),
    option("--config-map", metavar="NAME", help="ConfigMap of the cloud.conf, where it is in one."),
    option("--workload", default=CCM, metavar="NAME", help=f"The CCM's DaemonSet or Deployment. Default: {CCM}."),
    CLUSTERS,
    RESOURCES,
    option("--account-namespace", metavar="N", help="Namespace of the service account. Default: that of the CCM."),
)
def command(
    *,
    commands: tuple[str, ...],
    namespaces: tuple[str, ...],
    secret: str | None,
    config_map: str | None,
    workload: str,
    clusters: tuple[str, ...],
    resources: tuple[str, ...],
    account_namespace: str | None,
) -> int:
    """Print a ServiceAccount with the roles that commands need: exactly their requests; those of lint only read.

    Of Secrets, the one with the cloud.conf is named, and none can be listed. Those of fleet are for the management
    cluster; in the clusters themselves it needs those of lint.
    """
    from ccmcheck.cluster.access.requests import CCM_NAMESPACES

    if secret is not None and config_map is not None:
        raise WrongUse("the cloud.conf is in a Secret or in a ConfigMap", "Leave out --secret or --config-map.")
    kind, name = ("ConfigMap", config_map) if config_map is not None else ("Secret", secret or "cloud-config")
    namespaces = namespaces or CCM_NAMESPACES[:1]
    named = Named(namespaces, kind, name, workload, names_in_namespaces(clusters), names_in_namespaces(resources))
    commands = commands or ("lint",)
    if commands == ("fleet",) and not clusters:
        console.warn("no kubeconfig Secret can be read: --cluster NAMESPACE/NAME names a Cluster for each")
    wanted = WantedRights(commands, named, account_namespace or namespaces[0])
    console.write([manifests(wanted)])
    return 0
