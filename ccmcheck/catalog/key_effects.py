"""What the CCM makes of a key's value: its unit, and what it becomes in a request.

Sources: cloud-provider-openstack pkg/openstack/loadbalancer.go and pkg/openstack/openstack.go, v1.36; Octavia API v2.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple


class KeyEffect(NamedTuple):
    """A key's unit, and what it becomes in a request to OpenStack; empty where there is nothing to say."""

    unit: str = ""
    becomes: str = ""


KEY_EFFECTS: dict[tuple[str, str], KeyEffect] = {
    (section, key): KeyEffect(*effect) for section, key, *effect in read_table(__file__, "data/key_effects.tsv")
}
"""By section and key."""
CHANGED_LATER: dict[str, str] = dict(read_table(__file__, "data/changed_later.tsv"))
"""What a change does to load balancers that are there, by a key of [LoadBalancer] or an annotation's last part."""
_CLASS_SECTION = "LoadBalancerClass"


def key_effect(section: str, key: str) -> KeyEffect:
    """Look up a key as the catalogue writes it; the keys of a class mean what they mean in [LoadBalancer]."""
    effect = KEY_EFFECTS.get((section, key))
    if effect is None and section == _CLASS_SECTION:
        effect = KEY_EFFECTS.get(("LoadBalancer", key))
    return effect or KeyEffect()
