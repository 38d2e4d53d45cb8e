"""Secrets: ``data`` in base64, ``stringData`` as it is.

A key's name says what is in it only where it is ``cloud.conf`` or the like; any other value counts by what it says. A
Secret of a ClusterResourceSet holds manifests, which are searched in turn.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.signs.paths import is_cloud_conf_key
from ccmcheck.layers.encoded import decode_base64
from ccmcheck.yamlio import Mapping, Scalar

_CLOUDS_YAML = "clouds.yaml"
_CLOUDS = lazy_regex(
    r"(?m)^clouds:[ \t]*+\n(?P<first>(?: *+\n)*+(?P<indent> ++)[^\n]*+)"
    r"(?P<rest>(?:\n(?:[ #][^\n]*+)?)*+)(?:[\w\"'.-]|\Z)"
)
_CLOUD = lazy_regex(r"[\"']?(?P<name>[\w.-]++)[\"']?:[ \t]*+(?:#.*+)?")


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
    """The clouds of a clouds.yaml as `CarriedConf.siblings` has them; none where it is not plain block style."""
    decoded = decode_base64(text) if encoding else None
    found = _CLOUDS.search(decoded.data.decode(errors="replace") if decoded is not None else text)
    if found is None:
        return ()
    lines = [
        line for line in (found["first"] + found["rest"]).split("\n") if line.strip(" ") and line.strip()[0] != "#"
    ]
    names = [
        _CLOUD.fullmatch(rest) for line in lines if (rest := line.removeprefix(found["indent"])) and rest[0] != " "
    ]
    return tuple([f"{_CLOUDS_YAML}#{name['name']}" for name in names if name]) if all(names) else ()
