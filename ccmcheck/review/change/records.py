"""What a review is made of: plain records, no logic beyond their own shape.

::

    Review
    ├── points: ReviewPoint       what there is to say, worst first; equal words for several Services are one point
    ├── totals: ReviewTotals      the counts of the summary
    ├── configs: ConfigChange     one for each cloud.conf
    │   ├── settings: SettingChange    one for each key whose value changes, or that goes in or out of use
    │   └── upgrade: Upgrade           what another release makes of the file as it is
    └── services: ServiceChange   one for each Service of type LoadBalancer
        ├── before, after: Prediction  what is there, and what the CCM does to it
        ├── requests: Request          what is sent because of the change
        ├── monitors: Monitors
        └── facts: ServiceFact         traffic, client address, detection … before and after

Every text may be shown: secrets are masked when the records are made.

What is counted of health monitors: how many there are, how often they probe, how fast they notice.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.predict.records import Ignored, Prediction, Request, SecurityGroupRule
    from ccmcheck.review.upgrade.meaning import Upgrade


class Monitors(NamedTuple):
    """The health monitors of one Service's load balancer.

    Attributes:
        before: How many there are before.
        after: How many there are after.
        made: How many are created.
        deleted: How many are deleted.
        changed: How many are changed in place.
    """

    before: int = 0
    after: int = 0
    made: int = 0
    deleted: int = 0
    changed: int = 0


class Rate(NamedTuple):
    """Probes a second.

    Attributes:
        total: In all, by one amphora of each load balancer (or by all chassis of OVN); None where it is not known.
        per_node: On each node, likewise.
    """

    total: float | None = 0.0
    per_node: float | None = 0.0


class Detection(NamedTuple):
    """How long a dead node may stay in rotation, in seconds.

    Attributes:
        refused: At most, for a host that refuses connections; None for ever.
        silent: At most, for a host that is silent; None for ever.
        known: False where there is no load balancer, or nothing is known.
    """

    refused: float | None = None
    silent: float | None = None
    known: bool = False


class ManifestChange(Enum):
    """What becomes of a file's cloud.conf or of a Service's manifest."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    """The same in another place."""
    SAME = "same"


class Fate(Enum):
    """What becomes of a Service's load balancer."""

    CREATED = "created"
    JOINED = "joined"
    """The Service gets listeners on the load balancer of another one."""
    DELETED = "deleted"
    LEFT = "kept for others"
    """The Service's listeners are deleted; the load balancer stays, and others share it."""
    RECREATED = "recreated"
    """Its listeners or pools are deleted and created again; it keeps its address."""
    RECONCILED = "reconciled"
    """Something about it is changed in place."""
    UNTOUCHED = "not touched"
    STUCK = "stuck"
    """It stays as it is, and the CCM can no longer change it: not for this change, and not when nodes change."""
    NONE = "none"
    """There is none before, and none after."""
    UNKNOWN = "unknown"


class Health(Enum):
    """How a Service's traffic fares."""

    WORKS = "works"
    IMPAIRED = "loses connections"
    """Some connections fail or are slow: nodes without a pod are in rotation."""
    STUCK = "goes on unmanaged"
    """The load balancer that is there goes on; the CCM no longer keeps it up to date."""
    DOWN = "does not work"
    ABSENT = "is not there"
    UNKNOWN = "unknown"


