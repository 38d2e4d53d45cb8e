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

FAMILIES: dict[str, str] = {"amphora": "amphora", "octavia": "amphora", "amphorav2": "amphora", "ovn": "ovn"}
"""Which driver a provider name stands for; case-sensitive. Other names are other drivers."""

METHODS: dict[str, dict[str, str]] = {
    # octavia/api/drivers/amphora_driver/v2/driver.py: SOURCE_IP_PORT is a 501 in a call of its own; inside a fully
    # populated create it is taken and rendered as plain round robin
    "amphora": {"ROUND_ROBIN": "", "LEAST_CONNECTIONS": "", "SOURCE_IP": ""},
    # ovn_octavia_provider/driver.py _check_for_supported_algorithms; SOURCE_IP with 11.0.0
    "ovn": {"SOURCE_IP_PORT": "", "SOURCE_IP": "2026.2"},
}
"""For each driver the algorithms it takes, with the series that brings each; empty for all series."""
