"""A missing [LoadBalancer] section disables load balancers.

What it does: finds files without a key in [LoadBalancer], for releases that require one.

Why: Services of type LoadBalancer stay pending, without an event, and the log only has it at verbosity 4.

What the CCM does: up to 1.17 it treats load balancer options that are all zero as "not supported", and skips the service
controller. Since 1.18 some options have defaults, so an empty section is enough.

Releases: 1.17 and older

Fix: adds the section with `use-octavia = true`.

Fix safety: unsafe because load balancers are created where there were none

Source: cloud-provider-openstack pkg/cloudprovider/providers/openstack/openstack.go LoadBalancer(), v1.14.0 to
v1.17.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity, Span
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION
from ccmcheck.rules._support.ignored import is_ccm_file, is_merged
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("no-loadbalancer-section", "A missing [LoadBalancer] section disables load balancers", Severity.WARNING)

BAD = (
    Case(
        "[Global]\nregion=one\n",
        at=(1, 1),
        fixed="[Global]\nregion=one\n\n[LoadBalancer]\nuse-octavia=true\n",
        unsafe=True,
        release="1.17",
    ),
    Case(
        "[LoadBalancer]\n# nothing yet\n[Global]\nregion = one\n",
        at=(1, 1),
        fixed="[LoadBalancer]\nuse-octavia = true\n# nothing yet\n[Global]\nregion = one\n",
        unsafe=True,
        release="1.16",
    ),
)
GOOD = (
    Case("[Global]\nregion=one\n", release="1.18"),
    Case("[Global]\nregion=one\n"),
    Case("[LoadBalancer]\nlb-version=v2\n", release="1.17"),
    Case("[Global]\nregion=one\n${LB_SECTION}\n", release="1.17", template=True),
    Case("[Global]\nregion=one\n[BlockStorage]\nbs-version=v3\n", release="1.17", consumers=("cinder-csi-plugin",)),
    Case("", release="1.17", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for a key in the section."""
    if not behaves("load-balancers-need-a-key", conf.release) or not conf.sections:
        return
    if not is_ccm_file(conf) or conf.may_hide_keys() or is_merged(conf):
        return
    sections = conf.sections_named(SECTION)
    if any(section.entries for section in sections):
        return
    spec = conf.schema.section(SECTION)
    place = (sections or conf.sections)[0].span
    yield Problem(
        Span(place.start, place.end),
        f"no key in [{SECTION}], so CCM {conf.release.name} creates no load balancers",
        "Services of type LoadBalancer stay pending, without an event.",
        f"Add `[{SECTION}]` with a key such as `use-octavia = true`, or upgrade to "
        f"{fixed_in('load-balancers-need-a-key', conf.release)}.",
        fixes.unsafe(conf, f"add [{SECTION}]", fixes.add_key(conf, SECTION, "use-octavia", "true"))
        if spec is not None and spec.key("use-octavia") is not None
        else None,
    )
