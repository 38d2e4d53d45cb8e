"""An invalid value that also stops the Cinder CSI driver."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import unreadable

_SECTIONS = ("LoadBalancer", "LoadBalancerClass", "Networking")


def check(conf: CloudConf) -> Problems:
    """Look up the keys of the CCM's errors in what the driver reads."""
    if not conf.reading.stops or conf.consumer == CINDER_CSI or not _is_shared(conf):
        return
    driver = catalog.schema(conf.release, CINDER_CSI)
    for unread in unreadable.values(conf, *unreadable.KINDS):
        section = driver.section(unread.spec.section) if unread.spec.section in _SECTIONS else None
        if section is not None and section.key(unread.spec.name) is not None:
            yield Problem(
                unread.item.span,
                "the Cinder CSI driver of this release reads this value too, and does not start",
                "Until it is corrected, no volume is created or attached.",
                "Correct the value, or upgrade the driver.",
            )


def _is_shared(conf: CloudConf) -> bool:
    """Whether the driver reads the file: as the consumers say, else where its own section is in the file."""
    consumers = conf.carried.consumers
    return CINDER_CSI in consumers or (not consumers and conf.has_section("BlockStorage"))
