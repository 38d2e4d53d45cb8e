"""Clients that are to stay at a pod, clients of a second IP family, and the family that the API server gives a Service."""

from __future__ import annotations

from typing import Any

import pytest
from predict_cases import Json, nodes, prediction_of, refused

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers import FindOptions, find
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.cluster import read_cluster
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Request

OVN, VLAN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "lb-provider=vlan\n"
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  ports: [{port: 80}]
"""


def node(name: str, *addresses: str) -> str:
    listed = ", ".join(f"{{type: InternalIP, address: '{one}'}}" for one in addresses)
    return f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\nstatus: {{addresses: [{listed}]}}\n"


KUBEADM = "apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n"
CONTROL = "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: c}\n"
CAPI = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: c}\n"
SERVER = "apiVersion: v1\nkind: Pod\nmetadata: {name: kube-apiserver, namespace: kube-system}\n"


def service_of(*texts: str, **facts: Any) -> Service:
    found = find("all.yaml", "\n---\n".join((SERVICE, *texts)), FindOptions(explicit=True))
    manifests, _ = read_cluster(found.objects, (), ClusterFacts(**facts))
    (only,) = manifests.services
    return only.service


@pytest.mark.parametrize(
    ("texts", "family"),
    [
        ([f"{KUBEADM}networking: {{serviceSubnet: 'fd00::/112,10.96.0.0/12'}}\n"], "IPv6"),
        ([f"{KUBEADM}apiServer: {{extraArgs: {{service-cluster-ip-range: 10.96.0.0/12}}}}\n"], "IPv4"),
        ([f"{KUBEADM}apiServer: {{extraArgs: [{{name: service-cluster-ip-range, value: 'fd00::/112'}}]}}\n"], "IPv6"),
        ([f"{CONTROL}spec: {{kubeadmConfigSpec: {{clusterConfiguration: {{networking: {{serviceSubnet: 'fd00::/112'}}}}}}}}\n"], "IPv6"),
        ([f"{CAPI}spec: {{clusterNetwork: {{services: {{cidrBlocks: ['10.96.0.0/12', 'fd00::/112']}}}}}}\n"], "IPv4"),
        ([f"{SERVER}spec: {{containers: [{{name: a, command: [x, '--service-cluster-ip-range=fd00::/112']}}]}}\n"], "IPv6"),
        ([f"{CAPI}spec: {{clusterNetwork: {{services: {{cidrBlocks: [10.96.0.0/12]}}}}}}\n", node("a", "2001:db8::1")], "IPv4"),
    ],
)  # fmt: skip
def test_the_family_is_that_of_the_first_service_range(texts: list[str], family: str) -> None:
    found = service_of(*texts)
    assert found.families == (family,)
    assert not any("ipFamilies" in text for text in found.assumed)


def test_a_profile_can_name_the_service_ranges() -> None:
    assert service_of(node("a", "10.0.0.1"), service_cidrs=("fd00::/112", "10.96.0.0/12")).families == ("IPv6",)


@pytest.mark.parametrize(
    ("texts", "family"),
    [
        ([node("a", "10.0.0.1"), node("b", "10.0.0.2", "2001:db8::2")], ("IPv4",)),
        ([node("a", "2001:db8::1", "10.0.0.1")], ("IPv6",)),
        ([node("a", "2001:db8::1"), node("b", "10.0.0.2")], ()),
        ([node("a")], ()),
        ([], ()),
        ([f"{KUBEADM}networking: {{serviceSubnet: 'fd00::/112'}}\n", f"{CAPI}spec: {{clusterNetwork: {{services: {{cidrBlocks: [10.0.0.0/8]}}}}}}\n"], ()),
        ([f"{KUBEADM}networking: {{serviceSubnet: '{{{{ x }}}}'}}\n"], ()),
    ],
)  # fmt: skip
def test_without_a_service_range_it_is_assumed_from_the_nodes_and_said_so(texts: list[str], family: tuple[str]) -> None:
    """Where the Nodes tell nothing either, it is not known, and what is taken for it is said."""
    found = service_of(*texts)
    assert found.families == family
    (said,) = [text for text in found.assumed if "ipFamilies" in text]
    if family:
        assert said == f"ipFamilies is {family[0]}, as the Nodes' addresses: no service range is known"
    else:
        assert said.startswith("ipFamilies is assumed to be IPv4: neither")


def test_a_family_that_the_service_names_stays() -> None:
    text = SERVICE + "  ipFamilies: [IPv6]\n"
    found = find("all.yaml", f"{text}---\n{node('a', '10.0.0.1')}", FindOptions(explicit=True))
    (only,) = read_cluster(found.objects, (), ClusterFacts())[0].services
    assert (only.service.families, only.service.assumed[1:]) == (("IPv6",), ())


@pytest.mark.parametrize(
    ("text", "good", "words"),
    [
        ("", False, "each node sends all clients to one pod, so that at most 3 pods are used"),
        (OVN, True, "each client stays at one pod"),
        (VLAN, None, "whether a client stays at one pod is up to the provider"),
    ],
)
def test_client_affinity_needs_the_clients_address(text: str, good: bool | None, words: str) -> None:
    found = prediction_of(text=text, sessionAffinity="ClientIP").answer("affinity")
    assert found is not None
    assert (found.good, found.text) == (good, words)
    assert prediction_of(text=text).answer("affinity") is None


@pytest.mark.parametrize(
    ("spec", "release", "good"),
    [
        ({"ipFamilyPolicy": "RequireDualStack", "ipFamilies": ["IPv6", "IPv4"]}, "1.36", False),
        ({"ipFamilyPolicy": "PreferDualStack", "ipFamilies": ["IPv6", "IPv4"]}, "1.36", None),
    ],
)
def test_only_the_first_family_gets_a_load_balancer(spec: Json, release: str, good: bool | None) -> None:
    found = prediction_of(release=release, **spec).answer("families")
    assert found is not None
    assert (found.good, found.text) == (good, "only IPv6 gets a load balancer")
    assert prediction_of(release="1.24", **spec).answer("families") is None
    assert prediction_of(ipFamilies=["IPv4"], ipFamilyPolicy="SingleStack").answer("families") is None


def test_octavia_knows_fields_from_their_release_on() -> None:
    old = CloudState(nodes=nodes(3), facts=ClusterFacts(octavia_release="queens"))
    found = prediction_of(release="v1.19.0", cloud=old)
    assert found.refusals[0].field == "listener.timeout_client_data"
    assert "before Rocky" in found.refusals[0].why
    assert prediction_of(release="v1.19.1", cloud=old).refusals == ()
    listener = Request(
        "POST", "/v2.0/lbaas/listeners", {"listener": {"protocol": "TCP", "protocol_port": 80, "allowed_cidrs": []}}
    )
    assert refused(listener, cloud=CloudState(facts=ClusterFacts(octavia_release="stein"))) == [
        "400 listener.allowed_cidrs: Octavia has no allowed_cidrs before Train"
    ]
    assert refused(listener, cloud=CloudState(facts=ClusterFacts(octavia_release="train"))) == []
    assert refused(listener) == []
