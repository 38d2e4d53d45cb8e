"""Which cluster, and by which credentials: the options of every command about a running cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion
from ccmcheck.cli.command import as_record, option

if TYPE_CHECKING:
    from ccmcheck.cluster.client import Access


NAMESPACE = option(
    "--namespace",
    "namespaces",
    multiple=True,
    metavar="N",
    help="Namespace of the CCM; repeatable. Default: kube-system.",
)


class AccessArguments(NamedTuple):
    """See `access_options`."""

    context: str = ""
    kubeconfig: str = ""
    in_cluster: bool = False


access_options = as_record(
    "access",
    AccessArguments,
    option("--context", default="", metavar="C", help="Context of the kubeconfig. Default: the current one."),
    option(
        "--kubeconfig",
        default="",
        metavar="FILE",
        shell_complete=completion.files,
        help="Default: KUBECONFIG, else ~/.kube/config. Its exec plug-in is run, as kubectl does.",
    ),
    option("--in-cluster", is_flag=True, help="Use the service account of the pod that ccmcheck runs in."),
)
"""Gives the command ``access``, an `AccessArguments`."""


def resolve_access(arguments: AccessArguments) -> Access:
    """Which cluster the options name.

    Raises:
        WrongUse: They name two.
    """
    from ccmcheck.cluster.client import Access

    if arguments.in_cluster and (arguments.context or arguments.kubeconfig):
        raise WrongUse("--in-cluster uses no kubeconfig", "Leave out --context and --kubeconfig.")
    return Access(arguments.kubeconfig, arguments.context, arguments.in_cluster)
