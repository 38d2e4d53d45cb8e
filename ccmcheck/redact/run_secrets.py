"""Secrets that are no part of any file: the values of variables and arguments with secret names.

They are hidden in every output of the run, under whatever key they end up.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECRETS: ContextVar[frozenset[str]] = ContextVar("secrets of the run", default=frozenset())


def run_secrets() -> frozenset[str]:
    """The values that must not be shown in this run."""
    return _SECRETS.get()


def hide_variables(variables: Mapping[str, str]) -> None:
    """Hide the values of variables with secret names from now on, in this context and what it starts.

    Args:
        variables: All variables: of ``--var``, ``--env-file`` and the configuration, or arguments by their keys.
    """
    from ccmcheck.redact.names import is_secret_name
    from ccmcheck.redact.values import is_harmless

    values = {value for name, value in variables.items() if is_secret_name(name) and not is_harmless(value)}
    if values:
        _SECRETS.set(_SECRETS.get() | values)
