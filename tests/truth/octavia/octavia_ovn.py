"""Lets the real ovn provider driver judge requests with no OVN behind it.

The driver is untouched; the helper that it talks to is replaced by one that answers what the checks ask, and drops what it
is handed. Runs in Octavia's environment.
"""

from __future__ import annotations

import ipaddress
import uuid
from typing import Any


def install(world: dict[str, Any]) -> None:
    """Put the helper in its place, with the subnets of a world."""
    from ovn_octavia_provider import driver, helper

    cidrs = {one["id"]: one["cidr"] for one in world["subnets"]}

    class _Tables:
        @staticmethod
        def is_col_present(_table: str, _column: str) -> bool:
            return True

    vips = ["198.51.100.9"]

    class _Port(dict[str, Any]):
        id = ""

    class Helper:
        def __init__(self, notifier: bool = False) -> None:
            del notifier
            self.ovn_nbdb_api = _Tables()

        def shutdown(self) -> None:
            pass

        def add_request(self, request: object) -> None:
            pass

        def create_vip_port(self, _project: str, _balancer: str, vip: dict[str, Any], _more: object = None) -> Any:
            subnet = vip.get("vip_subnet_id") or vip.get("subnet_id")
            address = str(ipaddress.ip_network(cidrs.get(subnet, "198.51.100.0/24"))[9])
            vips.append(vip.get("vip_address") or address)
            port = _Port(fixed_ips=[{"ip_address": vips[-1], "subnet_id": subnet}])
            port.id = str(uuid.uuid4())
            return port, []

        def _find_ovn_lb_by_pool_id(self, pool: str) -> Any:
            class Balancer:
                external_ids = {"neutron:vip": vips[-1], f"pool_{pool}": ""}  # noqa: RUF012 - read only

            return f"pool_{pool}", Balancer()

        def _get_subnet_from_pool(self, _pool: str) -> tuple[None, None]:
            return None, None

        def _check_ip_in_subnet(self, _ip: str, _cidr: str) -> bool:
            return False

        def _get_member_info(self, member: Any) -> str:
            return f"member_{member.member_id}"

    helper.OvnProviderHelper = Helper
    driver.ovn_helper.OvnProviderHelper = Helper
