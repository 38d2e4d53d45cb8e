"""What there is to say of a review: one line each, worst first, equal words for several Services said once.

What to do about what gets worse, and where that can be read: by the kind of a point.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.data import octavia
from ccmcheck.policy.create_monitor.timers import PROBES_PER_SECOND, per_second
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.addresses import FLOATING_IP, VIP
from ccmcheck.review.change.health import RANK, remade_words, why
from ccmcheck.review.change.records import (
    ConfigChange,
    Fate,
    Health,
    ManifestChange,
    ReviewPoint,
    ReviewTotals,
    ServiceChange,
    ServiceFact,
    labels,
)
from ccmcheck.review.upgrade.words import behaviour_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.review.change.records import Detection
    from ccmcheck.review.upgrade.meaning import Upgrade

_CCM = "kubernetes/cloud-provider-openstack"
_CODE = f"{_CCM} pkg/openstack/loadbalancer.go"
_GROUPS = f"{_CCM} pkg/openstack/loadbalancer_sg.go"
_PREFIX = "loadbalancer.openstack.org/"
_NO_MONITOR = f'{_PREFIX}enable-health-monitor: "false"'
_MONITORS = f'create-monitor = true, or the annotation {_PREFIX}enable-health-monitor: "true"'
_FORBIDDEN = 403
"""What Octavia answers where a quota is exhausted."""

_CLUSTER = "Use externalTrafficPolicy Cluster, or a pod on every node."
_error, _warning, _info = (
    partial(ReviewPoint, severity) for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
)


class Remedy(NamedTuple):
    """What to do about one kind of point.

    Attributes:
        do: What to do, a sentence.
        source: Where the behaviour can be read.
    """

    do: str
    source: str


BY_KIND: dict[str, Remedy] = {kind: Remedy(*fields) for kind, *fields in read_table(__file__, "remedies.tsv")}
"""By `ReviewPoint.kind`; every kind that can be a warning or an error has one, except those that bring their own."""


def remedied(point: ReviewPoint, service: ServiceChange | None = None) -> ReviewPoint:
    """A point with what to do about it and its source, where it gets worse and does not say so itself.

    Args:
        point: The point.
        service: The Service that it is about; None for a cloud.conf, or all Services.
    """
    if point.severity < Severity.WARNING:
        return point
    remedy = BY_KIND.get(point.kind, Remedy("", ""))
    if service is not None:
        remedy = _of_service(point.kind, service, remedy)
    return point._replace(do=point.do or remedy.do, evidence=point.evidence or remedy.source)


def _of_service(kind: str, service: ServiceChange, remedy: Remedy) -> Remedy:
    """The same where the Service says more: what Octavia refuses, monitors that are gone, an address that stays."""
    after = service.after
    if kind in ("stops", "fails", "stuck", "impaired") and after is not None:
        evidence = _evidence(after) or remedy.source
        monitors = [refusal.status for refusal in after.refusals if "healthmonitor" in refusal.field]
        if monitors:
            do = BY_KIND["quota"].do if _FORBIDDEN in monitors else f"Give it the annotation {_NO_MONITOR}."
            return Remedy(do, evidence)
        if after.outcome is not Outcome.ACCEPTED or after.policy != "Local":
            return Remedy(remedy.do, evidence)
        return Remedy(_CLUSTER if _has_monitor(after) or _is_blind(after) else f"Set {_MONITORS}.", evidence)
    if kind == "detection" and after is not None and _has_monitor(after):
        source = _answer_evidence(after, "dead-node") or remedy.source
        return Remedy("Choose a shorter monitor-delay where that matters.", source)
    if kind == "deleted" and not any("/floatingips/" in sent.path for sent in service.requests):
        return remedy._replace(do="Reuse or delete the floating IP, where there was one.")
    return remedy


def _is_blind(prediction: Prediction) -> bool:
    """Whether monitors would not notice a node without a pod: to OVN's UDP-CONNECT silence is success."""
    return driver_of(prediction.provider).is_special and any(plan.protocol == "UDP" for plan in prediction.plans)


def _has_monitor(prediction: Prediction) -> bool:
    return any(plan.monitor is not None for plan in prediction.plans)


