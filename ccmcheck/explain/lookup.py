"""From a name that somebody types to its page."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.explain.keys import key_page, section_page
from ccmcheck.explain.page import Page
from ccmcheck.policy.profiles.standards import BUILT_IN
from ccmcheck.rules import RULE_NAMES

_KEY = lazy_regex(r"\[?[ \t]*+([\w-]++)[ \t]*+\]?[ \t.]*+([\w-]++)")
"""``Section.key``, also as it stands in messages: ``[Section] key``."""

_ROW = lazy_regex(r"(?:row:)?[Mm]\d\d")
"""A row of the create-monitor matrix."""


def is_name(name: str) -> bool:
    """Whether there is a page by a name.

    Args:
        name: As for `explain`.
    """
    return next(_found(name), None) is not None


PROFILE = "profile:"
"""What stands before the name of a profile, or its file."""


def explain(name: str) -> list[Page]:
    """Find what there is to say about a name.

    Args:
        name: A rule, ``Section.key``, a key alone, a section with or without its brackets, or an annotation with or
            without its prefix; ``profile:`` and a profile's name or file; or a row of the create-monitor matrix.

    Returns:
        One page; several where a key stands in several sections.

    Raises:
        WrongUse: Nothing has that name; with the nearest one that exists.
    """
    wanted = name.strip().strip("`\"'")
    pages = list(_found(wanted))
    if pages:
        return pages
    from ccmcheck.base.suggest import hint

    raise WrongUse(
        f"There is nothing to explain by the name `{wanted}`.",
        hint(wanted, list(names()))
        or "Name a rule, a key, a section, an annotation, a profile or a row (M13); `ccmcheck rules` lists the rules.",
    )


def _found(wanted: str) -> Iterator[Page]:
    if wanted.startswith(PROFILE) or wanted in BUILT_IN:
        from ccmcheck.explain.profiles import profile_page

        yield profile_page(wanted.removeprefix(PROFILE))
        return
    if wanted in RULE_NAMES:
        from ccmcheck.explain.rules import rule_page

        yield rule_page(wanted)
        return
    if _ROW.fullmatch(wanted):
        from ccmcheck.explain.matrix import row_named, row_page

        row = row_named(wanted)
        if row is not None:
            yield row_page(row)
        return
    named = _KEY.fullmatch(wanted)
    history = catalog.history(named[1], named[2]) if named else None
    if history is not None:
        yield key_page(history)
        return
    section = _section(wanted.removeprefix("[").removesuffix("]").strip())
    if section is not None:
        yield section_page(section)
        return
    from ccmcheck.catalog.service_annotations import PREFIX, annotation
    from ccmcheck.explain.annotations import annotation_page

    found_annotation = annotation(wanted) or annotation(PREFIX + wanted)
    histories = [history for one in catalog.all_sections() if (history := catalog.history(one, wanted)) is not None]
    if found_annotation is not None and not (histories and "/" not in wanted):
        yield annotation_page(found_annotation)
    yield from map(key_page, histories)


def _section(name: str) -> str | None:
    folded = catalog.fold(name)
    return next((section for section in catalog.all_sections() if catalog.fold(section) == folded), None)


def names() -> Iterator[str]:
    """Every name that there is a page for."""
    from ccmcheck.catalog.service_annotations import PREFIX, all_annotations
    from ccmcheck.policy.create_monitor.matrix import BY_ID

    yield from RULE_NAMES
    yield from BY_ID
    for profile in BUILT_IN:
        yield f"{PROFILE}{profile}"
    for section in catalog.all_sections():
        yield section
        for key in catalog.all_keys(section):
            yield key
            yield f"{section}.{key}"
    for annotation in all_annotations():
        yield annotation.name
        yield annotation.name.removeprefix(PREFIX)
