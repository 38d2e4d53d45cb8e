"""What the keys of cloud.conf become in the requests that the CCM sends for a Service.

Sources: cloud-provider-openstack pkg/openstack/loadbalancer.go and pkg/util/openstack/loadbalancer.go, v1.36; the field
names are those of the Octavia and Neutron APIs.
"""

from __future__ import annotations

from typing import NamedTuple

_SECONDS = "whole seconds; a fraction is dropped"


class RequestField(NamedTuple):
    """One field of one resource.

    Attributes:
        resource: ``loadbalancer``, ``listener``, ``pool``, ``member``, ``healthmonitor`` of Octavia; ``floatingip``,
            ``security_group`` of Neutron.
        field: Its field; empty where the key decides whether the resource exists.
        form: How the value is turned into the field's; empty where it is sent as it is.
    """

    resource: str
    field: str
    form: str = ""


BECOMES: dict[tuple[str, str], tuple[RequestField, ...]] = {
    ("LoadBalancer", "create-monitor"): (RequestField("healthmonitor", ""),),
    ("LoadBalancer", "monitor-delay"): (RequestField("healthmonitor", "delay", _SECONDS),),
    ("LoadBalancer", "monitor-timeout"): (RequestField("healthmonitor", "timeout", _SECONDS),),
    ("LoadBalancer", "monitor-max-retries"): (RequestField("healthmonitor", "max_retries"),),
    ("LoadBalancer", "monitor-max-retries-down"): (
        RequestField("healthmonitor", "max_retries_down", "left out when 0, Octavia then takes 3"),
    ),
    ("LoadBalancer", "lb-provider"): (RequestField("loadbalancer", "provider", "left out when empty"),),
    ("LoadBalancer", "flavor-id"): (RequestField("loadbalancer", "flavor_id", "left out when empty, and for ovn"),),
    ("LoadBalancer", "availability-zone"): (
        RequestField("loadbalancer", "availability_zone", "left out when empty, and for ovn"),
    ),
    ("LoadBalancer", "subnet-id"): (
        RequestField("loadbalancer", "vip_subnet_id"),
        RequestField("member", "subnet_id", "unless member-subnet-id is set"),
    ),
    ("LoadBalancer", "network-id"): (RequestField("loadbalancer", "vip_network_id", "unless a subnet is set"),),
    ("LoadBalancer", "member-subnet-id"): (RequestField("member", "subnet_id"),),
    ("LoadBalancer", "lb-method"): (RequestField("pool", "lb_algorithm"),),
    ("LoadBalancer", "default-tls-container-ref"): (
        RequestField("listener", "default_tls_container_ref", "every port becomes TERMINATED_HTTPS"),
    ),
    ("LoadBalancer", "internal-lb"): (RequestField("floatingip", "", "none when true"),),
    ("LoadBalancer", "floating-network-id"): (RequestField("floatingip", "floating_network_id"),),
    ("LoadBalancer", "floating-subnet-id"): (RequestField("floatingip", "subnet_id"),),
    ("LoadBalancer", "floating-subnet"): (RequestField("floatingip", "subnet_id", "looked up by name or pattern"),),
    ("LoadBalancer", "floating-subnet-tags"): (RequestField("floatingip", "subnet_id", "looked up by tags"),),
    ("LoadBalancer", "manage-security-groups"): (RequestField("security_group", ""),),
    ("LoadBalancerClass", "floating-network-id"): (RequestField("floatingip", "floating_network_id"),),
    ("LoadBalancerClass", "floating-subnet-id"): (RequestField("floatingip", "subnet_id"),),
    ("LoadBalancerClass", "floating-subnet"): (
        RequestField("floatingip", "subnet_id", "looked up by name or pattern"),
    ),
    ("LoadBalancerClass", "floating-subnet-tags"): (RequestField("floatingip", "subnet_id", "looked up by tags"),),
    ("LoadBalancerClass", "subnet-id"): (RequestField("loadbalancer", "vip_subnet_id"),),
    ("LoadBalancerClass", "network-id"): (RequestField("loadbalancer", "vip_network_id", "unless a subnet is set"),),
    ("LoadBalancerClass", "member-subnet-id"): (RequestField("member", "subnet_id"),),
}
"""By section and key; a key that is not here shows in no request."""