def _evidence(prediction: Prediction) -> str:
    if prediction.refusals:
        return prediction.refusals[0].evidence
    return _answer_evidence(prediction, f"traffic-{prediction.policy.lower()}")


def _answer_evidence(prediction: Prediction, name: str) -> str:
    answer = prediction.answer(name)
    return "" if answer is None else answer.evidence


ORDER = tuple(kind for (kind,) in read_table(__file__, "point_order.tsv"))
"""The kinds of points, from what hurts most to what hurts least, within one severity."""

RESTART = "the CCM, which reads cloud.conf at its start, must be restarted; it changes load balancers one after another"
UNTIL_IT_ENDS = "it shows when the CCM starts the next time; until then it goes on with what it read before"
PROXY_ON = "the pods must expect the PROXY header from then on: to those that do not, no request gets through"
PROXY_OFF = "the pods get no PROXY header any more: those that go on expecting it refuse every request"
_MOST_TOLD = 3
_MOST_NAMED = 5
_MOST_COSTS = 3
_PLACE = {kind: place for place, kind in enumerate(ORDER)}


def points(
    configs: Iterable[ConfigChange], services: Iterable[ServiceChange], totals: ReviewTotals
) -> tuple[ReviewPoint, ...]:
    """Everything there is to say, worst first."""
    named = list(services)
    said = [(point, point.text) for config in configs for point in map(remedied, of_config(config, some=bool(named)))]
    for service, subject in zip(named, labels(named), strict=True):
        for point in of_service(service):
            told = remedied(point, service)._replace(subjects=(subject,))
            said.append((told, _without_name(told.text, service.service)))
    said += [(point, point.text) for point in map(remedied, of_totals(totals))]
    return tuple(sorted(_grouped(said), key=lambda point: (-point.severity, not point.is_good, _PLACE[point.kind])))


def _without_name(text: str, service: str) -> str:
    """A text without a Service's name, as the CCM's errors and names of load balancers have it."""
    return text.replace(service, "…").replace(service.replace("/", "_"), "…")


def _grouped(said: Iterable[tuple[ReviewPoint, str]]) -> list[ReviewPoint]:
    """The points, those of which the same is said together, but for their own names in it."""
    by_text: dict[tuple[object, ...], list[ReviewPoint]] = {}
    for point, text in said:
        by_text.setdefault((point.severity, point.kind, text, point.do), []).append(point)
    return [
        same[0]._replace(
            text=same[0].text if len(same) == 1 else str(key[2]),
            subjects=tuple(subject for point in same for subject in point.subjects),
        )
        for key, same in by_text.items()
    ]


def of_config(config: ConfigChange, *, some: bool) -> Iterator[ReviewPoint]:
    """What there is to say of one cloud.conf.

    Args:
        config: The cloud.conf.
        some: Whether there are Services at all.
    """
    subject = (config.title,)
    if config.change is ManifestChange.REMOVED:
        yield _warning("config", "the cloud.conf is gone", subject)
        return
    if config.change is ManifestChange.ADDED:
        yield _info("config", "the cloud.conf is new", subject)
    if config.stop_after and (not config.stop_before or (config.runs_before and not config.runs_after)):
        kind = "unsupported" if config.runs_after else "fatal"
        fatal_since = config.upgrade.fatal_since if config.upgrade is not None else ""
        since = f" (from CCM {fatal_since} on)" if fatal_since else ""
        yield _error(kind, config.stop_after + since, subject)
    elif config.stop_after:
        if config.change is ManifestChange.CHANGED or config.changes_release:
            kind = "unsupported" if config.runs_after else "runs"
            yield _warning(kind, f"as before, {config.stop_after}", subject)
    elif config.stop_before:
        yield _info("runs", f"the CCM works again; before, {config.stop_before}", subject)
    for setting in config.settings:
        if setting.ignored:
            name = f"[{setting.section}] {setting.key}"
            yield _warning(
                "ignored", f"{name} is silently ignored: CCM {config.release_after} has no such key", subject
            )
    known = [setting for setting in config.settings if not setting.ignored]
    if known and len(known) <= _MOST_TOLD:
        said = ", ".join(f"{setting.key} {setting.values}" for setting in known)
        yield _info("settings", said, subject)
    elif known:
        yield _info("settings", f"{first_of((setting.key for setting in known), _MOST_NAMED)} change", subject)
    if config.changes_release:
        yield _info("release", f"the CCM's release changes: {config.release_before} → {config.release_after}", subject)
    if config.upgrade is not None:
        yield from _of_upgrade(config.upgrade, config.release_after, subject)
    if some and not config.services and (config.restart or config.changes_release):
        yield _info("unused", "no Service here is judged by it: another cloud.conf is nearer", subject)
    if config.restart:
        yield _info("restart", UNTIL_IT_ENDS if config.stop_after else RESTART, subject)


