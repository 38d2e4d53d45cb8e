"""Releases of the CCM in texts that are no objects, by the rows of `ccmcheck.catalog.signs.release_texts`.

One loop collects what they find. A variable in a value's place counts where the same text sets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.image_tags import collect
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.catalog.signs import release_texts as signs
from ccmcheck.catalog.signs import releases
from ccmcheck.catalog.signs.paths import DOCUMENTS, GO, is_document

MOST_VARIABLES = 20
"""Names that are looked up in one text for one sign."""
_MOST_LINES = 50
"""Lines on either side of a match in which the rest of its block is looked for."""

_ASSIGNMENT = (
    r"(?<!\S)#[^\n]*+|(?<![^\s;&|(\"']){name}[ \t]*+[:?]?=(?!=)[ \t]*+[\"']?(?P<value>(?:[^\s\"';&|)#]|(?<!\s)#)*+)"
)
"""A comment, or an assignment."""


class Told(NamedTuple):
    """What a sign found.

    Attributes:
        kind: What the value is.
        value: The value, or the name of the variable that has it.
        start: Where it is.
        name: The variable that is set to it; empty for none.
        scope: Where the variable that has the value is set; empty for a value.
    """

    kind: str
    value: str
    start: int
    name: str = ""
    scope: str = ""


def _find(sign: signs.ReleaseSign, text: str) -> Iterator[Told]:
    """What a sign finds in a text."""
    pattern = re.compile(sign.pattern)
    parts: Iterable[tuple[int, str]] = ((0, text),)
    if sign.within:
        found = re.compile(sign.within).finditer(text)
        parts = ((match.start("words"), match["words"]) for match in found if match["words"])
    for offset, part in parts:
        for place in pattern.finditer(part):
            match = _beside(re.compile(sign.beside), part, place) if sign.beside else place
            told = _told(match, offset) if match is not None else None
            if told is not None and (told.kind != signs.VARIABLE or releases.is_variable(told.name)):
                yield told


def _told(match: re.Match[str], offset: int) -> Told | None:
    """The value in a match, by the name of its group."""
    groups = {group: value for group, value in match.groupdict().items() if value is not None}
    name = groups.pop("name", "")
    for group, value in groups.items():
        kind, _, scope = group.partition("_")
        if kind in (signs.TAG, signs.CHART, signs.REF, signs.VARIABLE):
            return Told(
                kind, value.rstrip(".") if kind == signs.REF else value, offset + match.start(group), name, scope
            )
    return None


def _beside(pattern: re.Pattern[str], text: str, match: re.Match[str]) -> re.Match[str] | None:
    """A line of the block or map that a match is in."""
    starts = (start for step in (1, -1) for start in _lines_beside(text, match, step))
    return next((found for start in starts if (found := pattern.match(text, start)) is not None), None)


def _lines_beside(text: str, match: re.Match[str], step: int) -> Iterator[int]:
    """Where the lines behind a match, or before it, begin that are indented as it is, to the end of its block."""
    indent = match["indent"]
    here = match.end() if step > 0 else match.start()
    for _ in range(_MOST_LINES):
        here = text.find("\n", here) + 1 if step > 0 else text.rfind("\n", 0, max(here - 1, 0)) + 1
        if not here and step > 0:
            return
        is_of_block = text.startswith(indent, here)
        start = here + len(indent) if is_of_block else here
        if text.startswith("}", start) or not (is_of_block or not text[here : text.find("\n", here)].strip()):
            return
        if is_of_block:
            yield start
        if not here:
            return


def find_in_text(carrier: Carrier, language: str) -> None:
    """Collect the releases that a text tells.

    Args:
        carrier: The whole file.
        language: Its language; empty for YAML.
    """
    text, collector = carrier.source.text, carrier.collector
    options = collector.options
    may_be_weak = not (options.is_bundle or options.built) and (language not in DOCUMENTS or language == GO)
    for sign in signs.IN_TEXTS:
        if sign.language not in ("", language) or not all(need in text for need in sign.needs):
            continue
        if sign.one_of and not any(word in text for word in sign.one_of):
            continue
        if sign.is_weak and (
            not may_be_weak or collector.broken or any(pod.release for pod in (*collector.pods, *collector.image_tags))
        ):
            continue
        variables: dict[tuple[str, str], Told] = {}
        for told in _find(sign, text):
            if told.scope:
                variables.setdefault((told.scope, told.value), told)
            else:
                _collect(carrier, told)
        for told in islice(variables.values(), MOST_VARIABLES):
            _collect_value(carrier, told)


def _collect(carrier: Carrier, told: Told) -> None:
    release = _release_of(told)
    if release or told.kind == signs.REF:  # whose manifests are applied, whatever they install
        subject = told.name or _SUBJECTS[told.kind].format(told.value)
        image = {signs.TAG: f"{CCM}:{told.value}", signs.VARIABLE: told.value}.get(told.kind, "")
        collect(carrier, subject, image, release, told.start, is_script=told.kind in (signs.CHART, signs.REF))


_SUBJECTS = {signs.TAG: "image", signs.CHART: f"chart {CCM} {{}}", signs.REF: "manifests of {}"}


def _release_of(told: Told) -> str:
    if told.kind == signs.VARIABLE:
        return releases.release_of_variable(told.name, told.value)
    if told.kind == signs.TAG:
        return releases.release_of(f"{CCM}:{told.value}")
    return (
        releases.release_of_chart(told.value) if told.kind == signs.CHART else releases.release_of_manifests(told.value)
    )


def _collect_value(carrier: Carrier, told: Told) -> None:
    """Collect what a text gives a variable; values that differ contradict each other, as does one set elsewhere."""
    text, name = carrier.source.text, told.value
    values = [Told(told.kind, text[slice(*place)], place.start, name) for place in _values(text, told.scope, name)]
    known = [value for value in values if _release_of(value)]
    for value in known:
        _collect(carrier, value)
    if not known and told.scope == signs.SHELL_VARIABLE and not is_document(carrier.collector.path):
        collect(carrier, _SUBJECTS[told.kind].format(f"${name}"), "", "", told.start, variable=name)


_VARIABLE_IN_HCL = r"\bvariable[ \t]++\"{name}\"[ \t]*+\{{[^{{}}]*?\bdefault[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
_LOCALS = lazy_regex(r"^locals[ \t]*+\{[^\n]*+\n(?:(?!\})[^\n]*+\n)*+", re.MULTILINE)
_LOCAL_IN_HCL = r"^(?:\t| {{0,2}}){name}[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
"""As ``terraform fmt`` indents local values; deeper ones are those of a map."""


def _values(text: str, scope: str, name: str) -> Iterator[Span]:
    """The places of the values that a text gives a variable."""
    if scope == signs.SHELL_VARIABLE:
        yield from _assigned_values(text, name)
        return
    pattern = re.compile(
        (_VARIABLE_IN_HCL if scope == signs.TF_VARIABLE else _LOCAL_IN_HCL).format(name=name), re.MULTILINE
    )
    parts: Sequence[tuple[int, int]] = [(0, len(text))]
    if scope == signs.TF_LOCAL:
        parts = [block.span() for block in _LOCALS.finditer(text)]
    for part in parts:
        for match in pattern.finditer(text, *part):
            yield Span(*match.span("value"))


def _assigned_values(text: str, name: str) -> Iterator[Span]:
    """Find the values that a text gives a variable; none in a comment.

    Args:
        text: The text, which is searched once for each call.
        name: The variable, a word.

    Yields:
        The place of each value, without quotes, up to the first blank.
    """
    for match in re.finditer(_ASSIGNMENT.format(name=name), text):
        if match["value"] is not None:
            yield Span(*match.span("value"))
