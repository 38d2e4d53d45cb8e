"""What a CCM must be allowed to do in its cluster, without which nothing works; not all that its own ClusterRole allows.

Sources: kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer_service_patcher.go and, before, loadbalancer.go
newServicePatcher (first in v1.23.0), pkg/openstack/openstack.go Initialize (the account ``cloud-controller-manager``);
k8s.io/cloud-provider service/helpers/helper.go PatchService (``services/status``, from Kubernetes 1.16 on);
k8s.io/controller-manager pkg/clientbuilder/client_builder_dynamic.go (``serviceaccounts/token``, from 1.21 on);
controllers/nodelifecycle/node_lifecycle_controller.go (``delete`` of Nodes, with the account ``node-controller`` where each
controller has its own; kube-apiserver binds the controllers' accounts itself) and controllers/node/node_controller.go (``update``); issues #1514, #1722, #1802, #2049, #2560, #3225.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class CcmRight(NamedTuple):
    """One right.

    Attributes:
        resource: Of the core group: ``services/status``; or ``leases``; for a sidecar of a group of storage, too.
        verb: ``patch``.
        without: What happens without it.
        behaviour: What releases of the CCM need it, see `ccmcheck.catalog.behaviour.behaves`.
        own_accounts: Whether only with --use-service-account-credentials, or only without; None for both.
        account: The account that needs it then, where it is not the pod's.
        unless: What flags begin with that change whether it is needed.
        is_info: Whether the CCM works without it.
        program: The sidecar of the Cinder CSI driver that needs it; empty for the CCM.
        since: The first major release of the sidecar that does.
        gate: Whether it does with the gate Topology alone.
    """

    resource: str
    verb: str
    without: str
    behaviour: str = ""
    own_accounts: bool | None = None
    account: str = ""
    unless: str = ""
    is_info: bool = False
    program: str = ""
    since: int = 0
    gate: bool = False


CCM_RIGHTS: tuple[CcmRight, ...] = records(read_paragraphs(__file__, "ccm_rights.txt"), CcmRight)
CCM_ROLES = ("system:cloud-controller-manager", "openstack-cloud-controller-manager")
"""What the ClusterRole is called in the CCM's manifests, and a part of its name in the chart."""
