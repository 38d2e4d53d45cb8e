"""A clouds.yaml that is not mounted.

What it does: finds `use-clouds = true` where clouds.yaml is not mounted: neither at the path in `clouds-file` nor,
without that, in one of the default locations.

Why: the CCM does not start.

What the CCM does: it reads `clouds-file`, else clouds.yaml in its working directory, in `~/.config/openstack` and
in `/etc/openstack`, and fails with ``unable to load clouds.yaml``. Keys in cloud.conf override it.

Releases: 1.14 and newer

Fix: none; mount the file, or write the path where it is mounted.

Source: cloud-provider-openstack pkg/client/client.go ReadClouds; gophercloud/utils clientconfig GetCloudFromYAML
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, Mount, RunContext
from ccmcheck.rules._support.ignored import is_openshift
from ccmcheck.rules._support.login import is_missing, login, missing_file, pods_of
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "use-clouds-incomplete",
    "A clouds.yaml that is not mounted",
    Severity.ERROR,
    needs=("the CCM's pod",),
)

_POD = CcmPod(
    "ccm.yaml",
    "Deployment kube-system/openstack-cloud-controller-manager",
    "kube-system",
    mounts=(Mount("/etc/config", "Secret", "cloud-config"),),
)
_RUN = RunContext(pods=(_POD,))
_HOME = RunContext(pods=(_POD._replace(mounts=(Mount("/etc/openstack", "Secret", "clouds"),)),))
_SECRET = "Secret kube-system/cloud-config"  # noqa: S105 - the name of one

BAD = (
    Case("[Global]\nuse-clouds=true\nclouds-file=/etc/openstack/clouds.yaml\n", at=(3, 13), run_context=_RUN),
    Case("[Global]\nuse-clouds = true\ncloud = openstack\n", at=(2, 14), run_context=_RUN),
    Case(
        "[Global]\nuse-clouds=true\nclouds-file=/etc/config/clouds.yaml\n",
        at=(3, 13),
        run_context=_RUN,
        subject=_SECRET,
        siblings=("ca.crt",),
    ),
)
GOOD = (
    Case("[Global]\nuse-clouds=true\nclouds-file=/etc/config/clouds.yaml\n", run_context=_RUN),
    Case(
        "[Global]\nuse-clouds=true\nclouds-file=/etc/config/clouds.yaml\n",
        run_context=_RUN,
        subject=_SECRET,
        siblings=("clouds.yaml",),
    ),
    Case("[Global]\nuse-clouds=true\n", run_context=_HOME),
    Case("[Global]\nuse-clouds=true\nclouds-file=/etc/openstack/clouds.yaml\n"),
    Case("[Global]\nuse-clouds=false\nclouds-file=/etc/openstack/clouds.yaml\n", run_context=_RUN),
    Case("[Global]\nuse-clouds=true\nclouds-file=${FILE}\n", run_context=_RUN, template=True),
    Case("[Global]\nuse-clouds=true\n", run_context=_RUN, dialect="openshift"),
    Case("[Global]\nuse-clouds=true\nclouds-file=clouds.yaml\n", run_context=_RUN, shown=False),
)

_DEFAULT_PATHS = ("/etc/openstack/clouds.yaml",)
_IN_HOME = ".config/openstack"


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look the file up in the container's mounts."""
    if not conf.run_context.pods:
        return
    credentials = login(conf)
    switch = credentials.items.get("use-clouds")
    if switch is None or conf.typed(switch) is not True or is_openshift(conf):
        return
    pods = pods_of(conf)
    named = credentials.items.get("clouds-file")
    if not pods or (named is None and conf.may_hide_keys("Global")):
        return
    if named is not None:
        path = credentials.text("clouds-file")
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
    if any(_IN_HOME in mount.path or mount.path.endswith("clouds.yaml") for mount in pod.mounts):
        return False
    return all(is_missing(conf, pod, path) for path in _DEFAULT_PATHS)
