"""What is known of a driver; None is not known.

How long until a member that no longer answers is out of rotation, and until it is back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import SERIES
from ccmcheck.catalog.octavia import at_least, version_of


class HealthCheck(NamedTuple):
    """A health check as it is configured; times in seconds.

    Attributes:
        pool: The pool's protocol.
        kind: The monitor's type.
        delay: Between two checks.
        timeout: That a check waits.
        rise: Successes in a row that bring a member back.
        fall: Failures in a row that take a member out.
        connect: The listener's timeout_member_connect.
    """

    pool: str
    kind: str
    delay: int
    timeout: int
    rise: int
    fall: int
    connect: float = 5.0


class Seconds(NamedTuple):
    """From the earliest to the latest, in seconds."""

    least: float
    most: float

    def __str__(self) -> str:
        least, most = _short(self.least), _short(self.most)
        return f"{most} s" if least == most else f"{least}–{most} s"


class Times(NamedTuple):
    """One pool's times, from the failure on.

    Attributes:
        refused: Until a member is out that answers badly, or refuses the connection; None for never.
        silent: Until a member is out that does not answer at all; None for never.
        back: Until a member that answers again is back.
        how: What checks, in words.
        evidence: Where that is from.
        known: False where nothing is known of the driver.
    """

    refused: Seconds | None
    silent: Seconds | None
    back: Seconds | None
    how: str
    evidence: str
    known: bool = True


def unknown_times(_check: HealthCheck) -> Times:
    """The times of a driver that no public source says anything about."""
    return Times(None, None, None, "nothing is known of this provider's checks", "", known=False)


def _short(seconds: float) -> str:
    return f"{seconds:g}" if seconds < 1_000_000 else f"{seconds:.0f}"


class Driver(NamedTuple):
    """One driver.

    Attributes:
        name: Its name, which is that of its file.
        title: What messages call it.
        evidence: Where what it accepts is from.
        is_named: Whether the provider's name is known; False where the cloud or a template decides.
        is_known: Whether it has a file of its own.
        is_special: Whether the CCM knows it by its name, and sends it no flavors, timeouts, zones, source ranges and
            HTTP monitors (IsOctaviaFeatureSupported, canUseHTTPMonitor); see the behaviour ``knows-ovn``.
        checks_requests: Whether it refuses at once what it does not accept; otherwise only its worker fails.
        methods: The algorithms it accepts, with the Octavia series that brings each; empty for all series.
        methods_of_create: Algorithms it accepts in a fully populated create only, with what they are built as.
        protocols: The protocols of listeners and pools that it accepts.
        protocol_since: The Octavia series that brings a protocol.
        monitors: The types of health monitors that it accepts.
        refuses: Fields that it answers with 501.
        mixes_families: Whether a member may have another IP family than the VIP.
        longest_seconds: The longest delay or timeout that it can be configured with, and a delay of 0 it cannot; 0 for
            no such limit.
        releases: What its own releases bring: the first version of each series that has it, see `has`.
        keeps_address: Whether packets reach the nodes with the client's address.
        has_amphorae: Whether amphorae send the probes; otherwise each chassis checks its own VMs.
        redispatches: Whether it tries another member where one does not answer a connection.
        times: How long its checks take to notice.
    """

    name: str
    title: str
    evidence: str = ""
    is_named: bool = True
    is_known: bool = True
    is_special: bool = False
    checks_requests: bool = False
    methods: Mapping[str, str] | None = None
    methods_of_create: Mapping[str, str] = {}
    protocols: frozenset[str] | None = None
    protocol_since: Mapping[str, str] = {}
    monitors: frozenset[str] | None = None
    refuses: frozenset[str] = frozenset()
    mixes_families: bool | None = None
    longest_seconds: int = 0
    releases: Mapping[str, tuple[str, ...]] = {}
    keeps_address: bool | None = None
    has_amphorae: bool | None = None
    redispatches: bool | None = None
    times: Callable[[HealthCheck], Times] = unknown_times

    @property
    def only_method(self) -> str:
        """The one algorithm that it accepts at every release; empty where there are several, or none is known."""
        always = [method for method, since in (self.methods or {}).items() if not since]
        return always[0] if len(always) == 1 else ""

    def takes(self, method: str, octavia_release: str = "") -> bool | None:
        """Whether it accepts an algorithm in every request; None where that is not known, or depends on the release.

        Args:
            method: ``ROUND_ROBIN`` …
            octavia_release: Octavia's; empty when unknown.
        """
        if self.methods is None:
            return None
        if method not in self.methods:
            return False
        since = self.methods[method]
        return True if not since else at_least(octavia_release, since)

    def gone_seconds(self, delay: int, timeout: int, fall: int) -> float | None:
        """How long a node without a pod of a Local Service stays in rotation at most; None where that is not known.

        Where the CCM asks for HTTP monitors, the health check node port answers at once that it has none; a check of
        the NodePort itself is not answered.

        Args:
            delay: Seconds between two checks.
            timeout: Seconds a check waits.
            fall: Failures in a row that take a member out.
        """
        times = self.times(HealthCheck("TCP", "TCP", delay, timeout, 1, fall))
        span = times.silent if self.is_special else times.refused
        return None if span is None else span.most

    def has(self, feature: str, release: str) -> bool | None:
        """Whether one of its own releases has something.

        Args:
            feature: A name in ``releases``; a driver that does not list it has no such difference between its releases.
            release: A version (``7.0.1``) or a series of OpenStack (``2024.2``, ``wallaby``); empty when unknown.

        Returns:
            None where the release is not known, or a series in which only some releases have it.
        """
        if feature not in self.releases:
            return True
        word = release.strip().lower()
        if word in SERIES:
            series = SERIES.index(word) - SERIES.index("wallaby")
            if series < 0:
                return False  # the first driver with releases of its own, ovn's, begins with Wallaby
            version = None
        else:
            version = version_of(word.removeprefix("v"))
            if not version[0]:
                return None
            series = _series_of(version)
        firsts = {_series_of(first): first for first in map(version_of, self.releases[feature])}
        first = firsts.get(series)
        if first is None:
            return series > max(firsts)
        if version is not None:
            return version >= first
        return True if first in (_WALLABY, _XENA, (series, 0, 0)) else None


_WALLABY, _XENA = (1, 0, 0), (1, 1, 0)
"""ovn-octavia-provider's first versions of these two series; later series begin with a major version of their own."""


def _series_of(version: tuple[int, int, int]) -> int:
    """The place of a version's series: 0 is Wallaby, 1 Xena."""
    return 0 if version[:2] == _WALLABY[:2] else version[0]