def _of_upgrade(upgrade: Upgrade, release: str, subject: tuple[str, ...]) -> Iterator[ReviewPoint]:
    """What another release makes of the file as it is."""
    for flag in upgrade.flags:
        fails = "accept" if "=" in flag.flag else "know"
        text = f"the CCM does not {fails} {flag.flag} of {flag.subject} from {flag.since} on, and ends"
        yield _error("fatal", text, subject, do=flag.do)
    for where, error in upgrade.fatal_between:
        text = f"on the way, the CCM does not start in {where}: {error}"
        yield _warning("between", text, subject, do="Do not stop there.")
    vanishing = [change for change in upgrade.keys if change.kind == "vanishes"]
    if vanishing:
        text = f"CCM {release} ignores {first_of((change.key for change in vanishing), _MOST_NAMED)}"
        do = vanishing[0].do if len(vanishing) == 1 else ""
        yield _warning("keys", text, subject, do=do)
    others = [change.key for change in upgrade.keys if change.kind != "vanishes"]
    if others:
        values = "another value" if len(others) == 1 else "other values"
        yield _info("keys", f"CCM {release} gives {first_of(others, _MOST_NAMED)} {values}", subject)
    for effect in upgrade.turns:
        text, do = behaviour_line(effect)
        yield ReviewPoint(effect.severity, "behaviour", text, subject, evidence=effect.source, do=do)
    if upgrade.appear or upgrade.gone:
        more = f"{len(upgrade.appear)} finding{'s' if len(upgrade.appear) != 1 else ''} more"
        counts = f"lint reports {more} and {len(upgrade.gone)} less with CCM {release}"
        severity = max((finding.severity for finding in upgrade.appear), default=Severity.INFO)
        yield ReviewPoint(min(severity, Severity.WARNING), "findings", counts, subject)


def of_service(service: ServiceChange) -> Iterator[ReviewPoint]:
    """What there is to say of one Service."""
    yield from _of_health(service)
    yield from _of_fate(service)
    yield from _of_facts(service)


def _of_health(service: ServiceChange) -> Iterator[ReviewPoint]:
    before, after = service.health_before, service.health_after
    cause = "" if service.after is None else why(service.after, after)
    if service.change is ManifestChange.REMOVED:
        return
    if service.doubt:
        yield _warning("unknown", f"what becomes of it is not known: {service.doubt}")
    if Health.UNKNOWN in (before, after):
        return
    if service.change is ManifestChange.ADDED:
        if after is Health.DOWN:
            yield _error("fails", f"is new and does not work: {cause}")
        elif after is Health.IMPAIRED:
            yield _warning("impaired", f"is new and loses connections: {cause}")
        return
    if RANK[after] < RANK[before]:
        if after is Health.DOWN:
            yield _error("stops", f"stops working: {cause}")
        elif after is Health.STUCK:
            yield _error("stuck", _stuck(service, cause))
        else:
            yield _error("impaired", f"begins to lose connections: {cause}")
    elif RANK[after] > RANK[before]:
        words = "starts working" if after is Health.WORKS else "works in part"
        if before is Health.STUCK:
            words = "is looked after again"
        yield _info("starts", f"{words}{': ' + cause if cause else ''}")


def _stuck(service: ServiceChange, cause: str) -> str:
    if service.after is not None and service.after.outcome is Outcome.NOTHING and not cause.startswith("Kubernetes"):
        return "goes on as it is, and no CCM looks after it any more"  # the configuration says why
    return f"goes on as it is, and the CCM can no longer change it: {cause}{_other_name(service)}"


