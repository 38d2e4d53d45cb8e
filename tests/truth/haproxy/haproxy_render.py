"""Renders what an amphora runs, with Octavia's own template: pools in JSON on stdin, HAProxy's configuration on stdout.

Runs in an environment that has octavia, not in this project's.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any


def main() -> None:
    """Render one load balancer with a listener for each pool."""
    from octavia.common import config, data_models
    from octavia.common.jinja.haproxy.combined_listeners import jinja_cfg

    request: dict[str, Any] = json.load(sys.stdin)
    config.init([])
    logging.disable(logging.WARNING)
    vip = data_models.Vip(ip_address="127.0.0.1")
    balancer = data_models.LoadBalancer(
        id="balancer", name="b", project_id="p", vip=vip, topology="SINGLE", enabled=True
    )
    listeners = []
    for number, pool in enumerate(request["pools"]):
        members = [
            data_models.Member(
                id=f"member-{number}-{index}", ip_address=address, protocol_port=port, weight=1, enabled=True,
                operating_status="NO_MONITOR", backup=False, provisioning_status="ACTIVE",
            )
            for index, (address, port) in enumerate(pool["members"])
        ]  # fmt: skip
        default_pool = data_models.Pool(
            id=f"pool-{number}", protocol="TCP", lb_algorithm=pool["method"], enabled=True, members=members,
            operating_status="ONLINE", provisioning_status="ACTIVE", load_balancer=balancer,
        )  # fmt: skip
        listener = data_models.Listener(
            id=f"listener-{number}", protocol="TCP", protocol_port=pool["listener"], enabled=True, connection_limit=-1,
            timeout_client_data=50000, timeout_member_connect=pool["timeout_ms"], timeout_member_data=50000,
            timeout_tcp_inspect=0, default_pool=default_pool, load_balancer=balancer, provisioning_status="ACTIVE",
            pools=[default_pool], project_id="p",
        )  # fmt: skip
        default_pool.listeners = [listener]
        listeners.append(listener)
    balancer.listeners = listeners
    amphora = data_models.Amphora(
        id="amphora", lb_network_ip="127.0.0.1", vrrp_ip="127.0.0.1", ha_ip="127.0.0.1", role="STANDALONE",
        status="ALLOCATED", load_balancer=balancer,
    )  # fmt: skip
    folder = request["folder"]
    templater = jinja_cfg.JinjaTemplater(
        base_amp_path=folder, base_crt_dir=folder, log_http="127.0.0.1:9", log_server="127.0.0.1:9",
        connection_logging=False,
    )  # fmt: skip
    sys.stdout.write(templater.build_config(amphora, listeners, {}, request["version"], {}))


if __name__ == "__main__":
    main()
