"""Pages of profiles, and the same as plain data; secrets in them are masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT
from ccmcheck.conf.effective import written
from ccmcheck.explain.page import Page
from ccmcheck.policy.profiles.facts import told
from ccmcheck.policy.profiles.judging import the_one
from ccmcheck.policy.profiles.words import asked_where, because, value, wanted
from ccmcheck.redact.masker import mask_text

if TYPE_CHECKING:
    from ccmcheck.base.profile import Profile, Requirement


def profile_page(name: str) -> Page:
    """The page of one profile.

    Args:
        name: A built-in's name, or a file.

    Raises:
        WrongUse: There is none.
        BadConfiguration: It cannot be used.
    """
    from ccmcheck.policy.profiles.loading import load

    found = load(name)
    facts = [("extends", ", ".join(found.extends)), ("source", mask_text(found.source))]
    facts += [(f"[cloud] {fact}", _shown(known)) for fact, known in told(found.facts).items()]
    facts += [(f"{requirement.section}.{requirement.key}", _line(requirement)) for requirement in found.requirements]
    paragraphs = [("Note", mask_text(found.note))] if found.note else []
    for requirement in found.requirements:
        told_elsewhere = requirement.source == found.source or (
            requirement.profile != found.name and not requirement.reason
        )
        why = because(requirement._replace(source="") if told_elsewhere else requirement)
        if why:
            paragraphs.append((f"{requirement.section}.{requirement.key}", why))
    return Page(
        "profile",
        f"profile:{name}",
        mask_text(found.title) or f"Profile {found.name}",
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
            name: list(known) if isinstance(known, tuple) else known for name, known in told(profile.facts).items()
        },
        "wishes": [_wish_data(requirement) for requirement in profile.requirements],
    }


def _wish_data(requirement: Requirement) -> dict[str, object]:
    one = the_one(requirement)
    return {
        "section": requirement.section,
        "key": requirement.key,
        "check": requirement.check,
        "values": [value(requirement, text) for text in requirement.values],
        "min": value(requirement, requirement.low),
        "max": value(requirement, requirement.high),
        "value": None if one is None else value(requirement, one),
        "since": requirement.since,
        "until": requirement.until,
        "when": [f"{one.section}.{one.key}={one.value}" for one in requirement.when],
        "severity": requirement.severity.word if requirement.check not in SOFT else None,
        "wanted": wanted(requirement, quote=""),
        "reason": mask_text(requirement.reason),
        "source": mask_text(requirement.source),
        "profile": requirement.profile,
    }


def _line(requirement: Requirement) -> str:
    """What is wanted of one key, where, and how much it matters."""
    where = asked_where(requirement)
    text = wanted(requirement, quote="")
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
