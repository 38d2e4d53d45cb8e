"""Flags that kube-apiserver no longer supports."""

from __future__ import annotations

from ccmcheck.base.model import Note, Problem, Problems
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import (
    API_SERVER,
    CONFIG,
    PROVIDER,
    argument,
    kubernetes_version,
    machines,
    without,
)
from ccmcheck.rules.views.manifest import Manifest


def check(manifest: Manifest) -> Problems:
    """Look at the API server's arguments where the version is known."""
    version = kubernetes_version(manifest)
    if not version or not kubernetes_has("apiserver-without-cloud-flags", version):
        return
    machine_config = machines(manifest)
    node = machine_config.at(*API_SERVER) if machine_config is not None else None
    given = {name: flag for name in (PROVIDER, CONFIG) if (flag := argument(node, name)) is not None}
    if machine_config is None or not given:
        return
    first, *others = given.values()
    yield Problem(
        first.name.content,
        f"kube-apiserver {version} does not start: unknown flag",
        "It was removed in Kubernetes 1.33; only kubelet and kube-controller-manager take `external`.",
        "Delete it.",
        yaml_fixes.safe(manifest, "delete it", *without(machine_config, API_SERVER, list(given))),
        notes=tuple(Note(flag.name.content, "this one too") for flag in others),
    )
