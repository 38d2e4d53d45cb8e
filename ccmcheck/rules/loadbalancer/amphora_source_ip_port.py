"""A load balancing algorithm that amphora does not support."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Look at the algorithm where the provider is amphora."""
    lb = balancer(conf)
    item = lb.items.get("lb-method")
    if item is None or lb.method not in lb.driver.methods_of_create or not lb.applies:
        return
    supported = tuple(lb.driver.methods or ())
    yield Problem(
        item.span,
        "not supported by amphora: a new load balancer uses plain round robin, and a new pool is rejected",
        "Octavia checks the algorithm only where a pool is created or changed in a separate call, and returns 501 then.",
        f"Write one of {', '.join(f'`{word}`' for word in supported)}, or `lb-provider = ovn`.",
        fixes.unsafe(conf, f"write `{supported[0]}`", fixes.write_value(conf, item.entry, supported[0])),
    )
