"""Masks in whole reports what is a secret anywhere in the texts that they tell of.

A value that is shown for itself, such as lb-provider, may be a password somewhere else: people paste into the wrong
line, and the change under review may be what mends that. What is said of a Service quotes it freely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, repeat
from typing import TypeVar, cast

from ccmcheck.redact.masker import JointMasker, Masker

Thing = TypeVar("Thing")
_ATOMS = frozenset({int, bool, float, type(None)})


def redact_report(report: Thing, texts: Iterable[str], plain: frozenset[str] = frozenset()) -> Thing:
    """Mask what must be; as a rule that is nothing, since secrets stand under their own keys alone.

    Args:
        report: Records, with texts anywhere in them.
        texts: All files and cloud.confs that it is about.
        plain: Fields of its records that stay as they are.
    """
    maskers = [masker for masker in map(Masker, dict.fromkeys(texts)) if masker.has_secrets]
    if not maskers:
        return report
    scrub = JointMasker(maskers).scrub
    masked = {text: shown for text in _texts(report) if (shown := scrub(text)) != text}
    return cast("Thing", _masked(report, masked, plain, {})) if masked else report


def _texts(report: object) -> Iterable[str]:
    """Every text in a thing, once; names of fields and keys are none."""
    texts: dict[str, None] = {}
    seen: set[int] = set()  # what stands in many places, such as the source ranges of all listeners
    left: list[Iterable[object]] = [(report,)]
    while left:
        for item in left.pop():
            if type(item) is str:
                texts[item] = None
            elif type(item) not in _ATOMS and id(item) not in seen:
                seen.add(id(item))
                left.append(_parts(item))
    return texts


def _parts(thing: object) -> Iterable[object]:
    if isinstance(thing, Enum):
        return ()
    if isinstance(thing, str):
        return (str(thing),)
    if isinstance(thing, dict):
        return thing.values()
    return thing if isinstance(thing, (list, tuple)) else ()


def _masked(thing: object, masked: Mapping[str, str], plain: frozenset[str], done: dict[int, object]) -> object:
    """The same with texts replaced; the very same where none is in it."""
    if isinstance(thing, Enum) or not isinstance(thing, (str, dict, list, tuple)):
        return thing
    if isinstance(thing, str):
        return masked.get(thing, thing)
    if id(thing) not in done:
        parts: Sequence[object] = [*thing.values()] if isinstance(thing, dict) else [*thing]
        fields: Sequence[str] = getattr(thing, "_fields", ())
        names = chain(fields, repeat(""))
        items = [
            part if name in plain else _masked(part, masked, plain, done)
            for name, part in zip(names, parts, strict=False)
        ]
        made: object = thing
        if items != parts:
            made = dict(zip(thing, items, strict=True)) if isinstance(thing, dict) else items
            if isinstance(thing, tuple):
                made = type(thing)(*items) if fields else tuple(items)  # type: ignore[arg-type]  # a record of its own
        done[id(thing)] = made
    return done[id(thing)]
