"""Fields of Kubernetes, Cluster API and Flux objects: which hold values that everybody may see, and where.

A Secret, the values of a chart and the variables of a ClusterClass have keys that people choose. A field with a name as
general as ``key`` or ``values`` is therefore one of Kubernetes' only in the place where Kubernetes has it.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

_ANYWHERE = frozenset([
    "apiVersion", "kind", "name", "generateName", "namespace", "uid", "type", "immutable", "image",
    "imagePullPolicy", "imageRepository", "pullPolicy", "tag", "registry", "apiGroup", "serviceDomain", "dnsDomain",
    "podSubnets", "serviceSubnets", "mountPath", "subPath", "readOnly", "mode", "defaultMode", "optional",
    "secretName", "secretNamespace", "port", "targetPort", "nodePort", "containerPort", "hostPort", "protocol",
    "appProtocol", "operator", "effect", "tolerationSeconds", "topologyKey", "hostNetwork", "hostPID", "dnsPolicy",
    "priorityClassName", "serviceAccountName", "serviceAccount", "restartPolicy", "maxSurge", "maxUnavailable",
    "replicas", "externalTrafficPolicy", "internalTrafficPolicy", "allocateLoadBalancerNodePorts",
    "loadBalancerClass", "loadBalancerIP", "loadBalancerSourceRanges", "healthCheckNodePort", "sessionAffinity",
    "timeoutSeconds", "ipFamilies", "ipFamilyPolicy", "clusterIP", "clusterIPs", "externalIPs", "externalName",
    "publishNotReadyAddresses", "addresses", "address", "providerID", "hostname", "ip", "ipMode", "cpu", "memory",
    "runAsUser", "runAsNonRoot", "fsGroup", "privileged", "allowPrivilegeEscalation", "permissions", "encoding",
    "clusterName", "dataDir", "version", "cloud-provider", "cloud-config", "cloudName", "externalNetwork",
    "network", "disableAPIServerFloatingIP", "enabled", "provider", "delay", "timeout", "maxRetries",
    "maxRetriesDown", "allowedCIDRs", "allowedCidrs", "flavor", "availabilityZone", "allowAllInClusterTraffic",
    "class", "op", "value-type", "chart", "repo", "repository", "repoURL", "targetRevision", "releaseName",
    "interval", "chartName", "values-file", "namePrefix", "controlPlaneEndpoint",
    "nameSuffix", "bases", "components", "configurations", "finalizers", "runtimeClassName", "schedulerName",
    "nodeName", "whenUnsatisfiable", "nodeTaintsPolicy", "nodeAffinityPolicy", "matchLabelKeys", "mismatchLabelKeys",
    "preemptionPolicy", "fsGroupChangePolicy", "supplementalGroups", "workingDir", "terminationMessagePath",
    "terminationMessagePolicy", "fieldPath", "fieldpath", "fieldPaths", "containerName", "divisor", "subPathExpr",
    "mountPropagation", "procMount", "claimName", "storageClassName", "sizeLimit", "fsType", "trafficDistribution",
    "lastTransitionTime", "apiGroups", "verbs", "resourceNames", "nonResourceURLs", "policyTypes", "minAvailable",
    "unhealthyPodEvictionPolicy", "namespaces", "classNamespace", "failureDomain", "sshKeyName", "targetNamespace",
    "valuesKey", "targetPath", "valuesFile", "newName", "newTag", "labelSelector", "annotationSelector",
    "buildMetadata", "syncOptions",
])  # fmt: skip
"""Fields whose values name or count something wherever they stand."""

_MAPPINGS = frozenset([
    "metadata", "labels", "annotations", "spec", "status", "ownerReferences", "containers", "initContainers",
    "volumes", "volumeMounts", "items", "configMap", "secret", "secretRef", "configMapRef", "configMapKeyRef",
    "secretKeyRef", "projected", "sources", "ports", "selector", "matchLabels", "matchExpressions", "tolerations",
    "nodeSelector", "affinity", "nodeAffinity", "podAffinity", "podAntiAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", "updateStrategy",
    "rollingUpdate", "sessionAffinityConfig", "clientIP", "loadBalancer", "ingress", "taints", "requests", "limits",
    "securityContext", "files", "contentFrom", "clusterSelector", "machineTemplate", "infrastructureRef",
    "kubeadmConfigSpec", "clusterConfiguration", "initConfiguration", "joinConfiguration", "nodeRegistration",
    "kubeletExtraArgs", "extraArgs", "extraVolumes", "apiServer", "controllerManager", "scheduler", "etcd", "local",
    "managedSecurityGroups", "managedSubnets", "identityRef", "networks", "subnets", "router",
    "apiServerLoadBalancer", "monitor", "bastion", "topology", "patches", "definitions",
    "selectorMatch", "jsonPatches", "helm", "sourceRef", "hostPath", "topologySpreadConstraints", "podSelector",
    "preferredDuringSchedulingIgnoredDuringExecution", "podAffinityTerm", "namespaceSelector", "capabilities",
])  # fmt: skip
"""Fields that hold mappings; each key below them counts for itself, and a text in their place is not Kubernetes'."""

