"""A cloud.conf with two classes, a Service and a Node, and the OpenStack project in which all that they name exists."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cluster_runs import Done, run
from openstack_api import PASSWORD, PROJECT, OpenStack, balancer, clouds_yaml, serving_cloud

if TYPE_CHECKING:
    from pathlib import Path

    from openstack_api import Object

PUBLIC, PRIVATE, OTHER = (f"9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e9{digit}" for digit in "012")
OUTER, INNER, ELSEWHERE = (f"5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a6{digit}" for digit in "012")
ROUTER = "2c1b0a99-8877-4665-9544-332211009988"
FLAVOR = "77777777-8888-4999-8aaa-bbbbbbbbbbbb"
CONTAINER = "0c0c0c0c-1d1d-4e2e-8f3f-4a4a4a4a4a4a"
SERVER = "a1b2c3d4-0000-4000-8000-000000000001"
CONF = f"""\
[Global]
auth-url = http://127.0.0.1:PORT/v3
username = ccm
user-domain-name = Default
tenant-id = {PROJECT}
password = {PASSWORD}
region = RegionOne

[LoadBalancer]
lb-provider = amphora
floating-network-id = {PUBLIC}
floating-subnet-id = {OUTER}
network-id = {PRIVATE}
subnet-id = {INNER}
flavor-id = {FLAVOR}
availability-zone = nova-lb
create-monitor = true

[LoadBalancerClass "dmz"]
floating-network-id = {PUBLIC}
floating-subnet = public-v4
subnet-id = {INNER}

[Route]
router-id = {ROUTER}
"""
SERVICE = f"""\
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations:
    loadbalancer.openstack.org/class: dmz
    loadbalancer.openstack.org/default-tls-container-ref: https://keys.example.org/v1/containers/{CONTAINER}
spec:
  type: LoadBalancer
  selector: {{app: web}}
  ports: [{{name: https, port: 443, targetPort: 8443, nodePort: 30443}}]
---
apiVersion: v1
kind: Node
metadata: {{name: n0}}
spec: {{providerID: "openstack:///{SERVER}"}}
status:
  addresses: [{{type: InternalIP, address: 10.0.0.10}}]
  conditions: [{{type: Ready, status: "True"}}]
"""


def project() -> OpenStack:
    """The project."""
    cloud = OpenStack()
    cloud.catalogue = ["load-balancer", "network", "compute", "key-manager"]
    cloud.token = {"roles": [{"id": "r", "name": "load-balancer_member"}]}
    cloud.put(
        "networks",
        {"id": PUBLIC, "name": "public", "router:external": True, "subnets": [OUTER], "project_id": "admin"},
        {"id": PRIVATE, "name": "nodes", "router:external": False, "subnets": [INNER], "project_id": PROJECT},
    )
    cloud.put(
        "subnets",
        {"id": OUTER, "name": "public-v4", "network_id": PUBLIC, "cidr": "192.0.2.0/24", "tags": []},
        {"id": INNER, "name": "nodes-v4", "network_id": PRIVATE, "cidr": "10.0.0.0/24", "tags": []},
    )
    cloud.put(
        "ports",
        {
            "id": "p1",
            "network_id": PRIVATE,
            "device_owner": "network:router_interface",
            "device_id": ROUTER,
            "fixed_ips": [{"subnet_id": INNER, "ip_address": "10.0.0.1"}],
        },
    )
    cloud.put("routers", {"id": ROUTER, "name": "r", "external_gateway_info": {"network_id": PUBLIC}, "routes": []})
    cloud.put("providers", {"name": "amphora"}, {"name": "ovn"})
    cloud.put("flavors", {"id": FLAVOR, "name": "small", "enabled": True})
    cloud.put("availabilityzones", {"name": "nova-lb", "enabled": True})
    cloud.put("containers", {"id": CONTAINER, "name": "tls", "type": "certificate"})
    cloud.put("servers", {"id": SERVER, "name": "n0"})
    cloud.put("loadbalancers", balancer("kube_service_other_shop_web", "b1"))
    cloud.quotas = {
        "load_balancer": 10,
        "listener": 10,
        "pool": 10,
        "member": 50,
        "health_monitor": -1,
        "port": {"limit": 100, "used": 9, "reserved": 0},
        "floatingip": {"limit": 5, "used": 1, "reserved": 0},
        "security_group": {"limit": 10, "used": 3, "reserved": 0},
    }
    return cloud


def preflight(
    folder: Path,
    cloud: OpenStack,
    *arguments: str,
    conf: str = CONF,
    objects: str = SERVICE,
    clouds: dict[str, Any] | None = None,
) -> Done:
    """Run ``cluster preflight`` with the credential of the cloud.conf, or with a cloud of clouds.yaml."""
    with serving_cloud(cloud):
        (folder / "cloud.conf").write_text(conf.replace("PORT", str(cloud.port)), encoding="utf-8")
        if objects:
            (folder / "objects.yaml").write_text(objects, encoding="utf-8")
        if clouds is None:
            return run(folder, "preflight", *(arguments or ("--yes",)))
        home = folder.parent / "home"
        home.mkdir(exist_ok=True)
        file = clouds_yaml(home, cloud, **clouds)
        return run(folder, "preflight", "--os-cloud", "test", *arguments, OS_CLIENT_CONFIG_FILE=str(file))


def not_passed(done: Done) -> dict[str, str]:
    """What a JSON report says did not pass, or could not be found out: the text and the hint of each."""
    checks: list[Object] = [
        check for one in json.loads(done.out)["deployments"] for check in one["checks"] if check["passed"] is not True
    ]
    return {check["about"]: f"{check['text']} {check['hint']}" for check in checks}