def _other_name(service: ServiceChange) -> str:
    """That the CCM knows its load balancer by another name, in words; empty where it does not.

    The names themselves are left out, so that the points of many Services are one.
    """
    before, after = ("" if one is None else one.name for one in (service.before, service.after))
    own_part = f"_{service.service.replace('/', '_')}"
    if before == after or not (before.endswith(own_part) and after.endswith(own_part)):
        return ""
    return "; --cluster-name has changed, and with it the name by which the CCM knows its load balancers"


def _of_fate(service: ServiceChange) -> Iterator[ReviewPoint]:
    if service.fate is Fate.DELETED:
        yield _warning("deleted", f"its load balancer is deleted, and {_address_given_back(service)}")
    elif service.fate is Fate.LEFT:
        ports = service.fact("ports")
        text = f"its listeners ({ports.before}) are deleted" if ports is not None else "its listeners are deleted"
        text += "; the load balancer stays, with its address, as long as another Service shares it"
        yield _warning("left", text)
    elif service.fate is Fate.RECREATED:
        yield _warning(
            "recreated",
            f"{remade_words(service)} recreated: connections break, and new ones fail until the members are back",
        )
    elif service.fate is Fate.CREATED:
        if service.health_before in (Health.WORKS, Health.IMPAIRED, Health.STUCK):
            text = (
                "a new load balancer with another address is made; the one that is there is left behind"
                + _other_name(service)
            )
            yield _warning("orphaned", text)
        elif service.change is ManifestChange.ADDED:
            yield _info("created", "is new: a load balancer is made")
    elif service.fate is Fate.JOINED and service.change is ManifestChange.ADDED:
        yield _info("created", "is new: it gets listeners on the load balancer that it shares")
    if service.recreation_error:
        yield _warning("recreation", f"keeps working, but could not be created again: {service.recreation_error}")
    for text in service.stays:
        yield _info("stays", text)
    for ignored in service.ignored:
        yield _warning("ignored", f"{ignored.what} has no effect: {ignored.why}")


def _address_given_back(service: ServiceChange) -> str:
    floating = service.fact("floating-ip")
    if floating is None or floating.before in ("", "none"):
        return "its address given back"
    if any(sent.method == "DELETE" and "/floatingips/" in sent.path for sent in service.requests):
        return "its address given back"
    return f"{floating.before} stays without it, in the project"


def _of_facts(service: ServiceChange) -> Iterator[ReviewPoint]:
    if service.fate not in (Fate.RECONCILED, Fate.RECREATED, Fate.UNTOUCHED):
        return
    yield from _of_checks(service)
    changing = [fact for fact in service.facts if fact.changes and fact.before and fact.after]
    floats = any(fact.name == "floating-ip" for fact in changing)
    for fact in changing:
        if fact.name != "status" or not floats:  # with the floating IP its address is reported
            yield from _of_fact(fact)


_WORSE = {"security-group": Severity.ERROR, "client-address": Severity.WARNING, "hairpin": Severity.WARNING}
_PLAIN = ("ports", "monitor", "method", "timeouts", "connection-limit")
_STAYS = "the floating IP stays with the load balancer, as nothing removes it: clients still get in by it, and it costs"
_CHECKED = (
    "the monitors ask the health check node port: other rules must let the member subnet in there, or every node counts"
    " as down"
)


def _of_checks(service: ServiceChange) -> Iterator[ReviewPoint]:
    """How monitors notice a dead node, and what they need to get through."""
    before, after = service.detection_before, service.detection_after
    better = next((fact.better for fact in service.facts if fact.name == "dead-node" and fact.changes), None)
    if better is not None:
        severity = Severity.INFO if better else Severity.WARNING
        text = f"a dead node is out {detection_words(after)} (before: {detection_words(before)})"
        yield ReviewPoint(severity, "detection", text)
    if _asks_check_port(service.after) and not _asks_check_port(service.before):
        yield _warning("security-group", _CHECKED)


def _asks_check_port(prediction: Prediction | None) -> bool:
    """Whether monitors ask another port than the traffic's, and no managed group opens it."""
    if prediction is None or prediction.rules is not None:
        return False
    return any(plan.monitor_port and plan.monitor_port != plan.node_port for plan in prediction.plans)


