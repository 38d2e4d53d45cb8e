"""The create-monitor decision matrix: for one config and one Service the first row that matches gives the value.

A row only matches on what is known: an input that was not given (None) satisfies no condition, so nothing is guessed.
M19 and M20 came later, with what was measured on Octavia 19.0.0 or read in OVN; they stand where they are tried.
"""

from __future__ import annotations

from typing import Any

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import BEHAVIOURS, stretches
from ccmcheck.policy.create_monitor.records import Advice, Caution, MatrixQuestion, MatrixRow, Trial, Via, When


def _rows() -> tuple[MatrixRow, ...]:
    cautions = {
        row["name"][-1]: Caution(_when(row.get("when", [""])), row["text"][-1], row["source"][-1])
        for row in read_paragraphs(__file__, "data/cautions.txt")
    }
    return records(
        read_paragraphs(__file__, "data/matrix.txt"),
        MatrixRow,
        when=_when,
        also=lambda values: tuple([_when([value]) for value in values]),
        unless=_when,
        advice=lambda values: Advice(values[-1]),
        via=lambda values: Via(values[-1]),
        severity=lambda values: Severity[values[-1].upper()],
        cautions=lambda values: tuple([cautions[name] for name in values]),
    )


def _when(values: list[str]) -> When:
    """The conditions in one text, such as ``releases=v1.23.0.. drivers=amphora,other serial=yes``."""
    conditions = [condition.partition("=") for condition in values[-1].split()]
    return When(**{name: _condition(name, value) for name, _, value in conditions})


def _condition(name: str, value: str) -> Any:  # noqa: ANN401 - a field of a record
    if name == "releases":
        return stretches(value)[0] if value in BEHAVIOURS else tuple(value.split(".."))
    if name == "drivers":
        return tuple(value.split(","))
    return {"yes": True, "no": False}.get(value, value)


ROWS: tuple[MatrixRow, ...] = _rows()
"""In the order in which they are tried; M18 comes first."""

BY_ID: dict[str, MatrixRow] = {row.id: row for row in ROWS}


def first_row(question: MatrixQuestion) -> MatrixRow | None:
    """The first row that matches; None where too little is known for any.

    Args:
        question: One config and one Service.
    """
    return next((row for row in ROWS if row.matches(question)), None)


def walk(question: MatrixQuestion) -> tuple[Trial, ...]:
    """All rows in their order up to the first that matches; all where none does.

    Args:
        question: One config and one Service.
    """
    trials: list[Trial] = []
    for row in ROWS:
        trial = Trial(row, row.judge(question))
        trials.append(trial)
        if trial.judgement.matches:
            break
    return tuple(trials)
