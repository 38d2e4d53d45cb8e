"""Everything that is asked of an API server, as data: the paths of the requests and the roles are made of it."""

from __future__ import annotations

from urllib.parse import quote

from ccmcheck.cluster.core import NamedTuple, openreports

GET, LIST, PATCH, CREATE = "get", "list", "patch", "create"

JSON, MERGE_PATCH = "application/json", "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
"""Server-side apply; JSON is YAML."""

CORE, APPS, DISCOVERY, AUTHENTICATION = "", "apps", "discovery.k8s.io", "authentication.k8s.io"
COORDINATION, RBAC = "coordination.k8s.io", "rbac.authorization.k8s.io"
CAPI = "infrastructure.cluster.x-k8s.io"
OPENSTACK_CLUSTERS = "openstackclusters"

CLUSTER_API, ADDONS, CONTROL_PLANE = "cluster.x-k8s.io", "addons.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"
CLUSTER_API_PATH = f"/apis/{CLUSTER_API}"
KUBECONFIG_KEY = "value"
DOCUMENTS = (
    (ADDONS, "clusterresourcesets", "ClusterResourceSet"),
    (ADDONS, "helmchartproxies", "HelmChartProxy"),
    (CONTROL_PLANE, "kubeadmcontrolplanes", "KubeadmControlPlane"),
)
"""The objects of the management side that may carry a cloud.conf, or say where one goes: group, resource, kind."""

CCM_NAMESPACES = ("kube-system", "openshift-cloud-controller-manager")
"""Where the CCM is looked for: the upstream manifests' namespace, then OpenShift's."""
IDENTITY_NAMESPACE = "kube-system"
"""Its UID is the identity of a cluster: names of contexts and servers change, and kubeadm gives all the same."""
VERSION_PATH = "/version"
OPENSHIFT = "/apis/security.openshift.io"
"""Where it is served, each namespace has users of its own, and pods may run as no others."""


class RequestKind(NamedTuple):
    """One kind of request.

    Attributes:
        group: The API group; empty for the core.
        version: Its version.
        resource: ``secrets``; with a part of it, ``pods/log``.
        verb: ``get`` for one object, ``list`` for all of a namespace or of the cluster; ``patch`` and ``create``.
        namespace: The namespace; empty for objects without one, and for all namespaces.
        name: The object's name; empty for a list.
    """

    group: str
    version: str
    resource: str
    verb: str
    namespace: str = ""
    name: str = ""

    @property
    def path(self) -> str:
        """The path of its URL."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        place = f"/namespaces/{quote(self.namespace, safe='')}" if self.namespace else ""
        resource, slash, part = self.resource.partition("/")
        return f"{root}{place}/{resource}" + (f"/{quote(self.name, safe='')}" if self.name else "") + slash + part

    @property
    def title(self) -> str:
        """What it asks for, for people: ``Secret kube-system/cloud-config``, ``Services of all namespaces``."""
        kind = TITLES[self.resource]
        if self.verb == GET:
            return f"{kind.removesuffix('s')} {f'{self.namespace}/' if self.namespace else ''}{self.name}"
        if self.resource in _CLUSTER_WIDE:
            return kind
        return f"{kind} of {f'namespace {self.namespace}' if self.namespace else 'all namespaces'}"


TITLES = {
    "namespaces": "Namespaces", "daemonsets": "DaemonSets", "deployments": "Deployments",
    "statefulsets": "StatefulSets", "leases": "Leases", "clusterroles": "ClusterRoles",
    "clusterrolebindings": "ClusterRoleBindings", "pods": "Pods", "secrets": "Secrets",
    "configmaps": "ConfigMaps", "services": "Services", "nodes": "Nodes", "endpointslices": "EndpointSlices",
    "events": "Events", "pods/log": "Logs", OPENSTACK_CLUSTERS: "OpenStackClusters", "clusters": "Clusters",
    "clusterresourcesets": "ClusterResourceSets", "kubeadmcontrolplanes": "KubeadmControlPlanes",
    "helmchartproxies": "HelmChartProxies", openreports.PLURAL: "Reports",
}  # fmt: skip
_CLUSTER_WIDE = ("nodes", "namespaces", "clusterroles", "clusterrolebindings")

IDENTITY = RequestKind(CORE, "v1", "namespaces", GET, name=IDENTITY_NAMESPACE)
SERVICES = RequestKind(CORE, "v1", "services", LIST)
NODES = RequestKind(CORE, "v1", "nodes", LIST)
ENDPOINT_SLICES = RequestKind(DISCOVERY, "v1", "endpointslices", LIST)
EVENTS = RequestKind(CORE, "v1", "events", LIST)
LOGS = RequestKind(CORE, "v1", "pods/log", GET)
CLUSTER_ROLE_BINDINGS = RequestKind(RBAC, "v1", "clusterrolebindings", LIST)
CLUSTER_ROLES = RequestKind(RBAC, "v1", "clusterroles", GET)
REPORTS = RequestKind(openreports.API_GROUP, openreports.API_VERSION, openreports.PLURAL, LIST)
LEASE = RequestKind(COORDINATION, "v1", "leases", GET, IDENTITY_NAMESPACE, "cloud-controller-manager")
"""That of the CCM's leader, unless its flags name another one."""
SELF = RequestKind(AUTHENTICATION, "v1", "selfsubjectreviews", CREATE)
"""Who asks; Kubernetes allows it to everybody who is authenticated."""
CONFIG_RESOURCES = {"Secret": "secrets", "ConfigMap": "configmaps"}


def workloads(namespace: str) -> tuple[RequestKind, ...]:
    """What may run the CCM in a namespace."""
    return (*controllers(namespace)[:2], RequestKind(CORE, "v1", "pods", LIST, namespace))


def controllers(namespace: str = "") -> tuple[RequestKind, ...]:
    """The workloads that make pods in a namespace; in all of them for an empty one."""
    return tuple(
        RequestKind(APPS, "v1", resource, LIST, namespace) for resource in ("daemonsets", "deployments", "statefulsets")
    )


def config(kind: str, namespace: str, name: str) -> RequestKind:
    """The Secret or ConfigMap of the cloud.conf, by its name."""
    return RequestKind(CORE, "v1", CONFIG_RESOURCES[kind], GET, namespace, name)


def openstack_clusters(version: str) -> RequestKind:
    """Cluster API's OpenStackClusters, in the version that the API server prefers."""
    return RequestKind(CAPI, version, OPENSTACK_CLUSTERS, LIST)


def report(namespace: str) -> RequestKind:
    """Our Report of openreports.io in a namespace."""
    return REPORTS._replace(verb=GET, namespace=namespace, name=openreports.NAME)


def clusters(version: str, namespace: str) -> RequestKind:
    """The Clusters of a namespace; of all for an empty one."""
    return RequestKind(CLUSTER_API, version, "clusters", LIST, namespace)


def kubeconfig(namespace: str, cluster: str) -> RequestKind:
    """The Secret with the kubeconfig of a Cluster."""
    return RequestKind(CORE, "v1", "secrets", GET, namespace, f"{cluster}-kubeconfig")


def documents(group: str, version: str, resource: str, namespace: str) -> RequestKind:
    """The objects of one kind of `DOCUMENTS`.

    Args:
        group: Its API group.
        version: A version that is served.
        resource: Its resource.
        namespace: Their namespace; empty for all.
    """
    return RequestKind(group, version, resource, LIST, namespace)
