"""One HTTP exchange with an API server, within limits of time and size; of what fails, nothing but its kind is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from ccmcheck.base.records import NamedTuple
from ccmcheck.cluster.errors import CONFLICT, GONE, UNPROCESSABLE, ApiError, Unintelligible, Unreachable
from ccmcheck.cluster.transport import SUCCESSES, Answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONNECT_SECONDS = 10.0
_CHUNK = 256 * 1024
_KEPT_ERRORS = frozenset({CONFLICT, GONE, UNPROCESSABLE})
"""Statuses whose bodies are read: 410 holds the token by which a list goes on, 409 and 422 name the fields."""
_MOST_OF_AN_ERROR = 64 * 1024


class Question(NamedTuple):
    """What is sent.

    Attributes:
        method: ``GET``.
        path: The path of the URL.
        query: Its query.
        body: The body; None for none.
        content_type: The body's type.
    """

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes | None = None
    content_type: str = ""


class Limits(NamedTuple):
    """Of one exchange.

    Attributes:
        seconds: From the first byte sent to the last received.
        most_bytes: Of the answer.
    """

    seconds: float
    most_bytes: int


def exchange(
    pool: Any,  # noqa: ANN401 - urllib3's PoolManager, imported lazily
    base: str,
    authorization: Mapping[str, str],
    question: Question,
    limits: Limits,
) -> Answer:
    """Ask once.

    Args:
        pool: The connections.
        base: The URL of the API server.
        authorization: The headers that identify the user.
        question: What is asked.
        limits: Of time and size.

    Raises:
        ApiError: There is no answer.
    """
    import warnings

    import urllib3

    ends = time.monotonic() + limits.seconds
    url = f"{base}{question.path}" + (f"?{urlencode(question.query)}" if question.query else "")
    headers = {"accept": "application/json", "user-agent": "ccmcheck", **authorization}
    if question.body is not None:
        headers["content-type"] = question.content_type
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of unverified TLS, which the kubeconfig asks for
            response = pool.request(
                question.method,
                url,
                body=question.body,
                headers=headers,
                timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, limits.seconds), read=limits.seconds),
                preload_content=False,
                retries=False,
                redirect=False,
            )
        try:
            body = _body(response, ends, limits.most_bytes)
        except BaseException:
            response.close()
            raise
        response.release_conn()
    except ApiError:
        raise
    except urllib3.exceptions.SSLError:
        raise Unreachable(
            "the certificate of the API server is not accepted",
            "Look at `certificate-authority` of the kubeconfig.",
        ) from None
    except urllib3.exceptions.NewConnectionError:  # which is a timeout to urllib3
        raise Unreachable("there is no connection to the API server: nobody answers there") from None
    except urllib3.exceptions.TimeoutError:
        raise Unreachable("the API server did not answer in time") from None
    except (urllib3.exceptions.HTTPError, OSError):
        raise Unreachable("the connection to the API server failed or was cut") from None
    except Exception:  # noqa: BLE001 - its text may hold a header or a URL with a password
        raise Unreachable("the request could not be sent") from None
    content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Answer(response.status, content_type, _seconds(response.headers.get("retry-after")), body)


def _body(response: Any, ends: float, most_bytes: int) -> bytes:  # noqa: ANN401 - urllib3's
    """The body, within the limits; of an error only where something is needed of it."""
    if response.status not in SUCCESSES and response.status not in _KEPT_ERRORS:
        response.close()
        return b""
    limit = most_bytes if response.status in SUCCESSES else _MOST_OF_AN_ERROR
    pieces = []
    size = 0
    for piece in _pieces(response):
        size += len(piece)
        if size > limit:
            raise Unintelligible(f"the answer is larger than {limit // (1024 * 1024) or 1} MiB")
        if time.monotonic() > ends:
            raise Unreachable("the API server did not answer in time")
        pieces.append(piece)
    return b"".join(pieces)


def _pieces(response: Any) -> Iterator[bytes]:  # noqa: ANN401 - urllib3's
    while piece := response.read1(_CHUNK, decode_content=True):
        yield piece


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds; a date, which API servers do not send, counts as none."""
    if retry_after is None or not retry_after.strip().isdecimal() or len(retry_after) > 9:
        return None
    return float(retry_after)
