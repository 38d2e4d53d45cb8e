"""Behaviour of the CCM that comes or goes with a release, in words, for the upgrade: nodes, routes, and the CCM itself.

Sources: kubernetes/cloud-provider-openstack and k8s.io/cloud-provider at the tags named in
`ccmcheck.catalog.data.behaviour`; where a row says more than those, its own source stands behind it.
"""

from __future__ import annotations

from ccmcheck.catalog.data_types import BehaviourChange

_CLOUD_PROVIDER = "k8s.io/cloud-provider controllers"

CLUSTER_CHANGES: tuple[BehaviourChange, ...] = (
    BehaviourChange(
        "insecure-needs-ca-file",
        ("insecure without ca-file",),
        "info",
        "",
        "",
        "tlsinsecure = true counts without ca-file, too: certificates are not checked",
        "Delete the line, and name the authority with `ca-file`.",
        ends_level="warning",
        source="kubernetes/cloud-provider-openstack pkg/openstack/openstack.go NewOpenStackClient v1.17.0, v1.18.0",
    ),
    BehaviourChange(
        "ends-without-endpoint",
        ("always",),
        "info",
        "the CCM ends where the cloud's catalogue names no load balancer service; before, it ran without load balancers",
        "Without Octavia, set enabled = false.",
        source="kubernetes/cloud-provider-openstack#2706",
    ),
    BehaviourChange(
        "lists-port-addresses-first",
        ("always",),
        "info",
        "the addresses of a Node are in another order: those of its ports first; the first InternalIP is the member of pools",
        "Compare `kubectl get nodes -o wide`.",
        source="kubernetes/cloud-provider-openstack#884",
    ),
    BehaviourChange(
        "lists-trunk-subports",
        ("always",),
        "info",
        "the addresses of a Node include those of the subports of its trunks",
        "internal-network-name leaves networks out.",
        source="kubernetes/cloud-provider-openstack#2306",
    ),
    BehaviourChange(
        "node-ip-decides",
        ("always",),
        "info",
        "a Node whose kubelet has --node-ip keeps only that address of its type, such as InternalIP; before, all",
        "",
        source=f"{_CLOUD_PROVIDER}/node/node_controller.go v0.23.0, v0.24.0 (PreferNodeIP)",
    ),
    BehaviourChange(
        "instances-v2",
        ("always",),
        "info",
        "nodes are looked up through InstancesV2: a providerID of another region is an error; before, such a Node was left"
        " alone",
        "OS_V1_INSTANCES=true in the CCM's environment keeps the old way up to v1.31.4.",
        source="kubernetes/cloud-provider-openstack#2133, #2692",
    ),
    BehaviourChange(
        "labels-flavor-names",
        ("always",),
        "info",
        "new Nodes have the flavour's name in the label node.kubernetes.io/instance-type, before its ID",
        "Check nodeSelectors and autoscalers that read it.",
        source="kubernetes/cloud-provider-openstack#1402",
    ),
    BehaviourChange(
        "knows-exclude-label",
        ("always",),
        "info",
        "nodes with the label node.kubernetes.io/exclude-from-external-load-balancers leave the load balancers",
        "",
        source="kubernetes/kubernetes v1.18.0, v1.19.0 pkg/features/kube_features.go: ServiceNodeExclusion",
    ),
    BehaviourChange(
        "leaves-masters-out",
        ("a master takes traffic",),
        "info",
        "",
        "",
        "nodes with the label node-role.kubernetes.io/master become members of the load balancers",
        "Label them node.kubernetes.io/exclude-from-external-load-balancers to keep them out.",
        ends_level="warning",
        source=f"{_CLOUD_PROVIDER}/service/controller.go v0.20.0, v0.21.0: LegacyNodeRoleBehavior",
    ),
    BehaviourChange(
        "exclude-label-has-value",
        ("a node says false",),
        "info",
        "nodes with exclude-from-external-load-balancers=false become members of the load balancers; before, the label"
        " counted with any value",
        "Delete the label, or write `true`.",
        source=f"{_CLOUD_PROVIDER}/service/controller.go v0.33.3, v0.34.1: nodeIncludedPredicate",
    ),
    BehaviourChange(
        "leaves-autoscaled-nodes-out",
        ("always",),
        "info",
        "nodes that the cluster autoscaler is about to delete leave the load balancers",
        "",
        source=f"{_CLOUD_PROVIDER}/service/controller.go v0.22.0, v0.23.0: ToBeDeletedTaint",
    ),
    BehaviourChange(
        "atomic-routes",
        ("router",),
        "info",
        "routes change one by one where Neutron has extraroute-atomic, and next hops are the Nodes' addresses in the"
        " router's networks",
        "",
        source="kubernetes/cloud-provider-openstack#2150",
    ),
    BehaviourChange(
        "routes-without-address-pairs",
        ("router",),
        "info",
        "ports without port security get routes, but no allowed address pair; before, that was an error",
        "",
        source="kubernetes/cloud-provider-openstack#2492",
    ),
    BehaviourChange(
        "asks-for-tokens",
        ("always",),
        "info",
        "with --use-service-account-credentials, the CCM's ClusterRole must allow `create` on serviceaccounts/token",
        "Apply the release's own manifests or chart; those of v1.21 lack it.",
        source="k8s.io/cloud-provider options/options.go v0.20.0, v0.21.0: NewDynamicClientBuilder",
    ),
    BehaviourChange(
        "short-metric-names",
        ("always",),
        "info",
        "the metrics openstack_cloudprovider_openstack_api_request_… are called openstack_api_request_…",
        "Change dashboards and alerts.",
        source="kubernetes/cloud-provider-openstack#1178",
    ),
    BehaviourChange(
        "changes-are-events",
        ("always",),
        "info",
        "",
        "",
        "changes of a Service's type, source ranges or address are log lines at --v=2, no longer Events",
        "",
        source=f"{_CLOUD_PROVIDER}/service/controller.go v0.31.11, v0.32.2: needsUpdate",
    ),
)
"""Behaviour that comes or goes with a release, whom it concerns, and what to do."""
