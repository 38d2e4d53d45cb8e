"""enable-ingress-hostname is obsolete."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves, kubernetes_has
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Look at the versions first."""
    version = conf.run_context.facts.kubernetes_version
    if not behaves("sets-ip-mode", conf.release) or (version and not kubernetes_has("ip-mode", version)):
        return
    lb = balancer(conf)
    item = lb.items.get("enable-ingress-hostname")
    if item is None or not lb.applies or conf.typed(item) is not True:
        return
    yield Problem(
        item.span,
        "the status of Services with the PROXY protocol has a DNS name and no IP, so the CCM does not set `ipMode: Proxy`",
        "DNS programs make CNAMEs to it. Kubernetes 1.30 and newer support ipMode, which solves the same problem without a "
        "third party's DNS.",
        "Delete the line, where Kubernetes is 1.30 or newer." if not version else "Delete the line.",
        fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
    )
