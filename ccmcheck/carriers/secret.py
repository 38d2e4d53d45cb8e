"""Secrets: ``data`` in base64, ``stringData`` as it is.

A key's name says what is in it only where it is ``cloud.conf`` or the like; any other value counts by what it says. A
Secret of a ClusterResourceSet holds manifests, which are searched in turn.
"""

from __future__ import annotations

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.signs.paths import is_cloud_conf_key
from ccmcheck.layers.encoded import decode_base64
from ccmcheck.yamlio import Mapping, Scalar, documents, field

_CLOUDS_YAML = "clouds.yaml"
_NAME = lazy_regex(r"[\w.-]+")


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
    if _CLOUDS_YAML in keys:
        keys += [_clouds(value.value, encoding) for _, encoding, key, value in texts if key == _CLOUDS_YAML][-1]
    for name, encoding, key, value in texts:
        carrier.search_scalar(
            value, f'{name}["{key}"]', encoding=encoding, named=is_cloud_conf_key(key, obj.name), key=key, keys=keys
        )


def _clouds(text: str, encoding: str) -> tuple[str, ...]:
    """The clouds of a clouds.yaml as `CarriedConf.siblings` has them; none where not all their names are known."""
    decoded = decode_base64(text) if encoding else None
    for document in documents(decoded.data.decode(errors="replace") if decoded is not None else text):
        clouds = None if isinstance(document, BadYaml) or document.root is None else field(document.root, "clouds")
        names = [key.value for key, _ in clouds.items] if isinstance(clouds, Mapping) else []
        if all(map(_NAME.fullmatch, names)):
            return tuple([f"{_CLOUDS_YAML}#{name}" for name in names])
    return ()
