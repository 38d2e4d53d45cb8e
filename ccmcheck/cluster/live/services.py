"""What only a running cluster says of Services: addresses, who wrote a load balancer's ID, and why one is pending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import (
    mapping,
    mappings,
    moment,
    moment_text,
    number,
    object_path,
    published,
    text,
    title_of,
)
from ccmcheck.cluster.access.errors import ApiError, Refused
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.core import carriers, lint_results, live_records, service_annotations
from ccmcheck.cluster.live.ccm import Ccm
from ccmcheck.cluster.live.ownership import is_ccm, latest, made_by, managers, owners, status_writers

PATIENCE = timedelta(minutes=5)
"""How long a Service may be without an address: an amphora takes up to three minutes, and the CCM does one by one."""
MOST_EXPLAINED = 20
"""Pending Services whose events and log lines are read; behind most of them is the same cause."""
FINALIZER = "service.kubernetes.io/load-balancer-cleanup"
"""Of a Service whose load balancer the service controller still has to remove."""
_OF_SERVICES = {"fieldSelector": "involvedObject.kind=Service"}
_MOST_READ = 20_000
"""Events; they are kept for an hour."""
_FAILURES = frozenset(
    {"SyncLoadBalancerFailed", "UpdateLoadBalancerFailed", "DeleteLoadBalancerFailed", "UnAvailableLoadBalancer"}
)
_SUCCESSES = frozenset({"EnsuredLoadBalancer", "UpdatedLoadBalancer", "DeletedLoadBalancer"})
"""How the service controller ends a sync (k8s.io/cloud-provider controllers/service/controller.go)."""
_MOST_EVENTS = 3
_MOST_PODS = 3
_TAIL = {"tailLines": "2000", "limitBytes": str(1024 * 1024)}
_MOST_BYTES = 2 * 1024 * 1024


def live_services(services: Sequence[Document], now: datetime | None = None) -> dict[str, live_records.LiveService]:
    """What the Services themselves say.

    Args:
        services: Services of type LoadBalancer.
        now: The time.
    """
    now = now or datetime.now(UTC)
    balancers = [_balancer(service) for service in services]
    sharing = Counter(balancers)
    found = {
        title_of(service): _live(service, now, balancer, sharing[balancer])
        for service, balancer in zip(services, balancers, strict=True)
    }
    writers = {title_of(service): status_writers(service) for service in services}
    if any(is_ccm(name) for names in writers.values() for name in names):  # else it may go by another name
        for title, names in writers.items():
            if names and not any(map(is_ccm, names)) and found[title].addresses:
                found[title] = found[title]._replace(writer=names[0])
    return _with_twins(found, {title_of(one): id_ for one, id_ in zip(services, balancers, strict=True)})


def _with_twins(
    services: dict[str, live_records.LiveService], balancers: Mapping[str, str]
) -> dict[str, live_records.LiveService]:
    """The Services with those that publish an address of theirs, and have another load balancer."""
    by_address: dict[str, list[str]] = {}
    for title, service in services.items():
        for ip, _, _ in service.addresses:
            if ip:
                by_address.setdefault(ip, []).append(title)
    for titles in by_address.values():
        first: dict[str, str] = {}  # a Service of each load balancer
        for title in titles:
            first.setdefault(balancers.get(title, ""), title)
        first.pop("", None)
        few = list(first.items())[: _MOST_EVENTS + 1]
        for title in titles if len(few) > 1 else ():
            own = balancers.get(title)
            if own:
                twins = tuple(one for balancer, one in few if balancer != own)
                services[title] = services[title]._replace(twins=twins[:_MOST_EVENTS])
    return services


def _live(service: Document, now: datetime, balancer: str, sharing: int) -> live_records.LiveService:
    created = moment(mapping(service.get("metadata")).get("creationTimestamp"))
    addresses = tuple(
        (text(entry.get("ip")), text(entry.get("hostname")), text(entry.get("ipMode"))) for entry in published(service)
    )
    waits = created is not None and now - created > PATIENCE and not addresses
    is_ours = not mapping(service.get("spec")).get("loadBalancerClass")
    is_going = bool(mapping(service.get("metadata")).get("deletionTimestamp"))
    manager = _foreign_owner(service) if balancer else ""
    return live_records.LiveService(
        addresses,
        moment_text(created) if created is not None else "",
        waits and is_ours and not is_going,
        balancer=balancer if manager else "",
        manager=manager,
        sharing=sharing - 1 if manager else 0,
        going=_going(service, now),
        owner=made_by(service),
    )


def _going(service: Document, now: datetime) -> str:
    """Since when a Service is being deleted, where the CCM should be done with it."""
    metadata = mapping(service.get("metadata"))
    going = moment(metadata.get("deletionTimestamp"))
    finalizers = metadata.get("finalizers")
    waits = isinstance(finalizers, list) and FINALIZER in finalizers
    return moment_text(going) if going is not None and waits and now - going > PATIENCE else ""


def _balancer(service: Document) -> str:
    return text(
        mapping(mapping(service.get("metadata")).get("annotations")).get(service_annotations.BALANCER_ID)
    ).strip()


def _foreign_owner(service: Document) -> str:
    """Who wrote the load balancer's ID, where the CCM is not among them; empty where it is, or nobody is known."""
    way = ("metadata", "annotations", service_annotations.BALANCER_ID)
    if any(map(is_ccm, managers(service, *way))):
        return ""
    found_owners = owners(service, *way)
    return (latest(found_owners) or found_owners[0]).manager if found_owners else ""


