"""A cluster with Service shop/web, and a project whose load balancer for it is exactly what the CCM makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api_server import BALANCER, ApiServer, cluster, daemonset, kubeconfig, secret, service, serving
from cluster_runs import Done, run
from openstack_api import OLD, PROJECT, OpenStack, balancer, clouds_yaml, serving_cloud

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import Object

SUBNET = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
NETWORK = "9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90"
NAME = "kube_service_prod_shop_web"
WEB_UID = "11111111-2222-4333-8444-555555555555"
CONF = f"""\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
user-domain-name = Default
tenant-id = 8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11
password = hunter2-is-the-secret
region = RegionOne

[LoadBalancer]
floating-network-id = {NETWORK}
subnet-id = {SUBNET}
create-monitor = true
monitor-delay = 10s
"""
IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:{}"
LISTENER, POOL, MONITOR = "1157e4e4-0001", "900100", "40410400"
_CCM = {"manager": "openstack-cloud-controller-manager", "operation": "Update", "apiVersion": "v1"}


def node(number: int, *, ready: str = "True", **metadata: Any) -> Object:
    """A node that is a member."""
    return {
        "metadata": {"name": f"n{number}", **metadata},
        "spec": {"providerID": f"openstack:///{number}"},
        "status": {
            "addresses": [{"type": "InternalIP", "address": f"10.0.0.{10 + number}"}],
            "conditions": [{"type": "Ready", "status": ready}],
        },
    }


def kubernetes(
    *nodes: Object, release: str = "v1.31.2", conf: str = CONF, name: str = "prod", **spec: Any
) -> ApiServer:
    """The cluster."""
    server = cluster()
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [
        daemonset(image=IMAGE.format(release), cluster_name=name)
    ]
    server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"] = {
        "apiVersion": "v1", "kind": "Secret", **secret(conf),
    }  # fmt: skip
    annotation = "loadbalancer.openstack.org/load-balancer-id"
    fields: Object = {"f:metadata": {"f:annotations": {f"f:{annotation}": {}}}}
    web = service(
        "web",
        annotations={annotation: BALANCER},
        managers=[{**_CCM, "fieldsV1": fields}],
        **{"ports": [{"port": 80, "protocol": "TCP", "nodePort": 30080}], **spec},
    )
    web["metadata"]["uid"] = WEB_UID
    server.lists["/api/v1/services"] = [web]
    server.objects["/api/v1/namespaces/shop/services/web"] = {"apiVersion": "v1", "kind": "Service", **web}
    server.lists["/api/v1/nodes"] = list(nodes or (node(0), node(1)))
    return server


def openstack(nodes: int = 2, name: str = NAME) -> OpenStack:
    """The project: one listener, pool and monitor, a member for each node, and a floating IP."""
    cloud = OpenStack()
    cloud.put(
        "loadbalancers",
        balancer(
            name,
            BALANCER,
            description="Kubernetes external service shop/web from cluster prod",
            vip_subnet_id=SUBNET,
            listeners=[{"id": LISTENER}],
            pools=[{"id": POOL}],
        ),
    )
    cloud.put(
        "listeners",
        {
            "id": LISTENER,
            "name": f"listener_0_{name}",
            "protocol": "TCP",
            "protocol_port": 80,
            "default_pool_id": POOL,
            "connection_limit": -1,
            "timeout_client_data": 50000,
            "timeout_member_connect": 5000,
            "timeout_member_data": 50000,
            "timeout_tcp_inspect": 0,
            "insert_headers": {},
            "allowed_cidrs": ["0.0.0.0/0"],
            "default_tls_container_ref": None,
            "tags": [name],
            "admin_state_up": True,
        },
    )
    cloud.put(
        "pools",
        {
            "id": POOL,
            "name": f"pool_0_{name}",
            "protocol": "TCP",
            "lb_algorithm": "ROUND_ROBIN",
            "session_persistence": None,
            "healthmonitor_id": MONITOR,
            "admin_state_up": True,
        },
    )
    cloud.put(
        "healthmonitors",
        {
            "id": MONITOR,
            "name": f"monitor_0_{name}",
            "type": "TCP",
            "delay": 10,
            "timeout": 3,
            "max_retries": 1,
            "max_retries_down": 3,
            "admin_state_up": True,
        },
    )
    cloud.members[POOL] = [
        {
            "id": f"m{number}",
            "name": f"n{number}",
            "address": f"10.0.0.{10 + number}",
            "protocol_port": 30080,
            "monitor_port": None,
            "subnet_id": SUBNET,
            "weight": 1,
            "backup": False,
            "admin_state_up": True,
            "operating_status": "ONLINE",
        }
        for number in range(nodes)
    ]
    cloud.put(
        "floatingips",
        {
            "id": "f1",
            "floating_ip_address": "192.0.2.7",
            "port_id": f"port-{BALANCER}",
            "project_id": PROJECT,
            "created_at": f"{OLD}Z",
            "description": "Floating IP for Kubernetes external service shop/web from cluster prod",
        },
    )
    cloud.put("subnets", {"id": SUBNET, "cidr": "10.0.0.0/24", "name": "nodes"})
    return cloud


def lint_octavia(folder: Path, kube: ApiServer, cloud: OpenStack, *arguments: str, **clouds: Any) -> Done:
    """Run ``cluster lint --octavia`` against both."""
    return both(folder, kube, cloud, "lint", "--octavia", *arguments, **clouds)


def both(folder: Path, kube: ApiServer, cloud: OpenStack, *arguments: str, **clouds: Any) -> Done:
    """Run a command against both."""
    with serving(kube), serving_cloud(cloud):
        config = kubeconfig(folder, kube)
        file = clouds_yaml(folder, cloud, **clouds)
        command, *others = arguments
        return run(
            folder,
            command,
            "--kubeconfig",
            str(config),
            "--os-cloud",
            "test",
            *others,
            OS_CLIENT_CONFIG_FILE=str(file),
        )


def differences(done: Done) -> dict[str, str]:
    """What a JSON report says of load balancers: what differs, and what corrects it."""
    return {
        finding["label"]: f"{finding['detail']} {finding['help']}"
        for finding in done.report["findings"]
        if finding["rule"].startswith("svc-octavia-")
    }
