"""What the CCM makes of a key's value: its unit, and what it becomes in a request.

Sources: cloud-provider-openstack pkg/openstack/loadbalancer.go and pkg/openstack/openstack.go, v1.36; Octavia API v2.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

KEY_EFFECTS: dict[tuple[str, str], tuple[str, str]] = {
    (section, key): (unit, becomes) for section, key, unit, becomes in read_table(__file__, "key_effects.tsv")
}
"""Unit and meaning by section and key; empty where there is nothing to say."""
