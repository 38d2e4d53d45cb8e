"""Other controllers that give Services of type LoadBalancer an address, beside the CCM in one cluster.

Sources:
* MetalLB: controller/service.go (convergeBalancer: an address in the status that no pool has is cleared), the flag
  ``--lb-class`` of controller and speaker (internal/k8s/k8s.go), IPAddressPool ``autoAssign`` and ``serviceAllocation``,
  speaker/layer2_controller.go and speaker/bgp_controller.go (ShouldAnnounce) for Local.
* Cilium: docs.cilium.io network/lb-ipam (dormant up to the first pool, then all Services without a class;
  ``serviceSelector``, ``disabled``), cilium/cilium operator/pkg/lbipam/cell.go (``lbipam-require-lb-class``, #33351).
* Calico: docs.tigera.io networking/ipam/service-loadbalancer (an IPPool with ``allowedUses: [LoadBalancer]``;
  ``assignIPs`` is AllServices by default; ``assignmentMode``), projectcalico/calico#10631 (the class ``calico``).
* kube-vip: pkg/manager (lbClassFilter), the environment variables svc_enable and lb_class_only of pkg/kubevip;
  kube-vip/kube-vip-cloud-provider: README (KUBEVIP_ENABLE_LOADBALANCERCLASS).
* keepalived-operator: controllers/keepalivedgroup_controller.go (getReferencingServices).
* Kuryr: openstack/kuryr-kubernetes kuryr_kubernetes/controller/handlers/lbaas.py (SUPPORTED_SERVICE_TYPES; the class is
  not read, members are pods), ``[kubernetes] enabled_handlers``.
* k3s ServiceLB: k3s-io/k3s pkg/cloudprovider/servicelb.go (a DaemonSet svclb-NAME of klipper-lb for each Service without
  a class), docs.k3s.io "Disabling ServiceLB".
* k3s and RKE2: docs.k3s.io cli/server (``--disable-cloud-controller``), docs.rke2.io reference/server_config
  (``cloud-provider-name``, ``disable-cloud-controller``); k3s-io/k3s pkg/cloudprovider/instances.go (the IDs ``k3s://NODE``).
* CCMs of other clouds: k8s.io/component-base config/v1alpha1/defaults.go, k8s.io/cloud-provider options/options.go (all
  have the Lease ``cloud-controller-manager`` by default).
* MetalLB of distributions: canonical.com/microk8s/docs/addon-metallb;
  kubernetes-sigs/kubespray roles/kubernetes-apps/metallb (metallb_enabled, metallb_loadbalancer_class),
  roles/kubernetes/node/templates/manifests/kube-vip.manifest.j2 (kube_vip_services_enabled).
* yawol: stackitcloud/yawol cmd/yawol-cloud-controller/main.go (``-classname``, by default all Services without one).

OVN-Kubernetes has no row: it gives no address to a Service of type LoadBalancer, so the CCM is alone with it.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class LoadBalancerController(NamedTuple):
    """One controller.

    Attributes:
        name: Its name, as `ccmcheck.catalog.service_annotations.owner_of` has it too where it has annotations.
        effect: What happens to a Service that it and the CCM both handle.
        remedy: How to leave Services to one of the two; the CCM's own switch is named beside it.
        local: What ``externalTrafficPolicy: Local`` means with it.
        images: How its image's repository ends; none where it only acts on pools.
        limits: Flags, without hyphens in front, and environment variables with which it may ignore Services without a
            class; an environment variable that is false does not.
        switches: Flags and environment variables, one of which must be on; empty where it needs none.
        annotation: The annotation without which it ignores a Service.
        needs_address: Whether it ignores a Service that names no address in ``spec.loadBalancerIP``.
        file_key: The key of a ConfigMap with its configuration.
        pool: The kind of its address pools, objects that show that it runs, if not how.
        gives_ids: Whether it gives nodes IDs and addresses, as a CCM does, instead of handling Services.
        shares_lease: Whether it elects its leader with the CCM's own Lease, unless ``limits`` or ``--leader-elect=false`` say otherwise.
        setting: What switches it on in the files of a distribution or tool that brings it along, as a pattern; such a
            row needs ``limits``.
    """

    name: str
    effect: str
    remedy: str
    local: str = ""
    images: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    annotation: str = ""
    needs_address: bool = False
    file_key: str = ""
    pool: str = ""
    gives_ids: bool = False
    shares_lease: bool = False
    setting: str = ""


CONTROLLERS: tuple[LoadBalancerController, ...] = records(
    read_paragraphs(__file__, "load_balancer_controllers.txt"), LoadBalancerController
)
"""The controllers; a name may have several rows."""


def rows_of(image: str) -> list[int]:
    """The rows of the controller that an image runs; none for another program.

    Args:
        image: ``quay.io/metallb/controller:v0.14.9``, also with a digest.
    """
    repository = "/" + image.partition("@")[0]
    if ":" in repository.rpartition("/")[2]:
        repository = repository.rpartition(":")[0]
    return [number for number, row in enumerate(CONTROLLERS) if repository.endswith(row.images)]


SERVER_KEYS = frozenset(
    {"cluster-init", "disable", "tls-san", "cluster-cidr", "service-cidr", "flannel-backend", "cni"}
)
"""Keys of the configuration of k3s and RKE2 that their servers have, and agents do not."""
SERVER_SWITCH = "disable-cloud-controller"
SERVER_PROVIDER = "cloud-provider-name"
"""Those that leave the nodes to a CCM: the second is RKE2's."""
SERVER_PARTS, SERVICE_LB = "disable", "servicelb"
K3S_PARTS = frozenset({"traefik", "local-storage", "metrics-server", "coredns"})
"""The key that switches parts off, ServiceLB among them, and the names of k3s' other parts: those of RKE2 begin with its own.

Without the first k3s' controller of nodes does not run, and that of Services still does (k3s-io/k3s
pkg/daemons/control/server.go, cloudControllerManager).
"""

HANDLERS_KEY = "enabled_handlers"
SERVICE_HANDLERS = frozenset({"lb", "lbaasspec", "service", "endpoints", "kuryrloadbalancer"})
"""The key of Kuryr's configuration that names its handlers, and those of load balancers."""
