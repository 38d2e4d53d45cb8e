"""All fixes of real public files, in a copy: what changes is what findings name, and the reader takes it.

The files stay outside the repository; without them these tests skip.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ccmcheck import catalog, gcfg
from ccmcheck.base.atomic_write import replace
from ccmcheck.base.text import decode, encode
from ccmcheck.carriers import find
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf import reading
from ccmcheck.fix.passes import FixResult, fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings

CORPUS = Path(__file__).resolve().parents[2] / "../shared/corpus"
pytestmark = pytest.mark.skipif(not (CORPUS / "index.json").is_file(), reason="the corpus is not beside the repository")


class Row(NamedTuple):
    path: str
    file: Path


def rows() -> Iterator[Row]:
    if (CORPUS / "index.json").is_file():
        for row in json.loads((CORPUS / "index.json").read_text(encoding="utf-8")):
            if row["file"]:
                yield Row(row["path"], CORPUS / "files" / row["file"])


ROWS = list(rows())


@cache
def linter() -> Linter:
    return Linter(Settings(), RunContext())


@cache
def fixed(row: Row) -> FixResult:
    return fix_text(row.path, decode(row.file.read_bytes()).text, linter(), unsafe=True)


class Lines(NamedTuple):
    """Lines of a difference."""

    removed: int
    added: int


def changed_lines(before: str, after: str) -> Lines:
    matcher = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    changes = [codes for codes in matcher.get_opcodes() if codes[0] != "equal"]
    return Lines(sum(high - low for _, low, high, _, _ in changes), sum(end - start for *_, start, end in changes))


def named_lines(result: FixResult) -> int:
    """Lines that the findings of the fixes name."""
    findings = [outcome.finding for outcome in result.done]
    places = [place for one in findings for place in (one.place, *(further.place for further in one.further))]
    return sum(place.end_line - place.line + 1 for place in places)


@pytest.mark.parametrize("row", ROWS, ids=[row.file.name for row in ROWS])
def test_each_file(row: Row, tmp_path: Path) -> None:
    result = fixed(row)
    assert result.dropped == ()
    copy = tmp_path / Path(row.path).name
    copy.write_bytes(encode(result.before))
    replace(str(copy), encode(result.after))
    written = decode(copy.read_bytes()).text
    again = fix_text(row.path, written, linter(), unsafe=True)
    assert again.after == written
    assert again.done == ()
    removed, added = changed_lines(result.before, written)
    assert removed <= named_lines(result)
    assert added <= named_lines(result) + max(0, written.count("\n") - result.before.count("\n"))
    before, after = (find(row.path, text).carried for text in (result.before, written))
    assert len(before) == len(after)
    for was, now in zip(before, after, strict=True):
        if was.stack.inner == now.stack.inner:
            continue
        for one in result.last.judged:
            schema = catalog.schema(one.release, one.consumer)
            stops = [reading.read(gcfg.parse(carried.stack.inner), schema).stops for carried in (was, now)]
            assert len(stops[1]) <= len(stops[0])
            assert stops[1] == () or was.marks


def test_together(capsys: pytest.CaptureFixture[str]) -> None:
    results = [fixed(row) for row in ROWS]
    changed = [result for result in results if result.after != result.before]
    lines = [changed_lines(result.before, result.after) for result in changed]
    with capsys.disabled():
        print(
            f"\n{len(results)} real files, {len(changed)} changed by {sum(len(result.done) for result in results)} fixes: "
            f"{sum(line.removed for line in lines)} lines removed, {sum(line.added for line in lines)} added, "
            f"{sum(named_lines(result) for result in changed)} named by findings; "
            f"{sum(len(result.dropped) for result in results)} fixes dropped"
        )
    assert len(changed) > 20
