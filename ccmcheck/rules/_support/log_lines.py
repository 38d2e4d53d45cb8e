"""What the lines of a log and the events of a running cluster mean, by the same table as `ccmcheck explain`."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.catalog.messages import explained

_WRITER = "openstack-cloud-controller-manager: "


def advice(lines: Iterable[str], otherwise: str) -> str:
    """What the first line with a known cause means, and what to do.

    Args:
        lines: Messages of the CCM and of Services that it serves, what is nearest to the cause first.
        otherwise: What to say where none is known.
    """
    for line in lines:
        known = explained(_WRITER + line)
        if known and not known[0].is_step:
            return f"{known[0].means} {known[0].remedy}"
    return otherwise
