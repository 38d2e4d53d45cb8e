"""kOps opens no NodePorts to load balancers."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.data.notations import KOPS
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, field, text_of


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at what opens them where the cluster makes load balancers."""
    spec = manifest.at("spec")
    if not manifest.text_at("apiVersion").startswith("kops.k8s.io/") or not isinstance(spec, Mapping):
        return
    if manifest.has_template_lines(spec.content):
        return
    for place in KOPS.maps:
        holder = field(spec, *place)
        key = holder.key("loadbalancer") if isinstance(holder, Mapping) else None
        if key is None or text_of(field(holder, "loadbalancer", "manageSecurityGroups")) == "true":
            continue
        if spec.get("nodePortAccess") is None:
            yield Problem(
                key.span,
                "kOps opens no NodePorts to the load balancers of Services: `nodePortAccess` is not set",
                "The load balancers are made, and their connections to the nodes are dropped.",
                "Write the cluster's network as `spec.nodePortAccess: [CIDR]`, or `manageSecurityGroups: true` here.",
            )
