"""A cloud.conf that is not mounted or not readable in the CCM's container."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.carriers.base import Mount
from ccmcheck.catalog.data.cluster import PROVIDER_NAME
from ccmcheck.conf.starting import lacks_conf
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import Workload, flag, is_settled, workload, write_flag
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, field, kubernetes_scalar, mappings, text_of

_OTHERS, _GROUP = 0o004, 0o040
_ON_HOSTS = ("/etc/ssl/certs", "/etc/kubernetes/pki", "/etc/kubernetes/manifests")
"""Directories that hosts have anyway."""
_SOURCES = {"Secret": "secret", "ConfigMap": "configMap"}


def check(manifest: Manifest) -> Problems:
    """Look for the file in the container's volumes, then for its permissions."""
    ccm = workload(manifest)
    if ccm is None:
        return
    provider = flag(manifest, ccm, "cloud-provider")
    if provider is not None and provider.value not in ("", PROVIDER_NAME):
        yield Problem(
            provider.span,
            f"the CCM supports the provider `{PROVIDER_NAME}` only",
            "It does not start. `external` is for kubelet and kube-controller-manager.",
            f"Write `{PROVIDER_NAME}`.",
            yaml_fixes.safe(manifest, f"write `{PROVIDER_NAME}`", write_flag(manifest, provider, PROVIDER_NAME)),
        )
    yield from _below_read_only(ccm)
    given_flag = flag(manifest, ccm, "cloud-config")
    if given_flag is None or not given_flag.value.startswith("/"):
        return
    mount = ccm.pod.mount_at(given_flag.value)
    if mount is None:
        if lacks_conf(ccm.pod):
            yield Problem(
                given_flag.span,
                "no volume of the container provides this file",
                "The CCM does not start: no such file or directory.",
                "Write the path where the Secret is mounted, or mount it there.",
            )
    elif mount.items and not mount.key_at(given_flag.value):
        yield Problem(
            given_flag.span,
            f"the volume at {mount.path} does not contain this file",
            "A volume with `items` contains only those keys.",
            "Add the key to the volume's `items` with this file's name as its path.",
        )
    else:
        yield from _unreadable(manifest, ccm, mount, given_flag.value)


def _below_read_only(ccm: Workload) -> Problems:
    """Volumes that are mounted where the container runtime cannot make a directory for them.

    The kubelet makes such directories in Secrets, ConfigMaps and emptyDirs (kubernetes pkg/volume/util/nested_volumes.go).
    """
    hosts = {
        text_of(one.get("name")): text_of(field(one, "hostPath", "path")) for one in mappings(ccm.spec.get("volumes"))
    }
    mounts = [(text_of(one.get("mountPath")) or "", one) for one in mappings(ccm.container.get("volumeMounts"))]
    closed = {
        f"{path.rstrip('/')}/": host
        for path, one in mounts
        if text_of(one.get("readOnly")) == "true" and (host := hosts.get(text_of(one.get("name"))))
    }
    for path, one in mounts:
        around = next((outer for outer in closed if path.startswith(outer) and path != outer), "")
        place = one.get("mountPath")
        if around and isinstance(place, Scalar) and not hosts.get(text_of(one.get("name"))) and path not in _ON_HOSTS:
            yield Problem(
                place.content,
                f"is below {around[:-1]}, a read-only mount of the host: the directory cannot be made",
                "The container does not start (read-only file system), unless every host has that directory.",
                "Mount it at a path outside, as /etc/config, and write that path where it is read.",
                severity=Severity.WARNING,
            )


def _unreadable(manifest: Manifest, ccm: Workload, mount: Mount, path: str) -> Problems:
    node = _mode(ccm, mount, path)
    mode = kubernetes_scalar(node) if node is not None else None
    user = _own(ccm, "runAsUser")
    if node is None or not isinstance(mode, int) or user in (None, 0) or manifest.has_mark(node):
        return
    pod = ccm.spec.get("securityContext")
    if field(pod, "fsGroup") is not None or not is_settled(manifest, ccm.spec):
        return
    supplemental = field(pod, "supplementalGroups")
    groups = {_own(ccm, "runAsGroup") or 0}
    groups |= (
        {kubernetes_scalar(item) for item in supplemental.items if isinstance(item, Scalar)}
        if isinstance(supplemental, Sequence)
        else set()
    )
    if mode & _OTHERS or (mode & _GROUP and 0 in groups):
        return
    yield Problem(
        node.content,
        f"the file belongs to root, and the CCM runs as user {user}",
        "The CCM does not start: permission denied.",
        f"Add `fsGroup: {user}` to the pod's `securityContext`, or set the mode to `0440`.",
        _fix(manifest, ccm, pod, user),
    )


def _mode(ccm: Workload, mount: Mount, path: str) -> Scalar | None:
    """The mode of the file in its volume, where the manifest gives one."""
    if mount.source not in _SOURCES:
        return None
    for volume in mappings(ccm.spec.get("volumes")):
        source = volume.get(_SOURCES[mount.source])
        name = text_of(field(source, "secretName" if mount.source == "Secret" else "name"))
        if source is None or name != mount.name:
            continue
        key = mount.key_at(path)
        for item in mappings(field(source, "items")):
            own = item.get("mode")
            if text_of(item.get("key")) == key and isinstance(own, Scalar):
                return own
        default = field(source, "defaultMode")
        return default if isinstance(default, Scalar) else None
    return None


def _own(ccm: Workload, name: str) -> object:
    """A number of the security context, of the container or else of the pod; None where neither has it."""
    for holder in (ccm.container, ccm.spec):
        node: YamlNode | None = field(holder, "securityContext", name)
        if isinstance(node, Scalar):
            return kubernetes_scalar(node)
    return None


def _fix(manifest: Manifest, ccm: Workload, pod: YamlNode | None, user: object) -> Fix | None:
    if not isinstance(user, int):
        return None
    edit = (
        yaml_fixes.insert_entry(manifest, pod, "fsGroup", user)
        if isinstance(pod, Mapping)
        else yaml_fixes.insert_entry(manifest, ccm.spec, "securityContext", {"fsGroup": user})
    )
    return yaml_fixes.safe(manifest, f"add `fsGroup: {user}`", edit)
