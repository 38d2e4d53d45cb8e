"""The objects of many clusters and of their management cluster, as API servers send them."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Any, NamedTuple

Object = dict[str, Any]

PASSWORD = "hunter2-is-the-secret"
TOKEN = "t0ken-of-cluster-"
"""Canaries."""
MANAGEMENT_UID = "00000000-0000-4000-8000-00000000aaaa"
FAULTS = {96: "forbidden", 97: "reset", 98: "unauthorized", 99: "hang"}
"""What is wrong with the clusters of each hundred."""
PER_CENT = len(FAULTS)

CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
user-domain-name = Default
tenant-id = {tenant:032x}
password = {password}

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
monitor-delay = {delay}
"""


class Layout(NamedTuple):
    """What each cluster holds."""

    clusters: int
    services: int = 200
    nodes: int = 50


def is_from_resource_set(number: int) -> bool:
    """Whether the ClusterResourceSet makes a cluster's Secret, with the delay that has no unit."""
    return number % 3 == 0


def conf(number: int) -> str:
    """The cloud.conf of a cluster; those of clusters 7 and 8 name one project."""
    return CONF.format(
        tenant=0xAB if number in (7, 8) else number,
        password=PASSWORD,
        delay="3" if is_from_resource_set(number) else "5s",
    )


def b64(text: str) -> str:
    """Base64."""
    return base64.b64encode(text.encode()).decode()


def secret(number: int) -> Object:
    """The CCM's Secret."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "cloud-config", "namespace": "kube-system", "uid": f"s{number}"},
        "type": "Opaque",
        "data": {"cloud.conf": b64(conf(number))},
    }


def daemonsets(number: int) -> Object:
    """The CCM; clusters 7 and 8 have no name of their own."""
    name = [] if number in (7, 8) else [f"--cluster-name=prod-{number}"]
    container = {
        "name": "ccm",
        "image": f"registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.{29 + number % 4}.0",
        "args": ["/bin/openstack-cloud-controller-manager", "--cloud-config=/etc/config/cloud.conf", *name],
        "volumeMounts": [{"name": "config", "mountPath": "/etc/config"}],
    }
    item = {
        "metadata": {"name": "openstack-cloud-controller-manager", "namespace": "kube-system"},
        "spec": {
            "selector": {"matchLabels": {"app": "ccm"}},
            "template": {
                "metadata": {"labels": {"app": "ccm"}},
                "spec": {
                    "tolerations": [{"operator": "Exists"}],
                    "containers": [container],
                    "volumes": [{"name": "config", "secret": {"secretName": "cloud-config"}}],
                },
            },
        },
    }
    return listed("DaemonSet", [item], "apps/v1")


def listed(kind: str, items: list[Object], version: str = "v1") -> Object:
    """A list as an API server sends it."""
    return {"apiVersion": version, "kind": f"{kind}List", "metadata": {"resourceVersion": "7"}, "items": items}


def balancer(number: int, service: int) -> str:
    """The ID of a load balancer; the first of cluster 20 is that of cluster 10."""
    return f"{10 if number == 20 and not service else number:08x}-{service:04x}-4000-8000-000000000000"


def address(number: int, service: int) -> str:
    """A public address; the first of cluster 40 is that of cluster 30."""
    return f"{network(30 if number == 40 and not service else number)}.{service}"


def network(number: int) -> str:
    """The first part of a cluster's addresses."""
    return f"{45 + (number >> 14)}.{(number >> 6) & 255}.{(number & 63) << 2}"


def service(number: int, index: int) -> Object:
    """Each fifth is of type LoadBalancer; the second of those of each tenth cluster has no address."""
    has_address = not (index == ODD[1] and number % 10 == 0)
    return _service(
        str(number), index, (f"{number:08x}", balancer(number, index), address(number, index)), has_address=has_address
    )


ODD = (0, 5)
"""The Services that are not the same in all clusters."""


def services(number: int, count: int) -> bytes:
    """The list of a cluster's Services.

    Most of it is the same in all clusters and is rendered once: a server in Python would else be measured more than we
    are.
    """
    odd = [json.dumps(service(number, index)) for index in ODD if index < count]
    common = _common(count) % {"name": number, "uid": f"{number:08x}", "network": network(number)}
    items = ",".join(filter(None, (*odd, common)))
    head = '{"apiVersion": "v1", "kind": "ServiceList", "metadata": {"resourceVersion": "7"}, "items": ['
    return f"{head}{items}]}}".encode()


