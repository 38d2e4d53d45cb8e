"""What cases are made of: keys and annotations with good, bad and empty values."""

from __future__ import annotations

PREFIX = "loadbalancer.openstack.org/"
INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"
LOAD_BALANCER_ID = PREFIX + "load-balancer-id"

SWITCH = ("true", "true", "false", "", "True", "yes", "1", " true")
NUMBER = ("0", "1", "2", "3", "5", "10", "-1", "007", "+4", "", "abc", "5s", "1.5", " 3", "99999999999999999999")
NETWORK = ("net-ext", "net-ext2", "net-other", "")
SUBNET = ("subnet-nodes", "subnet-other", "")
FLOATING_SUBNET = ("subnet-ext", "subnet-ext-b", "subnet-ext2", "")
FLOATING_NAME = (
    "public-a",
    "public-*",
    "~public-[ab]",
    "!public-a",
    "!~public.*",
    "none*",
    "dmz",
    "~[",
    "?ublic-b",
    "",
)
TAGS = ("public", "a,b", "&public,a", "!b", "!&public,b", " a , b ", "none", "&", "!", "")
SELECTOR = (
    "role=worker", "role", "role=", "role=worker,zone=a", "role = worker", " role=worker , zone=b ", "none=x", "zone=a=b",
    "=x", ",", "",
)  # fmt: skip
TLS = (
    "https://k.example/v1/containers/cert-1", "https://k.example/v1/secrets/cert-2",
    "https://k.example/v1/containers/cert-1", "https://k.example/v1/secrets/cert-2", "https://k.example/v1/orders/cert-3",
    "https://k.example/v1/containers/missing-1", "https://k.example/v1/secrets/missing-2", "cert-4", "/secrets/cert-5", "",
)  # fmt: skip
# what kube-apiserver lets through, as a list item and as the annotation
RANGE = ("10.0.0.0/8", "172.16.0.0/12", "192.0.2.0/24", "203.0.113.64/26", "10.1.2.3/8", "0.0.0.0/0", "2001:db8:1::/48",
         "2001:DB8:0:0::1/64", " 192.0.2.0/24 ")  # fmt: skip
RANGES = (*RANGE, "192.0.2.0/24,198.51.100.0/24", " 192.0.2.0/24 , 198.51.100.0/24 ", "10.0.0.0/8,10.0.0.0/8", " ", "")
METHOD = ("ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP", "SOURCE_IP_PORT", "round_robin", "")

