"""An invalid value that also stops the Cinder CSI driver.

What it does: finds invalid values in `[LoadBalancer]`, `[LoadBalancerClass]` and `[Networking]` of a file that the Cinder
CSI driver reads as well.

Why: volumes fail as well as load balancers, and the cause is a load balancer setting in the driver's log.

What the CCM does: it stops, as the finding about the value says. The driver embeds the CCM's whole configuration and stops with the same
error; since 1.21 it reads only its own sections.

Releases: those whose Cinder CSI driver reads `[LoadBalancer]`: 1.16 to 1.20

Fix: see the finding about the value.

Source: cloud-provider-openstack pkg/csi/cinder/openstack/openstack.go, 1.16 to 1.20
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.rules._support import unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("csi-shared-file", "An invalid value that also stops the Cinder CSI driver", Severity.ERROR)


BAD = (
    Case("[LoadBalancer]\nmonitor-delay=5\n[BlockStorage]\n", at=(2, 15), release="1.20"),
    Case("[Networking]\nipv6-support-disabled=maybe\n", at=(2, 23), release="1.16", consumers=("ccm", CINDER_CSI)),
)
GOOD = (
    Case("[LoadBalancer]\nmonitor-delay=5\n[BlockStorage]\n", release="1.21"),
    Case("[LoadBalancer]\nmonitor-delay=5\n", release="1.20"),
    Case("[LoadBalancer]\nmonitor-delay=5\n[BlockStorage]\n", release="1.20", consumers=("ccm",)),
    Case("[LoadBalancer]\nmonitor-delay=${DELAY}\n[BlockStorage]\n", release="1.20", template=True),
    Case("[LoadBalancer]\nmonitor-delay=5s\n[BlockStorage]\nbs-version=v3\n", release="1.20"),
    Case("[Metadata]\nrequest-timeout=5\n[BlockStorage]\n", release="1.20", shown=False),
)

_SECTIONS = ("LoadBalancer", "LoadBalancerClass", "Networking")


def check(conf: CloudConf) -> Iterator[Problem]:
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
