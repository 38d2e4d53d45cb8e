"""RKE's ``cloud_provider`` without a name, beside a CCM."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, field, mappings


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the block in Terraform's resources of rke and rancher2, where a CCM is deployed."""
    spec = manifest.at("spec")
    if not manifest.pods or not isinstance(spec, Mapping):
        return
    for holder in (spec, *mappings(field(spec, "rke_config"))):
        key = holder.key("cloud_provider")
        if key is not None and any(block.get("name") is None for block in mappings(holder.get("cloud_provider"))):
            yield Problem(
                key.span,
                "`cloud_provider` has no `name`, so that the kubelets run without `--cloud-provider=external`",
                "Nodes join without the taint that the CCM waits for: it gives them neither an ID nor addresses, and "
                "load balancers have no members.",
                'Write `name = "external"`, and let nodes that have joined join again.',
            )
