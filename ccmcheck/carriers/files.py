"""Entries that write a file on a machine: Cluster API's ``files``, cloud-init's ``write_files``, and others'."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf

from ccmcheck.carriers.carrier import Carrier, is_encoded
from ccmcheck.catalog.signs.paths import is_named_cloud_conf
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, text_of


def search_entries(carrier: Carrier, node: YamlNode | None, label: str) -> None:
    """Search a list of file entries.

    Args:
        carrier: The object, with the text that the list is in.
        node: The list; anything else is ignored.
        label: The list's name, for people.
    """
    if not isinstance(node, Sequence):
        return
    entries = [entry for entry in node.items if isinstance(entry, Mapping)]
    paths = [text_of(entry.get("path")) or "" for entry in entries]
    for entry, path in zip(entries, paths, strict=True):
        search_entry(carrier, entry, label, path, paths)


def search_entry(carrier: Carrier, entry: Mapping, label: str, key: str = "", keys: SequenceOf[str] = ()) -> None:
    """Search one file entry.

    Args:
        carrier: The object, with the text that the entry is in.
        entry: Its mapping.
        label: What the list of entries is called, for people.
        key: The entry's path, where it is one of a list.
        keys: The paths of all entries of the list.
    """
    content = entry.get("content")
    if not isinstance(content, Scalar):
        return
    path = entry.get("path")
    name = carrier.source.value_of(path) if isinstance(path, Scalar) else ""
    encoding = text_of(entry.get("encoding")) or ""
    carrier.search_scalar(
        content,
        f'{label}["{name}"]' if name else label,
        encoding=encoding if is_encoded(encoding) else "",
        named=is_named_cloud_conf(name),
        key=key,
        keys=keys,
    )
