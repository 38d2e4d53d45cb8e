"""What a consumer of cloud.conf gets out of a text: gcfg's grammar and a release's types together (contract 1).

gcfg reads in two passes: plain sections first, sections with subsections second. It stops at its first error; here
all are collected, in the order in which it would meet them, one restart after another.

Source: gcfg v1.2.3, ``read.go`` and ``set.go``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

from ccmcheck.base.model import Span, Stop
from ccmcheck.catalog import KeySpec, Schema, SectionSpec
from ccmcheck.gcfg import STOP_KINDS, Document, Section, Variable, parse, values
from ccmcheck.gcfg.errors import quote
from ccmcheck.gcfg.lines import ESCAPED_QUOTE_SINCE

PROVIDER = "unsupported-provider"
KINDS = (*STOP_KINDS, PROVIDER)
"""The kinds of all errors that can end a reader: gcfg's, and the CCM's own."""

_PLACE_SINCE = "v1.2.1"  # before, gcfg's value errors do not say where

_SHORT = 16
"""Characters of a value whose meaning is remembered."""
_BYTES = frozenset(("illegal-utf8", "illegal-nul"))

_Outcome = tuple[object, None] | tuple[None, str]

_PARSERS: dict[str, tuple[str, Callable[[str], _Outcome]]] = {
    "bool": ("bad-bool", values.parse_bool),
    "duration": ("bad-duration", values.parse_duration),
    "uint": ("bad-uint", values.parse_uint),
}
_NAMED_PARSERS: dict[str, tuple[str, Callable[[str, str], _Outcome]]] = {
    "int": ("bad-int", values.parse_int),
    "word": ("bad-word", values.parse_word),
    "reserved": ("reserved-key", values.refuse_map),
}


_Name = tuple[str, str | None, str | None]
"""Section, subsection and key of something that has nowhere to go; key and subsection None where gcfg names none."""


class Reading:
    """What one reader made of one document.

    Attributes:
        document: What was read.
        schema: Who read it.
        stops: Every error, syntax and values; the first is the one that the reader reports.
        specs: What the catalogue knows of each entry that is not ignored, by the place of its key.
        typed: What a key holds after each entry that can be read, by the place of its key: durations in nanoseconds,
            lists with all their elements.
    """

    def __init__(self, document: Document, schema: Schema) -> None:
        self.document = document
        self.schema = schema
        self.specs: dict[int, KeySpec] = {}
        self.typed: dict[int, object] = {}
        self._stored: dict[tuple[str, str | None], dict[str, object]] = {}
        self._lost: dict[_Name, None] = {}
        self._read()

    def _read(self) -> None:
        document = self.document
        specs: dict[str, SectionSpec | None] = {}
        lost = self._lost
        first: list[tuple[int, int, Stop]] = []
        late: list[tuple[Section, SectionSpec]] = []
        for section in document.sections:
            name = section.name
            if name not in specs:
                specs[name] = self.schema.section(name)
            spec = specs[name]
            if spec is None:
                lost[name, None, None] = None
            elif spec.is_map:
                late.append((section, spec))
            elif section.subsection is None:
                self._store(section, spec, None, first)
            else:
                lost[name, self._named_subsection(section), None] = None
        second: list[tuple[int, int, Stop]] = []
        for section, spec in late:
            self._store(section, spec, section.subsection or "", second)
        if document.stops and first:
            # the scanner reports a bad byte that starts a line before the value on the line above is stored
            first += [(stop.span.start, 0 if stop.kind in _BYTES else 2, stop) for stop in document.stops]
            first.sort(key=_order)
            self.stops: tuple[Stop, ...] = tuple([stop for _, _, stop in first + second])
        else:
            self.stops = document.stops + tuple([stop for _, _, stop in first + second])
        self._in_first_pass = bool(document.stops or first)
        if self.schema.providers:
            self.stops += tuple(self._refused_provider())

    def _refused_provider(self) -> Iterator[Stop]:
        """What one tag says after reading, unless it goes on with a clouds.yaml; see `PROVIDERS_OR_FATAL`."""
        if self._stored.get(("Global", None), {}).get("use-clouds") is True:
            return
        last = None
        for section in self.document.sections:
            for entry in section.entries if section.subsection is None else ():
                spec = self.specs.get(entry.key_start)
                if spec is not None and spec.name == "lb-provider":
                    last = entry
        provider = self.typed.get(last.key_start) if last is not None else None
        if last is not None and isinstance(provider, str) and provider not in self.schema.providers:
            span = last.value_span if last.value else last.key_span
            yield Stop(PROVIDER, span or last.key_span, f"Unsupported LoadBalancer Provider: {provider}")

    @property
    def outcome(self) -> str:
        """``ok`` or ``fatal``."""
        return "fatal" if self.stops else "ok"

    @property
    def error(self) -> str | None:
        """What the reader ends with; None when all is well."""
        return self.stops[0].error if self.stops else None

    @cached_property
    def values(self) -> dict[str, dict[str, object]]:
        """Every value that the file sets, by section and key as the catalogue writes them; empty when fatal.

        A section with a subsection is ``Name "subsection"``; a duration is an object with ``ns``, ``int_seconds`` (what
        the CCM makes of it) and ``text``.
        """
        if self.stops:
            return {}
        found: dict[str, dict[str, object]] = {}
        for (name, subsection), stored in self._stored.items():
            if stored or subsection is not None:
                title = name if subsection is None else f"{name} {quote(subsection)}"
                spec = self.schema.section(name)
                found[title] = {key: _shown(spec, key, value) for key, value in stored.items()}
        return found

    @property
    def ignores_names(self) -> bool:
        """Whether a section or a key of the file goes nowhere."""
        return bool(self._lost)

    @cached_property
    def ignored(self) -> list[dict[str, str]]:
        """Every name that goes nowhere, as it is written, once each; empty when fatal."""
        if self.stops:
            return []
        shown = []
        for section, subsection, key in self._lost:
            name = {"section": section}
            if subsection is not None:
                name["subsection"] = subsection
            if key is not None:
                name["key"] = key
            shown.append(name)
        return shown

    @cached_property
    def refusal(self) -> str | None:
        """The error of a reader that is stricter than gcfg; None where it has nothing to refuse.

        Source: k8s.io/legacy-cloud-providers/openstack, 1.16 to 1.24, which does not call ``gcfg.FatalOnly`` and so
        takes warnings for errors; the text is that of gopkg.in/warnings.v0.
        """
        if self.stops:
            return None
        if not self.schema.refuses_unknown:
            return None
        lines = []
        for section, subsection, key in self._warnings():
            line = f'can\'t store data at section "{section}"'
            if subsection is not None:
                line += f', subsection "{subsection}"'
            if key is not None:
                line += f', variable "{key}"'
            lines.append(line)
        if not lines:
            return None
        return "\n".join(["warning:" if len(lines) == 1 else "warnings:", *lines, ""])

    @cached_property
    def hidden_error(self) -> str | None:
        """The error that is not reported, because ``use-clouds`` was already read; None where errors are reported.

        The CCM then runs with what it read before the error. Whether it does depends on the clouds.yaml, which is read
        next and whose error takes the place of this one.

        Source: cloud-provider-openstack openstack.go, 1.14 to 1.18; fixed in 1.19.
        """
        if not self.stops or not self.schema.hides_errors:
            return None
        end = self.stops[0].span.start if self._in_first_pass else len(self.document.text)
        use_clouds: object = False
        for section in self.document.sections:
            for entry in section.entries if section.subsection is None else ():
                spec = self.specs.get(entry.key_start)
                if spec is not None and spec.name == "use-clouds" and entry.end < end:
                    use_clouds = self.typed.get(entry.key_start, use_clouds)
        return self.stops[0].error if use_clouds is True else None

    @property
    def depends_on_clouds(self) -> bool:
        """Whether it depends on a clouds.yaml, too, that the reader starts."""
        return self.hidden_error is not None if self.stops else self.needs_clouds_yaml

    @property
    def needs_clouds_yaml(self) -> bool:
        """Whether the reader goes on with a clouds.yaml, and ends without one."""
        return not self.stops and self._stored.get(("Global", None), {}).get("use-clouds") is True

    def __repr__(self) -> str:
        return f"<Reading by {self.schema!r}: {self.outcome}>"

    def _store(
        self, section: Section, spec: SectionSpec, subsection: str | None, stops: list[tuple[int, int, Stop]]
    ) -> None:
        """Store the entries of one section, and collect the errors of their values."""
        by_name = spec.by_name
        specs = self.specs
        typed = self.typed
        stored = self._stored.setdefault((spec.name, subsection), {})
        for entry in self._known_entries(section, spec, subsection) if section.is_large else section.entries:
            key = by_name.get(entry.key) or spec.key(entry.key)
            if key is None:
                self._lost[section.name, subsection, entry.key] = None
                continue
            start = entry.key_start
            specs[start] = key
            text = entry.value
            if key.type == "string" and text is not None:
                stored[key.name] = typed[start] = text
                continue
            if not entry.sound:
                continue
            value, kind, problem = _convert(key, text, stored.get(key.name))
            if problem is None:
                stored[key.name] = typed[start] = value
            else:
                if text == "" and kind != "reserved-key":
                    kind = "empty-value"
                stops.append(self._stop(entry, kind, problem, section, subsection))

    def _known_entries(self, section: Section, spec: SectionSpec, subsection: str | None) -> list[Variable]:
        """The entries of a very long section that the release knows; no record is made of the others."""
        known = set()
        for name in section.names:
            if spec.key(name) is None:
                self._lost[section.name, subsection, name] = None
            else:
                known.add(name)
        return section.entries_named(known) if known else []

    def _stop(
        self, entry: Variable, kind: str, problem: str, section: Section, subsection: str | None
    ) -> tuple[int, int, Stop]:
        if self.schema.gcfg >= _PLACE_SINCE:
            problem += f' at section "{section.name}"'
            if subsection is not None:
                problem += f', subsection "{subsection}"'
            problem += f', variable "{entry.key}"'
        filled = entry.value_start < entry.value_end
        span = Span(entry.value_start, entry.value_end) if filled else Span(entry.key_start, entry.key_end)
        next_line = self.document.text.find("\n", entry.end) + 1 or len(self.document.text)
        return next_line, 1, Stop(kind, span, problem)

    def _named_subsection(self, section: Section) -> str | None:
        """The subsection of a plain section, where gcfg's warning names it."""
        return section.subsection if self.schema.gcfg < _PLACE_SINCE else None

    def _warnings(self) -> Iterator[_Name]:
        """All warnings of gcfg in their order: one for each line of a section that goes nowhere, and in each pass."""
        late: list[tuple[Section, SectionSpec | None]] = []
        for section in self.document.sections:
            spec = self.schema.section(section.name)
            if spec is None or spec.is_map:
                late.append((section, spec))
            if spec is None or (section.subsection is not None and not spec.is_map):
                subsection = self._named_subsection(section) if spec is not None else None
                yield from [(section.name, subsection, None)] * (1 + len(section.entries))
            elif not spec.is_map:
                yield from [(section.name, None, entry.key) for entry in self._unknown(section)]
        for section, spec in late:
            if spec is None:
                yield from [(section.name, None, None)] * (1 + len(section.entries))
                continue
            yield from [(section.name, section.subsection or "", entry.key) for entry in self._unknown(section)]

    def _unknown(self, section: Section) -> list[Variable]:
        return [entry for entry in section.entries if entry.key_start not in self.specs]


