"""Descriptions of a requirement for messages, secrets masked."""

from __future__ import annotations

from ccmcheck.base.profile import Requirement
from ccmcheck.redact.masker import MASK, is_secret_name, mask_text


def shown_value(requirement: Requirement, text: str) -> str:
    """A value of a requirement's key, masked where it may be a secret."""
    return MASK if text and is_secret_name(requirement.key) else mask_text(text)


def expected_values(requirement: Requirement, quote: str = "`") -> str:
    """What a requirement allows: `` `3s` to `15s` ``.

    Args:
        requirement: Of a profile.
        quote: What stands around values.
    """
    values = [
        f"{quote}{shown_value(requirement, value)}{quote}" if value else "an empty value"
        for value in requirement.values
    ]
    low, high = (f"{quote}{shown_value(requirement, one)}{quote}" for one in (requirement.low, requirement.high))
    if requirement.check == "absent":
        lines = [f"{requirement.key} = {shown_value(requirement, one)}" for one in requirement.values] or [
            requirement.key
        ]
        return f"no {_any_of([f'{quote}{line}{quote}' for line in lines])}"
    if requirement.check == "present":
        return "some value in the file"
    if requirement.check in ("duration", "integer"):
        if requirement.low and requirement.high:
            return f"{low} to {high}"
        return f"{low} or more" if requirement.low else f"{high} or less"
    if requirement.check == "not":
        return f"anything but {_any_of(values)}"
    if requirement.check == "like":
        return f"something like {_any_of(values)}"
    if requirement.check == "one-of-tags":
        return f"{_any_of(values)} among the tags"
    if requirement.check == "equals":
        return " and ".join(values)
    if requirement.check == "option":
        return _any_of(values)
    return (
        _any_of(values) if values else {"usual": "the default", "recommended": "what is recommended"}[requirement.check]
    )


def scope_of(requirement: Requirement) -> str:
    """Where a requirement applies: ``from 1.26 on, where lb-provider is ovn``; empty for everywhere."""
    parts = []
    if requirement.since and requirement.until:
        parts.append(f"from {requirement.since} to {requirement.until}")
    elif requirement.since:
        parts.append(f"from {requirement.since} on")
    elif requirement.until:
        parts.append(f"up to {requirement.until}")
    parts += [f"where {one.key} is {one.value or 'empty'}" for one in requirement.when]
    return ", ".join(parts)


def rationale(requirement: Requirement) -> str:
    """The reason of a requirement with its source, as sentences; empty where the profile gives neither."""
    reason, source = mask_text(requirement.reason), mask_text(requirement.source)
    if not reason:
        return f"Source: {source}." if source else ""
    sentence = reason[:1].upper() + reason[1:].rstrip(".")
    return f"{sentence} ({source})." if source else f"{sentence}."


def _any_of(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"
