"""Entries that write a file on a machine: Cluster API's ``files``, cloud-init's ``write_files``, and others'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.encoding import is_encoded
from ccmcheck.carriers.prefilter import is_named_cloud_conf
from ccmcheck.carriers.search import NONE, Siblings
from ccmcheck.yamlio import Mapping, Scalar, Sequence, text_of

if TYPE_CHECKING:
    from ccmcheck.carriers.search import Around
    from ccmcheck.yamlio import Node


def look_at_list(around: Around, node: Node | None, label: str) -> None:
    """Search a list of file entries.

    Args:
        around: The text that the list is in, and the object that it belongs to.
        node: The list; anything else is passed over.
        label: The list's name, for people.
    """
    if not isinstance(node, Sequence):
        return
    entries = [entry for entry in node.items if isinstance(entry, Mapping)]
    paths = [text_of(entry.get("path")) or "" for entry in entries]
    for entry, path in zip(entries, paths, strict=True):
        look_at(around, entry, label, Siblings(paths, path))


def look_at(around: Around, entry: Mapping, label: str, siblings: Siblings = NONE) -> None:
    """Search one file entry.

    Args:
        around: The text that the entry is in, and the object that it belongs to.
        entry: Its mapping.
        label: What the list of entries is called, for people.
        siblings: The other entries, by their paths.
    """
    content = entry.get("content")
    if not isinstance(content, Scalar):
        return
    path = entry.get("path")
    name = around.level.said(path) if isinstance(path, Scalar) else ""
    encoding = text_of(entry.get("encoding")) or ""
    around.value(
        content,
        f'{label}["{name}"]' if name else label,
        encoding=encoding if is_encoded(encoding) else "",
        named=is_named_cloud_conf(name),
        siblings=siblings,
    )
