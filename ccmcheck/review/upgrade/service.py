"""What becomes of one Service under another release of the CCM: its annotations, the verdicts on it, its status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import PREFIX, is_read
from ccmcheck.predict.forms.report import TITLES
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.afterwards import status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Answer, Prediction
    from ccmcheck.review.upgrade.conditions import Case

_WORDS = {
    Outcome.ACCEPTED: "Octavia takes its requests",
    Outcome.REFUSED: "Octavia refuses its requests",
    Outcome.ERROR: "the CCM ends with an error",
    Outcome.FAILS: "its load balancer ends in ERROR",
    Outcome.NOTHING: "the CCM asks for nothing",
}
_POLICY = "traffic-"
_VIP = ", ipMode VIP"


class ServiceEffect(NamedTuple):
    """One thing that is otherwise after the upgrade.

    Attributes:
        service: ``namespace/name``.
        about: ``annotation``, ``outcome``, ``status``, or a verdict's name.
        severity: How much it matters.
        text: What it is.
    """

    service: str
    about: str
    severity: Severity
    text: str


def service_effects(case: Case, service: Service, cloud: CloudState) -> Iterator[ServiceEffect]:
    """Compare what two releases make of a Service.

    Args:
        case: The configuration before and after.
        service: The Service.
        cloud: What is known of the cloud and the cluster.
    """
    old, new = case.before.release, case.after.release
    for name in service.annotations:
        if not name.startswith(PREFIX) or is_read(name, old) is is_read(name, new):
            continue
        short = name.removeprefix(PREFIX)
        if is_read(name, new):
            text = f"the annotation {short} was ignored, and counts"
            yield ServiceEffect(service.title, "annotation", Severity.WARNING, text)
        else:
            text = f"the annotation {short} is ignored"
            yield ServiceEffect(service.title, "annotation", Severity.WARNING, text)
    before, after = predict(case.before, service, cloud), predict(case.after, service, cloud)
    if Outcome.UNKNOWN in (before.outcome, after.outcome):
        return
    if before.outcome is not after.outcome:
        severity = Severity.INFO if after.outcome is Outcome.ACCEPTED else Severity.ERROR
        text = f"{_WORDS[after.outcome]}{_why(after)}; before, {_WORDS[before.outcome]}{_why(before)}"
        yield ServiceEffect(service.title, "outcome", severity, text)
    if Outcome.ACCEPTED is before.outcome is after.outcome:
        yield from _verdicts(service, before, after)
    # no ipMode and VIP mean the same
    statuses = [", ".join(text.removesuffix(_VIP) for _, text in status(one)) for one in (before, after)]
    if statuses[0] and statuses[1] and statuses[0] != statuses[1]:
        text = f"its status: {statuses[1]}; before: {statuses[0]}"
        # clients go on to the floating IP that is no more published, or everybody may come to the one that is new
        severity = Severity.INFO if before.floating.wanted is after.floating.wanted else Severity.WARNING
        yield ServiceEffect(service.title, "status", severity, text)


def _why(prediction: Prediction) -> str:
    why = prediction.why or prediction.error
    return f" ({why})" if why else ""


def _verdicts(service: Service, before: Prediction, after: Prediction) -> Iterator[ServiceEffect]:
    for answer in after.answers:
        if answer.name.startswith(_POLICY) and not answer.name.endswith(service.policy.lower()):
            continue
        was = before.answer(answer.name)
        # that both are taken is known here, and in how many requests says nothing
        if was is None or answer.name not in TITLES or answer.name == "accepted" or was.text == answer.text:
            continue
        text = f"{TITLES[answer.name]}: {answer.text}; before: {was.text}"
        yield ServiceEffect(service.title, answer.name, _severity(was, answer), text)


def _severity(was: Answer, now: Answer) -> Severity:
    return Severity.WARNING if now.good is False and was.good is not False else Severity.INFO
