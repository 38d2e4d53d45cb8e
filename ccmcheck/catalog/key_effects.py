"""What the CCM makes of a key's value."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.key_effects import KEY_EFFECTS


class KeyEffect(NamedTuple):
    """A key's unit, and what it becomes in a request to OpenStack; empty where there is nothing to say."""

    unit: str
    becomes: str


_CLASS_SECTION = "LoadBalancerClass"


def key_effect(section: str, key: str) -> KeyEffect:
    """Look up a key as the catalogue writes it; the keys of a class mean what they mean in [LoadBalancer]."""
    found = KEY_EFFECTS.get((section, key))
    if found is None and section == _CLASS_SECTION:
        found = KEY_EFFECTS.get(("LoadBalancer", key))
    return KeyEffect(*found) if found is not None else KeyEffect("", "")
