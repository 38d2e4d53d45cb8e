"""The credentials of [Global] at one release, collected once for all rules about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccmcheck.base.model import Problem
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import IN_TREE, CcmPod, Mount
from ccmcheck.catalog.data.ccm_chart import CONF_KEY, MOUNTED_AT
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import CCM, GLOBAL, ignored, is_ccm_file
from ccmcheck.rules._support.once import once

APPLICATION = ("application-credential-id", "application-credential-name", "application-credential-secret")
USER = ("username", "user-id")
USER_DOMAIN = ("user-domain-id", "user-domain-name")
DOMAIN = ("domain-id", "domain-name")
PROJECT = ("tenant-id", "tenant-name")
PROJECT_DOMAIN = ("tenant-domain-id", "tenant-domain-name")
NEEDLESS_WITH_APPLICATION = frozenset((*USER, *USER_DOMAIN, *DOMAIN, *PROJECT, *PROJECT_DOMAIN, "password"))
"""What an application credential that is given by its ID includes (gophercloud v2 auth_options.go ToTokenV3CreateMap)."""


class LoginKeys(NamedTuple):
    """The keys of [Global] that take effect.

    Attributes:
        conf: The file.
        items: By their name in the catalogue; empty where the CCM does not read the file.
        meant: The keys that are there under a wrong name.
    """

    conf: CloudConf
    items: Mapping[str, Item]
    meant: frozenset[str] = frozenset()

    def has(self, *keys: str) -> bool:
        """Whether one of some keys is set: to a value, to a template expression, or under a wrong name."""
        for key in keys:
            item = self.items.get(key)
            if item is not None and (item.opaque or item.entry.value):
                return True
        return bool(self.meant) and not self.meant.isdisjoint(keys)

    def has_value(self, *keys: str) -> bool:
        """Whether one of some keys is certainly not empty, as one with a template expression may be."""
        return any(self.text(key) for key in keys)

    def text(self, key: str) -> str:
        """A value; empty where it is unknown or not set."""
        item = self.items.get(key)
        if item is None or item.opaque or not item.entry.sound:
            return ""
        return item.entry.value or ""

    def first(self, *keys: str) -> Item | None:
        """The first of some keys that the file sets."""
        return next((self.items[key] for key in keys if key in self.items and self.has(key)), None)


@once
def login(conf: CloudConf) -> LoginKeys:
    """Collect the credentials; several rules ask for the same file."""
    return _login(conf) if is_ccm_file(conf) else LoginKeys(conf, {})


def has_application_credential(conf: CloudConf) -> bool:
    """Whether the release logs in by an application credential's ID and secret, which includes user and project."""
    by_id, _, secret = APPLICATION
    credentials = login(conf)
    is_given = credentials.first(by_id) is not None and credentials.first(secret) is not None
    return is_given and credentials.first("password", "token", "trust-id", "cloud", "use-clouds") is None


def provider_login(conf: CloudConf) -> LoginKeys:
    """The same, also for a file that the provider inside Kubernetes reads."""
    return _login(conf) if conf.consumer == IN_TREE and conf.for_provider else login(conf)


def any_login(conf: CloudConf) -> LoginKeys:
    """The same, also for a file that only the Cinder CSI driver reads, which logs in by the same code."""
    return _login(conf) if drivers_of(conf) else login(conf)


def _login(conf: CloudConf) -> LoginKeys:
    meant = frozenset([key.meant for key in ignored(conf) if key.section == GLOBAL and key.meant])
    return LoginKeys(conf, conf.deciding(GLOBAL), meant)


def pods_of(conf: CloudConf) -> tuple[CcmPod, ...]:
    """The CCM's workloads that read this file, as far as known.

    A Secret or ConfigMap belongs to the workloads that mount it by name, a plain file to the only workload of the run,
    the values of a chart to the workload that it makes. What other charts mount is unknown.
    """
    return _readers(conf, conf.run_context.pods)


def drivers_of(conf: CloudConf) -> tuple[CcmPod, ...]:
    """The Cinder CSI driver's workloads that read this file from a Secret or ConfigMap; none where a name is unknown."""
    if conf.consumer not in (CCM, CINDER_CSI) or not conf.run_context.drivers or not conf.carried.subject:
        return ()
    near = _readers(conf, conf.nearest(conf.run_context.drivers))
    at = {pod: pod.mount_at(pod.cloud_config) for pod in near}
    return tuple(pod for pod, mount in at.items() if mount and mount.key_at(pod.cloud_config) == conf.carried.key)


def reader_of(pod: CcmPod) -> str:
    """What a workload runs, for messages."""
    return reader_name(CINDER_CSI if CINDER_CSI in pod.image else CCM)


def _readers(conf: CloudConf, workloads: Sequence[CcmPod]) -> tuple[CcmPod, ...]:
    pods = tuple([pod for pod in workloads if pod.mounts])
    kind, _, name = conf.carried.subject.partition(" ")
    if not name:
        return pods if conf.carried.carrier == "file" and len(pods) == 1 else ()
    namespace, _, short = name.rpartition("/")
    return tuple(
        pod
        for pod in pods
        if (pod.made_by and pod.made_by == conf.carried.subject and pod.path == conf.path)
        or (
            (not namespace or not pod.namespace or pod.namespace == namespace)
            and any(mount.source == kind and mount.name == short for mount in pod.mounts)
        )
    )


def missing_file(item: Item, pod: CcmPod) -> Problem:
    """The problem with a path for which `is_missing` holds in the workload's container."""
    return Problem(
        item.span,
        f"{pod.subject} has no such file, so {reader_of(pod)} does not start",
        "No volume is mounted there, or it has no such key.",
        "Mount the file there, or write the path where it is mounted.",
    )


def is_missing(conf: CloudConf, pod: CcmPod, path: str) -> bool:
    """Whether a container certainly lacks a file: nothing is mounted there, or this Secret is, without such a key."""
    if not path.startswith("/"):
        return False

    mount = pod.mount_at(path)
    if mount is None:
        return True
    if not mount.path:
        return False
    if pod.made_by and pod.made_by == conf.carried.subject:
        return mount.path == MOUNTED_AT and path != f"{MOUNTED_AT}/{CONF_KEY}"  # that Secret has no other key
    if mount.sub_path or not _is_of(conf, mount) or not conf.carried.siblings:
        return False
    return mount.key_at(path) not in conf.carried.siblings


def own_key_at(conf: CloudConf, pod: CcmPod, path: str) -> str | None:
    """The key of the cloud.conf's own object that a container has at a path; empty for none of them, None if unknown."""
    mount = pod.mount_at(path) if path.startswith("/") else None
    if mount is None:
        return "" if path.startswith("/") else None
    if not mount.path or mount.source == "projected":
        return None
    return mount.key_at(path) if _is_of(conf, mount) else ""


def _is_of(conf: CloudConf, mount: Mount) -> bool:
    kind, _, name = conf.carried.subject.partition(" ")
    return (mount.source, mount.name) == (kind, name.rpartition("/")[2])
