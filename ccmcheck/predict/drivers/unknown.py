"""A driver that nothing is known of: every verdict that depends on it is unknown."""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver

DRIVER = Driver("unknown", "this provider", is_known=False)
