"""A change of cloud.conf does not restart the CCM."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Fix, Problem, Problems
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import Workload, is_settled, workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, field

_OWN = "ccmcheck.dev/cloud-conf"
_SIGNS = ("reload", "checksum", "hash", "sha", "version", "revision", "restart")
"""Parts of the names of annotations that follow a Secret, or that are changed to restart a workload."""

_LENGTH = 12


def check(manifest: Manifest) -> Problems:
    """Compare the annotation with the text, or look for another that follows it."""
    ccm = workload(manifest)
    if ccm is None or not ccm.pod.cloud_config or not manifest.final:
        return
    conf = _conf(manifest, ccm)
    if conf is None or not conf.final or conf.marks:
        return
    own = field(ccm.template, "metadata", "annotations", _OWN)
    if isinstance(own, Scalar):
        expected = _hash_of(conf)
        if own.value != expected and not manifest.has_mark(own):
            yield Problem(
                own.content,
                "this hash is of an older cloud.conf, so that applying the new one does not restart the CCM",
                "The CCM reads its file once, at start; its pods start again where their template changes.",
                f"Write `{expected}`.",
                yaml_fixes.unsafe(manifest, f"write `{expected}`", yaml_fixes.write(manifest, own, expected)),
            )
        return
    if not is_settled(manifest, ccm.template) or any(sign in name for name in _names(manifest, ccm) for sign in _SIGNS):
        return
    name = manifest.at("metadata", "name")
    kind = manifest.kind.lower()
    place = f" -n {manifest.namespace}" if manifest.namespace else ""
    yield Problem(
        name.content if name is not None else ccm.image.content,
        "the pod template does not change with the cloud.conf, so the CCM keeps using the old file",
        "The CCM reads the file once, at start.",
        f"Add a checksum annotation to the template, or run `kubectl rollout restart {kind}/{manifest.name}{place}`.",
        _fix(manifest, ccm, _hash_of(conf)),
    )


def _conf(manifest: Manifest, ccm: Workload) -> CarriedConf | None:
    """The cloud.conf of the same file that the workload reads."""
    mount = ccm.pod.mount_at(ccm.pod.cloud_config)
    if mount is None or mount.source not in ("Secret", "ConfigMap"):
        return None
    names = {f"{mount.source} {mount.name}", f"{mount.source} {manifest.namespace}/{mount.name}"}
    return next((conf for conf in manifest.confs_of_file if conf.subject in names), None)


def _names(manifest: Manifest, ccm: Workload) -> list[str]:
    """The annotations of the workload and of its pods, in lower case."""
    holders = (manifest.at("metadata", "annotations"), field(ccm.template, "metadata", "annotations"))
    return [key.value.lower() for node in holders if isinstance(node, Mapping) for key, _ in node.items]


def _hash_of(conf: CarriedConf) -> str:
    from hashlib import sha256

    return sha256(conf.stack.inner.encode("utf-8", "surrogateescape")).hexdigest()[:_LENGTH]


def _fix(manifest: Manifest, ccm: Workload, value: str) -> Fix | None:
    metadata = ccm.template.get("metadata")
    annotations = field(metadata, "annotations")
    edit: Edit | None = None
    if isinstance(annotations, Mapping):
        edit = yaml_fixes.insert_entry(manifest, annotations, _OWN, value)
    elif annotations is None and isinstance(metadata, Mapping):
        edit = yaml_fixes.insert_entry(manifest, metadata, "annotations", {_OWN: value})
    elif metadata is None:
        edit = yaml_fixes.insert_entry(manifest, ccm.template, "metadata", {"annotations": {_OWN: value}})
    return yaml_fixes.unsafe(manifest, "add a hash of the text", edit)
