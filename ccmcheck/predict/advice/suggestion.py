"""What one change would do: the same Service predicted once more, with monitors."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor.records import Advice, Via
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.load_balancer_spec import derive_spec
from ccmcheck.predict.requests.notes import Notes
from ccmcheck.predict.verdicts.findings import MONITOR, row_of


class Suggestion(NamedTuple):
    """A change and what it brings.

    Attributes:
        change: What to write.
        then: What holds afterwards.
        row: The row of the create-monitor matrix that says so.
        why: The row's reason.
    """

    change: str
    then: str
    row: str
    why: str


def suggest(config: Options, service: Service, cloud: CloudState, prediction: Prediction) -> Suggestion | None:
    """Suggest monitors where there are none and the matrix asks for them."""
    if prediction.outcome is not Outcome.ACCEPTED or not behaviours_of(config.release)["service-config"]:
        return None
    if not prediction.plans or any(plan.monitor is not None for plan in prediction.plans):
        return None
    notes = Notes()
    calls = Calls(config, service, cloud, derive_spec(config, service, cloud, notes), notes)
    row = row_of(calls, prediction)
    if row is None or row.advice is not Advice.ON:
        return None
    annotated = MONITOR in service.annotations
    other = service._replace(
        annotations={name: value for name, value in service.annotations.items() if name != MONITOR}
    )
    then = predict(config._replace(create_monitor=True), other, cloud)
    if then.outcome is not Outcome.ACCEPTED:
        return None
    change = f'the annotation {MONITOR}: "true"'
    if not annotated and row.via is Via.CONFIG:
        change = f"create-monitor = true, or {change}"
    also = "" if row.cures else f"; also: {row.actions[0]}"
    return Suggestion(change, _afterwards(then) + also, row.id, row.why)


def _afterwards(then: Prediction) -> str:
    first = then.plans[0]
    kinds = list(dict.fromkeys(plan.monitor_type for plan in then.plans))
    asked = " and ".join(kinds)
    if first.http_path:
        asked += f" {first.http_path} on port {first.monitor_port}"
    parts = [asked, f"{len(then.plans)} monitor{'' if len(then.plans) == 1 else 's'}"]
    for name in ("probes", "dead-node"):
        answer = then.answer(name)
        if answer is not None:
            parts.append(answer.text)
    return ", ".join(parts)
