"""A wish in words, its secrets masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.redact import MASK, is_secret_name, mask_text

if TYPE_CHECKING:
    from ccmcheck.base.profile import Wish


def value(wish: Wish, text: str) -> str:
    """A value of a wish's key as a message may show it."""
    return MASK if text and is_secret_name(wish.key) else mask_text(text)


def wanted(wish: Wish, quote: str = "`") -> str:
    """What a wish asks for: `` `3s` to `15s` ``.

    Args:
        wish: Of a profile.
        quote: What stands around values.
    """
    values = [f"{quote}{value(wish, one)}{quote}" if one else "an empty value" for one in wish.values]
    low, high = (f"{quote}{value(wish, one)}{quote}" for one in (wish.low, wish.high))
    if wish.check == "absent":
        lines = [f"{wish.key} = {value(wish, one)}" for one in wish.values] or [wish.key]
        return f"no {_any_of([f'{quote}{line}{quote}' for line in lines])}"
    if wish.check == "present":
        return "some value in the file"
    if wish.check in ("duration", "integer"):
        if wish.low and wish.high:
            return f"{low} to {high}"
        return f"{low} or more" if wish.low else f"{high} or less"
    if wish.check == "not":
        return f"anything but {_any_of(values)}"
    if wish.check == "like":
        return f"something like {_any_of(values)}"
    if wish.check == "one-of-tags":
        return f"{_any_of(values)} among the tags"
    if wish.check == "equals":
        return " and ".join(values)
    if wish.check == "option":
        return _any_of(values)
    return _any_of(values) if values else {"usual": "the default", "recommended": "what is recommended"}[wish.check]


def asked_where(wish: Wish) -> str:
    """Where a wish is asked: ``from 1.26 on, where lb-provider is ovn``; empty for everywhere."""
    parts = []
    if wish.since and wish.until:
        parts.append(f"from {wish.since} to {wish.until}")
    elif wish.since:
        parts.append(f"from {wish.since} on")
    elif wish.until:
        parts.append(f"up to {wish.until}")
    parts += [f"where {one.key} is {one.value or 'empty'}" for one in wish.when]
    return ", ".join(parts)


def because(wish: Wish) -> str:
    """The reason of a wish with its source, as a sentence; empty where the profile gives neither."""
    reason, source = mask_text(wish.reason), mask_text(wish.source)
    if not reason:
        return f"Source: {source}." if source else ""
    sentence = reason[:1].upper() + reason[1:].rstrip(".")
    return f"{sentence} ({source})." if source else f"{sentence}."


def _any_of(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"
