"""A cluster name that other clusters have too.

What it does: finds workloads of the CCM without `--cluster-name`, with `kubernetes`, or with the name that another
cluster of the same run has.

Why: the CCM finds a Service's load balancer by the name `kube_service_<cluster>_<namespace>_<service>`. Two clusters of
one name in one project take each other's load balancers over and delete them.

What the CCM does: it takes `kubernetes` where nothing is given. Since v1.29.1 it renames the load balancers that it
made under another name; before, it leaves them behind.

Releases: all

Fix: writes the name of the one OpenStackCluster that lies beside; where there is none, choose one.

Fix safety: unsafe because load balancers that exist are renamed, or left behind by a CCM before v1.29.1

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go and loadbalancer_rename.go;
kubernetes/cloud-provider-openstack#1273, #2241, #2571, #3102
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import Bundle, CapiCluster, CcmPod
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import KINDS, flag, is_settled, words, workload, write_flag
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.rules._support.workload import Flag, Workload

META = Meta(
    "cluster-name-default",
    "A cluster name that other clusters have too",
    Severity.WARNING,
    per_release=False,
    kinds=KINDS,
)

_POD = """\
kind: Pod
metadata:
  name: ccm
spec:
  containers:
    - name: ccm
      image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
      args:
        - --cloud-config=/etc/config/cloud.conf
"""
_ENV = """\
        - --cluster-name=$(CLUSTER_NAME)
      env:
        - name: CLUSTER_NAME
          value: {}
"""
_IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2"
_PROD = Bundle(clusters=(CapiCluster("clusters/prod/cluster.yaml", "OpenStackCluster prod", "prod"),))
_TWO = Bundle(pods=(CcmPod("clusters/b/ccm.yaml", "Pod ccm", "", _IMAGE, "v1.31.2", cluster_name="k8s"),))

BAD = (
    Case(_POD + _ENV.format("kubernetes"), at=(13, 18)),
    Case(
        _POD,
        at=(8, 7),
        fixed=_POD + "        - --cluster-name=prod\n",
        unsafe=True,
        subject="clusters/prod/ccm.yaml",
        bundle=_PROD,
    ),
    Case(
        _POD + "        - --cluster-name=k8s\n",
        at=(10, 26),
        subject="clusters/a/ccm.yaml",
        bundle=_TWO,
        severity=Severity.INFO,
    ),
    Case(
        _POD + _ENV.format("kubernetes"),
        at=(13, 18),
        fixed=_POD + _ENV.format("prod"),
        unsafe=True,
        subject="clusters/prod/ccm.yaml",
        bundle=_PROD,
        shown=False,
    ),
    Case(
        _POD + '        - "--cluster-name=kubernetes"\n',
        at=(10, 27),
        fixed=_POD + '        - "--cluster-name=prod"\n',
        unsafe=True,
        subject="clusters/prod/ccm.yaml",
        bundle=_PROD,
        shown=False,
    ),
    Case(_POD + "        - --cluster-name\n        - kubernetes\n", at=(11, 11), shown=False),
)
GOOD = (
    Case(_POD + _ENV.format("prod")),
    Case(_POD + "        - --cluster-name=${CLUSTER_NAME}\n", template=True),
    Case(_POD + "        - --cluster-name=k8s\n", subject="clusters/a/other.yaml", bundle=_TWO),
    Case(_POD.replace("      args:\n        - --cloud-config=/etc/config/cloud.conf\n", "")),
    Case(_POD + "        - --cluster-name=$(CLUSTER_NAME)\n", shown=False),
    Case(
        _POD + "{{- if .Values.name }}\n        - --cluster-name={{ .Values.name }}\n{{- end }}\n",
        template=True,
        shown=False,
    ),
    Case(_POD + "        - --cluster-name=k8s\n", subject="v1.30/ccm.yaml", bundle=_TWO, shown=False),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the flag, and at the CCMs of other clusters."""
    found = workload(manifest)
    if found is None:
        return
    given = flag(manifest, found, "cluster-name")
    if given is None:
        arguments = found.container.key("args") or found.container.key("command")
        if arguments is not None and is_settled(manifest, found.container) and _has_flags(found):
            yield Problem(
                arguments.span,
                f"without `--cluster-name` the cluster is called `{DEFAULT_CLUSTER_NAME}`, as any other that does not say",
                _WHY,
                "Add `--cluster-name` with a name that no other cluster of the project has.",
                _fix(manifest, found, None),
            )
    elif given.value == DEFAULT_CLUSTER_NAME:
        yield Problem(
            given.span,
            "every cluster that does not say otherwise is called so",
            _WHY,
            "Write a name that no other cluster of the project has.",
            _fix(manifest, found, given),
        )
    elif given.value and (twin := _twin(manifest, found, given.value)) is not None:
        yield Problem(
            given.span,
            f"the CCM in {twin.path} has the same name",
            f"In one project that is a fault. {_WHY}",
            "Give each cluster a name of its own.",
            severity=Severity.INFO,
        )


_WHY = "Clusters of one name in one project take each other's load balancers over, and delete them."


def _has_flags(found: Workload) -> bool:
    return any("--cloud-config" in word.value or "--cloud-provider" in word.value for word in words(found))


def _twin(manifest: Manifest, found: Workload, name: str) -> CcmPod | None:
    """The CCM of another cluster with the same name: the same file in a folder beside this one's."""
    own = manifest.path.replace("\\", "/").split("/")
    for pod in manifest.pods:
        other = pod.path.replace("\\", "/").split("/")
        if pod.cluster_name != name or pod.subject != found.pod.subject or len(own) != len(other) or own == other:
            continue
        differing = [(left, right) for left, right in zip(own, other, strict=True) if left != right]
        if len(differing) == 1 and own[-1] == other[-1] and not any(char.isdigit() for char in differing[0][0]):
            return pod
    return None


def _fix(manifest: Manifest, found: Workload, given: Flag | None) -> Fix | None:
    """Write the name of the one cluster whose files these are, where there is one."""
    names = {cluster.name for cluster in manifest.beside(manifest.bundle.clusters)}
    name = names.pop() if len(names) == 1 else ""
    if not name:
        return None
    arguments = found.container.get("args") or found.container.get("command")
    if given is not None:
        edit = write_flag(manifest, given, name)
    elif isinstance(arguments, Sequence):
        edit = yaml_fixes.insert_item(manifest, arguments, f"--cluster-name={name}")
    else:
        edit = None
    return yaml_fixes.unsafe(manifest, f"call the cluster `{name}`", edit)
