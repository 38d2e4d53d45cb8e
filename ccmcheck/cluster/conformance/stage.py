"""What the steps of one case share: its objects, its addresses, its pods, and how requests are sent."""

from __future__ import annotations

from collections.abc import Callable

from ccmcheck.cluster.access.documents import is_ready, mapping, published, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import objects, probe
from ccmcheck.cluster.conformance.cases import Case
from ccmcheck.cluster.conformance.probe import ProbeTarget
from ccmcheck.cluster.conformance.records import Reply
from ccmcheck.cluster.conformance.session import Session, StepFailed
from ccmcheck.cluster.core import NamedTuple


class SeenByStep(NamedTuple):
    """What a step that held saw.

    Attributes:
        text: In a line.
        replies: The requests that were sent.
    """

    text: str
    replies: tuple[Reply, ...] = ()


class Stage:
    """The objects of one case while it runs.

    Args:
        session: The API server.
        case: The case.
        image: The workload's image.
        port: The port that clients connect to.
        ask: Sends one request.
        user: The user of the pods; None where the cluster gives each namespace one.

    Attributes:
        service: The Service as it was last seen.
        second: The second Service, where there is one.
        address: The address of the load balancer.
        old_port: The port before it was changed; 0 where it was not.
        pods: The nodes of the ready pods, by the pods' names.
        asked: The Service and the pods when the first requests were sent; None before.
    """

    def __init__(
        self,
        session: Session,
        case: Case,
        image: str,
        port: int,
        ask: Callable[[ProbeTarget, float], Reply] = probe.ask,
        user: int | None = objects.USER,
    ) -> None:
        self.session = session
        self.case = case
        self.image = image
        self.port = port
        self.ask = ask
        self.user = user
        self.service: Document = {}
        self.second: Document = {}
        self.address = ""
        self.old_port = 0
        self.pods: dict[str, str] = {}
        self.asked: tuple[Document, dict[str, str]] | None = None

    @property
    def service_path(self) -> str:
        """The Service's path."""
        return self.session.place.path("services", self.case.name)

    @property
    def second_path(self) -> str:
        """The second Service's path."""
        return self.session.place.path("services", f"{self.case.name}-2")

    @property
    def deployment_path(self) -> str:
        """The Deployment's path."""
        return self.session.place.path("deployments", self.case.name)

    @property
    def target(self) -> ProbeTarget:
        """Where requests go."""
        return ProbeTarget(self.address, self.port, self.case.udp)

    def see_service(self) -> Document:
        """Read the Service.

        Raises:
            StepFailed: Somebody deleted it.
        """
        service = self.session.get(self.service_path)
        if service is None:
            raise StepFailed("the Service is gone: somebody else deleted it")
        self.service = service
        return service

    def see_pods(self) -> dict[str, str]:
        """Read which pods are ready, and their nodes."""
        query = {"labelSelector": f"{objects.CASE_LABEL}={self.case.name}"}
        pods = self.session.list(self.session.place.path("pods"), query)
        self.pods = {
            text(mapping(pod.get("metadata")).get("name")): text(mapping(pod.get("spec")).get("nodeName"))
            for pod in pods
            if is_ready(pod) and not mapping(pod.get("metadata")).get("deletionTimestamp")
        }
        return self.pods


def ingress(service: Document) -> list[str]:
    """The addresses of a Service's status, IP addresses before hostnames."""
    entries = published(service)
    found = [text(entry.get(field)) for field in ("ip", "hostname") for entry in entries]
    return [address for address in found if address]
