"""Behaviour of the CCM that comes or goes with a release, in words, for the upgrade: addresses, classes, and subnets.

Sources: kubernetes/cloud-provider-openstack at the tags named in `ccmcheck.catalog.data.behaviour`, read with
``git grep`` at every tag; where a row says more than those, its own source stands behind it.
"""

from __future__ import annotations

from ccmcheck.catalog.data_types import BehaviourChange

ADDRESS_CHANGES: tuple[BehaviourChange, ...] = (
    BehaviourChange(
        "sets-ip-mode",
        ("ingress hostname",),
        "info",
        "the CCM sets ipMode: Proxy where proxy-protocol is on, which enable-ingress-hostname hides",
        "With Kubernetes 1.30 or newer, delete enable-ingress-hostname.",
        source="KEP-1860; kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go createLoadBalancerStatus",
    ),
    BehaviourChange(
        "sets-ip-mode",
        ("proxy protocol", "no ingress hostname"),
        "info",
        "the Service's status says ipMode: Proxy: with Kubernetes 1.30 or newer, pods reach its address through the load"
        " balancer, no more straight",
        "The pods behind it see the PROXY header then, as from outside.",
        source="KEP-1860; kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go createLoadBalancerStatus",
    ),
    BehaviourChange(
        "ingress-hostname-panics",
        ("ingress hostname",),
        "error",
        "enable-ingress-hostname makes the CCM panic at the first Service with proxy-protocol",
        "Choose v1.25.2 or newer.",
    ),
    BehaviourChange(
        "internal-is-enforced",
        ("internal", "asks to be external"),
        "warning",
        'internal-lb = true cannot be overridden by the annotation openstack-internal-load-balancer: "false"',
        'Delete internal-lb, and annotate each internal Service with "true".',
    ),
    BehaviourChange(
        "external-needs-network",
        ("no floating network",),
        "info",
        "",
        "",
        "where no external network is found, a Service gets its internal address instead of an error",
        "Set floating-network-id.",
    ),
    BehaviourChange(
        "ipv6-is-internal",
        ("ipv6",),
        "info",
        "Services whose first family is IPv6 are internal",
        "",
        "Services whose first family is IPv6 are no more made internal",
        "",
    ),
    BehaviourChange(
        "internal-services-cannot-share",
        ("internal shares",),
        "error",
        "internal Services cannot share a load balancer: attaching another one fails",
        "Give each internal Service its own load balancer.",
    ),
    BehaviourChange(
        "takes-region-for-server",
        ("no subnet",),
        "warning",
        "without subnet-id no subnet is found for the VIP where the nodes' providerID names a region",
        "Choose v1.28.3, v1.29.1, v1.30.1 or newer, or set subnet-id.",
    ),
    BehaviourChange(
        "classes-make-internal",
        ("class without floating network",),
        "info",
        "",
        "",
        "a class without floating-network-id no longer makes its Services internal: they get a floating IP",
        'Annotate them with service.beta.kubernetes.io/openstack-internal-load-balancer: "true".',
        ends_level="warning",
        source="kubernetes/cloud-provider-openstack#1102",
    ),
    BehaviourChange(
        "classes-make-internal",
        ("class", "asks to be internal"),
        "info",
        "",
        "",
        "the annotation openstack-internal-load-balancer counts for Services with a class, too; before, the class decided",
        "Remove the annotation from Services that are to keep a floating IP.",
        ends_level="warning",
        source="kubernetes/cloud-provider-openstack#1102",
    ),
    BehaviourChange(
        "classes-of-internal-services",
        ("class", "internal service"),
        "info",
        "an internal Service's new load balancer is made in the subnet and network of its class; before, a class counted"
        " for external Services only",
        "Check subnet-id and network-id of the class.",
        source="kubernetes/cloud-provider-openstack#1963",
    ),
    BehaviourChange(
        "takes-floating-ip-of-internal",
        ("internal service",),
        "warning",
        "an internal Service loses its floating IP: the CCM detaches it, and deletes it if the CCM made it",
        'Make Services external that need it; keep-floatingip: "true" only prevents the deletion.',
        source="kubernetes/cloud-provider-openstack#2168",
    ),
    BehaviourChange(
        "only-owner-has-floating-ip",
        ("external shares",),
        "warning",
        "a shared load balancer gets its floating IP from the Service that owns it; without one, the other Services fail",
        "Make the owner external, or set internal on the others.",
        source="kubernetes/cloud-provider-openstack#2168",
    ),
    BehaviourChange(
        "deletes-any-floating-ip",
        ("given address",),
        "info",
        "",
        "",
        "a floating IP that the CCM did not make outlives its Service; before, it was deleted, too",
        "",
        source="kubernetes/cloud-provider-openstack#930",
    ),
    BehaviourChange(
        "floating-network-has-ipv4",
        ("no floating network",),
        "info",
        "without floating-network-id, external networks that have no IPv4 subnet are passed over",
        "Set floating-network-id.",
        source="kubernetes/cloud-provider-openstack#2022",
    ),
    BehaviourChange(
        "floating-subnet-id-first",
        ("floating-subnet", "floating-subnet-id is set"),
        "warning",
        "floating-subnet-id of cloud.conf wins over the annotation floating-subnet",
        "Write the annotation floating-subnet-id.",
        "the annotation floating-subnet wins over floating-subnet-id of cloud.conf",
        source="kubernetes/cloud-provider-openstack#1102, #1375",
    ),
    BehaviourChange(
        "floating-subnet-patterns",
        ("floating-subnet",),
        "info",
        "floating-subnet is a pattern, and an error where no subnet matches; before, a name, and any subnet was taken where"
        " there was none",
        "",
        source="kubernetes/cloud-provider-openstack#1375",
    ),
    BehaviourChange(
        "keeps-first-subnet",
        ("no subnet-id",),
        "info",
        "",
        "",
        "without subnet-id, each load balancer has its own subnet; before, the first one's counted for all until a restart",
        "",
        source="kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go: lbaas.opts.SubnetID",
    ),
)
"""Behaviour that comes or goes with a release, whom it concerns, and what to do."""
