"""Documents of no particular kind: every text in them is looked at, and every shape that is known.

Chart values, cloud-init data, variables of clusterctl, ClusterClass patches, Talos machine configurations, lists of
objects: what they have in common is that a cloud.conf lies in some scalar at some depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers import chart_values, charts, files
from ccmcheck.carriers.names import is_cloud_conf_key
from ccmcheck.yamlio import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Container

    from ccmcheck.carriers.objects import Object
    from ccmcheck.carriers.search import Around
    from ccmcheck.yamlio import Node

    Way: TypeAlias = tuple["Way", str] | None
    """A node's keys from the innermost outwards; made into words only when they are shown."""

_NEVER = frozenset({"annotations", "managedFields", "labels", "status", "ownerReferences"})
"""Copies of the object, such as kubectl's last-applied-configuration, and what controllers write."""

_ENCODED = lazy_regex(r"[A-Za-z0-9+/\s]++={0,2}\s*+\Z")
_ITEM = lazy_regex(r"\[\d+\]\Z")
_SHORTEST = 24
"""Code points; no cloud.conf says anything in fewer, plain or in base64."""


def find(found: Object) -> None:
    """Look through an object of a kind that no other file knows.

    Args:
        found: The object.
    """
    around = found.around()
    namespace = found.said("spec", "targetNamespace") or found.namespace
    look_through(around._replace(holder=around.holder._replace(namespace=namespace)), found.node)


def look_through(around: Around, root: Node) -> None:
    """Look at every text below a node.

    Args:
        around: The text that the node is in, and the object that it belongs to.
        root: The node.
    """
    waiting: list[tuple[Node, Way]] = [(root, None)]
    seen: set[Node] = set()
    while waiting:
        node, way = waiting.pop()
        if node.shared:
            if node in seen:
                continue
            seen.add(node)
        if isinstance(node, Scalar):
            _look_at_text(around, node, way)
        elif isinstance(node, Sequence):
            waiting.extend([(item, (way, f"[{number}]")) for number, item in enumerate(node.items)][::-1])
        elif isinstance(node, Mapping):
            values = {key.value: value for key, value in node.items}
            is_object = "kind" in values and ("apiVersion" in values or "metadata" in values)
            if is_object and node is not root and around.may_go_deeper():
                level = around.level._replace(depth=around.level.depth + 1)
                around.search.visit(around.search, level, node, around.holder)
                continue
            done = _look_at_shape(around, node, values, way)
            waiting.extend([(value, (way, key)) for key, value in values.items() if key not in done][::-1])


def words(way: Way) -> str:
    """A way as people write it: ``spec.values.cloudConfig``, ``[0].content``."""
    parts: list[str] = []
    while way is not None:
        way, part = way
        parts.append(part)
    return "".join(part if part.startswith("[") else f".{part}" for part in reversed(parts)).removeprefix(".")


def _look_at_shape(around: Around, node: Mapping, values: dict[str, Node], way: Way) -> Container[str]:
    """Search what a mapping's keys say that it is, and give back the keys that need not be looked at any more."""
    if "content" in values and ("path" in values or "encoding" in values):
        files.look_at(around, node, _ITEM.sub("", words(way)))
        return {"content"} | _NEVER
    if "cloudConfig" in values or "cloudConfigContents" in values:
        return chart_values.find(around, node, words(way)) | _NEVER
    if "version" in values or "targetRevision" in values:
        charts.find(around, values)
    if "op" in values and "path" in values and isinstance(value := values.get("value"), Scalar):
        _look_at_operation(around, values["path"], value, words(way))
        return values
    return _NEVER


def _look_at_operation(around: Around, path: Node, value: Scalar, where: str) -> None:
    """One operation of a JSON patch (RFC 6902) that sets a text: ``/data/cloud.conf``."""
    target = around.level.said(path) if isinstance(path, Scalar) else ""
    parent, _, key = target.rpartition("/")
    encoded = parent in ("/data", "/binaryData") and " " not in value.value.strip()
    around.value(
        value,
        f"{where} {target}".strip(),
        encoding="base64" if encoded else "",
        named=is_cloud_conf_key(key.replace("~1", "/").replace("~0", "~")),
    )


def _look_at_text(around: Around, node: Scalar, way: Way) -> None:
    text = node.value
    if len(text) < _SHORTEST:
        return
    named = way is not None and is_cloud_conf_key(way[1])
    encoding = "base64" if _ENCODED.match(text) else ""
    around.value(node, words(way), encoding=encoding, named=named)


def shape(root: Node) -> str:
    """What people call a document that names no kind."""
    if isinstance(root, Mapping):
        keys = {key.value for key, _ in root.items}
        if keys & {"write_files", "runcmd", "cloud_config_modules", "ssh_authorized_keys"}:
            return "cloud-init"
        if any(key.endswith("_B64") for key in keys):
            return "clusterctl variables"
        if {"machine", "cluster"} <= keys:
            return "Talos"
    return "YAML"
