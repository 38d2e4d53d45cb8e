"""Writes a change: first as a dry run, then with the version that was read as precondition; one audit line a write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.records import NamedTuple
from ccmcheck.cluster.documents import mapping, text
from ccmcheck.cluster.errors import CONFLICT, FORBIDDEN, UNPROCESSABLE, ApiError, Refused, Unreachable
from ccmcheck.cluster.fixing.changes import holds
from ccmcheck.cluster.requests import SELF
from ccmcheck.cluster.writing import FIELD_MANAGER, MERGE_PATCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.cluster.fixing.plan import Change
    from ccmcheck.cluster.requests import Request
    from ccmcheck.cluster.transport import Document
    from ccmcheck.cluster.writing import Writer

_BAD_REQUEST = 400


class Written(NamedTuple):
    """One write, as the audit line says it; no values.

    Attributes:
        time: When, RFC 3339 in UTC.
        user: Who, as the API server knows them.
        subject: The object.
        old: Its resourceVersion before.
        new: The one after.
        changed: The fields and the keys of the cloud.conf that were changed.
    """

    time: str
    user: str
    subject: str
    old: str
    new: str
    changed: tuple[str, ...]

    @property
    def line(self) -> str:
        """The audit line."""
        return (
            f"audit: {self.time} {_one_word(self.user)} wrote {self.subject}, "
            f"resourceVersion {self.old or 'unknown'} -> {self.new or 'unknown'}, changed {', '.join(self.changed)}"
        )


class Altered(ApiError):
    """Another text was written than the one that was sent.

    Args:
        written: What to log.
    """

    def __init__(self, written: Written) -> None:
        super().__init__(
            "was changed while it was written, by an admission webhook or somebody else", "Run this again."
        )
        self.written = written


def user_of(writer: Writer) -> str:
    """Who writes, as the API server knows them; before Kubernetes 1.28 it cannot say."""
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    try:
        answer = writer.send("POST", SELF.path, body)
    except ApiError:
        return "unknown"
    info = mapping(mapping(answer.get("status")).get("userInfo"))
    return text(info.get("username")) or "unknown"


def try_out(writer: Writer, change: Change) -> None:
    """Let the API server check a change without making it.

    Raises:
        ApiError: It would refuse it, or change it.
    """
    found = _sent(writer, change.request, _body(change), dry_run=True)
    if not holds(found, change.patch):
        raise ApiError("the API server would write another text than the fixed one: an admission webhook changes it")


def write(writer: Writer, change: Change, user: str, now: Callable[[], str]) -> tuple[Written, Document]:
    """Write a change.

    Returns:
        What to log, and the object as it is now.

    Raises:
        Altered: Something else was written.
        ApiError: It was not written, or nobody knows.
    """
    body = _body(change)
    try:
        found = _sent(writer, change.request, body)
    except Unreachable as error:
        found = _after_silence(writer, change, error)
    changed = (*change.fields, *change.keys)
    written = Written(now(), user, change.subject, _version(change.object), _version(found), changed)
    if not holds(found, change.patch):
        raise Altered(written)
    return written, found


def patch(writer: Writer, request: Request, body: dict[str, Any], before: str) -> Document:
    """Change an object with a merge patch.

    Args:
        writer: Sends it.
        request: The object.
        body: The patch.
        before: The resourceVersion that it must have; empty for any.

    Raises:
        ApiError: It was not changed, or nobody knows.
    """
    metadata = {**mapping(body.get("metadata")), **({"resourceVersion": before} if before else {})}
    return _sent(writer, request, {**body, **({"metadata": metadata} if metadata else {})})


def _body(change: Change) -> dict[str, Any]:
    metadata = {**mapping(change.patch.get("metadata")), "resourceVersion": _version(change.object)}
    return {**change.patch, "metadata": metadata}


def _sent(writer: Writer, request: Request, body: dict[str, Any], *, dry_run: bool = False) -> Document:
    query = {"fieldManager": FIELD_MANAGER, **({"dryRun": "All"} if dry_run else {})}
    try:
        return writer.send("PATCH", request.path, body, query=query, content_type=MERGE_PATCH)
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


def _after_silence(writer: Writer, change: Change, error: Unreachable) -> Document:
    """Whether a write without an answer was made.

    Raises:
        ApiError: It was not, or nobody knows.
    """
    try:
        found = writer.get(change.request.path)
    except ApiError:
        raise ApiError(f"{error.message}; nobody knows whether it was written", "Run this again.") from None
    if _version(found) == _version(change.object):
        raise ApiError(f"{error.message}; it was not written", "Run this again.")
    return found


def _version(obj: Document) -> str:
    return text(mapping(obj.get("metadata")).get("resourceVersion"))


def _one_word(name: str) -> str:
    return f'"{name}"' if " " in name else name
