"""Masks in a whole review what is a secret anywhere in its cloud.confs.

A value that is shown for itself, such as lb-provider, may be a password somewhere else: people paste into the wrong
line, and the change under review may be what mends that.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeVar, cast

from ccmcheck.redact import MASK, Masker, secret_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ccmcheck.review.change.records import Review

Thing = TypeVar("Thing")


def scrubbed(review: Review, texts: Iterable[str]) -> Review:
    """Mask what must be; as a rule that is nothing, since secrets stand under their own keys alone.

    Args:
        review: The review.
        texts: All cloud.confs, of both sides.
    """
    listed = list(dict.fromkeys(texts))
    visible = "\n".join(map(_visible, listed))
    maskers = [one for one in map(Masker, listed) if one.scrub(visible) != visible]
    if not maskers:
        return review

    def scrub(said: str) -> str:
        for masker in maskers:
            said = masker.scrub(said)
        return said

    return _all_texts(review, scrub)


def _visible(text: str) -> str:
    """A text without what stands under the names of secrets."""
    parts: list[str] = []
    at = 0
    for span in secret_spans(text):
        parts += (text[at : span.start], MASK)
        at = span.end
    return "".join((*parts, text[at:]))


def _all_texts(thing: Thing, scrub: Callable[[str], str]) -> Thing:
    """The same with every text in it scrubbed; names of fields and keys stay."""
    found: object = thing
    if isinstance(thing, Enum):
        return thing
    if isinstance(thing, str):
        found = scrub(thing)
    elif isinstance(thing, dict):
        found = {key: _all_texts(value, scrub) for key, value in thing.items()}
    elif isinstance(thing, list):
        found = [_all_texts(one, scrub) for one in thing]
    elif isinstance(thing, tuple):
        values = [_all_texts(one, scrub) for one in thing]
        found = type(thing)(*values) if hasattr(thing, "_fields") else tuple(values)
    return cast("Thing", found)
