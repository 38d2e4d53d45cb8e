"""A10 Thunder, by A10 Networks' driver.

Source: a10networks/a10-octavia a10_octavia/api/drivers/driver.py and common/openstack_mappings.py, read. Its API driver
checks nothing and sends everything on; what its tables do not map fails in its worker.
"""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver

DRIVER = Driver(
    "a10",
    "the a10 provider",
    evidence="a10networks/a10-octavia a10_octavia/common/openstack_mappings.py, read",
    methods={"ROUND_ROBIN": "", "LEAST_CONNECTIONS": "", "SOURCE_IP": "", "SOURCE_IP_PORT": ""},
)