class Chains:
    """Reads why Services are pending: their events, and the CCM's log. Both are optional.

    Args:
        transport: Asks the API server.
        messages: Says what may be shown.

    Attributes:
        unread: What could not be read, with the reason, each once.
        failures: What of it is a fault, and not a right that is missing.
    """

    def __init__(self, transport: Transport, messages: Messages) -> None:
        self._transport = transport
        self._messages = messages
        self.unread: dict[str, str] = {}
        self.failures: list[lint_results.Failure] = []

    def explained(
        self, services: dict[str, live_records.LiveService], ccms: Iterable[Ccm]
    ) -> dict[str, live_records.LiveService]:
        """The same Services; the pending ones with their events and the last line of the log about them."""
        events = self._events(services)
        pending = [title for title, service in services.items() if service.is_pending]
        lines = list(self._log(ccms)) if pending else []
        found = dict(services)
        for title in pending[:MOST_EXPLAINED]:
            line = next((line for line in reversed(lines) if _is_about(line, title)), "")
            newest = [event for event in events.get(title, ()) if event.reason not in _SUCCESSES][:_MOST_EVENTS]
            found[title] = found[title]._replace(events=tuple(map(self._shown, newest)), log=self._messages.shown(line))
        failing = [title for title, own in events.items() if own[0].reason in _FAILURES]
        for title in failing[:MOST_EXPLAINED]:
            found[title] = found[title]._replace(failing=self._shown(events[title][0]))
        return {
            title: service._replace(unread=tuple(self.unread)) if service.is_pending else service
            for title, service in found.items()
        }

    def _events(self, titles: Collection[str]) -> dict[str, list[live_records.LiveEvent]]:
        """The events of each Service that say how its sync went, the newest first."""
        found: dict[str, list[live_records.LiveEvent]] = {}
        try:
            for one in islice(items(self._transport, requests.EVENTS.path, _OF_SERVICES), _MOST_READ):
                involved = mapping(one.get("involvedObject"))
                title = f"{text(involved.get('namespace'))}/{text(involved.get('name'))}"
                event = _event(one)
                if event is not None and title in titles:
                    found.setdefault(title, []).append(event)
        except ApiError as error:
            self.unread["events"] = error.message
            if not error.is_absence:
                self.failures.append(lint_results.Failure(requests.EVENTS.title, error.message, error.hint))
        return {title: sorted(own, key=lambda event: event.time, reverse=True) for title, own in found.items()}

    def _shown(self, event: live_records.LiveEvent) -> live_records.LiveEvent:
        return event._replace(message=self._messages.shown(event.message))

    def _log(self, ccms: Iterable[Ccm]) -> Iterator[str]:
        """The last lines of the logs of the CCM's containers, of which one works and the others wait."""
        for ccm, pod in [(each, pod) for each in ccms for pod in each.pods[:_MOST_PODS]]:
            request = requests.LOGS._replace(namespace=ccm.pod.namespace, name=pod)
            try:
                text_of_log = self._transport.text(
                    request.path, {"container": ccm.container, **_TAIL}, most_bytes=_MOST_BYTES
                )
            except ApiError as error:
                self.unread["the CCM's log"] = error.message
                if isinstance(error, Refused):
                    return
            else:
                yield from text_of_log.splitlines()