def detection_words(detection: Detection) -> str:
    """How long a dead node may stay in rotation, in words."""
    if not detection.known:
        return "once Kubernetes notices"
    if detection.refused is None and detection.silent is None:
        return "only when its Node object is deleted"
    if detection.silent is None:
        return f"after at most {detection.refused:g} s (refused), never where it is silent"
    refused = "never" if detection.refused is None else f"{detection.refused:g} s"
    return f"after at most {refused} (refused) or {detection.silent:g} s (silent)"


def _of_fact(fact: ServiceFact) -> Iterator[ReviewPoint]:
    kind = fact.name
    if fact.name in _WORSE:
        severity = _WORSE[fact.name] if fact.better is False else Severity.INFO
        if fact.better is False or fact.name == "client-address":
            yield ReviewPoint(severity, kind, f"{fact.after} (before: {fact.before})")
    elif fact.name == "floating-ip":
        if fact.before == "none":
            yield _warning("exposed", "gets a floating IP: it can be reached from outside")
        elif fact.after == "none":
            yield _error("hidden", "loses its floating IP: it can no longer be reached from outside")
    elif fact.name == "protocols":
        if ("PROXY" in fact.after) is not ("PROXY" in fact.before):
            yield _warning(kind, PROXY_ON if "PROXY" in fact.after else PROXY_OFF)
    elif fact.name == "source-ranges":
        opened = fact.after == "anybody" or "0.0.0.0/0" in fact.after
        severity = Severity.WARNING if opened else Severity.INFO
        yield ReviewPoint(severity, kind, f"lets in {fact.after} (before: {fact.before})")
    elif fact.name == "status":
        only_mode = fact.before.partition(", ipMode")[0] == fact.after.partition(", ipMode")[0]
        severity = Severity.INFO if only_mode else Severity.WARNING
        stays = f"; {_STAYS}" if FLOATING_IP in fact.before and VIP in fact.after else ""
        yield ReviewPoint(severity, kind, f"publishes {fact.after} (before: {fact.before}){stays}")
    elif fact.name == "annotation":
        yield _warning(kind, f"{fact.after}; before, {fact.before}")
    elif fact.name == "monitor names":
        names = (name.replace("_kube_service_", "_… ").partition(" ")[0] for name in (fact.before, fact.after))
        yield _info("renamed", f"its monitors are renamed: {' → '.join(names)}")
    elif fact.name == "egress rules":
        yield _info("rules", f"egress rules of its managed group: {fact.before} → {fact.after}")
    elif fact.name == "name":
        yield _info("renamed", "is renamed for the other cluster name, with its listeners and pools")
    elif fact.name in _PLAIN:
        yield _info(kind, f"{TITLES.get(fact.name, fact.name)}: {fact.before} → {fact.after}")


TITLES: dict[str, str] = dict(read_table(__file__, "fact_titles.tsv"))
"""Facts by what people call them, at most twelve letters."""


def duration_words(totals: ReviewTotals) -> str:
    """How long the CCM needs for all changes; empty where it sends nothing.

    It changes one load balancer at a time (k8s.io/cloud-provider: ConcurrentServiceSyncs is 1 by default).
    """
    if not totals.sent and not totals.made:
        return ""
    least, most = _seconds(totals.sent, totals.made)
    parts = [
        f"{count} {what}{'' if count == 1 else 's'} of {shortest} to {longest} s"
        for count, what, (shortest, longest) in (
            (totals.made, "creation", octavia.CREATE_SECONDS),
            (totals.sent, "request", octavia.CHANGE_SECONDS),
        )
        if count
    ]
    return f": {_lasting(least)} to {_lasting(most)} ({' and '.join(parts)}, assumed)"


def _seconds(sent: int, made: int) -> tuple[int, ...]:
    """How long requests to Octavia and new load balancers take, at least and at most."""
    ends = zip(octavia.CHANGE_SECONDS, octavia.CREATE_SECONDS, strict=True)
    return tuple(sent * change + made * create for change, create in ends)


