"""What to do about what gets worse, and where that can be read: by the kind of a point."""

from __future__ import annotations

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.review.change.records import ReviewPoint, ServiceChange

_CCM = "kubernetes/cloud-provider-openstack"
_CODE = f"{_CCM} pkg/openstack/loadbalancer.go"
_GROUPS = f"{_CCM} pkg/openstack/loadbalancer_sg.go"
_READER = f"{_CCM} pkg/openstack/openstack.go ReadConfig"
_GUIDE = f"{_CCM} docs/openstack-cloud-controller-manager/expose-applications-using-loadbalancer-type-service.md"
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


BY_KIND: dict[str, Remedy] = {
    "fatal": Remedy("Correct it before the CCM starts again; `ccmcheck lint` names the line.", _READER),
    "runs": Remedy("Correct it; `ccmcheck lint` names the line.", _READER),
    "unsupported": Remedy(
        "Keep load balancers switched on, or delete the Services first: nothing manages what is left.",
        f"{_CCM} pkg/openstack/openstack.go LoadBalancer",
    ),
    "ignored": Remedy("Delete it, or correct it; `ccmcheck lint` says what has an effect.", f"{_READER}; {_CODE}"),
    "keys": Remedy("Delete them: `ccmcheck fix` does.", _READER),
    "findings": Remedy("`ccmcheck lint --release` with that release shows them.", "the rules: `ccmcheck rules`"),
    "between": Remedy("Do not stop there.", _READER),
    "annotation": Remedy("Delete it, or check its value before the upgrade.", _GUIDE),
    "config": Remedy(
        "Keep it as long as a CCM is started with it: without its file the CCM does not start.",
        f"{_CCM} pkg/openstack/openstack.go",
    ),
    "unknown": Remedy("Give what is missing as an option; -v lists what was assumed.", ""),
    "fails": Remedy("Correct the Service or the cloud.conf; `ccmcheck predict` shows the requests.", _CODE),
    "stops": Remedy("Correct the Service or the cloud.conf; `ccmcheck predict` shows the requests.", _CODE),
    "stuck": Remedy("Correct it before the nodes or the Service change: the CCM updates nothing until then.", _CODE),
    "impaired": Remedy(_CLUSTER, f"{_CCM}#2866"),
    "deleted": Remedy(
        f'Where the address must stay, set {_PREFIX}keep-floatingip: "true" before the Service goes.', _GUIDE
    ),
    "left": Remedy("Delete the other Services that share it, too, where the load balancer is to go.", _GUIDE),
    "recreated": Remedy("Change it when an interruption does no harm.", _CODE),
    "orphaned": Remedy(
        "Move DNS and firewalls to the new address; delete the old load balancer when nothing uses it.", _CODE
    ),
    "recreation": Remedy("Correct it before the Service or its load balancer is recreated.", _CODE),
    "exposed": Remedy(
        'Where it must stay internal, set service.beta.kubernetes.io/openstack-internal-load-balancer: "true".', _GUIDE
    ),
    "hidden": Remedy(
        "Where clients come from outside, keep a floating-network-id and the Service not internal.", _GUIDE
    ),
    "protocols": Remedy("Change backends and load balancer together, when an interruption does no harm.", _GUIDE),
    "security-group": Remedy("Open these ports to the member subnet, or set manage-security-groups = true.", _GROUPS),
    "quota": Remedy(
        "Raise it first: `openstack loadbalancer quota set --healthmonitor N PROJECT`.", "octavia 19.0.0, run"
    ),
    "client-address": Remedy("Where pods need the address: PROXY, X-Forwarded-For, or OVN with policy Local.", _GUIDE),
    "hairpin": Remedy("Let pods use the Service's cluster address.", "KEP-1860"),
    "source-ranges": Remedy("Where not everybody may connect, list the ranges in loadBalancerSourceRanges.", _GUIDE),
    "status": Remedy("Update DNS and whatever else holds the address.", "KEP-1860"),
    "detection": Remedy(f"Set {_MONITORS}.", "KEP-3458; kubernetes/kubernetes#133052"),
    "probes": Remedy(
        "Choose a longer monitor-delay; `ccmcheck review --question create-monitor` compares timers.",
        "openstack/octavia octavia/amphorae/drivers/haproxy/rest_api_driver.py",
    ),
}
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