def _event(event: Document) -> live_records.LiveEvent | None:
    """A warning, or the end of a sync; None for any other event."""
    if event.get("type") != "Warning" and event.get("reason") not in _SUCCESSES:
        return None
    series = mapping(event.get("series"))
    count = series.get("count") or event.get("count")
    times = (series.get("lastObservedTime"), event.get("lastTimestamp"), event.get("eventTime"))
    time = next((found for found in map(moment, times) if found is not None), None)
    written = moment_text(time) if time is not None else ""
    return live_records.LiveEvent(text(event.get("reason"))[:64], text(event.get("message")), number(count, 1), written)


def _is_about(line: str, title: str) -> bool:
    """Whether a line of a log says that something is wrong with a Service."""
    before, found, after = line.partition(title)
    is_whole = bool(found) and not (before[-1:].isalnum() or after[:1].isalnum() or after[:1] in ("-", "."))
    return is_whole and (line[:1] in ("E", "W") or "rror" in line or "ailed" in line)


SERVICE_LABEL = "kubernetes.io/service-name"
_NAMES_OF_A_REQUEST = 50


def selectors(services: Sequence[Document]) -> Iterator[str]:
    """Label selectors for the EndpointSlices of Services, a few names in each, so that URLs stay short."""
    names = sorted({text(mapping(service.get("metadata")).get("name")) for service in services})
    for start in range(0, len(names), _NAMES_OF_A_REQUEST):
        yield f"{SERVICE_LABEL} in ({','.join(names[start : start + _NAMES_OF_A_REQUEST])})"


def with_endpoints(
    live: dict[str, live_records.LiveService], services: Sequence[Document], slices: Iterable[Document] | None
) -> dict[str, live_records.LiveService]:
    """The Services that have a selector, with how many of their endpoints are ready.

    Args:
        live: The Services, by their titles.
        services: The same as the API server sent them.
        slices: All of their EndpointSlices; None where these could not all be read.
    """
    if slices is None:
        return live
    counts: dict[str, tuple[int, int]] = {}
    for one in slices:
        metadata = mapping(one.get("metadata"))
        title = f"{text(metadata.get('namespace'))}/{text(mapping(metadata.get('labels')).get(SERVICE_LABEL))}"
        states = [mapping(each.get("conditions")).get("ready") is not False for each in mappings(one.get("endpoints"))]
        ready, total = counts.get(title, (0, 0))
        counts[title] = ready + sum(states), total + len(states)
    for service in services:
        title = title_of(service)
        if mapping(mapping(service.get("spec")).get("selector")) and title in live:
            ready, total = counts.get(title, (0, 0))
            live[title] = live[title]._replace(ready=ready, endpoints=total)
    return live


def pod_owners(services: Sequence[Document], slices: Iterable[Document]) -> Iterator[carriers.PodOwner]:
    """The pods of Local Services, as far as their EndpointSlices say where these are.

    Args:
        services: Services of type LoadBalancer.
        slices: EndpointSlices of these, and maybe of others.
    """
    nodes: dict[tuple[str, str], set[str]] = {}
    for one in slices:
        metadata = mapping(one.get("metadata"))
        key = text(metadata.get("namespace")), text(mapping(metadata.get("labels")).get(SERVICE_LABEL))
        ready = nodes.setdefault(key, set())
        for endpoint in mappings(one.get("endpoints")):
            node = text(endpoint.get("nodeName"))
            if node and mapping(endpoint.get("conditions")).get("ready") is not False:
                ready.add(node)
    for service in filter(is_local, services):
        metadata = mapping(service.get("metadata"))
        namespace, name = text(metadata.get("namespace")), text(metadata.get("name"))
        selector = mapping(mapping(service.get("spec")).get("selector"))
        if selector and (namespace, name) in nodes:
            labels = {str(key): text(value) for key, value in selector.items()}
            path = object_path("EndpointSlice", namespace, name)
            yield carriers.PodOwner(path, namespace, labels, None, ready_nodes=len(nodes[namespace, name]))


def is_local(service: Document) -> bool:
    """Whether a Service sends traffic to the pods of the node that it comes to alone."""
    return mapping(service.get("spec")).get("externalTrafficPolicy") == "Local"
