"""Requests to an API server: GET alone, limits of time and size, retries with growing pauses, JSON of our own.

Nothing of an answer but its JSON leaves here, and nothing of a failed one but its status.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

from ccmcheck.cluster.access.errors import (
    GONE,
    MOST_CAUSES,
    TOO_MANY,
    Cause,
    Refused,
    Unintelligible,
    Unreachable,
    Untrusted,
    cause_of,
)
from ccmcheck.cluster.core import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


Document = dict[str, Any]
"""An object or a list as the API server sends it."""

TRIES = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds; each pause is a random part of twice the one before."""
LONGEST_RETRY_AFTER = 30.0
"""Seconds that a Retry-After is followed for; a longer one ends the request."""
RETRIED = frozenset({TOO_MANY, 500, 502, 503, 504})
MOST_BYTES = 64 * 1024 * 1024
"""Of one answer; a page of 500 Secrets at their limit of 1 MiB does not come, as etcd's own limit is lower."""
MOST_BYTES_OF_RUN = 1024 * 1024 * 1024
"""Of all answers; 5,000 nodes of 20 KB, 20,000 Services of 5 KB and 20,000 pods of 10 KB are 400 MB."""
SECONDS_OF_RUN = 300.0
"""Of waiting for all answers of a run together."""
MOST_VALUES = 2_000_000
"""In one answer: a value takes up to a hundred times as much memory as it takes in the answer."""
SECONDS = 30.0
"""For one answer, from the first byte sent to the last received."""

SUCCESSES = frozenset({200, 201, 202})
"""What is there, what was made, and what is being done."""
_JSON, _PLAIN = "application/json", "text/plain"


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
    """Asks one API server.

    Args:
        connection: How it is reached.
        sleep: Waits some seconds.
        clock: The time in seconds.
        seconds: For one answer.
        most_bytes: Of one answer.
        most_bytes_of_run: Of all answers.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        seconds: float = SECONDS,
        most_bytes: int = MOST_BYTES,
        most_bytes_of_run: int = MOST_BYTES_OF_RUN,
    ) -> None:
        self._connection = connection
        self._left = most_bytes_of_run
        self._seconds_left = SECONDS_OF_RUN
        self._sleep = sleep
        self.clock = clock
        self.seconds = seconds
        self._most_bytes = most_bytes

    @property
    def server(self) -> str:
        """The API server's URL without userinfo."""
        return self._connection.server

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Document:
        """An object or a page of a list.

        Args:
            path: ``/api/v1/nodes``.
            query: ``limit`` and the like.

        Raises:
            ApiError: It cannot be had.
        """
        return document(self._answer(path, query or {}, TRIES, self._most_bytes))

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
            raise Refused(answer.status)
        if answer.content_type != _PLAIN:
            raise Unintelligible("the answer is not plain text")
        return answer.body.decode("utf-8", "replace")

    def _answer(self, path: str, query: Mapping[str, str], tries: int, most_bytes: int) -> HTTPAnswer:
        import random

        pause = FIRST_PAUSE
        for left in reversed(range(tries)):
            try:
                if self._left <= 0 or self._seconds_left <= 0:
                    more = "sent more than a run reads" if self._left <= 0 else "took longer than a run waits"
                    raise Unintelligible(f"the API server {more}")
                started = self.clock()
                try:
                    answer = self._connection.get(path, query, seconds=self.seconds, most_bytes=most_bytes)
                finally:
                    self._seconds_left -= self.clock() - started
                self._left -= len(answer.body)
            except Unreachable as error:
                if not left or isinstance(error, Untrusted):
                    raise
                wait = None
            else:
                if answer.status not in RETRIED or not left:
                    return answer
                wait = answer.retry_after
                if wait is not None and wait > LONGEST_RETRY_AFTER:
                    raise Refused(answer.status)
            # waiting as long as everybody else would only move the crowd
            self._sleep(wait if wait is not None else pause * (0.5 + random.random() / 2))  # noqa: S311 - no secret
            pause = min(2 * pause, LONGEST_PAUSE)
        raise AssertionError  # the last try returns or raises


def document(answer: HTTPAnswer) -> Document:
    """The object or list of an answer.

    Raises:
        ApiError: It is an error, or no JSON object.
    """
    if answer.status not in SUCCESSES:
        raise Refused(answer.status, _resume(answer) if answer.status == GONE else "", _causes(answer), answer.expired)
    if answer.content_type != _JSON:
        raise Unintelligible(
            "the answer is not JSON; is there a proxy or a login page in front of the API server?",
            "Look at `server` of the kubeconfig's cluster.",
        )
    parsed = _parsed(answer.body)
    if parsed is None:
        raise Unintelligible("the answer is not a JSON object")
    return parsed


def _resume(answer: HTTPAnswer) -> str:
    """The token in the body of a 410, by which a list goes on where it was."""
    metadata = (_parsed(answer.body) or {}).get("metadata")
    token = metadata.get("continue") if isinstance(metadata, dict) else None
    return token if isinstance(token, str) else ""


def _causes(answer: HTTPAnswer) -> tuple[Cause, ...]:
    """What the details of a Status say about single fields; never its messages, which quote values."""
    details = (_parsed(answer.body) or {}).get("details")
    found = details.get("causes") if isinstance(details, dict) else None
    causes = [cause for cause in found if isinstance(cause, dict)] if isinstance(found, list) else []
    return tuple(cause_of(cause) for cause in causes[:MOST_CAUSES])


def _parsed(body: bytes) -> Document | None:
    import json

    if sum(map(body.count, (b",", b"{", b"["))) > MOST_VALUES:
        raise Unintelligible(f"the answer has more than {MOST_VALUES:,} values")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


PAGE = 500
MOST_PAGES = 2_000
"""A million objects."""
MOST_SECONDS = 300.0
"""For one list."""


def items(transport: Transport, path: str, query: Mapping[str, str] | None = None) -> Iterator[Document]:
    """The objects of a list, one page in memory at a time.

    Args:
        transport: Asks the API server.
        path: The list's.
        query: Selectors.

    Raises:
        ApiError: A page cannot be had; what was yielded before is not all.
    """
    started = transport.clock()
    token = ""
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page, token = _page(transport, path, query or {}, token)
        objects = page.get("items")
        if objects is None:
            objects = []
        if not isinstance(objects, list):
            raise Unintelligible("the answer is not a list")
        head = _head(page)
        for item in objects:
            if isinstance(item, dict):
                yield {**head, **item}
        if not token:
            return
        if token in seen or transport.clock() - started > MOST_SECONDS:
            break
        seen.add(token)
    raise Unintelligible("the list does not end; the objects up to here are judged")


def _page(transport: Transport, path: str, query: Mapping[str, str], token: str) -> tuple[Document, str]:
    for _ in range(2):
        asked = {**query, "limit": str(PAGE), **({"continue": token} if token else {})}
        try:
            page = transport.get(path, asked)
        except Refused as error:
            if error.status != GONE or not error.resume or error.resume == token:
                raise
            # the token is older than what etcd keeps; this one goes on after the same object, at the present state
            token = error.resume
            continue
        metadata = page.get("metadata")
        following = metadata.get("continue") if isinstance(metadata, dict) else None
        return page, following if isinstance(following, str) else ""
    raise Refused(GONE)


def _head(page: Document) -> Document:
    """What the objects of a list do not say themselves."""
    kind = page.get("kind")
    is_list = isinstance(kind, str) and kind.endswith("List")
    return {"apiVersion": page.get("apiVersion"), "kind": str(kind)[: -len("List")]} if is_list else {}
