"""The stand-in OpenStack with the real Octavia API behind it, for as long as a block runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cloud_stand_in import StandIn
from loadbalancer_cloud import SUBNETS
from loadbalancer_ids import identify
from octavia_api import NotAvailableError, Octavia, default_work_dir, installed, running

HERE = Path(__file__).resolve().parent


@contextmanager
def running_cloud(flavors: Sequence[str] = (), zones: Sequence[str] = ()) -> Iterator[tuple[StandIn, Octavia]]:
    """A Keystone, Nova, Neutron and Barbican of ours on one port, and Octavia behind it; without any network yet.

    Args:
        flavors: The names of Octavia's flavors, which are also their IDs.
        zones: The names of its availability zones.

    Raises:
        NotAvailableError: Octavia cannot be had here.
    """
    python = installed(default_work_dir())
    stand_in = StandIn()
    subnets: list[dict[str, Any]] = [
        {**one, "id": identify(str(one["id"])), "network_id": identify(str(one["network_id"]))} for one in SUBNETS
    ]
    world = {"url": stand_in.url, "flavors": list(flavors), "zones": list(zones), "subnets": subnets}
    try:
        with running(python, world, HERE / "cloud_octavia_server.py") as octavia:
            stand_in.octavia = octavia.port
            yield stand_in, octavia
    finally:
        stand_in.stop()


__all__ = ["NotAvailableError", "running_cloud"]
