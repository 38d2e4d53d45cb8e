"""Loads profiles: built-in ones and files, each with all that it extends."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NoReturn

from ccmcheck.base.cluster_facts import NO_FACTS, merge
from ccmcheck.base.errors import BadConfiguration, InputError, TooLarge, WrongUse
from ccmcheck.base.escape import printable
from ccmcheck.base.open_input import is_there, read_input
from ccmcheck.base.profile import Profile, Requirement
from ccmcheck.base.suggest import hint
from ccmcheck.policy.profiles.notation import (
    MOST_BYTES,
    ProfileSource,
    parse,
)
from ccmcheck.policy.profiles.profile_file import ProfileFile, read_profile
from ccmcheck.policy.profiles.standards import BUILT_IN, ENDING, Standards

MOST_DEEP = 30
"""How many files may extend each other in a row."""


def load(name: str) -> Profile:
    """Load one profile.

    Args:
        name: A built-in's name, or a path.

    Raises:
        WrongUse: There is none.
        BadConfiguration: It cannot be used.
    """
    if not name:
        _missing(name)
    return _load(name if name in BUILT_IN else os.path.abspath(name), name, ())


def load_all(names: Iterable[str]) -> Standards:
    """Load several profiles.

    Args:
        names: As for `load`.

    Raises:
        WrongUse: There is none of a name.
        BadConfiguration: One cannot be used.
    """
    profiles = [load(name) for name in dict.fromkeys(names)]
    facts = NO_FACTS
    for profile in profiles:
        facts = merge(profile.facts, facts)
    requirements = dict.fromkeys(requirement for profile in profiles for requirement in profile.requirements)
    return Standards(tuple(profile.name for profile in profiles), tuple(requirements), facts)


@lru_cache(maxsize=64)
def _built_in(name: str) -> Profile:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    return _with_bases(_read_file(os.path.join(folder, name + ENDING), name, name), name, "", ())


def _load(place: str, shown: str, above: tuple[str, ...]) -> Profile:
    """Load the profile of a built-in's name or a path.

    Args:
        place: A built-in's name, or an absolute path.
        shown: What errors call it.
        above: The places of the profiles that extend it, outermost first.
    """
    if place in BUILT_IN:
        return _built_in(place)
    if not is_there(place):
        _missing(shown)
    return _with_bases(_read_file(place, _stem(place), shown, named=not above), shown, place, above)


def _read_file(path: str, name: str, shown: str, *, named: bool = False) -> ProfileFile:

    try:
        data = read_input(path, MOST_BYTES, pipe=named)
    except TooLarge:
        raise BadConfiguration(f"The profile {printable(shown)} is larger than 1 MiB.") from None
    except InputError as error:
        raise BadConfiguration(f"The profile {printable(shown)} cannot be read: {error.message}.") from None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise BadConfiguration(f"The profile {printable(shown)} cannot be read: {reason}.") from None
    source = ProfileSource(shown)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source.fail(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8")
    return read_profile(name, parse(text, source), source)


def _with_bases(profile_file: ProfileFile, shown: str, place: str, above: tuple[str, ...]) -> Profile:
    """Merge a profile's file over the profiles that it extends."""
    source = ProfileSource(shown)
    trail = (*above, place)
    if len(trail) > MOST_DEEP:
        source.fail(profile_file.extends_line, f"extends goes through more than {MOST_DEEP} files")
    facts = NO_FACTS
    requirements: dict[tuple[str, str], Requirement] = {}
    extended = []
    for name in profile_file.extends:
        base = name if name in BUILT_IN else os.path.join(os.path.dirname(place), name)
        if base not in BUILT_IN:
            base = os.path.abspath(base)
            if base in trail:
                round_trip = " → ".join(os.path.basename(one) for one in (*trail[trail.index(base) :], base))
                source.fail(profile_file.extends_line, f"extends goes round in a circle: {round_trip}")
            if not is_there(base):
                known = hint(name, BUILT_IN) or "`ccmcheck profiles` lists those that are built in."
                source.fail(profile_file.extends_line, f"extends: there is no profile `{name}`", known)
        profile = _load(base, base if base in BUILT_IN else _relative_name(shown, name), trail)
        extended.append(profile.name)
        facts = merge(profile.facts, facts)
        requirements |= {(requirement.section, requirement.key): requirement for requirement in profile.requirements}
    return Profile(
        profile_file.name,
        profile_file.title,
        tuple(extended),
        profile_file.note,
        profile_file.source,
        merge(profile_file.facts, facts),
        profile_file.merge_requirements(requirements, source),
        place,
    )


def _relative_name(shown: str, name: str) -> str:
    """How errors name a file that another one extends."""
    return os.path.normpath(os.path.join(os.path.dirname(shown), name))


def _missing(name: str) -> NoReturn:
    known: Sequence[str] = BUILT_IN
    looks_like_file = "/" in name or name.endswith(ENDING)
    raise WrongUse(
        f"There is no profile `{printable(name)}`.",
        ("" if looks_like_file else hint(name, known))
        or f"There are {', '.join(known)}; a profile of your own is named by its file's path.",
    )


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0] or os.path.basename(path)
