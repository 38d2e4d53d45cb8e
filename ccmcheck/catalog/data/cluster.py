"""What Kubernetes, Cluster API and OpenShift ask of the objects around a cloud.conf.

Sources stand at each table; "CPO" is kubernetes/cloud-provider-openstack, "CAPO" is
kubernetes-sigs/cluster-api-provider-openstack, "CAPI" is kubernetes-sigs/cluster-api.
"""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import read_paragraphs, read_table, records
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.deployments import CCM

PROGRAM = CCM
"""The CCM's program, which is the name of its field manager, too."""

NODE_PORTS = (30000, 32767)
"""The first and the last NodePort by default (Kubernetes, kube-apiserver --service-node-port-range)."""

PROVIDER_NAME = "openstack"
"""What --cloud-provider has to say to the CCM (CPO pkg/openstack/openstack.go, ProviderName)."""

KUBELET_PROVIDER = "external"
"""What --cloud-provider says to kubelet where a CCM runs (kubernetes.io "Cloud Controller Manager Administration"); a
common mistake in the CCM's own flags."""

DEFAULT_CLUSTER_NAME = "kubernetes"
"""What --cluster-name is without being given (k8s.io/cloud-provider options), and in CPO's manifests and chart."""

UNINITIALIZED = ("node.cloudprovider.kubernetes.io/uninitialized", "true")
"""The taint, with its value, that kubelet --cloud-provider=external puts on a node until the CCM has looked at it
(kubernetes/cloud-provider api/well_known_taints.go; kubelet_node_status.go)."""

ROLES = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
"""Labels of control plane nodes, and the keys of their taints (kubeadm constants)."""

PLANE_ROLES = (*ROLES, "node-role.kubernetes.io/controlplane")
"""Labels of control plane nodes; the last is Rancher's (rancher/rke cluster/hosts.go), which keeps no Node out of anything."""

NODE_ROLES = read_table(__file__, "node_roles.tsv")
"""How the objects that make a control plane label its nodes: kind, program, label, value, and the minors of Kubernetes."""

K3S_ROLE = "true"
"""What k3s and RKE2 label their servers with under `ROLES`, where kubeadm has nothing (k3s-io/k3s pkg/server/server.go
setNodeLabels; rancher/rke2#6384; kubernetes/cloud-provider-openstack#3091)."""

CONTROL_PLANE_TAINT_ALONE = "1.25"
"""Since when kubeadm no longer taints with the second of `ROLES` (kubernetes/enhancements 2067)."""

MOST_SKEW = 1
"""How many minor releases the CCM and Kubernetes may differ: CPO makes one release for each Kubernetes minor, and
Kubernetes' version skew policy lets a cloud-controller-manager be one minor older than the API server."""

REGISTRY = "registry.k8s.io/provider-os"
OLD_REGISTRIES = ("docker.io/k8scloudprovider/", "index.docker.io/k8scloudprovider/", "k8scloudprovider/")
REGISTRY_SINCE = "March 2023"
"""Where CPO's images are, where they were, and since when (CPO 0836917af, #2169)."""

LAST_IN_OLD_REGISTRY = "v1.26.2"
"""The last release whose image is in `OLD_REGISTRIES`; whatever ``latest`` is there, it is none of a later one.

Source: CPO#2169, merged on 2023-03-20, takes the images of master and the branches 1.24 to 1.26 from `REGISTRY`, which "does
not support latest tags"; the newest tag on that day was v1.26.2. kubermatic/kubermatic#12228: 1.27 "will not be published on
docker.io anymore".
"""

FIRST_IN_REGISTRY = "v1.24.6"
"""The first release whose image is in `REGISTRY`.

Source: kubernetes/k8s.io registry.k8s.io/images/k8s-staging-provider-os/images.yaml
"""

NOT_PUBLISHED: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {
    (f"{REGISTRY}/",): (("", FIRST_IN_REGISTRY), ("v1.25.0", "v1.25.5"), ("v1.26.0", "v1.26.2")),
    OLD_REGISTRIES: (("v1.21.1", "v1.22.0"), ("v1.26.3", "")),
}
"""Where images of cloud-provider-openstack are, and the releases that are not there: the first, and the first that is again.

Source: kubernetes/k8s.io registry.k8s.io/images/k8s-staging-provider-os/images.yaml at 03e61e409; CPO#2169; kubermatic/kubermatic#7576
(of v1.21.1 there is the source alone, whose manifests name v1.21.0)
"""
STILL_TAGGED = 3
"""Minor releases that get new tags beside the newest (cloud-provider-openstack's tags by their dates, 2024 to 2026)."""

