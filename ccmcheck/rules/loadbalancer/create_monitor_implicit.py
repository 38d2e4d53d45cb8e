"""create-monitor is not set.

What it does: finds files that leave `create-monitor` out.

Why: the default is off in every release. Whether dead nodes and nodes without a pod are removed from the load
balancer depends on this key, so the choice should be explicit.

What the CCM does: it creates no health monitor, except for Services with the annotation
`loadbalancer.openstack.org/enable-health-monitor: "true"`. Octavia then sends traffic to every node, whether it works or not.

Releases: 1.18 and newer; before, `true` requires three timers as well

Fix: writes the value that the decision matrix recommends for this provider and release.

Fix safety: unsafe because every load balancer gets monitors at the next restart of the CCM

Source: cloud-provider-openstack pkg/openstack/openstack.go ReadConfig; kubernetes/cloud-provider-openstack#2866;
ccmcheck's decision matrix
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.profile import Requirement
from ccmcheck.carriers.base import RunContext
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer, has_requirement
from ccmcheck.rules._support.ignored import CCM, is_merged, is_misnamed
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("create-monitor-implicit", "create-monitor is not set", Severity.INFO)

BAD = (
    Case(
        "[Global]\nregion=one\n[LoadBalancer]\nlb-provider=amphora\n",
        at=(3, 1),
        fixed="[Global]\nregion=one\n[LoadBalancer]\nlb-provider=amphora\ncreate-monitor=true\n",
        unsafe=True,
    ),
    Case(
        '[LoadBalancer]\nfloating-network-id = "x"\n\n[Networking]\n',
        at=(1, 1),
        fixed='[LoadBalancer]\nfloating-network-id = "x"\ncreate-monitor = "true"\n\n[Networking]\n',
        unsafe=True,
        release="1.31",
    ),
    Case(
        "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n",
        at=(1, 1),
        fixed="[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = false\n",
        unsafe=True,
        release="1.25",
    ),
    Case(
        "[Global]\nregion = one\n",
        at=(1, 1),
        fixed="[Global]\nregion = one\n\n[LoadBalancer]\ncreate-monitor = true\n",
        unsafe=True,
        consumers=("ccm",),
        shown=False,
    ),
    Case(
        "[LoadBalancer]\nsubnet-id=x\n",
        at=(1, 1),
        fixed="[LoadBalancer]\nsubnet-id=x\ncreate-monitor=false\n",
        unsafe=True,
        release="v1.23.0",
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor = false\n"),
    Case("[LoadBalancer]\nCreate-Monitor\n"),
    Case("[LoadBalancer]\nlb-provider=amphora\n", release="1.17"),
    Case("[LoadBalancer]\nenabled=false\n"),
    Case("[LoadBalancer]\nsubnet-id=x\n${MORE}\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=${MONITOR}\n", template=True),
    Case("[LoadBalancer]\ncreate-montior=true\n", shown=False),
    Case("[LoadBalancer]\nenable-health-monitor=true\n", shown=False),
    Case("[LoadBalancer]\ncreate_monitor=true\n", shown=False),
    Case(
        "[LoadBalancer]\nlb-provider = amphora\n",
        run_context=RunContext(
            requirements=(Requirement("site", "LoadBalancer", "create-monitor", "equals", ("true",)),)
        ),
        shown=False,
    ),
    Case("[LoadBalancer]\nmonitor-delay=5s\n", shown=False),
    Case("[Global]\nregion=one\n", consumers=("ccm",), carrier="Helm values", shown=False),
    Case("[Global]\nregion=one\n[BlockStorage]\nignore-volume-az=true\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the key."""
    lb = balancer(conf)
    if "create-monitor" in lb.items or not lb.applies or not lb.timers_by_default or lb.timers:
        return
    if conf.may_hide_keys(SECTION) or is_misnamed(conf, SECTION, "create-monitor"):
        return
    if has_requirement(conf, "create-monitor"):
        return
    section = next((one for one in conf.sections_named(SECTION) if one.subsection is None), None)
    if section is None and (
        conf.carried.consumers != (CCM,) or not conf.sections or conf.may_hide_keys() or is_merged(conf)
    ):
        return
    place = (section or conf.sections[0]).span
    from ccmcheck.policy.create_monitor.verdict import for_config

    verdict = for_config(conf.release, lb.driver_family, lb.serial)
    value = "true" if verdict.value else "false"
    why = verdict.for_any or (verdict.rows[0] if verdict.rows else None)
    first = why.when.releases[0] if why is not None and conf.is_assumed else ""
    since = f", since CCM {catalog.release(first).branch}" if first else ""
    yield Problem(
        place,
        "create-monitor is not set and defaults to false: load balancers do not check their nodes",
        f"{why.why[0].upper()}{why.why[1:]} ({why.id}{since})." if why is not None and verdict.value else "",
        f"Write `create-monitor = {value}` to make the choice explicit.",
        fixes.unsafe(conf, f"write `create-monitor = {value}`", fixes.add_key(conf, SECTION, "create-monitor", value)),
    )
