"""Keys that count when a load balancer or its floating IP is made, and not again: what each of them decides.

Source: kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go at every tag since 1.19: the load balancer's own
fields are sent by createFullyPopulatedOctaviaLoadBalancer (createOctaviaLoadBalancer before 1.21) alone, and
ensureFloatingIP (getServiceAddress before 1.27) leaves a floating IP alone that is there.
"""

from __future__ import annotations

PRESERVED: dict[str, str] = {
    "lb-provider": "provider", "flavor-id": "flavour", "availability-zone": "availability zone",
    "subnet-id": "VIP subnet", "network-id": "VIP network", "floating-network-id": "floating IP",
    "floating-subnet-id": "floating IP", "floating-subnet": "floating IP",
    "floating-subnet-tags": "floating IP",
}  # fmt: skip
"""From keys of [LoadBalancer] and its classes to what load balancers that are there keep."""
