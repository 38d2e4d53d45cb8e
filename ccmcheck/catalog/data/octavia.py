"""What Octavia accepts, as far as cloud.conf alone decides it.

What single drivers accept is in `ccmcheck.predict.drivers`.

Sources: openstack/octavia 19.0.0 octavia/common/constants.py and octavia/api (measured with the PyPI package).
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

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

IDLE_MILLISECONDS = 50000
"""timeout_client_data and timeout_member_data of a listener, which the CCM sends from 1.19 on."""

CONNECT_TRIES = 4
"""How often HAProxy tries to connect before it closes a client's connection: ``retries 3`` in octavia/common/jinja/haproxy/
combined_listeners/templates/base.j2, with ``option redispatch``; Octavia 5.0.0 to 19.0.0."""

HEARTBEAT_SECONDS = 10
"""heartbeat_interval of an amphora: how often it reports the status of its members; its default."""

REFUSED_WAIT_SECONDS = 1.0
REFUSED_WAITS = {"": (3, 3), "SOURCE_IP": (2, 3), "LEAST_CONNECTIONS": (0, 3)}
"""HAProxy waits a second, or timeout_member_connect if that is shorter, before it tries the member again that refused it:
how often until it closes a connection, of one member, and by algorithm of several; other algorithms take another member
at once. The first is HAProxy 2.6.12's, the second 2.4.9's, which moves on at its last try only; both measured."""

MANY_MEMBERS = 800
"""How many members one request can hold at most, roughly: 114688 bytes, Octavia 14.0.0 and newer, measured."""

FIELD_SINCE: dict[str, dict[str, str]] = {}
for _object, _field, _series in read_table(__file__, "octavia_fields.tsv"):
    FIELD_SINCE.setdefault(_object, {})[_field] = _series
"""The series that brings a field; an older one answers 400 (octavia/api/v2/types at 2.0.0 to 6.0.0; wsme: Unknown attribute)."""

PROVIDERS: dict[str, str] = dict(read_table(__file__, "octavia_providers.tsv"))
"""The driver of each provider name, a file in `ccmcheck.predict.drivers`; names are case-sensitive. Octavia enables amphora and
its alias octavia (octavia/common/config.py enabled_provider_drivers); the others are the usual names of drivers that are
installed beside it (its administrator's guide, Available Provider Drivers)."""

DEFAULT_PROVIDER = "amphora"
"""``default_provider_driver`` where the operator changes nothing: what an empty lb-provider gets."""

API_VERSIONS: dict[str, tuple[int, int]] = {
    "queens": (2, 0), "rocky": (2, 2), "stein": (2, 10), "train": (2, 13), "ussuri": (2, 16), "victoria": (2, 23),
    "wallaby": (2, 24), "xena": (2, 24), "yoga": (2, 25), "zed": (2, 26), "2023.1": (2, 26), "2023.2": (2, 27),
    "2024.1": (2, 28), "2024.2": (2, 28), "2025.1": (2, 30), "2025.2": (2, 30), "2026.1": (2, 30), "2026.2": (2, 30),
}  # fmt: skip
"""The newest API version of each series: octavia/api/root_controller.py at its tag."""

API_FEATURES: dict[str, tuple[int, int]] = {
    name: (int(major), int(minor)) for name, major, minor in read_table(__file__, "octavia_features.tsv")
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

LISTENER_POOLS: dict[str, frozenset[str]] = {
    listener: frozenset(pools) for listener, *pools in read_table(__file__, "listener_pools.tsv")
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

MYSQL_INT = 2147483647
"""A delay or timeout above is a 500 on MariaDB."""
