"""The steady state of a Service: what the CCM makes, and what it does to that at reconciles and when nodes change.

The annotations that the CCM writes to a Service trigger its second reconcile at once; a restart reconciles every
Service.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.pipeline import predict, predict_node_update
from ccmcheck.predict.records import Answer, Outcome, Prediction, ServiceFinding
from ccmcheck.predict.requests.resulting_state import state_after

_NO_SUBNET = (
    "the rules let the member subnet in; with network-id alone the CCM knows it only while it creates the load balancer"
)
_NO_SUBNET_READ = "cloud-provider-openstack pkg/openstack/loadbalancer_sg.go, v1.26.0, v1.31.2, v1.35.0 and v1.36.0 run"


class SteadyState(NamedTuple):
    """One Service once nothing changes any more.

    Attributes:
        made: What the CCM asks for where there is nothing yet.
        kept: What it does at every reconcile of what it made; the same as ``made`` where it made nothing.
        cloud: The cloud with what it made.
        written: The annotations that it wrote to the Service.
        corrected: What the second reconcile still changes, such as names.
        in_tree: Whether the provider inside Kubernetes made it.
    """

    made: Prediction
    kept: Prediction
    cloud: CloudState
    written: Mapping[str, str]
    corrected: Prediction | None = None
    in_tree: bool = False

    @property
    def exists(self) -> bool:
        """Whether there is a load balancer."""
        return self.cloud.balancer is not None


def steady_state(config: Options, service: Service, cloud: CloudState, made: Prediction | None = None) -> SteadyState:
    """Work out what is there once nothing changes any more.

    Args:
        config: The configuration.
        service: The Service.
        cloud: The cloud before.
        made: The prediction of the first reconcile, where it is known.
    """
    made = predict(config, service, cloud) if made is None else made
    there = with_new(made, cloud, config.lb_provider)
    if there.balancer is None:
        return SteadyState(made, made, cloud, {})
    annotated = annotated_by(service, made.written)
    kept, corrected = predict(config, annotated, there), None
    if kept.outcome is Outcome.ACCEPTED and kept.requests:
        corrected, there = kept, gone_through(kept, there, config.lb_provider)
        kept = predict(config, annotated, there)
    return SteadyState(made, kept, there, dict(made.written), corrected)


def predict_onward(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict a Service, and say where the CCM fails at what it made: at its next reconcile, or when nodes change.

    Only managed security groups make a difference there, so nothing is worked out without them.

    Args:
        config: The configuration.
        service: The Service.
        cloud: The cloud before.
    """
    made = predict(config, service, cloud)
    if not config.manage_security_groups or cloud.balancer is not None or made.outcome is not Outcome.ACCEPTED:
        return made
    state = steady_state(config, service, cloud, made)
    if not state.exists:
        return made
    for when, later in (
        ("at the second reconcile, which the annotation that it writes itself triggers", state.corrected or state.kept),
        ("when nodes change", after_node_change(config, service, state)),
    ):
        if later.outcome is Outcome.ERROR:
            does = "crashes" if later.why.startswith("the CCM crashes") else "fails"
            text = f"the load balancer is made; {when} the CCM {does}: {later.error}"
            answer = Answer("steady", False, text, _NO_SUBNET, _NO_SUBNET_READ)
            about = "manage-security-groups"
            finding = ServiceFinding(Severity.ERROR, about, text, "Set subnet-id or member-subnet-id.")
            return made._replace(answers=(*made.answers, answer), findings=(finding, *made.findings))
    return made


def after_node_change(
    config: Options, service: Service, state: SteadyState, nodes: tuple[Node, ...] | None = None
) -> Prediction:
    """What the CCM does to a load balancer when the nodes change.

    Args:
        config: The configuration.
        service: The Service.
        state: Its steady state.
        nodes: The nodes after the change; None for the same.
    """
    cloud = state.cloud if nodes is None else state.cloud._replace(nodes=nodes)
    return predict_node_update(config, annotated_by(service, state.written), cloud)


def annotated_by(service: Service, written: Mapping[str, str]) -> Service:
    """A Service with what the CCM wrote; the load balancer is the one that it wrote, whatever ID a manifest has."""
    own = {BALANCER_ID: written[BALANCER_ID]} if BALANCER_ID in written else {}
    return service._replace(annotations={**written, **service.annotations, **own}) if written else service


def gone_through(prediction: Prediction, cloud: CloudState, provider: str) -> CloudState:
    """The cloud after a prediction, as far as the CCM gets.

    Args:
        prediction: What it does.
        cloud: The cloud before.
        provider: The provider that a new load balancer gets.
    """
    if prediction.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        return cloud
    requests = prediction.requests
    if prediction.refusals:
        requests = requests[: prediction.refusals[0].at]
    tolerated = {refusal.at for refusal in prediction.tolerated}
    return state_after((request for at, request in enumerate(requests) if at not in tolerated), cloud, provider)


def with_new(made: Prediction, cloud: CloudState, provider: str) -> CloudState:
    """The cloud with a new load balancer; without one that does not come to be as a whole."""
    if made.outcome is not Outcome.ACCEPTED or made.refusals:
        return cloud
    return state_after(made.requests, cloud, provider)
