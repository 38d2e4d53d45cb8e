"""The state of one reconcile: what it starts from, and the requests that it has sent so far."""

from __future__ import annotations

from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.annotations import Annotations
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Node
from ccmcheck.predict.inputs.nodes import selected
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Json, Request
from ccmcheck.predict.requests.enforced import Features
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec
from ccmcheck.predict.requests.notes import Notes

ROOT = "/v2.0/lbaas"
"""Octavia's root as gophercloud addresses it; ``/v2/lbaas`` is the same."""


class ReconcileState:
    """What all steps of a reconcile read and add to.

    Args:
        options: The configuration.
        service: The Service.
        cloud: The state of the cloud before.
        spec: The load balancer spec.
        notes: Takes events, assumptions and what is ignored.

    Attributes:
        nodes: The nodes that become members.
        requests: The requests so far.
        written: The annotations that the CCM writes to the Service.
        owner: Whether the load balancer is the Service's own; False where it shares another's.
        member_subnet: The subnet of the members.
    """

    def __init__(
        self, options: Options, service: Service, cloud: CloudState, spec: LoadBalancerSpec, notes: Notes
    ) -> None:
        self.options = options
        self.service = service
        self.cloud = cloud
        self.spec = spec
        self.notes = notes
        self.behaviours = behaviours_of(options.release)
        self.has = Features(cloud, options.is_special, notes)
        self.nodes: tuple[Node, ...] = selected(cloud.nodes or (), spec.selectors)
        self.requests = notes.requests
        self.written: dict[str, str] = {}
        self.owner = True
        self.member_subnet = spec.member_subnet

    def send(self, method: str, path: str, body: Json | None = None) -> None:
        """Note a request to Octavia."""
        self.requests.append(Request(method, f"{ROOT}/{path}", body))

    def write_id(self, before: Balancer | None) -> None:
        """Write the load balancer's ID to the Service."""
        self.written[BALANCER_ID] = before.id if before is not None else "{loadbalancer}"

    @property
    def remembers_first_subnet(self) -> bool:
        """Whether members are in the first new load balancer's subnet from then on, as up to 1.24 without subnet-id."""
        if (
            not self.behaviours["groups-of-cloud-conf-subnet"]
            or not self.behaviours["service-config"]
            or self.options.subnet_id
        ):
            return False
        annotations = Annotations(self.service.annotations, self.behaviours)
        return bool(annotations.text("network-id", self.options.network_id) or annotations.text("subnet-id"))