@cache
def _common(count: int) -> str:
    """The Services that are the same in all clusters, but for names and numbers."""
    return ",".join(
        json.dumps(
            _service(
                "%(name)s",
                index,
                ("%(uid)s", f"%(uid)s-{index:04x}-4000-8000-000000000000", f"%(network)s.{index}"),
                has_address=True,
            )
        )
        for index in range(count)
        if index not in ODD
    )


def _service(name_of_cluster: str, index: int, given: tuple[str, str, str], *, has_address: bool) -> Object:
    uid, balancer_id, ip = given
    name = f"web-{name_of_cluster}-{index}"
    is_balancer = index % 5 == 0
    spec: Object = {
        "type": "LoadBalancer" if is_balancer else "ClusterIP",
        "clusterIP": f"10.96.{index >> 8}.{index & 255}",
        "clusterIPs": [f"10.96.{index >> 8}.{index & 255}"],
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "internalTrafficPolicy": "Cluster",
        "selector": {"app": name},
        "sessionAffinity": "None",
        "ports": [{"name": "http", "port": 80 + index % 3, "targetPort": 8080, "protocol": "TCP"}],
    }
    metadata: Object = {
        "name": name,
        "namespace": f"team-{index % 7}",
        "uid": f"{uid}-{index:04x}-4000-9000-000000000000",
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "labels": {"app.kubernetes.io/name": name, "app.kubernetes.io/instance": name},
        "annotations": {"example.org/notes": "x" * 150},
        "managedFields": [manager("helm", {"f:spec": {"f:ports": {}, "f:selector": {}, "f:type": {}}})],
    }
    status: Object = {"loadBalancer": {}}
    if is_balancer:
        spec |= {"allocateLoadBalancerNodePorts": True, "externalTrafficPolicy": "Cluster"}
        spec["ports"][0]["nodePort"] = 30000 + index
        if index % 50 == 10:
            spec |= {"externalTrafficPolicy": "Local", "healthCheckNodePort": 31000 + index}
        if has_address:
            metadata["annotations"]["loadbalancer.openstack.org/load-balancer-id"] = balancer_id
            owned: Object = {"f:metadata": {"f:annotations": {"f:loadbalancer.openstack.org/load-balancer-id": {}}}}
            metadata["managedFields"].append(manager("openstack-cloud-controller-manager", owned))
            status = {"loadBalancer": {"ingress": [{"ip": ip, "ipMode": "VIP"}]}}
    return {"metadata": metadata, "spec": spec, "status": status}


def manager(name: str, fields: Object) -> Object:
    """An entry of managedFields."""
    return {
        "manager": name,
        "operation": "Update",
        "apiVersion": "v1",
        "time": "2026-01-02T03:04:05Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    }


def node(index: int) -> Object:
    """A node, with as much as a real one says of itself."""
    return {
        "metadata": {"name": f"node-{index}", "labels": {f"label-{number}": "value" for number in range(10)}},
        "spec": {"podCIDR": f"10.244.{index}.0/24", "providerID": f"openstack:///{index:032x}"},
        "status": {
            "addresses": [{"type": "InternalIP", "address": f"10.0.0.{index}"}],
            "images": [
                {"names": [f"registry.example.org/image-{number}:v1"], "sizeBytes": 123456789} for number in range(10)
            ],
        },
    }


def resource_set() -> Object:
    """The ClusterResourceSet that makes the Secret of each third cluster."""
    return {
        "metadata": {"name": "ccm", "namespace": "clusters"},
        "spec": {
            "strategy": "ApplyOnce",
            "clusterSelector": {"matchLabels": {"ccm": "managed"}},
            "resources": [{"kind": "Secret", "name": "ccm-config"}],
        },
    }


def resource_secret() -> Object:
    """What it applies."""
    inner = json.dumps(secret(0))
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "ccm-config", "namespace": "clusters"},
        "type": "addons.cluster.x-k8s.io/resource-set",
        "data": {"cloud-config.yaml": b64(inner)},
    }


def status(code: int) -> bytes:
    """An error as Kubernetes answers it."""
    return json.dumps(
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": PASSWORD}
    ).encode()
