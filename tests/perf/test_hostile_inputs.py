"""What is measured as a cloud.conf is one: a text that is refused takes no time, and its row would tell nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from growing import GROWING, Growing
from hostile import HOSTILE
from megabytes import INPUTS, Files

from ccmcheck.cli.main import run

CONF = "cloud.conf"
COUNT, BYTES = 10, 1_000
ANY_VERDICT = (0, 1)


def _grown(row: Growing) -> bytes:
    return row.make(COUNT).encode()


def _conf(files: Files) -> bytes:
    return files.files[CONF].encode()


TEXTS: dict[str, Callable[[], bytes]] = {
    **{f"10 MB: {name}": partial(make, BYTES) for name, make in HOSTILE.items()},
    **{f"growing: {name}": partial(_grown, row) for name, row in GROWING.items() if row.path == CONF},
    **{f"1 MB: {name}": partial(_conf, files) for name, make in INPUTS.items() if CONF in (files := make(BYTES)).files},
}
"""Each text that a row takes for a cloud.conf, small."""


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_what_is_measured_is_a_cloud_conf(
    make: Callable[[], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(CONF).write_bytes(make())
    assert run(("read", CONF)) in ANY_VERDICT, capsys.readouterr().err
