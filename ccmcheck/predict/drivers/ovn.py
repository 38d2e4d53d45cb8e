"""The ovn driver: load balancing in OVN's logical switches and routers, without virtual machines.

Sources: openstack/ovn-octavia-provider 11.0.0 ovn_octavia_provider/driver.py, measured, its release notes and git log
of every tag; ovn-org/ovn controller/pinctrl.c and northd.c v20.03 to v25.03, read.
"""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver, HealthCheck, Seconds, Times

PINCTRL = "ovn-org/ovn controller/pinctrl.c, read"


def _times(check: HealthCheck) -> Times:
    """The next check begins a delay after the verdict; a SYN that is not answered fails after the timeout."""
    delay, timeout, fall = check.delay, check.timeout, check.fall
    back = Seconds((check.rise - 1) * delay, check.rise * delay)
    if check.kind == "UDP-CONNECT":
        refused = Seconds((fall - 1) * delay, fall * delay + timeout)
        return Times(refused, None, back, "ovn-controller on each chassis; silence counts as success", PINCTRL)
    silent = Seconds((fall - 1) * (delay + timeout) + timeout, fall * (delay + timeout))
    refused = Seconds((fall - 1) * delay, fall * delay)
    return Times(refused, silent, back, "ovn-controller on each chassis", PINCTRL)


DRIVER = Driver(
    "ovn",
    "the ovn provider",
    evidence="ovn-octavia-provider 11.0.0, run",
    is_special=True,
    checks_requests=True,
    methods={"SOURCE_IP_PORT": "", "SOURCE_IP": "2026.2"},
    protocols=frozenset({"TCP", "UDP", "SCTP"}),
    monitors=frozenset({"TCP", "UDP-CONNECT"}),
    refuses=frozenset({"allowed_cidrs", "monitor_port"}),
    mixes_families=False,
    releases={
        # the first version of each series that has it (1.0 is Wallaby, 1.1 and later 1.x Xena), oldest series first; of
        # the series that are not listed, those after the last have it
        "monitors": ("1.0.1", "1.1.0"),
        "fully-populated": ("1.0.1", "1.2.0", "2.0.0"),
        "monitor-in-create": ("1.2.0", "2.1.0", "3.1.0", "4.0.0"),
        "monitor-on-floating-ip": ("2.2.0", "3.1.2", "4.0.2", "5.0.0"),
        "ipv6-monitors": ("4.0.2", "5.1.0", "6.0.1", "7.0.0"),
        "member-subnet-in-create": ("5.1.0", "6.0.1", "7.0.0"),
        "persistence": ("5.0.0",),
        "source-ip": ("11.0.0",),
    },
    keeps_address=True,
    has_amphorae=False,
    redispatches=False,
    times=_times,
)
