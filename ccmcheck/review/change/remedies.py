"""What to do about what gets worse, and where that can be read: by the kind of a point."""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.review.change.records import ReviewPoint, ServiceChange

_CCM = "kubernetes/cloud-provider-openstack"
_CODE = f"{_CCM} pkg/openstack/loadbalancer.go"
_GROUPS = f"{_CCM} pkg/openstack/loadbalancer_sg.go"
_PREFIX = "loadbalancer.openstack.org/"
_NO_MONITOR = f'{_PREFIX}enable-health-monitor: "false"'
_MONITORS = f'create-monitor = true, or the annotation {_PREFIX}enable-health-monitor: "true"'
_FORBIDDEN = 403
"""What Octavia answers where a quota is exhausted."""

_CLUSTER = "Use externalTrafficPolicy Cluster, or a pod on every node."


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
