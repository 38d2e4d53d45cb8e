"""Every way out of a change, for every carrier, as it was reviewed by eye; ``golden.py`` writes them again."""

from __future__ import annotations

from pathlib import Path

import golden
import pytest

from ccmcheck.cli.options import PATCH_FORMATS as FORMATS
from ccmcheck.fix.patch.formats import MASKED

CASES = golden.cases()
by_name = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
in_each_format = pytest.mark.parametrize("format_name", FORMATS)


@by_name
def test_the_file(case: golden.Case, tmp_path: Path) -> None:
    options = ["--write"] if case.command[0] == "fix" else []
    assert case.run(tmp_path, *options).code == 0
    assert (tmp_path / case.file).read_bytes() == case.after
    again = case._replace(folder=tmp_path).run(tmp_path, *options)
    assert (tmp_path / case.file).read_bytes() == case.after
    assert again.code == 0


@in_each_format
@by_name
def test_whole(case: golden.Case, format_name: str, tmp_path: Path) -> None:
    said = case.run(tmp_path, "--patch", format_name, "--with-secrets")
    expected = case.patch(format_name)
    if expected is None:
        assert (said.code, said.out) == (2, b"")
        assert "no patch: " in said.err
        assert "--patch" in said.err
    else:
        assert said.out == expected
    assert (tmp_path / case.file).read_bytes() == case.before


@in_each_format
@by_name
def test_as_it_is_shown(case: golden.Case, format_name: str, tmp_path: Path) -> None:
    said = case.run(tmp_path, "--patch", format_name)
    expected = case.patch(format_name, shown=True)
    assert said.out == (expected or b"")
    assert b"made-up-secret" not in said.out
    is_masked = said.out.startswith(MASKED.encode())
    assert is_masked == (expected != case.patch(format_name))
    assert is_masked == ("is shown masked and does not apply: it holds secrets" in said.err)


@in_each_format
@by_name
def test_in_files(case: golden.Case, format_name: str, tmp_path: Path) -> None:
    said = case.run(tmp_path, "--patch", format_name, "--output-dir", "patches")
    whole = case.run(tmp_path, "--patch", format_name, "--output-dir", "all", "--with-secrets")
    expected = case.patch(format_name)
    written = sorted((tmp_path / "all").iterdir()) if (tmp_path / "all").exists() else []
    assert bool(written) == (expected is not None)
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in written)
    text = b"---\n" if format_name == "strategic" else b""
    # files are in the order of their names, the text is in the order of the objects
    assert sorted(text.join(path.read_bytes() for path in written)) == sorted(expected or b"")
    assert said.out == whole.out == b""
    shown = sorted(path.name for path in (tmp_path / "patches").iterdir()) if (tmp_path / "patches").exists() else []
    assert set(shown) <= {path.name for path in written}
    if case.patch(format_name, shown=True) == expected:
        assert shown == [path.name for path in written]
    else:
        assert said.code == 2
        assert "would hold secrets. Write it with --with-secrets." in said.err
        assert all(b"made-up-secret" not in (tmp_path / "patches" / name).read_bytes() for name in shown)
        assert all(MASKED.encode() not in (tmp_path / "patches" / name).read_bytes() for name in shown)


def test_each_way_out_has_a_case() -> None:
    for format_name in FORMATS:
        assert any(case.patch(format_name) for case in CASES)
        assert any(case.patch(format_name, shown=True) != case.patch(format_name) for case in CASES)


def test_nothing_is_expected_that_no_test_reads() -> None:
    known = {golden.golden_name(name, shown=shown) for name in FORMATS for shown in (False, True)}
    for case in CASES:
        left = {path.name for path in case.folder.iterdir()} - known
        assert left == {case.file, f"expected.{case.file}", "command"}