RESOURCE_SET_TYPE = "addons.cluster.x-k8s.io/resource-set"
"""The only type of Secret that a ClusterResourceSet takes (CAPI api/addons, ClusterResourceSetSecretType)."""

APPLY_ONCE = "ApplyOnce"
RECONCILE = "Reconcile"
"""The strategies of a ClusterResourceSet; the first is the default, and the field is immutable (CAPI api/addons)."""
ONLY_APPLY_ONCE = ("/v1alpha3", "/v1alpha4")
"""How the apiVersions end that have the first alone; v1beta1 has the second since Cluster API 1.4."""

TYPED_SECRETS: dict[str, str] = dict(read_table(__file__, "typed_secrets.tsv"))
"""Types of Secrets that the API server holds to a content, with what it asks for (Kubernetes, core/validation)."""

OPENSHIFT_GLOBAL: dict[str, str] = {
    "secret-name": "openstack-credentials",
    "secret-namespace": "kube-system",
    "kubeconfig-path": "",
}
"""The values that OpenShift's operator wants in [Global], where there is one, and takes out: openshift/
cluster-cloud-controller-manager-operator pkg/cloud/openstack/openstack.go, CloudConfigTransformer. With any other
value, or a missing one of the first two, it refuses the file."""

OPENSHIFT_DELETES = frozenset({("LoadBalancer", "use-octavia")})
"""Keys that the same operator deletes."""
OPENSHIFT_HOLDS, OPENSHIFT_HAS_DELETED = 24, 27
"""The minor versions of Kubernetes in the first OpenShift with that operator, 4.11, and in the first that deletes keys, 4.14."""

IN_TREE_ANNOTATIONS = ("loadbalancer.openstack.org/floating-network-id", "loadbalancer.openstack.org/subnet-id")
"""Those of the CCM's domain that the in-tree provider reads, too (k8s.io/legacy-cloud-providers
openstack/openstack_loadbalancer.go, ServiceAnnotation...)."""

KEEPS_NODES_WITHOUT_ID_SINCE = "1.32"
"""Since when the CCM takes a Node without ID whose server is gone for an error: pkg/openstack/instances.go getInstance returns
what getServerByName does (kubernetes/cloud-provider-openstack#2999, #3114)."""

CAPO_SHUT_SINCE = "0.11"
"""Since when CAPO's managed groups open the NodePorts to the cluster's own subnets only (CAPO #2128, ea7bf33cc)."""

SCS_KEYS = ("lb-provider", "lb-method", "create-monitor")
SCS_OVN = {"lb-provider": "ovn", "lb-method": "SOURCE_IP_PORT", "create-monitor": "true"}
"""What the scripts of SovereignCloudStack/k8s-cluster-api-provider look for with `grep '^key=value'`, and what they
write for OVN (terraform/files/bin/handle_ovn_lb.sh, apply_nginx_ingress.sh; v7.0.0)."""

KUBEADM_PATHS = {
    "KubeadmControlPlane": ("spec", "kubeadmConfigSpec"),
    "KubeadmControlPlaneTemplate": ("spec", "template", "spec", "kubeadmConfigSpec"),
    "KubeadmConfig": ("spec",),
    "KubeadmConfigTemplate": ("spec", "template", "spec"),
}
"""Where the kubeadm configuration is in objects of Cluster API."""


class Manager(NamedTuple):
    """A program that writes objects by itself.

    Attributes:
        names: Its names as a field manager, with ``*``.
        where: Where to correct what it writes.
        source: Where the name is from.
    """

    names: tuple[str, ...]
    where: str
    source: str


class OwnerMark(NamedTuple):
    """A label or annotation by which a program knows the objects that are its own.

    Attributes:
        name: Its name.
        value: The only value; any where empty.
        program: The program.
        source: Where it is from.
    """

    name: str
    value: str
    program: str
    source: str


@cache
def managers() -> tuple[Manager, ...]:
    """Programs that write what they hold again, whatever is in the cluster."""
    return records(read_paragraphs(__file__, "field_managers.txt"), Manager)


@cache
def owner_marks() -> tuple[OwnerMark, ...]:
    """The marks of all programs."""
    return tuple(OwnerMark(*row) for row in read_table(__file__, "owner_marks.tsv"))


@cache
def statuses() -> dict[str, tuple[str, str]]:
    """What an HTTP status means, by its number: of a Kubernetes API server, and of a service of OpenStack."""
    return {
        number: (of_cluster, of_cloud) for number, of_cluster, of_cloud in read_table(__file__, "http_statuses.tsv")
    }
