"""Findings about objects: they name the object and the field, not a line of a text that nobody has seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ccmcheck.cluster.access.documents import ObjectFile
from ccmcheck.cluster.core import lazy_regex, lint_results, lint_texts, model

_LINE = lazy_regex(r"( *)((?:- )?)(?:(\"(?:[^\"\\]|\\.)*\"|[^\s:\"]+):(?: |\Z))?")


class LivePlaces:
    """Where findings are, by object and field.

    Args:
        files: The objects of the run.
        owners: What makes objects, by what people call these.
    """

    def __init__(self, files: Iterable[ObjectFile], owners: Mapping[str, str] | None = None) -> None:
        self._owners = owners or {}
        self._files = {file.path: file for file in files}

    def subject(self, path: str) -> str:
        """What people call an object that the engine calls by a path."""
        return self._files[path].subject

    def file_result(self, result: lint_texts.FileResult) -> lint_texts.FileResult:
        """The result of one object with its places."""
        return result._replace(
            path=self._named(result.path),
            findings=tuple(self.finding(finding) for finding in result.findings),
            failures=tuple(failure._replace(path=self._named(failure.path)) for failure in result.failures),
            judged=tuple(release._replace(source=self._named(release.source)) for release in result.judged),
        )

    def summary(self, summary: lint_results.Summary) -> lint_results.Summary:
        """The summary of a run: what it counts are objects, and no fix of a file can be made."""
        notes = tuple(self._named(note) for note in summary.notes)
        return summary._replace(fixable_safe=0, fixable_unsafe=0, unit="object", notes=notes)

    def finding(self, finding: model.Finding) -> model.Finding:
        """A finding with its place; fixes of files cannot be made here."""
        further = tuple(one._replace(place=self.place(one.place)) for one in finding.further)
        place = self.place(finding.place)
        advice = self._named(finding.help) or (f"Fix: {finding.fix_title}." if finding.fix_title else "")
        owner = self._owners.get(place.path, "")
        return finding._replace(
            place=place,
            label=self._named(finding.label),
            detail=self._named(finding.detail),
            help=f"{advice} {owner} makes this Service: change it there.".strip() if owner else advice,
            fix=None,
            fix_title="",
            further=further,
        )

    def place(self, place: model.Place) -> model.Place:
        """A place in a text of ours as object and field."""
        file = self._files.get(place.path)
        if file is None:
            return place
        if place.route != file.subject:  # in a cloud.conf inside the object, which has lines that people know
            return place._replace(
                path=file.subject,
                line=place.inner_line,
                column=place.inner_column,
                end_line=place.inner_line,
                end_column=place.inner_column,
                exact=True,
            )
        field = field_at(file.text, place.line)
        return place._replace(
            path=file.subject, route=f"{file.subject} › {field}" if field else file.subject, inner_line=0
        )

    def _named(self, words: str) -> str:
        """A text that names objects by what the engine calls them, with the names that people know."""
        if ".yaml" not in words:
            return words
        known = self._files.get(words)
        return known.subject if known is not None else self._paths.sub(self._subject, words)

    def _subject(self, match: re.Match[str]) -> str:
        subject = self._files[match[1]].subject
        # a cloud.conf is named by its file and the way in it, which begins with the object again
        return subject if not match[2] or match[2] == subject else f"{subject}{match[0][len(match[1]) :]}"

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        paths = "|".join(re.escape(path) for path in self._files)
        subjects = "|".join(re.escape(file.subject) for file in self._files.values())
        return re.compile(f"({paths})(?: › ({subjects})(?![^ ,;.]))?")


def field_at(text: str, line: int) -> str:
    """The field that a line of one of our YAML texts is in: ``spec.ports[0].port``.

    Args:
        text: What `ccmcheck.cluster.access.documents.yaml` wrote.
        line: The line, from 1.
    """
    lines = text.split("\n")
    last = min(line, len(lines)) - 1
    parts: list[str] = []
    limit = len(lines[last]) + 1
    in_sequence = -1
    for number in range(last, -1, -1):
        match = _LINE.match(lines[number]) if lines[number].strip() else None
        if match is None or len(match[1]) >= limit:
            continue
        indent, dash, key = len(match[1]), match[2], match[3]
        if not dash and key is not None:
            parts.insert(0, _step(key))
            limit, in_sequence = indent, -1
        elif dash and indent != in_sequence:
            if key is not None and indent + len(dash) < limit:
                parts.insert(0, _step(key))
            parts.insert(0, f"[{_position(lines, number, indent)}]")
            # the sequence's key is at the same column as its dashes
            limit, in_sequence = indent + 1, indent
    return ".".join(parts).replace(".[", "[")


def _step(key: str) -> str:
    if key.isidentifier():
        return key
    return f"[{key}]" if key.startswith('"') else f'["{key}"]'


def _position(lines: Sequence[str], number: int, indent: int) -> int:
    """Which item of its sequence a line with a dash is."""
    position = 0
    for before in range(number - 1, -1, -1):
        line = lines[before]
        depth = len(line) - len(line.lstrip(" "))
        if depth == indent and line.startswith("- ", indent):
            position += 1
        elif depth <= indent:
            break
    return position
