"""What Octavia and its drivers accept, as far as cloud.conf alone decides it.

Sources: openstack/octavia 19.0.0 octavia/common/constants.py and octavia/api (measured with the PyPI package),
openstack/ovn-octavia-provider driver.py and constants.py of every tag, sapcc/octavia-f5-provider-driver.
"""

from __future__ import annotations

SERIES: tuple[str, ...] = (
    "queens", "rocky", "stein", "train", "ussuri", "victoria", "wallaby", "xena", "yoga", "zed",
    "2023.1", "2023.2", "2024.1", "2024.2", "2025.1", "2025.2", "2026.1", "2026.2",
)  # fmt: skip
"""OpenStack's series in order; Octavia 2.0.0 is the first, and each series counts its major version up by one."""

FIRST_MAJOR = 2

RETRIES = (1, 10)
"""max_retries and max_retries_down of a health monitor: MIN_HM_RETRIES, MAX_HM_RETRIES; anything else is a 400."""

DEFAULT_RETRIES_DOWN = 3
"""max_retries_down where the request leaves it out: HM_DEFAULT_MAX_RETRIES_DOWN."""

MEMBER_CONNECT_SECONDS = 5
"""timeout_member_connect of a listener, which the CCM sends too; it cuts a check's wait for a silent host short."""

CONNECT_TRIES = 4
"""How often HAProxy tries to connect before it closes a client's connection: ``retries 3`` in octavia/common/jinja/haproxy/
combined_listeners/templates/base.j2, with ``option redispatch``; Octavia 5.0.0 to 19.0.0."""

HEARTBEAT_SECONDS = 10
"""heartbeat_interval of an amphora: how often it reports the status of its members; its default."""

REFUSED_WAIT_SECONDS = 1.0
REFUSED_TRIES = 2
"""Under SOURCE_IP HAProxy waits a second, or timeout_member_connect if that is shorter, between tries that are refused; a
connection was closed after two such waits (HAProxy 2.6.12, measured)."""

FAMILIES: dict[str, str] = {"amphora": "amphora", "octavia": "amphora", "amphorav2": "amphora", "ovn": "ovn"}
"""The driver of each provider name; case-sensitive. Other names are other drivers."""

WITHOUT_FLAVORS = frozenset({"ovn"})
"""Drivers without flavors: ovn_octavia_provider 11.0.0 driver.py leaves octavia_lib's validate_flavor as it is, which is
not implemented, so that no flavor profile can name the provider."""

DEFAULT_DRIVER = "amphora"
"""``default_provider_driver`` where the operator changes nothing: what an empty lb-provider gets."""

METHODS: dict[str, dict[str, str]] = {
    # octavia/api/drivers/amphora_driver/v2/driver.py: SOURCE_IP_PORT is a 501 in a call of its own; inside a fully
    # populated create it is taken and rendered as plain round robin
    "amphora": {"ROUND_ROBIN": "", "LEAST_CONNECTIONS": "", "SOURCE_IP": ""},
    # ovn_octavia_provider/driver.py _check_for_supported_algorithms; SOURCE_IP with 11.0.0
    "ovn": {"SOURCE_IP_PORT": "", "SOURCE_IP": "2026.2"},
}
"""For each driver the algorithms it takes, with the series that brings each; empty for all series."""

API_VERSIONS: dict[str, tuple[int, int]] = {
    "queens": (2, 0), "rocky": (2, 2), "stein": (2, 10), "train": (2, 13), "ussuri": (2, 16), "victoria": (2, 23),
    "wallaby": (2, 24), "xena": (2, 24), "yoga": (2, 25), "zed": (2, 26), "2023.1": (2, 26), "2023.2": (2, 27),
    "2024.1": (2, 28), "2024.2": (2, 28), "2025.1": (2, 30), "2025.2": (2, 30), "2026.1": (2, 30), "2026.2": (2, 30),
}  # fmt: skip
"""The newest API version of each series: octavia/api/root_controller.py at its tag."""

API_FEATURES: dict[str, tuple[int, int]] = {
    "timeouts": (2, 1),
    "tags": (2, 5),
    "flavors": (2, 6),
    "allowed-cidrs": (2, 12),
    "availability-zones": (2, 14),
    "http-monitors-on-udp": (2, 16),
}
"""The API version from which the CCM asks for a thing: cloud-provider-openstack pkg/util/openstack/loadbalancer.go
IsOctaviaFeatureSupported (before 1.19 openstack_loadbalancer.go)."""

