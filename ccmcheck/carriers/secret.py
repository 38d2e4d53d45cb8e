"""Secrets: ``data`` in base64, ``stringData`` as it is.

A key's name says what is in it only where it is ``cloud.conf`` or the like; any other value counts by what it says. A
Secret of a ClusterResourceSet holds manifests, which are searched in turn.
"""

from __future__ import annotations

from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.signs.paths import is_cloud_conf_key
from ccmcheck.yamlio import Mapping, Scalar


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search a Secret."""
    search_maps(obj, carrier, {"data": "base64", "stringData": ""})


def search_maps(obj: KubernetesObject, carrier: Carrier, fields: dict[str, str]) -> None:
    """Search the values of an object that is a map of texts.

    Args:
        obj: The object.
        carrier: The same as the carrier of its texts.
        fields: The maps' names, each with the encoding of its values.
    """
    texts = [
        (name, encoding, key.value, value)
        for name, encoding in fields.items()
        if isinstance(node := obj.node.get(name), Mapping)
        for key, value in node.items
        if isinstance(value, Scalar)
    ]
    keys = tuple(dict.fromkeys(key for _, _, key, _ in texts))
    for name, encoding, key, value in texts:
        carrier.search_scalar(
            value, f'{name}["{key}"]', encoding=encoding, named=is_cloud_conf_key(key, obj.name), key=key, keys=keys
        )
