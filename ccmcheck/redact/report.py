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
    from collections.abc import Callable, Iterable, Sequence

Thing = TypeVar("Thing")


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
        """The same with every text in it scrubbed."""
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
            return {key: self.scrubbed(value) for key, value in thing.items()}
        if isinstance(thing, list):
            return [self.scrubbed(item) for item in thing]
        assert isinstance(thing, tuple)  # noqa: S101 - the only other kind that is asked for
        fields: Sequence[str] = getattr(thing, "_fields", ())
        if not fields:
            return tuple(self.scrubbed(item) for item in thing)
        values = (
            value if name in self._plain else self.scrubbed(value) for name, value in zip(fields, thing, strict=True)
        )
        return type(thing)(*values)
