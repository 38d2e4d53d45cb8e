"""Calls as in a run with ``--trust-checkout``."""

from __future__ import annotations

from contextvars import copy_context
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from ccmcheck.base.boundary import trust

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def trusted(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Call a function in a checkout that is trusted."""
    context = copy_context()
    context.run(trust)
    return context.run(function, *arguments, **named)
