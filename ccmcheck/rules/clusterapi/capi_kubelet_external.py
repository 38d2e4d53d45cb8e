"""kubelet without cloud-provider: external."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.rules._support import machines as capi
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import is_settled
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping

_ELSEWHERE = ("cloud-provider=external", "KUBELET_EXTRA_ARGS", "jsonPatches")
"""Text that shows that kubelet gets the argument in another way, or that a ClusterClass completes the template."""

_UNLESS = ", unless /etc/default/kubelet or a unit of systemd has it"


def check(manifest: Manifest) -> Problems:
    """Look at kubelet's arguments for init and join, where there is a CCM."""
    machine_config = capi.machines(manifest)
    if machine_config is None:
        return
    plane = manifest.kind in capi.CONTROL_PLANES
    missing = [
        one
        for one in (capi.INIT, capi.JOIN)
        if (plane or machine_config.at(one) is not None)
        and not capi.names_argument(machine_config.at(one, "nodeRegistration", "kubeletExtraArgs"), capi.PROVIDER)
    ]
    if not missing or not _is_complete(machine_config, plane=plane) or not _has_ccm(manifest):
        return
    is_sure = not machine_config.part or capi.uses_external_provider(manifest)
    severity = (Severity.WARNING if is_sure else Severity.INFO) if machine_config.part else None
    for registration in missing:
        yield Problem(
            _place(machine_config, registration),
            f"kubelet of {'the first node' if registration == capi.INIT else 'nodes that join'} starts without "
            f"`{capi.PROVIDER}: {capi.EXTERNAL}`{'' if is_sure else _UNLESS}",
            "The CCM does not initialize the node: it gets no provider ID, no zone and no addresses of the cloud.",
            f"Add `{capi.PROVIDER}: {capi.EXTERNAL}` to `kubeletExtraArgs`.",
            yaml_fixes.safe(manifest, "add the argument", *([capi.added(machine_config, registration)] * is_sure)),
            severity=severity,
        )


def _has_ccm(manifest: Manifest) -> bool:
    """Whether there is a CCM in the run, or another component of the file uses an external provider.

    A template may belong to a ClusterClass in another file, which completes it; one of a plain OpenStackCluster does not.
    Beside kubeadm's own configuration the kubelet may have its arguments from a unit of systemd.
    """
    if capi.uses_external_provider(manifest):
        return True
    if not manifest.pods or manifest.kind in capi.OWN_KINDS:
        return bool(manifest.nearby(manifest.pods))
    return not manifest.kind.endswith("Template") or any(
        cluster.subject.startswith("OpenStackCluster ") for cluster in manifest.nearby(manifest.run_context.clusters)
    )


def _is_complete(machine_config: capi.Machines, *, plane: bool) -> bool:
    """Whether the object is complete: not a patch, and no patch or template can add to it."""
    manifest = machine_config.manifest
    texts = (manifest.text, manifest.object.source.stack.text)
    if any(sign in text for text in texts for sign in _ELSEWHERE) or not is_settled(manifest, machine_config.spec):
        return False
    return not plane or manifest.kind.endswith("Template") or manifest.at("spec", "version") is not None


def _place(machine_config: capi.Machines, registration: str) -> Span:
    """The innermost key of the argument's path that exists."""
    node = machine_config.manifest.node
    kind = node.key("kind")
    place = node.content if kind is None else kind.span
    below = machine_config.below((registration, "nodeRegistration", "kubeletExtraArgs"))
    for name in (*machine_config.path, *below):
        key, value = node.key(name), node.get(name)
        place = place if key is None else key.span
        if not isinstance(value, Mapping):
            break
        node = value
    return place
