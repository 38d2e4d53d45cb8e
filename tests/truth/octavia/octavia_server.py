"""Serves Octavia's own API on loopback: sqlite, no Keystone, no Neutron, no broker, no worker.

Runs in an environment that has octavia and ovn-octavia-provider, not in this project's. ``octavia_server.py RUN WORLD``
keeps its files in the folder RUN and knows what is in the JSON file WORLD; it prints ``ready``
and its port. Whatever is pending is active at the next request, and what is to be deleted is gone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref import simple_server

HERE = Path(__file__).resolve().parent
RUN = Path(sys.argv[1]).resolve()
WORLD = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))

SETTLING = (HERE / "settle.sql").read_text(encoding="utf-8").split(";\n")
FLAVOR = '{"loadbalancer_topology": "SINGLE"}'

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def know_networks() -> None:
    """Let the driver without Neutron answer with the world's networks, and give addresses of their subnets."""
    from octavia.network import data_models as network_models
    from octavia.network.drivers.noop_driver import driver

    real = driver.create_engine
    driver.create_engine = lambda _url: real(f"sqlite:///{RUN / 'noop-network.db'}")
    known = driver._NOOP_MANAGER_VARS
    for one in WORLD["subnets"]:
        known["subnets"][one["id"]] = network_models.Subnet(
            id=one["id"], network_id=one["network_id"], cidr=one["cidr"], ip_version=one["ip_version"]
        )
    for one in WORLD["networks"]:
        known["networks"][one["id"]] = network_models.Network(
            id=one["id"], subnets=one["subnets"], port_security_enabled=True
        )
    for one in WORLD["ports"]:
        known["ports"][one["id"]] = network_models.Port(
            id=one["id"],
            network_id=one["network_id"],
            device_id="",
            fixed_ips=[network_models.FixedIP(each["subnet_id"], each["ip_address"]) for each in one["fixed_ips"]],
        )
    plain = driver.NoopManager.allocate_vip

    def allocate_vip(self: Any, balancer: Any) -> Any:
        vip, more = plain(self, balancer)
        if balancer.vip is not None and not balancer.vip.ip_address:
            vip.ip_address = first_address(vip.subnet_id)
        return vip, more

    driver.NoopManager.allocate_vip = allocate_vip


def first_address(subnet: str) -> str:
    """Some address of a subnet."""
    cidr = next((one["cidr"] for one in WORLD["subnets"] if one["id"] == subnet), "198.51.100.0/24")
    prefix = cidr.partition("/")[0]
    return prefix + "200" if ":" in prefix else prefix.removesuffix("0") + "200"


def build_tables() -> None:
    """Octavia's tables, straight from its models, and the words that its migrations fill in."""
    from octavia.common import constants as words
    from octavia.db import api, base_models, models
    from sqlalchemy import event

    event.listen(api.get_engine(), "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
    base_models.BASE.metadata.create_all(api.get_engine())
    filled = {
        models.ProvisioningStatus: words.SUPPORTED_PROVISIONING_STATUSES,
        models.OperatingStatus: words.SUPPORTED_OPERATING_STATUSES,
        models.HealthMonitorType: words.SUPPORTED_HEALTH_MONITOR_TYPES,
        models.Algorithm: words.SUPPORTED_LB_ALGORITHMS,
        models.Protocol: words.SUPPORTED_PROTOCOLS,
        models.SessionPersistenceType: words.SUPPORTED_SP_TYPES,
        models.AmphoraRoles: words.SUPPORTED_AMPHORA_ROLES,
        models.LBTopology: words.SUPPORTED_LB_TOPOLOGIES,
        models.VRRPAuthMethod: words.SUPPORTED_VRRP_AUTH,
        models.L7RuleType: words.SUPPORTED_L7RULE_TYPES,
        models.L7RuleCompareType: words.SUPPORTED_L7RULE_COMPARE_TYPES,
        models.L7PolicyAction: words.SUPPORTED_L7POLICY_ACTIONS,
        models.ClientAuthenticationMode: words.SUPPORTED_CLIENT_AUTH_MODES,
    }
    session = api.get_session()
    with session.begin():
        for table, names in filled.items():
            session.add_all(table(name=name) for name in names)
        session.add(models.FlavorProfile(id="f", name="f", provider_name="amphora", flavor_data=FLAVOR))
        session.add(
            models.AvailabilityZoneProfile(id="z", name="z", provider_name="amphora", availability_zone_data="{}")
        )
        session.flush()
        session.add_all(
            models.Flavor(id=one, name=one, enabled=True, flavor_profile_id="f") for one in WORLD["flavors"]
        )
        session.add_all(
            models.AvailabilityZone(name=one, enabled=True, availability_zone_profile_id="z") for one in WORLD["zones"]
        )


def settled(app: Wsgi) -> Wsgi:
    """An app that does the worker's part before each request."""
    from octavia.db import api
    from sqlalchemy import text

    statements = [text(statement) for statement in SETTLING if statement.strip()]

    def ready(environ: dict[str, Any], answer: Any) -> Iterable[bytes]:
        with api.get_engine().begin() as connection:
            for statement in statements:
                connection.execute(statement)
        return app(environ, answer)

    return ready


class _Quiet(simple_server.WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def serve(configuration: Path) -> None:
    """Serve until killed."""
    for old in RUN.glob("*.db"):
        old.unlink()
    import octavia_ovn

    octavia_ovn.install(WORLD)
    from octavia.api import app
    from oslo_config import cfg

    cfg.CONF.log_opt_values = lambda *_, **__: None  # 700 lines
    wsgi = app.setup_app(argv=["octavia-api", "--config-file", str(configuration)])
    cfg.CONF.set_override("connection", f"sqlite:///{RUN / 'octavia.db'}", "database")
    # oslo.db hands pool_timeout to every engine; sqlite's pool refuses it
    cfg.CONF.set_override("pool_timeout", None, "database")
    build_tables()
    server = simple_server.make_server("127.0.0.1", 0, settled(wsgi), handler_class=_Quiet)
    print("ready", server.server_port, flush=True)
    server.serve_forever()


def main() -> None:
    """Serve with the driver that needs no Neutron."""
    know_networks()
    serve(HERE / "octavia.conf")


if __name__ == "__main__":
    main()
