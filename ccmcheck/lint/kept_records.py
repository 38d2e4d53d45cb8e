"""What is kept of the result of one file: its findings with their masked texts, and of its lines only where they are.

The lines themselves are read from the file again, so that nothing of it is kept that is not named in a message.
"""

from __future__ import annotations

from binascii import Error, a2b_base64
from typing import Any, TypeAlias

from ccmcheck.base import text
from ccmcheck.base.model import Applicability, Finding, FurtherPlace, Place, Replacement, Severity, Snippet
from ccmcheck.catalog import Release
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.file_analysis import FileResult
from ccmcheck.redact import MASK

Record: TypeAlias = "dict[str, Any]"
"""What JSON can hold of a result: its fields, by name, as far as they say something."""


class NotKept(Exception):
    """Something of a result cannot be kept."""


def record_of(result: FileResult, data: bytes) -> Record | None:
    """What is kept of a result; None where that does not give the same result again.

    Args:
        result: It.
        data: The file's bytes.
    """
    if result.failures or result.is_build:
        return None
    lines = _Lines(data)
    try:
        changed: Record = {
            "path": "",
            "findings": [_kept(finding, result.path, lines) for finding in result.findings],
            "notes": [_behind(result.path, note) for note in result.notes],
        }
    except NotKept:
        return None
    return {name: value for name, value in {**result._asdict(), **changed}.items() if value}


def result_of(record: Record, path: str, data: bytes) -> FileResult:
    """The result that something was kept of.

    Args:
        record: What was kept.
        path: The file, as the user named it.
        data: Its bytes, the same as then.
    """
    lines = _Lines(data)
    changed: Record = {
        "findings": [_finding(values, path, lines) for values in record.get("findings", ())],
        "judged": [
            TargetRelease(consumer, Release(*release), source, tuple(Release(*one) for one in older))
            for consumer, release, source, older in record.get("judged", ())
        ],
        "notes": [path + note for note in record.get("notes", ())],
    }
    fields: Record = {
        name: tuple(value) if isinstance(value, list) else value for name, value in {**record, **changed}.items()
    }
    return FileResult(path, **fields)


def _behind(path: str, note: str) -> str:
    """A note without the path that it begins with, so that files have it in common."""
    if not note.startswith(path):
        raise NotKept
    return note[len(path) :]


def _kept(finding: Finding, path: str, lines: _Lines) -> list[Any]:
    if finding.deployments:
        raise NotKept
    changed = {
        "place": _place(finding.place, path),
        "snippet": lines.place_of(finding.snippet, finding.place),
        "further": [
            (_place(one.place, path), one.text, lines.place_of(one.snippet, one.place)) for one in finding.further
        ],
    }
    return [changed.get(name, value) for name, value in finding._asdict().items()]


def _place(place: Place, path: str) -> tuple[Any, ...]:
    if place.path != path:
        raise NotKept
    return place[1:]


def _finding(values: list[Any], path: str, lines: _Lines) -> Finding:
    fields: dict[str, Any] = dict(zip(Finding._fields, values, strict=True))
    place = Place(path, *fields["place"])
    fields |= {
        "severity": Severity(fields["severity"]),
        "place": place,
        "snippet": lines.snippet(fields["snippet"], place),
        "fix": Applicability(fields["fix"]) if fields["fix"] else None,
        "further": tuple(
            FurtherPlace(at := Place(path, *where), words, lines.snippet(kept, at))
            for where, words, kept in fields["further"]
        ),
        "replacements": tuple(Replacement(*one) for one in fields["replacements"]),
    }
    return Finding._make(tuple(value) if isinstance(value, list) else value for value in fields.values())


class _Lines:
    """The lines of a file, and of what is in base64 in it.

    Args:
        data: The file's bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._indexes: dict[tuple[int, ...], text.LineIndex] = {}

    def place_of(self, snippet: Snippet | None, place: Place) -> list[Any] | None:
        """Where the parts of a line that are shown are, around what is masked; None for no line.

        Raises:
            NotKept: They are not found.
        """
        if snippet is None:
            return None
        line = self._line(snippet.line, place)
        parts: list[tuple[int, int]] = []
        at = 0
        for part in snippet.text.split(MASK):
            at = line.find(part, at)
            if at < 0:
                raise NotKept
            parts.append((at, at + len(part)))
            at += len(part)
        return [snippet.line, snippet.start, snippet.length, parts]

    def snippet(self, kept: Any, place: Place) -> Snippet | None:  # noqa: ANN401 - a list, as JSON has no records
        """The line again."""
        if kept is None:
            return None
        number, start, length, parts = kept
        line = self._line(number, place)
        return Snippet(number, MASK.join(line[low:high] for low, high in parts), start, length)

    def _line(self, number: int, place: Place) -> str:
        """A line of the file, or of what its place holds in base64."""
        index = self._index(() if place.exact else place[1:5])
        try:
            return index.text[slice(*index.line_span(number))]
        except IndexError:
            raise NotKept from None

    def _index(self, place: tuple[int, ...]) -> text.LineIndex:
        found = self._indexes.get(place)
        if found is None:
            if place:
                line, column, end_line, end_column = place
                whole = self._index(())
                encoded = whole.text[whole.offset(line, column) : whole.offset(end_line, end_column)]
                try:
                    inner = a2b_base64(encoded.strip("\"'"), strict_mode=False)
                except (Error, ValueError):
                    raise NotKept from None
            else:
                inner = self._data
            found = self._indexes[place] = text.LineIndex(text.decode(inner).text)
        return found
