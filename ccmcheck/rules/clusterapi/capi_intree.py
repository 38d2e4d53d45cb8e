"""The in-tree provider, which was removed in Kubernetes 1.26.

What it does: finds `cloud-provider: openstack` and `cloud-config` among the arguments of Kubernetes' own components,
for Kubernetes 1.26 and newer.

Why: kubelet and kube-controller-manager fail with an unknown provider, so no machine becomes a node.

What the CCM does: it replaces the in-tree provider. It needs `cloud-provider: external` and its own
workload.

Releases: Kubernetes 1.26 and newer, by the control plane's version or `--kubernetes-version`

Fix: writes `external` and deletes `cloud-config`; deploy the CCM by hand.

Fix safety: unsafe because nodes then need a CCM

Source: Kubernetes 1.26 changelog, kubernetes/kubernetes#67782; cluster-api-provider-openstack 1c7fb2e7f
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.catalog.data.cluster import PROVIDER_NAME
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import (
    API_SERVER,
    COMPONENTS,
    CONFIG,
    EXTERNAL,
    KINDS,
    PROVIDER,
    argument,
    kubernetes_version,
    machines,
    without,
)
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Edit, Span
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.rules._support.machines import Machines

META = Meta(
    "capi-intree",
    "The in-tree provider, which was removed in Kubernetes 1.26",
    Severity.ERROR,
    per_release=False,
    kinds=KINDS,
    needs=("the Kubernetes version",),
)

_PLANE = """\
kind: KubeadmControlPlane
metadata:
  name: prod
spec:
  version: {}
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager:
        extraArgs:
          cloud-provider: {}
{}    joinConfiguration:
      nodeRegistration:
        kubeletExtraArgs:
        - name: cloud-provider
          value: {}
"""
_CONFIG = "          cloud-config: /etc/kubernetes/cloud.conf\n"

BAD = (
    Case(
        _PLANE.format("v1.28.4", "openstack", _CONFIG, "openstack"),
        at=(10, 27),
        fixed=_PLANE.format("v1.28.4", "external", "", "external"),
        unsafe=True,
    ),
    Case(
        _PLANE.format("v1.33.0", "external", "", "openstack") + "    files: []\n",
        at=(15, 18),
        fixed=_PLANE.format("v1.33.0", "external", "", "external") + "    files: []\n",
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case(_PLANE.format("v1.28.4", "external", "", "external")),
    Case(_PLANE.format("v1.25.9", "openstack", _CONFIG, "openstack")),
    Case(_PLANE.format("${KUBERNETES_VERSION}", "openstack", _CONFIG, "openstack"), template=True),
    Case(_PLANE.format("v1.28.4", "aws", _CONFIG, "aws")),
    Case(_PLANE.format("v1.28.4", "${P}", "", "${P}"), template=True, shown=False),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Collect all places of one object into one problem."""
    if PROVIDER_NAME not in manifest.text:
        return
    machine_config = machines(manifest)
    if machine_config is None:
        return
    places: list[Span] = []
    edits: list[Edit | None] = []
    version = ""
    for path in COMPONENTS:
        node = field(machine_config.spec, *path)
        if node is None:
            continue
        version = version or kubernetes_version(manifest)
        if not kubernetes_has("no-in-tree-openstack", version):
            return
        if path != API_SERVER or not kubernetes_has("apiserver-without-cloud-flags", version):
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


def _collect(machine_config: Machines, path: tuple[str, ...], places: list[Span], edits: list[Edit | None]) -> None:
    """Add the places and edits of one component; `cloud-config` alone may belong to another provider."""
    node = field(machine_config.spec, *path)
    provider = argument(node, PROVIDER)
    if provider is None or provider.value is None or provider.value.value != PROVIDER_NAME:
        return
    places.append(provider.value.content)
    edits.append(yaml_fixes.write(machine_config.manifest, provider.value, EXTERNAL))
    config = argument(node, CONFIG)
    if config is not None:
        places.append(config.name.content)
        edits += without(machine_config, path, [CONFIG])
