"""A cloud.conf under a key that the CCM does not read.

What it does: finds Secrets and ConfigMaps that a workload of the CCM mounts, whose cloud.conf has another key than the
file name in `--cloud-config`.

Why: the key is the name of the file in the container. `kubectl create secret --from-file` uses the file's name.

What the CCM does: it does not start: `no such file or directory`.

Releases: all

Fix: renames the key to the one that the workload reads.

Fix safety: safe because the CCM cannot start, and it reads one name only

Source: cloud-provider-openstack manifests/controller-manager; Kubernetes documentation of Secret volumes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, Mount, RunContext
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.mounts import required_keys
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.yamlio import Scalar

META = Meta(
    "secret-key-name",
    "A cloud.conf under a key that the CCM does not read",
    Severity.ERROR,
    per_release=False,
    kinds=("Secret", "ConfigMap"),
    needs=("the CCM's pod",),
)

_POD = CcmPod(
    "ccm.yaml",
    "DaemonSet kube-system/openstack-cloud-controller-manager",
    "kube-system",
    cloud_config="/etc/config/cloud.conf",
    mounts=(Mount("/etc/config", "Secret", "cloud-config"),),
)
_RUN = RunContext(pods=(_POD,))
_SHOWN_AS = RunContext(
    pods=(
        _POD._replace(mounts=(Mount("/etc/config", "Secret", "cloud-config", items=(("openstack", "cloud.conf"),)),)),
    )
)
_SUB_PATH = RunContext(
    pods=(_POD._replace(mounts=(Mount("/etc/config/cloud.conf", "ConfigMap", "cloud-config", "conf"),)),)
)

_OBJECT = """\
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  {}: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
"""
_ENCODED = """\
kind: Secret
metadata:
  name: cloud-config
data:
  ca.crt: TUlJQg==
  {}: W0dsb2JhbF0KYXV0aC11cmw9aHR0cHM6Ly9rZXlzdG9uZQo=
"""

BAD = (
    Case(_OBJECT.format("cloud-config"), at=(6, 3), fixed=_OBJECT.format("cloud.conf"), run_context=_RUN),
    Case(_ENCODED.format("openstack.conf"), at=(6, 3), fixed=_ENCODED.format("cloud.conf"), run_context=_RUN),
    Case(
        _OBJECT.format("cloud.conf"), at=(6, 3), fixed=_OBJECT.format("openstack"), run_context=_SHOWN_AS, shown=False
    ),
    Case(
        _OBJECT.replace("Secret", "ConfigMap").replace("stringData", "data").format("cloud.conf"),
        at=(6, 3),
        fixed=_OBJECT.replace("Secret", "ConfigMap").replace("stringData", "data").format("conf"),
        run_context=_SUB_PATH,
        shown=False,
    ),
    Case(
        _OBJECT.format("a.conf") + '  "b.conf": "[Global]\\nauth-url=x"\n',
        at=(6, 3),
        run_context=_RUN,
        shown=False,
    ),
)
GOOD = (
    Case(_OBJECT.format("cloud.conf"), run_context=_RUN),
    Case(_OBJECT.format("cloudprovider.conf") + "  cloud.conf: ${CONF}\n", run_context=_RUN, template=True),
    Case(_OBJECT.format("cloud-config")),
    Case(_OBJECT.format("cloud-config").replace("kube-system", "other"), run_context=_RUN),
    Case(
        _OBJECT.format("cloud-config").replace("name: cloud-config", "name: cinder-csi-cloud-config"), run_context=_RUN
    ),
    Case(_ENCODED.format("clouds.yaml").replace("W0dsb2JhbF0K", "Y2xvdWRzOgog"), run_context=_RUN, shown=False),
    Case(_OBJECT.format("{{ key }}"), run_context=_RUN, template=True, shown=False),
)

_MAPS = ("data", "stringData", "binaryData")


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look for the key that the nearest workloads read."""
    if not manifest.pods:
        return
    all_keys = required_keys(manifest, manifest.pods)
    if not all_keys:
        return
    keys = {key.value: key for name in _MAPS if isinstance(node := manifest.at(name), Mapping) for key, _ in node.items}
    if all(one.key in keys for one in all_keys) or any(manifest.is_opaque(key.span) for key in keys.values()):
        return
    nearest_keys = required_keys(manifest, manifest.nearest(manifest.pods))
    if not nearest_keys:
        return
    pod, name = nearest_keys[0]
    held = [keys[conf.key] for conf in manifest.confs if conf.key in keys]
    if name in keys or not name or not held:
        return
    yield Problem(
        held[0].span,
        f"{pod.subject} reads the key `{name}`, which is missing",
        f"The file {pod.cloud_config} does not exist in the container, so the CCM does not start.",
        f"Rename the key to `{name}`.",
        _fix(manifest, held, name, {one.key for one in nearest_keys}),
    )


def _fix(manifest: Manifest, held: list[Scalar], name: str, names: set[str]) -> Fix | None:
    if len(held) > 1 or len(names) > 1:
        return None
    return yaml_fixes.safe(manifest, f"rename the key to `{name}`", yaml_fixes.write(manifest, held[0], name))
