"""The settings of the Sovereign Cloud Stack's k8s-cluster-api-provider: its ``clusterctl.yaml``, which has no kind."""

from __future__ import annotations

from ccmcheck.carriers.base import ScsSwitches
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.yamlio import Mapping, Scalar, YamlNode

_OVN = "USE_OVN_LB_PROVIDER"
_PROXY = "NGINX_INGRESS_PROXY"


def find(carrier: Carrier, node: YamlNode) -> None:
    """Read the root of a document, if it is one."""
    if isinstance(node, Mapping) and node.key(_OVN) is not None:
        collector, source = carrier.collector, carrier.source
        collector.switches.append(
            ScsSwitches(collector.path, _rendered_value(source, node, _OVN), _rendered_value(source, node, _PROXY))
        )


def _rendered_value(source: SourceText, node: Mapping, name: str) -> str:
    """A text without template marks; empty where there is none."""
    value = node.get(name)
    return value.value if isinstance(value, Scalar) and not source.has_mark(value) else ""
