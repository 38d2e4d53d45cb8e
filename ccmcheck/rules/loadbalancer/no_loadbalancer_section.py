"""A missing [LoadBalancer] section disables load balancers."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Span
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION
from ccmcheck.rules._support.ignored import is_ccm_file, is_merged


def check(conf: CloudConf) -> Problems:
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
