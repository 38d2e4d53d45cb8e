"""Flags that kube-apiserver no longer supports.

What it does: finds `cloud-provider` and `cloud-config` among the arguments of kube-apiserver, for Kubernetes 1.33 and
newer.

Why: kube-apiserver fails with an unknown flag, so a new control plane never starts and an upgrade stops at the
first machine.

What the CCM does: nothing, there is no API server. The flags had no effect in the releases before.

Releases: Kubernetes 1.33 and newer, by the control plane's version or `--kubernetes-version`

Fix: deletes the arguments.

Fix safety: safe because kube-apiserver does not start with them

Source: kubernetes/kubernetes#130162; kubernetes/cloud-provider-openstack#2898
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import (
    API_SERVER,
    CONFIG,
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

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "capi-apiserver-flag",
    "Flags that kube-apiserver no longer supports",
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
  machineTemplate:
    infrastructureRef:
      kind: OpenStackMachineTemplate
  kubeadmConfigSpec:
    clusterConfiguration:
{}      controllerManager:
        extraArgs:
          cloud-provider: external
"""
_MAP = """\
      apiServer:
        extraArgs:
          cloud-provider: external
"""
_MORE = "          profiling: false\n"
_LIST = """\
      apiServer:
        extraArgs:
        - name: cloud-provider
          value: external
"""
_ITEM = '        - name: profiling\n          value: "false"\n'
_TEMPLATE = """\
kind: KubeadmControlPlaneTemplate
metadata:
  name: openstack
spec:
  template:
    spec:
      kubeadmConfigSpec:
        clusterConfiguration:
          apiServer: {extraArgs: {cloud-provider: external}}
"""

BAD = (
    Case(
        _PLANE.format("v1.33.1", _MAP + _MORE),
        at=(13, 11),
        fixed=_PLANE.format("v1.33.1", _MAP.rpartition("          c")[0] + _MORE),
    ),
    Case(
        _PLANE.format("v1.34.0", _LIST + _ITEM),
        at=(13, 17),
        fixed=_PLANE.format("v1.34.0", _LIST.partition("        - ")[0] + _ITEM),
    ),
    Case(_PLANE.format("v1.33.1", _MAP), at=(13, 11), fixed=_PLANE.format("v1.33.1", ""), shown=False),
    Case(_PLANE.format("v1.33.1", _LIST), at=(13, 17), fixed=_PLANE.format("v1.33.1", ""), shown=False),
    Case(
        _PLANE.format("v1.33.1", _MAP + "          cloud-config: /etc/kubernetes/cloud.conf\n" + _MORE),
        at=(13, 11),
        fixed=_PLANE.format("v1.33.1", _MAP.rpartition("          c")[0] + _MORE),
        shown=False,
    ),
    Case(
        _TEMPLATE,
        at=(9, 35),
        fixed=_TEMPLATE.rpartition("          apiServer")[0],
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.33")),
        shown=False,
    ),
    Case(
        _PLANE.format("${KUBERNETES_VERSION}", _MAP + _MORE),
        at=(13, 11),
        fixed=_PLANE.format("${KUBERNETES_VERSION}", _MAP.rpartition("          c")[0] + _MORE),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="v1.35.2")),
        template=True,
        shown=False,
    ),
)
GOOD = (
    Case(_PLANE.format("v1.32.9", _MAP)),
    Case(_PLANE.format("v1.33.1", "")),
    Case(_PLANE.format("${KUBERNETES_VERSION}", _MAP), template=True),
    Case(_TEMPLATE),
    Case(_PLANE.format("v1.33.1", _MAP).replace("OpenStackMachine", "AWSMachine")),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the API server's arguments where the version is known."""
    version = kubernetes_version(manifest)
    if not version or not kubernetes_has("apiserver-without-cloud-flags", version):
        return
    machine_config = machines(manifest)
    node = field(machine_config.spec, *API_SERVER) if machine_config is not None else None
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
