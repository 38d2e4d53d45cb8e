"""The controllers of k3s and RKE2, by the configuration of their servers."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS

NODES, SERVICES = "the own controller of k3s or RKE2", "k3s ServiceLB"
EXTERNAL = "kubelet-arg: [cloud-provider=external]\n"
OFF = "disable-cloud-controller: true\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{EXTERNAL}disable: [traefik]\n", [NODES, SERVICES]),
        (f"{EXTERNAL}{OFF}disable: [traefik]\n", [SERVICES]),
        (f"{OFF}cluster-init: true\ndisable: [traefik]\n", [SERVICES]),
        (f"{OFF}disable: traefik, servicelb\n", []),
        (f"{OFF}disable: [traefik, servicelb]\n", []),
        (f"{OFF}cluster-init: true\n", []),
        (f"{OFF}disable: [rke2-ingress-nginx]\n", []),
        (f"{EXTERNAL}cni: cilium\ncloud-provider-name: external\n", []),
        ("disable: [traefik]\n", []),
        (f"{EXTERNAL}node-name: a\n", []),
    ],
)
def test_the_controllers_that_a_server_keeps(text: str, expected: list[str]) -> None:
    controllers = find("config.yaml", text).run_context.controllers
    assert [CONTROLLERS[one.row].name for one in controllers] == expected
