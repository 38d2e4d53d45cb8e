"""Serializes a profile with all that it extends as one file, secrets masked."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT, Profile, Requirement
from ccmcheck.policy.profiles.description import shown_value
from ccmcheck.policy.profiles.facts import known_facts
from ccmcheck.policy.profiles.notation import bare
from ccmcheck.redact.masker import mask_text

_PLAIN = lazy_regex(r"[^'\",=()#\s](?:[^'\",=()#\s]| (?! ))*+(?<! )")


def write(profile: Profile) -> str:
    """Write a profile.

    Args:
        profile: With all that it extends.

    Returns:
        The file's text; reading it gives the same requirements and facts.
    """
    return "\n".join(_lines(profile)) + "\n"


def _lines(profile: Profile) -> Iterator[str]:
    for word, text in (("title", profile.title), ("source", profile.source), ("note", profile.note)):
        if text:
            yield f"{word} = {free(text)}"
    facts = known_facts(profile.facts)
    if facts:
        yield from ("", "[cloud]")
        for name, known in facts.items():
            yield f"{name} = {', '.join(map(str, known)) if isinstance(known, tuple) else known}"
    for section in dict.fromkeys(requirement.section for requirement in profile.requirements):
        requirements = [requirement for requirement in profile.requirements if requirement.section == section]
        yield from ("", f"[{section}]")
        yield from (f"{requirement.key} = {check(requirement)}" for requirement in requirements)
        severities = {
            requirement.key: requirement.severity.word for requirement in requirements if _has_own_severity(requirement)
        }
        reasons = {requirement.key: free(requirement.reason) for requirement in requirements if requirement.reason}
        sources = {
            requirement.key: free(requirement.source)
            for requirement in requirements
            if requirement.source and requirement.source != profile.source
        }
        for name, remarks in (("severity", severities), ("reason", reasons), ("source", sources)):
            if remarks:
                yield from ("", f"[[{name}]]", *(f"{key} = {text}" for key, text in remarks.items()))


def _has_own_severity(requirement: Requirement) -> bool:
    return requirement.severity is not (Severity.INFO if requirement.check in SOFT else Severity.WARNING)


def check(requirement: Requirement) -> str:
    """A requirement in the notation of checks.

    Args:
        requirement: Of a profile.
    """
    arguments = [_argument(shown_value(requirement, value)) for value in requirement.values]
    named = [
        ("min", shown_value(requirement, requirement.low)),
        ("max", shown_value(requirement, requirement.high)),
        ("since", requirement.since),
        ("until", requirement.until),
        ("when", ", ".join(f"{one.section}.{one.key}={one.value}" for one in requirement.when)),
    ]
    arguments += [f"{name}={_argument(text)}" for name, text in named if text]
    if requirement.default is not None:
        arguments.append(f"default={_argument(shown_value(requirement, requirement.default))}")
    return f"{requirement.check}({', '.join(arguments)})" if arguments else requirement.check


def _argument(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'


def free(text: str) -> str:
    """A free text, masked, in quotes where it would not be read as it is without."""
    text = mask_text(text)
    return next((form for form in (text, f'"{text}"', f"'{text}'") if bare(form) == text), text)
