"""The arguments of ``ccmcheck cluster fix``."""

from __future__ import annotations

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli.confirmation import WritingArguments, check_writing, refuse_if_nobody_can_confirm
from ccmcheck.cli.given import Declared, flag, text

SECONDS = 300


class ClusterFixArguments(WritingArguments):
    """The arguments of ``cluster fix``."""

    take_ownership = flag()
    backup = text()
    restart = flag()
    restart_timeout = Declared(SECONDS, type=click.IntRange(10, 3600))


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
