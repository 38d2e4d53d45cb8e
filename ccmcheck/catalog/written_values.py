"""Values as cloud.conf writes them."""

from __future__ import annotations

from ccmcheck.gcfg.values import format_duration


def written(value: object, kind: str) -> str:
    """A typed value as cloud.conf writes it.

    Args:
        value: As `ccmcheck.conf.effective.Setting` has it.
        kind: The key's type.
    """
    if kind == "duration" and isinstance(value, int):
        return format_duration(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
