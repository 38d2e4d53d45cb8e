"""Records of the create-monitor matrix: a question, a row with its conditions, and the advice it gives."""

from __future__ import annotations

from enum import Enum

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Release
from ccmcheck.catalog.stretches import within

NOT_EVERY_NODE = "unless every node runs a pod of this Service, connections also go to nodes that have none"
"""What is said of a Local Service without monitors whose pods nobody knows."""


class Advice(Enum):
    """The value that ``create-monitor`` should have for one Service."""

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


class MatrixQuestion(NamedTuple):
    """What is known of one config and one Service; None is unknown.

    Attributes:
        release: The CCM's.
        driver: ``amphora``, ``ovn`` or ``other``, see `ccmcheck.catalog.octavia.family`.
        policy: The Service's externalTrafficPolicy, ``Local`` or ``Cluster``.
        protocols: Its ports' protocols.
        enabled: Whether the CCM handles load balancers, and this Service.
        in_tree: Whether the legacy in-tree provider reads the file.
        serial: provider-requires-serial-api-calls.
        client_ip: Whether the pods need the client's address.
        strict_mtls: Whether the backends treat a connection without TLS as an error.
        proxy: Whether the pools speak the PROXY protocol.
        fip_fix: Whether the ovn provider's checks act on the address that clients use (LP#1997418).
        http_on_udp: Whether Octavia takes HTTP monitors on UDP pools (API 2.16).
        over_quota: Whether the monitors of all Services are more than the project's quota.
        refused: Whether Octavia accepts the Service without monitors, and refuses it with them.
        drops_unready: Whether the service controller is configured to drop nodes that are not ready
            (``StableLoadBalancerNodeSet=false``).
    """

    release: Release
    driver: str | None = None
    policy: str | None = None
    protocols: tuple[str, ...] | None = None
    enabled: bool | None = True
    in_tree: bool | None = False
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    proxy: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None
    refused: bool | None = None
    drops_unready: bool | None = None


_FIELDS = {name: (not_so, so, unknown) for name, not_so, so, unknown in read_table(__file__, "conditions.tsv")}


class When(NamedTuple):
    """A row's conditions; None matches anything. See `MatrixQuestion` for the names.

    Attributes:
        releases: First tag and first tag after; empty strings have no end.
        drivers: Any of these.
        protocol: One of the ports has it.
    """

    releases: tuple[str, str] = ("", "")
    drivers: tuple[str, ...] = ()
    policy: str | None = None
    protocol: str | None = None
    enabled: bool | None = None
    in_tree: bool | None = None
    serial: bool | None = None
    client_ip: bool | None = None
    strict_mtls: bool | None = None
    proxy: bool | None = None
    fip_fix: bool | None = None
    http_on_udp: bool | None = None
    over_quota: bool | None = None
    refused: bool | None = None
    drops_unready: bool | None = None

    def is_satisfied_by(self, question: MatrixQuestion) -> bool:
        """Whether every condition is known to hold."""
        if self.drivers and question.driver not in self.drivers:
            return False
        if self.policy is not None and question.policy != self.policy:
            return False
        if self.protocol is not None and self.protocol not in (question.protocols or ()):
            return False
        # the fields from `enabled` on stand in the same order in both
        if any(wanted is not None and wanted != known for wanted, known in zip(self[4:], question[4:], strict=True)):
            return False
        return self.releases == ("", "") or within(question.release, *self.releases)

    def judge(self, question: MatrixQuestion) -> Judgement:
        """Whether the conditions hold; else the first one that does not, or those that are unknown."""
        misses: list[str] = []
        needs: list[str] = []
        if self.releases != ("", "") and not within(question.release, *self.releases):
            misses.append(f"it is for CCM {stretch(*self.releases)}")
        for wanted, known, what, unknown in (
            (self.drivers, question.driver, "lb-provider is {}", "lb-provider"),
            (self.policy, question.policy, "externalTrafficPolicy is {}", "externalTrafficPolicy"),
        ):
            if wanted and known is None:
                needs.append(unknown)
            elif wanted and (known not in wanted if isinstance(wanted, tuple) else known != wanted):
                misses.append(what.format(known))
        if self.protocol is not None and question.protocols is None:
            needs.append("the ports")
        elif self.protocol is not None and self.protocol not in (question.protocols or ()):
            misses.append(f"there is no {self.protocol} port")
        for name, (not_so, so, unknown) in _FIELDS.items():
            asked, known_so = getattr(self, name), getattr(question, name)
            if asked is None or asked == known_so:
                continue
            if known_so is None:
                needs.append(unknown)
            else:
                misses.append(so if known_so else not_so)
        if misses:
            return Judgement(False, misses[0])
        return Judgement(None, ", ".join(needs), tuple(needs)) if needs else Judgement(True)

    def __str__(self) -> str:
        """The conditions in words."""
        parts = [f"CCM {stretch(*self.releases)}"] if self.releases != ("", "") else []
        parts += [" or ".join(self.drivers)] if self.drivers else []
        parts += [self.policy] if self.policy else []
        parts += [f"a {self.protocol} port" if self.protocol != "SCTP" else "an SCTP port"] if self.protocol else []
        for name, (not_so, so, _) in _FIELDS.items():
            asked = getattr(self, name)
            if asked is not None:
                parts.append(so if asked else not_so)
        return ", ".join(parts) or "anything"


