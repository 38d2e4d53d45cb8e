"""Each folder of cases/ is one run: its files, its arguments in ``args``, and what comes out of it.

``CCMCHECK_UPDATE_CASES=1`` writes the answers again, to be looked at before they are committed.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest
from rendering_aids import Folder

CASES = Path(__file__).parent / "cases"
ANSWERS = ("out", "err")


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_case(name: str, bare: Folder) -> None:
    case = CASES / name
    shutil.copytree(case, bare.path, dirs_exist_ok=True)
    ran = bare.render(*shlex.split((case / "args").read_text(encoding="utf-8")))
    found = {"out": ran.out, "err": ran.err + (f"exit {ran.code}\n" if ran.code else "")}
    if os.environ.get("CCMCHECK_UPDATE_CASES"):
        for answer in ANSWERS:
            if found[answer]:
                (case / answer).write_text(found[answer], encoding="utf-8")
            else:
                (case / answer).unlink(missing_ok=True)
    for answer in ANSWERS:
        path = case / answer
        assert found[answer] == (path.read_text(encoding="utf-8") if path.exists() else ""), answer
