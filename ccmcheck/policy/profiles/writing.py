"""Writes a profile as one file that extends nothing: what it came to, secrets masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazily
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT
from ccmcheck.base.redact import mask_text
from ccmcheck.policy.profiles.facts import told
from ccmcheck.policy.profiles.notation import bare
from ccmcheck.policy.profiles.words import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.profile import Profile, Wish

_PLAIN = lazily(r"[^'\",=()#\s](?:[^'\",=()#\s]| (?! ))*+(?<! )")


def write(profile: Profile) -> str:
    """Write a profile.

    Args:
        profile: With all that it extends.

    Returns:
        The file's text; reading it gives the same wishes and facts.
    """
    return "\n".join(_lines(profile)) + "\n"


def _lines(profile: Profile) -> Iterator[str]:
    for word, text in (("title", profile.title), ("source", profile.source), ("note", profile.note)):
        if text:
            yield f"{word} = {free(text)}"
    facts = told(profile.facts)
    if facts:
        yield from ("", "[cloud]")
        for name, known in facts.items():
            yield f"{name} = {', '.join(map(str, known)) if isinstance(known, tuple) else known}"
    for section in dict.fromkeys(wish.section for wish in profile.wishes):
        wishes = [wish for wish in profile.wishes if wish.section == section]
        yield from ("", f"[{section}]")
        yield from (f"{wish.key} = {check(wish)}" for wish in wishes)
        severities = {wish.key: wish.severity.word for wish in wishes if _is_told(wish)}
        reasons = {wish.key: free(wish.reason) for wish in wishes if wish.reason}
        sources = {wish.key: free(wish.source) for wish in wishes if wish.source and wish.source != profile.source}
        for name, remarks in (("severity", severities), ("reason", reasons), ("source", sources)):
            if remarks:
                yield from ("", f"[[{name}]]", *(f"{key} = {text}" for key, text in remarks.items()))


def _is_told(wish: Wish) -> bool:
    return wish.severity is not (Severity.INFO if wish.check in SOFT else Severity.WARNING)


def check(wish: Wish) -> str:
    """A wish as a check.

    Args:
        wish: Of a profile.
    """
    arguments = [_argument(value(wish, one)) for one in wish.values]
    named = [
        ("min", value(wish, wish.low)),
        ("max", value(wish, wish.high)),
        ("since", wish.since),
        ("until", wish.until),
        ("when", ", ".join(f"{one.section}.{one.key}={one.value}" for one in wish.when)),
    ]
    arguments += [f"{name}={_argument(text)}" for name, text in named if text]
    if wish.default is not None:
        arguments.append(f"default={_argument(value(wish, wish.default))}")
    return f"{wish.check}({', '.join(arguments)})" if arguments else wish.check


def _argument(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'


def free(text: str) -> str:
    """A free text, masked, in quotes where it would not be read as it is without."""
    text = mask_text(text)
    return next((form for form in (text, f'"{text}"', f"'{text}'") if bare(form) == text), text)
