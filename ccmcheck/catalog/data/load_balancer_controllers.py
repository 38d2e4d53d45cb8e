"""Other controllers that give Services of type LoadBalancer an address, beside the CCM in one cluster.

Sources:
* MetalLB: controller/service.go (convergeBalancer: an address in the status that no pool has is cleared), the flag
  ``--lb-class`` of controller and speaker (internal/k8s/k8s.go), IPAddressPool ``autoAssign`` and ``serviceAllocation``,
  speaker/layer2_controller.go and speaker/bgp_controller.go (ShouldAnnounce) for Local.
* kube-vip: pkg/manager (lbClassFilter), the environment variables svc_enable and lb_class_only of pkg/kubevip;
  kube-vip/kube-vip-cloud-provider: README (KUBEVIP_ENABLE_LOADBALANCERCLASS).
* keepalived-operator: controllers/keepalivedgroup_controller.go (getReferencingServices).
* Kuryr: openstack/kuryr-kubernetes kuryr_kubernetes/controller/handlers/lbaas.py (SUPPORTED_SERVICE_TYPES; the class is
  not read, members are pods), ``[kubernetes] enabled_handlers``.
* k3s ServiceLB: k3s-io/k3s pkg/cloudprovider/servicelb.go (a DaemonSet svclb-NAME of klipper-lb for each Service without
  a class), docs.k3s.io "Disabling ServiceLB".
* k3s and RKE2: docs.k3s.io cli/server (``--disable-cloud-controller``), docs.rke2.io reference/server_config
  (``cloud-provider-name``, ``disable-cloud-controller``); k3s-io/k3s pkg/cloudprovider/instances.go (the IDs ``k3s://NODE``).
* yawol: stackitcloud/yawol cmd/yawol-cloud-controller/main.go (``-classname``, by default all Services without one).

OVN-Kubernetes has no row: it gives no address to a Service of type LoadBalancer, so the CCM is alone with it.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class LoadBalancerController(NamedTuple):
    """One controller.

    Attributes:
        name: Its name, as `ccmcheck.catalog.service_annotations.owner_of` has it too where it has annotations.
        images: How its image's repository ends.
        effect: What happens to a Service that it and the CCM both handle.
        remedy: How to leave Services to one of the two; the CCM's own switch is named beside it.
        local: What ``externalTrafficPolicy: Local`` means with it.
        limits: Flags, without hyphens in front, and environment variables with which it may ignore Services without a
            class; an environment variable that is false does not.
        switches: Flags and environment variables, one of which must be on; empty where it needs none.
        annotation: The annotation without which it ignores a Service.
        needs_address: Whether it ignores a Service that names no address in ``spec.loadBalancerIP``.
        file_key: The key of a ConfigMap with its configuration.
        has_pools: Whether its address pools, objects of their own, show that it runs.
        gives_ids: Whether it gives nodes IDs and addresses, as a CCM does, instead of handling Services.
    """

    name: str
    images: tuple[str, ...]
    effect: str
    remedy: str
    local: str = ""
    limits: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    annotation: str = ""
    needs_address: bool = False
    file_key: str = ""
    has_pools: bool = False
    gives_ids: bool = False


CONTROLLERS: tuple[LoadBalancerController, ...] = (
    LoadBalancerController(
        "MetalLB",
        ("metallb/controller", "metallb-controller"),
        "MetalLB removes an address that is in none of its pools and assigns its own; the CCM makes a load balancer all "
        "the same.",
        "Start MetalLB with `--lb-class` and set that `loadBalancerClass` on its Services: they are no longer the CCM's, "
        "and the others are no longer MetalLB's",
        "In layer 2 mode one node with a ready pod gets all traffic of the address, in BGP mode every node with a ready "
        "pod announces it; no health monitor of Octavia is involved.",
        limits=("lb-class",),
        has_pools=True,
    ),
    LoadBalancerController(
        "kube-vip",
        ("/kube-vip", "/kube-vip-iptables"),
        "kube-vip announces `loadBalancerIP` from a node, while the CCM takes it for the address of its own load balancer.",
        "Set `lb_class_only` to `true` for kube-vip and `loadBalancerClass: kube-vip.io/kube-vip-class` on its Services",
        "In ARP mode the leader gets all traffic of the address, and without `svc_election` it may have no pod.",
        limits=("lb_class_only", "lbClassOnly"),
        switches=("svc_enable", "services"),
        needs_address=True,
    ),
    LoadBalancerController(
        "kube-vip",
        ("/kube-vip-cloud-provider",),
        "kube-vip's cloud provider assigns an address of its own range; the CCM makes a load balancer all the same.",
        "Set `KUBEVIP_ENABLE_LOADBALANCERCLASS` to `true` for kube-vip's cloud provider, and "
        "`loadBalancerClass: kube-vip.io/kube-vip-class` on its Services",
        "In ARP mode the leader gets all traffic of the address, and without `svc_election` it may have no pod.",
        limits=("KUBEVIP_ENABLE_LOADBALANCERCLASS",),
    ),
    LoadBalancerController(
        "keepalived-operator",
        ("redhat-cop/keepalived-operator",),
        "keepalived announces the address in the status by VRRP from a node, which is that of the CCM's load balancer.",
        "Give the Service `externalIPs` and the type ClusterIP",
        "One node gets all traffic of the address.",
        annotation="keepalived-operator.redhat-cop.io/keepalivedgroup",
    ),
    LoadBalancerController(
        "Kuryr",
        ("kuryr/controller",),
        "Kuryr makes an Octavia load balancer for every Service of type ClusterIP or LoadBalancer and reads no class; the "
        "CCM makes another one for this Service.",
        "",
        "The members of Kuryr's load balancers are pods, so that the policy changes nothing there.",
        file_key="kuryr.conf",
    ),
    LoadBalancerController(
        "yawol",
        ("/yawol-cloud-controller",),
        "yawol makes a load balancer of its own instances, the CCM makes one in Octavia, and both write the address.",
        "Start yawol with `-classname` and name that class on its Services, with `loadBalancerClass` in a release that "
        "reads it",
        limits=("classname", "empty-classname"),
    ),
    LoadBalancerController(
        "k3s ServiceLB",
        ("rancher/klipper-lb", "rancher/mirrored-klipper-lb"),
        "k3s writes the addresses of its nodes into the status, beside that of the CCM's load balancer.",
        "Start the k3s or RKE2 servers with `--disable servicelb`",
    ),
    LoadBalancerController(
        "the own controller of k3s or RKE2",
        ("rancher/rke2-cloud-provider", "rancher/mirrored-rke2-cloud-provider"),
        "Whichever is first gives a node its ID: after `k3s://` or `rke2://` the CCM finds no server for the node, and the ID "
        "cannot be changed.",
        "Start the servers with `disable-cloud-controller: true`, RKE2 also with `cloud-provider-name: external`, and every "
        "kubelet with `--cloud-provider=external`.",
        gives_ids=True,
    ),
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

HANDLERS_KEY = "enabled_handlers"
SERVICE_HANDLERS = frozenset({"lb", "lbaasspec", "service", "endpoints", "kuryrloadbalancer"})
"""The key of Kuryr's configuration that names its handlers, and those of load balancers."""
