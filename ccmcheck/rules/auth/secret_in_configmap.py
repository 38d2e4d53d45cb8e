"""Credentials in a ConfigMap.

What it does: finds passwords and other secrets in a ConfigMap, or in plain text in the files of a kubeadm object.

Why: more users can usually read ConfigMaps and Cluster API objects than Secrets, and these are usually not encrypted
at rest.

What the CCM does: it reads the file from any volume.

Releases: all

Fix: none; move the file into a Secret, and the volume with it; in a kubeadm object use `contentFrom.secret`.

Source: Kubernetes documentation of Secrets and ConfigMaps; Cluster API KubeadmConfigSpec files
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("secret-in-configmap", "Credentials in a ConfigMap", Severity.WARNING)

_NAME = "ConfigMap kube-system/cloud-config"

BAD = (
    Case("[Global]\nusername=u\npassword=p\n", at=(3, 1), carrier="ConfigMap", subject=_NAME),
    Case(
        "[Global]\napplication-credential-id=x\napplication-credential-secret=${S}\n",
        at=(3, 1),
        carrier="KubeadmControlPlane",
        template=True,
    ),
)
GOOD = (
    Case("[Global]\nusername=u\npassword=p\n"),
    Case("[Global]\nusername=u\npassword=p\n", carrier="Secret", subject="Secret kube-system/cloud-config"),
    Case("[Global]\nuse-clouds=true\nca-file=/etc/config/ca.pem\n", carrier="ConfigMap", subject=_NAME),
    Case("[Global]\nsecret-name=openstack-credentials\n", carrier="ConfigMap", subject=_NAME, dialect="openshift"),
    Case("[Global]\npassword=\n", carrier="ConfigMap", subject=_NAME, shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the first secret."""
    carrier = conf.carried.carrier
    if carrier != "ConfigMap" and not carrier.startswith("Kubeadm"):
        return
    for item in conf.items:
        if item.spec is not None and item.spec.secret and (item.opaque or item.entry.value):
            yield Problem(
                item.entry.key_span,
                f"a secret in a {carrier}, which more users can read than a Secret",
                "",
                "Move the file into a Secret."
                if carrier == "ConfigMap"
                else "Use `contentFrom.secret` instead of `content`.",
            )
            return
