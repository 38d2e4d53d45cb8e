"""A folder of the user's own with what one run keeps for the next; it may be deleted at any time.

What is kept there is only believed where it carries a code that this user's key makes: what is damaged, or written by
somebody else, is ignored. Files are renamed into place, so that of two runs at once the last one wins.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hmac import compare_digest, digest, new

from ccmcheck.base.atomic_write import PRIVATE, create, remove_leftovers
from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import open_regular, read_all

MOST_BYTES = 64 * 1024 * 1024
"""Of all files; the ones that were used longest ago are deleted."""
_MOST_OF_FILE = 32 * 1024 * 1024
_KEY = "key"
_KEY_BYTES = 32
_CODE = 32
"""Bytes of the code before what a file holds."""
_HASH = "sha256"
_ENDING = ".results"


class CacheFolder:
    """A folder that only its user can read, with a key in it.

    Args:
        path: The folder; made if it is not there.
        is_named: Whether the user named it; ccmcheck's own is closed to others who could only read in it.

    Raises:
        OSError: It cannot be used: it is a link, somebody else's, or open to others.
    """

    def __init__(self, path: str, *, is_named: bool = True) -> None:
        self._path = path
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
        status = os.lstat(path)
        is_own = stat.S_ISDIR(status.st_mode) and (os.name == "nt" or status.st_uid == os.getuid())
        if is_own and not (is_named or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
            os.chmod(path, 0o700)  # as `mkdir -p` or a restored backup left it
        elif not is_own or (os.name != "nt" and stat.S_IMODE(status.st_mode) & 0o077):
            raise PermissionError("not a folder of the user's alone")
        for _ in remove_leftovers(os.path.realpath(path)):
            pass
        self._key = self._read(_KEY) or self._new_key()
        if len(self._key) != _KEY_BYTES:
            raise PermissionError("no key of ours")

    def digest(self, data: bytes) -> bytes:
        """A code for some bytes that tells nothing about them without the key."""
        return digest(self._key, data, _HASH)

    def read(self, name: str) -> bytes | None:
        """What was kept under a name; None where nothing was, or it is damaged."""
        whole = self._read(name + _ENDING) or b""
        code, data = whole[:_CODE], whole[_CODE:]
        if not whole or not compare_digest(code, self._code(name, data)):
            return None
        with suppress(OSError):
            os.utime(os.path.join(self._path, name + _ENDING))  # in use: others are deleted first
        return data

    def write(self, name: str, data: bytes) -> None:
        """Keep something under a name; what cannot be written is not kept."""
        if len(data) > _MOST_OF_FILE:
            return
        with suppress(OSError):
            self._write(name + _ENDING, self._code(name, data), data)
            self._shrink(MOST_BYTES)

    def clear(self) -> None:
        """Forget all that is kept."""
        self._shrink(0)

    def _code(self, name: str, data: bytes) -> bytes:
        code = new(self._key, name.encode() + b"\0", _HASH)
        code.update(data)
        return code.digest()

    def _new_key(self) -> bytes:
        """A new key; that of another run where it was faster."""
        self._write(_KEY, os.urandom(_KEY_BYTES), is_new=True)
        return self._read(_KEY) or b""

    def _read(self, name: str) -> bytes | None:
        try:
            opened, size = open_regular(os.path.join(self._path, name), follow=False)
            try:
                return read_all(opened, size, _MOST_OF_FILE + _CODE)
            finally:
                os.close(opened)
        except (OSError, InputError):
            return None

    def _write(self, name: str, *parts: bytes, is_new: bool = False) -> None:
        opened, beside = create(self._path, PRIVATE)
        try:
            with os.fdopen(opened, "wb") as file:
                file.writelines(parts)
            target = os.path.join(self._path, name)
            if is_new:
                with suppress(FileExistsError):
                    os.link(beside, target)
            else:
                os.replace(beside, target)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(beside)

    def _shrink(self, most: int) -> None:
        """Delete what was used longest ago, down to a size."""
        with os.scandir(self._path) as entries:
            kept = [
                (entry.stat(follow_symlinks=False), entry.path) for entry in entries if entry.name.endswith(_ENDING)
            ]
        total = sum(status.st_size for status, _ in kept)
        for status, path in sorted(kept, key=lambda one: one[0].st_mtime_ns):
            if total <= most:
                break
            with suppress(FileNotFoundError):
                os.unlink(path)
            total -= status.st_size
