"""The Services of a cluster: which have no address or cannot work, and whether their status is as predicted.

What is pending, and what differs, is decided by the same functions as in the rules svc-pending and svc-status-differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccmcheck.cluster import core
from ccmcheck.cluster.access.documents import mapping, object_file, published, text, title_of
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.live.ccm import LIVE
from ccmcheck.cluster.live.ownership import without_ccm
from ccmcheck.cluster.live.restart import known
from ccmcheck.cluster.live.snapshot import CloudConfObject, Snapshot

_ID = core.lazy_regex(r"[0-9a-fA-F-]{32,36}", re.ASCII)
_ADDRESS = core.lazy_regex(r"[0-9A-Fa-f:.]{2,45}|[A-Za-z0-9.-]{1,253}", re.ASCII)


_UNKNOWN = core.live_records.LiveService()
_NO_ADDRESS = "it has no address"
_REFUSED_NOW = "it has an address though the CCM's requests would fail now"
_KINDS = {"hostname": "a hostname", "IP": "an IP", "ipMode": "another ipMode"}
"""What a status has, in words; its value may be anything."""


class ServiceState(core.NamedTuple):
    """One Service of type LoadBalancer.

    Attributes:
        name: ``namespace/name``.
        why: Why it does not work; empty where nothing says so.
        basis: What says so: ``status`` or ``prediction``.
        differs: How its status differs from the prediction; None where they agree, empty where they are not compared.
        balancer: The ID of its load balancer; empty while it has none.
        addresses: Its addresses and host names.
        predicted_name: The name by which the CCM finds its load balancer; empty where it is not the CCM's.
    """

    name: str
    why: str
    basis: str
    differs: str | None
    balancer: str
    addresses: tuple[str, ...]
    predicted_name: str


def service_states(
    snapshot: Snapshot, facts: core.cluster_facts.ClusterFacts, confs: Sequence[core.carriers.CarriedConf | None]
) -> Iterator[ServiceState]:
    """Look at each Service.

    Args:
        snapshot: What was read of the cluster.
        facts: What is known of it, by options, by itself, by configuration and profiles.
        confs: The cloud.confs of its CCMs, see `carried_confs`.
    """
    predictor = _predictor(snapshot, facts, confs)
    names = {
        ccm.pod.cluster_name or facts.cluster_name or core.cluster_names.DEFAULT_CLUSTER_NAME for ccm in snapshot.ccms
    }
    cluster_name = names.pop() if len(names) == 1 else ""
    is_in_use = not any(known(config).use for config in snapshot.configs)
    for obj, likeness in zip(snapshot.objects, snapshot.alike, strict=True):
        metadata = mapping(obj.get("metadata"))
        name = title_of(obj)
        addresses = tuple(_addresses(obj))
        balancer = text(mapping(metadata.get("annotations")).get(core.service_annotations.BALANCER_ID))
        prediction = predictor.predict(obj, likeness) if predictor is not None else None
        why, basis, differs = _compared(snapshot.live.get(name, _UNKNOWN), prediction, is_in_use=is_in_use)
        if why and predictor is not None:
            why = predictor.scrub(why, obj)
        yield ServiceState(
            name,
            why,
            basis,
            differs,
            balancer if _ID.fullmatch(balancer) else "",
            addresses,
            _balancer_name(obj, cluster_name),
        )


def _balancer_name(obj: Document, cluster_name: str) -> str:
    """The name by which the CCM finds the load balancer of a Service; empty where it is another controller's."""
    if not cluster_name or mapping(obj.get("spec")).get("loadBalancerClass"):
        return ""
    metadata = mapping(obj.get("metadata"))
    return core.balancer_spec.balancer_name(
        cluster_name, core.service_input.Service(text(metadata.get("name")), text(metadata.get("namespace")))
    )


def _addresses(obj: Document) -> Iterator[str]:
    for entry in published(obj):
        for key in ("ip", "hostname"):
            address = text(entry.get(key))
            if _ADDRESS.fullmatch(address):
                yield address


