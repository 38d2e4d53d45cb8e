"""enable-ingress-hostname is obsolete."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.behaviour import behaves, kubernetes_has
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the versions first."""
    if not conf.run_context.facts.kubernetes_version or not behaves("sets-ip-mode", conf.release):
        return
    lb = balancer(conf)
    item = lb.items.get("enable-ingress-hostname")
    if item is None or not lb.applies or conf.typed(item) is not True:
        return
    if kubernetes_has("ip-mode", conf.run_context.facts.kubernetes_version):
        yield Problem(
            item.span,
            "the status of Services has a DNS name, so the CCM does not set `ipMode: Proxy`",
            "The CCM and Kubernetes support ipMode, which solves the same problem without a third party's DNS.",
            "Delete the line.",
            fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
        )
