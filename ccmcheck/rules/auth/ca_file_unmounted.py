"""A certificate or key file that is not mounted."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.login import is_missing, login, missing_file, pods_of

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