def _compared(
    live: core.live_records.LiveService, prediction: core.predictions.Prediction | None, *, is_in_use: bool
) -> tuple[str, str, str | None]:
    """Why a Service does not work, what says so, and how its status differs from the prediction.

    Args:
        live: What the cluster says of it.
        prediction: What is predicted; None where that is unknown.
        is_in_use: Whether the CCM has read the cloud.conf that is there; its status is not compared else.
    """
    pending = (_NO_ADDRESS, "status") if live.is_pending else ("", "")
    if prediction is None or prediction.outcome in (core.predictions.Outcome.NOTHING, core.predictions.Outcome.UNKNOWN):
        return *pending, ""
    if prediction.outcome is not core.predictions.Outcome.ACCEPTED:
        why = f"{prediction.outcome.value}: {prediction.why or prediction.error}"
        return why, "prediction", _REFUSED_NOW if live.addresses else None
    if not live.addresses:
        return *pending, "an address was predicted" if live.is_pending else ""
    answer = _traffic(prediction)
    why = answer.text if answer is not None and answer.good is False else ""
    difference = core.status_difference(live.addresses, prediction) if is_in_use else None
    differs = (
        f"it has {_KINDS.get(difference.has, difference.has)}; the CCM would publish {difference.would_be} now"
        if difference
        else None
    )
    return why, "prediction" if why else "", differs


def _traffic(prediction: core.predictions.Prediction) -> core.predictions.Answer | None:
    return prediction.answer("traffic-local" if prediction.policy == "Local" else "traffic-cluster")


def _is_good(prediction: core.predictions.Prediction) -> bool:
    """Whether nothing is said of the Service that may quote it."""
    answer = _traffic(prediction)
    return prediction.outcome is core.predictions.Outcome.ACCEPTED and (answer is None or answer.good is not False)


class _Predictor:
    """Predicts the Services of one cluster.

    Args:
        options: The cloud.conf at the release that runs.
        cloud: What is known of the cloud.
        snapshot: What was read.
        secrets: The text of the cloud.conf's object.
    """

    def __init__(
        self,
        options: core.predict_options.Options,
        cloud: core.cloud_state.CloudState,
        snapshot: Snapshot,
        secrets: tuple[str, ...],
    ) -> None:
        self._options = options
        self._cloud = cloud
        self._owners = core.OwnersByLabel(snapshot.pod_owners)
        self._secrets = secrets
        self._good: dict[str, core.predictions.Prediction] = {}

    def predict(self, obj: Document, likeness: str) -> core.predictions.Prediction:
        """What the CCM makes of a Service that it would see for the first time.

        Args:
            obj: The Service.
            likeness: What it has in common with others, for which the same is predicted where all is well.
        """
        known = self._good.get(likeness)
        if known is not None:
            return known
        prediction = core.predict(self._options, self._service(obj), self._cloud)
        if likeness and _is_good(prediction):
            self._good[likeness] = prediction
        return prediction

    def scrub(self, words: str, obj: Document) -> str:
        """A text without the secrets of the cloud.conf and of the Service."""
        return core.redact_report(words, (*self._secrets, object_file(obj).text))

    def _service(self, obj: Document) -> core.service_input.Service:
        service = core.service_input.read_service(without_ccm(obj), allocate=False)
        selector = mapping(obj.get("spec")).get("selector")
        candidates = self._owners.selected(service.namespace, selector)
        return core.manifest_data.with_pods(service, selector, candidates, self._cloud.facts.nodes)


def _predictor(
    snapshot: Snapshot, facts: core.cluster_facts.ClusterFacts, confs: Sequence[core.carriers.CarriedConf | None]
) -> _Predictor | None:
    """None where the cloud.conf or the release is not known, or the CCM would not run with it."""
    judged = [release for release in snapshot.judged if not (release.is_assumed or release.older)]
    config = snapshot.configs[0] if len(snapshot.configs) == 1 and len(judged) == 1 else None
    carried = confs[0] if config is not None else None
    if config is None or carried is None:
        return None

    options = core.predict_options.options_of(core.CloudConf.read(carried, judged[0].release))
    if options.stop:
        return None
    name = config.ccm.pod.cluster_name or facts.cluster_name
    cloud = core.cluster_inputs.cloud_of(facts._replace(cluster_name=name))
    return _Predictor(options, cloud, snapshot, (carried.text, config.file.text))


def carried_confs(configs: Sequence[CloudConfObject]) -> list[core.carriers.CarriedConf | None]:
    """The cloud.confs in the CCMs' Secrets and ConfigMaps; None where there is none under the key."""
    return [_carried(config) for config in configs]


def _carried(config: CloudConfObject) -> core.carriers.CarriedConf | None:

    held = core.carriers.find(config.file.path, config.file.text, LIVE._replace(explicit=True)).carried
    return next((carried for carried in held if carried.key == config.place.key), None)
