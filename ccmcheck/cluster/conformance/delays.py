"""Measured delays beside the predicted ones: how many requests are answered at once, late, or not."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from ccmcheck.cluster.conformance.records import DelayComparison, Reply
from ccmcheck.cluster.core import predictions

AT_ONCE = 1.0
"""Seconds: a lost SYN is sent again after one, and HAProxy tries another node after five."""
_DEVIATIONS = 3.0
"""How far chance may lead away from a share: 3 in 1,000 runs lie further off."""


def compare(
    prediction: predictions.Prediction | None, policy: str, replies: Sequence[Reply], until: float
) -> DelayComparison | None:
    """Compare the requests of a case with the prediction.

    Args:
        prediction: For its Service; None without one.
        policy: The Service's externalTrafficPolicy.
        replies: The requests; None of them is a retry of another.
        until: How many seconds after the address they ended.

    Returns:
        None where there are no requests.
    """
    if not replies:
        return None
    measured, share = _measured(replies)
    answer = prediction.answer("traffic-local" if policy == "Local" else "traffic-cluster") if prediction else None
    if answer is None:
        return DelayComparison("", measured, None)
    first = answer.numbers.get("first_connections")
    if isinstance(first, dict) and first:
        return _shares(first, answer, measured, share, len(replies))
    if answer.good is False:
        return _without_shares(answer, measured, share, len(replies))
    seconds = answer.numbers.get("seconds")
    if isinstance(seconds, list) and seconds and share < 1 and until < seconds[1]:
        line = f"all at once, after nodes without a pod are out ({seconds[0]:g} to {seconds[1]:g} s)"
        return DelayComparison(line, f"{measured}, {until:.0f} s after the address", None)
    return DelayComparison("all at once", measured, share == 1)


def _measured(replies: Sequence[Reply]) -> tuple[str, float]:
    """In a line, and the share that was answered at once."""
    answered = sorted(reply.seconds for reply in replies if reply.problem is None)
    at_once = sum(seconds < AT_ONCE for seconds in answered)
    parts = [f"{at_once} of {len(replies)} at once"]
    if answered:
        tail = answered[max(len(answered) * 95 // 100 - 1, 0)]
        parts[0] += f" (median {milliseconds(answered[len(answered) // 2])}, 95 % within {milliseconds(tail)})"
    if len(answered) > at_once:
        parts.append(f"{len(answered) - at_once} later (up to {answered[-1]:.1f} s)")
    if len(answered) < len(replies):
        parts.append(f"{len(replies) - len(answered)} not")
    return ", ".join(parts), at_once / len(replies)


def _shares(
    first: dict[str, Any], answer: predictions.Answer, measured: str, share: float, count: int
) -> DelayComparison:
    from ccmcheck.cluster.core import redispatch

    shares = redispatch.from_dict(first)
    line = f"{shares.at_once} at once; {shares.describe()}"
    if shares.by_load:
        return DelayComparison(answer.text, measured, None)
    if shares.by_client:  # each client is sent to one node for good
        return DelayComparison(line, measured, share in (0.0, 1.0))
    limits = (*shares.at_once, *(shares.alone[0] if shares.alone is not None else ()))
    return DelayComparison(line, measured, _within(share, min(limits), max(limits), count))


def _without_shares(answer: predictions.Answer, measured: str, share: float, count: int) -> DelayComparison:
    lost = answer.numbers.get("share")
    if not isinstance(lost, int | float):
        return DelayComparison(answer.text, measured, share < 1)
    return DelayComparison(answer.text, measured, _within(share, 1 - lost, 1 - lost, count))


def _within(share: float, least: float, most: float, count: int) -> bool:
    """Whether a share lies where chance may lead it: a few deviations, and one request, around the predicted range."""
    low = least - _DEVIATIONS * sqrt(least * (1 - least) / count) - 1 / count
    high = most + _DEVIATIONS * sqrt(most * (1 - most) / count) + 1 / count
    return low <= share <= high


def milliseconds(seconds: float) -> str:
    """A delay as people read it."""
    return f"{seconds * 1000:.0f} ms" if seconds < AT_ONCE else f"{seconds:.1f} s"
