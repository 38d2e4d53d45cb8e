"""The in-tree provider, which was removed in Kubernetes 1.26."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Note, Problem, Problems, Span
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.catalog.data.cluster import PROVIDER_NAME
from ccmcheck.rules._support import machines as capi
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.manifest import Manifest


def check(manifest: Manifest) -> Problems:
    """Collect all places of one object into one problem."""
    if PROVIDER_NAME not in manifest.text:
        return
    machine_config = capi.machines(manifest)
    if machine_config is None:
        return
    places: list[Span] = []
    edits: list[Edit | None] = []
    version = ""
    for path in capi.COMPONENTS:
        node = machine_config.at(*path)
        if node is None:
            continue
        version = version or capi.kubernetes_version(manifest)
        if not kubernetes_has("no-in-tree-openstack", version):
            return
        if path != capi.API_SERVER or not kubernetes_has("apiserver-without-cloud-flags", version):
            _collect(machine_config, path, places, edits)
    if places:
        yield Problem(
            places[0],
            f"Kubernetes {version} has no in-tree provider `{PROVIDER_NAME}`",
            "The component does not start. Since Kubernetes 1.26 the CCM replaces it.",
            "Write `external`, delete `cloud-config`, and deploy the CCM.",
            yaml_fixes.unsafe(manifest, "write `external`", *edits),
            notes=tuple(Note(place, "here too") for place in places[1:]),
        )


def _collect(
    machine_config: capi.Machines, path: tuple[str, ...], places: list[Span], edits: list[Edit | None]
) -> None:
    """Add the places and edits of one component; `cloud-config` alone may belong to another provider."""
    node = machine_config.at(*path)
    provider = capi.argument(node, capi.PROVIDER)
    if provider is None or provider.value is None or provider.value.value != PROVIDER_NAME:
        return
    places.append(provider.value.content)
    edits.append(yaml_fixes.write(machine_config.manifest, provider.value, capi.EXTERNAL))
    config = capi.argument(node, capi.CONFIG)
    if config is not None:
        places.append(config.name.content)
        edits += capi.without(machine_config, path, [capi.CONFIG])
