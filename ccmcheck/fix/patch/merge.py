"""JSON merge patches (RFC 7386): what changes, with null for what goes; a list comes whole."""

from __future__ import annotations

from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, canonical


def make(change: ObjectChange) -> Plain:
    """What to merge into the object before to get the object after.

    Args:
        change: What changes.

    Raises:
        CannotPatch: A key would get the value null, which the format reads as the key's removal.
    """
    return difference(change.before.data, change.after.data)


def difference(before: dict[str, Plain], after: dict[str, Plain]) -> dict[str, Plain]:
    """The same for two mappings."""
    found: dict[str, Plain] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if key in before and canonical(old) == canonical(value):
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            found[key] = difference(old, value)
        elif _holds_null(value):
            raise CannotPatch(f"`{key}` would be null, which this format reads as its removal", "Use --patch json.")
        else:
            found[key] = value
    return found


def _holds_null(value: Plain) -> bool:
    return value is None or (isinstance(value, dict) and any(_holds_null(below) for below in value.values()))
