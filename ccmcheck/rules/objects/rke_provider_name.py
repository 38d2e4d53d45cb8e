"""RKE's ``cloud_provider`` without a name, beside a CCM."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, field, mappings


def check(manifest: Manifest) -> Problems:
    """Look at the block in Terraform's resources of rke and rancher2, where a CCM is deployed."""
    spec = manifest.at("spec")
    if not manifest.pods or not isinstance(spec, Mapping):
        return
    for holder in (spec, *mappings(field(spec, "rke_config"))):
        key = holder.key("cloud_provider")
        if key is None or _may_name_it(holder):
            continue
        if any(block.get("name") is None for block in mappings(holder.get("cloud_provider"))):
            yield Problem(
                key.span,
                "`cloud_provider` has no `name`, so that the kubelets run without `--cloud-provider=external`",
                "Nodes join without the taint that the CCM waits for: it gives them neither an ID nor addresses, and "
                "load balancers have no members.",
                'Write `name = "external"`, and let nodes that have joined join again.',
            )


def _may_name_it(holder: Mapping) -> bool:
    """Whether the kubelet's own arguments, which win over the block, name a provider, or are computed."""
    services = list(mappings(holder.get("services")))
    kubelets = [*mappings(holder.get("services_kubelet"))]
    kubelets += [one for service in services for one in mappings(service.get("kubelet"))]
    given = [block.get(name) for block in kubelets for name in ("extra_args", "extra_args_array")]
    is_open = holder.get("services") is not None and not services
    return is_open or any(
        one is not None and (not isinstance(one, Mapping) or one.get("cloud-provider") is not None) for one in given
    )
