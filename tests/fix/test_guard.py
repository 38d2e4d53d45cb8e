"""What the guard of a change permits and refuses: of a cloud.conf's text, and of the YAML around it.

A change is written into the text: ``⟦old→new⟧``, where either may be empty.
"""

from __future__ import annotations

import re

import pytest

from ccmcheck import catalog
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.fix import guard, guard_yaml
from ccmcheck.fix.guard import TextChange, changed

_CHANGE = re.compile("⟦(.*?)→(.*?)⟧", re.DOTALL)


def change_in(marked: str) -> TextChange:
    """The change that is written into a text."""
    before, edits, position = "", list[Edit](), 0
    for match in _CHANGE.finditer(marked):
        before += marked[position : match.start()]
        edits.append(Edit(len(before), len(before) + len(match[1]), match[2]))
        before += match[1]
        position = match.end()
    change = changed(before + marked[position:], edits)
    assert change.before == _CHANGE.sub(r"\1", marked)
    assert change.after == _CHANGE.sub(r"\2", marked)
    return change


@pytest.mark.parametrize(
    "marked",
    [
        # of one value, key or line
        "[A]\nx = 1 # C:\\⟦→\n\n[B]\ny = 2⟧",
        "[A]\nx = 1⟦\\→\n\n[B]\ny = 2⟧",
        "[A]\nx = ⟦1→2⟧\ny = 2\n",
        "[A]\nx = 1⟦→s⟧\ny = 2\n",
        "[A]\n⟦x→z⟧ = 1\ny = 2\n",
        "[A]\n⟦x = 1\n→⟧y = 2\n",
        "[A]\nx = 1\n⟦→z = 3\n⟧y = 2\n",
        "[A]\nx = 1\nx = ⟦2→3⟧\nx = 4\n",
        "[A]\nx = ⟦1→2222⟧\n⟦→z = 3\n⟧y = 2\n",
        # of comments
        "[A]\nx = 1 # ⟦why→because⟧\n",
        "[A]\nx = 1⟦ # →5⟧why\ny = 2 # why else\n",
        "[A]\n# else\n⟦# why\n→⟧x = 1\n",
        # of what the CCM stops at already
        "[LoadBalancer]\nmonitor-delay = ⟦2x→3x⟧\n",
        "[LoadBalancer]\nmonitor-delay = ⟦3x→3s⟧\n",
        # of headers: each key keeps its value, in whatever section
        "[⟦A→B⟧]\nx = 1\ny = 2\n",
        '[A "⟦s→t⟧"]\nx = 1\n',
        "[A]\nx = 1\n⟦[B]\n→⟧y = 2\n",
        "[A]\nx = 1\n⟦→[B]\n⟧y = 2\n",
        "[A]\nx = 1\n⟦[B]\n→⟧x = 2\n",
        "[⟦A→B⟧]\nx = ⟦1→2⟧\ny = 2\n",
        # of a header that nothing is below, beside a line that goes or comes
        "[A]\n⟦x = 1\n→⟧y = 2\n⟦→#⟧[B]\n",
        "[A]\n⟦→x = 1\n⟧y = 2\n⟦→#⟧[B]\n",
    ],
)
def test_what_a_change_is_about_may_change(marked: str) -> None:
    guard.check(change_in(marked), (catalog.schema(catalog.newest()),))


