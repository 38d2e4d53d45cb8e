"""Strategic merge patches: Kubernetes' own format for its own kinds, which merges lists whose items have a name."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.data_files import read_table
from ccmcheck.fix.patch.merge import difference
from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, canonical

_GROUPS = frozenset({"", "apps", "batch", "autoscaling", "policy", "extensions"})
"""Kubernetes' own API groups; all others of its have ``.k8s.io`` at their end. Custom resources take no such patch."""

_MERGE_KEYS = {name: fields.split() for name, fields in read_table(__file__, "merge_keys.tsv")}
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
    body = difference(change.before.data, change.after.data, _items)
    more = body.pop("metadata", {})
    return {**head, "metadata": {**metadata, **(more if isinstance(more, dict) else {})}, **body}


def _items(field: str, before: Plain, after: Plain) -> Plain:
    """The items of a merged list that change; the whole list where items come, go or change places."""
    if field not in _MERGE_KEYS or not isinstance(before, list) or not isinstance(after, list):
        return after
    for key in _MERGE_KEYS[field]:
        old, new = _by(before, key), _by(after, key)
        if old is not None and new is not None and list(old) == list(new):
            return [
                {key: item[key], **difference(old[name], item, _items)}
                for name, item in new.items()
                if canonical(item) != canonical(old[name])
            ]
    return [{"$patch": "replace"}, *after]


def _by(items: Sequence[Plain], key: str) -> dict[str, dict[str, Plain]] | None:
    """The items by their names; None where one has none, or two have the same."""
    found = {canonical(item[key]): item for item in items if isinstance(item, dict) and key in item}
    return found if len(found) == len(items) else None
