"""What the CCM makes of a key's value: its unit, and what it becomes in a request.

Sources: cloud-provider-openstack pkg/openstack/loadbalancer.go and pkg/openstack/openstack.go, v1.36; Octavia API v2.
"""

from __future__ import annotations

KEY_EFFECTS: dict[tuple[str, str], tuple[str, str]] = {
    ("LoadBalancer", "availability-zone"): ("", "loadbalancer.availability_zone (API 2.14); not sent for provider ovn"),
    ("LoadBalancer", "cascade-delete"): (
        "",
        "DELETE /v2/lbaas/loadbalancers/ID?cascade=true; false deletes each part separately",
    ),
    ("LoadBalancer", "create-monitor"): ("", "one healthmonitor for each pool; Services may override it by annotation"),
    ("LoadBalancer", "default-tls-container-ref"): (
        "",
        "listener.default_tls_container_ref; every port becomes TERMINATED_HTTPS",
    ),
    ("LoadBalancer", "flavor-id"): ("", "loadbalancer.flavor_id (API 2.6); not sent for provider ovn"),
    ("LoadBalancer", "floating-network-id"): ("", "the network of the floating IP that is put on the VIP"),
    ("LoadBalancer", "floating-subnet"): ("", "the subnet of the floating IP, by name, glob or ~regexp"),
    ("LoadBalancer", "floating-subnet-id"): ("", "the subnet of the floating IP"),
    ("LoadBalancer", "floating-subnet-tags"): ("", "the subnet of the floating IP, by its tags"),
    ("LoadBalancer", "internal-lb"): ("", "no floating IP; since 1.19 an annotation cannot override true"),
    ("LoadBalancer", "lb-method"): ("", "pool.lb_algorithm"),
    ("LoadBalancer", "lb-provider"): ("", "loadbalancer.provider"),
    ("LoadBalancer", "manage-security-groups"): (
        "",
        "a security group with a rule for each NodePort, put on the nodes' ports",
    ),
    ("LoadBalancer", "max-shared-lb"): ("Services", "how many Services may share one load balancer"),
    ("LoadBalancer", "member-subnet-id"): ("", "member.subnet_id"),
    ("LoadBalancer", "monitor-delay"): (
        "a Go duration with its unit, `5s`; only whole seconds count",
        "healthmonitor.delay in seconds, the fraction dropped: 1500ms is 1, 500ms is 0",
    ),
    ("LoadBalancer", "monitor-max-retries"): (
        "checks",
        "healthmonitor.max_retries, 1 to 10: successes until a member is up",
    ),
    ("LoadBalancer", "monitor-max-retries-down"): (
        "checks",
        "healthmonitor.max_retries_down, 1 to 10: failures until a member is down; 0 is not sent, Octavia stores 3",
    ),
    ("LoadBalancer", "monitor-timeout"): (
        "a Go duration with its unit, `3s`; only whole seconds count",
        "healthmonitor.timeout in seconds, the fraction dropped",
    ),
    ("LoadBalancer", "network-id"): ("", "loadbalancer.vip_network_id"),
    ("LoadBalancer", "node-selector"): ("key=value, separated by commas", "which nodes become members"),
    ("LoadBalancer", "provider-requires-serial-api-calls"): ("", "one call for each object instead of one for all"),
    ("LoadBalancer", "subnet-id"): (
        "",
        "loadbalancer.vip_subnet_id, and member.subnet_id where member-subnet-id is not set",
    ),
    ("Metadata", "request-timeout"): ("a Go duration with its unit", ""),
    ("Metadata", "search-order"): ("configDrive and metadataService, separated by a comma", ""),
    ("Networking", "address-sort-order"): ("CIDRs, separated by commas", ""),
    ("Networking", "internal-network-name"): ("one network's name a line; repeat the key", ""),
    ("Networking", "public-network-name"): ("one network's name a line; repeat the key", ""),
}
"""Unit and meaning by section and key; empty where there is nothing to say."""
