"""Examples and test data, by their names alone: what `default-exclude` leaves out of the folders that are read.

Sources: files that users copy and fill in (GNU and Debian packages' ``.example``, ``.sample`` and ``.dist``);
``testdata``, which the go command ignores (``go help packages``); ``fixtures`` and ``golden`` files of tests;
``tests`` and ``e2e`` of Go, Python, Ansible and Helm; snapshots of Jest and helm-unittest (``__snapshot__/*.snap``).
``test`` alone is no such name: many repositories have clusters called dev, test and prod.
"""

from __future__ import annotations

from typing import Final

FOLDERS: Final = (
    *("e2e", "fixtures", "golden", "goldens", "test-data", "testdata", "tests"),
    *("__snapshot__", "__snapshots__"),
)
ENDINGS: Final = ("dist", "example", "golden", "sample", "snap")
"""Of a file's name, also where another one follows: ``cloud.conf.example.j2``."""

DEFAULT_EXCLUDE: Final = (
    *(f"{name}/" for name in FOLDERS),
    *(f"*.{one}{more}" for one in ENDINGS for more in ("", ".*")),
)
"""The same as patterns of `ccmcheck.base.globs`."""

SHOWN: Final = ("example", "examples", "sample", "samples")
"""Folders of what may be used as it is, and is judged, but says nothing about the files outside of them."""

_FOLDERS = frozenset(FOLDERS)
_SHOWN = frozenset(SHOWN)
_ENDINGS = frozenset(ENDINGS)


def is_example(path: str) -> bool:
    """Whether a file is an example or test data.

    Args:
        path: The file, from a folder that its name and those of the folders around it do not count for.
    """
    *folders, name = _parts(path)
    return not (_FOLDERS.isdisjoint(folders) and _ENDINGS.isdisjoint(name.split(".")[1:]))


def is_apart(path: str) -> bool:
    """Whether a file says nothing about others: an example, test data, or in a folder of what is shown."""
    return is_example(path) or not _SHOWN.isdisjoint(_parts(path)[:-1])


def is_page(path: str) -> bool:
    """Whether a file is a document, which shows its readers what they write themselves."""
    from ccmcheck.carriers.embedded.languages import is_document  # explaining a rule reads no file

    return is_document(path)


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")
