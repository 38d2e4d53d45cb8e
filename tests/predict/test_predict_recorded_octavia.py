"""Verdicts agree with what the real Octavia API said to predicted requests; nothing but the record is needed here.

``make truth`` sends them again, and ``python tests/truth/octavia/octavia_compare.py --record`` rewrites the record.
"""

from __future__ import annotations

import octavia_recorded as recorded
from octavia_recorded import Recorded
from octavia_verdict import Verdict, judge

RECORD = list(recorded.load())
LARGEST = 2_000_000


def _difference(one: Recorded) -> str:
    """What is wrong with our verdict; empty where it agrees."""
    verdict = judge(one.case, one.release)
    return "nothing is asked for" if verdict is None else _between(one, verdict)


def _between(one: Recorded, verdict: Verdict) -> str:
    if recorded.fingerprint(verdict.requests) != one.requests:
        return "other requests are predicted than were sent: rewrite the record"
    if verdict.taken != (not one.fault):
        return f"taken {verdict.taken} ({verdict.why}), really {one.statuses[-1]} {one.fault}"
    if verdict.status and verdict.status != one.statuses[-1]:
        return f"status {verdict.status} ({verdict.why}), really {one.statuses[-1]} {one.fault}"
    return ""


def test_every_recorded_verdict_is_ours() -> None:
    assert [wrong for one in RECORD if (wrong := _difference(one))] == []


def test_the_record_is_wide_and_small() -> None:
    refused = [one for one in RECORD if one.fault]
    assert len(refused) >= 60
    assert len(RECORD) - len(refused) >= 60
    assert {one.statuses[-1] for one in refused} >= {400, 409, 501}
    assert sum(bool(one.case.cloud["loadbalancers"]) for one in RECORD) >= 20
    assert len({one.release for one in RECORD}) >= 5
    assert recorded.AT.stat().st_size < LARGEST


def test_a_wrong_verdict_would_be_seen() -> None:
    taken = next(one for one in RECORD if not one.fault)
    refused = next(one for one in RECORD if one.statuses[-1] == 400)
    assert _difference(taken._replace(fault="no", statuses=(400,)))
    assert _difference(refused._replace(statuses=(409,)))
    assert _difference(refused._replace(fault=""))
    assert _difference(taken._replace(requests="0"))
