"""A load balancing algorithm that ovn does not support."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer


def check(conf: CloudConf) -> Problems:
    """Look at the algorithm where the provider is ovn."""
    lb = balancer(conf)
    if not lb.driver.is_special or lb.method is None or not lb.applies:
        return
    words = allowed_values(SECTION, "lb-method", conf.release)
    if lb.method and words is not None and lb.method not in words.words:
        return  # not an algorithm of Octavia: reported by enum-bad
    if lb.method and lb.driver.takes(lb.method, conf.run_context.facts.octavia_release) is not False:
        return
    best = next(iter(lb.driver.methods or ()))
    item = lb.items.get("lb-method")
    if item is None:
        item = lb.items["lb-provider"]
        label = f"without lb-method the CCM requests {lb.method or 'ROUND_ROBIN'}, which ovn does not support"
        edit = fixes.add_key(conf, SECTION, "lb-method", best, after=item.entry)
    else:
        label = "not supported by ovn" if lb.method else "an empty algorithm is sent as it is and rejected"
        edit = None if item.opaque else fixes.write_value(conf, item.entry, best)
    yield Problem(
        item.span,
        label,
        "Octavia rejects every load balancer, and the Services stay pending.",
        f"Write `lb-method = {best}`.",
        fixes.safe(conf, f"write `lb-method = {best}`", edit),
    )