def read(document: Document, schema: Schema) -> Reading:
    """Read a document as one release of one consumer does.

    Args:
        document: A parsed text. It is parsed again where the release reads with a gcfg that sees another text in it.
        schema: What the consumer knows in that release.

    Returns:
        Outcome, errors, values.
    """
    escaped_quotes = schema.gcfg >= ESCAPED_QUOTE_SINCE
    if escaped_quotes != (document.version >= ESCAPED_QUOTE_SINCE) and "\\" in document.text:
        document = parse(document.text, schema.gcfg)
    return Reading(document, schema)


def read_bytes(data: bytes, schema: Schema) -> Reading:
    """Read a file's bytes as `read` reads a document."""
    return read(parse(data.decode("utf-8", "surrogateescape")), schema)


def _order(item: tuple[int, int, Stop]) -> tuple[int, int]:
    return item[0], item[1]


def _convert(key: KeySpec, text: str | None, before: object) -> tuple[object, str, str | None]:
    """Make the value of a key: the value, the kind of error, the error."""
    kind = key.type
    if text is None:
        if kind == "bool":
            return True, "", None
        if kind == "list":
            return [], "", None
        return None, "reserved-key" if kind == "reserved" else "blank-value", values.BLANK
    if kind == "list":
        if not isinstance(before, list):
            return [text], "", None
        before.append(text)
        return before, "", None
    return (_typed_again if len(text) <= _SHORT else typed)(kind, text, key.go_type)


def typed(kind: str, text: str, go_type: str = "") -> tuple[object, str, str | None]:
    """Read one text by the type of a key.

    Args:
        kind: See `ccmcheck.catalog.KeySpec`; a list's one value is a text.
        text: The text, unquoted.
        go_type: The Go type, as error texts name it.

    Returns:
        The value, the kind of error, and the reader's words; None for the value or for the words.
    """
    plain = _PARSERS.get(kind)
    if plain is not None:
        value, problem = plain[1](text)
        return value, plain[0], problem
    named = _NAMED_PARSERS.get(kind)
    if named is not None:
        value, problem = named[1](text, go_type or kind)
        return value, named[0], problem
    return text, "", None


_typed_again = lru_cache(maxsize=512)(typed)
"""The same for a short text: the files of a run have few different ones."""


def _shown(spec: SectionSpec | None, key: str, value: object) -> object:
    """A value in the notation for outputs."""
    known = spec.key(key) if spec is not None else None
    if known is not None and known.type == "duration" and isinstance(value, int):
        return {"int_seconds": values.whole_seconds(value), "ns": value, "text": values.format_duration(value)}
    return value
