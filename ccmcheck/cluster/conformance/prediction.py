"""What ccmcheck predicts for the Service of a case, by the CCM, the cloud.conf and the nodes of the live cluster."""

from __future__ import annotations

from ccmcheck.cluster import core
from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.live.ccm import LIVE
from ccmcheck.cluster.live.checks import idle
from ccmcheck.cluster.live.snapshot import ClusterIdentity, ClusterReader, Snapshot

_NAMES = ("name", "labels")


class Predictor(core.NamedTuple):
    """Predicts Services of one cluster.

    Attributes:
        options: The cloud.conf, as the CCM's release reads it.
        cloud: The nodes and the facts.
        texts: What holds secrets.
    """

    options: core.predict_options.Options
    cloud: core.cloud_state.CloudState
    texts: tuple[str, ...]

    def predict(self, service: Document, pods: dict[str, str]) -> core.predictions.Prediction:
        """Predict a Service as it was before the CCM wrote to it: its load balancer is new.

        Args:
            service: The Service.
            pods: The nodes of its ready pods, by the pods' names.
        """
        metadata = mapping(service.get("metadata"))
        annotations = {
            name: value
            for name, value in mapping(metadata.get("annotations")).items()
            if name not in core.service_annotations.WRITTEN_BY_CCM
        }
        plain = {**service, "metadata": {**metadata, "annotations": annotations}}
        ready = len(set(filter(None, pods.values())))
        known = core.service_input.read_service(plain, allocate=False)._replace(
            replicas=len(pods) or None, ready_nodes=ready or None
        )
        return core.redact_report(core.predict(self.options, known, self.cloud), self.texts)


class PredictionInputs(core.NamedTuple):
    """What could be read for predictions.

    Attributes:
        predictor: None where too little could be read.
        source: The cloud.conf and the release that it predicts by; empty without one.
        texts: What holds secrets, whether or not it could be understood.
        failures: What could not be read.
        idle: Why no CCM works; empty where one does.
    """

    predictor: Predictor | None
    source: str
    texts: tuple[str, ...]
    failures: tuple[core.lint_results.Failure, ...]
    idle: str = ""


def read(reader: ClusterReader, transport: Transport, identity: ClusterIdentity) -> PredictionInputs:
    """Read what predictions need; what cannot be read is a failure, and no case depends on it.

    Args:
        reader: Reads the CCM.
        transport: Reads the nodes.
        identity: Which cluster it is.
    """
    snapshot = reader.read_ccm(identity)
    failures = list(snapshot.failures)
    survey = core.surveys.Survey()
    for file in snapshot.files:
        survey.add(file.path, file.text.encode(), LIVE._replace(explicit=True))
    texts = tuple(survey.texts())  # Nodes hold no secrets, and there may be a thousand
    try:
        for node in items(transport, requests.NODES.path):
            survey.add(f"-/Node {_name(node)}.yaml", _node(node).encode(), LIVE._replace(explicit=True))
    except ApiError as error:
        failures.append(core.lint_results.Failure(requests.NODES.title, error.message, error.hint))
    config = next(iter(survey.ccm_confs), None)
    if config is None or config.carried is None:
        return PredictionInputs(None, "", texts, tuple(failures), idle(snapshot))
    judged = next(iter(snapshot.judged), None) or survey.release_of(config).target
    source = f"{snapshot.configs[0].file.subject}, CCM {judged.release.name}"
    predictor = _predictor(snapshot, survey, config, judged, texts)
    return PredictionInputs(predictor, source, texts, tuple(failures), idle(snapshot))


def _predictor(
    snapshot: Snapshot,
    survey: core.surveys.Survey,
    config: core.surveys.SurveyedConf,
    judged: core.target_release.TargetRelease,
    texts: tuple[str, ...],
) -> Predictor:
    (deployment,) = core.deployment_build.deployments(
        survey,
        core.deployment_build.Candidates((config,), (config,)),
        lambda _, __: (judged,),
        lambda _, objects, pods: core.cluster_inputs.read_cluster(objects, pods, snapshot.facts),
    )
    running = deployment._replace(idle="")  # it may have started before its nodes, or its workload, changed
    return Predictor(running.options(), deployment.cloud._replace(balancers_known=True), texts)


def line(prediction: core.predictions.Prediction, policy: str) -> str:
    """A prediction in a line."""
    if prediction.outcome is not core.predictions.Outcome.ACCEPTED:
        return f"{prediction.outcome.value}: {prediction.why or prediction.error}"
    answer = prediction.answer("traffic-local" if policy == "Local" else "traffic-cluster")
    return answer.text if answer is not None else "Octavia takes the requests"


def client_address(prediction: core.predictions.Prediction) -> str:
    """Whose address the pods see, in a line; empty where that is not predicted."""
    answer = prediction.answer("client-address")
    return answer.text if answer is not None and prediction.outcome is core.predictions.Outcome.ACCEPTED else ""


def _name(node: Document) -> str:
    return text(mapping(node.get("metadata")).get("name"))


def _node(node: Document) -> str:
    """A node as YAML, with the addresses of its status."""
    metadata, spec = mapping(node.get("metadata")), mapping(node.get("spec"))
    return core.yaml(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {key: metadata[key] for key in _NAMES if key in metadata},
            "spec": {key: spec[key] for key in ("providerID", "taints") if key in spec},
            "status": {"addresses": mapping(node.get("status")).get("addresses") or []},
        }
    )
