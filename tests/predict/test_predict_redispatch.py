"""What becomes of first connections where nothing takes silent members out, beside what a real HAProxy did."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.catalog.data.octavia import CONNECT_TRIES
from ccmcheck.predict.verdicts.redispatch import busy_shares, first_connections, lone_limits, lone_shares

RECORDED = Path(__file__).parents[1] / "truth" / "haproxy" / "recorded" / "shares.json"
ALL: list[dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))["rows"]
ROWS = [row for row in ALL if not row["load"].startswith("ordered ")]
IN_ORDER = [row for row in ALL if row["load"].startswith("ordered ")]
POINTS = 0.03


def _expected(row: dict[str, Any]) -> tuple[float, float, float]:
    members, answering = row["shape"]
    if row["method"] == "SOURCE_IP":
        return answering / members, 0.0, 1 - answering / members
    shares = (busy_shares if row["load"] == "busy" and row["silent"] else lone_shares)(members, answering)
    return shares[0], sum(shares[1:-1]), shares[-1]


def test_shares_agree_with_haproxy_over_all_shapes() -> None:
    """Within three points, pooled over the shapes of one algorithm and load."""
    pooled: dict[tuple[str, str, bool], list[dict[str, Any]]] = defaultdict(list)
    for row in ROWS:
        if row["method"] != "LEAST_CONNECTIONS":
            pooled[row["method"], row["load"], row["silent"]].append(row)
    assert len(pooled) == 6
    for kind, rows in pooled.items():
        count = sum(row["connections"] for row in rows)
        answered = (
            sum(row["connections"] * (sum(row["measured"][:2]) - sum(_expected(row)[:2])) for row in rows) / count
        )
        closed = sum(row["connections"] * (row["measured"][2] - _expected(row)[2]) for row in rows) / count
        assert abs(answered) <= POINTS, kind
        assert abs(closed) <= POINTS, kind


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["closed"]], ids=lambda row: f"{row['shape']}-{row['method']}"
)
def test_connections_are_closed_when_haproxy_closes_them(row: dict[str, Any]) -> None:
    """Four times timeout_member_connect where members are silent; two or three seconds where they refuse SOURCE_IP."""
    first = first_connections(row["method"], row["shape"][0], row["shape"][1], row["timeout"], silent=row["silent"])
    assert first is not None
    least = first.closed_after if first.closed_from is None else first.closed_from
    assert all(least - 0.3 <= moment <= first.closed_after + 0.3 for moment in row["closed"])


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row["method"] == "LEAST_CONNECTIONS"],
    ids=lambda row: f"{row['shape']}-{row['load']}",
)
def test_least_connections_stays_between_its_limits(row: dict[str, Any]) -> None:
    """Open connections on the members that answer send every new one to the others."""
    first = first_connections(row["method"], row["shape"][0], row["shape"][1], row["timeout"])
    assert first is not None
    assert first.by_load
    assert row["measured"][2] <= first.closed.most
    if row["load"] == "held":
        assert row["measured"][2] == first.closed.most


@given(st.integers(1, 300), st.integers(1, 300))
def test_shares_add_up(members: int, answering: int) -> None:
    """Every connection is answered at one of the tries, or closed."""
    answering = min(answering, members)
    if members == 1:
        assert first_connections("ROUND_ROBIN", 1, 1, 5) is None
        return
    for shares in (busy_shares(members, answering), lone_shares(members, answering)):
        assert len(shares) == CONNECT_TRIES + 1
        assert sum(shares) == pytest.approx(1)
        assert all(-1e-9 <= share <= 1 + 1e-9 for share in shares)


@pytest.mark.parametrize("row", IN_ORDER, ids=lambda row: row["load"])
def test_one_client_alone_fared_as_the_order_of_the_members_says(row: dict[str, Any]) -> None:
    ring = [sign == "x" for sign in row["load"].partition(" ")[2]]
    limits = lone_limits(*row["shape"])
    for share, expected, (least, most) in zip(row["measured"], _walked(ring), limits, strict=True):
        assert share == pytest.approx(expected, abs=POINTS)
        assert least - POINTS <= share <= most + POINTS


def test_members_were_in_several_orders() -> None:
    assert len(IN_ORDER) >= 5


def _walked(ring: list[bool]) -> tuple[float, float, float]:
    """What becomes of the connections of one client that walks a ring, once round: at once, waiting, closed."""
    outcomes, at, tries = [0, 0, 0], ring.index(True) + 1, 0
    for step in range(len(ring)):
        if ring[(at + step) % len(ring)]:
            outcomes[0 if not tries else 1] += 1
            tries = 0
        elif tries == CONNECT_TRIES - 1:
            outcomes[2] += 1
            tries = 0
        else:
            tries += 1
    return (outcomes[0] / sum(outcomes), outcomes[1] / sum(outcomes), outcomes[2] / sum(outcomes))


@given(st.lists(st.booleans(), min_size=2, max_size=40).filter(any))
def test_one_client_alone_stays_between_its_limits_whatever_the_order(ring: list[bool]) -> None:
    limits = lone_limits(len(ring), sum(ring))
    for share, (least, most) in zip(_walked(ring), limits, strict=True):
        assert least - 1e-9 <= share <= most + 1e-9


@pytest.mark.parametrize(("members", "answering"), [(4, 2), (12, 3), (9, 4), (10, 1), (11, 2), (8, 7)])
def test_the_limits_are_reached_by_some_order(members: int, answering: int) -> None:
    rings = {
        tuple(place in places for place in range(members))
        for places in itertools.combinations(range(members), answering)
    }
    each = [_walked(list(ring)) for ring in rings]
    for at, (least, most) in enumerate(lone_limits(members, answering)):
        assert (min(one[at] for one in each), max(one[at] for one in each)) == pytest.approx((least, most))


@given(st.integers(2, 60), st.integers(1, 59), st.sampled_from(["ROUND_ROBIN", "SOURCE_IP"]))
def test_another_pod_never_loses_connections(members: int, answering: int, method: str) -> None:
    """One more node with a pod closes no more connections."""
    fewer = first_connections(method, members, min(answering, members - 1), 5)
    more = first_connections(method, members, min(answering, members - 1) + 1, 5)
    assert fewer is not None
    if more is not None:
        assert more.closed.least <= fewer.closed.least + 1e-9
        assert more.closed.most <= fewer.closed.most + 0.02


def test_the_sentence_of_a_common_cluster() -> None:
    """As a user reads it."""
    first = first_connections("ROUND_ROBIN", 20, 3, 5)
    assert first is not None
    assert first.describe() == (
        "51 % of first connections are closed after 20 s, 34 % wait 5 to 15 s; one client alone, by the order of the "
        "members: 40 to 57 % closed, 14 to 60 % wait"
    )
    assert first.describe(http=True).startswith("51 % of first connections are answered with 503 after 20 s")
    same = first_connections("SOURCE_IP", 20, 3, 5)
    assert same is not None
    assert same.describe() == "85 % of clients never get through: each of their connections is closed after 20 s"


def test_nothing_is_said_where_all_members_answer() -> None:
    """Or where there are none, or the algorithm is not HAProxy's."""
    assert first_connections("ROUND_ROBIN", 3, 3, 5) is None
    assert first_connections("ROUND_ROBIN", 0, 0, 5) is None
    assert first_connections("SOMETHING", 3, 1, 5) is None
