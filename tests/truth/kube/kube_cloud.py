"""The cloud of a cluster: the stand-in OpenStack with the real Octavia API, and the servers of the cluster's nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cloud_running import NotAvailableError, running_cloud
from cloud_stand_in import PROJECT, StandIn
from loadbalancer_cloud import cloud as networks_and_servers
from loadbalancer_ids import identified, identify
from loadbalancer_oracle import Asked, Case
from octavia_api import Octavia
from octavia_play import tree

Json = dict[str, Any]

PASSWORD = "hunter2-of-the-ccm"
READER_PASSWORD = "hunter2-of-the-reader"
FLAVORS, ZONES = ("flavor-1", "flavor-2"), ("zone-1",)
# what the CCM wants to know of a server before a node is ready for use
_DETAILS = {
    "addresses": {}, "metadata": {}, "flavor": {"original_name": "m1.medium"}, "accessIPv4": "", "accessIPv6": "",
    "OS-EXT-AZ:availability_zone": "nova", "tenant_id": PROJECT,
}  # fmt: skip


class Cloud(NamedTuple):
    """A cloud that runs.

    Attributes:
        stand_in: Keystone, Nova, Neutron and Barbican, with what was asked of them.
        octavia: The real API, without the way through the stand-in.
        clouds_yaml: For openstacksdk: the cloud ``reader``, whose requests are in ``stand_in.read``.
    """

    stand_in: StandIn
    octavia: Octavia
    clouds_yaml: Path

    @property
    def url(self) -> str:
        """Where all services are."""
        return self.stand_in.url

    @property
    def auth_url(self) -> str:
        """Keystone's URL."""
        return f"{self.url}/identity/v3"

    def asked(self) -> list[tuple[Asked, int]]:
        """What the CCM asked of the cloud, with the status of each answer."""
        return list(self.stand_in.asked)

    def changes(self) -> list[tuple[Asked, int]]:
        """The requests of the CCM that can change something."""
        return [(asked, status) for asked, status in self.asked() if asked.method != "GET"]

    def conf(self, lines: str = "", password: str = PASSWORD) -> str:
        """A cloud.conf for this cloud.

        Args:
            lines: What ``[LoadBalancer]`` has beside the networks; names of networks, subnets and so on become IDs.
            password: The CCM's.
        """
        return conf_at(self.auth_url, lines, password)

    def balancers(self) -> list[Json]:
        """All load balancers with everything in them."""
        listed = self.octavia.ask("GET", "loadbalancers").body.get("loadbalancers", [])
        found = [tree(self.octavia, one["id"]) for one in listed]
        return [one for one in found if "id" in one]  # the others were deleted meanwhile

    def balancer(self, name: str) -> Json | None:
        """One load balancer by its name; None where it is not there."""
        return next((one for one in self.balancers() if one["name"] == name), None)


def conf_at(auth_url: str, lines: str, password: str = PASSWORD) -> str:
    """See `Cloud.conf`."""
    return with_ids(
        f"[Global]\nauth-url = {auth_url}\nusername = ccm\npassword = {password}\ntenant-id = {PROJECT}\n"
        "domain-id = default\nregion = RegionOne\n[LoadBalancer]\nsubnet-id = subnet-nodes\n"
        f"floating-network-id = net-ext\n{lines}"
    )


def with_ids(text: str) -> str:
    """A text with IDs for the names of networks, subnets, servers and so on."""
    return identified(Case(text, {}, (), "", "", {})).config


@contextmanager
def cloud(folder: Path, nodes: Sequence[Json]) -> Iterator[Cloud]:
    """A cloud in which the nodes of a cluster have their servers.

    Args:
        folder: Where ``clouds.yaml`` is written.
        nodes: As Kubernetes has them, with their addresses.

    Raises:
        NotAvailableError: Octavia cannot be had here.
    """
    with running_cloud([identify(one) for one in FLAVORS], ZONES) as (stand_in, octavia):
        stand_in.passwords = {"ccm": PASSWORD, "reader": READER_PASSWORD}
        found = json.loads(with_ids(json.dumps(networks_and_servers(nodes))))
        found["servers"] = [{**server, **_DETAILS} for server in found["servers"]]
        stand_in.begin(found)
        clouds_yaml = folder / "clouds.yaml"
        clouds_yaml.write_text(json.dumps(_clouds(stand_in.url)))
        clouds_yaml.chmod(0o600)
        yield Cloud(stand_in, octavia, clouds_yaml)


def _clouds(url: str) -> Json:
    log_in = {
        "auth_url": f"{url}/identity/v3", "username": "reader", "password": READER_PASSWORD, "project_id": PROJECT,
        "user_domain_id": "default",
    }  # fmt: skip
    return {"clouds": {"reader": {"region_name": "RegionOne", "auth": log_in}}}


__all__ = [
    "PASSWORD",
    "PROJECT",
    "READER_PASSWORD",
    "Cloud",
    "NotAvailableError",
    "Octavia",
    "cloud",
    "conf_at",
    "identify",
    "with_ids",
]
