"""Work trees of public repositories: what a user fetched, checked out at the labelled commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

GIT = ("git", "-c", "core.hooksPath=/dev/null", "-c", "protocol.file.allow=always")


class NotFetchedError(Exception):
    """The folder holds nothing usable for a repository; the message says why."""


def export(fetched: Path, folder: str, commit: str, target: Path) -> Path:
    """Checks a commit out in a new repository that borrows the objects of the fetched one, which stays unchanged.

    Files whose contents were not fetched, as the largest of a partial copy, are left out.
    """
    places = [fetched / folder / inner for inner in ("", ".git", "repo", "repo/.git")]
    source = next((place for place in places if (place / "HEAD").is_file() and (place / "objects").is_dir()), None)
    if not source:
        raise NotFetchedError(f"no git directory in {fetched / folder}")
    tree = target / f"{folder}@{commit[:12]}"  # several states of one repository may be labelled
    if not tree.exists():
        _git("clone", "--quiet", "--shared", "--no-checkout", "--", str(source.resolve()), str(tree))
    _git("-C", str(tree), "update-ref", "--no-deref", "HEAD", commit)
    _git("-C", str(tree), "read-tree", "--reset", commit)
    _git("-C", str(tree), "checkout-index", "--quiet", "--all", "--force", partial_ok=True)
    return tree


def _git(*arguments: str, partial_ok: bool = False) -> None:
    environment = {**os.environ, "GIT_LFS_SKIP_SMUDGE": "1", "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run((*GIT, *arguments), env=environment, capture_output=True, text=True, check=False)
    if done.returncode and not partial_ok:
        raise NotFetchedError(done.stderr.strip().rpartition("\n")[2])
