"""Secrets: ``data`` in base64, ``stringData`` as it is.

A key's name says what is in it only where it is ``cloud.conf`` or the like; any other value counts by what it says. A
Secret of a ClusterResourceSet holds manifests, which are searched in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.names import is_cloud_conf_key
from ccmcheck.carriers.search import Siblings
from ccmcheck.yamlio import Mapping, Scalar

if TYPE_CHECKING:
    from ccmcheck.carriers.objects import Object


def find(found: Object) -> None:
    """Search a Secret.

    Args:
        found: The object.
    """
    look_at(found, (("data", "base64"), ("stringData", "")))


def look_at(found: Object, fields: tuple[tuple[str, str], ...], dialect: str = "") -> None:
    """Search the values of an object that is a map of texts.

    Args:
        found: The object.
        fields: The maps' names, each with the encoding of its values.
        dialect: See `ccmcheck.carriers.base.Carried`.
    """
    maps = [(name, encoding, node) for name, encoding in fields if isinstance(node := found.node.get(name), Mapping)]
    texts = [
        (name, encoding, key.value, value)
        for name, encoding, node in maps
        for key, value in node.items
        if isinstance(value, Scalar)
    ]
    if not texts:
        return
    around = found.around(dialect)
    keys = tuple(dict.fromkeys(key for _, _, key, _ in texts))
    for name, encoding, key, value in texts:
        around.value(
            value,
            f'{name}["{key}"]',
            encoding=encoding,
            named=is_cloud_conf_key(key, found.name),
            siblings=Siblings(keys, key),
        )
