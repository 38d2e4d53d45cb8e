"""Asks before a cluster is changed: one question in one form, on stderr, so that a report on stdout stays whole."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.command import CHANGE, option

if TYPE_CHECKING:
    from ccmcheck.cluster.snapshot import Identity

YES = option("--yes", section=CHANGE, is_flag=True, help="Do not ask for a confirmation.")


def refuse_if_nobody_can_confirm(hint: str = "Write --yes.") -> None:
    """End where a question would be put to nobody.

    Raises:
        WrongUse: Standard input is no terminal.
    """
    if not console.is_terminal(sys.stdin):
        raise WrongUse("standard input is no terminal, so nobody can confirm", hint)


def confirmed(question: str, identity: Identity) -> bool:
    """Whether the answer is yes; the question names the cluster.

    Args:
        question: ``Write Secret kube-system/cloud-config``, without the question mark.
        identity: Which cluster is changed.
    """
    from ccmcheck.base.escape import printable

    where = f"context {identity.context}" if identity.context else identity.server
    return click.confirm(printable(f"{question} ({where})?"), default=False, err=True)
