"""The chart's values that are set one by one: by ``helm --set cloudConfig.SECTION.KEY=VALUE``."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.chart_rendering import SECTIONS
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText

_KEY = r"\bcloudConfig\.(?P<section>[A-Za-z]{1,50}+)\.(?P<key>[\w-]{1,100}+)"
_IN_SHELL = lazy_regex(_KEY + r"=(?P<quote>[\"']?)(?P<value>[^\s\"',\\]*+)(?P=quote)(?=[\s\"',\\)]|\Z)")
COMMAND_END = lazy_regex(r"(?<!\\)(?<!\\\r)\n|[;&|]")
"""What ends a command of a script."""

PLAIN = lazy_regex(r"[\w.:/@-]*\Z")
"""What may be written between quotes as it is."""
_REFERENCES = ("$", "`", "%{", "{{")


class ChartSetting(NamedTuple):
    """One value of the chart, or of what has its like.

    Attributes:
        section: Its section in the map.
        key: The place of its key.
        value: The place of its value.
        is_known: Whether the value is the text at that place.
        name: The key's name, if that differs from the text at its place.
        writable: The texts that may be written in the value's place; None where it cannot be changed there.
        text: The value, if that differs from the text at its place.
    """

    section: str
    key: Span
    value: Span
    is_known: bool
    name: str = ""
    writable: re.Pattern[str] | None = PLAIN
    text: str = ""


class _Piece(NamedTuple):
    start: int
    end: int
    outer: Span
    writable: re.Pattern[str] | None
    """Of a value, see `ChartSetting`; None for a key."""


def in_shell(text: str) -> Iterator[EmbeddedText]:
    """Find the settings of each ``helm`` command of a script.

    Args:
        text: The script.

    Yields:
        The cloud.conf that each command sets.
    """
    if "--set" not in text:
        return
    group: list[ChartSetting] = []
    for match in _IN_SHELL.finditer(text):
        if group and COMMAND_END.search(text, group[-1].value.end, match.start()):
            yield EmbeddedText(ChartSettings(text, group), "helm --set")
            group = []
        key, value = Span(*match.span("key")), Span(*match.span("value"))
        group.append(ChartSetting(match["section"], key, value, not is_reference(match["value"])))
    if group:
        yield EmbeddedText(ChartSettings(text, group), "helm --set")


def is_reference(value: str) -> bool:
    """Whether a value names others, so that it is not known as it stands."""
    return any(sign in value for sign in _REFERENCES)


class SettingsForm(NamedTuple):
    """What has settings one by one.

    Attributes:
        kind: What it is, for people.
        sections: The names of the sections in it, and those that they become.
        consumers: Who reads the cloud.conf.
        is_whole: Whether nothing else sets more.
    """

    kind: str
    sections: Mapping[str, str]
    consumers: tuple[str, ...]
    is_whole: bool = False


CHART = SettingsForm("Helm values", SECTIONS, ("ccm",))


class ChartSettings:
    """The cloud.conf that the chart renders from single settings.

    Args:
        outer: The text around.
        settings: In the order of the text; those of sections that the chart does not know are left out.
        form: What has the settings.

    Attributes:
        kind: See `Layer`.
        consumers: Who reads the cloud.conf.
        text: The rendered cloud.conf.
        written: The same with the values that are not known as they are written.
        unknown: The places in it that the settings do not decide: other values, and what values files add.
    """

    __slots__ = ("_pieces", "_starts", "consumers", "kind", "text", "unknown", "written")
    exact = False

    def __init__(self, outer: str, settings: Iterable[ChartSetting], form: SettingsForm = CHART) -> None:
        self.kind = form.kind
        self.consumers = form.consumers
        self._pieces: list[_Piece] = []
        self.unknown: list[Span] = []
        by_section: dict[str, list[ChartSetting]] = {}
        for setting in settings:
            if setting.section in form.sections:
                by_section.setdefault(setting.section, []).append(setting)
        parts: list[str] = []
        written: list[str] = []
        position = 0
        for section, entries in by_section.items():
            parts.append(f"[{form.sections[section]}]\n")
            written.append(parts[-1])
            position += len(parts[-1])
            for entry in entries:
                key, value = entry.name or outer[slice(*entry.key)], entry.text or outer[slice(*entry.value)]
                shown = value if entry.is_known else "x" * len(value)
                parts.append(f'{key} = "{shown}"\n')
                written.append(f'{key} = "{value}"\n')
                start = position + len(key) + 4
                self._pieces.append(_Piece(position, position + len(key), entry.key, None))
                self._pieces.append(_Piece(start, start + len(value), entry.value, entry.writable))
                if not entry.is_known:
                    self.unknown.append(Span(start - 1, start + len(value) + 1))
                position += len(parts[-1])
            if not form.is_whole:
                self.unknown.append(Span(position - 1, position - 1))
        self.text = "".join(parts)
        self.written = "".join(written)
        self._starts = [piece.start for piece in self._pieces]

    def outward(self, span: Span) -> Span:
        """Find the key or value; over several, all that lies between. See `Layer.outward`."""
        if not self._pieces:
            return Span(0, 0)
        first, last = self._piece(span.start), self._piece(max(span.start, span.end - 1))
        if first is last and first.start <= span.start and span.end <= first.end:
            if first.end - first.start != first.outer.end - first.outer.start:
                return first.outer
            shift = first.outer.start - first.start
            return Span(span.start + shift, max(span.start, span.end) + shift)
        return Span(min(first.outer.start, last.outer.start), max(first.outer.end, last.outer.end))

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes within a key or a value outward; see `Layer.put`."""
        carried: list[Edit] = []
        for edit in sort(edits):
            piece = self._piece(edit.start) if self._pieces else None
            start, end, text = edit
            if piece is not None and piece.writable is not None and (start, end) == (piece.start - 1, piece.end + 1):
                start, end, text = piece.start, piece.end, text.removeprefix('"').removesuffix('"')
            inside = piece is not None and piece.start <= start and end <= piece.end
            if piece is None or not inside or not (piece.writable or PLAIN).match(text):
                raise CannotEdit("this is set by a single argument or field; change it by hand")
            shift = piece.outer.start - piece.start
            carried.append(Edit(start + shift, end + shift, text))
        return sort(carried)

    def _piece(self, offset: int) -> _Piece:
        """The last piece that starts at an offset or, for a value's quote, right behind it."""
        return self._pieces[max(bisect_right(self._starts, offset + 1) - 1, 0)]
