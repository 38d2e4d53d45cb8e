"""What the CCM makes of a key's value."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.meanings import MEANINGS


class Meaning(NamedTuple):
    """A key's unit, and what it becomes in a request to OpenStack; empty where there is nothing to say."""

    unit: str
    becomes: str


_CLASS_SECTION = "LoadBalancerClass"


def meaning(section: str, key: str) -> Meaning:
    """Look up a key as the catalogue writes it; the keys of a class mean what they mean in [LoadBalancer]."""
    found = MEANINGS.get((section, key))
    if found is None and section == _CLASS_SECTION:
        found = MEANINGS.get(("LoadBalancer", key))
    return Meaning(*found) if found is not None else Meaning("", "")
