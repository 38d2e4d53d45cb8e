from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import wild_judgements
from wild_checkouts import NotFetchedError, export
from wild_labels import SETS, Carrier, Repository, load, parse
from wild_runs import Finding, Reported, Run, from_list, from_read, run
from wild_tally import Tally, minor, tally

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
    return Repository("example/clouds", "c0", "", look_alike, carriers, dict.fromkeys(look_alikes, ""))


def compared(labelled: Repository, *inputs: Reported, findings: tuple[Finding, ...] = ()) -> Tally:
    return tally(labelled, Run(findings, inputs), {})


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
    counts = tally(labelled, done, {key: "false"})
    assert (counts.found, [c.path for c in counts.missed], counts.extra) == (1, ["gone.conf"], [])
    assert counts.releases == {"right": 1}
    assert (counts.mistakes, [m.what for _, m in counts.missed_mistakes]) == (2, ["made up"])
    assert counts.false_fatal == [fatal]
    assert counts.verdicts["error", "false"] == 1


def test_a_mirror_is_exported_like_a_checkout(fetched: tuple[Path, str], tmp_path: Path) -> None:
    folder, commit = fetched
    mirror = tmp_path / "mirrors" / "example+clouds" / "repo"
    subprocess.run(("git", "clone", "-q", "--mirror", str(folder / "example+clouds"), str(mirror)), check=True)
    assert (
        export(mirror.parent.parent, "example+clouds", commit, tmp_path / "trees") / "cloud.conf"
    ).read_text() == CONF


def test_what_was_not_fetched_is_an_error_that_says_so(fetched: tuple[Path, str], tmp_path: Path) -> None:
    with pytest.raises(NotFetchedError, match="no git directory"):
        export(tmp_path, "example+none", "0" * 40, tmp_path / "trees")
    with pytest.raises(NotFetchedError):
        export(fetched[0], "example+clouds", "0" * 40, tmp_path / "trees")


def test_an_input_is_found_by_its_lines_where_they_are_known() -> None:
    two = repository(carrier(first=10, last=20), carrier(first=40, last=50))
    assert compared(two, Reported("a.yaml", 9, "1.31", ""), Reported("a.yaml", 45, "1.31", "")).found == 2
    far = compared(two, Reported("a.yaml", 30, "1.31", ""), Reported("other.yaml", 10, "1.31", ""))
    assert (far.found, len(far.missed), len(far.extra)) == (0, 2, 2)
    assert compared(two, Reported("a.yaml", 0, "1.31", "")).found == 1


def test_forms_without_a_promise_are_not_missed() -> None:
    counts = compared(repository(carrier(form="shell-string"), carrier(form="service")))
    assert (counts.missed, counts.found, counts.unpromised) == ([], 0, 0)


@pytest.mark.parametrize(
    ("reported", "verdict"), [("1.31", "right"), ("v1.31.9", "right"), ("1.30", "wrong"), ("unknown", "unknown")]
)
def test_releases_are_compared_without_their_patch(reported: str, verdict: str) -> None:
    assert compared(repository(carrier()), Reported("a.yaml", 10, reported, "")).releases == {verdict: 1}
    assert minor("v1.31.2") == "1.31"


def test_a_release_that_nothing_determines_must_not_be_made_up() -> None:
    counts = compared(repository(carrier(release="unknown")), Reported("a.yaml", 10, "1.24", ""))
    assert counts.releases == {"wrong": 1}


def test_any_output_about_a_look_alike_counts() -> None:
    finding = Finding("cloud.conf", 1, 0, "unknown-key", "error", fatal=False)
    assert compared(repository(look_alike=True), findings=(finding,)).in_look_alikes == [finding]
    taken = Reported("web/cloud.conf", 1, "unknown", "file")
    assert compared(repository(look_alikes=("web/cloud.conf",)), taken).in_look_alikes == [taken]
    assert compared(repository(carrier()), findings=(finding,)).in_look_alikes == []


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
    judgements = wild_judgements.index([{**entry, "verdict": "noise"}])
    assert wild_judgements.verdict(judgements, repository(), finding) == "noise"
    assert (
        wild_judgements.verdict(
            wild_judgements.index([{**entry, "inner": 4, "verdict": "true"}]), repository(), finding
        )
        == "unjudged"
    )


def test_inputs_are_read_from_list_and_from_read() -> None:
    listed = {
        "inputs": [
            {"path": "./a.yaml", "line": 3, "carrier": "Secret", "release": "1.31", "release_source": "b.yaml:1"}
        ]
    }
    assert from_list(listed) == (Reported("a.yaml", 3, "1.31", "Secret"),)
    read = {"configs": [{"source": "./a.yaml", "carrier": "Secret"}]}
    assert from_read(read, {"release_source": "the newest", "releases": ["1.36"]}) == (
        Reported("a.yaml", 0, "unknown", "Secret"),
    )


@pytest.mark.parametrize("which", [which for which in SETS if load(which)])
def test_labels_are_complete(which: str) -> None:
    for labelled in load(which):
        assert len(labelled.commit) == 40
        assert labelled.look_alike != bool(labelled.carriers), labelled.name
        assert not labelled.look_alike or labelled.look_alikes, labelled.name
        for entry in labelled.carriers:
            assert 1 <= entry.first_line <= entry.last_line, (labelled.name, entry)
            assert bool(entry.release_source) == (entry.release != "unknown"), (labelled.name, entry)
            for mistake in entry.mistakes:
                assert entry.first_line <= mistake.line <= entry.last_line, (labelled.name, entry)
                assert mistake.severity in {"fatal", "wrong", "risk"}


def test_judgements_name_labelled_repositories_and_known_verdicts() -> None:
    commits = {(labelled.name, labelled.commit) for which in SETS for labelled in load(which)}
    for key, verdict in wild_judgements.load().items():
        assert key[:2] in commits
        assert verdict in wild_judgements.VERDICTS
