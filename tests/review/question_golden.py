"""Writes the golden files of the create-monitor page again: ``python question_golden.py``. Read them before you commit."""

from __future__ import annotations

from test_question import GOLDEN, KEPT, written

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for case, form in KEPT:
        (GOLDEN / f"{case}.{form}").write_text(written(case, form), encoding="utf-8")
