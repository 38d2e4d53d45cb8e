"""Changes to a cluster: the only connection that can send more than GET, for the commands that say that they write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccmcheck.cluster.access.audit import SAYS_ALL, About, AuditLog
from ccmcheck.cluster.access.client import ClusterConnection, load_configuration
from ccmcheck.cluster.access.errors import TOO_MANY, Refused
from ccmcheck.cluster.access.exchange import Question
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.limits import MOST_BYTES
from ccmcheck.cluster.access.requests import JSON, SELF
from ccmcheck.cluster.access.transport import LONGEST_RETRY_AFTER, TRIES, Document, HTTPAnswer, Transport, document

FIELD_MANAGER = "ccmcheck"
"""The name that managedFields and the API server's audit log show."""
_PAUSE = 1.0
_MAY_BE_DONE = 500
"""A server or a proxy that fails may do so after the change was made."""


class WritingConnection(ClusterConnection):
    """A connection that can change the cluster, too."""

    def send(self, question: Question, *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Send once.

        Raises:
            ApiError: There is no answer; what was sent may have been done nevertheless.
        """
        return self._exchange(question, seconds, most_bytes)


class Writer(Transport):
    """Asks one API server, and changes what it holds.

    Args:
        connection: How it is reached.
        audit: Gets every change; None where nobody wants to know.
        limits: Further limits, see `Transport`.
    """

    def __init__(
        self,
        connection: WritingConnection,
        *,
        audit: AuditLog | None = None,
        **limits: Any,  # noqa: ANN401 - of Transport
    ) -> None:
        super().__init__(connection, **limits)
        self._writing = connection
        self._audit = audit

    def send(
        self,
        method: str,
        path: str,
        body: Document | None = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = JSON,
        about: About = SAYS_ALL,
    ) -> Document:
        """Create, patch or delete. It is repeated only where the API server says that it did nothing and asks to wait.

        Args:
            method: ``POST``, ``PATCH``, ``PUT`` or ``DELETE``.
            path: The object's path, or the list's for POST.
            body: What is sent; None for nothing.
            query: ``{"dryRun": "All", "fieldManager": FIELD_MANAGER}`` and the like.
            content_type: `JSON`, `MERGE_PATCH` or `APPLY_PATCH`.
            about: What the audit log says beside the request.

        Returns:
            The object as it is now, or a Status.

        Raises:
            ApiError: It was not done, or nobody knows; `Refused` has the status and the causes.
        """
        import json

        raw = None if body is None else json.dumps(body).encode()
        question = Question(method, path, query or {}, raw, content_type)
        if self._audit is None or path == SELF.path or "dryRun" in question.query:
            return self._sent(question)
        self._audit.ask_who(self)
        try:
            found = self._sent(question)
        except BaseException as error:  # Ctrl-C, too, comes after the request was sent
            if not isinstance(error, Refused) or error.status >= _MAY_BE_DONE:
                self._audit.note(self, question, None, about)
            raise
        self._audit.note(self, question, found, about)
        return found

    def found_written(self, path: str, body: Document, found: Document, content_type: str, about: About) -> None:
        """Note a patch without an answer, once a look at the object shows that it was made.

        Args:
            path: The object's path.
            body: What was sent.
            found: The object as it is now.
            content_type: That of what was sent.
            about: What the audit log says beside the request.
        """
        if self._audit is not None:
            import json

            question = Question("PATCH", path, {}, json.dumps(body).encode(), content_type)
            self._audit.note(self, question, found, about)

    def _sent(self, question: Question) -> Document:
        for left in reversed(range(TRIES)):
            answer = self._writing.send(question, seconds=self.seconds, most_bytes=MOST_BYTES)
            wait = answer.retry_after if answer.retry_after is not None else _PAUSE
            if answer.status != TOO_MANY or not left or wait > LONGEST_RETRY_AFTER:
                return document(answer)
            self._sleep(wait)
        raise AssertionError  # the last try returns or raises


def open_for_writing(access: Access) -> tuple[WritingConnection, str]:
    """Open a connection that can change the cluster; with the context's name.

    Raises:
        WrongUse: The kubernetes client is not installed, or there is no such context.
        InputError: The kubeconfig cannot be read, or its credentials cannot be had.
    """
    configuration, context, impersonation = load_configuration(access)
    return WritingConnection(configuration, impersonation), context
