"""Writes a change: first as a dry run, then with the version that was read as precondition."""

from __future__ import annotations

from typing import Any

from ccmcheck.cluster.access.audit import SAYS_ALL, About
from ccmcheck.cluster.access.documents import mapping, version_of
from ccmcheck.cluster.access.errors import CONFLICT, FORBIDDEN, UNPROCESSABLE, ApiError, Refused, Unreachable
from ccmcheck.cluster.access.requests import MERGE_PATCH, RequestKind
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.fixing.changes import holds
from ccmcheck.cluster.fixing.plan import FixedObject

_BAD_REQUEST = 400


class Altered(ApiError):
    """Another text was written than the one that was sent."""

    def __init__(self) -> None:
        super().__init__(
            "was changed while it was written, by an admission webhook or somebody else", "Run this again."
        )


def try_out(writer: Writer, change: FixedObject) -> Document:
    """Let the API server check a change without making it.

    Returns:
        The object as it would be.

    Raises:
        ApiError: It would refuse it, or change it.
    """
    found = _sent(writer, change.request, _body(change), dry_run=True)
    if not holds(found, change.patch):
        raise ApiError("the API server would write another text than the fixed one: an admission webhook changes it")
    return found


def write(writer: Writer, change: FixedObject) -> Document:
    """Write a change.

    Returns:
        The object as it is now.

    Raises:
        Altered: Something else was written.
        ApiError: It was not written, or nobody knows.
    """
    about = About(keys=change.keys)
    try:
        found = _sent(writer, change.request, _body(change), about=about)
    except Unreachable as error:
        found = _after_silence(writer, change, error)
    if not holds(found, change.patch):
        raise Altered
    return found


def patch(writer: Writer, request: RequestKind, body: dict[str, Any], before: str, about: About = SAYS_ALL) -> Document:
    """Change an object with a merge patch.

    Args:
        writer: Sends it.
        request: The object.
        body: The patch.
        before: The resourceVersion that it must have; empty for any.
        about: What the audit log says beside the patch.

    Raises:
        ApiError: It was not changed, or nobody knows.
    """
    metadata = {**mapping(body.get("metadata")), **({"resourceVersion": before} if before else {})}
    return _sent(writer, request, {**body, **({"metadata": metadata} if metadata else {})}, about=about)


def _body(change: FixedObject) -> dict[str, Any]:
    metadata = {**mapping(change.patch.get("metadata")), "resourceVersion": version_of(change.object)}
    return {**change.patch, "metadata": metadata}


def _sent(
    writer: Writer, request: RequestKind, body: dict[str, Any], *, dry_run: bool = False, about: About = SAYS_ALL
) -> Document:
    query = {"fieldManager": FIELD_MANAGER, **({"dryRun": "All"} if dry_run else {})}
    try:
        return writer.send("PATCH", request.path, body, query=query, content_type=MERGE_PATCH, about=about)
    except Refused as error:
        raise _explained(error) from None


def _explained(error: Refused) -> ApiError:
    """A refusal with what it means for a write."""
    fields = ", ".join(dict.fromkeys(cause.field for cause in error.causes if cause.field))
    about = f" ({fields})" if fields else ""
    hints = {
        _BAD_REQUEST: "A webhook that does not support dry runs refuses them like this.",
        CONFLICT: "Run this again: what is there now is read, shown and fixed.",
        FORBIDDEN: (
            "`ccmcheck cluster rbac --for fix` prints the roles that are needed; or an admission policy refuses it."
        ),
        UNPROCESSABLE: "An admission policy or the object's type does not allow it.",
    }
    return ApiError(f"{error.message}{about}", hints.get(error.status, error.hint))


def _after_silence(writer: Writer, change: FixedObject, error: Unreachable) -> Document:
    """Whether a write without an answer was made.

    Raises:
        ApiError: It was not, or nobody knows.
    """
    try:
        found = writer.get(change.request.path)
    except ApiError:
        raise ApiError(f"{error.message}; nobody knows whether it was written", "Run this again.") from None
    if version_of(found) == version_of(change.object):
        raise ApiError(f"{error.message}; it was not written", "Run this again.")
    writer.found_written(change.request.path, _body(change), found, MERGE_PATCH, About(keys=change.keys))
    return found
