"""``ccmcheck cluster rbac``: the roles that the requests of the commands about a running cluster need."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import AccessOptions
from ccmcheck.cli.given import Declared, text, texts
from ccmcheck.cli.running import declared_with
from ccmcheck.render.rights import RIGHTS, Named, WantedRights, manifests


class RbacArguments(AccessOptions):
    """The arguments of ``rbac``."""

    commands: Declared[tuple[str, ...]] = Declared((), multiple=True, type=click.Choice(list(RIGHTS)))
    secret = text()
    config_map = text()
    workload = Declared(CCM)
    clusters = texts()
    resources = texts()
    account_namespace = text()


def names_in_namespaces(named: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """``NAMESPACE/NAME`` as pairs.

    Raises:
        WrongUse: One is something else.
    """
    found = []
    for one in named:
        namespace, slash, name = one.partition("/")
        if not slash or not namespace or not name or "/" in name:
            raise WrongUse(f"`{one}` is not NAMESPACE/NAME", "Write clusters/prod-a.")
        found.append((namespace, name))
    return tuple(found)


@declared_with(
    RbacArguments,
    "cluster rbac",
    "commands NAMESPACES secret config_map workload clusters resources account_namespace",
    says={"commands": ", ".join(RIGHTS), "workload": CCM},
)
def command(given: RbacArguments) -> int:
    """Print a ServiceAccount with the roles that commands need: exactly their requests; those of lint only read.

    Of Secrets, the one with the cloud.conf is named, and none can be listed. Those of fleet are for the management
    cluster; in the clusters themselves it needs those of lint.
    """
    from ccmcheck.cluster.access.requests import CCM_NAMESPACES

    if given.secret is not None and given.config_map is not None:
        raise WrongUse("the cloud.conf is in a Secret or in a ConfigMap", "Leave out --secret or --config-map.")
    kind, name = ("Secret", given.secret or "cloud-config")
    if given.config_map is not None:
        kind, name = "ConfigMap", given.config_map
    namespaces = given.namespaces or CCM_NAMESPACES[:1]
    clusters, resources = names_in_namespaces(given.clusters), names_in_namespaces(given.resources)
    commands = given.commands or ("lint",)
    if commands == ("fleet",) and not clusters:
        console.warn("no kubeconfig Secret can be read: --cluster NAMESPACE/NAME names a Cluster for each")
    named = Named(namespaces, kind, name, given.workload, clusters, resources)
    console.write([manifests(WantedRights(commands, named, given.account_namespace or namespaces[0]))])
    return 0
