"""A cloud.conf as other files' rules may keep it: what it says of load balancers, and no secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import NearbyConf
from ccmcheck.carriers.embedded.languages import is_document
from ccmcheck.conf.item import are_of_others
from ccmcheck.gcfg import parse
from ccmcheck.redact.masker import secret_spans

if TYPE_CHECKING:
    from ccmcheck.carriers.base import CarriedConf

_LETTER = "x"


def is_for_ccm(carried: CarriedConf) -> bool:
    """Whether the CCM may read a cloud.conf, by its known readers and its sections; one in a document is an example."""
    if is_document(carried.path) or (carried.consumers and "ccm" not in carried.consumers):
        return False
    return not are_of_others(section.name for section in parse(carried.stack.inner).sections)


def nearby_conf(carried: CarriedConf) -> NearbyConf:
    """Keep what Services need of a cloud.conf.

    Args:
        carried: The cloud.conf.
    """
    text = carried.stack.inner
    pieces: list[str] = []
    position = 0
    for start, end in secret_spans(text):
        if end <= position:
            continue
        low = max(start, position)
        pieces += (text[position:low], "\n".join(_LETTER * len(part) for part in text[low:end].split("\n")))
        position = end
    pieces.append(text[position:])
    masked = "".join(pieces)
    broken = masked != text and len(parse(text).stops) != len(parse(masked).stops)
    title = f"{carried.path} › {carried.route}" if carried.route else carried.path
    return NearbyConf(carried.path, title, masked, carried.marks, broken)
