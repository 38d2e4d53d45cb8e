"""Strategic merge patches: Kubernetes' own format for its own kinds, which merges lists whose items have a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, canonical

_GROUPS = frozenset({"", "apps", "batch", "autoscaling", "policy", "extensions"})
"""Kubernetes' own API groups; all others of its have ``.k8s.io`` at their end. Custom resources take no such patch."""

_MERGE_KEYS = {
    "containers": ("name",), "initContainers": ("name",), "ephemeralContainers": ("name",), "env": ("name",),
    "volumes": ("name",), "volumeMounts": ("mountPath",), "volumeDevices": ("devicePath",),
    "ports": ("containerPort", "port"), "imagePullSecrets": ("name",), "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",), "ownerReferences": ("uid",), "secrets": ("name",),
}  # fmt: skip
"""Lists that are merged, and by which field of their items: ``patchMergeKey`` in k8s.io/api, v0.32."""


def make(change: ObjectChange) -> Plain:
    """What to merge into the object before to get the object after.

    Args:
        change: What changes.

    Raises:
        CannotPatch: It is a custom resource, or a value would be null.
    """
    group = change.before.group
    if group not in _GROUPS and not group.endswith(".k8s.io"):
        raise CannotPatch(
            f"{change.before.kind} is a custom resource, which takes no strategic merge patch",
            "Use --patch merge or --patch json.",
        )
    head: dict[str, Plain] = {"apiVersion": change.before.api_version, "kind": change.before.kind}
    metadata: dict[str, Plain] = {"name": change.before.name} if change.before.name else {}
    if change.before.namespace:
        metadata["namespace"] = change.before.namespace
    body = _difference(change.before.data, change.after.data)
    more = body.pop("metadata", {})
    return {**head, "metadata": {**metadata, **(more if isinstance(more, dict) else {})}, **body}


def _difference(before: Mapping[str, Plain], after: Mapping[str, Plain]) -> dict[str, Plain]:
    found: dict[str, Plain] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if key in before and canonical(old) == canonical(value):
            continue
        if value is None:
            raise CannotPatch(f"`{key}` would be null, which this format reads as its removal", "Use --patch json.")
        if isinstance(old, dict) and isinstance(value, dict):
            found[key] = _difference(old, value)
        elif isinstance(old, list) and isinstance(value, list) and key in _MERGE_KEYS:
            found[key] = _items(old, value, _MERGE_KEYS[key])
        else:
            found[key] = value
    return found


def _items(before: Sequence[Plain], after: Sequence[Plain], keys: Sequence[str]) -> list[Plain]:
    """The items of a merged list that change; the whole list where items come, go or change places."""
    for key in keys:
        old, new = _by(before, key), _by(after, key)
        if old is not None and new is not None and list(old) == list(new):
            return [
                {key: item[key], **_difference(old[name], item)}
                for name, item in new.items()
                if canonical(item) != canonical(old[name])
            ]
    return [{"$patch": "replace"}, *after]


def _by(items: Sequence[Plain], key: str) -> dict[str, dict[str, Plain]] | None:
    """The items by their names; None where one has none, or two have the same."""
    found = {canonical(item[key]): item for item in items if isinstance(item, dict) and key in item}
    return found if len(found) == len(items) else None
