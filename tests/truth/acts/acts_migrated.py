"""Configurations of the provider inside Kubernetes, after those of public repositories, moved to the CCM by ``upgrade``.

Each becomes a scenario: the CCM reads the new cloud.conf, and makes the load balancers of two Services.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import cloud_chosen as chosen
from loadbalancer_cloud import cloud
from loadbalancer_oracle import Case
from loadbalancer_scenarios import Act, Scenario, identified

SECRET = "Canary7Zq9xWv"
LOGIN = f"auth-url = https://k.example.org:5000/v3\nusername = kube\npassword = {SECRET}\nregion = R1\n"
SUBNETS = (
    "subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\nfloating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
)
TIMERS = "create-monitor = yes\nmonitor-delay = 1m\nmonitor-timeout = 30s\nmonitor-max-retries = 3\n"
CONFIGS = {
    # after Kubespray's in-tree template
    "playbook": f"[Global]\n{LOGIN}tenant-id = t\ndomain-id = default\n[LoadBalancer]\nuse-octavia = true\n{SUBNETS}{TIMERS}"
    "manage-security-groups = yes\n[BlockStorage]\nbs-version = v3\nignore-volume-az = yes\n",
    # after Kubernetes' own documentation
    "guide": f"[Global]\n{LOGIN}tenant-name = p\ndomain-name = Default\n[LoadBalancer]\n{SUBNETS}"
    "[BlockStorage]\ntrust-device-path = false\n[Route]\nrouter-id = 0d3b5c4e-0000-4000-8000-000000000001\n",
    # after clusters whose credentials are in a Secret
    "secret": "[Global]\nsecret-name = openstack-credentials\nsecret-namespace = kube-system\n"
    f"kubeconfig-path = /var/lib/kubelet/kubeconfig\n[LoadBalancer]\nuse-octavia = true\n{SUBNETS}",
    # after Magnum's Heat driver
    "trust": f"[Global]\nauth-url=https://k/v3\nuser-id=u\npassword={SECRET}\ntrust-id=t\nca-file=/etc/kubernetes/ca-bundle.crt\n"
    f"region=R1\n[LoadBalancer]\nuse-octavia=True\n{SUBNETS}{TIMERS}[BlockStorage]\nbs-version=v2\n",
    # after Rancher's RKE
    "quoted": f'[Global]\nauth-url = "https://k/v3"\nusername = "kube"\npassword = "{SECRET}"\ntenant-id = "t"\n'
    'domain-name = "Default"\n[LoadBalancer]\nlb-version = "v2"\nuse-octavia = true\nlb-provider = "octavia"\n'
    f"{SUBNETS}[BlockStorage]\nignore-volume-az = true\nnode-volume-attach-limit = 20\n"
    '[Metadata]\nsearch-order = "metadataService"\nrequest-timeout = 30s\n',
    # after Gardener's in-tree provider (gardener-extension-provider-openstack, cloud-provider-config-loadbalancer.tpl)
    "gardener": f'[Global]\nauth-url="https://k/v3"\ndomain-name="Default"\ntenant-name="p"\nusername="u"\n'
    f'password="{SECRET}"\n[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=60s\nmonitor-timeout=30s\n'
    f'monitor-max-retries=5\nlb-version=v2\nlb-provider="octavia"\nuse-octavia="true"\n{SUBNETS}',
    # after SUSE's skuba, its caasp deployment on OpenStack
    "skuba": f'[Global]\nauth-url="https://k/v3"\nusername="u"\npassword="{SECRET}"\ntenant-id="t"\ntenant-name="p"\n'
    f'domain-id="default"\nregion="R1"\nca-file="/etc/pki/ca.pem"\n[LoadBalancer]\nlb-version=v2\n{SUBNETS}'
    "create-monitor=yes\nmonitor-delay=1m\nmonitor-timeout=30s\nmonitor-max-retries=3\n"
    "[BlockStorage]\ntrust-device-path=false\nbs-version=v2\nignore-volume-az=true\n",
    # after SAP's kubernikus, its chart for the control plane
    "kubernikus": f"[Global]\nauth-url = https://k/v3\nusername = u\npassword = {SECRET}\nuser-domain-name = d\n"
    f"tenant-id = t\nregion = R1\n[LoadBalancer]\nlb-version=v2\nuse-octavia = yes\n{SUBNETS}"
    "create-monitor = yes\nmonitor-delay = 1m\nmonitor-timeout = 30s\nmonitor-max-retries = 3\n"
    "[BlockStorage]\ntrust-device-path = no\n[Route]\nrouter-id = 0d3b5c4e-0000-4000-8000-000000000001\n",
    # after a Heat template that runs kubeadm with an application credential
    "heat": f"[Global]\nauth-url=https://k/v3\napplication-credential-id=3a1b5a94dcb94d4ba0d52ad45c5dbd8f\n"
    f"application-credential-secret={SECRET}\nregion=R1\n\n[LoadBalancer]\n{SUBNETS}create-monitor=true\n"
    "use-octavia=true\nlb-version=v2\nmonitor-delay=10s\nmonitor-max-retries=10\nmonitor-timeout=10s\ninternal-lb=true\n"
    "\n[BlockStorage]\nbs-version=v2\nnode-volume-attach-limit=128\n\n[Networking]\npublic-network-name=public\n"
    "internal-network-name=private\nipv6-support-disabled=false\n",
    # after a page that sets kubeadm up on DevStack
    "devstack": f"[Global]\nauth-url=http://keystone/v3/\nuser-id=0c2d1e3f4a5b4c6d8e9f0a1b2c3d4e5f\npassword={SECRET}\n"
    "tenant-id=1d3e2f4a5b6c4d7e9fa0b1c2d3e4f5a6\nregion=RegionOne\n[LoadBalancer]\nuse-octavia=yes\n"
    "subnet-id=2e4f3a5b-6c7d-4e8f-9a0b-1c2d3e4f5a6b\ncreate-monitor=no\n[BlockStorage]\nbs-version=v2\n",
}
_FROM, _TO = "in-tree@1.20", "1.31"
_OF_THE_CLOUD = {
    "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69": "subnet-nodes",
    "2e4f3a5b-6c7d-4e8f-9a0b-1c2d3e4f5a6b": "subnet-nodes",
    "9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90": "net-ext",
    "[Global]\n[LoadBalancer]": f"[Global]\n{LOGIN}tenant-name = p\ndomain-name = Default\n[LoadBalancer]",
    "R1": "RegionOne",
    "ca-file": "# of a host: ca-file",
}
"""What has another name where the configurations are tried; that credentials of a Secret must be added, the page says."""


def new_text(conf: str) -> str:
    """The cloud.conf with the difference that ``upgrade`` prints, as git applies it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cloud.conf"
        file.write_text(conf, encoding="utf-8")
        command = [sys.executable, "-m", "ccmcheck", "upgrade", "--from", _FROM, "--to", _TO, "--format", "json", "."]
        told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        (plan,) = json.loads(told)["migrations"]
        if plan["diff"]:
            patch = "".join(f"{line}\n" for line in plan["diff"])
            subprocess.run(["git", "apply", "-p0", "-"], cwd=folder, input=patch, text=True, check=True)
        return file.read_text(encoding="utf-8")


def migrated() -> Iterator[Scenario]:
    """A scenario for each: two Services, reconciled twice, with a node less, and deleted."""
    plain, local = (
        chosen.service(text, externalTrafficPolicy=policy)
        for text, policy in (("TCP/80", "Cluster"), ("TCP/80 TCP/443", "Local"))
    )
    local["metadata"] |= {"name": "local", "uid": "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4e"}
    nodes = chosen.NODES[:2]
    for name, conf in CONFIGS.items():
        config = new_text(conf)
        for old, new in _OF_THE_CLOUD.items():
            config = config.replace(old, new)
        acts = (
            Act(kind, service, nodes[:1] if kind == "update" else nodes)
            for service in (plain, local)
            for kind in ("ensure", "ensure", "update", "delete")
        )
        case = Case(config, {}, nodes, "kubernetes", "2.27", cloud(chosen.NODES))
        yield identified(Scenario(f"migrated {name}", case, tuple(acts)))
