"""Files that ``--output-dir`` writes: each under a path of its own, none over another of the run."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from ccmcheck.base.errors import InputError
from ccmcheck.cli.main import run
from ccmcheck.fix.output_folder import OutputFolder

CONF = "[Global]\npassword = Xy7-secret-of-a-user\n\n[LoadBalancer]\nmonitor-delay = 3\n"
FIXED = CONF.replace("= 3", "= 3s")
SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\ndata:\n  cloud.conf: "
    + base64.b64encode(CONF.encode()).decode()
    + "\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("a/cloud.conf", "b/cloud.conf", "here/a/cloud.conf", "here/cloud.conf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(CONF, encoding="utf-8")
    return here


def test_paths_below_the_current_folder_and_elsewhere(tmp_path: Path, here: Path) -> None:
    paths = ["cloud.conf", "./a/../a/cloud.conf", str(here / "b.conf"), "../a/cloud.conf", str(tmp_path / "b/x/c.conf")]
    folder = OutputFolder("out", paths)
    assert [folder.target(path) for path in paths] == [
        "out/cloud.conf",
        "out/a/cloud.conf",
        "out/b.conf",
        "out/a/cloud.conf",
        "out/b/x/c.conf",
    ]
    assert OutputFolder("out", ["../a/cloud.conf"]).target("../a/cloud.conf") == "out/cloud.conf"
    assert OutputFolder("out", ["..x/cloud.conf"]).target("..x/cloud.conf") == "out/..x/cloud.conf"


@pytest.mark.parametrize("command", [["fix", "--no-config"], ["set", "--no-config", "--file"]])
@pytest.mark.usefixtures("here")
def test_files_of_equal_names_stay_apart(command: list[str], tmp_path: Path) -> None:
    paths = [str(tmp_path / "a" / "cloud.conf"), str(tmp_path / "b" / "cloud.conf")]
    (tmp_path / "b" / "cloud.conf").write_text("# b\n" + CONF, encoding="utf-8")
    arguments = paths if command[0] == "fix" else [paths[0], "--file", paths[1], "monitor-delay=3s"]
    assert run([*command, *arguments, "-q", "--output-dir", "out"]) == 0
    assert Path("out/a/cloud.conf").read_text(encoding="utf-8") == FIXED
    assert Path("out/b/cloud.conf").read_text(encoding="utf-8") == "# b\n" + FIXED


def test_two_files_for_one_path_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here.parent / "a" / "cloud.conf").write_text("# a\n" + CONF, encoding="utf-8")
    paths = ["a/cloud.conf", "../a/cloud.conf", "../b/cloud.conf"]
    assert run(["fix", "--no-config", "--output-dir", "out", *paths]) == 3
    assert Path("out/a/cloud.conf").read_text(encoding="utf-8") == FIXED
    assert Path("out/b/cloud.conf").read_text(encoding="utf-8") == FIXED
    err = capsys.readouterr().err
    assert "../a/cloud.conf would be written to out/a/cloud.conf, where a/cloud.conf is already" in err
    assert "2 findings fixed in 2 files." in err


def test_no_other_file_of_the_run_is_overwritten(here: Path) -> None:
    folder = OutputFolder("..", ["a/cloud.conf", "../a/cloud.conf"])
    with pytest.raises(InputError, match=r"a/cloud\.conf would be written to .*, where \.\./a/cloud\.conf is already"):
        list(folder.write("a/cloud.conf", FIXED))
    assert (here.parent / "a" / "cloud.conf").read_text(encoding="utf-8") == CONF


def test_a_path_is_taken_only_by_what_was_written(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out" / "a").write_text("a file where a folder would be", encoding="utf-8")
    folder = OutputFolder("out", ["a/cloud.conf"])
    with pytest.raises(InputError, match=r"cannot be written: (not a directory|file exists)"):
        list(folder.write("a/cloud.conf", FIXED))
    (here / "out" / "a").unlink()
    assert list(folder.write("a/cloud.conf", FIXED)) == []


@pytest.mark.parametrize("text", [CONF, SECRET])
def test_secrets_in_a_file_that_others_may_read(text: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "cloud.conf").write_text(text, encoding="utf-8")
    old = here / "out" / "cloud.conf"
    old.parent.mkdir()
    old.write_text("old", encoding="utf-8")
    old.chmod(0o644)
    assert run(["fix", "--no-config", "-q", "--output-dir", "out", "cloud.conf"]) == 0
    assert capsys.readouterr().err == (
        "ccmcheck: out/cloud.conf holds secrets, and others may read it (mode 0644); it had that mode before\n"
    )
    old.chmod(0o600)
    assert run(["fix", "--no-config", "-q", "--output-dir", "out", "cloud.conf"]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_without_secrets_may_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "cloud.conf").write_text("[LoadBalancer]\nmonitor-delay = 3\n", encoding="utf-8")
    old = here / "out" / "cloud.conf"
    old.parent.mkdir()
    old.write_text("old", encoding="utf-8")
    old.chmod(0o644)
    assert run(["fix", "--no-config", "-q", "--output-dir", "out", "cloud.conf"]) == 0
    assert capsys.readouterr().err == ""
