"""A Secret that the Manila CSI driver cannot log in with."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.data.deployments import MANILA_BOTH_UNTIL, MANILA_PROVISIONER, MANILA_SECRETS
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, field

_ID, _USER, _PASSWORD = "os-applicationCredentialID", "os-userName", "os-password"


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the Secrets that a StorageClass names, where they are in its file."""
    if not manifest.text_at("provisioner").endswith(MANILA_PROVISIONER):
        return
    parameters = manifest.at("parameters")
    seen: set[str] = set()
    for purpose in MANILA_SECRETS:
        named = field(parameters, f"csi.storage.k8s.io/{purpose}-secret-name")
        keys = _keys(manifest, named.value) if isinstance(named, Scalar) and not manifest.has_mark(named) else None
        if not isinstance(named, Scalar) or keys is None or named.value in seen:
            continue
        seen.add(named.value)
        if not any(key.startswith("os-") for key in keys):
            yield Problem(
                named.content,
                "the Manila CSI driver finds no login in this Secret: it reads keys such as `os-authURL`, never a cloud.conf",
                "Volumes stay pending: `invalid OpenStack secrets`.",
                "Name a Secret with `os-authURL`, `os-region` and a login by `os-` keys.",
            )
        elif _ID in keys and _USER in keys and _PASSWORD not in keys:
            yield Problem(
                named.content,
                f"this Secret has `{_USER}` beside an application credential, and no `{_PASSWORD}`",
                f"Up to {MANILA_BOTH_UNTIL} the driver then wants the password: `parameter 'os-userName' requires "
                "'os-password'`.",
                f"Remove `{_USER}` and the user's domain from the Secret.",
            )


def _keys(manifest: Manifest, name: str) -> set[str] | None:
    """The keys of a Secret of the same file; None where it is not there."""
    secret = next((item for item in manifest.neighbours if item.kind == "Secret" and item.name == name), None)
    if secret is None:
        return None
    nodes = (secret.at(part) for part in ("data", "stringData"))
    return {key.value for node in nodes if isinstance(node, Mapping) for key, _ in node.items}
