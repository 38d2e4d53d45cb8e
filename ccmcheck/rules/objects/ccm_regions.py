"""Two CCMs for two regions in one cluster, whose Nodes do not say of which region they are."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import REGIONAL, CcmPod
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar

_REGION = lazy_regex(r"(?im)^[ \t]*+region[ \t]*+=[ \t]*+\"?(?P<name>[\w.-]++)")

_MOST = 20
"""CCMs of a folder that are compared."""
_SET = f"Set `{REGIONAL}=true` in the environment of each."
_UPGRADE = f"Upgrade the CCM to 1.25 or newer, and set `{REGIONAL}=true` in the environment of each."


def check(manifest: Manifest) -> Problems:
    """Compare the region with those of other CCMs of the folder, each with a Secret of its own."""
    ccm, name = workload(manifest), manifest.at("metadata", "name")
    region = _region(manifest, ccm.pod) if ccm is not None else ""
    if ccm is None or not region or not isinstance(name, Scalar):
        return
    knows = behaves("regional-ids", manifest.release)
    near = [pod for pod in manifest.nearby(manifest.run_context.pods)[:_MOST] if pod.namespace == ccm.pod.namespace]
    if knows and any(dict(pod.choices).get(REGIONAL) for pod in (ccm.pod, *near)):
        return
    for pod in near:
        if pod.subject != ccm.pod.subject and _region(manifest, pod) not in ("", region):
            yield Problem(
                name.content,
                f"deletes the Nodes of another region, which {pod.subject} serves: no provider ID has a region",
                "It finds no server of theirs, and takes a Node that is not ready for one whose server is gone.",
                f"{_SET if knows else _UPGRADE} Only Nodes that join afterwards get the region.",
            )
            return


def _region(manifest: Manifest, pod: CcmPod) -> str:
    """The region of the cloud.conf that a workload of this cluster mounts; empty where it is not known."""
    mount = pod.mount_at(pod.cloud_config)
    if mount is None or pod.placement is None or pod.placement.kubeconfig:
        return ""
    for conf in (*manifest.nearest_confs, *manifest.run_context.confs.get(pod.path, ())):
        kind, _, name = (conf.place.subject if conf.place else "").partition(" ")
        if (kind, name.rpartition("/")[2]) == (mount.source, mount.name) and not conf.marks:
            found = _REGION.search(conf.text)
            return found["name"] if found else ""
    return ""
