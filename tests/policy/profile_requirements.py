"""What a profile asks of one key."""

from __future__ import annotations

from ccmcheck.base.profile import Profile, Requirement


def requirement_of(profile: Profile, key: str) -> Requirement:
    (found,) = [requirement for requirement in profile.requirements if requirement.key == key]
    return found
