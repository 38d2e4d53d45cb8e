"""An immutable Secret or ConfigMap with a cloud.conf."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, kubernetes_scalar

_GENERATED = lazy_regex(r"-[a-z0-9]{10}\Z")
"""The suffix of kustomize's generators: a hash of the content."""


def check(manifest: Manifest) -> Problems:
    """Look at the field."""
    switch = manifest.node.get("immutable")
    if switch is None or not isinstance(switch, Scalar) or kubernetes_scalar(switch) is not True:
        return
    key = manifest.node.key("immutable")
    if key is not None and manifest.confs and not _GENERATED.search(manifest.name):
        yield Problem(
            key.span,
            "the API server rejects every change of the content",
            "To change a password or certificate, the object must be deleted and created again.",
            "Delete the line, or give each version its own name.",
        )
