"""Requests to an API server: GET alone, limits of time and size, retries with growing pauses, JSON of our own.

Nothing of an answer but its JSON leaves here, and nothing of a failed one but its status.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from ccmcheck.cluster.access import errors
from ccmcheck.cluster.access.limits import MOST_BYTES, SECONDS, Allowance, pages, parsed
from ccmcheck.cluster.core import NamedTuple

Document = dict[str, Any]
"""An object or a list as the API server sends it."""

TRIES = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds; each pause is a random part of twice the one before."""
LONGEST_RETRY_AFTER = 30.0
"""Seconds that a Retry-After is followed for; a longer one ends the request."""
RETRIED = frozenset({errors.TOO_MANY, 500, 502, 503, 504})

SUCCESSES = frozenset({200, 201, 202})
"""What is there, what was made, and what is being done."""
_JSON, _PLAIN = "application/json", "text/plain"
_API_SERVER = "the API server"


class HTTPAnswer(NamedTuple):
    """One HTTP answer.

    Attributes:
        status: Its status.
        content_type: Its Content-Type, without parameters.
        retry_after: Its Retry-After in seconds; None without one.
        body: Its body; empty where there was an error, except for 409, 410 and 422.
        expired: Which credential has expired and when, where the credentials are not accepted; empty where none has.
    """

    status: int
    content_type: str
    retry_after: float | None
    body: bytes
    expired: str = ""


class Connection(Protocol):
    """A connection to one API server, which can do nothing but GET."""

    @property
    def server(self) -> str:
        """Its URL without userinfo."""

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once.

        Raises:
            ApiError: There is no answer.
        """


class Transport:
    """Asks one server.

    Args:
        connection: How it is reached.
        sleep: Waits some seconds.
        clock: The time in seconds.
        seconds: For one answer.
        most_bytes: Of one answer.
        allowance: What all answers may take; servers may share one.
        title: The server, for people.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        seconds: float = SECONDS,
        most_bytes: int = MOST_BYTES,
        allowance: Allowance | None = None,
        title: str = _API_SERVER,
    ) -> None:
        self._connection = connection
        self._allowance = allowance or Allowance()
        self._sleep = sleep
        self.clock = clock
        self.seconds = seconds
        self._most_bytes = most_bytes
        self._title = title

    @property
    def server(self) -> str:
        """The server's URL without userinfo."""
        return self._connection.server

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Document:
        """An object or a page of a list.

        Args:
            path: ``/api/v1/nodes``.
            query: ``limit`` and the like.

        Raises:
            ApiError: It cannot be had.
        """
        return document(self._answer(path, query or {}, TRIES, self._most_bytes), self._title)

    def text(self, path: str, query: Mapping[str, str], *, most_bytes: int) -> str:
        """A text such as a log, asked for once.

        Args:
            path: Its path.
            query: How much of it.
            most_bytes: Of the answer.

        Raises:
            ApiError: It cannot be had.
        """
        answer = self._answer(path, query, 1, most_bytes)
        if answer.status not in SUCCESSES:
            raise errors.Refused(answer.status)
        if answer.content_type != _PLAIN:
            raise errors.Unintelligible("the answer is not plain text")
        return answer.body.decode("utf-8", "replace")

    def _answer(self, path: str, query: Mapping[str, str], tries: int, most_bytes: int) -> HTTPAnswer:
        import random

        pause = FIRST_PAUSE
        for left in reversed(range(tries)):
            try:
                answer = self._ask(path, query, most_bytes)
            except errors.Unreachable as error:
                if not left or isinstance(error, errors.Untrusted):
                    raise
                wait = None
            else:
                if answer.status not in RETRIED or not left:
                    return answer
                wait = answer.retry_after
                if wait is not None and wait > LONGEST_RETRY_AFTER:
                    raise errors.Refused(answer.status)
            # waiting as long as everybody else would only move the crowd
            with self._allowance.asking(self._title):
                self._sleep(wait if wait is not None else pause * (0.5 + random.random() / 2))  # noqa: S311 - no secret
            pause = min(2 * pause, LONGEST_PAUSE)
        raise AssertionError  # the last try returns or raises

    def _ask(self, path: str, query: Mapping[str, str], most_bytes: int) -> HTTPAnswer:
        started = self.clock()
        try:
            with self._allowance.asking(self._title):
                seconds = self._allowance.seconds(self.seconds)
                answer = self._connection.get(path, query, seconds=seconds, most_bytes=most_bytes)
        finally:
            self._allowance.spend(seconds=self.clock() - started)
        self._allowance.spend(size=len(answer.body))
        return answer


