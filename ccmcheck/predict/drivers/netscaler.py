"""NetScaler: public sources describe its driver for Neutron LBaaS only, not what it does with Octavia."""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver

DRIVER = Driver("netscaler", "the netscaler provider")
