"""What the CCM would ask for in the cloud as it is: what is refused, what the quotas leave, which names are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import cloud_state, octavia_api, predict, predict_options, predictions, service_input
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.octavia.balancers import texts
from ccmcheck.cluster.preflight.cloud import ListedAnswer, PreflightCheck, PreflightCloud
from ccmcheck.cluster.preflight.networks import external_networks

PredictAll = Callable[
    [Sequence[service_input.Service], cloud_state.CloudState],
    Iterable[tuple[service_input.Service, predictions.Prediction]],
]
_CLASS = "loadbalancer.openstack.org/class"
_STAND_IN = "a-service"
_FAILED = (predictions.Outcome.REFUSED, predictions.Outcome.ERROR, predictions.Outcome.FAILS)
_NAMES = {
    "loadbalancer": "load balancers", "listener": "listeners", "pool": "pools", "member": "members",
    "healthmonitor": "health monitors", "port": "ports",
    "floatingip": "floating IPs", "security_group": "security groups",
}  # fmt: skip
"""What quotas count, by their keys at Octavia and Neutron."""
_OF_NEUTRON = ("port", "floatingip", "security_group")
_COUNTED = {
    "loadbalancer": requests.BALANCERS, "listener": requests.LISTENERS, "pool": requests.POOLS,
    "healthmonitor": requests.MONITORS,
}  # fmt: skip
_MOST_SHOWN = 20


def stand_ins(options: predict_options.Options) -> tuple[service_input.Service, ...]:
    """Services to try where none are among the files: one for each class, and one without.

    Args:
        options: The cloud.conf.
    """
    port = service_input.ServicePort(80, "TCP", service_input.FIRST_NODE_PORT)
    plain = service_input.Service(_STAND_IN, ports=(port,))
    return plain, *(plain._replace(annotations={_CLASS: name}) for name in options.classes)


def state_of(cloud: PreflightCloud, around: cloud_state.CloudState) -> cloud_state.CloudState:
    """The cloud around the Services as it was read; what could not be read stays unknown.

    Args:
        cloud: The project.
        around: What files and options say.
    """
    subnets, external, addresses = cloud.list(requests.SUBNETS), external_networks(cloud), cloud.of_project(_FLOATING)
    known = external.error is None
    return around._replace(
        api=around.api
        if around.facts.octavia_release
        else requests.newest_version(cloud.versions().documents) or around.api,
        subnets={**around.subnets, **_texts(subnets, "cidr")},
        networks=_texts(subnets, "network_id"),
        external_network=_identifier(external) if known else around.external_network,
        floating_ips=None
        if addresses.error is not None
        else {
            str(document.get("floating_ip_address")): cloud_state.FloatingIP(
                str(document.get("id")), str(document.get("floating_ip_address")), str(document.get("port_id") or "")
            )
            for document in addresses.documents
        },
        key_manager=bool(cloud.url(requests.KEY_MANAGER)),
        balancers_known=True,
    )


_FLOATING = requests.FLOATING_IPS


def _texts(listed: ListedAnswer, key: str) -> dict[str, str]:
    return {str(document.get("id")): str(document.get(key) or "") for document in listed.documents}


def _identifier(listed: ListedAnswer) -> str | None:
    return str(listed.documents[0].get("id")) if listed.documents else None


class Tried:
    """The predictions of Services in a cloud that was asked.

    Args:
        cloud: The project.
        options: The cloud.conf.
        around: See `state_of`.
        predict_all: Predicts Services one after the other, as they share load balancers.
    """

    def __init__(
        self,
        cloud: PreflightCloud,
        options: predict_options.Options,
        around: cloud_state.CloudState,
        predict_all: PredictAll,
    ) -> None:
        self._predict = predict_all
        self._cloud = cloud
        self._options = options
        self._state = state_of(cloud, around)
        self.predictions: dict[str, predictions.Prediction] = {}

    def checks(self, services: Sequence[service_input.Service], *, made_up: bool) -> Iterator[PreflightCheck]:
        """Whether the cloud takes what the CCM would ask for.

        Args:
            services: The Services.
            made_up: Whether they stand for those that are not among the files.
        """
        api = self._cloud.versions()
        if self._state.api is None:
            text = api.error.message if api.error is not None else "its answer names none"
            yield PreflightCheck("Octavia's API", None, text, "", api.asked)
        else:
            yield PreflightCheck("Octavia's API", True, "version {}.{}".format(*self._state.api), "", api.asked)
        accepted = 0
        for service, prediction in self._predicted(services):
            title = service.title if not made_up else _title(service)
            self.predictions[title] = prediction
            if prediction.outcome in _FAILED:
                text = prediction.error or prediction.why
                hint = next((one.help for one in prediction.findings if one.help), "")
                yield PreflightCheck(title, False, f"the CCM would fail: {text}", hint)
            elif prediction.outcome is predictions.Outcome.UNKNOWN:
                yield PreflightCheck(title, None, prediction.why or "what the CCM asks for is not known")
            elif prediction.outcome is predictions.Outcome.ACCEPTED:
                accepted += 1
                if accepted <= _MOST_SHOWN:
                    text = f"Octavia takes what the CCM would ask for: {_needs_text(prediction)}"
                    yield PreflightCheck(title, True, text)
        if accepted > _MOST_SHOWN:
            text = f"Octavia takes what the CCM would ask for {accepted - _MOST_SHOWN} more"
            yield PreflightCheck("Services", True, text)

    def _predicted(
        self, services: Sequence[service_input.Service]
    ) -> Iterator[tuple[service_input.Service, predictions.Prediction]]:
        """The predictions of Services that share one cloud, those of each floating network with its subnets."""
        by_network: dict[str, list[service_input.Service]] = {}
        for service in services:
            network = predict(self._options, service, self._state).floating.network
            by_network.setdefault(network, []).append(service)
        for network, group in by_network.items():
            yield from self._predict(group, self._with_subnets(network))

    def _with_subnets(self, network: str) -> cloud_state.CloudState:
        if not network or network == predictions.EXTERNAL_NETWORK:
            return self._state
        listed = self._cloud.list(requests.SUBNETS, {"network_id": network})
        if listed.error is not None:
            return self._state
        subnets = tuple(
            cloud_state.Subnet(str(one.get("id")), str(one.get("name") or ""), texts(one.get("tags")))
            for one in listed.documents
        )
        return self._state._replace(floating_subnets=subnets)


def _title(service: service_input.Service) -> str:
    name = service.annotations.get(_CLASS)
    return f'a Service of class "{name}"' if name else "a Service"


def needs_of(prediction: predictions.Prediction) -> dict[str, int]:
    """What a Service takes of each quota."""
    if not prediction.requests:
        return {}
    ports, is_new = len(prediction.plans), prediction.request is not None
    return {
        "loadbalancer": int(is_new),
        "port": int(is_new),
        "listener": ports,
        "pool": ports,
        "member": ports * (prediction.nodes or 0),
        "healthmonitor": sum(plan.monitor is not None for plan in prediction.plans),
        "floatingip": int(is_new and prediction.floating.wanted and not prediction.floating.address),
        "security_group": int(prediction.rules is not None),
    }


def _needs_text(prediction: predictions.Prediction) -> str:
    needs = [
        f"{count} {_NAMES[key].removesuffix('s') if count == 1 else _NAMES[key]}"
        for key, count in needs_of(prediction).items()
        if count
    ]
    return ", ".join(needs) or "nothing new"


def names(cloud: PreflightCloud, tried: Mapping[str, predictions.Prediction]) -> Iterator[PreflightCheck]:
    """Whether load balancers have the names already that the CCM would give.

    Args:
        cloud: The project.
        tried: The predictions by the Services' titles.
    """
    listed = cloud.of_project(requests.BALANCERS)
    if listed.error is not None:
        yield PreflightCheck("names", None, listed.error.message, listed.error.hint, listed.asked)
        return
    there: dict[str, list[Document]] = {}
    for balancer in listed.documents:
        there.setdefault(str(balancer.get("name")), []).append(balancer)
    for title, prediction in tried.items():
        same = there.get(prediction.name, [])
        if len(same) > 1:
            text = f"{len(same)} load balancers have the name {prediction.name}: the CCM fails with several"
            yield PreflightCheck(title, False, text, "Delete or rename all but its own.", listed.asked)
        elif same:
            text = f"load balancer {prediction.name} exists ({same[0].get('id')}): the CCM takes it for its own"
            hint = "Another cluster of this name in the project? Give each CCM a --cluster-name."
            yield PreflightCheck(title, True, text, hint, listed.asked)
    if not any(there.get(prediction.name) for prediction in tried.values()):
        text = f"load balancers in the project: {len(listed.documents)}, none with a name that the CCM would give"
        yield PreflightCheck("names", True, text, "", listed.asked)


def quotas(cloud: PreflightCloud, tried: Mapping[str, predictions.Prediction]) -> Iterator[PreflightCheck]:
    """Whether the project's quotas leave room for the Services that have no load balancer yet.

    Args:
        cloud: The project.
        tried: The predictions by the Services' titles.
    """
    there = {str(document.get("name")) for document in cloud.of_project(requests.BALANCERS).documents}
    needed: dict[str, int] = {}
    for prediction in tried.values():
        if prediction.name not in there:
            for key, count in needs_of(prediction).items():
                needed[key] = needed.get(key, 0) + count
    for key, count in needed.items():
        if count:
            yield _quota(cloud, key, count)


def _quota(cloud: PreflightCloud, key: str, count: int) -> PreflightCheck:
    about = "quota"
    request = requests.NETWORK_QUOTA if key in _OF_NEUTRON else requests.QUOTA
    seen = cloud.show(request, cloud.project)
    if seen.error is not None:
        return seen.unanswered(about)
    quota = seen.document or {}
    value = quota.get(key, quota.get(octavia_api.OLD_QUOTAS.get(key, "")))
    limit = value.get("limit") if isinstance(value, dict) else value
    if isinstance(value, dict):
        parts = [value.get("used"), value.get("reserved") or 0]
        used: object = sum(part for part in parts if isinstance(part, int)) if isinstance(parts[0], int) else None
    else:
        used = _used(cloud, key)
    if not isinstance(limit, int) or not isinstance(used, int):
        return PreflightCheck(
            about, None, f"{_NAMES[key]}: the limit or what is used of it is not known", "", seen.asked
        )
    text = f"{_NAMES[key]}: {used} of {limit} are used, {count} more are needed"
    if limit < 0:
        return PreflightCheck(about, True, f"{_NAMES[key]}: no limit", "", seen.asked)
    fits = used + count <= limit
    option = key.replace("_", "-")
    hint = f"Ask for a higher quota: {used + count} {option}."
    return PreflightCheck(about, fits, text, "" if fits else hint, seen.asked)


def _used(cloud: PreflightCloud, key: str) -> int | None:
    if key == "member":
        pools = cloud.of_project(requests.POOLS)
        lists = [document.get("members") for document in pools.documents]
        return None if pools.error is not None else sum(len(one) for one in lists if isinstance(one, list))
    if key not in _COUNTED:
        return None
    listed = cloud.of_project(_COUNTED[key])
    return None if listed.error is not None else len(listed.documents)
