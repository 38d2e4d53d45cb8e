"""What the create-monitor matrix is written in: a question, a row with its conditions, and the advice it gives."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ccmcheck.catalog.behaviour import within
from ccmcheck.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.catalog import Release
    from ccmcheck.model import Severity


class Advice(Enum):
    """What ``create-monitor`` should come to for one Service."""

    ON = "true"
    OFF = "false"
    EITHER = "either"
    ON_WITH_TIMERS = "true with all three timers, else false"
    ON_FOR_LOCAL = "true for Local Services only"
    NONE = "no monitor is made"


class Via(Enum):
    """Where the value belongs."""

    CONFIG = "cloud.conf"
    ANNOTATION = "the annotation loadbalancer.openstack.org/enable-health-monitor"
    NOWHERE = ""


class Question(NamedTuple):
    """What is known of one config and one Service; None is unknown.

    Attributes:
        release: The CCM's.
        driver: ``amphora``, ``ovn`` or ``other``, see `ccmcheck.catalog.octavia.family`.
        enabled: Whether the CCM handles load balancers, and this Service.
        in_tree: Whether the legacy in-tree provider reads the file.
        policy: The Service's externalTrafficPolicy, ``Local`` or ``Cluster``.
        protocol: A port's protocol.
        serial: provider-requires-serial-api-calls.
        client_ip: Whether the pods need the client's address.
        strict_mtls: Whether the backends take a bare TCP connection amiss.
        fip_fix: Whether the ovn provider checks members behind a floating IP (LP#1997418).
        http_on_udp: Whether Octavia takes HTTP monitors on UDP pools (API 2.16).
        over_quota: Whether the monitors are more than the project's quota.
        drops_unready: Whether the service controller was told to drop nodes that are not ready
            (``StableLoadBalancerNodeSet=false``).
    """

    release: Release
    driver: str | None = None
    enabled: bool | None = True
    in_tree: bool | None = False
    policy: str | None = None
    protocol: str | None = None
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None
    drops_unready: bool | None = None


class When(NamedTuple):
    """A row's conditions; None asks for nothing. See `Question` for the names.

    Attributes:
        releases: First tag and first tag after; empty strings have no end.
        drivers: Any of these.
    """

    releases: tuple[str, str] = ("", "")
    drivers: tuple[str, ...] = ()
    enabled: bool | None = None
    policy: str | None = None
    protocol: str | None = None
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None

    def meets(self, question: Question) -> bool:
        """Whether everything asked for is known and so."""
        if self.drivers and question.driver not in self.drivers:
            return False
        if self.releases != ("", "") and not within(question.release, *self.releases):
            return False
        return all(wanted is None or wanted == known for wanted, known in zip(self[2:], _known(question), strict=True))


def _known(question: Question) -> tuple[object, ...]:
    return (
        question.enabled,
        question.policy,
        question.protocol,
        question.serial,
        question.client_ip,
        question.strict_mtls,
        question.fip_fix,
        question.http_on_udp,
        question.over_quota,
    )


class Row(NamedTuple):
    """One row.

    Attributes:
        id: Its name, ``M13``.
        when: Its conditions.
        advice: The value.
        via: Where it belongs.
        monitor: The kind of monitor that results.
        severity: How much it matters; None where things are as they should be once the value is right.
        actions: What to do besides.
        why: The reason.
        source: Where that can be read.
    """

    id: str
    when: When
    advice: Advice
    via: Via
    monitor: str
    severity: Severity | None
    actions: tuple[str, ...]
    why: str
    source: str
