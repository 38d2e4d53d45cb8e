"""What messages of logs and events mean: from a line to its cause and what to do.

A message is a chain, from what was tried (``failed to ensure load balancer``) to why it failed (``Quota exceeded``).
Each program on the way adds its part, and ``data/messages.toml`` has the wordings as the programs' sources have them.
Of those in a line, the one that begins last is nearest to the cause; one that only says what was tried (a step)
explains a line where no other does.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from ccmcheck.base.records import NamedTuple

SOURCES = {
    "ccm": "cloud-provider-openstack",
    "controller": "k8s.io/cloud-provider",
    "gophercloud": "gophercloud, the CCM's client of OpenStack",
    "gcfg": "gcfg, the CCM's reader",
    "keystone": "Keystone",
    "neutron": "Neutron",
    "octavia": "Octavia",
    "ovn": "ovn-octavia-provider",
    "kubernetes": "Kubernetes",
    "go": "Go's standard library",
}
"""Who gives a message, by the word in the table."""

LONGEST_LINE = 16_384
"""Code points of a line that are searched."""

_VERB = re.compile(r"%[+#]?[svdqwtT]")
_GAP = r".{0,400}?"


class Message(NamedTuple):
    """One row of the table: messages with one meaning.

    Attributes:
        texts: Their wordings; ``%s`` and the like stand for any text.
        source: Who gives them, a name in `SOURCES`.
        at: Where they stand in its source.
        is_step: Whether they only say what failed, and not why.
        means: What happened, and why.
        remedy: What to change.
        about: Keys, annotations, flags or objects to look at.
        rules: Rules that find the cause in files or in a cluster.
        since: The first release of the CCM that gives them; empty for all.
        until: The last one.
    """

    texts: tuple[str, ...]
    source: str
    at: str
    is_step: bool
    means: str
    remedy: str
    about: tuple[str, ...]
    rules: tuple[str, ...]
    since: str = ""
    until: str = ""


@cache
def messages() -> tuple[Message, ...]:
    """The table."""
    import tomllib

    text = (Path(__file__).parent / "data" / "messages.toml").read_text(encoding="utf-8")
    return tuple(map(_message, tomllib.loads(text)["message"]))


def _message(row: dict[str, Any]) -> Message:
    return Message(
        tuple(row["texts"]),
        row["from"],
        row["at"],
        row.get("step", False),
        row["means"],
        row["do"],
        tuple(row["about"]),
        tuple(row.get("rules", ())),
        row.get("since", ""),
        row.get("until", ""),
    )


def explained(line: str) -> tuple[Message, ...]:
    """What a line of a log, or an event, says.

    Args:
        line: One message, with or without its time and place.

    Returns:
        The messages in it, each with the one wording that it has there, the one nearest to the cause first; empty where
        nothing in it is known.
    """
    text = line[:LONGEST_LINE].replace('\\"', '"')
    folded = text.casefold()
    places: list[tuple[bool, int, int, Message]] = []
    for longest, fixed, wording, message in _wordings():
        if longest in folded and (match := _pattern(fixed).search(text)) is not None:
            known = message._replace(texts=(wording,))
            places.append((not message.is_step, match.start(), sum(map(len, fixed)), known))
    ordered = sorted(places, key=lambda place: place[:3], reverse=True)
    return tuple({place[3].means: place[3] for place in reversed(ordered)}.values())[::-1]


@cache
def _wordings() -> tuple[tuple[str, tuple[str, ...], str, Message], ...]:
    """Every wording: its longest fixed part in lower case, its fixed parts, itself, and what it means."""
    return tuple(
        (max(fixed, key=len).casefold(), fixed, wording, message)
        for message in messages()
        for wording in message.texts
        if (fixed := tuple(part for part in _VERB.split(wording) if part.strip(" :\"'")))
    )


@cache
def _pattern(fixed: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(_GAP.join(map(re.escape, fixed)), re.IGNORECASE)
