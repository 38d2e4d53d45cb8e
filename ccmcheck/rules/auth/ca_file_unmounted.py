"""A certificate or key file that is not mounted."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problems
from ccmcheck.carriers.base import CcmPod
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.login import any_login, drivers_of, is_missing, missing_file, pods_of

_IN_IMAGE = lazy_regex(r"/etc/ssl/certs/(?:ca-cert|[A-Z]|[0-9a-f]{8}\.|.*/)")
"""What the published images may contain: a distribution's certificates, by their names."""
_PUBLISHED = ("registry.k8s.io/provider-os/", "k8scloudprovider/", "docker.io/k8scloudprovider/")
"""Where images come from that nobody has added a certificate to."""


def check(conf: CloudConf) -> Problems:
    """Look each path up in the container's mounts."""
    if not (conf.run_context.pods or conf.run_context.drivers):
        return
    credentials = any_login(conf)
    keys = ["ca-file"] if credentials.text("ca-file") else []
    if credentials.has("cert-file") and credentials.has("key-file"):
        keys += [key for key in ("cert-file", "key-file") if credentials.text(key)]
    if not keys:
        return
    groups = (pods_of(conf), drivers_of(conf))
    for key in keys:
        path = credentials.text(key)
        for pods in groups:
            if (
                pods
                and not any(_may_be_in(pod, path) for pod in pods)
                and all(is_missing(conf, pod, path) for pod in pods)
            ):
                yield missing_file(credentials.items[key], pods[0])
                break


def _may_be_in(pod: CcmPod, path: str) -> bool:
    """Whether a workload's image may have a file."""
    is_known = pod.image.startswith(_PUBLISHED) and _IN_IMAGE.match(path) is None
    return path.startswith("/etc/ssl/certs/") and not is_known