_FILES = frozenset({"files", "write_files"})
_PATCHES = frozenset({"jsonPatches", "patches", "patch"})
GENERATORS = frozenset({"configMapGenerator", "secretGenerator"})
_TAINTS = frozenset({"tolerations", "taints"})
_QUANTITIES = frozenset({"requests", "limits", "capacity", "allocatable"})
_PLACED: dict[str, frozenset[str]] = {
    "key": _TAINTS | {"items", "matchExpressions", "matchFields"},
    "value": _TAINTS,
    "values": frozenset({"matchExpressions", "matchFields"}),
    "options": frozenset(),
    "from": _PATCHES,
    "owner": _FILES,
    "variables": frozenset(),
    "variable": frozenset({"valueFrom"}),
    "path": _FILES
    | _PATCHES
    | {"items", "hostPath", "httpGet", "paths", "nfs", "spec", "source", "sources", "serviceAccountToken", "openapi"},
    "tags": frozenset(
        {"spec", "managedSubnets", "subnets", "subnet", "ports", "router", "network", "bastion", "filter"}
    ),
    "host": frozenset({"controlPlaneEndpoint", "httpGet", "tcpSocket", "rules"}),
    "template": frozenset(),
    "strategy": frozenset({"spec"}),
    "filter": frozenset(),
    "resources": frozenset({"", "rules"}),
    "command": frozenset(),
    "args": frozenset(),
    "scheme": frozenset({"httpGet"}),
    "drop": frozenset({"capabilities"}),
    "add": frozenset({"capabilities"}),
    "level": frozenset({"seLinuxOptions"}),
    "resource": frozenset({"resourceFieldRef"}),
    "prefix": frozenset({"envFrom"}),
    "audience": frozenset({"serviceAccountToken"}),
    "medium": frozenset({"emptyDir"}),
    "driver": frozenset({"csi"}),
    "server": frozenset({"nfs", "destination"}),
    "reason": frozenset({"conditions"}),
    "storage": _QUANTITIES,
    "ephemeral-storage": _QUANTITIES,
    "branch": frozenset({"ref"}),
    "semver": frozenset({"ref"}),
    "crds": frozenset({"install", "upgrade"}),
    "include": frozenset({"directory"}),
    "exclude": frozenset({"directory"}),
    "group": frozenset({"target", "select", "reject"}),
    "behavior": GENERATORS,
    "envs": GENERATORS,
    "digest": frozenset({"images"}),
    "delimiter": frozenset({"options"}),
    "order": frozenset({"sortOptions"}),
    "searches": frozenset({"dnsConfig"}),
    "hostnames": frozenset({"hostAliases"}),
    "id": frozenset({"externalNetwork", "network", "router", "serverGroup", "subnet", "flavor"}),
}
"""Fields with general names, and the fields that they stand below where they are Kubernetes'."""

_REFERENCE = lazy_regex(
    r"^secrets?\Z|^secretGenerator\Z|[a-z]Secret\Z|(?:[sS]ecret|[cC]redentials?|configMap)(?:Key)?Ref\Z"
)

KUBERNETES_FIELDS = _ANYWHERE | _MAPPINGS | frozenset(_PLACED)
"""Every field whose name is no secret, wherever it stands."""


def is_reference(name: str) -> bool:
    """Whether a field names a Secret and its keys; charts also put ``create`` and ``enabled`` there.

    Args:
        name: The field.
    """
    return _REFERENCE.search(name) is not None


def is_public_field(name: str, above: str) -> bool:
    """Whether the value of a field may be shown: it is Kubernetes', and no secret.

    Args:
        name: The field.
        above: The field that it stands below; empty at the top.
    """
    places = _PLACED.get(name)
    if places is not None:
        return above in places or (name == "key" and is_reference(above))
    if name in _ANYWHERE:
        return True
    if "/" not in name:
        return False
    from ccmcheck.catalog.service_annotations import PREFIX, annotation

    return name.startswith(PREFIX) or annotation(name) is not None


CCM_FLAGS = frozenset([
    "cloud-config", "cluster-name", "cloud-provider", "use-service-account-credentials", "controllers",
    "bind-address", "leader-elect", "v", "kubeconfig", "node-status-update-frequency", "concurrent-service-syncs",
    "feature-gates",
])  # fmt: skip
"""Flags of the CCM that hold no secret (k8s.io/cloud-provider options/)."""