class Judgement(NamedTuple):
    """Whether conditions hold.

    Attributes:
        matches: None where that depends on what is not known.
        why: Why not, or what is not known; empty where they hold.
        needs: What is not known.
    """

    matches: bool | None
    why: str = ""
    needs: tuple[str, ...] = ()


def stretch(first: str, before: str) -> str:
    """A stretch of releases in words.

    Args:
        first: Its first tag; empty for no lower bound.
        before: The first tag after it; empty where it has no end.
    """
    if not first:
        return f"before {before}"
    if not before:
        return f"from {first} on"
    lowest, patch = first.rsplit(".", 1)
    if patch.isdigit() and before == f"{lowest}.{int(patch) + 1}":
        return f"{first} alone"
    return f"from {first} on and before {before}"


class Caution(NamedTuple):
    """What a row's value does not do, or breaks, in some cases.

    Attributes:
        when: In which.
        text: What it is.
        source: Where that was measured or can be read.
    """

    when: When
    text: str
    source: str


class MatrixRow(NamedTuple):
    """One row.

    Attributes:
        id: Its name, ``M13``.
        when: Its conditions.
        advice: The value.
        why: The reason.
        source: Where that can be read.
        via: Where it belongs.
        monitor: The kind of monitor that results.
        severity: How much it matters; None where things are as they should be once the value is right.
        actions: What to do besides.
        also: Alternative conditions, any of which suffices.
        unless: What keeps it from matching.
        cautions: What its value does not do, or breaks.
        cures: Whether monitors take nodes out that have no pod, or are dead; where they do not, the actions do.
    """

    id: str
    when: When
    advice: Advice
    why: str
    source: str
    via: Via = Via.NOWHERE
    monitor: str = ""
    severity: Severity | None = None
    actions: tuple[str, ...] = ()
    also: tuple[When, ...] = ()
    unless: When | None = None
    cautions: tuple[Caution, ...] = ()
    cures: bool = True

    def matches(self, question: MatrixQuestion) -> bool:
        """Whether all its conditions are known to hold."""
        if not self.when.is_satisfied_by(question) and not any(other.is_satisfied_by(question) for other in self.also):
            return False
        return self.unless is None or not self.unless.is_satisfied_by(question)

    def judge(self, question: MatrixQuestion) -> Judgement:
        """Whether it matches, and why not."""
        judgement = self.when.judge(question)
        for other in self.also:
            if judgement.matches is not True:
                alternative = other.judge(question)
                judgement = alternative if alternative.matches is True else judgement
        if judgement.matches is True and self.unless is not None and self.unless.is_satisfied_by(question):
            return Judgement(False, str(self.unless._replace(releases=("", ""))))
        return judgement

    def warns(self, question: MatrixQuestion) -> tuple[Caution, ...]:
        """The cautions that hold for a question."""
        return tuple(caution for caution in self.cautions if caution.when.is_satisfied_by(question))


class Trial(NamedTuple):
    """One row with the result of evaluating it.

    Attributes:
        row: The row.
        judgement: Whether it matches, and why not.
    """

    row: MatrixRow
    judgement: Judgement
