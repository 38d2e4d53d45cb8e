"""F5 BIG-IP, by SAP's driver.

Source: sapcc/octavia-f5-provider-driver octavia_f5/restclient/as3objects (monitor.py, pool.py), api/drivers/f5_driver,
read. It checks no algorithm and no type of monitor: what it does not know is built as round robin, or as no monitor.
"""

from __future__ import annotations

from ccmcheck.predict.drivers.record import Driver, HealthCheck, Seconds, Times

_SOURCE = "sapcc/octavia-f5-provider-driver, read"
_LONGEST = 900


def _times(check: HealthCheck) -> Times:
    most = min(check.fall * check.delay + 1, _LONGEST)
    span = Seconds(min(check.fall * check.delay, most), most)
    how = "BIG-IP; monitor-timeout and monitor-max-retries are ignored"
    return Times(span, span, Seconds(0, check.delay), how, _SOURCE)


DRIVER = Driver("f5", "the f5 provider", evidence=_SOURCE, times=_times)
