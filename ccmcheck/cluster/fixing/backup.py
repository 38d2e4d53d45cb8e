"""The objects before a change, as a file that `kubectl replace -f` puts back."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ccmcheck.cluster.access.documents import mapping
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import errors

_OF_THE_SERVER = frozenset({"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"})


def refuse_existing(path: str) -> None:
    """Refuse to write over a backup: the second run of a command would replace the only good one.

    Raises:
        WrongUse: There is a file of that name.
    """
    if os.path.lexists(path):
        raise errors.WrongUse(f"--backup {path} exists already", "Name a new file.")


def backup(objects: Iterable[Document]) -> bytes:
    """Some objects as one List; JSON, which holds every text exactly as it is."""
    import json

    items = [{**_head(obj), **obj, "metadata": _metadata(obj)} for obj in objects]
    for item in items:
        item.pop("status", None)
    return (json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2) + "\n").encode()


def _head(obj: Document) -> Document:
    return {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind")}


def _metadata(obj: Document) -> Document:
    """The metadata without what the API server writes; finalizers and owners stay, as a replacement drops others."""
    return {key: value for key, value in mapping(obj.get("metadata")).items() if key not in _OF_THE_SERVER}