UDP_CONNECT_SECONDS = 3
"""The shortest delay of a UDP-CONNECT monitor where the operator changes nothing: octavia/common/config.py
udp_connect_min_interval_health_monitor."""

CHANGE_SECONDS = (1, 10)
"""How long a load balancer is pending after one request, in seconds: an assumption. The CCM looks again after 1 s at the
earliest (cloud-provider-openstack pkg/util/openstack/loadbalancer.go waitLoadbalancerInitDelay); an amphora's agent reloads
HAProxy within seconds."""

CREATE_SECONDS = (30, 180)
"""How long a new load balancer is pending, in seconds: an assumption; an amphora boots meanwhile, OVN needs seconds."""

MONITOR_BYTES = 152
"""What a monitor adds to the body of a fully populated create, at least (measured)."""

BODY_LIMIT = (114688, "2024.1")
"""Bytes of a request's body, and the series that limits them (oslo.middleware, commit a81cf552c); above it a 413."""

BODY_PARTS = (1000, 606, 137)
"""Bytes of a request for a whole load balancer with realistic names: itself with its first port, each further port, each
member; measured with 1 to 50 ports."""

LISTENER_POOLS: dict[str, frozenset[str]] = {
    "TCP": frozenset({"TCP", "HTTP", "HTTPS", "PROXY", "PROXYV2"}),
    "HTTP": frozenset({"HTTP", "PROXY", "PROXYV2"}),
    "HTTPS": frozenset({"HTTPS", "TCP", "PROXY", "PROXYV2"}),
    "TERMINATED_HTTPS": frozenset({"HTTP", "PROXY", "PROXYV2"}),
    "UDP": frozenset({"UDP"}),
    "SCTP": frozenset({"SCTP"}),
}
"""Which pools a listener may have: VALID_LISTENER_POOL_PROTOCOL_MAP, measured."""

STREAM_MONITORS = frozenset({"TCP", "HTTP", "HTTPS", "PING", "TLS-HELLO"})
DATAGRAM_MONITORS = frozenset({"UDP-CONNECT", "SCTP", "TCP", "HTTP"})
DATAGRAM_POOLS = frozenset({"UDP", "SCTP"})
"""Pools take `DATAGRAM_MONITORS`, all others `STREAM_MONITORS`; measured in 49 cells."""

ALGORITHMS = ("ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP", "SOURCE_IP_PORT")
"""What the API takes, case-sensitive; drivers take fewer."""

TIMEOUT_LIMIT = 24 * 24 * 60 * 60 * 1000
"""Milliseconds of a listener's timeouts: MAX_TIMEOUT, 24 days."""

TEXT_LIMIT = 255
"""Characters of names, descriptions and references: wtypes.StringType(max_length=255) in octavia/api/v2/types."""

MOST_PORT = 65535
"""The highest port: MAX_PORT_NUMBER."""

HAPROXY_SECONDS = 2147483
"""A delay or timeout above makes HAProxy refuse its configuration (32-bit milliseconds); so does a delay of 0."""

MYSQL_INT = 2147483647
"""A delay or timeout above is a 500 on MariaDB."""

PROTOCOL_SINCE: dict[str, str] = {"PROXYV2": "victoria", "SCTP": "wallaby", "UDP": "rocky"}
"""The series in which the amphora driver brings a protocol."""

OVN_FIRST: dict[str, tuple[str, ...]] = {
    # first version of each series that has it (1.0 is Wallaby, 1.1 and later 1.x Xena), oldest series first; of the series
    # that are not listed, those after the last have it
    "monitors": ("1.0.1", "1.1.0"),
    "fully-populated": ("1.0.1", "1.2.0", "2.0.0"),
    "monitor-in-create": ("1.2.0", "2.1.0", "3.1.0", "4.0.0"),
    "monitor-on-floating-ip": ("2.2.0", "3.1.2", "4.0.2", "5.0.0"),
    "ipv6-monitors": ("4.0.2", "5.1.0", "6.0.1", "7.0.0"),
    "member-subnet-in-create": ("5.1.0", "6.0.1", "7.0.0"),
    "persistence": ("5.0.0",),
    "source-ip": ("11.0.0",),
}
"""What ovn-octavia-provider brings in which release: its release notes and the git log of every tag."""

OVN_POOLS = frozenset({"TCP", "UDP", "SCTP"})
OVN_MONITORS = frozenset({"TCP", "UDP-CONNECT"})
"""What the ovn driver takes; measured with 11.0.0."""
