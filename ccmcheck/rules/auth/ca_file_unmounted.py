"""A certificate or key that the CCM's container does not have.

What it does: finds paths in `ca-file`, `cert-file` and `key-file` that no volume of the CCM's container covers, or
whose volume is this very Secret without such a key.

Why: the CCM does not start.

What the CCM does: it reads `ca-file` at start and ends with ``failed to read and parse … certificate``; the other
two only where both are given.

Releases: all

Fix: none; mount the file, or name the path where it is mounted.

Fix safety: (none)

Source: cloud-provider-openstack pkg/client/client.go NewOpenStackClient
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import Bundle, CcmPod, Mount
from ccmcheck.rules._support.login import is_missing, login, pods_of
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "ca-file-unmounted",
    "A certificate or key that the CCM's container does not have",
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
_RUN = Bundle(pods=(_POD,))
_SECRET = "Secret kube-system/cloud-config"  # noqa: S105 - the name of one

BAD = (
    Case("[Global]\nca-file=/etc/ssl/private/ca.pem\n", at=(2, 9), bundle=_RUN),
    Case("[Global]\nca-file=/etc/config/cacert\n", at=(2, 9), bundle=_RUN, subject=_SECRET, siblings=("ca.crt",)),
    Case("[Global]\ncert-file=/etc/tls/c\nkey-file=/etc/config/k\n", at=(2, 11), bundle=_RUN),
    Case("[Global]\nca-file=/etc/configuration/ca\n", at=(2, 9), bundle=_RUN, shown=False),
    Case("[Global]\nca-file=/etc/kubernetes/ca.pem.old\n", at=(2, 9), bundle=_RUN, shown=False),
)
GOOD = (
    Case("[Global]\nca-file=/etc/config/cacert\n", bundle=_RUN),
    Case("[Global]\nca-file=/etc/config/cacert\n", bundle=_RUN, subject=_SECRET, siblings=("cacert",)),
    Case("[Global]\nca-file=/etc/kubernetes/ca.pem\n", bundle=_RUN),
    Case("[Global]\nca-file=/etc/ssl/private/ca.pem\n"),
    Case("[Global]\nca-file=${CA}\n", bundle=_RUN, template=True),
    Case("[Global]\nca-file=/opt/ca.pem\n", bundle=_RUN, subject="Secret other/cloud-config"),
    Case("[Global]\ncert-file=/etc/tls/c\n", bundle=_RUN),
    Case("[Global]\nca-file=/etc/ssl/certs/ca-certificates.crt\n", bundle=_RUN),
    Case("[Global]\nca-file=\n", bundle=_RUN, shown=False),
    Case("[Global]\nca-file=/opt/ca.pem\n", bundle=Bundle(pods=(_POD, _POD)), shown=False),
    Case("[Global]\nca-file=/opt/ca.pem\n", bundle=Bundle(pods=(_POD._replace(mounts=()),)), shown=False),
)

_IN_IMAGE = ("/etc/ssl/certs/",)
"""What the CCM's image brings itself."""


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look each path up in the container's mounts."""
    if not conf.bundle.pods:
        return
    held = login(conf)
    keys = ["ca-file"] if held.text("ca-file") else []
    if held.has("cert-file") and held.has("key-file"):
        keys += [key for key in ("cert-file", "key-file") if held.text(key)]
    if not keys:
        return
    pods = pods_of(conf)
    for key in keys:
        path = held.text(key)
        if pods and not path.startswith(_IN_IMAGE) and all(is_missing(conf, pod, path) for pod in pods):
            yield Problem(
                held.items[key].span,
                f"{pods[0].subject} has no such file, so the CCM does not start",
                "No volume is mounted there, or the one that is has no such key.",
                "Mount the file there, or name the path where it is mounted.",
            )
