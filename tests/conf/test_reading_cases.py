"""The cases that were run through the real reader: outcome, values, ignored names and error text of each."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TypedDict

import pytest

from ccmcheck import catalog
from ccmcheck.api import read_config
from ccmcheck.conf import reading
from ccmcheck.gcfg import parse, tokenize

CASES_FILE = Path(__file__).resolve().parents[2].parent / "shared" / "facts" / "gcfg-cases.json"


class Older(TypedDict, total=False):
    outcome: str
    error: str
    values: dict[str, dict[str, object]]


class Case(TypedDict, total=False):
    name: str
    profile: str
    input: str | None
    input_b64: str
    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]
    warning_count: int
    differs_with: dict[str, Older]


def load() -> list[Case]:
    if not CASES_FILE.is_file():
        return []
    cases: list[Case] = json.loads(CASES_FILE.read_text(encoding="utf-8"))
    return cases


CASES = load()
pytestmark = pytest.mark.skipif(not CASES, reason="the cases of the real reader are not beside this repository")


def data(case: Case) -> bytes:
    text = case["input"]
    return base64.b64decode(case["input_b64"]) if text is None else text.encode()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: Case) -> None:
    expected = {name: case[name] for name in ("outcome", "error", "values", "ignored")}
    assert read_config(data(case), case["profile"]).as_dict() == expected


@pytest.mark.parametrize("version", ["v1.2.0", "v1.2.1"])
def test_older_gcfg(version: str) -> None:
    for case in CASES:
        consumer, release = catalog.reader(case["profile"])
        sections = catalog.schema(release, consumer).sections
        document = parse(data(case).decode("utf-8", "surrogateescape"))
        found = reading.read(document, catalog.Schema(consumer, release, sections, version))
        older = case.get("differs_with", {}).get(f"oracle-gcfg-{version}", {})
        assert found.outcome == older.get("outcome", case["outcome"]), case["name"]
        assert found.error == older.get("error", case["error"]), case["name"]
        assert found.values == older.get("values", case["values"]), case["name"]


def test_as_many_warnings_as_gcfg() -> None:
    for case in CASES:
        consumer, release = catalog.reader(case["profile"])
        document = parse(data(case).decode("utf-8", "surrogateescape"))
        found = reading.read(document, catalog.schema(release, consumer))
        if not found.stops:
            assert len(list(found._warnings())) == case["warning_count"], case["name"]


def test_tokens_join() -> None:
    for case in CASES:
        text = data(case).decode("utf-8", "surrogateescape")
        assert "".join(text[token.start : token.end] for token in tokenize(text)) == text, case["name"]
