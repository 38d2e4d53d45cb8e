"""The releases of gcfg that differ in what they accept."""

from __future__ import annotations

NEWEST = "v1.2.3"
"""The gcfg that cloud-provider-openstack has used since 1.12."""

ESCAPED_QUOTE_SINCE = "v1.2.2"
"""The release of gcfg that accepts ``\\"`` outside quotes."""
