"""Findings about a Service and its configuration, from a prediction."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Severity
from ccmcheck.catalog.release_bugs import place_of, told
from ccmcheck.policy.create_monitor.matrix import first_row
from ccmcheck.policy.create_monitor.records import Advice, MatrixRow
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.service_conditions import bugs_met
from ccmcheck.predict.records import Outcome, Prediction, ServiceFinding
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.verdicts.context import ovn_unbuilt
from ccmcheck.predict.verdicts.matrix_row import question_of
from ccmcheck.predict.verdicts.traffic import NOT_BUILT

RELEASE = "the CCM's release"
"""What a finding is about that another release mends."""
MONITOR = "loadbalancer.openstack.org/enable-health-monitor"


def advise(calls: Calls, prediction: Prediction) -> Iterator[ServiceFinding]:
    """Say what to fix.

    Yields:
        Findings, worst first.
    """
    for refusal in prediction.refusals:
        about = refusal.field or "the request"
        said = (
            f"{refusal.by} refuses it with {refusal.status}"
            if refusal.status >= 400
            else "the load balancer ends in ERROR"
        )
        yield ServiceFinding(Severity.ERROR, about, f"{said}: {refusal.why}")
    yield from ends(prediction)
    if prediction.outcome is Outcome.ACCEPTED and ovn_unbuilt(calls):
        yield ServiceFinding(
            Severity.ERROR,
            "lb-provider",
            NOT_BUILT,
            "Upgrade ovn-octavia-provider to 1.0.1, 1.2.0, or 2.0.0, or set provider-requires-serial-api-calls = true.",
        )
        return
    local = prediction.answer("traffic-local")
    if prediction.policy == "Local" and local is not None and local.good is False:
        yield ServiceFinding(Severity.WARNING, "externalTrafficPolicy", local.text, _monitor_help(calls, prediction))
    for name, about in (("security-group", "manage-security-groups"), ("hairpin", "proxy-protocol")):
        answer = prediction.answer(name)
        if answer is not None and answer.good is False:
            yield ServiceFinding(Severity.WARNING, about, answer.text)
    driver = driver_of(prediction.provider)
    built_as = driver.methods_of_create
    if (
        method := next((plan.method for plan in prediction.plans if plan.method in built_as), "")
    ) and prediction.outcome is Outcome.ACCEPTED:
        yield ServiceFinding(
            Severity.WARNING,
            "lb-method",
            f"{driver.name} takes {method} inside one request, and runs {built_as[method]}",
            "Write SOURCE_IP or ROUND_ROBIN.",
        )
    if calls.spec.monitor and calls.spec.retries_down == 0:
        yield ServiceFinding(
            Severity.WARNING,
            "monitor-max-retries-down",
            "0 is left out of the request, Octavia stores 3, and the CCM updates the monitor at every reconcile",
            "Delete it.",
        )
    for bug in bugs_met(calls.options, calls.service, calls.cloud.node_count):
        if not bug.when:
            text, detail, remedy = told([bug], calls.options.release, "CCM", met=True)
            yield ServiceFinding(
                Severity.WARNING, RELEASE, f"{text}: {detail.removesuffix('.')}", remedy, place_of(bug.service[0])
            )
    for ignored in prediction.ignored:
        yield ServiceFinding(Severity.WARNING, ignored.what, f"has no effect: {ignored.why}")


def ends(prediction: Prediction) -> Iterator[ServiceFinding]:
    """Say that the CCM ends with an error of its own, where it does."""
    if prediction.outcome is Outcome.ERROR:
        yield ServiceFinding(Severity.ERROR, "Service", f"the CCM ends with: {prediction.error}")


def row_of(calls: Calls, prediction: Prediction) -> MatrixRow | None:
    """The row of the create-monitor matrix for this Service; None where too little is known."""
    return row_for(
        calls.options,
        calls.service,
        calls.cloud,
        bool(prediction.proxy),
        len(prediction.plans),
        floating=prediction.floating.wanted,
    )


def row_for(
    options: Options, service: Service, cloud: CloudState, proxied: bool, pools: int, *, floating: bool = True
) -> MatrixRow | None:
    """The row of the create-monitor matrix for a Service; None where too little is known.

    Args:
        options: The configuration.
        service: The Service.
        cloud: What is known around it.
        proxied: Whether its pools use the PROXY protocol.
        pools: How many pools it gets, each of which would have a monitor.
        floating: Whether it gets a floating IP.
    """
    quota = cloud.facts.monitor_quota
    over = None if quota is None or quota < 0 else cloud.monitors_used + pools > quota
    question = question_of(options, service, cloud, proxied=proxied, floating=floating)
    return first_row(question._replace(over_quota=over))


def _monitor_help(calls: Calls, prediction: Prediction) -> str:
    row = row_of(calls, prediction)
    if calls.spec.monitor or row is None or row.advice is not Advice.ON:
        return ""
    if not row.cures:
        return f"{row.actions[0][:1].upper()}{row.actions[0][1:]}: {row.why}."
    return f'Write create-monitor = true, or the annotation {MONITOR}: "true".'