CONFIG: dict[str, tuple[str, ...]] = {
    "lb-provider": ("amphora", "ovn", "ovn", "f5", "octavia", "amphorav2", "OVN", "vlan", ""),
    "lb-method": METHOD,
    "create-monitor": ("true", "true", "true", "false"),
    "monitor-delay": ("5s", "10s", "500ms", "1500ms", "-5s", "0", "1m", "2s", "1h0m0.5s", "-500ms"),
    "monitor-timeout": ("3s", "10s", "500ms", "0s", "-1s", "1.5s"),
    "monitor-max-retries": ("0", "1", "3", "11"),
    "monitor-max-retries-down": ("0", "1", "3", "4"),
    "manage-security-groups": ("true", "true", "false"),
    "internal-lb": ("true", "true", "false"),
    "node-selector": SELECTOR,
    "subnet-id": SUBNET,
    "member-subnet-id": SUBNET,
    "network-id": ("net-nodes", "net-other", ""),
    "floating-network-id": NETWORK,
    "floating-subnet-id": FLOATING_SUBNET,
    "floating-subnet": FLOATING_NAME,
    "floating-subnet-tags": TAGS,
    "flavor-id": ("flavor-1", ""),
    "availability-zone": ("zone-1", ""),
    "enable-ingress-hostname": ("true", "true", "false"),
    "ingress-hostname-suffix": ("nip.io", "example.org", ""),
    "max-shared-lb": ("0", "1", "2", "3", "-1"),
    "container-store": ("barbican", "external", "other", ""),
    "default-tls-container-ref": TLS,
    "provider-requires-serial-api-calls": ("true", "true", "false"),
    "cascade-delete": ("true", "false"),
}
# every monitor key that the oldest releases require
MONITORS: dict[str, tuple[str, ...]] = {
    "create-monitor": ("true",),
    "monitor-delay": ("5s", "10s", "1500ms", "-500ms"),
    "monitor-timeout": ("3s", "1.5s"),
    "monitor-max-retries": ("1", "3"),
}
# seldom: these end in not being asked at all
CONFIG_SELDOM: dict[str, tuple[str, ...]] = {
    "enabled": ("true", "false"),
    "lb-version": ("v2", "", "v1", "V2"),
    "monitor-delay": ("5", "5 s", ""),
    "create-monitor": ("maybe",),
}
CLASS: dict[str, tuple[str, ...]] = {
    "floating-network-id": NETWORK,
    "floating-subnet-id": FLOATING_SUBNET,
    "floating-subnet": FLOATING_NAME,
    "floating-subnet-tags": TAGS,
    "network-id": ("net-nodes", "net-other", ""),
    "subnet-id": SUBNET,
    "member-subnet-id": SUBNET,
}
ANNOTATIONS: dict[str, tuple[str, ...]] = {
    INTERNAL: SWITCH,
    SOURCE_RANGES: RANGES,
    PREFIX + "node-selector": SELECTOR,
    PREFIX + "connection-limit": NUMBER,
    PREFIX + "floating-network-id": NETWORK,
    PREFIX + "floating-subnet": FLOATING_NAME,
    PREFIX + "floating-subnet-id": FLOATING_SUBNET,
    PREFIX + "floating-subnet-tags": TAGS,
    PREFIX + "class": ("dmz", "dmz", "inner", "inner", "empty", "DMZ", ""),
    PREFIX + "keep-floatingip": SWITCH,
    PREFIX + "port-id": ("port-vip-mine", ""),
    PREFIX + "lb-method": METHOD,
    PREFIX + "proxy-protocol": ("true", "v1", "v2", "false", "V2", "True", ""),
    PREFIX + "subnet-id": SUBNET,
    PREFIX + "network-id": ("net-nodes", "net-other", ""),
    PREFIX + "member-subnet-id": SUBNET,
    PREFIX + "timeout-client-data": NUMBER,
    PREFIX + "timeout-member-connect": NUMBER,
    PREFIX + "timeout-member-data": NUMBER,
    PREFIX + "timeout-tcp-inspect": NUMBER,
    PREFIX + "x-forwarded-for": SWITCH,
    PREFIX + "flavor-id": ("flavor-2", ""),
    PREFIX + "availability-zone": ("zone-2", ""),
    PREFIX + "enable-health-monitor": SWITCH,
    PREFIX + "health-monitor-delay": NUMBER,
    PREFIX + "health-monitor-timeout": NUMBER,
    PREFIX + "health-monitor-max-retries": NUMBER,
    PREFIX + "health-monitor-max-retries-down": NUMBER,
    PREFIX + "hostname": ("web.example.org", ""),
    PREFIX + "load-balancer-address": ("192.0.2.99", ""),
    PREFIX + "default-tls-container-ref": TLS,
    PREFIX + "unknown-to-all": ("x",),
    LOAD_BALANCER_ID: ("",),
}
# what cannot be had together, or not with all protocols
AT_ODDS: tuple[dict[str, str], ...] = (
    {PREFIX + "proxy-protocol": "v2", PREFIX + "x-forwarded-for": "true"},
    {PREFIX + "proxy-protocol": "true", PREFIX + "default-tls-container-ref": TLS[0]},
    {PREFIX + "x-forwarded-for": "true", PREFIX + "default-tls-container-ref": TLS[0]},
    {INTERNAL: "true", PREFIX + "floating-network-id": "net-ext"},
    {PREFIX + "subnet-id": "subnet-nodes", PREFIX + "network-id": "net-other"},
    {PREFIX + "enable-health-monitor": "false", PREFIX + "health-monitor-delay": "5"},
)
# the API versions of Octavia's releases from Queens on, and those in between that decide about something
OCTAVIA = ("2.0", "2.1", "2.2", "2.4", "2.5", "2.6", "2.10", "2.11", "2.12", "2.13", "2.14", "2.15", "2.16", "2.23", "2.24",
           "2.25", "2.26", "2.27", "2.28", "2.30")  # fmt: skip
