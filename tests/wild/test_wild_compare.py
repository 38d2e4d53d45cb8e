from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import wild_compare
from wild_checkouts import NotFetchedError, export
from wild_labels import SETS, VERDICTS, Carrier, Repository, judgements, load, load_judgements, parse
from wild_runs import Finding, Input, Run, from_list, from_read, run, services
from wild_tally import judge, tally

CONF = "[Global]\nauth-url = https://keystone.example:5000/v3\n\n[LoadBalancer]\nmonitor-delay = 5\nlb-provder = ovn\n"
LABEL = {
    "repository": "example/clouds",
    "commit": "",
    "chosen": "made up",
    "look_alike": False,
    "carrier": [
        {
            "path": "cloud.conf",
            "first_line": 1,
            "last_line": 6,
            "carrier": "file",
            "release": "unknown",
            "release_source": "",
            "mistake": [
                {"line": 5, "what": "no unit", "severity": "fatal"},
                {"line": 6, "what": "misspelt", "severity": "wrong"},
                {"line": 2, "what": "made up", "severity": "risk"},
            ],
        },
        {
            "path": "gone.conf",
            "first_line": 1,
            "last_line": 2,
            "carrier": "file",
            "release": "1.31",
            "release_source": "x.yaml:1",
        },
    ],
    "not": [{"path": "web/cloud.conf", "reason": "a web server"}],
}


def carrier(
    path: str = "a.yaml", first: int = 10, last: int = 20, release: str = "v1.31.2", form: str = "file"
) -> Carrier:
    return Carrier(path, first, last, form, release, "b.yaml:1")


def repository(*carriers: Carrier, look_alike: bool = False, look_alikes: tuple[str, ...] = ()) -> Repository:
    return Repository("example/clouds", "c0", look_alike, carriers, look_alikes)


def compared(labelled: Repository, *inputs: Input, findings: tuple[Finding, ...] = ()) -> Counter[str]:
    return tally(labelled, Run(findings, inputs), {}).counts


@pytest.fixture
def fetched(tmp_path: Path) -> tuple[Path, str]:
    """A folder with one checkout of a repository of one commit, and the commit."""
    tree = tmp_path / "fetched" / "example+clouds"
    (tree / "web").mkdir(parents=True)
    (tree / "cloud.conf").write_text(CONF)
    (tree / "web" / "site.conf").write_text("server { listen 80; }\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(tree))
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one")):
        subprocess.run((*git, *arguments), check=True)
    head = subprocess.run((*git, "rev-parse", "HEAD"), check=True, capture_output=True, text=True).stdout.strip()
    return tree.parent, head


def test_a_checkout_is_exported_run_and_compared(fetched: tuple[Path, str], tmp_path: Path) -> None:
    folder, commit = fetched
    labelled = parse({**LABEL, "commit": commit})
    tree = export(folder, labelled.folder, commit, tmp_path / "trees")
    assert (tree / "cloud.conf").read_text() == CONF
    done = run(tree)
    fatal = next(f for f in done.findings if f.fatal)
    key = (labelled.name, commit, fatal.path, fatal.line, fatal.inner, fatal.rule)
    result = tally(labelled, done, {key: "false"})
    assert result.counts == {
        "found": 1,
        "missed": 1,
        "release right": 1,
        "mistake reported": 2,
        "mistake missed": 1,
        "false fatal": 1,
    }
    assert [case.partition(":")[2].split()[0] for case in result.cases] == [
        "gone.conf:1",
        "cloud.conf:2",
        "cloud.conf:5",
    ]
    assert result.verdicts["error", "false"] == 1
    assert result.verdicts["error", "unjudged"] >= 1


def test_a_mirror_is_exported_like_a_checkout(fetched: tuple[Path, str], tmp_path: Path) -> None:
    folder, commit = fetched
    mirror = tmp_path / "mirrors" / "example+clouds" / "repo"
    subprocess.run(("git", "clone", "-q", "--mirror", str(folder / "example+clouds"), str(mirror)), check=True)
    assert (
        export(mirror.parent.parent, "example+clouds", commit, tmp_path / "trees") / "cloud.conf"
    ).read_text() == CONF


def test_two_states_of_a_repository_have_a_tree_each(fetched: tuple[Path, str], tmp_path: Path) -> None:
    folder, commit = fetched
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(folder / "example+clouds"))
    for arguments in (("rm", "-q", "cloud.conf"), ("commit", "-q", "-m", "two")):
        subprocess.run((*git, *arguments), check=True)
    head = subprocess.run((*git, "rev-parse", "HEAD"), check=True, capture_output=True, text=True).stdout.strip()
    before, after = (export(folder, "example+clouds", one, tmp_path / "trees") for one in (commit, head))
    assert (before / "cloud.conf").is_file()
    assert not (after / "cloud.conf").exists()


