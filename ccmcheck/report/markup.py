"""XML by hand, as far as two formats need it: elements with attributes, and texts without a character XML forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import inert_markup, printable, printable_lines
from ccmcheck.report.paths import relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.base.model import Finding
    from ccmcheck.base.result import Failure, LintResult

HEADER = '<?xml version="1.0" encoding="utf-8"?>\n'

_IN_ATTRIBUTE = str.maketrans({'"': "&quot;", "\n": "&#10;"})
_IN_BODY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def start(name: str, attributes: Mapping[str, str | int]) -> str:
    """An element's start tag without its closing bracket: append ``>`` or ``/>``."""
    listed = "".join(f' {key}="{body(str(value)).translate(_IN_ATTRIBUTE)}"' for key, value in attributes.items())
    return f"<{name}{listed}"


def body(text: str) -> str:
    """A text between tags; its line ends stay."""
    return inert_markup(printable_lines(text).translate(_IN_BODY))


def by_file(result: LintResult, root: str) -> Iterator[tuple[str, list[Finding], list[Failure]]]:
    """Group findings and failures by their file, files in the order of their first finding or failure.

    Args:
        result: The run.
        root: See `ccmcheck.report.paths.relative`.

    Yields:
        The path as it may be shown, and what belongs to it.
    """
    files: dict[str, tuple[list[Finding], list[Failure]]] = {}
    for finding in result.findings:
        files.setdefault(finding.place.path, ([], []))[0].append(finding)
    for failure in result.failures:
        files.setdefault(failure.path, ([], []))[1].append(failure)
    for path, (findings, failures) in files.items():
        yield printable(relative(path, root)), findings, failures
