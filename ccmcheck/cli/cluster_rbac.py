"""``ccmcheck cluster rbac``: the roles that the requests of ``cluster lint`` need."""

from __future__ import annotations

import click

from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import NAMESPACE
from ccmcheck.cli.command import Command, option, options


@click.command(
    "rbac",
    cls=Command,
    short_help="Print the roles that cluster lint needs.",
    examples=(("ccmcheck cluster rbac --secret cloud-config | kubectl apply -f -", "Create the service account"),),
)
@options(
    NAMESPACE,
    option("--secret", metavar="NAME", help="Secret of the cloud.conf. Default: cloud-config."),
    option("--config-map", metavar="NAME", help="ConfigMap of the cloud.conf, where it is in one."),
    option("--account-namespace", metavar="N", help="Namespace of the service account. Default: that of the CCM."),
)
def command(
    namespaces: tuple[str, ...], secret: str | None, config_map: str | None, account_namespace: str | None
) -> int:
    """Print a ServiceAccount with the roles that cluster lint needs: exactly its requests, all of them reading.

    Of Secrets, the one with the cloud.conf can be read by its name, and none can be listed.
    """
    from ccmcheck.base.errors import WrongUse
    from ccmcheck.cluster.rbac import Wanted, manifests
    from ccmcheck.cluster.requests import CCM_NAMESPACES

    if secret is not None and config_map is not None:
        raise WrongUse("the cloud.conf is in a Secret or in a ConfigMap", "Leave out --secret or --config-map.")
    kind, name = ("ConfigMap", config_map) if config_map is not None else ("Secret", secret or "cloud-config")
    namespaces = namespaces or CCM_NAMESPACES[:1]
    console.write([manifests(Wanted(namespaces, kind, name, account_namespace or namespaces[0]))])
    return 0
