"""Which values of a chart become which lines of its cloud.conf, as far as its templates say.

A chart of one's own may have other names than the upstream chart: ``cloudConfig.loadbalancer.lbMethod``. Its
templates print them line by line below a header, each value by its name or all entries of a map in a loop. Anything
else that they do with a value makes it unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple


class TemplateLine(NamedTuple):
    """The line that a value becomes.

    Attributes:
        section: The section's name.
        key: The key's name.
        as_it_is: Whether the template prints the value alone.
    """

    section: str
    key: str
    as_it_is: bool = True


class ChartMapping(NamedTuple):
    """What a chart does with its map ``cloudConfig``.

    Attributes:
        sections: The maps whose entries are printed with their own names, each with the section they become.
        entries: The values that are printed under a name of the template's, by the map's and the value's name.
        any_section: Whether every map is a section of the same name.
        complete: Whether all of the cloud.conf comes from the values.
        omits_zero: Whether entries that are empty, zero or false are left out.
        omits_null: Whether entries that are null are left out.
        guessed: Whether only the maps' names say so: then nobody knows what a list or a map in them becomes.
        unread: Maps that it does not read, each with what does instead; None for another chart than the CCM's own.
        bare: Whether it prints values without quotes.
    """

    sections: Mapping[str, str]
    entries: Mapping[tuple[str, str], TemplateLine] = {}
    any_section: bool = False
    complete: bool = True
    omits_zero: bool = False
    omits_null: bool = False
    guessed: bool = False
    unread: Mapping[str, str] | None = None
    bare: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the maps that the chart reads."""
        return tuple(dict.fromkeys((*self.sections, *(section for section, _ in self.entries))))


_LINE = lazy_regex(r"[^\n]*+\n?")
_HEADER = lazy_regex(
    r"[ \t]*+\[[ \t]*+(?:(?P<name>\w++)|\{\{-?[ \t]*+(?P<variable>\$\w++)[^}\n]*+\}\})[^\]\n]*+\][ \t]*+\r?\n?\Z"
)
_ASSIGNMENT = lazy_regex(
    r"[ \t]*+(?:(?P<name>[A-Za-z][\w-]*+)|\{\{-?[ \t]*+(?P<variable>\$\w++)[ \t]*+-?\}\})"
    r"[ \t]*+=[ \t]*+(?P<value>[^\n\r]*+)"
)
_ACTION = lazy_regex(r"\{\{-?[ \t]*+(?P<body>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*+)\}\}")
_RANGE = lazy_regex(
    r"range[ \t]++(?P<key>\$\w++)[ \t]*+,[ \t]*+(?P<value>\$\w++)[ \t]*+:=[ \t]*+(?P<of>[$.][\w.$-]*+)[ \t]*+-?\Z"
)
_WITH = lazy_regex(r"with[ \t]++(?P<of>[$.][\w.-]*+)[ \t]*+-?\Z")
_OPENS = lazy_regex(r"(?:if|range|with|define|block)\b")
_ALONE = lazy_regex(
    r"\"?\{\{-?[ \t]*+(?P<of>[$.][\w.$-]*+)(?:[ \t]*+\|[ \t]*+(?:quote|squote|toString|trim))*+"
    r"[ \t]*+-?\}\}\"?[ \t]*+\Z"
)
_PATH = lazy_regex(r"[$.][\w.-]++")
_MOST_LINES = 20_000


class _Block(NamedTuple):
    """An open block of a template: a loop with its variables, or a change of the dot; else neither."""

    key: str = ""
    value: str = ""
    of: tuple[str, ...] | None = None
    is_dot: bool = False


def read_mapping(templates: Sequence[str], path: str = "cloudConfig") -> ChartMapping | None:
    """What templates do with a map of the values.

    Args:
        templates: The templates' texts.
        path: The map's keys in the values.

    Returns:
        The mapping; None where no template names one of its values in a line of a cloud.conf.
    """
    reader = _Reader(tuple(path.split(".")))
    for template in templates:
        if reader.wanted[-1] in template:
            reader.read(template)
    if not (reader.sections or reader.entries or reader.any_section):
        return None
    return ChartMapping(reader.sections, reader.entries, reader.any_section, reader.complete)


class _Reader:
    def __init__(self, wanted: tuple[str, ...]) -> None:
        self.wanted = wanted
        self.sections: dict[str, str] = {}
        self.entries: dict[tuple[str, str], TemplateLine] = {}
        self.any_section = False
        self.complete = True
        self._blocks: list[_Block] = []

    def read(self, template: str) -> None:
        """Read one template."""
        self._blocks = []
        header = ""
        for count, match in enumerate(_LINE.finditer(template)):
            if count > _MOST_LINES:
                return
            line = match[0]
            if (found_match := _HEADER.match(line)) is not None:
                header = found_match["name"] or found_match["variable"]
            elif header and (found_match := _ASSIGNMENT.match(line)) is not None:
                self._assign(header, found_match["name"] or found_match["variable"], found_match["value"])
            else:
                for action in _ACTION.finditer(line):
                    self._follow(action["body"].strip())

    def _follow(self, action: str) -> None:
        """Open or close a block."""
        if action.startswith("end"):
            if self._blocks:
                self._blocks.pop()
        elif (loop := _RANGE.match(action)) is not None:
            self._blocks.append(_Block(loop["key"], loop["value"], self._path(loop["of"])))
        elif (dot := _WITH.match(action)) is not None:
            self._blocks.append(_Block(of=self._path(dot["of"]), is_dot=True))
        elif _OPENS.match(action) is not None:
            self._blocks.append(_Block())

    def _path(self, expression: str) -> tuple[str, ...] | None:
        """The keys of the values that an expression names; None where that is unclear."""
        if expression.startswith("$") and not expression.startswith("$."):
            name, _, rest = expression.partition(".")
            block = next((block for block in reversed(self._blocks) if block.value == name), None)
            if block is None or block.of is None:
                return None
            return (*block.of, "*", *(part for part in rest.split(".") if part))
        parts = tuple(part for part in expression.removeprefix("$").split(".") if part)
        if parts[:1] == ("Values",):
            return parts[1:]
        dot = next((block for block in reversed(self._blocks) if block.is_dot), None)
        return None if dot is None or dot.of is None else (*dot.of, *parts)

    def _assign(self, header: str, name: str, value: str) -> None:
        """Take one line ``key = value``."""
        alone = _ALONE.match(value)
        paths = (
            [self._path(alone["of"])]
            if alone is not None
            else [self._path(match[0]) for match in _PATH.finditer(value)]
        )
        size = len(self.wanted)
        inner = [path[size:] for path in paths if path is not None and path[:size] == self.wanted]
        if not inner:
            self.complete = False
        for path in inner:
            if name.startswith("$"):
                if alone is None or path[-1:] != ("*",):
                    self.complete = False
                elif path == ("*", "*"):
                    self.any_section = True
                elif len(path) == 2 and not header.startswith("$"):
                    self.sections[path[0]] = header
            elif len(path) == 2 and not header.startswith("$"):
                self.entries[path[0], path[1]] = TemplateLine(header, name, alone is not None)
