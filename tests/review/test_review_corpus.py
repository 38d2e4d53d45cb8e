"""Reviews between real public files raise nothing, and a file against itself changes nothing.

The files stay outside the repository; without them these tests skip.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from review_cases import THREE, side

from ccmcheck.review.change.compare import review
from ccmcheck.review.change.inputs import Side
from ccmcheck.review.change.json_form import as_data
from ccmcheck.review.change.records import Review
from ccmcheck.review.change.report import as_markdown, as_text

CORPUS = Path(__file__).resolve().parents[2] / "../shared/corpus"
needs_corpus = pytest.mark.skipif(
    not (CORPUS / "index.json").is_file(), reason="the corpus is not beside the repository"
)


@cache
def _sides() -> list[Side]:
    found = []
    for row in json.loads((CORPUS / "index.json").read_text(encoding="utf-8")):
        if row["file"]:
            text = (CORPUS / "files" / row["file"]).read_bytes().decode("utf-8", "surrogateescape")
            name = row["path"].rpartition("/")[2]
            found.append(side(None, THREE, name=name, release="", nodes=3, files={name: text}))
    return [one for one in found if one.survey.confs]


def _forms(found: Review) -> None:
    assert json.dumps(as_data(found), allow_nan=False)
    for verbose in (0, 2):
        for line in (*as_text(found, verbose=verbose), *as_markdown(found, verbose=verbose)):
            assert line.isprintable()


@needs_corpus
def test_a_real_file_against_itself() -> None:
    assert len(_sides()) > 20
    for one in _sides():
        found = review(one, one)
        assert found.is_quiet, (one.name, found.points)
        _forms(found)


@needs_corpus
def test_every_real_file_against_the_next() -> None:
    sides = _sides()
    changed = 0
    for before, after in zip(sides, [*sides[1:], sides[0]], strict=True):
        found = review(before, after)
        changed += not found.is_quiet
        _forms(found)
    assert changed > len(sides) // 2
