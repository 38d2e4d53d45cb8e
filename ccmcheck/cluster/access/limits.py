"""What a server may take of a run: bytes, values and seconds of one answer, pages of a list, and all answers together.

The same functions hold for API servers, Keystone, Octavia and Neutron.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ccmcheck.cluster.access.errors import NoJson, Unintelligible
from ccmcheck.cluster.core import budget

_Document = dict[str, Any]

SECONDS = 30.0
"""For one answer, from the first byte sent to the last received."""
MOST_BYTES = 64 * 1024 * 1024
"""Of one answer; a page of 500 Secrets at their limit of 1 MiB does not come, as etcd's own limit is lower."""
MOST_VALUES = 2_000_000
"""In one answer: a value takes up to a hundred times as much memory as it takes in the answer."""
MOST_PAGES = 2_000
"""Of one list: a million objects."""
MOST_SECONDS = 300.0
"""For one list."""
MOST_BYTES_OF_RUN = 1024 * 1024 * 1024
"""Of all answers; 5,000 nodes of 20 KB, 20,000 Services of 5 KB and 20,000 pods of 10 KB are 400 MB."""
SECONDS_OF_RUN = 300.0
"""Of waiting for all answers of a run together."""
_LEAST_SECONDS = 0.05
_REPORTING = 0.5
"""Seconds before the end of the run in which nothing is asked any more."""
_CHUNK = 256 * 1024
_AS_IT_IS = ("", "identity")


class Allowance:
    """What all answers of one cluster, or of one cloud, may still take; it ends with the budget of the run.

    Where that ends, what was read until then is judged.

    Args:
        most_bytes: Of all answers.
        seconds: Of waiting for them.
    """

    def __init__(self, most_bytes: int = MOST_BYTES_OF_RUN, seconds: float = SECONDS_OF_RUN) -> None:
        self._bytes = most_bytes
        self._seconds = seconds

    @contextmanager
    def asking(self, server: str) -> Iterator[None]:
        """Let a question be asked, or a pause be made before it.

        Args:
            server: Who is asked, for people.

        Raises:
            Unintelligible: Too much came, or came too slowly, or the run is over.
        """
        if budget.cuts():
            raise Unintelligible(f"not asked: {budget.cuts()[-1]}")
        if self._bytes <= 0:
            raise Unintelligible(f"{server} sent more than a run reads")
        if self._seconds <= 0:
            raise Unintelligible(f"{server} took longer than a run waits")
        try:
            budget.end_before(_REPORTING)
            yield
        except budget.OVER as error:
            raise Unintelligible(*budget.cut(error, "not everything was read")) from None

    def seconds(self, most: float) -> float:
        """How long an answer may take.

        Args:
            most: What it may take by itself. Threads wait for it, which no signal ends.
        """
        return max(_LEAST_SECONDS, min(most, self._seconds, budget.time_left() - _REPORTING))

    def spend(self, *, size: int = 0, seconds: float = 0) -> None:
        """Note what an answer took."""
        self._bytes -= size
        self._seconds -= seconds


def body_of(response: Any, most_bytes: int, server: str) -> bytes:  # noqa: ANN401 - urllib3's HTTPResponse
    """The body of an answer.

    Args:
        response: urllib3's, which has read the headers.
        most_bytes: What is taken.
        server: Who answers, for people.

    Raises:
        Unintelligible: It is larger, or compressed: nobody asked for that, and a few bytes would become a gigabyte.
    """
    if response.headers.get("content-encoding", "").strip().lower() not in _AS_IT_IS:
        raise Unintelligible(f"the answer of {server} is compressed, which was not asked for")
    pieces = []
    size = 0
    while piece := response.read1(_CHUNK, decode_content=False):
        size += len(piece)
        if size > most_bytes:
            raise Unintelligible(f"the answer of {server} is larger than {most_bytes // (1024 * 1024) or 1} MiB")
        pieces.append(piece)
    return b"".join(pieces)


def count_values(body: bytes, server: str) -> None:
    """Hold the number of values in a JSON text, before it is parsed.

    Raises:
        Unintelligible: There are too many.
    """
    if sum(map(body.count, (b",", b"{", b"["))) > MOST_VALUES:
        raise Unintelligible(f"the answer of {server} has more than {MOST_VALUES:,} values")


def parsed(body: bytes, server: str) -> _Document:
    """A JSON object.

    Raises:
        NoJson: It is none.
        Unintelligible: It has too many values.
    """
    import json

    count_values(body, server)
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise NoJson("the answer is not a JSON object")
    return document


def pages(
    ask: Callable[[str], tuple[_Document, str]], clock: Callable[[], float], unending: str
) -> Iterator[_Document]:
    """The pages of a list, one in memory at a time.

    Args:
        ask: Gets the page after a token, empty for the first, and the token of the next, empty after the last.
        clock: The time in seconds.
        unending: What is said of one that does not end.

    Raises:
        Unintelligible: It does not end.
    """
    started = clock()
    token = ""
    seen = {token}
    for _ in range(MOST_PAGES):
        page, token = ask(token)
        yield page
        if not token:
            return
        if token in seen or clock() - started > MOST_SECONDS:
            break
        seen.add(token)
    raise Unintelligible(unending)
