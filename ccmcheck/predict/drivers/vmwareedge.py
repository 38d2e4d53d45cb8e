"""VMware NSX, by the driver in vmware-nsx, which has been archived.

Source: openstack-archive/vmware-nsx vmware_nsx/services/lbaas/lb_const.py and octavia/octavia_driver.py, read. It
leaves out what NSX does not have and only logs it: timeouts and inserted headers of a listener, max_retries_down of a
monitor, monitor_port of a member.
"""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver

DRIVER = Driver(
    "vmwareedge",
    "the vmwareedge provider",
    evidence="openstack-archive/vmware-nsx vmware_nsx/services/lbaas/lb_const.py, read",
    methods={"ROUND_ROBIN": "", "LEAST_CONNECTIONS": "", "SOURCE_IP": ""},
)
