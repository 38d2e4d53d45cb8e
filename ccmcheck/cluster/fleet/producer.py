"""What put an object into a cluster: a chart, a GitOps controller, a ClusterResourceSet, or whoever owns the field.

Many clusters have one mistake in common because one of these made it; that is where it is corrected.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.core import lazy_regex
from ccmcheck.cluster.live.ownership import latest, owners

if TYPE_CHECKING:
    from ccmcheck.cluster.access.transport import Document

_LABELS = (
    ("helm.toolkit.fluxcd.io/name", "Flux HelmRelease"),
    ("kustomize.toolkit.fluxcd.io/name", "Flux Kustomization"),
    ("argocd.argoproj.io/instance", "Argo CD application"),
    ("gardener.cloud/managed-by", "Gardener"),
    ("resources.gardener.cloud/managed-by", "Gardener"),
)
_ANNOTATIONS = (
    ("argocd.argoproj.io/tracking-id", "Argo CD application"),
    ("meta.helm.sh/release-name", "Helm release"),
    ("resources.gardener.cloud/origin", "Gardener"),
    ("projectsveltos.io/owner-name", "Sveltos"),
)
"""What writes which label or annotation; its value is a name, up to the first colon."""
_NAME = lazy_regex(r"[\w./@-]{1,128}", re.ASCII)


def producer(obj: Document, *path: str) -> str:
    """What made an object, or the last owner of a field of it; empty where nothing says so.

    Args:
        obj: The object.
        path: The field.
    """
    metadata = mapping(obj.get("metadata"))
    for values, known in ((metadata.get("labels"), _LABELS), (metadata.get("annotations"), _ANNOTATIONS)):
        for key, what in known:
            name = text(mapping(values).get(key)).partition(":")[0]
            if _NAME.fullmatch(name):
                return f"{what} {name}"
    owner = latest(owners(obj, *path)) if path else None
    return f"field manager {owner.manager}" if owner is not None and _NAME.fullmatch(owner.manager) else ""
