"""A cluster name that is not unique."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.carriers.base import CcmPod
from ccmcheck.catalog.data.cluster import DEFAULT_CLUSTER_NAME
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.same_cloud import are_in_one_project, beside, other_clusters
from ccmcheck.rules._support.workload import (
    Flag,
    Workload,
    flag,
    is_settled,
    names_load_balancers,
    words,
    workload,
    write_flag,
)
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Sequence


def check(manifest: Manifest) -> Problems:
    """Look at the flag, and at the CCMs of other clusters."""
    ccm = workload(manifest)
    if ccm is None or not names_load_balancers(manifest, ccm):
        return
    given_flag = flag(manifest, ccm, "cluster-name")
    fix = _fix(manifest, ccm, given_flag)
    name = given_flag.value if given_flag is not None else DEFAULT_CLUSTER_NAME
    if fix is None and other_clusters(ccm.pod, name, manifest.path, manifest.nearest_confs, manifest.run_context):
        return  # cluster-name-shared reports it
    if given_flag is None:
        arguments = ccm.container.key("args") or ccm.container.key("command")
        if arguments is not None and is_settled(manifest, ccm.container) and _has_flags(ccm):
            yield Problem(
                arguments.span,
                f"without `--cluster-name` the cluster has the default name `{DEFAULT_CLUSTER_NAME}`",
                _WHY,
                "Add `--cluster-name` with a name that no other cluster of the project has.",
                fix,
            )
    elif given_flag.value == DEFAULT_CLUSTER_NAME:
        yield Problem(
            given_flag.span,
            "the default name, which other clusters have too",
            _WHY,
            f"{'Set `cluster.name` to' if ccm.pod.made_by else 'Write'} a name that no other cluster of the project has.",
            fix,
        )
    elif given_flag.value and (other_pod := _same_name(manifest, ccm, given_flag.value)) is not None:
        yield Problem(
            given_flag.span,
            f"the CCM in {other_pod.path} has the same name",
            f"This is a problem if both are in one project. {_WHY}",
            "Give each cluster a unique name.",
            severity=Severity.INFO,
        )
    elif _is_left_to_chart(manifest, ccm, given_flag):
        yield Problem(
            given_flag.span,
            f"without `cluster.name` the chart calls the cluster `{DEFAULT_CLUSTER_NAME}`, unless other values name it",
            _WHY,
            "Set `cluster.name` to a name that no other cluster of the project has.",
            severity=Severity.INFO,
        )


_VALUES = "Helm values"
"""What a file of values alone is called, which `helm` or a tool that is not among the files installs."""
_UNSET = "unknown"
"""What is written for a value of the chart that its values do not set (`ccmcheck.layers.placed_writer`)."""
_WHY = "Clusters with the same name in one project take over and delete each other's load balancers."


def _has_flags(ccm: Workload) -> bool:
    return any("--cloud-config" in word.value or "--cloud-provider" in word.value for word in words(ccm))


def _is_left_to_chart(manifest: Manifest, ccm: Workload, given_flag: Flag) -> bool:
    """Whether values of the chart beside Services do not set the name, and no other CCM of the run has one."""
    run = manifest.run_context
    is_unset = not given_flag.value and manifest.text[slice(*given_flag.span)] == _UNSET
    return (
        is_unset and ccm.pod.made_by == _VALUES and run.services > 0 and not any(pod.cluster_name for pod in run.pods)
    )


def _same_name(manifest: Manifest, ccm: Workload, name: str) -> CcmPod | None:
    """The CCM of another cluster with the same name: the same file in a sibling folder."""
    own = manifest.path.replace("\\", "/").split("/")
    confs = manifest.run_context.confs
    for pod in beside(manifest.path, ccm.pod, manifest.run_context):
        other = pod.path.replace("\\", "/").split("/")
        differing = next((left for left, right in zip(own, other, strict=True) if left != right), "0")
        if pod.cluster_name != name or any(char.isdigit() for char in differing):
            continue
        if are_in_one_project(manifest.nearest_confs, confs.get(pod.path, ())) is None:
            return pod  # in one project cluster-name-shared reports it, in two there is nothing wrong
    return None


def _fix(manifest: Manifest, ccm: Workload, given_flag: Flag | None) -> Fix | None:
    """Write the name of the cluster in the same folder, if there is exactly one."""
    names = {cluster.name for cluster in manifest.nearby(manifest.run_context.clusters)}
    name = names.pop() if len(names) == 1 else ""
    if not name:
        return None
    arguments = ccm.container.get("args") or ccm.container.get("command")
    if given_flag is not None:
        edit = write_flag(manifest, given_flag, name)
    elif isinstance(arguments, Sequence):
        edit = yaml_fixes.insert_item(manifest, arguments, f"--cluster-name={name}")
    else:
        edit = None
    return yaml_fixes.unsafe(manifest, f"name the cluster `{name}`", edit)
