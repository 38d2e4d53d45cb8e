"""The words of the verdicts: ``answers.txt`` has the text, the mechanism and the evidence of each case."""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.predict.records import Answer

_GOOD = {"yes": True, "no": False, "": None}
_NO_NUMBERS: Mapping[str, object] = {}
_NONE = [""]


def _written(row: dict[str, list[str]]) -> Answer:
    text, mechanism, evidence, good = (row.get(name, _NONE)[-1] for name in ("text", "mechanism", "evidence", "good"))
    return Answer(row["answer"][-1].partition(" ")[0], _GOOD[good], text, mechanism, evidence)


_ANSWERS = {row["answer"][-1]: _written(row) for row in read_paragraphs(__file__, "answers.txt")}


def answer(
    name: str, numbers: Mapping[str, object] = _NO_NUMBERS, evidence: str | None = None, /, **words: object
) -> Answer:
    """One verdict.

    Args:
        name: The verdict and the case, as ``answers.txt`` has them.
        numbers: See `Answer`.
        evidence: In the place of the one in the file, where the driver has it; with words.
        words: What stands in the place of the names in braces.
    """
    found = _ANSWERS[name]
    if not (words or numbers):
        return found
    verdict, good, text, mechanism, read, _ = found
    if words:
        text = text.format_map(words)
        mechanism = mechanism.format_map(words) if "{" in mechanism else mechanism
    return Answer(verdict, good, text, mechanism, read if evidence is None else evidence, numbers)
