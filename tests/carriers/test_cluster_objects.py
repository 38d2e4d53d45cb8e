"""What Cluster API's objects, and the Sovereign Cloud Stack's settings, tell other files' rules."""

from __future__ import annotations

import pytest

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers import CcmPod, RunContext, find, needed_by_other_files, worth_parsing
from ccmcheck.carriers.base import EMPTY_RUN, CapiCluster, ResourceSet, ScsSwitches
from ccmcheck.carriers.prefilter import may_make_control_plane

CLUSTER = """\
apiVersion: infrastructure.cluster.x-k8s.io/{version}
kind: OpenStackCluster
metadata:
  name: {name}
  namespace: clusters
spec:
  externalNetwork: {{id: x}}
{groups}
"""
RULE = """\
    - direction: ingress
      portRangeMin: {low}
      portRangeMax: {high}
      protocol: tcp
      {remote}
"""


def groups(kind: str, low: int = 30000, high: int = 32767, remote: str = "remoteIPPrefix: 0.0.0.0/0") -> str:
    return f"  managedSecurityGroups:\n    {kind}:\n" + RULE.format(low=low, high=high, remote=remote)


def survey(text: str, path: str = "cluster.yaml") -> RunContext:
    assert worth_parsing(text.encode(), path)
    assert needed_by_other_files(text.encode())
    return find(path, text).run_context


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("  managedSecurityGroups: {}", False),
        ("  managedSecurityGroups:\n    allowAllInClusterTraffic: true", False),
        (groups("workerNodesSecurityGroupRules"), True),
        (groups("allNodesSecurityGroupRules"), True),
        (groups("clusterNodesSecurityGroupRules", 1, 65535), True),
        (groups("clusterNodesSecurityGroupRules", 179, 179), False),
        (groups("controlPlaneNodesSecurityGroupRules"), False),
        (groups("workerNodesSecurityGroupRules", remote="remoteManagedGroups: [worker]"), False),
        (groups("workerNodesSecurityGroupRules").replace("ingress", "egress"), False),
        ("  managedSecurityGroups: true", None),
        ("  managedSecurityGroups: null", None),
        ("", None),
        ("  managedSecurityGroups:\n    allowAllInClusterTraffic: ${ALL}", None),
    ],
)
def test_node_ports(text: str, opened: bool | None) -> None:
    (cluster,) = survey(CLUSTER.format(version="v1beta1", name="prod", groups=text)).clusters
    assert cluster == CapiCluster("cluster.yaml", "OpenStackCluster clusters/prod", "prod", opened)


def test_a_template_has_no_cluster_name() -> None:
    text = """\
kind: OpenStackClusterTemplate
metadata: {name: prod}
spec: {template: {spec: {managedSecurityGroups: {}}}}
"""
    assert survey(text).clusters == (CapiCluster("cluster.yaml", "OpenStackClusterTemplate prod", "", False),)


def test_a_name_with_a_template_mark_is_unknown() -> None:
    (cluster,) = survey(CLUSTER.format(version="v1beta1", name="${CLUSTER_NAME}", groups="")).clusters
    assert (cluster.name, cluster.subject) == ("", "OpenStackCluster clusters/${CLUSTER_NAME}")


def test_a_reference_is_not_a_cluster() -> None:
    text = "kind: Cluster\nspec: {infrastructureRef: {apiVersion: v1, kind: OpenStackCluster, name: prod}}\n"
    assert find("cluster.yaml", text).run_context is EMPTY_RUN


def test_a_resource_set() -> None:
    text = """\
kind: ClusterResourceSet
metadata: {name: ccm, namespace: clusters}
spec:
  resources:
  - {kind: Secret, name: "${CLUSTER_NAME}-conf"}
  - {kind: ConfigMap, name: ccm}
  - {kind: Secret, name: other}
"""
    assert survey(text).resource_sets == (
        ResourceSet("cluster.yaml", "ClusterResourceSet clusters/ccm", "clusters", ("${CLUSTER_NAME}-conf", "other")),
    )


@pytest.mark.parametrize(
    ("text", "switches"),
    [
        ("USE_OVN_LB_PROVIDER: auto\nNGINX_INGRESS_PROXY: true\n", ("auto", "true")),
        ("USE_OVN_LB_PROVIDER: ${use_ovn}\n", ("", "")),
    ],
)
def test_scs_settings(text: str, switches: tuple[str, str]) -> None:
    assert survey(text, "clusterctl.yaml").switches == (ScsSwitches("clusterctl.yaml", *switches),)


def test_definitions_are_not_worth_parsing() -> None:
    text = "kind: CustomResourceDefinition\nspec: {names: {kind: OpenStackCluster}}\n"
    assert not worth_parsing(text.encode())
    assert not needed_by_other_files(text.encode())


def test_what_a_bundle_knows() -> None:
    pods = (CcmPod("a", "Pod a"), CcmPod("b", "Pod b"))
    first = RunContext(facts=ClusterFacts(nodes=3), pods=pods[:1]).joined(
        [RunContext(pods=pods[1:], clusters=(CapiCluster("b", "x"),)), EMPTY_RUN]
    )
    assert (first.pods, first.facts.nodes, len(first.clusters)) == (pods, 3, 1)
    assert first.without("b") == RunContext(facts=ClusterFacts(nodes=3), pods=pods[:1])


KUBEADM_ROLES = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")


@pytest.mark.parametrize(
    ("kind", "version", "labels"),
    [
        ("KubeadmControlPlane", "v1.19.16", {KUBEADM_ROLES[1]: ""}),
        ("KubeadmControlPlane", "v1.20.0", dict.fromkeys(KUBEADM_ROLES, "")),
        ("KubeadmControlPlane", "v1.23.17", dict.fromkeys(KUBEADM_ROLES, "")),
        ("KubeadmControlPlane", "v1.24.0", {KUBEADM_ROLES[0]: ""}),
        ("KubeadmControlPlane", "${KUBERNETES_VERSION}", dict.fromkeys(KUBEADM_ROLES, "")),
        ("RKE2ControlPlane", "v1.31.4+rke2r1", dict.fromkeys(KUBEADM_ROLES, "true")),
        ("K0sControlPlane", "v1.31.5+k0s.0", {KUBEADM_ROLES[0]: "true"}),
    ],
)
def test_a_control_plane_tells_the_labels_of_its_nodes(kind: str, version: str, labels: dict[str, str]) -> None:
    text = f"kind: {kind}\nspec: {{version: {version!r}}}\n"
    assert worth_parsing(text.encode())
    assert may_make_control_plane(text.encode())
    (nodes,) = find("plane.yaml", text).run_context.node_labels
    assert dict(nodes.labels) == labels


def test_no_other_file_needs_a_reference_to_a_machine() -> None:
    text = "kind: KubeadmConfigTemplate\nspec: {ref: {kind: OpenStackMachineTemplate}}\n"
    assert worth_parsing(text.encode())
    assert not needed_by_other_files(text.encode())
    assert find("plane.yaml", text).run_context is EMPTY_RUN


def test_machines_are_worth_parsing() -> None:
    assert worth_parsing(b"kind: OpenStackMachineTemplate\n")
