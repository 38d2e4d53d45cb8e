"""Credentials in a ConfigMap."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf


def check(conf: CloudConf) -> Problems:
    """Look for the first secret."""
    carrier = conf.carried.carrier
    if carrier != "ConfigMap" and not carrier.startswith("Kubeadm"):
        return
    for item in conf.items:
        if item.spec is not None and item.spec.secret and (item.opaque or item.entry.value):
            yield Problem(
                item.entry.key_span,
                f"a secret in a {carrier}, which more users can read than a Secret",
                "",
                "Move the file into a Secret."
                if carrier == "ConfigMap"
                else "Use `contentFrom.secret` instead of `content`.",
            )
            return