def test_what_was_not_fetched_is_an_error_that_says_so(fetched: tuple[Path, str], tmp_path: Path) -> None:
    with pytest.raises(NotFetchedError, match="no git directory"):
        export(tmp_path, "example+none", "0" * 40, tmp_path / "trees")
    with pytest.raises(NotFetchedError):
        export(fetched[0], "example+clouds", "0" * 40, tmp_path / "trees")


def test_an_input_is_found_by_its_lines_where_they_are_known() -> None:
    two = repository(carrier(first=10, last=20), carrier(first=40, last=50))
    assert compared(two, Input("a.yaml", 9, "", "1.31"), Input("a.yaml", 45, "", "1.31")) == {
        "found": 2,
        "release right": 2,
    }
    far = compared(two, Input("a.yaml", 30, "", "1.31"), Input("other.yaml", 10, "", "1.31"))
    assert far == {"missed": 2, "extra": 2}
    assert compared(two, Input("a.yaml", 0, "", "1.31")) == {"found": 1, "missed": 1, "release right": 1}


def test_what_nobody_promises_is_neither_found_nor_missed_nor_extra() -> None:
    labelled = repository(carrier(form="shell-string"))
    assert compared(labelled) == {}
    assert compared(labelled, Input("a.yaml", 10, "", "1.31")) == {}


@pytest.mark.parametrize(
    ("reported", "labelled", "count"),
    [
        ("1.31", "v1.31.2", "release right"),
        ("v1.31.9", "1.31", "release right"),
        ("unknown", "unknown", "release right"),
        ("1.30", "v1.31.2", "release wrong"),
        ("1.24", "unknown", "release wrong"),
        ("unknown", "1.31", "release not determined"),
    ],
)
def test_releases_are_compared_without_their_patch(reported: str, labelled: str, count: str) -> None:
    found = compared(repository(carrier(release=labelled)), Input("a.yaml", 10, "", reported))
    assert found == {"found": 1, count: 1}


def test_releases_of_other_programs_are_not_compared() -> None:
    plugin = replace(carrier(), consumer="cinder-csi")
    assert compared(repository(plugin), Input("a.yaml", 10, "", "1.24")) == {"found": 1}


def test_any_output_about_a_look_alike_counts() -> None:
    finding = Finding("cloud.conf", 1, 0, "unknown-key", "error", fatal=False)
    assert compared(repository(look_alike=True), findings=(finding,)) == {"look-alike": 1}
    assert compared(repository(look_alikes=("cloud.conf",)), findings=(finding,)) == {"look-alike": 1}
    assert compared(repository(look_alikes=("other.conf",)), findings=(finding,)) == {}
    assert compared(repository(look_alike=True), Input("cloud.conf", 1, "file")) == {"extra": 1}


def test_verdicts_belong_to_one_line_of_one_commit() -> None:
    finding = Finding("a.yaml", 8, 3, "unknown-key", "error", fatal=False)
    entry = {
        "repository": "example/clouds",
        "commit": "c0",
        "path": "a.yaml",
        "line": 8,
        "inner": 3,
        "rule": "unknown-key",
    }
    assert judge(repository(), finding, judgements([{**entry, "verdict": "noise"}])) == "noise"
    for changed in ({"inner": 4}, {"line": 9}, {"commit": "c1"}, {"rule": "key-removed"}, {"path": "b.yaml"}):
        assert judge(repository(), finding, judgements([{**entry, **changed, "verdict": "true"}])) == "unjudged"


