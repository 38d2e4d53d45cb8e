"""A clouds.yaml that is not mounted, or has no such cloud."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.carriers.base import CcmPod
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import is_openshift
from ccmcheck.rules._support.login import is_missing, login, missing_file, own_key_at, pods_of

_DEFAULT_PATHS = ("/etc/openstack/clouds.yaml",)
_CLOUDS_YAML = "clouds.yaml"
_IN_HOME = ".config/openstack"


def check(conf: CloudConf) -> Problems:
    """Look the file up in the container's mounts."""
    if not conf.run_context.pods:
        return
    credentials = login(conf)
    switch = credentials.items.get("use-clouds")
    if switch is None or conf.typed(switch) is not True or is_openshift(conf):
        return
    pods = pods_of(conf)
    named = credentials.items.get("clouds-file")
    path, cloud = credentials.text("clouds-file"), credentials.text("cloud")
    clouds = [one for one in conf.carried.siblings if one.startswith(f"{_CLOUDS_YAML}#")]
    keys = {own_key_at(conf, pod, path) for pod in pods} or {None}
    is_it = _CLOUDS_YAML in keys
    may_be_it = is_it or (None in keys and path.rpartition("/")[2] == _CLOUDS_YAML)
    if may_be_it and clouds and cloud and f"{_CLOUDS_YAML}#{cloud}" not in clouds:
        yield Problem(
            credentials.items["cloud"].span,
            f"the `{_CLOUDS_YAML}` of the same object has no cloud of this name",
            f"{'The' if is_it else f'Where that is the file at `{path}`, the'} CCM ends with `cloud … does not exist in clouds.yaml`.",
            "Write a name that stands below `clouds:` there, or call the cloud there so.",
            severity=None if is_it else Severity.WARNING,
        )
    if not pods or (named is None and conf.may_hide_keys("Global")):
        return
    if named is not None:
        if path and all(is_missing(conf, pod, path) for pod in pods):
            yield missing_file(named, pods[0])
    elif all(_has_no_clouds_yaml(conf, pod) for pod in pods):
        yield Problem(
            switch.span,
            f"{pods[0].subject} has no clouds.yaml in the locations that the CCM reads",
            f"Without `clouds-file` it looks in its working directory, in `~/{_IN_HOME}` and for "
            f"`{_DEFAULT_PATHS[0]}`, and does not start if there is none.",
            "Mount the file, and set `clouds-file` to its path.",
        )


def _has_no_clouds_yaml(conf: CloudConf, pod: CcmPod) -> bool:
    if any(not mount.path or _IN_HOME in mount.path or mount.path.endswith("clouds.yaml") for mount in pod.mounts):
        return False
    return all(is_missing(conf, pod, path) for path in _DEFAULT_PATHS)
