"""An lb-version that disables load balancers."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling


def check(conf: CloudConf) -> Problems:
    """Look at lb-version."""
    item = conf.last("LoadBalancer", "lb-version")
    section = conf.schema.section("LoadBalancer")
    if item is None or section is None or (conf.consumer == IN_TREE and section.key("use-octavia") is None):
        return  # the in-tree provider before it knew Octavia had v1, too
    value = conf.typed(item)
    known = allowed_values("LoadBalancer", "lb-version", conf.release)
    if (
        not isinstance(value, str)
        or not value
        or known is None
        or value in known.words
        or spelling.is_reported_as_misspelt(value)
    ):
        return
    yield Problem(
        item.span,
        "the CCM does not start: it supports `v2` only"
        if known.fatal
        else "the CCM supports `v2` only and disables load balancers",
        "The key is obsolete: without it the CCM uses Octavia, the only service left."
        if known.fatal
        else "Services of type LoadBalancer stay pending, with a warning in the log and no event.",
        "Delete the line.",
        fixes.safe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
    )
