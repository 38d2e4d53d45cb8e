"""What a command changes in a cluster: a line for people, and one of JSON in a file. No line holds a value."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any, Protocol

from ccmcheck.cluster.access.documents import changed_fields, field_name, mapping, moment_text, text, version_of
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.exchange import Question
from ccmcheck.cluster.access.requests import APPLY_PATCH, SELF, TITLES
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, errors, open_to_keep

WRITTEN, UNKNOWN = "written", "unknown"
_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
_SAID = {"create": "created", "delete": "deleted"}
_VERSION = "resourceVersion"
_OWNER_ALONE = 0o600


class About(NamedTuple):
    """What a request does not say itself.

    Attributes:
        before: The resourceVersion of the object before; empty where the request has it as its precondition.
        keys: The keys of a cloud.conf that are changed.
    """

    before: str = ""
    keys: tuple[str, ...] = ()


SAYS_ALL = About()


class Write(NamedTuple):
    """One change of a cluster, without values.

    Attributes:
        time: When, RFC 3339 in UTC.
        user: Who, as the API server knows them; ``unknown`` before Kubernetes 1.28.
        verb: ``create``, ``patch``, ``apply`` (server-side), ``update`` or ``delete``.
        object: ``Secret kube-system/cloud-config``.
        before: Its resourceVersion before; empty where that is unknown, and for an object that was created.
        after: The one after; empty for an object that was deleted.
        changed: The fields of a patch, and the keys of the cloud.conf.
        outcome: `WRITTEN`, or `UNKNOWN` where no answer says whether it was done.
    """

    time: str
    user: str
    verb: str
    object: str
    before: str
    after: str
    changed: tuple[str, ...]
    outcome: str = WRITTEN

    @property
    def line(self) -> str:
        """The same for people."""
        user = f'"{self.user}"' if " " in self.user else self.user
        start = f"audit: {self.time} {user} {_SAID.get(self.verb, 'wrote')} {self.object}"
        if self.verb in _SAID:
            return start
        versions = f"{_VERSION} {self.before or 'unknown'} -> {self.after or 'unknown'}"
        return f"{start}, {versions}" + (f", changed {', '.join(self.changed)}" if self.changed else "")


def write_of(question: Question, answer: Document | None, user: str, about: About) -> Write:
    """What a request has changed.

    Args:
        question: The request.
        answer: The object as it is now, or a Status; None where there is no answer.
        user: Who asks.
        about: What the request does not say.
    """
    sent = _sent(question)
    verb = "apply" if question.content_type == APPLY_PATCH else _VERBS[question.method]
    condition = mapping(sent.get("preconditions" if verb == "delete" else "metadata")).get(_VERSION)
    after = "" if verb == "delete" else version_of(answer or {})
    paths = [path for path in changed_fields(sent) if path != ("metadata", _VERSION)] if verb == "patch" else []
    return Write(
        moment_text(),
        user,
        verb,
        _object(question.path, sent),
        text(condition) or about.before,
        after,
        (*map(field_name, paths), *about.keys),
        UNKNOWN if answer is None else WRITTEN,
    )


class Asking(Protocol):
    """What writes, and can be asked who it is."""

    @property
    def server(self) -> str:
        """The API server's URL without userinfo."""

    def send(self, method: str, path: str, body: Document | None = None) -> Document:
        """See `ccmcheck.cluster.access.writing.Writer.send`."""


class AuditLog:
    """Notes every change that a `Writer` makes.

    Args:
        command: Which command writes: ``cluster fix``.
        tell: Gets the line of each change for people; None where nobody is told.
        warn: Gets the reason why the file could not be written.
        path: The file, to which lines of JSON are added; empty without one.

    Attributes:
        cluster: The UID of the cluster's namespace kube-system; empty before it is known.
        failed: Whether a line is missing in the file.

    Raises:
        WrongUse: The file cannot be written, which is better known before anything is changed.
    """

    def __init__(
        self, command: str, warn: Callable[[str], None], *, tell: Callable[[str], None] | None = None, path: str = ""
    ) -> None:
        self._command = command
        self._warn = warn
        self._tell = tell
        self._path = path
        self._file = _opened(path) if path else None
        self._user = ""
        self.cluster = ""
        self.failed = False

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def ask_who(self, writer: Asking) -> None:
        """Learn who writes, once, and only where something is noted."""
        if not self._user and (self._tell is not None or self._file is not None):
            self._user = _user_of(writer)

    def note(self, writer: Asking, question: Question, answer: Document | None, about: About) -> None:
        """Note a change, or one that may have been made where there is no answer."""
        write = write_of(question, answer, self._user or "unknown", about)
        if self._tell is not None and write.outcome == WRITTEN:
            self._tell(write.line)
        if self._file is not None:
            self._append(self._file, self._record(write, writer.server))

    def _record(self, write: Write, server: str) -> dict[str, Any]:
        about = {"time": write.time, "command": self._command, "server": server, "cluster": self.cluster}
        return about | write._asdict()

    def _append(self, file: int, record: dict[str, Any]) -> None:
        import json

        line = json.dumps(record).encode() + b"\n"
        reason = ""
        try:
            if os.write(file, line) != len(line):
                reason = "no space left for a whole line"
            os.fsync(file)
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
        if reason and not self.failed:
            self._warn(f"--audit-log {self._path} cannot be written: {reason}")
        self.failed = self.failed or bool(reason)


def _sent(question: Question) -> dict[str, Any]:
    import json

    return mapping(json.loads(question.body)) if question.body else {}


def _user_of(writer: Asking) -> str:
    """Who writes, as the API server knows them; before Kubernetes 1.28 it cannot say."""
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    try:
        answer = writer.send("POST", SELF.path, body)
    except ApiError:
        return "unknown"
    info = mapping(mapping(answer.get("status")).get("userInfo"))
    return text(info.get("username")) or "unknown"


def _object(path: str, sent: dict[str, Any]) -> str:
    """What a path is about: ``Secret kube-system/cloud-config``; of one that is created, by its own name."""
    from urllib.parse import unquote

    parts = [unquote(part) for part in path.split("/")[1:]]
    rest = parts[2:] if parts[0] == "api" else parts[3:]
    namespace = ""
    if len(rest) > 2 and rest[0] == "namespaces":
        namespace, rest = rest[1], rest[2:]
    kind = TITLES.get(rest[0], rest[0]).removesuffix("s")
    name = rest[1] if len(rest) > 1 else text(mapping(sent.get("metadata")).get("name"))
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def _opened(path: str) -> int:
    # not blocking, where there is such a thing: a pipe that nobody reads is refused, not waited for
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
    try:
        file = open_to_keep(path, flags, _OWNER_ALONE)
    except errors.InputError as error:
        raise errors.WrongUse(f"--audit-log {error.message}", error.hint) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise errors.WrongUse(f"--audit-log {path} is not a regular file", "Name a file that lines can be added to.")
    return file
