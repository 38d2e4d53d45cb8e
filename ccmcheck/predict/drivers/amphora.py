"""The amphora driver, Octavia's own: HAProxy for TCP and HTTP, keepalived for UDP and SCTP, in virtual machines.

Sources: openstack/octavia 19.0.0 octavia/api/drivers/amphora_driver/v2/driver.py, measured; HAProxy 2.6 on the rendered
configuration, measured; keepalived check_misc.c and check_tcp.c v2.2.7 on the rendered configuration (not timed).
"""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.predict.drivers.record import Driver, HealthCheck, Seconds, Times

HAPROXY = "HAProxy 2.6 on Octavia's rendered configuration, measured"
KEEPALIVED = "keepalived v2.2.7 check_misc.c, check_tcp.c; rendered configuration measured, times not"
_KEEPALIVED_DELAY = 60


@lru_cache(maxsize=256)
def _times(check: HealthCheck) -> Times:
    return _datagram_times(check) if check.pool in ("UDP", "SCTP") else _stream_times(check)


def _stream_times(check: HealthCheck) -> Times:
    """A check of a silent host waits for the shorter of delay and connect timeout; the next begins a delay later."""
    delay, rise, fall = check.delay, check.rise, check.fall
    wait = min(delay, check.connect)
    first = (fall - 1) * (delay + wait) + wait
    return Times(
        Seconds((fall - 1) * delay, fall * delay),
        Seconds(first, first + delay),
        Seconds((rise - 1) * delay, rise * delay),
        "HAProxy; monitor-timeout has no effect where a host is silent",
        HAPROXY,
    )


def _datagram_times(check: HealthCheck) -> Times:
    """max_retries_down counts repetitions, so that one failure more takes a member out; one success brings it back."""
    delay, fall = check.delay or _KEEPALIVED_DELAY, check.fall
    refused, back = Seconds(fall * delay, (fall + 1) * delay), Seconds(0, delay)
    how = "keepalived; one success brings a member back"
    if check.kind == "UDP-CONNECT":
        return Times(refused, None, back, f"{how}, silence counts as success", KEEPALIVED)
    silent = Seconds(fall * delay + (fall + 1) * check.timeout, (fall + 1) * (delay + check.timeout))
    return Times(refused, silent, back, how, KEEPALIVED)


DRIVER = Driver(
    "amphora",
    "the amphora provider",
    evidence="octavia 19.0.0, run",
    checks_requests=True,
    methods={"ROUND_ROBIN": "", "LEAST_CONNECTIONS": "", "SOURCE_IP": ""},
    methods_of_create={"SOURCE_IP_PORT": "plain round robin"},
    protocol_since={"PROXYV2": "victoria", "SCTP": "wallaby", "UDP": "rocky"},
    longest_seconds=2147483,  # HAProxy counts milliseconds in 32 bits
    keeps_address=False,
    has_amphorae=True,
    redispatches=True,  # retries 3 and option redispatch in octavia/common/jinja/haproxy/combined_listeners
    times=_times,
)
