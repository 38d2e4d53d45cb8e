"""A kubelet that does not wait for the CCM.

What it does: finds machines of an OpenStack cluster with a CCM whose kubelet is not told
`cloud-provider: external` when they init or join.

Why: such a node never gets the taint that the CCM looks for. It has no provider ID, so that Cluster API does not know
its machine, and no addresses and zone from the cloud.

What the CCM does: it looks at new nodes with the taint `node.cloudprovider.kubernetes.io/uninitialized` only.

Releases: all

Fix: adds the argument, as a mapping up to Cluster API's v1beta1, as an item of a list since v1beta2.

Fix safety: safe because it changes new machines only, and they do not work without it

Source: cluster-api-provider-openstack templates/cluster-template.yaml and
docs/book/src/topics/external-cloud-provider.md; kubernetes/cloud-provider-openstack#140
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import (
    CONTROL_PLANES,
    EXTERNAL,
    INIT,
    JOIN,
    KINDS,
    PROVIDER,
    added,
    machines,
    names_argument,
    says_external,
)
from ccmcheck.rules._support.workload import is_settled
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Span
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.rules._support.machines import Machines

META = Meta(
    "capi-kubelet-external",
    "A kubelet that does not wait for the CCM",
    Severity.ERROR,
    per_release=False,
    kinds=KINDS,
)

_PLANE = """\
apiVersion: controlplane.cluster.x-k8s.io/{}
kind: KubeadmControlPlane
metadata:
  name: prod
spec:
  version: v1.31.2
  machineTemplate:
    infrastructureRef:
      kind: OpenStackMachineTemplate
  kubeadmConfigSpec:
    initConfiguration:
      nodeRegistration:
        name: '{{{{ local_hostname }}}}'
{}    joinConfiguration:
      nodeRegistration:
        name: '{{{{ local_hostname }}}}'
{}"""
_MAP = """\
        kubeletExtraArgs:
          cloud-provider: external
"""
_LIST = """\
        kubeletExtraArgs:
        - name: cloud-provider
          value: external
"""
_OTHER = """\
        kubeletExtraArgs:
        - name: provider-id
          value: openstack:///x
"""
_WORKER = """\
apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
kind: KubeadmConfigTemplate
metadata:
  name: openstack-worker
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          name: x
"""

BAD = (
    Case(
        _PLANE.format("v1beta1", _MAP, ""),
        at=(17, 7),
        fixed=_PLANE.format("v1beta1", _MAP, _MAP),
    ),
    Case(
        _PLANE.format("v1beta2", _OTHER, _LIST),
        at=(14, 9),
        fixed=_PLANE.format("v1beta2", _OTHER + _LIST.partition("\n")[2], _LIST),
    ),
    Case(
        _WORKER + "---\n" + _PLANE.format("v1beta1", _MAP, _MAP),
        at=(9, 9),
        fixed=_WORKER
        + "          kubeletExtraArgs:\n            cloud-provider: external\n---\n"
        + _PLANE.format("v1beta1", _MAP, _MAP),
        shown=False,
    ),
    Case(
        _PLANE.format("v1beta1", _MAP, _MAP).partition("    joinConfiguration")[0],
        at=(10, 3),
        fixed=_PLANE.format("v1beta1", _MAP, _MAP)
        .replace(
            "        name: '{{ local_hostname }}'\n        kubeletExtraArgs:\n          cloud-provider: external\n    joinC",
            "        name: '{{ local_hostname }}'\n        kubeletExtraArgs:\n          cloud-provider: external\n    joinC",
        )
        .partition("    joinConfiguration")[0]
        + "    joinConfiguration:\n      nodeRegistration:\n        kubeletExtraArgs:\n          cloud-provider: external\n",
        shown=False,
    ),
)
GOOD = (
    Case(_PLANE.format("v1beta1", _MAP, _MAP)),
    Case(_PLANE.format("v1beta2", _LIST, _LIST)),
    Case(_PLANE.format("v1beta1", "", "")),
    Case(_PLANE.format("v1beta1", _MAP, "").replace("OpenStackMachineTemplate", "AWSMachineTemplate")),
    Case(_PLANE.format("v1beta1", _MAP, "{{ if .external }}\n" + _MAP + "{{ end }}\n"), template=True),
    Case(_PLANE.format("v1beta1", _MAP, _MAP.replace("external", "${PROVIDER}")), template=True, shown=False),
    Case(
        _PLANE.format("v1beta1", _MAP, "")
        + "    files:\n    - content: KUBELET_EXTRA_ARGS=--cloud-provider=external\n",
        shown=False,
    ),
    Case(_PLANE.format("v1beta1", _MAP, "").replace("  version: v1.31.2\n", ""), shown=False),
    Case(_WORKER, shown=False),
)

_ELSEWHERE = ("cloud-provider=external", "jsonPatches")
"""Signs that kubelet is told in another way, or that a ClusterClass completes the template."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at what kubelet is told by init and join, where anything says that there is a CCM."""
    found = machines(manifest)
    if found is None:
        return
    plane = manifest.kind in CONTROL_PLANES
    missing = [one for one in (INIT, JOIN) if (plane or found.spec.get(one) is not None) and not _is_told(found, one)]
    if not missing or not _is_complete(found, plane=plane) or not _has_ccm(manifest):
        return
    for registration in missing:
        yield Problem(
            _place(found, registration),
            f"kubelet is not told `{PROVIDER}: {EXTERNAL}` when a machine {'inits' if registration == INIT else 'joins'}",
            "The CCM passes the node over: it gets no provider ID, no zone and no addresses of the cloud.",
            f"Add `{PROVIDER}: {EXTERNAL}` to `kubeletExtraArgs`.",
            yaml_fixes.safe(manifest, "add the argument", added(found, registration)),
        )


def _has_ccm(manifest: Manifest) -> bool:
    """Whether there is a CCM in the run, or another component of the file waits for one.

    A template may belong to a ClusterClass in another file, which completes it; one of a plain OpenStackCluster does not.
    """
    if says_external(manifest):
        return True
    if not manifest.pods:
        return False
    return not manifest.kind.endswith("Template") or any(
        one.subject.startswith("OpenStackCluster ") for one in manifest.beside(manifest.bundle.clusters)
    )


def _is_told(found: Machines, registration: str) -> bool:
    """Whether kubelet's arguments name a provider; which one is for others to judge."""
    return names_argument(field(found.spec, registration, "nodeRegistration", "kubeletExtraArgs"), PROVIDER)


def _is_complete(found: Machines, *, plane: bool) -> bool:
    """Whether the object says all there is: no patch of one, and nothing of a template's may add to it."""
    manifest = found.manifest
    if any(sign in manifest.text for sign in _ELSEWHERE) or not is_settled(manifest, found.spec):
        return False
    return not plane or manifest.kind.endswith("Template") or manifest.at("spec", "version") is not None


def _place(found: Machines, registration: str) -> Span:
    """The innermost mapping of the way that is there."""
    node = found.manifest.node
    place = node.content
    for name in (*found.way, registration, "nodeRegistration", "kubeletExtraArgs"):
        key, below = node.key(name), node.get(name)
        if key is None:
            break
        place = key.span
        if not isinstance(below, Mapping):
            break
        node = below
    return place
