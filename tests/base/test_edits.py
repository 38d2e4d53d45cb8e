from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.base import edits
from ccmcheck.base.difference import changes, hunks, line_range
from ccmcheck.base.edits import OverlappingEdits
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit


def test_order_of_the_text_whatever_order_they_came_in() -> None:
    assert edits.apply("abcdef", [Edit(4, 5, "E"), Edit(1, 2, ""), Edit(1, 1, "<"), Edit(6, 6, "!")]) == "a<cdEf!"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert edits.apply("ab", [Edit(1, 1, "1"), Edit(1, 1, "2"), Edit(1, 2, "B")]) == "a12B"
    assert edits.apply("ab", [Edit(1, 2, "B"), Edit(1, 1, "1")]) == "a1B"


def test_the_same_replacement_twice_is_one() -> None:
    assert edits.sort([Edit(1, 3, "x"), Edit(1, 3, "x")]) == [Edit(1, 3, "x")]


def test_without_edits_the_text_is_the_same_object() -> None:
    text = "abc" * 3
    assert edits.apply(text, []) is text


@pytest.mark.parametrize(
    "overlapping",
    [
        [Edit(0, 2, ""), Edit(1, 3, "")],
        [Edit(0, 2, "x"), Edit(0, 2, "y")],
        [Edit(0, 3, ""), Edit(1, 1, "x")],
        [Edit(2, 1, "")],
        [Edit(3, 5, "")],
        [Edit(-1, 0, "")],
    ],
)
def test_overlaps_and_places_outside_are_refused(overlapping: list[Edit]) -> None:
    with pytest.raises(OverlappingEdits) as caught:
        edits.apply("abcd", overlapping)
    assert isinstance(caught.value, CannotEdit)
    assert isinstance(caught.value, ValueError)
    assert "offset" in caught.value.message or "outside" in caught.value.message


@settings(max_examples=200)
@given(st.text("ab\n", max_size=12), st.data())
def test_applying_equals_replacing_from_the_back(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    changes = [
        Edit(start, end, data.draw(st.text("xy", max_size=3)))
        for start, end in zip(places[::2], places[1::2], strict=False)
    ]
    expected = text
    for start, end, new in reversed(edits.sort(changes)):
        expected = expected[:start] + new + expected[end:]
    assert edits.apply(text, changes) == expected


def unified(old: str, new: str, old_name: str, new_name: str, context: int = 3) -> str:
    """The difference in the format of ``diff -u`` and ``git apply``, unmasked: what git itself can check."""
    before, after = old.split("\n"), new.split("\n")
    before = [f"{line}\n" for line in before[:-1]] + before[-1:] * bool(before[-1])
    after = [f"{line}\n" for line in after[:-1]] + after[-1:] * bool(after[-1])
    found = list(hunks(changes(before, after), context))
    pieces = [f"--- {old_name}\n+++ {new_name}\n"] if found else []
    for hunk in found:
        at, at_new = max(hunk[0].start - context, 0), max(hunk[0].start_new - context, 0)
        last, last_new = min(hunk[-1].end + context, len(before)), min(hunk[-1].end_new + context, len(after))
        pieces.append(f"@@ -{line_range(at, last)} +{line_range(at_new, last_new)} @@\n")
        for change in hunk:
            pieces += (f" {line}" for line in before[at : change.start])
            pieces += (f"-{line}" for line in before[change.start : change.end])
            pieces += (f"+{line}" for line in after[change.start_new : change.end_new])
            at = change.end
        pieces += (f" {line}" for line in before[at:last])
    return "".join(piece if piece.endswith("\n") else f"{piece}\n\\ No newline at end of file\n" for piece in pieces)


def test_unified_diff() -> None:
    assert unified("a\nb\r\nc", "a\nB\r\nc", "a/x", "b/x") == (
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\r\n+B\r\n c\n\\ No newline at end of file\n"
    )
    assert unified("same", "same", "a/x", "b/x") == ""
    assert unified("", "new\n", "a/x", "b/x") == "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+new\n"


def test_a_change_in_each_of_many_objects_takes_no_longer_than_the_file() -> None:
    old = "".join(f"name: x{n}\nkind: y\ndata: {n}\n---\n" for n in range(5_000))  # minutes for difflib
    difference = unified(old, old.replace("data: ", "DATA: "), "a/x", "b/x")
    assert difference.count("\n-data: ") == difference.count("\n+DATA: ") == 5_000
    assert difference.count("@@ -") == 1


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from("abcdefgh"), max_size=30),
    st.lists(st.sampled_from("abcdefgh"), max_size=30),
    st.integers(0, 3),
)
def test_the_diff_describes_both_texts(old: list[str], new: list[str], context: int) -> None:
    """Read the hunks back: the lines that they name in both texts are there, and nothing else differs."""
    before, after = "".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new)
    difference = unified(before, after, "a/x", "b/x", context)
    if old == new:
        assert difference == ""
        return
    rebuilt: list[str] = []
    position = 0
    for hunk in re.split(r"(?m)^@@ ", difference)[1:]:
        header, *lines = hunk.splitlines()
        ranges = re.fullmatch(r"-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", header)
        assert ranges
        start, count, start_new, count_new = (int(number or 1) if number != "0" else 0 for number in ranges.groups())
        old_lines = [line[1:] for line in lines if line[0] in " -"]
        new_lines = [line[1:] for line in lines if line[0] in " +"]
        first = start - 1 if count else start
        assert (len(old_lines), len(new_lines)) == (count, count_new)
        assert old[first : first + count] == old_lines
        rebuilt += old[position:first]
        assert len(rebuilt) == (start_new - 1 if count_new else start_new)
        rebuilt += new_lines
        position = first + count
    assert rebuilt + old[position:] == new


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(max_examples=15)
@given(st.text("ab\r\n\f\x85", max_size=12), st.text("ab\r\n\f\x85", max_size=12))
def test_git_applies_the_diff(tmp_path_factory: pytest.TempPathFactory, old: str, new: str) -> None:
    if not old or not new or old == new:
        return
    folder: Path = tmp_path_factory.mktemp("diff")
    (folder / "x").write_bytes(old.encode())
    difference = unified(old, new, "a/x", "b/x")
    done = subprocess.run(
        ["git", "apply", "-"], cwd=folder, input=difference.encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "x").read_bytes() == new.encode()
