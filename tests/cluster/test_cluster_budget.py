"""What an API server may take of a run: values in one answer, and time for all answers together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from ccmcheck.cluster.access import limits
from ccmcheck.cluster.access.errors import Unintelligible
from ccmcheck.cluster.access.transport import HTTPAnswer, Transport, items

JSON = "application/json"


class Server:
    """Answers every question with the next page of a list that does not end, each a little slower than one likes."""

    server = "https://api"

    def __init__(self, seconds: float, body: bytes = b"") -> None:
        self.now = 0.0
        self.asked = 0
        self._seconds = seconds
        self._body = body

    def clock(self) -> float:
        return self.now

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        del path, query, seconds, most_bytes
        self.asked += 1
        self.now += self._seconds
        page = b'{"items": [{}], "metadata": {"continue": "%d"}}' % self.asked
        return HTTPAnswer(200, JSON, None, self._body or page)


def asked_of(server: Server) -> Transport:
    return Transport(server, sleep=lambda _: None, clock=server.clock)


def _all_lists(of: Transport) -> Iterator[int]:
    for _ in range(8):
        count = 0
        try:
            for _item in items(of, "/api/v1/nodes"):
                count += 1
        except Unintelligible:
            yield count


def test_eight_lists_without_an_end_take_no_longer_than_one() -> None:
    server = Server(seconds=1.0)
    counts = list(_all_lists(asked_of(server)))
    assert len(counts) == 8
    assert counts[0] > 100  # what was read until then is judged
    assert server.now <= limits.SECONDS_OF_RUN + 1


def test_a_server_that_took_its_time_is_named() -> None:
    of = asked_of(Server(seconds=400.0))
    of.get("/api/v1/nodes")
    with pytest.raises(Unintelligible, match="took longer than a run waits"):
        of.get("/api/v1/nodes")


def test_many_small_values_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_VALUES", 1_000)
    few, many = (b'{"items": [' + b",".join([b"{}"] * count) + b"]}" for count in (400, 600))
    assert len(asked_of(Server(0, few)).get("/api/v1/nodes")["items"]) == 400
    with pytest.raises(Unintelligible, match="more than 1,000 values"):
        asked_of(Server(0, many)).get("/api/v1/nodes")
