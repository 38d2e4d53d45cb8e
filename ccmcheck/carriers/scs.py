"""The settings of the Sovereign Cloud Stack's k8s-cluster-api-provider: its ``clusterctl.yaml``, which has no kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import ScsSwitches
from ccmcheck.yamlio import Mapping, Scalar

if TYPE_CHECKING:
    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.search import Search
    from ccmcheck.yamlio import Node

_OVN = "USE_OVN_LB_PROVIDER"
_PROXY = "NGINX_INGRESS_PROXY"


def find(search: Search, level: Level, node: Node) -> None:
    """Look whether a document is one.

    Args:
        search: Collects what is found.
        level: The text that the document is in.
        node: Its root.
    """
    if isinstance(node, Mapping) and node.key(_OVN) is not None:
        search.switches.append(ScsSwitches(search.path, _known(level, node, _OVN), _known(level, node, _PROXY)))


def _known(level: Level, node: Mapping, name: str) -> str:
    value = node.get(name)
    return value.value if isinstance(value, Scalar) and not level.has_mark(value) else ""