@pytest.mark.parametrize(
    "marked",
    [
        "[A]\nv = 1\nw = 2\nx = ⟦3→4⟧\ny = 5\nz = 6\n",
        "[A]\nv = 1\n⟦→w = 2\n⟧x = 3\n",
        "[A]\nv = 1\n⟦w = 2\n→⟧x = 3\n",
        '[A "s"]\nx = ⟦1→2⟧\n[B]\n[C]\nx = 1\n',
    ],
)
def test_a_change_of_a_line_is_quickly_told(marked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a comparison name by name, which takes five times as long on a large file."""
    monkeypatch.setattr(guard, "_same", lambda *_: pytest.fail("compared name by name"))
    guard.check(change_in(marked), ())


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("[A]\nx = 1⟦→\\⟧\ny = 2\n", "the value of y in [a] would change too"),
        ('[A "s"]\nx = 1⟦→\\⟧\ny = 2\n', "the value of y in [a] would change too"),
        ("[A]\n⟦# →⟧y = 2\n", "the value of y in [a] would change too"),
        ("[A]\n⟦→#⟧x = 1\n", "the value of x in [a] would change too"),
        ("[A]\nx = 1\n⟦→#⟧[B]\nx = 2\n", "the value of x in [a] would change too"),
        # one line goes and another comes, in the place of the first or of the last
        ("[A]\n⟦→#⟧x = 1\n⟦#→⟧y = 1\n", "the value of x in [a] would change too"),
        ("[A]\n⟦→#⟧x = 1\n⟦#→⟧x = 2\n", "the value of x in [a] would change too"),
        ("[A]\nw = ⟦0→1⟧\n⟦→#⟧x = 1\n⟦#→⟧y = 1\n", "the value of x in [a] would change too"),
        ("[A]\nw = ⟦0→1⟧\n⟦→#⟧x = 1\n⟦#→⟧x = 2\n", "the value of x in [a] would change too"),
        ("[A]\nw = 0\n⟦→#⟧x = 1\n⟦#→⟧y = 1\n", "the value of x in [a] would change too"),
        ("[A]\nw = ⟦0→1⟧\n⟦→#⟧x = 1\n⟦#→⟧y = 1\nz = 9\n", "the value of x in [a] would change too"),
        ("[A]\nv = 1\nw = ⟦0→1⟧\n⟦→#⟧x = 1\ny = 1\nz = 1\n", "the value of x in [a] would change too"),
        ("[A]\nx = 1\n[B]\nx = 1⟦→\\⟧\ny = 2\n", "the value of y in [b] would change too"),
        # a header moves, and a value is lost beside
        ("[⟦A→B⟧]\nx = 1⟦→\\⟧\ny = 2\n", "the value of y would change too"),
        ("[A]\nx = 1\n⟦[B]\n→⟧y = 2⟦→\\⟧\nz = 3\n", "the value of z would change too"),
        ("[A]\nx = 1⟦→\\⟧\nz = 3\n⟦→[B]\n⟧y = 2\n", "the value of z would change too"),
        ("[⟦A→B⟧]\nx = 1⟦→\\⟧\ny = 2\ny = 3\n", "the value of y would change too"),
        # comments
        ('[A]\nx = 1⟦→ "⟧ # why⟦→"⟧\n', "a comment would be lost"),
        ('[A]\nx = 1⟦→ "⟧ ; why⟦→"⟧\n', "a comment would be lost"),
        ('[A]\n# else\nx = 1⟦→ "⟧ # why⟦→"⟧\n', "a comment would be lost"),
        ('[A]\n# why\nx = 1⟦→ "⟧ # why⟦→"⟧\n', "a comment would be lost"),
        # a backslash that a line after it makes a continuation
        ("[A]\nx = 1\\⟦→\n\n[B]\ny = 2⟧", "the backslash at its end would join the lines"),
        ("[A]\ny = ⟦2→3⟧\nx = 1\\⟦→\ny = 2⟧", "the backslash at its end would join the lines"),
        # what the CCM stops at
        ("[LoadBalancer]\nmonitor-delay = ⟦3s→3x⟧\n", "the CCM 1.26 would stop at it"),
    ],
)
def test_nothing_else_may(marked: str, reason: str) -> None:
    change, releases = change_in(marked), (catalog.release("1.26"), catalog.newest())
    with pytest.raises(CannotEdit) as refused:
        guard.check(change, map(catalog.schema, releases))
    assert str(refused.value) == reason


YAML_PERMITTED = [
    # a value, a key, an entry
    "a: ⟦1→2⟧\nb: 1\n",
    "⟦a→c⟧: 1\nb: 1\n",
    "⟦a: 1\n→⟧b: 1\n",
    "a: 1\n⟦→c: 3\n⟧b: 1\n",
    "⟦a→c⟧:\n  x: 1\n  y:\n  - 2\nb: 1\n",
    "a: 1\n---\n---\nb: ⟦1→2⟧\n---\na: 1\n",
    # a text of a list; items with all that is in them
    "a: [x, ⟦y→z⟧, w]\n",
    "a: [⟦x, →⟧y]\n",
    "[x, ⟦y→z⟧]\n",
    "- {a: 1}\n⟦- {a: 2}\n→⟧- {a: 3}\n",
    "- {a: 1}\n⟦→- {a: 2}\n⟧- {a: 3}\n",
    "- a: 1\n⟦- a:\n    b: [1, {c: 2}]  # why\n\n→⟧- a: 3\n",
    "- a: 1\n⟦- a: 2\n- a: 3\n→⟧- a: 4\n",
    "- a: 1\n⟦- a: 2→⟧\n- a: 3\n",
    "- a: 1\n⟦- a: 2\n→⟧# why\n- a: 3\n",
    "[{a: 1}⟦, {a: 2}→⟧]\n",
    "[{a: 1}⟦→, {a: 2}⟧]\n",
    "x: &x {a: 1}\nl:\n- b: 1\n⟦- a: *x\n→⟧- b: 3\n",
    # null is nothing to Kubernetes
    "⟦→k:\n  ⟧a:\nb: 1\n",
    "⟦k:\n  →⟧a:\nb: 1\n",
]


@pytest.mark.parametrize("marked", YAML_PERMITTED)
def test_what_a_change_of_yaml_is_about_may_change(marked: str) -> None:
    guard_yaml.check(change_in(marked))


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("⟦→k:\n  ⟧a: 1\n", "a would change too"),
        ("⟦→k:\n  ⟧a: ''\n", "a would change too"),
        ("⟦→k:\n  ⟧a:\n    b:\n    - c\n    - 1: x\n", "a.b.1.1 would change too"),
        ("x:\n⟦→  ⟧y: 1\nz: 2\n", "y would change too"),
        ("⟦→#⟧a: 1\nb: 1\n", "a would change too"),
        ("⟦#→⟧a: 1\nb: 1\n", "a would change too"),
        ("⟦→#⟧a: 5\n⟦#→⟧a: '5'\n", "a would change too"),
        ("⟦→#⟧a: 5\n⟦#→⟧a: !!str 5\n", "a would change too"),
        ("⟦→#⟧a: '5'\n⟦#→⟧a: '6'\n", "a would change too"),
        ("a: ⟦1→|⟧\n⟦→  ⟧b: 1\n", "b would change too"),
        ("a: 1\n⟦→---\n⟧b: 1\n", "b would change too"),
        ("a: 1\n⟦---\n→⟧b: 1\n", "b would change too"),
        ("⟦→#⟧- 1\n- 2\n", "1 would change too"),
        ("⟦→#⟧- a: 1\n- a: 2\n", "1.a would change too"),
        ("- a: 1\n  b: 2\n⟦- a: 3\n→⟧  b: a longer text\n", "1.b would change too"),
        ("- a: 1\n⟦- a: 2\n  b→  c⟧: 3\n- a: 4\n", "2.a would change too"),
        ("a: ⟦1→[⟧\n", "the file would not be YAML any more, or is none"),
        ("a: ⟦[→1⟧\n", "the file would not be YAML any more, or is none"),
    ],
)
def test_nothing_else_of_yaml_may(marked: str, reason: str) -> None:
    with pytest.raises(CannotEdit) as refused:
        guard_yaml.check(change_in(marked))
    assert str(refused.value) == reason


def test_what_is_too_large_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_yaml, "MOST_NODES", 3)
    guard_yaml.check(change_in("[1, 2, 3, ⟦4→5⟧]\n"))
    with pytest.raises(CannotEdit, match="the file is too large to be checked after a change"):
        guard_yaml.check(change_in("[1, 2, 3, ⟦4→5⟧, 6]\n"))
