"""The arguments of ``ccmcheck cluster fix``."""

from __future__ import annotations

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.confirmation import check_writing, refuse_if_nobody_can_confirm
from ccmcheck.cli.options import InputArguments
from ccmcheck.cluster.access.kubeconfig import Access


class ClusterFixArguments(NamedTuple):
    """The arguments of ``cluster fix``; see the options of `ccmcheck.cli.cluster_fix`."""

    access: Access
    namespaces: tuple[str, ...]
    inputs: InputArguments
    releases: tuple[str, ...]
    consumer: str | None
    kubernetes_version: str
    octavia_release: str
    nodes: int | None
    profiles: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    unsafe: bool
    write: bool
    check: bool
    yes: bool
    take_ownership: bool
    backup: str | None
    restart: bool
    restart_timeout: int
    audit_log: str | None
    formats: tuple[str, ...]
    color: str | None
    quiet: bool
    paths: tuple[str, ...] = ()


def check_use(arguments: ClusterFixArguments) -> None:
    """Refuse options that contradict each other, before anything is asked of the API server.

    Args:
        arguments: The options.

    Raises:
        WrongUse: They do.
    """
    with_write = {
        "--yes": arguments.yes,
        "--backup": arguments.backup is not None,
        "--restart": arguments.restart,
        "--audit-log": arguments.audit_log is not None,
    }
    check_writing(with_write, write=arguments.write, check=arguments.check)
    if arguments.restart and arguments.backup is None:
        raise WrongUse("--restart needs --backup FILE.", "What is written is put back where the new pods do not run.")
    if arguments.write and not arguments.yes:
        refuse_if_nobody_can_confirm()
    if arguments.backup is not None:
        from ccmcheck.cluster.fixing.backup import refuse_existing

        refuse_existing(arguments.backup)
