"""A certificate or key file that is not mounted.

What it does: finds paths in `ca-file`, `cert-file` and `key-file` that no volume of the CCM's container
provides, or whose volume is this Secret without such a key.

Why: the CCM does not start.

What the CCM does: it reads `ca-file` at start and fails with ``failed to read and parse … certificate``; the other
two only where both are given.

Releases: all

Fix: none; mount the file, or write the path where it is mounted.

Source: cloud-provider-openstack pkg/client/client.go NewOpenStackClient
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, Mount, RunContext
from ccmcheck.rules._support.login import is_missing, login, missing_file, pods_of
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "ca-file-unmounted",
    "A certificate or key file that is not mounted",
    Severity.ERROR,
    needs=("the CCM's pod",),
)

_POD = CcmPod(
    "ccm.yaml",
    "DaemonSet kube-system/openstack-cloud-controller-manager",
    "kube-system",
    mounts=(
        Mount("/etc/config", "Secret", "cloud-config"),
        Mount("/etc/kubernetes/ca.pem", "hostPath", "/etc/ca.pem", "ca.pem"),
    ),
)
_RUN = RunContext(pods=(_POD,))
_SECRET = "Secret kube-system/cloud-config"  # noqa: S105 - the name of one

BAD = (
    Case("[Global]\nca-file=/etc/ssl/private/ca.pem\n", at=(2, 9), run_context=_RUN),
    Case("[Global]\nca-file=/etc/config/cacert\n", at=(2, 9), run_context=_RUN, subject=_SECRET, siblings=("ca.crt",)),
    Case("[Global]\ncert-file=/etc/tls/c\nkey-file=/etc/config/k\n", at=(2, 11), run_context=_RUN),
    Case("[Global]\nca-file=/etc/configuration/ca\n", at=(2, 9), run_context=_RUN, shown=False),
    Case("[Global]\nca-file=/etc/kubernetes/ca.pem.old\n", at=(2, 9), run_context=_RUN, shown=False),
)
GOOD = (
    Case("[Global]\nca-file=/etc/config/cacert\n", run_context=_RUN),
    Case("[Global]\nca-file=/etc/config/cacert\n", run_context=_RUN, subject=_SECRET, siblings=("cacert",)),
    Case("[Global]\nca-file=/etc/kubernetes/ca.pem\n", run_context=_RUN),
    Case("[Global]\nca-file=/etc/ssl/private/ca.pem\n"),
    Case("[Global]\nca-file=${CA}\n", run_context=_RUN, template=True),
    Case("[Global]\nca-file=/opt/ca.pem\n", run_context=_RUN, subject="Secret other/cloud-config"),
    Case("[Global]\ncert-file=/etc/tls/c\n", run_context=_RUN),
    Case("[Global]\nca-file=/etc/ssl/certs/ca-certificates.crt\n", run_context=_RUN),
    Case("[Global]\nca-file=\n", run_context=_RUN, shown=False),
    Case("[Global]\nca-file=/opt/ca.pem\n", run_context=RunContext(pods=(_POD, _POD)), shown=False),
    Case("[Global]\nca-file=/opt/ca.pem\n", run_context=RunContext(pods=(_POD._replace(mounts=()),)), shown=False),
)

_IN_IMAGE = ("/etc/ssl/certs/",)
"""What the CCM's image contains."""


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look each path up in the container's mounts."""
    if not conf.run_context.pods:
        return
    credentials = login(conf)
    keys = ["ca-file"] if credentials.text("ca-file") else []
    if credentials.has("cert-file") and credentials.has("key-file"):
        keys += [key for key in ("cert-file", "key-file") if credentials.text(key)]
    if not keys:
        return
    pods = pods_of(conf)
    for key in keys:
        path = credentials.text(key)
        if pods and not path.startswith(_IN_IMAGE) and all(is_missing(conf, pod, path) for pod in pods):
            yield missing_file(credentials.items[key], pods[0])
