"""Which cluster, and by which credentials: the options of every command about a running cluster."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import as_record, option
from ccmcheck.cli.option_types import complete_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.access.audit import AuditLog
    from ccmcheck.cluster.access.client import Access
    from ccmcheck.cluster.access.transport import Transport
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.live.snapshot import Reader, Snapshot

PLACE = "cluster"
"""Stands for all objects where ccmcheck's own configuration is looked for: that of the current folder."""


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


KUBECONFIG = option(
    "--kubeconfig",
    default="",
    metavar="FILE",
    shell_complete=complete_files,
    help="Default: KUBECONFIG, else ~/.kube/config. Its exec plug-in is run, as kubectl does.",
)
IN_CLUSTER = option("--in-cluster", is_flag=True, help="Use the service account of the pod that ccmcheck runs in.")

access_options = as_record(
    "access",
    AccessArguments,
    option("--context", default="", metavar="C", help="Context of the kubeconfig. Default: the current one."),
    KUBECONFIG,
    IN_CLUSTER,
)
"""Gives the command ``access``, an `AccessArguments`."""


def resolve_access(arguments: AccessArguments) -> Access:
    """Which cluster the options name.

    Raises:
        WrongUse: They name two.
    """
    from ccmcheck.cluster.access.client import Access

    if arguments.in_cluster and (arguments.context or arguments.kubeconfig):
        raise WrongUse("--in-cluster uses no kubeconfig", "Leave out --context and --kubeconfig.")
    return Access(arguments.kubeconfig, arguments.context, arguments.in_cluster)


def read_snapshot(access: AccessArguments, namespaces: tuple[str, ...], *, keep: bool = False) -> Snapshot:
    """Open a cluster, and read what the rules need of it.

    Args:
        access: Which cluster.
        namespaces: Where the CCM is looked for.
        keep: Whether the Services are kept as the API server sent them.

    Raises:
        CcmcheckError: The kubeconfig cannot be used, or the API server does not answer.
    """
    from ccmcheck.cluster.live.snapshot import Reader

    with opened(resolve_access(access)) as (transport, context):
        return read_named(Reader(transport, context, namespaces, keep=keep))


@contextmanager
def opened(access: Access) -> Iterator[tuple[Transport, str]]:
    """Open a cluster for reading, and close it; with the context's name.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.access.client import open_cluster
    from ccmcheck.cluster.access.transport import Transport

    cluster = open_cluster(access)
    try:
        yield Transport(cluster.connection), cluster.context
    finally:
        cluster.connection.close()


@contextmanager
def opened_for_writing(access: Access, audit: AuditLog) -> Iterator[tuple[Writer, str]]:
    """Open a cluster that may be changed, and close it; with the context's name.

    Args:
        access: Which cluster.
        audit: Gets every change.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.access.writing import Writer, open_for_writing

    connection, context = open_for_writing(access)
    try:
        yield Writer(connection, audit=audit), context
    finally:
        connection.close()


def read_named(reader: Reader) -> Snapshot:
    """Read what the rules need of a cluster that is open; where it does not answer, the error names it.

    Raises:
        ApiError: The API server does not answer.
    """
    from ccmcheck.cluster.access.errors import name_cluster
    from ccmcheck.redact.run_secrets import hide_those_of

    with name_cluster(reader.context, reader.server):
        identity = reader.identity()
    snapshot = reader.read(identity)
    hide_those_of(snapshot.conf_texts)
    return snapshot
