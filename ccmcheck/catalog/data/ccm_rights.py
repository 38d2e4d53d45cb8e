"""What a CCM must be allowed to do in its cluster, without which nothing works; not all that its own ClusterRole allows.

Sources: kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer_service_patcher.go and, before, loadbalancer.go
newServicePatcher (first in v1.23.0), pkg/openstack/openstack.go Initialize (the account ``cloud-controller-manager``);
k8s.io/cloud-provider service/helpers/helper.go PatchService (``services/status``, from Kubernetes 1.16 on);
k8s.io/controller-manager pkg/clientbuilder/client_builder_dynamic.go (``serviceaccounts/token``, from 1.21 on);
controllers/nodelifecycle/node_lifecycle_controller.go (``delete`` of Nodes, with the account ``node-controller`` where each
controller has its own); issues #1514, #1722, #1802, #2049, #2560, #3225.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class CcmRight(NamedTuple):
    """One right.

    Attributes:
        resource: Of the core group: ``services/status``.
        verb: ``patch``.
        behaviour: What releases need it, see `ccmcheck.catalog.behaviour.behaves`.
        own_accounts: Whether only with --use-service-account-credentials, or only without; None for both.
        without: What happens without it.
    """

    resource: str
    verb: str
    behaviour: str
    own_accounts: bool | None
    without: str


CCM_RIGHTS = (
    CcmRight(
        "services/status",
        "patch",
        "patches-status",
        False,
        "It cannot add its finalizer, so that no load balancer is made: `failed to add load balancer cleanup finalizer`.",
    ),
    CcmRight(
        "services",
        "patch",
        "patches-services",
        None,
        "It makes the load balancer and cannot write its ID on the Service, which stays pending: `failed to patch service object`.",
    ),
    CcmRight(
        "serviceaccounts/token",
        "create",
        "asks-for-tokens",
        True,
        "With --use-service-account-credentials its controllers get no token and do nothing: `get token failed`.",
    ),
    CcmRight(
        "nodes",
        "delete",
        "deletes-nodes",
        False,
        "Nodes whose servers are deleted stay in the cluster, NotReady, and their pods with them.",
    ),
)
CCM_ROLES = ("system:cloud-controller-manager", "openstack-cloud-controller-manager")
"""What the ClusterRole is called in the CCM's manifests, and a part of its name in the chart."""
