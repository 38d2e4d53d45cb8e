"""The table of the verdicts' words has a row for each case that the code names, and none besides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.predict.verdicts import answers

FOLDER = Path(answers.__file__).parent
ROWS = read_paragraphs(answers.__file__, "answers.txt")
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))


def test_each_case_that_the_code_names_has_a_row() -> None:
    named = re.findall(r'(?<![.\w])answer\(\s*"([^"]+)"', CODE)
    assert len(named) > 40
    assert not set(named) - {row["answer"][-1] for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=[row["answer"][-1] for row in ROWS])
def test_each_row_is_whole_and_told(row: dict[str, list[str]]) -> None:
    assert set(row) <= {"answer", "good", "text", "mechanism", "evidence"}
    assert all(len(values) == 1 and values[0] for values in row.values())
    assert row.get("good", ["yes"])[0] in ("yes", "no")
    name, _, case = row["answer"][0].partition(" ")
    assert f'{name} {case}"' in CODE or (name.startswith("traffic-") and f'{case}"' in CODE)


def test_no_case_has_two_rows() -> None:
    assert len({row["answer"][-1] for row in ROWS}) == len(ROWS)


def test_words_stand_in_the_place_of_their_names() -> None:
    told = answers.answer("hairpin hostname", hostname="{a}.example.org")
    assert told.text.endswith(": {a}.example.org")
    assert told.good is True
    assert answers.answer("affinity unknown", {"n": 1}, "read").numbers == {"n": 1}