def test_inputs_are_read_from_list_and_from_read() -> None:
    conf = {
        "path": "./a.yaml",
        "line": 3,
        "carrier": "Secret",
        "object": "",
        "services": [{"path": "./s.yaml", "line": 7, "name": "web"}],
    }
    known = {**conf, "releases": ["v1.31.2"], "release_source": "ccm.yaml:30"}
    newest = {**conf, "object": "Secret a/b", "releases": ["1.36"], "release_source": "no file determines it"}
    listed = {"cloud_confs": [known, newest], "services": [{"path": "t.yaml", "line": 1, "name": "old"}]}
    assert from_list(listed) == (Input("a.yaml", 3, "Secret", "v1.31.2"), Input("a.yaml", 3, "Secret a/b", "unknown"))
    assert services(listed) == (Input("s.yaml", 7, "Service web"), Input("t.yaml", 1, "Service old"))
    read = {"configs": [{"source": "./a.yaml", "carrier": "Secret"}]}
    assert from_read(read, {"release_source": "the newest", "releases": ["1.36"]}) == (Input("a.yaml", 0, "Secret"),)
    assert from_read(read, {"release_source": "x.yaml:1", "releases": ["1.31"]}) == (
        Input("a.yaml", 0, "Secret", "1.31"),
    )


def test_services_are_compared_where_they_are_listed() -> None:
    labelled = repository(carrier(form="service"), carrier(form="heredoc-service", first=40, last=50))
    listed = Run(services=(Input("a.yaml", 12, "Service web"), Input("b.yaml", 1, "Service other")))
    assert tally(labelled, listed, {}).counts == {"Service found": 1, "Service missed": 1}
    assert tally(labelled, Run(), {}).counts == {}


def test_the_table_and_the_findings_to_judge(
    fetched: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, commit = fetched
    labelled = [parse({**LABEL, "commit": commit}), parse({**LABEL, "repository": "example/gone", "commit": commit})]
    monkeypatch.setattr(wild_compare, "load", lambda _: labelled)
    target = tmp_path / "findings.jsonl"
    monkeypatch.setattr(sys, "argv", ["wild_compare", "--checkouts", str(folder), "--findings", str(target)])
    wild_compare.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split()[:6] == ["example/clouds", "1", "1", "0", "1/0/0", "2/3"]
    assert printed[2].startswith("example/gone: not measured: no git directory in ")
    assert printed[3].split()[1:] == printed[1].split()[1:]
    assert "example/clouds: missed: gone.conf:1 file" in printed
    entries = [json.loads(line) for line in target.read_text().splitlines()]
    assert {(e["path"], e["line"], e["verdict"]) for e in entries} >= {("cloud.conf", 5, "unjudged")}


@pytest.mark.parametrize("which", [which for which in SETS if load(which)])
def test_labels_are_complete(which: str) -> None:
    for labelled in load(which):
        assert len(labelled.commit) == 40
        assert not (labelled.look_alike and labelled.carriers), labelled.name
        assert labelled.look_alike or labelled.carriers or labelled.look_alikes, labelled.name
        for entry in labelled.carriers:
            assert 1 <= entry.first_line <= entry.last_line, (labelled.name, entry)
            assert bool(entry.release_source) == (entry.release != "unknown"), (labelled.name, entry)
            for mistake in entry.mistakes:
                assert entry.first_line <= mistake.line <= entry.last_line, (labelled.name, entry)
                assert mistake.severity in {"fatal", "wrong", "risk"}


def test_no_repository_is_both_open_and_held_back() -> None:
    names = [{labelled.name.lower() for labelled in load(which)} for which in SETS]
    assert not set.intersection(*names)


def test_judgements_name_labelled_repositories_and_known_verdicts() -> None:
    commits = {(labelled.name, labelled.commit) for which in SETS for labelled in load(which)}
    for key, verdict in load_judgements().items():
        assert key[:2] in commits
        assert verdict in VERDICTS[:3]
