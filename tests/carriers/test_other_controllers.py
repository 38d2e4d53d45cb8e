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


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("addons.yml", "metallb_enabled: true\nmetallb_speaker_enabled: true\n", ["MetalLB"]),
        ("addons.yml", "metallb_enabled: true\nmetallb_loadbalancer_class: metallb\n", []),
        ("addons.yml", "metallb_enabled: false\nmetallb_speaker_enabled: true\n", []),
        ("addons.yml", "kube_vip_enabled: true\nkube_vip_services_enabled: true\n", ["kube-vip"]),
        ("addons.yml", "kube_vip_enabled: true\nkube_vip_services_enabled: false\n", []),
        ("setup.sh", "microk8s enable dns metallb:10.0.0.1-10.0.0.9\n", ["MetalLB"]),
        ("setup.sh", "microk8s disable metallb\nmicrok8s enable dns # metallb\n", []),
        ("setup.sh", 'INSTALL_K3S_EXEC="server --disable-cloud-controller"\n', [SERVICES]),
        ("setup.sh", "curl https://get.k3s.io | sh -s - server --disable-cloud-controller\n", [SERVICES]),
        ("setup.sh", "curl https://get.k3s.io | sh -s - --disable-cloud-controller --disable servicelb\n", []),
        ("setup.sh", "curl https://get.rke2.io | sh -s - --disable-cloud-controller\n", []),
        ("README.md", "```sh\nmicrok8s enable metallb\n```\n", []),
    ],
)  # fmt: skip
def test_switches_of_distributions(name: str, text: str, expected: list[str]) -> None:
    controllers = find(name, text).run_context.controllers
    assert [CONTROLLERS[one.row].name for one in controllers] == expected
    assert not any(one.is_workload for one in controllers)
