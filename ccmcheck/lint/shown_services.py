"""Which Services of a file are for the CCM: a page may show those of several clouds."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.carriers.base import SERVICE_ANNOTATIONS
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.rules.registry import SERVICE

_SERVICES = (SERVICE, SERVICE_ANNOTATIONS)
_OWN = "openstack"
"""In the names of all annotations that the CCM reads alone."""


def without_those_of_others(path: str, text: str, objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
    """Some objects without the Services of a document that may be for any cloud.

    Args:
        path: The file.
        text: Its text.
        objects: Objects in it.
    """
    if not objects or not is_document(path):
        return list(objects)
    from ccmcheck.catalog.service_annotations import FOREIGN_PREFIXES

    if not any(start in text for start in FOREIGN_PREFIXES):
        return list(objects)
    return [one for one in objects if one.kind not in _SERVICES or _OWN in one.source.text[slice(*one.node.content)]]