def _lasting(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"


_INTERRUPTIONS = {
    Fate.CREATED: "a new load balancer",
    Fate.DELETED: "gone",
    Fate.LEFT: "gone",
    Fate.RECREATED: "interrupted until its members are back",
    Fate.STUCK: "stops half-way",
    Fate.UNKNOWN: "not known whether it is interrupted",
}


def cost_lines(services: Iterable[ServiceChange]) -> Iterator[str]:
    """What the change costs each Service: requests, interruptions and time; those that are alike once."""
    costs: dict[str, list[str]] = {}
    listed_services = list(services)
    for service, label in zip(listed_services, labels(listed_services), strict=True):
        if service.requests:
            costs.setdefault(_cost(service), []).append(label)
    said = [f"{first_of(names, _MOST_TOLD)}: {cost}" for cost, names in costs.items()]
    yield from said[:_MOST_COSTS]
    if len(said) > _MOST_COSTS:
        left = sum(map(len, list(costs.values())[_MOST_COSTS:]))
        yield f"{left} more Services: other requests; -v and --format json have them"


def _cost(service: ServiceChange) -> str:
    sent, made = service.to_octavia
    least, most = _seconds(sent, made)
    parts = [
        f"{count} request{'' if count == 1 else 's'} to {who}"
        for count, who in ((sent + made, "Octavia"), (len(service.requests) - sent - made, "Neutron"))
        if count
    ]
    lasting = f", {_lasting(least)} to {_lasting(most)} (assumed)" if most else ""
    return f"{' and '.join(parts)}, {_INTERRUPTIONS.get(service.fate, 'no interruption')}{lasting}"


def of_totals(totals: ReviewTotals) -> Iterator[ReviewPoint]:
    """What there is to say of all Services together."""
    monitors = totals.monitors
    if monitors.made or monitors.deleted or monitors.changed:
        parts = [
            f"{count} {what}"
            for count, what in ((monitors.made, "made"), (monitors.deleted, "deleted"), (monitors.changed, "changed"))
            if count
        ]
        text = f"health monitors: {monitors.before} → {monitors.after} ({', '.join(parts)})"
        text += quota_words(totals)
        yield _info("monitors", text)
    if (
        totals.quota is not None
        and 0 <= totals.quota < totals.used + monitors.after
        and monitors.after > monitors.before
    ):
        yield _error("quota", f"the quota of {totals.quota} health monitors is not enough")
    before, after = totals.rate_before, totals.rate_after
    if before != after:
        text = f"probes: {rate_words(totals, before=True)} → {rate_words(totals, before=False)}"
        over = (
            after.total is not None and totals.peak_after > PROBES_PER_SECOND and totals.peak_after > totals.peak_before
        )
        yield ReviewPoint(Severity.WARNING if over else Severity.INFO, "probes", text)
    if totals.rules_added or totals.rules_removed:
        yield _info("rules", f"security group rules: {totals.rules_added} added, {totals.rules_removed} removed")


def quota_words(totals: ReviewTotals) -> str:
    """How much of the quota is used afterwards; empty where it is not known, or has no limit."""
    if totals.quota is None or totals.quota < 0:
        return ""
    return f", {totals.used + totals.monitors.after} of the quota of {totals.quota}"


def rate_words(totals: ReviewTotals, *, before: bool) -> str:
    """A rate in words.

    Args:
        totals: The counts.
        before: Which of the two.
    """
    rate = totals.rate_before if before else totals.rate_after
    if rate.total is None:
        return "an unknown rate" if rate.per_node is None else f"{_rate(rate.per_node, totals)} a node"
    if not rate.total:
        return "none"
    node = rate.per_node or 0.0
    if totals.amphorae is None and not totals.only_ovn:
        return f"{_rate(rate.total, totals)}, {per_second(node)} or {per_second(2 * node)} a node"
    return f"{_rate(rate.total, totals)}, {_rate(node, totals)} a node"


def _rate(value: float, totals: ReviewTotals) -> str:
    count = totals.amphorae
    if count is None and not totals.only_ovn:
        return f"{per_second(value)}/s (single) or {per_second(2 * value)}/s (active-standby)"
    return f"{per_second(value * (count or 1))}/s"
