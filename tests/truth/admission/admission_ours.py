"""What the rules say of a Service by a configuration, and where a policy may say more than its rule."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ccmcheck import catalog
from ccmcheck.base.model import Severity
from ccmcheck.carriers.base import NearbyConf, RunContext
from ccmcheck.carriers.collector import FindOptions
from ccmcheck.catalog.service_annotations import PREFIX, WRITTEN_BY_CCM, is_known
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.render.admission.policies import judged, policies
from ccmcheck.rules.views.service_config import options_at

if TYPE_CHECKING:
    from admission_generate import Configuration

Object = dict[str, Any]


class Judgement(NamedTuple):
    """What the rules say of a Service.

    Attributes:
        labels: The labels of each rule's findings, warnings and errors.
        fails: Whether a rule reports an error, or a request of the CCM is refused: then there is no load balancer of
            which a rule could say anything.
    """

    labels: dict[str, set[str]]
    fails: bool


def rendered(configuration: Configuration, *, enforce: bool = False) -> str:
    """The policies of a configuration."""
    return policies(configuration.conf, catalog.release(configuration.release), enforce=enforce)


@cache
def rules_of(configuration: Configuration) -> frozenset[str]:
    """The rules that have a policy."""
    return frozenset(region.rule for region, _ in judged(configuration.conf, catalog.release(configuration.release)))


@cache
def _linter(configuration: Configuration) -> Linter:
    target = TargetRelease("ccm", catalog.release(configuration.release), "--release")
    nearby = NearbyConf("cloud.conf", "cloud.conf", configuration.conf)
    return Linter(Settings((target,), find=FindOptions(template=False)), RunContext(confs={"": (nearby,)}))


def judge(configuration: Configuration, service: Object) -> Judgement:
    """Lint a Service."""
    examined = _linter(configuration).examine("service.yaml", json.dumps(service), explicit=True)
    findings = [problem.finding for problem in examined.problems]
    labels: dict[str, set[str]] = {}
    for finding in findings:
        if finding.severity >= Severity.WARNING:
            labels.setdefault(finding.rule, set()).add(finding.label)
    fails = any(finding.severity is Severity.ERROR for finding in findings) or not _has_balancer(configuration, service)
    return Judgement(labels, fails)


def _has_balancer(configuration: Configuration, service: Object) -> bool:
    """Whether the CCM's requests are accepted, as far as that is known."""
    nearby = NearbyConf("cloud.conf", "cloud.conf", configuration.conf)
    options = options_at(nearby, catalog.release(configuration.release))
    if options is None:
        return False
    outcome = predict(options, read_service(service), CloudState()).outcome
    return outcome in (Outcome.ACCEPTED, Outcome.UNKNOWN)


def differences(configuration: Configuration, service: Object, warnings: list[str]) -> list[str]:
    """Where the API server's warnings are not what the rules say; empty where they agree."""
    ours = judge(configuration, service)
    known = rules_of(configuration)
    theirs: dict[str, str] = {}
    gaps = []
    for warning in warnings:
        _, _, message = warning.partition(": ")
        rule = message.partition(":")[0]
        if rule not in known:
            gaps.append(f"not of a rule: {warning}")
        theirs[rule] = message
    for rule, message in theirs.items():
        labels = ours.labels.get(rule)
        if labels is None and not ours.fails:
            gaps.append(f"{rule} only by the policy: {message}")
        if labels is not None and not any(_short(rule, label) in message for label in labels):
            gaps.append(f"{rule}: {message!r} has none of {labels}")
    gaps += [
        f"{rule} only by the rule: {labels}"
        for rule, labels in ours.labels.items()
        if rule in known - theirs.keys() and not _is_beyond(configuration, rule, service, labels)
    ]
    return gaps


def _is_beyond(configuration: Configuration, rule: str, service: Object, labels: set[str]) -> bool:
    """Whether the rule says something that no region does: CEL counts no edits, and predicts no requests."""
    if rule == "svc-annotation-unknown":
        release = catalog.release(configuration.release)
        names = set(service["metadata"]["annotations"]) - set(WRITTEN_BY_CCM)
        return not any(name.startswith(PREFIX) and not is_known(name, release) for name in names)
    return rule == "svc-tls-ref" and all("which then listens on TCP" in label for label in labels)


def _short(rule: str, label: str) -> str:
    """The part of a label that does not depend on what no region says."""
    return label.partition({"svc-local-no-monitor": ";", "ovn-udp-local": ":"}.get(rule, "\0"))[0]