def document(answer: HTTPAnswer, server: str = _API_SERVER) -> Document:
    """The object or list of an answer.

    Args:
        answer: The answer.
        server: Who sent it, for people.

    Raises:
        ApiError: It is an error, or no JSON object.
    """
    if answer.status not in SUCCESSES:
        raise errors.Refused(
            answer.status, _resume(answer) if answer.status == errors.GONE else "", _causes(answer), answer.expired
        )
    if answer.content_type != _JSON:
        raise errors.NoJson(
            "the answer is not JSON; is there a proxy or a login page in front of the API server?",
            "Look at `server` of the kubeconfig's cluster.",
        )
    return parsed(answer.body, server)


def _resume(answer: HTTPAnswer) -> str:
    """The token in the body of a 410, by which a list goes on where it was."""
    metadata = _status(answer).get("metadata")
    token = metadata.get("continue") if isinstance(metadata, dict) else None
    return token if isinstance(token, str) else ""


def _causes(answer: HTTPAnswer) -> tuple[errors.Cause, ...]:
    """What the details of a Status say about single fields; never its messages, which quote values."""
    details = _status(answer).get("details")
    found = details.get("causes") if isinstance(details, dict) else None
    causes = [cause for cause in found if isinstance(cause, dict)] if isinstance(found, list) else []
    return tuple(errors.cause_of(cause) for cause in causes[: errors.MOST_CAUSES])


def _status(answer: HTTPAnswer) -> Document:
    """The Status of an error; empty where there is none."""
    try:
        return parsed(answer.body, _API_SERVER)
    except errors.Unintelligible:
        return {}


PAGE = 500


def items(transport: Transport, path: str, query: Mapping[str, str] | None = None) -> Iterator[Document]:
    """The objects of a list, one page in memory at a time.

    Args:
        transport: Asks the API server.
        path: The list's.
        query: Selectors.

    Raises:
        ApiError: A page cannot be had; what was yielded before is not all.
    """
    unending = "the list does not end; the objects up to here are judged"
    for page in pages(lambda token: _page(transport, path, query or {}, token), transport.clock, unending):
        objects = page.get("items")
        if objects is None:
            objects = []
        if not isinstance(objects, list):
            raise errors.Unintelligible("the answer is not a list")
        head = _head(page)
        for item in objects:
            if isinstance(item, dict):
                yield {**head, **item}


def _page(transport: Transport, path: str, query: Mapping[str, str], token: str) -> tuple[Document, str]:
    for _ in range(2):
        asked = {**query, "limit": str(PAGE), **({"continue": token} if token else {})}
        try:
            page = transport.get(path, asked)
        except errors.Refused as error:
            if error.status != errors.GONE or not error.resume or error.resume == token:
                raise
            # the token is older than what etcd keeps; this one goes on after the same object, at the present state
            token = error.resume
            continue
        metadata = page.get("metadata")
        following = metadata.get("continue") if isinstance(metadata, dict) else None
        return page, following if isinstance(following, str) else ""
    raise errors.Refused(errors.GONE)


def _head(page: Document) -> Document:
    """What the objects of a list do not say themselves."""
    kind = page.get("kind")
    is_list = isinstance(kind, str) and kind.endswith("List")
    return {"apiVersion": page.get("apiVersion"), "kind": str(kind)[: -len("List")]} if is_list else {}
