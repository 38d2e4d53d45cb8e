"""Pages of profiles, and the same as plain data; secrets in them are masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT
from ccmcheck.base.redact import mask_text
from ccmcheck.conf.effective import written
from ccmcheck.document.page import Page
from ccmcheck.policy.profiles.facts import told
from ccmcheck.policy.profiles.judging import the_one
from ccmcheck.policy.profiles.words import asked_where, because, value, wanted

if TYPE_CHECKING:
    from ccmcheck.base.profile import Profile, Wish


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
    facts += [(f"{wish.section}.{wish.key}", _line(wish)) for wish in found.wishes]
    paragraphs = [("Note", mask_text(found.note))] if found.note else []
    for wish in found.wishes:
        told_elsewhere = wish.source == found.source or (wish.profile != found.name and not wish.reason)
        why = because(wish._replace(source="") if told_elsewhere else wish)
        if why:
            paragraphs.append((f"{wish.section}.{wish.key}", why))
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
        "wishes": [_wish_data(wish) for wish in profile.wishes],
    }


def _wish_data(wish: Wish) -> dict[str, object]:
    one = the_one(wish)
    return {
        "section": wish.section,
        "key": wish.key,
        "check": wish.check,
        "values": [value(wish, text) for text in wish.values],
        "min": value(wish, wish.low),
        "max": value(wish, wish.high),
        "value": None if one is None else value(wish, one),
        "since": wish.since,
        "until": wish.until,
        "when": [f"{one.section}.{one.key}={one.value}" for one in wish.when],
        "severity": wish.severity.word if wish.check not in SOFT else None,
        "wanted": wanted(wish, quote=""),
        "reason": mask_text(wish.reason),
        "source": mask_text(wish.source),
        "profile": wish.profile,
    }


def _line(wish: Wish) -> str:
    """What is wanted of one key, where, and how much it matters."""
    where = asked_where(wish)
    text = wanted(wish, quote="")
    if wish.check == "usual" and not wish.values:
        default = _default(wish)
        text = f"the CCM's default, {default}" if default else "the CCM's default, which is none"
    return ", ".join(part for part in (text, where, "told only" if wish.check in SOFT else wish.severity.word) if part)


def _default(wish: Wish) -> str:
    section = catalog.schema(catalog.newest()).section(wish.section)
    spec = section.key(wish.key) if section is not None else None
    return written(spec.default_value, spec.type) if spec is not None else ""


def _shown(known: object) -> str:
    return ", ".join(map(str, known)) if isinstance(known, tuple) else str(known)
