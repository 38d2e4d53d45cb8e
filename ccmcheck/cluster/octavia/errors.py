"""The errors of requests to OpenStack: the service, a status, words of ours; never a body, a header or a credential."""

from __future__ import annotations

from ccmcheck.cluster.access.errors import FORBIDDEN, NOT_FOUND, TOO_MANY, UNAUTHORIZED, ApiError

_MEANINGS = {
    400: "does not understand the request",
    UNAUTHORIZED: "does not accept the token",
    FORBIDDEN: "does not allow it",
    NOT_FOUND: "has none",
    TOO_MANY: "asks to wait, again and again",
    500: "failed",
    502: "cannot be reached by a proxy",
    503: "is not available",
    504: "did not answer in time",
}


class CloudError(ApiError):
    """A request to OpenStack that failed."""


class CloudRefused(CloudError):
    """A service of OpenStack, or a proxy before it, answered with an error.

    Args:
        service: ``Octavia``.
        status: The HTTP status.
    """

    def __init__(self, service: str, status: int) -> None:
        meaning = _MEANINGS.get(status, "answered with an error")
        super().__init__(f"HTTP {status}: {service} {meaning}", _hint(service, status))
        self.status = status


def _hint(service: str, status: int) -> str:
    if status in (UNAUTHORIZED, FORBIDDEN):
        if service == "Octavia":
            return (
                "The role load-balancer_observer is enough; `ccmcheck cluster orphans --access-rules` prints the rules "
                "of an application credential."
            )
        return "`ccmcheck cluster orphans --access-rules` prints the rules of an application credential."
    return ""
