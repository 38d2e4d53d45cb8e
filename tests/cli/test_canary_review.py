"""No review lets a secret out: not a changed one, not one under a wrong name, not one in a broken file, in no form."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from command_line import git, put, run
from test_canary import OTHER, RIGHT, SECRET, SHAPES, assert_silent, carriers

SERVICES = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  ports: [{port: 80}]
"""
FORMS = ("text", "markdown", "json", "html")
CHANGED = RIGHT.replace(SECRET, OTHER).replace("create-montior", "create-monitor")


def everything(folder: Path, *arguments: str) -> str:
    """All forms of one review, and what is said besides."""
    files = [f"--output-file={form}=out.{form}" for form in FORMS]
    done = run(folder, "review", *arguments, *files, "-vv", "--services", "services.yaml", "--nodes", "2")
    assert done.code in (0, 1, 3), done.err
    printed = done.out + done.err
    for form in FORMS:
        written = folder / f"out.{form}"
        if written.exists():
            printed += written.read_text(encoding="utf-8")
            written.unlink()
    return printed


@pytest.mark.part(of=17)
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_shape_in_every_carrier(tmp_path: Path, shape: str) -> None:
    folder = put(tmp_path, {"services.yaml": SERVICES})
    for side, text in (("a", SHAPES[shape]), ("b", SHAPES[shape].replace(SECRET, OTHER) + "# x\n")):
        for name, carrier in carriers(text).items():
            put(folder / side, {name: carrier})
    put(folder, {"empty/cloud.conf": "[LoadBalancer]\ncreate-monitor = true\n"})
    for base, head in permutations(("a", "b", "empty"), 2):
        assert_silent(everything(folder, base, head))


def test_a_changed_password_is_only_said_to_have_changed(tmp_path: Path) -> None:
    put(tmp_path, {"a.conf": RIGHT, "b.conf": CHANGED, "services.yaml": SERVICES})
    printed = everything(tmp_path, "a.conf", "b.conf")
    assert_silent(printed)
    assert "password: changed" in printed


def test_a_secret_that_moves_to_another_key(tmp_path: Path) -> None:
    before = f"[Global]\npassword = {SECRET}\nusername = ccm\nregion = {OTHER}\n"
    after = f"[Global]\npassword = {OTHER}\nusername = {SECRET}\nregion = here\n[LoadBalancer]\nlb-provider={SECRET}\n"
    put(tmp_path, {"a.conf": before, "b.conf": after, "services.yaml": SERVICES})
    assert_silent(everything(tmp_path, "a.conf", "b.conf"))
    assert_silent(everything(tmp_path, "b.conf", "a.conf"))


def test_between_revisions(tmp_path: Path) -> None:
    put(tmp_path, {"services.yaml": SERVICES, **carriers(RIGHT)})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    put(tmp_path, {**carriers(CHANGED)})
    assert_silent(everything(tmp_path, "--git", "HEAD"))
