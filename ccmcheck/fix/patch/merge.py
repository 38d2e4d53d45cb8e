"""JSON merge patches (RFC 7386): what changes, with null for what goes; a list comes whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, canonical


def _whole(_key: str, _before: Plain, after: Plain) -> Plain:
    return after


def make(change: ObjectChange) -> Plain:
    """What to merge into the object before to get the object after.

    Args:
        change: What changes.

    Raises:
        CannotPatch: A key would get the value null, which the format reads as the key's removal.
    """
    return difference(change.before.data, change.after.data)


def difference(
    before: Mapping[str, Plain], after: Mapping[str, Plain], items: Callable[[str, Plain, Plain], Plain] = _whole
) -> dict[str, Plain]:
    """The same for two mappings.

    Args:
        before: The old one.
        after: The new one.
        items: What to merge into a list by its key, the old list and the new one; the new one where it comes whole.
    """
    found: dict[str, Plain] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if key in before and canonical(old) == canonical(value):
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            found[key] = difference(old, value, items)
        elif _holds_null(value):
            raise CannotPatch(f"`{key}` would be null, which this format reads as its removal", "Use --patch json.")
        else:
            found[key] = items(key, old, value)
    return found


def _holds_null(value: Plain) -> bool:
    return value is None or (isinstance(value, dict) and any(_holds_null(below) for below in value.values()))
