"""An `lb-version` that disables load balancers.

What it does: finds an `lb-version` that is neither empty nor `v2`; the value is case-sensitive.

Why: the key selected between load balancer services that no longer exist; any other value only does harm.

What the CCM does: up to 1.31 it logs a warning and disables load balancers, so Services stay pending; since 1.32 it stops
with `currently only support LBaaS v2`.

Releases: all

Fix: deletes the line.

Fix safety: safe because no other value works, and an absent key means the same as `v2`

Source: cloud-provider-openstack pkg/openstack/openstack.go (LoadBalancer), 1.14 to 1.36
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("lb-version-not-v2", "An lb-version that disables load balancers", Severity.ERROR)

BAD = (
    Case("[LoadBalancer]\nlb-version = v1\nsubnet-id=\n", at=(2, 14), fixed="[LoadBalancer]\nsubnet-id=\n"),
    Case("[LoadBalancer]\nlb-version=V2\n", at=(2, 12), fixed="[LoadBalancer]\n", release="1.31"),
    Case("[LoadBalancer]\nlb-version=2", at=(2, 12), fixed="[LoadBalancer]", shown=False),
)
GOOD = (
    Case("[LoadBalancer]\nlb-version = v2\n"),
    Case("[LoadBalancer]\nlb-version =\n"),
    Case("[LoadBalancer]\nlb-version=v1\nlb-version=v2\n", shown=False),
    Case("[LoadBalancer]\nlb-version=${VERSION}\n", template=True, shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at lb-version."""
    item = conf.last("LoadBalancer", "lb-version")
    if item is None:
        return
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
