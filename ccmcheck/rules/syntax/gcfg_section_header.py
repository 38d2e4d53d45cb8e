"""An invalid section header."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Fix, Problem, Problems, Severity, Stop
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import SectionSpec, fold
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, unreadable

CLAIMS = ("no-section", "bad-header", "empty-subsection")
"""The kinds of reader errors that this rule reports, and no other."""


_HEADER = lazy_regex(r"[ \t]*+(\[++)[ \t]*+([^\[\]\n]*+)(\]*+)([^\n]*+)")
_KEY = lazy_regex(r"[ \t]*+([A-Za-z][\w.-]*+)[ \t]*+[=:]")
_NO_HEADER = "not a valid section header"
_CLASS = "LoadBalancerClass"


def check(conf: CloudConf) -> Problems:
    """Report the reader's errors, then look for classes without a name."""
    for stop in conf.stops(*CLAIMS):
        if stop.kind == "no-section":
            if not conf.is_alternative(-1, stop.span.start):  # a template mark above may become the header
                yield _no_section(conf, stop)
        elif stop.kind == "empty-subsection":
            yield Problem(
                stop.span,
                "a class needs a name",
                unreadable.stops(conf),
                "Write the name that Services select with the annotation `loadbalancer.openstack.org/class`.",
                stop=stop,
            )
        else:
            yield _broken(conf, stop)
    for section in conf.sections:
        if section.subsection is not None or len(section.name) != len(_CLASS) or not section.sound:
            continue
        if fold(section.name) == fold(_CLASS) and conf.schema.section(_CLASS) and not conf.is_opaque(section.span):
            yield Problem(
                section.span,
                "a class without a name, which no Service can select",
                "The CCM reads the section and never uses it.",
                'Write the name in double quotes: `[LoadBalancerClass "name"]`.',
                severity=Severity.WARNING,
            )


def _no_section(conf: CloudConf, stop: Stop) -> Problem:
    line = conf.line_at(stop.span.start)
    match = _KEY.match(conf.text, line.start, line.end)
    sections = _sections_with(conf, match[1].replace("_", "-")) if match is not None else []
    fix: Fix | None = None
    if len(sections) == 1:
        newline = "\r\n" if conf.text[line.end : line.end + 1] == "\r" else "\n"
        fix = fixes.unsafe(
            conf, f"write `[{sections[0]}]` above it", Edit(line.start, line.start, f"[{sections[0]}]{newline}")
        )
    return Problem(
        stop.span,
        "a key above the first section header",
        unreadable.stops(conf),
        f"Write `[{sections[0]}]` above it."
        if fix is not None
        else "Write the header of its section above it, such as `[Global]`.",
        fix,
        stop,
    )


def _sections_with(conf: CloudConf, key: str) -> list[str]:
    """The sections without subsections that have a key."""
    return [section.name for section in conf.schema.sections if not section.needs_name and section.key(key) is not None]


class _Advice(NamedTuple):
    """The message about one header, and its correction."""

    label: str
    edit: Edit | None = None
    sure: bool = False
    instead: str = (
        "Write the section in brackets, a class's name after it in double quotes, and only a comment after the bracket."
    )


def _broken(conf: CloudConf, stop: Stop) -> Problem:
    line = conf.line_at(stop.span.start)
    place = stop.span if conf.text[stop.span.start : stop.span.end].strip() else line
    match = _HEADER.match(conf.text, line.start, line.end)
    advice = _advice(conf, match, stop) if match is not None else _Advice(_NO_HEADER)
    edit, instead, fix = advice.edit, advice.instead, None
    if edit is not None:
        instead = f"Write `{edit.text}`." if edit.text.strip() else "Put it on a line of its own."
        title = instead[0].lower() + instead[1:-1]
        fix = (fixes.safe if advice.sure else fixes.unsafe)(conf, title, edit)
    return Problem(place, advice.label, unreadable.stops(conf), instead, fix, stop)


def _advice(conf: CloudConf, match: re.Match[str], stop: Stop) -> _Advice:
    opened, inner, closed, rest = match.groups()
    start, end = match.start(1), match.end(3)
    head = re.split(r"[#;]", inner, maxsplit=1)[0].rstrip(" \t\r")
    if not closed:
        known = _known(conf, head)
        edit = Edit(start, match.start(2) + len(head), f"[{head}]") if known is not None else None
        return _Advice("the bracket is not closed", edit, sure=True)
    if _known(conf, inner) is not None and len(opened) + len(closed) > 2:
        return _Advice("one bracket too many", Edit(start, end, f"[{inner.strip()}]"))
    if head != inner.rstrip(" \t\r") and _known(conf, head) is not None:
        return _Advice(
            "a comment is not allowed inside the brackets", Edit(start, end, f"[{head}] {inner[len(head) :].strip()}")
        )
    if end <= stop.span.start:
        if "\r" in rest.strip("\r") and "\n" not in conf.text:
            return _Advice(
                "the lines end with a carriage return alone, which is not a line end in cloud.conf",
                instead="Save the file with line feeds (LF).",
            )
        if _KEY.match(rest):
            newline = "\r\n" if conf.text.startswith("\r\n", match.end()) else "\n"
            return _Advice(
                "a key is not allowed on the line of the header",
                Edit(end, end + len(rest) - len(rest.lstrip(" \t")), newline),
            )
        return _Advice("only a comment may follow the bracket")
    name, separator, subsection = _split(inner)
    section = _known(conf, name)
    if separator and section is not None and section.is_map and subsection and not set(subsection) & set('"\\'):
        spaced = separator.isspace()
        label = (
            "the name of a class must be in double quotes"
            if spaced
            else "the name of a class must follow a space, in double quotes"
        )
        return _Advice(label, Edit(start, end, f'[{name} "{subsection}"]'), sure=spaced)
    section = _known(conf, re.sub(r"[\W_]++", "", inner))
    if section is not None and not section.is_map:
        return _Advice(
            "a section name is one word of letters, digits and hyphens", Edit(start, end, f"[{section.name}]")
        )
    return _Advice(_NO_HEADER)


def _split(inner: str) -> tuple[str, str, str]:
    """The name, what separates it from the subsection, and the subsection without single quotes."""
    match = re.match(r"([A-Za-z][A-Za-z0-9-]*+)([ \t.:/]++)(.*)", inner.strip())
    if match is None:
        return inner.strip(), "", ""
    name, separator, subsection = match.groups()
    separator = " " if not separator.strip() else separator.strip()[0]
    return name, separator, subsection.strip(" \t'‘’“”")


def _known(conf: CloudConf, name: str) -> SectionSpec | None:
    return conf.schema.section(name.strip())
