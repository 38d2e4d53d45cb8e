"""Answers of an API server that are written by hand: faults, and errors as Kubernetes words them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Fault(NamedTuple):
    """An answer instead of the proper one."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    write: Callable[[Any], None] | None = None
    """Writes everything by itself."""


def status(
    code: int,
    message: str = "no",
    reason: str = "",
    *,
    causes: Sequence[dict[str, Any]] = (),
    **metadata: str,
) -> Fault:
    """An error as Kubernetes answers it."""
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "message": message,
        "reason": reason,
        **({"details": {"causes": list(causes)}} if causes else {}),
    }
    return Fault(code, json.dumps({**body, "metadata": metadata}).encode())
