"""Manifests as text: every way to write a scalar in YAML, in fields of every type."""

from __future__ import annotations

from collections.abc import Iterator

SCALARS: tuple[str, ...] = (
    "80", "0x50", "0o120", "0120", "080", "0b1010000", "8_0", "80.0", "8e1", "+80", "-80", ".8e2", "'80'", '"80"',
    "!!str 80", "!!int '80'", "!!float 80", "~", "null", "Null", "", "yes", "on", "True", "true", "TRUE", "y", "n", "off",
    "2001-01-01", "2001-01-01T00:00:00Z", ".inf", ".nan", "1:30", "80 # x", "|\n    80", ">-\n    80", "abc", "a: b",
    "[80]", "{a: 80}", "*x", "&a 80", "0x1F", "1e3", "1E3", "0.0", "00080", "9223372036854775808",
    "18446744073709551616", "!foo 80", "<<", "=", "'true'", "80.", "8_0_", "0_80", "0x_5", "- 80", "30080", "1.10",
)  # fmt: skip

_HEAD = "kind: Service\napiVersion: v1\nmetadata:\n  name: web\n"
_SPEC = "spec:\n  type: LoadBalancer\n"
_PORTS = "  ports: [{port: 80}]\n"
FIELDS: dict[str, str] = {
    "port": _HEAD + _SPEC + "  ports:\n  -\n    port: {}\n",
    "nodePort": _HEAD + _SPEC + "  ports:\n  - port: 80\n    nodePort: {}\n",
    "targetPort": _HEAD + _SPEC + "  ports:\n  - port: 80\n    targetPort: {}\n",
    "name": _HEAD + _SPEC + "  ports:\n  - port: 80\n    name: {}\n",
    "protocol": _HEAD + _SPEC + "  ports:\n  - port: 80\n    protocol: {}\n",
    "annotation": _HEAD + "  annotations:\n    a: {}\n" + _SPEC + _PORTS,
    "label": _HEAD + "  labels:\n    a: {}\n" + _SPEC + _PORTS,
    "allocateLoadBalancerNodePorts": _HEAD + _SPEC + "  allocateLoadBalancerNodePorts: {}\n" + _PORTS,
    "loadBalancerIP": _HEAD + _SPEC + "  loadBalancerIP: {}\n" + _PORTS,
    "loadBalancerSourceRanges": _HEAD + _SPEC + "  loadBalancerSourceRanges: [{}]\n" + _PORTS,
    "healthCheckNodePort": _HEAD + _SPEC + "  externalTrafficPolicy: Local\n  healthCheckNodePort: {}\n" + _PORTS,
}
"""A manifest for each field, with a place for the scalar."""


def texts() -> Iterator[tuple[str, str, str]]:
    """Field, scalar, manifest."""
    for field, manifest in FIELDS.items():
        for scalar in SCALARS:
            yield field, scalar, manifest.replace("{}", scalar.replace("\n    ", "\n        "), 1)