class ReviewPoint(NamedTuple):
    """One thing to say.

    Attributes:
        severity: ERROR for what stops working, WARNING for what gets worse, INFO for the rest.
        kind: Its stable name: ``fatal``, ``stops``, ``stuck``, ``starts``, ``recreated``, ``monitors``, ``quota`` …;
            `ccmcheck.review.change.points.ORDER` has them all, worst first.
        text: What it is, one line; the subjects are not in it.
        subjects: The cloud.confs or Services that it is about.
        do: What to do about it; empty only where there is nothing to do.
        evidence: Where the behaviour behind it can be read or was measured; may be empty.
    """

    severity: Severity
    kind: str
    text: str
    subjects: tuple[str, ...] = ()
    do: str = ""
    evidence: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it says that something works that did not."""
        return self.kind in ("starts", "runs") and self.severity is Severity.INFO


class SettingChange(NamedTuple):
    """One key of a cloud.conf, both values as the release after the change reads them.

    Attributes:
        section: ``LoadBalancer``, ``LoadBalancerClass "gold"``.
        key: The key.
        before: The value before, as cloud.conf writes it; the default where the file sets none. A secret is ``****``.
        after: The value after.
        from_default: Whether the file did not set it before.
        to_default: Whether the file does not set it any more.
        ignored: True for a key that the CCM does not know: it is silently ignored.
        effect: Its effect, in words; may be empty.
    """

    section: str
    key: str
    before: str
    after: str
    from_default: bool = False
    to_default: bool = False
    ignored: bool = False
    effect: str = ""

    @property
    def values(self) -> str:
        """Both values; ``changed`` where they may not be shown."""
        return "changed" if self.before == self.after else f"{self.before or 'empty'} → {self.after or 'empty'}"


class ConfigChange(NamedTuple):
    """One cloud.conf before and after.

    Attributes:
        title: What it is called: the file and the route in it, after the change where it is still there.
        old_title: The same before the change; empty where it is new, equal where it stays.
        change: What becomes of it.
        release_before: The CCM's release before; empty where it is new.
        release_after: The release after; empty where it is gone.
        source: Why that release: ``--release``, ``assumed: the newest``, ``from ccm.yaml``.
        stop_before: Why the CCM does not run, or supports no load balancers, before; empty where it does.
        stop_after: The same after.
        runs_after: Whether the CCM runs after it; ``stop_after`` may still say why it leaves load balancers alone.
        settings: The keys whose values change.
        upgrade: What changes because the release does; None where it does not, or is older.
        restart: Whether the CCM must be restarted for it: it reads the file once, at its start.
        services: How many Services are judged by it.
        runs_before: Whether the CCM runs before it.
    """

    title: str
    old_title: str
    change: ManifestChange
    release_before: str = ""
    release_after: str = ""
    source: str = ""
    stop_before: str = ""
    stop_after: str = ""
    runs_after: bool = True
    settings: tuple[SettingChange, ...] = ()
    upgrade: Upgrade | None = None
    restart: bool = False
    services: int = 0
    runs_before: bool = True

    @property
    def changes_release(self) -> bool:
        """Whether another release of the CCM reads it."""
        return bool(self.release_before and self.release_after) and self.release_before != self.release_after


class ServiceFact(NamedTuple):
    """One property before and after.

    Attributes:
        name: Its stable name: ``traffic``, ``client-address``, ``dead-node``, ``podless-node``, ``probes``, ``quota``,
            ``security-group``, ``hairpin`` (as the answers of a prediction), ``timeouts``, ``status``, ``floating-ip``,
            ``source-ranges``, ``provider``, ``method``, ``protocols``.
        before: In words; empty where there is nothing to say.
        after: In words.
        better: True where it gets better, False where it gets worse, None where it is neither.
    """

    name: str
    before: str
    after: str
    better: bool | None = None

    @property
    def changes(self) -> bool:
        """Whether it is another after the change."""
        return self.before != self.after


class ServiceChange(NamedTuple):
    """One Service of type LoadBalancer before and after.

    Attributes:
        service: ``namespace/name``.
        path: The file, after the change where it is still there.
        line: Its line in the file, from 1; 0 where that is not known.
        old_path: The file before the change; empty where the Service is new.
        change: What becomes of its manifest.
        config: The title of the cloud.conf that it is judged by; empty where the defaults stand in.
        fate: What becomes of its load balancer.
        health_before: How its traffic fares before.
        health_after: How it fares after.
        before: What the CCM made of it; None where the Service is new.
        after: What the CCM does now, with the load balancer of ``before`` there; None where the Service is gone. Its
            ``plans`` and ``answers`` are those of the state after the change; see ``requests`` for what is sent.
        requests: The requests that are sent because of the change; those that every reconcile sends are left out.
        monitors: Its health monitors.
        rules_added: Rules that come into its security group.
        rules_removed: Rules that go.
        facts: Its properties before and after, the unchanged ones too.
        rate_before: Probes before.
        rate_after: Probes after.
        detection_before: A dead node before.
        detection_after: A dead node after.
        stays: What the change does not do to the load balancer that is there, in words: its provider, its flavour …
        recreation_error: Why it could not be created again after the change, where it could before; else empty.
        ignored: What has no effect after the change, and had one, or was not there, before.
        doubt: Why it is not known what becomes of it, where something about it changes; empty otherwise.
    """

    service: str
    path: str
    line: int
    old_path: str
    change: ManifestChange
    config: str
    fate: Fate
    health_before: Health
    health_after: Health
    before: Prediction | None = None
    after: Prediction | None = None
    requests: tuple[Request, ...] = ()
    monitors: Monitors = Monitors()
    rules_added: tuple[SecurityGroupRule, ...] = ()
    rules_removed: tuple[SecurityGroupRule, ...] = ()
    facts: tuple[ServiceFact, ...] = ()
    rate_before: Rate = Rate()
    rate_after: Rate = Rate()
    detection_before: Detection = Detection()
    detection_after: Detection = Detection()
    stays: tuple[str, ...] = ()
    recreation_error: str = ""
    ignored: tuple[Ignored, ...] = ()
    doubt: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether nothing changes for it."""
        return (
            (self.fate in (Fate.UNTOUCHED, Fate.NONE, Fate.UNKNOWN) or self.health_before is Health.STUCK)
            and not self.requests
            and self.health_before is self.health_after
            and not (self.stays or self.recreation_error or self.ignored or self.doubt)
            and not any(fact.changes for fact in self.facts)
        )

    @property
    def to_octavia(self) -> tuple[int, int]:
        """How many requests to Octavia change something, and how many make a load balancer."""
        paths = [(request.method, request.path) for request in self.requests if request.api == "octavia"]
        made = sum(method == "POST" and path.endswith("/loadbalancers") for method, path in paths)
        return len(paths) - made, made

    def fact(self, name: str) -> ServiceFact | None:
        """One property by its name; None where there is nothing to say of it."""
        return next((fact for fact in self.facts if fact.name == name), None)


