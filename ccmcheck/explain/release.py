"""The page of one release: the bugs that later releases mend."""

from __future__ import annotations

from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog import release
from ccmcheck.catalog.behaviour import fixed_in
from ccmcheck.catalog.data.release_bugs import BUGS, ReleaseBug
from ccmcheck.catalog.release_bugs import NAMES, UNMENDED, bugs_of, conditions_of
from ccmcheck.catalog.releases import CCM, Release
from ccmcheck.explain.page import Page

_IN_TREE = "legacy-in-tree"


def release_page(name: str) -> Page | None:
    """The page of a release; None for one that does not exist.

    Args:
        name: As a user writes it, ``v1.24.3`` or ``1.24``; of the CCM, or of Kubernetes for the in-tree provider.
    """
    known = [(consumer, at) for consumer in (CCM, _IN_TREE) if (at := _known(name, consumer)) is not None]
    bugs = [
        (bug, at)
        for program in dict.fromkeys(bug.program for bug in BUGS)
        for consumer, at in known
        if (program == _IN_TREE) is (consumer == _IN_TREE)
        for bug in bugs_of(program, at)
    ]
    paragraphs = tuple((f"{NAMES.get(bug.program, bug.program)} {bug.label}", _said(bug, at)) for bug, at in bugs)
    facts = (("known bugs", str(len(bugs))),)
    title = "Bugs of a release that later ones mend"
    return Page("release", known[0][1].name, title, facts, paragraphs) if known else None


def _known(name: str, consumer: str) -> Release | None:
    try:
        return release(name, consumer)
    except WrongUse:
        return None


def _said(bug: ReleaseBug, at: Release) -> str:
    conditions = conditions_of(bug)
    where = f"It shows where {conditions}{', which no file tells' if bug.when else ''}." if conditions else ""
    mended = f"Mended in {tags}." if (tags := fixed_in(bug.behaviour, at)) else UNMENDED
    return " ".join(filter(None, [bug.detail, where, mended, bug.do, f"({bug.source})"]))
