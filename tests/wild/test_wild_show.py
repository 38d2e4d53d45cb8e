from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
import wild_labels
import wild_show
from wild_labels import KEYS, SETS, as_lines, file, read

FILES = (*SETS, "judgements")
OPEN = [f"{record['repository'].replace('/', '+')}@{record['commit']}" for record in read("open")]


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of the files, which are read and written instead."""
    for name in FILES:
        shutil.copy(file(name), tmp_path)
    monkeypatch.setattr(wild_labels, "HERE", tmp_path)
    return tmp_path


def show(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["wild_show", *map(str, arguments)])
    wild_show.main()


def changed_lines(before: str, after: str) -> tuple[Counter[str], Counter[str]]:
    """The lines that are gone, and the new ones."""
    old, new = Counter(before.split("\n")), Counter(after.split("\n"))
    return old - new, new - old


@pytest.mark.parametrize("name", FILES)
def test_files_are_sorted_with_a_record_a_line(name: str) -> None:
    records = read(name)
    assert file(name).read_text(encoding="utf-8") == as_lines(records)
    keys = wild_labels.judgements(records) if name == "judgements" else {wild_show.state(record) for record in records}
    assert len(keys) == len(records)


def test_what_is_shown_and_put_back_changes_no_byte(
    copies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {name: file(name).read_bytes() for name in FILES}
    label = copies / "label.json"
    for name in OPEN[::120]:
        show(monkeypatch, name)
        label.write_text(capsys.readouterr().out, encoding="utf-8")
        assert json.loads(label.read_text(encoding="utf-8"))["commit"] == name.partition("@")[2]
        show(monkeypatch, "--put", label)
    assert {name: file(name).read_bytes() for name in FILES} == before


def test_an_edit_changes_the_lines_of_its_record_alone(
    copies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {name: file(name).read_text(encoding="utf-8") for name in FILES}
    judged = read("judgements")[0]
    show(monkeypatch, f"{judged['repository']}@{judged['commit'][:8]}")
    document = json.loads(capsys.readouterr().out)
    dropped = document["judgement"].pop()
    edited = {**document, "note": "read twice: 技"}
    (copies / "label.json").write_text(json.dumps(edited), encoding="utf-8")
    show(monkeypatch, "--put", copies / "label.json")
    gone, new = changed_lines(before["open"], file("open").read_text(encoding="utf-8"))
    ((old_line, _), (new_line, _)) = (*gone.items(), *new.items())
    assert json.loads(new_line) == {**json.loads(old_line), "note": "read twice: 技"}
    gone, new = changed_lines(before["judgements"], file("judgements").read_text(encoding="utf-8"))
    assert [json.loads(line)["rule"] for line in gone.elements()] == [dropped["rule"]]
    assert not new
    assert all(file(name).read_text(encoding="utf-8") == as_lines(read(name)) for name in FILES)


def test_a_new_label_is_put_into_an_empty_set(
    copies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file("held").write_bytes(b"")
    with pytest.raises(SystemExit, match="no label"):
        show(monkeypatch, "--set", "held")
    verdict = {"path": "a.yaml", "line": 3, "rule": "unknown-key", "verdict": "true", "reason": "made up"}
    document = {
        "judgement": [verdict],
        "look_alike": True,
        "chosen": "made up",
        "commit": "c" * 40,
        "repository": "a/b",
    }
    (copies / "label.json").write_text(json.dumps(document), encoding="utf-8")
    show(monkeypatch, "--set", "held", "--put", copies / "label.json")
    assert file("held").read_text(encoding="utf-8") == (
        f'{{"repository": "a/b", "commit": "{"c" * 40}", "chosen": "made up", "look_alike": true}}\n'
    )
    assert wild_labels.load_judgements()["a/b", "c" * 40, "a.yaml", 3, 0, "unknown-key"] == "true"
    show(monkeypatch, "--set", "held")
    assert capsys.readouterr().out == f"a+b@{'c' * 12}\n"


@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize(
    "mistake", [{"chosne": "misspelt"}, {"look_alike": None}, {"judgement": [{"verdict": "true"}]}]
)
def test_what_is_no_label_is_not_put(mistake: dict[str, object]) -> None:
    before = {name: file(name).read_bytes() for name in FILES}
    document = {**wild_show.shown(read("open")[0]), **mistake}
    with pytest.raises(KeyError):
        wild_show.put("open", {key: value for key, value in document.items() if value is not None})
    assert {name: file(name).read_bytes() for name in FILES} == before


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a+b", ["a/b c0", "a/b d0"]),
        ("A/B@d", ["a/b d0"]),
        ("a/b-c", ["a/b-c c1"]),
        ("B", ["a/b c0", "a/b d0", "a/b-c c1"]),
        ("@c", ["a/b c0", "a/b-c c1"]),
        ("x", []),
        ("", ["a/b c0", "a/b d0", "a/b-c c1"]),
    ],
)
def test_labels_are_found_by_name_or_a_part_of_it(name: str, found: list[str]) -> None:
    records = [{"repository": r, "commit": c} for r, c in (("a/b", "c0"), ("a/b", "d0"), ("a/b-c", "c1"))]
    assert [f"{record['repository']} {record['commit']}" for record in wild_show.find(records, name)] == found


def test_all_labels_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    show(monkeypatch)
    assert capsys.readouterr().out.splitlines() == [name[:-28] for name in OPEN]


def test_each_key_has_one_place() -> None:
    assert len(set(KEYS)) == len(KEYS)
