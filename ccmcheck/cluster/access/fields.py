"""Names of fields of objects, as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FieldPath = tuple[str, ...]
"""Names of mappings, the outermost first."""


def field_name(path: FieldPath) -> str:
    """A field for people: ``data["cloud.conf"]``."""
    head, *rest = path
    return head + "".join(f".{name}" if name.isidentifier() else f'["{name}"]' for name in rest)


def changed_fields(patch: Mapping[str, Any]) -> list[FieldPath]:
    """The fields that a merge patch sets or removes."""
    return list(_leaves(patch, ()))


def _leaves(patch: Mapping[str, Any], path: FieldPath) -> Iterator[FieldPath]:
    for key, value in patch.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key)
