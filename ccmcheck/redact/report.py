"""Masks in whole reports what is a secret anywhere in the texts that they tell of.

A value that is shown for itself, such as lb-provider, may be a password somewhere else: people paste into the wrong
line, and the change under review may be what mends that. What is said of a Service quotes it freely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
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

    return _Scrubber(cache(JointMasker(maskers).scrub), plain).scrubbed(report)


class _Scrubber:
    """Scrubs every text in a thing; names of fields and keys stay.

    Args:
        scrub: Masks one text.
        plain: Fields of records that stay as they are.
    """

    def __init__(self, scrub: Callable[[str], str], plain: frozenset[str]) -> None:
        self._scrub = scrub
        self._plain = plain
        # what stands in many places, such as the source ranges of all listeners, is looked through once; the thing is
        # kept beside what was made of it, so that no other takes its identity
        self._done: dict[int, tuple[object, object]] = {}

    def scrubbed(self, thing: Thing) -> Thing:
        """The same with every text in it scrubbed; the very same where nothing is to be masked."""
        if isinstance(thing, Enum) or not isinstance(thing, (str, dict, list, tuple)):
            return thing
        if isinstance(thing, str):
            return cast("Thing", self._scrub(thing))
        done = self._done.get(id(thing))
        if done is None:
            done = self._done[id(thing)] = (thing, self._made_of(thing))
        return cast("Thing", done[1])

    def _made_of(self, thing: object) -> object:
        if isinstance(thing, dict):
            values = self._each(thing.values())
            return thing if values == [*thing.values()] else dict(zip(thing, values, strict=True))
        if isinstance(thing, list):
            items = self._each(thing)
            return thing if items == thing else items
        assert isinstance(thing, tuple)  # noqa: S101 - the only other kind that is asked for
        fields: Sequence[str] = getattr(thing, "_fields", ())
        items = self._each(thing)
        if fields and self._plain:
            named = zip(fields, thing, items, strict=True)
            items = [value if name in self._plain else item for name, value, item in named]
        if items == [*thing]:
            return thing
        return type(thing)(*items) if fields else tuple(items)  # type: ignore[arg-type]  # a record of its own

    def _each(self, items: Iterable[object]) -> list[object]:
        scrub, scrubbed = self._scrub, self.scrubbed
        return [
            item if type(item) in _ATOMS else scrub(item) if type(item) is str else scrubbed(item) for item in items
        ]
