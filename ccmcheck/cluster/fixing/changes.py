"""What a fix of an object's YAML changes in the object: a JSON merge patch (RFC 7386), and the fields in it."""

from __future__ import annotations

from typing import Any

from ccmcheck.cluster.access.documents import FieldPath
from ccmcheck.cluster.core import errors, yamlio

_CHANGED = (("data",), ("metadata", "annotations"), ("spec",), ("type",))
"""What a fix may change in a live object; its name and its namespace are what it is."""


def plain(text: str) -> dict[str, Any]:
    """The object that a YAML text of ours holds.

    Raises:
        InternalError: It does not hold one.
    """
    found = list(yamlio.documents(text))
    if len(found) == 1 and isinstance(found[0], yamlio.YamlDocument) and isinstance(found[0].root, yamlio.Mapping):
        value = _value(found[0].root)
        if isinstance(value, dict):
            return value
    raise errors.InternalError("the fixed object cannot be read again", "Nothing was written.")


def merge_patch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What makes one object of the other."""
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        was = before.get(key)
        if isinstance(value, dict) and isinstance(was, dict):
            inner = merge_patch(was, value)
            if inner:
                patch[key] = inner
        elif key not in before or was != value or type(was) is not type(value):
            patch[key] = value
    return patch


def may_change(path: FieldPath) -> bool:
    """Whether a fix may change a field of a live object."""
    return any(path[: len(allowed)] == allowed for allowed in _CHANGED)


def holds(obj: dict[str, Any], patch: dict[str, Any]) -> bool:
    """Whether an object is as a patch wants it."""
    for key, value in patch.items():
        found = obj.get(key)
        if isinstance(value, dict):
            if not isinstance(found, dict) or not holds(found, value):
                return False
        elif found != value:
            return False
    return True


def _value(node: yamlio.YamlNode) -> object:
    if isinstance(node, yamlio.Mapping):
        return {key.value: _value(value) for key, value in node.items}
    if isinstance(node, yamlio.Sequence):
        return [_value(item) for item in node.items]
    return yamlio.kubernetes_scalar(node) if isinstance(node, yamlio.Scalar) else None
