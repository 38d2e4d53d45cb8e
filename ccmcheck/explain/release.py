"""The page of one release: the bugs that later releases mend."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog import release
from ccmcheck.catalog.behaviour import fixed_in
from ccmcheck.catalog.data.release_bugs import BUGS, ReleaseBug
from ccmcheck.catalog.release_bugs import bugs_of, mended_in, shown_by
from ccmcheck.catalog.releases import Release
from ccmcheck.explain.page import Page

_NAMES = {"ccm": "CCM"}


def release_page(name: str) -> Page | None:
    """The page of a release; None for one that does not exist.

    Args:
        name: As a user writes it, ``v1.24.3`` or ``1.24``.
    """
    try:
        at = release(name)
    except WrongUse:
        return None
    bugs = [bug for program in dict.fromkeys(bug.program for bug in BUGS) for bug in bugs_of(program, at)]
    facts = [("known bugs", str(len(bugs)))]
    if bugs:
        facts.append(("mended in", f"{mended_in(bugs, at)}, all of them"))
    paragraphs = tuple((f"{_NAMES.get(bug.program, bug.program)} {bug.label}", _said(bug, at)) for bug in bugs)
    return Page("release", at.name, "Bugs of a release that later ones mend", tuple(facts), paragraphs)


def _said(bug: ReleaseBug, at: Release) -> str:
    return " ".join([bug.detail, *_where(bug), f"Mended in {fixed_in(bug.behaviour, at)}.", bug.do, f"({bug.source})"])


def _where(bug: ReleaseBug) -> Iterator[str]:
    """What shows it, and what no file shows."""
    keys = [f"`{key.replace('=', ' = ')}` is set" for key in bug.on] + [f"`{key}` is not set" for key in bug.without]
    shown = [*keys, *(shown_by(bug._replace(when="")),) * bool(bug.service)]
    if shown:
        yield f"It shows where {' and '.join(shown)}{f', and {bug.when}' if bug.when else ''}."
    elif bug.when:
        yield f"It shows where {bug.when}, which no file tells."
