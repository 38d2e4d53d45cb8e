"""What the commands have in common that change a cluster: --write, the question before it, and the audit log.

Nothing is written without --write, nor where the answer to the question is no. The question is on stderr, so that a
report on stdout stays whole.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import AccessOptions
from ccmcheck.cli.given import flag, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.cluster.access.audit import AuditLog
    from ccmcheck.cluster.live.snapshot import ClusterIdentity

DECLINED = 1
"""The exit code where the answer is no."""


class WritingArguments(AccessOptions):
    """What a command takes that may change a cluster."""

    yes = flag()
    audit_log = text()


def check_writing(given: Mapping[str, bool], *, write: bool, check: bool = False) -> None:
    """Refuse options that contradict ``--write``, or mean nothing without it.

    Args:
        given: Options that go with ``--write``, and whether each was given.
        write: Whether ``--write`` was given.
        check: Whether ``--check`` was given.

    Raises:
        WrongUse: There is one.
    """
    if write and check:
        raise WrongUse("--write and --check exclude each other.")
    alone = [name for name, is_given in given.items() if is_given and not write]
    if alone:
        raise WrongUse(f"{alone[0]} needs --write.", "Without it nothing is changed.")


@contextmanager
def audit_log(command: str, path: str | None, *, tell: bool = False) -> Iterator[AuditLog]:
    """What notes the changes that a command makes; its file is closed at the end.

    Args:
        command: ``cluster fix``.
        path: ``--audit-log``.
        tell: Whether each change is said on stderr, too.

    Raises:
        WrongUse: The file cannot be written.
    """
    from ccmcheck.cluster.access.audit import AuditLog

    log = AuditLog(command, console.warn, tell=console.warn if tell else None, path=path or "")
    try:
        yield log
    finally:
        log.close()


def refuse_if_nobody_can_confirm(hint: str = "Write --yes.") -> None:
    """End where a question would be put to nobody.

    Raises:
        WrongUse: Standard input is no terminal.
    """
    if not console.is_terminal(sys.stdin):
        raise WrongUse("standard input is no terminal, so nobody can confirm", hint)


def confirmed(question: str, identity: ClusterIdentity) -> bool:
    """Whether the answer is yes; the question names the cluster. A no is said to have changed nothing.

    Args:
        question: ``Write Secret kube-system/cloud-config``, without the question mark.
        identity: Which cluster is changed.
    """
    from ccmcheck.base.escape import printable

    where = f"context {identity.context}" if identity.context else identity.server
    if click.confirm(printable(f"{question} ({where})?"), default=False, err=True):
        return True
    console.warn("Nothing was changed.")
    return False
