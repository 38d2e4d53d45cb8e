"""internal-network-name does not hold alone in old releases."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf

_BEHAVIOUR = "internal-network-not-alone"


def check(conf: CloudConf) -> Problems:
    """Report the key where the release has the fault."""
    item = conf.last("Networking", "internal-network-name")
    if item is not None and item.entry.value and behaves(_BEHAVIOUR, conf.release):
        yield Problem(
            item.span,
            f"CCM {conf.release.name} lists the addresses of all ports of a server as InternalIPs, whatever their network is",
            "A load balancer's member has the first InternalIP, which may be in another network than this one.",
            f"Upgrade to {fixed_in(_BEHAVIOUR, conf.release)} or newer.",
        )
