"""The checks of one deployment, in the order in which one thing needs the other."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.access.exchange import server_of
from ccmcheck.cluster.core import (
    CloudConf,
    NamedTuple,
    behaviour,
    cloud_state,
    predict_options,
    service_input,
)
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.preflight import networks, nodes, services
from ccmcheck.cluster.preflight.cloud import UNKNOWN, AskedCloud, PreflightCheck, PreflightCloud, SavedCloud
from ccmcheck.cluster.preflight.login import endpoints
from ccmcheck.cluster.preflight.references import exist, references
from ccmcheck.cluster.preflight.states import owners, states

_AUTH_URL = "[Global] auth-url"
_MOST_NODES = 20
_WITHOUT_OCTAVIA = {
    "service catalogue": "Octavia has to be deployed in the cloud; without it use MetalLB, or NodePorts.",
    "Octavia's endpoint": "Upgrade to v1.18.0 or newer, or leave the version out of the endpoint.",
}
"""What to do where the CCM finds no Octavia, see `ccmcheck.carriers.saved_answers.without_octavia`."""


class PreflightNeeds(NamedTuple):
    """What a deployment needs of a cloud.

    Attributes:
        name: The deployment.
        conf: Its cloud.conf.
        options: Its load balancer settings.
        services: Its Services of type LoadBalancer.
        around: Its Nodes, and what else files and options say.
        predict_all: Predicts Services that share one cloud.
        makes_routes: Whether a CCM that reads it is known to make routes.
    """

    name: str
    conf: CloudConf
    options: predict_options.Options
    services: tuple[service_input.Service, ...]
    around: cloud_state.CloudState
    predict_all: services.PredictAll
    makes_routes: bool = False


def checks(asked: PreflightNeeds, cloud: PreflightCloud) -> Iterator[PreflightCheck]:
    """Ask for everything that a deployment needs.

    Args:
        asked: The deployment.
        cloud: The project, which is logged in to.
    """
    options, given_services = asked.options, asked.services
    if options.stop or options.unsupported:
        yield PreflightCheck("cloud.conf", False, options.stop or options.unsupported, "`ccmcheck lint` says where.")
        return
    yield from _same_cloud(asked, cloud)
    tried_services = given_services or services.stand_ins(options)
    yield from exist(cloud, list(references(options, given_services)))
    yield from networks.fit(cloud, options)
    yield from networks.routes(cloud, _router(asked), _addresses(asked))
    yield from networks.members(cloud, options, _internal(asked))
    yield from _servers(asked, cloud)
    tried = services.Tried(cloud, options, asked.around, asked.predict_all)
    yield from tried.checks(tried_services, made_up=not given_services)
    yield from services.names(cloud, tried.predictions if given_services else {})
    yield from services.quotas(cloud, tried.predictions)


def saved_checks(asked: PreflightNeeds, cloud: SavedCloud, *, only_named: bool = False) -> Iterator[PreflightCheck]:
    """What is wrong by what files hold of OpenStack's answers; of what they do not hold nothing is said.

    Args:
        asked: The deployment.
        cloud: What the files hold.
        only_named: Whether to look for nothing but what is named.
    """
    options = asked.options
    if options.stop:
        if options.stopped_by in _WITHOUT_OCTAVIA:
            yield PreflightCheck(options.stopped_by, False, options.stop, _WITHOUT_OCTAVIA[options.stopped_by])
        return
    only_named = only_named or bool(options.unsupported)
    found = [*exist(cloud, list(references(options, asked.services)))]
    if not only_named:
        found += networks.fit(cloud, options)
        found += networks.routes(cloud, _router(asked), nodes_at) if (nodes_at := _addresses(asked)) is not None else ()
        found += _servers(asked, cloud)
    for check in found:
        if check.passed is False or (check.passed is None and not check.text.startswith(UNKNOWN)):
            yield check._replace(text=check.text.replace("in this project", f"in {check.asked}"))
    own = [node for node in asked.around.nodes or () if not node.made_up]
    yield from nodes.node_ports(cloud, own, options, asked.services)
    if only_named:
        return
    yield from nodes.members_down(cloud, own, asked.services)
    named = {one.value: one.about for one in references(options, asked.services)}
    for key in (("Route", "router-id"), ("Global", "application-credential-id")):
        value = asked.conf.value(*key)
        named |= {value: f"[{key[0]}] {key[1]}"} if isinstance(value, str) else {}
    yield from states(cloud, owners(named, own, asked.services))
    for check in networks.members(cloud, options, _internal(asked)):
        if not check.passed:
            yield check._replace(passed=None if networks.may_be_routed(options) else False)
    yield from nodes.several_subnets(cloud, options)
    yield from nodes.names(cloud, own)
    wanted = asked.conf.value("Networking", "internal-network-name")
    if not behaviour.behaves("internal-network-not-alone", options.release):
        yield from nodes.internal_addresses(cloud, own, wanted if isinstance(wanted, (list, tuple)) else ())
    yield from nodes.addresses_taken(cloud, asked.services)
    yield from nodes.pods(cloud, own, _router(asked), makes_routes=asked.makes_routes)


def _same_cloud(asked: PreflightNeeds, cloud: PreflightCloud) -> Iterator[PreflightCheck]:
    """Whether the cloud.conf means the cloud and project that are asked, where the credential is not its own."""
    login = cloud.logged.login
    if not login.name:
        return
    url, tenant = asked.conf.value("Global", "auth-url"), asked.conf.value("Global", "tenant-id")
    if isinstance(url, str) and url:
        theirs, ours = (server_of(one).removesuffix("/").removesuffix("/v3") for one in (url, login.keystone))
        if theirs != ours:
            text = (
                f"{theirs} is not the Keystone of cloud {login.name}, {ours}: what is missing there may be in the CCM's"
            )
            yield PreflightCheck(
                _AUTH_URL, None, text, "Right where both are one cloud, by an internal and a public address."
            )
    if isinstance(tenant, str) and tenant and tenant != cloud.project:
        text = f"is not the project that was asked, {cloud.project}"
        yield PreflightCheck("[Global] tenant-id", None, text, "Name a cloud of the CCM's project with --os-cloud.")
    region = asked.conf.value("Global", "region")
    there = {name for name, _ in endpoints(cloud, requests.LOAD_BALANCER)}
    if isinstance(region, str) and region and there and region not in there:
        text = f"the cloud has no Octavia in region `{region}`, but in {', '.join(sorted(there))}"
        yield PreflightCheck("[Global] region", False, text, "Correct region.")
    elif isinstance(region, str) and region and login.region not in ("", region):
        text = f"is not the region that was asked, {login.region}"
        yield PreflightCheck("[Global] region", None, text, "Name a cloud of that region with --os-cloud.")


def _router(asked: PreflightNeeds) -> str:
    value = asked.conf.value("Route", "router-id")
    return value if isinstance(value, str) else ""


def _addresses(asked: PreflightNeeds) -> list[str] | None:
    known = asked.around.nodes
    if known is None or any(node.made_up for node in known):
        return None
    return [address for node in known for _, address in node.addresses]


def _internal(asked: PreflightNeeds) -> dict[str, str]:
    """The first InternalIP of each Node."""
    return {
        node.name: next((address for kind, address in node.addresses if kind == "InternalIP"), "")
        for node in asked.around.nodes or ()
        if not node.made_up
    }


def _servers(asked: PreflightNeeds, cloud: AskedCloud) -> Iterator[PreflightCheck]:
    """Whether Nova shows the servers of the Nodes; without any, whether it answers."""
    known = [node for node in asked.around.nodes or () if node.provider_id]
    for node in known[:_MOST_NODES]:
        identifier = (node.provider_id or "").rpartition("/")[2]
        if not (node.provider_id or "").startswith("openstack://") or not identifier:
            continue
        seen = cloud.show(requests.SERVER, identifier)
        about = f"Node {node.name}"
        if seen.error is not None:
            yield seen.unanswered(about)
        elif seen.document is None:
            text = f"there is no server `{identifier}` in this project: the CCM deletes the Node"
            yield PreflightCheck(about, False, text, "Is it the project and region of the servers?", seen.asked)
        else:
            yield PreflightCheck(about, True, "its server is there", "", seen.asked)
