"""Pages of profiles, and the same as plain data; secrets in them are masked."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT, Profile, Requirement
from ccmcheck.catalog.written_values import written
from ccmcheck.explain.page import Page
from ccmcheck.policy.profiles.description import expected_values, rationale, scope_of, shown_value
from ccmcheck.policy.profiles.evaluation import prescribed_value
from ccmcheck.policy.profiles.facts import known_facts
from ccmcheck.redact.masker import mask_text


def profile_page(name: str) -> Page:
    """The page of one profile.

    Args:
        name: A built-in's name, or a file.

    Raises:
        WrongUse: There is none.
        BadConfiguration: It cannot be used.
    """
    from ccmcheck.policy.profiles.loading import load

    profile = load(name)
    facts = [("extends", ", ".join(profile.extends)), ("source", mask_text(profile.source))]
    facts += [(f"[cloud] {fact}", _shown(known)) for fact, known in known_facts(profile.facts).items()]
    facts += [(f"{requirement.section}.{requirement.key}", _line(requirement)) for requirement in profile.requirements]
    paragraphs = [("Note", mask_text(profile.note))] if profile.note else []
    for requirement in profile.requirements:
        stated_elsewhere = requirement.source == profile.source or (
            requirement.profile != profile.name and not requirement.reason
        )
        why = rationale(requirement._replace(source="") if stated_elsewhere else requirement)
        if why:
            paragraphs.append((f"{requirement.section}.{requirement.key}", why))
    return Page(
        "profile",
        f"profile:{name}",
        mask_text(profile.title) or f"Profile {profile.name}",
        tuple((label, text) for label, text in facts if text),
        tuple(paragraphs),
        see=("profile",),
    )


def as_data(profile: Profile) -> dict[str, object]:
    """A profile as plain data, for JSON."""
    return {
        "name": profile.name,
        "title": mask_text(profile.title),
        "extends": list(profile.extends),
        "note": mask_text(profile.note),
        "source": mask_text(profile.source),
        "path": profile.path,
        "facts": {
            name: list(known) if isinstance(known, tuple) else known
            for name, known in known_facts(profile.facts).items()
        },
        "wishes": [_requirement_data(requirement) for requirement in profile.requirements],
    }


def _requirement_data(requirement: Requirement) -> dict[str, object]:
    fixed = prescribed_value(requirement)
    return {
        "section": requirement.section,
        "key": requirement.key,
        "check": requirement.check,
        "values": [shown_value(requirement, text) for text in requirement.values],
        "min": shown_value(requirement, requirement.low),
        "max": shown_value(requirement, requirement.high),
        "value": None if fixed is None else shown_value(requirement, fixed),
        "since": requirement.since,
        "until": requirement.until,
        "when": [f"{condition.section}.{condition.key}={condition.value}" for condition in requirement.when],
        "severity": requirement.severity.word if requirement.check not in SOFT else None,
        "wanted": expected_values(requirement, quote=""),
        "reason": mask_text(requirement.reason),
        "source": mask_text(requirement.source),
        "profile": requirement.profile,
    }


def _line(requirement: Requirement) -> str:
    """What is required of one key, in which scope, and the severity."""
    where = scope_of(requirement)
    text = expected_values(requirement, quote="")
    if requirement.check == "usual" and not requirement.values:
        default = _default(requirement)
        text = f"the CCM's default, {default}" if default else "the CCM's default, which is none"
    return ", ".join(
        part
        for part in (text, where, "reported only" if requirement.check in SOFT else requirement.severity.word)
        if part
    )


def _default(requirement: Requirement) -> str:
    section = catalog.schema(catalog.newest()).section(requirement.section)
    spec = section.key(requirement.key) if section is not None else None
    return written(spec.default_value, spec.type) if spec is not None else ""


def _shown(known: object) -> str:
    return ", ".join(map(str, known)) if isinstance(known, tuple) else str(known)
