"""With results of earlier runs and without them a run says the same, whatever is edited between the runs."""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import ROOT, git, run
from deployments import generated

from ccmcheck.lint import first_look, kept_results
from ccmcheck.lint.file_analysis import FileVerdict
from ccmcheck.lint.kept_results import KeptResults

SEEDS = range(int(os.environ.get("CCMCHECK_SEEDS", "8")))
"""CCMCHECK_SEEDS=200 tries more."""
EDITS = 7

WORDS = (
    ("true", "false"),
    ("true", "ture"),
    ("amphora", "ovn"),
    ("Local", "Cluster"),
    ("LoadBalancer", "ClusterIP"),
    ("v1.31", "v1.25"),
    ("10s", "10"),
    ("octavia", "Octavia"),
    ("cloud-config", "cloud-conf"),
    ("secret", "password"),
)
CONFIGURATIONS = (
    'ignore = ["create-monitor-implicit"]\n',
    'release = ["1.25"]\n',
    "[severity]\nduration-bad = 'info'\n",
    "",
)


def _files(tree: Path) -> list[Path]:
    return sorted(path for path in tree.rglob("*") if path.is_file() and ".git" not in path.parts)


def _word(chance: random.Random, tree: Path) -> None:
    """A word is another one, in one file."""
    held = [(path, pair) for path in _files(tree) for pair in WORDS if pair[0].encode() in path.read_bytes()]
    path, (old, new) = chance.choice(held)
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode(), chance.choice((1, -1))))


def _line(chance: random.Random, tree: Path) -> None:
    """A line goes, or is there twice."""
    path = chance.choice(_files(tree))
    lines = path.read_bytes().splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    lines[at : at + 1] = lines[at : at + 1] * chance.choice((0, 2))
    path.write_bytes(b"".join(lines))


def _file(chance: random.Random, tree: Path) -> None:
    """A file goes, or is somewhere else as well."""
    path = chance.choice(_files(tree))
    if chance.random() < 0.4:
        path.unlink()
    else:
        shutil.copy(path, chance.choice(_files(tree)).parent / f"{chance.randrange(100)}-{path.name}")


def _configuration(chance: random.Random, tree: Path) -> None:
    """ccmcheck's own configuration is another one."""
    (chance.choice(_files(tree)).parent / "ccmcheck.toml").write_text(chance.choice(CONFIGURATIONS))


def _unseen(chance: random.Random, tree: Path) -> None:
    """A word is another one as long, and the time of the file's change as it was."""
    held = [
        (path, pair)
        for path in _files(tree)
        for pair in WORDS
        if len(pair[0]) == len(pair[1]) and pair[0].encode() in path.read_bytes()
    ]
    if held:
        path, (old, new) = chance.choice(held)
        status = path.stat()
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


EDITING: tuple[Callable[[random.Random, Path], None], ...] = (
    _word,
    _word,
    _unseen,
    _unseen,
    _line,
    _file,
    _configuration,
)


def _said(folder: Path, *arguments: str) -> tuple[int, str]:
    done = run(folder, "lint", "-v", *arguments, XDG_CACHE_HOME="")
    return done.code, re.sub(r"files, [\d.]+ s|\"seconds\": [\d.e-]+", "", done.out + done.err)


@pytest.mark.part(of=4)
@pytest.mark.parametrize("seed", SEEDS)
def test_says_the_same_after_any_edit(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "WORTH_KEEPING", 1)
    settles = seed % 2 == 0
    if settles:
        monkeypatch.setattr(kept_results, "SETTLED", 20 * 10**6)
    taken: list[bool] = []
    keep = KeptResults.keep

    def counted(self: KeptResults, judged: FileVerdict) -> None:
        taken.append(bool(judged.code) and judged.record is None)
        keep(self, judged)

    monkeypatch.setattr(KeptResults, "keep", counted)
    chance = random.Random(seed)  # noqa: S311 - the same edits each time
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "samples", tree / "samples")
    for name in ("a", "b", "c"):
        for path, text in generated(chance.randrange(1_000)).files.items():
            (tree / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / name / path).write_text(text)
    if chance.random() < 0.7:
        git(tree, "init", "-q")
    options = chance.choice(((), ("--format", "json"), ("--format", "sarif"), ("--release", "1.30"), ("--jobs", "2")))
    paths = chance.choice(((".",), ("a", "samples"), ("samples/services", "b")))
    kept = ("--cache-dir", str(tmp_path / "kept"))
    for number in range(EDITS + 1):
        if number:
            chance.choice(EDITING)(chance, tree)
        want = _said(tree, "--no-cache", *options, *paths)
        time.sleep(0.04 if settles else 0)
        assert _said(tree, *kept, *options, *paths) == want, f"after edit {number}"
        assert _said(tree, *kept, *options, *paths) == want, f"after edit {number}, again"
    assert sum(taken) > len(taken) / 4, "hardly anything was kept"
