"""Only regular files are read, and pipes that a user names; never more than a limit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.open_input import NotAFile, open_regular, read_input, read_text, reading_from


def test_a_regular_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc")
    (tmp_path / "link").symlink_to(path)
    assert read_input(str(path)) == read_input(str(tmp_path / "link")) == path.read_bytes()
    assert read_text(str(path)) == "a\nb\nc"
    assert read_input(str(path), path.stat().st_size) == path.read_bytes()
    with pytest.raises(TooLarge):
        read_input(str(path), 3)
    with pytest.raises(OSError, match="symbolic"):
        open_regular(str(tmp_path / "link"), follow=False)


@pytest.mark.parametrize("follow", [True, False])
def test_what_is_no_file(tmp_path: Path, follow: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), (Path("/dev/zero"), "a device")):
        with pytest.raises(NotAFile, match=f"this is {kind}, not a file"):
            open_regular(str(path), follow=follow)


def test_a_size_that_the_system_does_not_tell() -> None:
    assert read_input("/proc/self/status")


def test_a_pipe_that_the_user_names_has_a_limit() -> None:
    read, write = os.pipe()
    try:
        os.write(write, b"abcdef")
        with pytest.raises(TooLarge):
            read_input(f"/dev/fd/{read}", 3, pipe=True)
        with pytest.raises(NotAFile):
            read_input(f"/dev/fd/{read}", 3)
    finally:
        os.close(read)
        os.close(write)
    assert read_input(os.devnull, pipe=True) == b""
    with pytest.raises(NotAFile):
        read_input("/dev/zero", pipe=True)


def test_files_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"here")
    with reading_from({str(path): b"there"}.get):
        assert read_input(str(path)) == b"there"
    assert read_input(str(path)) == b"here"
