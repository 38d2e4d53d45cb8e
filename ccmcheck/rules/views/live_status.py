"""The status of a Service of a running cluster beside the prediction: the same answer for rules and for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.predict.records import Prediction


class StatusDifference(NamedTuple):
    """What a Service publishes, and what the CCM would publish now.

    Attributes:
        has: What it has: ``hostname``, ``IP`` or ``ipMode``.
        value: Its value.
        would_be: What the CCM would publish: ``an IP``, ``a hostname``, or the other ipMode.
    """

    has: str
    value: str
    would_be: str


def status_difference(
    addresses: Sequence[tuple[str, str, str]], prediction: Prediction | None
) -> StatusDifference | None:
    """How the status of a Service differs in kind from the prediction; None where it does not, or nothing is known.

    Args:
        addresses: The entries of its status: IP, hostname, ``ipMode``.
        prediction: What is predicted; None where that is unknown.
    """
    if not addresses or prediction is None or prediction.outcome.value != "accepted" or not prediction.published:
        return None
    ip, hostname, mode = addresses[0]
    expected = prediction.published[0]
    if bool(hostname) is not bool(expected.hostname):
        if hostname:
            return StatusDifference("hostname", hostname, "an IP")
        return StatusDifference("IP", ip, "a hostname")
    if ip and mode and expected.ip_mode and mode != expected.ip_mode:
        return StatusDifference("ipMode", mode, expected.ip_mode)
    return None
