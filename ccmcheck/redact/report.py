"""Masks in whole reports what is a secret anywhere in the texts that they tell of.

A value that is shown for itself, such as lb-provider, may be a password somewhere else: people paste into the wrong
line, and the change under review may be what mends that. What is said of a Service quotes it freely.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from ccmcheck.redact.masker import JointMasker, Masker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Thing = TypeVar("Thing")


def redact_report(report: Thing, texts: Iterable[str], plain: frozenset[str] = frozenset()) -> Thing:
    """Mask what must be; as a rule that is nothing, since secrets stand under their own keys alone.

    Args:
        report: Records, with texts anywhere in them.
        texts: All files and cloud.confs that it is about.
        plain: Fields of its records that stay as they are.
    """
    maskers = [one for one in map(Masker, dict.fromkeys(texts)) if one.has_secrets]
    if not maskers:
        return report

    return _all_texts(report, cache(JointMasker(maskers).scrub), plain)


def _all_texts(thing: Thing, scrub: Callable[[str], str], plain: frozenset[str]) -> Thing:
    """The same with every text in it scrubbed; names of fields and keys stay."""
    found: object = thing
    if isinstance(thing, Enum):
        return thing
    if isinstance(thing, str):
        found = scrub(thing)
    elif isinstance(thing, dict):
        found = {key: _all_texts(value, scrub, plain) for key, value in thing.items()}
    elif isinstance(thing, list):
        found = [_all_texts(one, scrub, plain) for one in thing]
    elif isinstance(thing, tuple):
        names = getattr(thing, "_fields", ()) or [""] * len(thing)
        values = [
            one if name in plain else _all_texts(one, scrub, plain) for name, one in zip(names, thing, strict=True)
        ]
        found = type(thing)(*values) if hasattr(thing, "_fields") else tuple(values)
    return cast("Thing", found)
