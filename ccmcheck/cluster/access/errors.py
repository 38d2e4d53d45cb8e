"""The errors of requests to an API server: a status, a reason of a fixed list, never a body, a header or a credential.

::

    ApiError               the request failed; carries what was asked for and a reason in words of ours
    ├── Unreachable        no connection, a cut one, a timeout, a TLS error
    │   └── Untrusted      a certificate that is not accepted, at the next try neither
    ├── Refused            an HTTP status other than 200
    └── Unintelligible     an answer that is too large, too slow, or not what was asked for
        └── NoJson         not the JSON that was asked for
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ccmcheck.cluster.core import NamedTuple, cluster_names, errors

UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT, GONE, UNPROCESSABLE, TOO_MANY = 401, 403, 404, 409, 410, 422, 429

MOST_CAUSES = 20
_WORD = re.compile(r"[A-Za-z]{1,64}")
_FIELD = re.compile(r"[\w./\[\]\"=:~-]{1,200}", re.ASCII)
_MANAGER = re.compile(r'conflict with "([\w. /:-]{1,128})"', re.ASCII)

_REDIRECTS = range(300, 400)


class Cause(NamedTuple):
    """Why the API server refused a field. Its message is left out, as it quotes the value.

    Attributes:
        reason: ``FieldManagerConflict``, ``FieldValueInvalid``; empty for an unknown form.
        field: ``.data.cloud.conf``; empty for an unknown form.
        manager: Who owns the field, where that is the reason.
    """

    reason: str
    field: str
    manager: str


def cause_of(cause: Mapping[str, Any]) -> Cause:
    """One of ``details.causes`` of a Status."""
    reason, field, message = (str(cause.get(key, "")) for key in ("reason", "field", "message"))
    conflict = _MANAGER.match(message) if reason == "FieldManagerConflict" else None
    return Cause(
        reason if _WORD.fullmatch(reason) else "",
        field if _FIELD.fullmatch(field) else "",
        conflict[1] if conflict is not None else "",
    )


class ApiError(errors.CcmcheckError):
    """A request that failed.

    Args:
        message: What failed, in words of ours.
        hint: What to do next.
    """

    @property
    def is_absence(self) -> bool:
        """Whether what was asked for is not there, or not for this user; anything else is a fault."""
        return False


class Unreachable(ApiError):
    """No answer came, or not all of it."""


class Untrusted(Unreachable):
    """The server's certificate is not accepted; another try would end the same."""


class Unintelligible(ApiError):
    """The answer is not what an API server answers."""


class NoJson(Unintelligible):
    """The answer is not JSON, or no object."""


class Refused(ApiError):
    """The API server, or a proxy before it, answered with an error.

    Args:
        status: The HTTP status.
        resume: The token that continues a list after 410; empty without one.
        causes: What is said about single fields.
        expired: Which of the credentials has expired, and when; empty where none has.
    """

    def __init__(self, status: int, resume: str = "", causes: tuple[Cause, ...] = (), expired: str = "") -> None:
        meaning = f"{_meaning(UNAUTHORIZED).partition(':')[0]}: {expired}" if expired else _meaning(status)
        super().__init__(f"HTTP {status}: {meaning}", _hint(status))
        self.status = status
        self.resume = resume
        self.causes = causes

    @property
    def is_absence(self) -> bool:
        """See `ApiError.is_absence`."""
        return self.status in (FORBIDDEN, NOT_FOUND)


@contextmanager
def name_cluster(context: str, server: str, what: str = "") -> Iterator[None]:
    """Say of which cluster an error is, for commands that end with it.

    Args:
        context: The kubeconfig's context; empty inside of a cluster.
        server: The API server's URL without userinfo.
        what: What failed, where that is not plain.

    Raises:
        ApiError: With the cluster's name.
    """
    try:
        yield
    except ApiError as error:
        where = ": ".join(filter(None, (f"context {context}, {server}" if context else server, what, error.message)))
        raise ApiError(where, error.hint) from None


def _meaning(status: int) -> str:
    otherwise = "the answer is a redirect, which is not followed" if status in _REDIRECTS else "the request failed"
    return cluster_names.statuses().get(str(status), (otherwise,))[0]


def _hint(status: int) -> str:
    if status == UNAUTHORIZED:
        return "Log in again, or name another context with --context."
    if status == FORBIDDEN:
        return "`ccmcheck cluster rbac` prints the roles that are needed."
    if status in _REDIRECTS:
        return "Does the kubeconfig name the API server, not a login page in front of it?"
    return ""
