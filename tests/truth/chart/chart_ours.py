"""What ccmcheck makes of a HelmRelease with the CCM's chart, and what Helm makes of it, in one form."""

from __future__ import annotations

import json
from typing import Any

import yaml

from ccmcheck import gcfg
from ccmcheck.carriers import find
from ccmcheck.catalog.data.deployments import CCM, NOBODY

_NAMESPACE = "kube-system"


def summary(workload: dict[str, Any] | None, conf: str | None, role: dict[str, Any] | None) -> dict[str, Any]:
    """The parts of a workload, its cloud.conf and its role that anything judges; empty is the same as absent."""
    if workload is None:
        return {"conf": _settings(conf)}
    pod = workload["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    names = [str(one["value"]) for one in container["env"] if one and one.get("name") == _CLUSTER]
    args = [flag.replace(f"$({_CLUSTER})", names[-1]) if names else flag for flag in container["args"]]
    flags = [flag for flag in args if not flag.startswith(("--v=1", "--v=2", *_OTHERS))]
    return {
        "role": _role(role),
        "name": workload["metadata"]["name"],
        "pod": {name: value for name in _OF_POD if (value := _without_null(pod.get(name)))},
        "volumes": _by_name(pod.get("volumes")),
        "mounts": _by_name(container.get("volumeMounts")),
        "env": [one for one in container["env"] if one and one.get("name") != _CLUSTER],
        "image": container["image"],
        "flags": sorted(flags),
        "conf": _settings(conf),
    }


_CLUSTER = "CLUSTER_NAME"
"""A variable that the chart puts the cluster's name into; here it stands in the flag."""
_OF_POD = ("nodeSelector", "tolerations", "securityContext")
_OTHERS = ("--bind-address", "--address", "/bin/")


def _role(role: dict[str, Any] | None) -> list[Any] | None:
    return (
        [role["metadata"]["name"] or "", *(list(rule.values()) for rule in role["rules"])] if role is not None else None
    )


def _without_null(value: Any) -> Any:
    """A value without the keys of null, which Helm keeps where a default is no mapping."""
    return {name: one for name, one in value.items() if one is not None} if isinstance(value, dict) else value


def _by_name(items: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    without_type = (
        one | {"hostPath": {"path": one["hostPath"]["path"]}} if "hostPath" in one else one for one in items or ()
    )
    return sorted(
        ({k: v for k, v in one.items() if k != "readOnly"} for one in without_type), key=lambda one: one["name"]
    )


def _settings(conf: str | None) -> list[tuple[str, str, str]] | None:
    """The keys of a cloud.conf, sections without any left out."""
    if conf is None:
        return None
    return sorted(
        (section.name, entry.key.lower(), entry.value if entry.value is not None else "")
        for section in gcfg.parse(conf).sections
        for entry in section.entries
    )


def judged(version: str, values: dict[str, Any]) -> dict[str, Any]:
    """What ccmcheck judges for a release of the chart."""
    release = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "rel", "namespace": _NAMESPACE},
        "spec": {"chart": {"spec": {"chart": CCM, "version": version}}, "values": values},
    }
    contents = find("release.yaml", json.dumps(release, indent=1))
    workload, role = (
        yaml.load(obj.source.text, yaml.CSafeLoader)
        for kind in ("DaemonSet", "ClusterRole")
        for obj in contents.objects
        if obj.kind == kind
    )
    confs = [one for one in contents.carried if NOBODY not in one.consumers]
    made = summary(workload, confs[0].text if confs else None, role)
    if ":v" not in made["image"]:  # of a version that the charts' index does not have
        del made["image"]
    return made
