"""What the safe fixes of one file replace in it, for reports that editors and code scanning apply.

A fix is shown only where the file holds the cloud.conf as it is written, where it can be made together with those
before it, and where nothing that it writes is hidden by ``ccmcheck fix --diff``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from ccmcheck.base.edits import EditsInOrder
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Applicability, Edit, Replacement, Span
from ccmcheck.base.text import LineIndex
from ccmcheck.lint.file_analysis import FileAnalysis, LocatedProblem
from ccmcheck.redact.masker import Masker


def replacements(whole: str, found: FileAnalysis) -> dict[int, tuple[Replacement, ...]]:
    """What the fix of each problem replaces in the file.

    The lines are masked once for all fixes together, so that the cost is that of the file and not that of each fix.

    Args:
        whole: The file's text.
        found: Its analysis; the files of a build have no text of their own.

    Returns:
        By the problem's position in the analysis; nothing for a fix that is not shown.
    """
    chosen = _chosen(found)
    if not chosen:
        return {}
    after, places = _applied(whole, sorted({edit for edits in chosen.values() for edit in edits}))
    masker = Masker(after)
    hidden = masker.spans
    lines = LineIndex(whole)
    shown: dict[int, tuple[Replacement, ...]] = {}
    for number, edits in chosen.items():
        texts = found.problems[number].masker
        if all(
            edit.text == masker.scrub(edit.text) == texts.scrub(edit.text) and not _overlaps(hidden, places[edit])
            for edit in edits
        ):
            shown[number] = tuple(
                Replacement(*lines.position(edit.start), *lines.position(edit.end), edit.text) for edit in edits
            )
    return shown


def _chosen(analysis: FileAnalysis) -> dict[int, list[Edit]]:
    """The edits on the file of each fix that can be made with those before it."""
    chosen: dict[int, list[Edit]] = {}
    added: set[int] = set()
    together = EditsInOrder()
    for number, problem in enumerate(analysis.problems):
        edits = _edits(problem, analysis)
        # where one adds a key, another has to see it first
        adds = {edit.start for edit in edits if edit.start == edit.end}
        if edits and added.isdisjoint(adds) and together.add(edits):
            chosen[number] = edits
            added |= adds
    return chosen


def _edits(problem: LocatedProblem, analysis: FileAnalysis) -> list[Edit]:
    fix = problem.problem.fix
    if fix is None or fix.applicability is not Applicability.SAFE or problem.number < 0:
        return []
    stack = analysis.subjects[problem.number].stack
    if not stack.exact:
        return []
    try:
        edits = stack.put(fix.edits)
        "".join(edit.text for edit in edits).encode("utf-8")
    except (CannotEdit, UnicodeEncodeError):  # a byte that is no character cannot be written in JSON
        return []
    return edits


def _applied(whole: str, edits: Sequence[Edit]) -> tuple[str, Mapping[Edit, Span]]:
    """The text after all edits, and where it has what each of them writes."""
    pieces: list[str] = []
    places: dict[Edit, Span] = {}
    position = length = 0
    for edit in edits:
        pieces += (whole[position : edit.start], edit.text)
        length += edit.start - position
        places[edit] = Span(length, length + len(edit.text))
        length += len(edit.text)
        position = edit.end
    pieces.append(whole[position:])
    return "".join(pieces), places


def _overlaps(hidden: Sequence[Span], place: Span) -> bool:
    at = bisect_right(hidden, place.start, key=lambda span: span.end)
    return at < len(hidden) and hidden[at].start < place.end
