"""Examples and test data, by their names alone: what `default-exclude` leaves out of the folders that are read.

Sources: files that users copy and fill in (GNU and Debian packages' ``.example``, ``.sample`` and ``.dist``);
``testdata``, which the go command ignores (``go help packages``); ``fixtures`` and ``golden`` files of tests;
``tests`` and ``e2e`` of Go, Python, Ansible and Helm; snapshots of Jest and helm-unittest (``__snapshot__/*.snap``).
``test`` alone is no such name: many repositories have clusters called dev, test and prod.
"""

from __future__ import annotations

from typing import Final

from ccmcheck.base.lazy_regex import lazy_regex

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

# one search for each of the files of a folder, of which there may be many thousands
_EXAMPLE = lazy_regex(rf"(?:\A|[/\\])(?:{'|'.join(FOLDERS)})[/\\]|\.(?:{'|'.join(ENDINGS)})(?:\.[^/\\]*+)?+\Z")
_SHOWN = lazy_regex(rf"(?:\A|[/\\])(?:{'|'.join(SHOWN)})[/\\]")


def is_example(path: str) -> bool:
    """Whether a file is an example or test data.

    Args:
        path: The file, from a folder that its name and those of the folders around it do not count for.
    """
    return _EXAMPLE.search(path) is not None


def is_apart(path: str) -> bool:
    """Whether a file says nothing about others: an example, test data, or in a folder of what is shown."""
    return is_example(path) or _SHOWN.search(path) is not None


def is_page(path: str) -> bool:
    """Whether a file is a document, which shows its readers what they write themselves."""
    from ccmcheck.carriers.embedded.languages import is_document  # explaining a rule reads no file

    return is_document(path)