def labels(services: Sequence[ServiceChange]) -> list[str]:
    """What to call Services: their names; of one name also the files, and in one file the cloud.confs, too."""
    names = Counter(one.service for one in services)
    places = Counter((one.service, one.path) for one in services)
    return [
        one.service
        if names[one.service] < 2
        else f"{one.service} ({one.path})"
        if places[one.service, one.path] < 2
        else f"{one.service} ({one.path} with {one.config})"
        for one in services
    ]


class ReviewTotals(NamedTuple):
    """The counts of the summary.

    Attributes:
        services: Services after the change, and those that go.
        stops: Services that stop working.
        impaired: Services that begin to lose connections.
        starts: Services that start working.
        broken: Services that do not work, or lose connections, after the change as before it.
        works: Services that work before and after.
        fates: How many load balancers have which fate.
        monitors: All health monitors.
        quota: How many the project may have; None when unknown, -1 for no limit.
        used: How many it has besides.
        rate_before: Probes before.
        rate_after: Probes after.
        amphorae: How many amphorae a load balancer has; None when unknown: then all rates are for one, and may double.
        detection_before: The slowest of them to notice a dead node, before.
        detection_after: The same after.
        nodes: How many nodes; None when unknown.
        restarts: How many cloud.confs need a restart of their CCM.
        stuck: Services that go on, and that the CCM can no longer change.
        peak_before: The probes that the busiest load balancer sends, before.
        peak_after: The same after.
        only_ovn: Whether OVN alone probes, where there are no amphorae.
        rules_added: Security group rules that come.
        rules_removed: Security group rules that go.
        sent: How many requests go to Octavia, besides those that make load balancers.
        made: How many load balancers are made.
    """

    services: int = 0
    stops: int = 0
    impaired: int = 0
    starts: int = 0
    works: int = 0
    fates: dict[Fate, int] = {}  # noqa: RUF012 - never changed
    monitors: Monitors = Monitors()
    quota: int | None = None
    used: int = 0
    rate_before: Rate = Rate()
    rate_after: Rate = Rate()
    amphorae: int | None = None
    detection_before: Detection = Detection()
    detection_after: Detection = Detection()
    nodes: int | None = None
    restarts: int = 0
    stuck: int = 0
    peak_before: float = 0.0
    peak_after: float = 0.0
    only_ovn: bool = False
    rules_added: int = 0
    rules_removed: int = 0
    sent: int = 0
    made: int = 0
    broken: int = 0

    @property
    def worse(self) -> int:
        """Services that fare worse after the change."""
        return self.stops + self.stuck + self.impaired


class Review(NamedTuple):
    """What a change does.

    Attributes:
        base: What it is called before: a path, a revision.
        head: What it is called after.
        points: What there is to say, worst first.
        totals: The counts.
        configs: The cloud.confs, worst first.
        services: The Services, worst first.
        notes: What was assumed, and what was skipped.
        stand_ins: Whether no Service is given, and one of each policy stands in.
    """

    base: str
    head: str
    points: tuple[ReviewPoint, ...] = ()
    totals: ReviewTotals = ReviewTotals()
    configs: tuple[ConfigChange, ...] = ()
    services: tuple[ServiceChange, ...] = ()
    notes: tuple[str, ...] = ()
    stand_ins: bool = False

    @property
    def is_quiet(self) -> bool:
        """Whether nothing changes."""
        return not self.points

    @property
    def changes(self) -> bool:
        """Whether anything but the release changes."""
        return any(point.kind not in ("release", "unused") for point in self.points)

    @property
    def worst(self) -> Severity | None:
        """The worst of what there is to say; None where nothing changes."""
        return max((point.severity for point in self.points), default=None)
