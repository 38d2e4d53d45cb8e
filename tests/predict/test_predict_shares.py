"""Shares of first connections worked out by hand for small pools, and the sentences about them.

Round robin with many clients: a first try meets a silent member with d/n, each further one with (d-1)/(n-1). With one
client: the runs of silent members between those that answer, as short and as long as can be.
"""

from __future__ import annotations

import pytest

from ccmcheck.predict.verdicts.redispatch import FirstConnections, Share, first_connections, from_dict

RR, SIP, LC = "ROUND_ROBIN", "SOURCE_IP", "LEAST_CONNECTIONS"
Pair = tuple[float, float]
NONE, ALL, ANY = (0, 0), (1, 1), (0, 1)
BY_ORDER = "; one client alone, by the order of the members"
OPEN = "the number of open connections decides how many first connections"


def found(method: str, members: int, answering: int, timeout: float, *, silent: bool) -> FirstConnections:
    first = first_connections(method, members, answering, timeout, silent=silent)
    assert first is not None
    return first


@pytest.mark.parametrize(
    ("case", "at_once", "waiting", "closed", "waits", "after", "text"),
    [
        ((RR, 2, 1, 5, True), (0.5, 0.5), (0.5, 0.5), NONE, (5, 5), 20,
         "50 % of first connections wait 5 s; one client alone: 100 % wait"),
        ((RR, 3, 2, 5, True), (0.6667, 0.6667), (0.3333, 0.3333), NONE, (5, 5), 20,
         "33 % of first connections wait 5 s; one client alone: 50 % wait"),
        ((RR, 4, 2, 5, True), (0.5, 0.5), (0.4815, 0.4815), (0.0185, 0.0185), (5, 15), 20,
         f"2 % of first connections are closed after 20 s, 48 % wait 5 to 15 s{BY_ORDER}: 50 to 100 % wait"),
        ((RR, 5, 1, 5, True), (0.2, 0.2), (0.4625, 0.4625), (0.3375, 0.3375), (5, 15), 20,
         "34 % of first connections are closed after 20 s, 46 % wait 5 to 15 s; one client alone: 50 % closed"),
        ((RR, 6, 1, 5, True), (0.1667, 0.1667), (0.4067, 0.4067), (0.4267, 0.4267), (5, 15), 20,
         "43 % of first connections are closed after 20 s, 41 % wait 5 to 15 s; one client alone: 50 % closed, 50 % wait"),
        ((RR, 3, 1, 1, True), (0.3333, 0.3333), (0.5833, 0.5833), (0.0833, 0.0833), (1, 3), 4,
         "8 % of first connections are closed after 4 s, 58 % wait 1 to 3 s; one client alone: 100 % wait"),
        ((RR, 3, 0, 5, True), NONE, NONE, ALL, None, 20, "100 % of first connections are closed after 20 s"),
        ((RR, 1, 0, 0.5, True), NONE, NONE, ALL, None, 2, "100 % of first connections are closed after 2 s"),
        ((RR, 3, 0, 5, False), NONE, NONE, ALL, None, 0, "100 % of first connections are closed after four tries"),
        ((RR, 1, 0, 5, False), NONE, NONE, ALL, None, 3, "100 % of first connections are closed after 3 s"),
        ((RR, 1, 0, 0.4, False), NONE, NONE, ALL, None, 1.2, "100 % of first connections are closed after 1.2 s"),
        ((SIP, 3, 0, 5, False), NONE, NONE, ALL, None, 3, "100 % of first connections are closed after 2 to 3 s"),
        ((LC, 3, 0, 5, False), NONE, NONE, ALL, None, 3, "100 % of first connections are closed after 0 to 3 s"),
        ((RR, 3, 1, 5, False), ALL, NONE, NONE, None, 0, ""),
        ((RR, 6, 1, 5, False), (0.5, 0.5), NONE, (0.5, 0.5), None, 0,
         "50 % of first connections are closed after four tries"),
        ((LC, 3, 1, 5, True), ANY, ANY, ANY, (5, 15), 20, f"{OPEN} wait 5 to 15 s or are closed after 20 s"),
        ((LC, 3, 2, 5, True), ANY, ANY, NONE, (5, 5), 20, f"{OPEN} wait 5 s"),
        ((LC, 3, 1, 5, False), ANY, ANY, ANY, (0, 3), 3, f"{OPEN} wait 0 to 3 s or are closed after 0 to 3 s"),
        ((LC, 3, 2, 5, False), ANY, ANY, NONE, (0, 3), 3, f"{OPEN} wait 0 to 3 s"),
        ((SIP, 4, 1, 5, True), (0.25, 0.25), NONE, (0.75, 0.75), None, 20,
         "75 % of clients never get through: each of their connections is closed after 20 s"),
        ((SIP, 4, 1, 5, False), (0.25, 0.25), NONE, (0.75, 0.75), None, 3,
         "75 % of clients never get through: each of their connections is closed after 2 to 3 s"),
        ((SIP, 4, 1, 0.5, False), (0.25, 0.25), NONE, (0.75, 0.75), None, 1.5,
         "75 % of clients never get through: each of their connections is closed after 1 to 1.5 s"),
    ],
)  # fmt: skip
def test_small_pools(
    case: tuple[str, int, int, float, bool],
    at_once: Pair,
    waiting: Pair,
    closed: Pair,
    waits: Pair | None,
    after: float,
    text: str,
) -> None:
    method, members, answering, timeout, silent = case
    first = found(method, members, answering, timeout, silent=silent)
    least = {"SOURCE_IP": after * 2 / 3, LC: 0}.get(method if members > 1 else "", after)
    assert {**first.as_dict(), "alone": None} == {
        "at_once": list(at_once),
        "waiting": list(waiting),
        "closed": list(closed),
        "waits": None if waits is None else list(waits),
        "closed_after": pytest.approx(after),
        "by_client": method == SIP and answering > 0,
        "by_load": method == LC and answering > 0,
        "closed_from": after if silent else pytest.approx(least),
        "alone": None,
    }
    assert first.describe() == text
    assert first.describe(http=True) == text.replace("closed after", "answered with 503 after")
    again = from_dict(first.as_dict())
    assert again.as_dict() == first.as_dict()
    assert again.describe() == text


def test_the_amphora_runs_source_ip_port_as_round_robin() -> None:
    assert first_connections("SOURCE_IP_PORT", 5, 1, 5) == first_connections(RR, 5, 1, 5)


@pytest.mark.parametrize("answering", [1, 2])
def test_a_pool_whose_members_all_answer(answering: int) -> None:
    for method in (RR, SIP, LC):
        assert first_connections(method, answering, answering, 5) is None
    assert first_connections(RR, 0, 0, 5) is None


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Share(0.5, 0.5), "50 %"),
        (Share(1, 1), "100 %"),
        (Share(0.2, 0.22), "21 %"),
        (Share(0, 0.03), "up to 3 %"),
        (Share(0.001, 0.002), "under 1 %"),
        (Share(0.004, 0.2), "up to 20 %"),
        (Share(0.5, 0.75), "50 to 75 %"),
    ],
)
def test_shares_in_words(share: Share, text: str) -> None:
    """What differs by less than three points is one number: the measurements tell no more."""
    assert str(share) == text
