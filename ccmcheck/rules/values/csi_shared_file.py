"""A value that stops the Cinder CSI driver too.

What it does: finds values below `[LoadBalancer]`, `[LoadBalancerClass]` and `[Networking]` that cannot be read, in a file that the Cinder
CSI driver reads as well.

Why: volumes stop as well as load balancers, and the driver's log is where nobody looks for a load balancer's setting.

What the CCM does: it stops, as the value's own finding says. The driver embedded the CCM's whole configuration and stops with the same
error; since 1.21 it knows only its own sections.

Releases: those whose Cinder CSI driver knows `[LoadBalancer]`: 1.16 to 1.20

Fix: that of the value's own finding.

Source: cloud-provider-openstack pkg/csi/cinder/openstack/openstack.go, 1.16 to 1.20
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("csi-shared-file", "A value that stops the Cinder CSI driver too", Severity.ERROR)

_CSI = "cinder-csi-plugin"

BAD = (
    Case("[LoadBalancer]\nmonitor-delay=5\n[BlockStorage]\n", at=(2, 15), release="1.20"),
    Case("[Networking]\nipv6-support-disabled=maybe\n", at=(2, 23), release="1.16", consumers=("ccm", _CSI)),
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
    """Look at the CCM's own errors with the driver's eyes."""
    if not conf.reading.stops or conf.consumer == _CSI or not _is_shared(conf):
        return
    driver = catalog.schema(conf.release, _CSI)
    for unread in unreadable.values(conf, *unreadable.KINDS):
        section = driver.section(unread.spec.section) if unread.spec.section in _SECTIONS else None
        if section is not None and section.key(unread.spec.name) is not None:
            yield Problem(
                unread.item.span,
                "the Cinder CSI driver of this release reads this value too, and stops at it",
                "No volume is attached or made while it stands here.",
                "Mend the value; an upgrade of the driver helps as well.",
            )


def _is_shared(conf: CloudConf) -> bool:
    """Whether the driver reads the file: somebody said so, or its own section is in it and nobody said otherwise."""
    consumers = conf.carried.consumers
    return _CSI in consumers or (not consumers and conf.has_section("BlockStorage"))
