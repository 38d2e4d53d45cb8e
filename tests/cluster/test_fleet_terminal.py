"""What a fleet prints and keeps is safe for a terminal, whatever the kubeconfigs are called."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from fleet_runs import of_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("form", ["text", "json", "ndjson"])
def test_no_name_of_a_file_acts_on_a_terminal(tmp_path: Path, form: str) -> None:
    configs = tmp_path / "configs"
    configs.mkdir()
    for name in (b"a\xe2\x80\xae.yaml", b"b\xff.yaml", b"c\x1b[31m\x7f.yaml"):
        (configs / os.fsdecode(name)).write_text("")
    arguments = ("--format", form, "--resume", str(tmp_path / "results"))
    done, repeated = of_folder(tmp_path, *arguments), of_folder(tmp_path, *arguments)
    for out in (done.out, repeated.out, (tmp_path / "results").read_text()):
        assert out.replace("\n", "").isprintable()
        assert all(name in out for name in ("u202e", "xff", "31m"))
    if form == "json":
        first, second = ({one["name"] for one in of.report["clusters"]} for of in (done, repeated))
        assert first == second
        assert repeated.report["summary"]["failed"] == 3
