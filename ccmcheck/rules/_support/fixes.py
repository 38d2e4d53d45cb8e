"""Fixes of cloud.conf text: the edits that several rules share, in the file's style, and never on a template mark.

An edit preserves what it does not change: the value's quotes, the spaces around ``=`` as in neighbouring lines, the
indentation, the kind of newline, and every comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Applicability, Edit, Fix, Span
from ccmcheck.catalog import fold
from ccmcheck.catalog.schemas import SECRET_KEYS
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Section, Variable

_NEIGHBOURS = 50
"""How many keys are searched for their style."""

_EQUALS = lazy_regex(r"[ \t]*+=[ \t]*+")


def safe(conf: CloudConf, title: str, *edits: Edit | None) -> Fix | None:
    """A fix that is applied by default; see `unsafe`."""
    return _fix(conf, title, edits, Applicability.SAFE)


def unsafe(conf: CloudConf, title: str, *edits: Edit | None) -> Fix | None:
    """A fix that changes what the CCM does, and is only applied with ``--unsafe``.

    Its title is an imperative such as ``write `5s```. There is none where an edit is None or would change a template mark.
    """
    return _fix(conf, title, edits, Applicability.UNSAFE)


def _fix(conf: CloudConf, title: str, edits: tuple[Edit | None, ...], applicability: Applicability) -> Fix | None:
    checked = tuple(edit for edit in edits if edit is not None)
    if not checked or len(checked) < len(edits) or any(conf.is_opaque(Span(edit.start, edit.end)) for edit in checked):
        return None
    return Fix(title, _apart(conf.text, checked), applicability)


def _apart(text: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, with deletions that overlap made one: two last lines would both delete the newline between them."""
    apart: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start):
        last = apart[-1] if apart else None
        if last is None or edit.start >= last.end or edit.text or last.text:
            apart.append(edit)
            continue
        start, end = last.start, max(last.end, edit.end)
        if end == len(text) and not text.endswith("\n"):
            start = len(text[:start].removesuffix("\n").removesuffix("\r"))
        apart[-1] = Edit(start, end, "")
    return tuple(apart) if len(apart) < len(edits) else edits


def write_value(conf: CloudConf, entry: Variable, value: str) -> Edit:
    """Replace a value, or add one to a key without; quotes around the whole value are kept."""
    if entry.value is None:
        return Edit(entry.key_end, entry.key_end, _equals(conf, entry) + spell(value))
    raw = conf.text[entry.value_start : entry.value_end]
    if raw:
        return Edit(entry.value_start, entry.value_end, spell(value, quoted=_is_quoted(raw)))
    before = conf.text[entry.key_end : entry.value_start]
    return Edit(entry.value_start, entry.value_end, (" " if before != "=" else "") + spell(value))


def rename_key(entry: Variable, name: str) -> Edit:
    """Replace the name of a key."""
    return Edit(entry.key_start, entry.key_end, name)


def delete_key(conf: CloudConf, entry: Variable) -> Edit:
    """Remove a key's whole line; a comment after the value stays, on a line of its own.

    Behind a secret it goes as well: what looks like a comment may be the rest of ``pa#ss``.
    """
    if entry.comment_start >= 0 and fold(entry.key) not in SECRET_KEYS:
        return Edit(entry.key_start, entry.comment_start, "")
    start = conf.text.rfind("\n", 0, entry.key_start) + 1
    if conf.text[start : entry.key_start].strip(" \t\r"):  # the line has other content
        return Edit(entry.key_start, max(entry.end, entry.key_end), "")
    end = max(entry.end, entry.key_end, _line_end(conf.text, entry.comment_start))
    return delete_lines(conf.text, Span(start, end))


def _line_end(text: str, start: int) -> int:
    """Where the line of an offset ends, without its newline; -1 for no offset."""
    end = text.find("\n", start) if start >= 0 else -1
    return end if end >= 0 or start < 0 else len(text)


def delete_section(conf: CloudConf, section: Section) -> list[Edit]:
    """Remove a header and its keys; comments on lines of their own stay."""
    return [delete_lines(conf.text, section.span), *(delete_key(conf, entry) for entry in section.entries)]


def delete_lines(text: str, span: Span) -> Edit:
    """Remove the whole lines of a span with their newlines; a file without a final newline is left without."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    if end >= 0:
        return Edit(start, end + 1, "")
    if text.endswith("\n"):  # which is part of the line, after a backslash
        return Edit(start, len(text), "")
    before = text[:start].removesuffix("\n").removesuffix("\r")
    return Edit(len(before), len(text), "")


def repeat_key(conf: CloudConf, entry: Variable, values: Iterable[str]) -> Edit:
    """Add further lines of a key below it, one per value, in the style of the first."""
    text = conf.text
    quoted = _is_quoted(text[entry.value_start : entry.value_end])
    lines = [entry.key + _equals(conf, entry) + spell(value, quoted=quoted) for value in values]
    return _below(text, entry.key_start, max(entry.end, entry.key_end), lines)


def add_key(
    conf: CloudConf, section: str, key: str, value: str, *, subsection: str | None = None, after: Variable | None = None
) -> Edit | None:
    """Insert a key below another one, or below the section's last; a missing section is added at the end of the file.

    Returns:
        The insertion; None where rendering may add keys to the section.
    """
    if conf.may_hide_keys(section):
        return None
    name = fold(section)
    sections = [one for one in conf.sections if fold(one.name) == name and one.subsection == subsection]
    entries = [entry for one in sections for entry in one.entries]
    last = entries[-1] if entries else None
    near = after if after is not None and _carries(conf, after) else last
    written = [entry for entry in entries if entry.value] or [
        entry for one in conf.sections for entry in one.entries if entry.value
    ]
    quoted = bool(written) and all(_is_quoted(conf.text[entry.value_start : entry.value_end]) for entry in written)
    line = key + _equals(conf, near) + spell(value, quoted=quoted)
    if near is not None:
        return _below(conf.text, near.key_start, max(near.end, near.key_end), [line])
    if sections:
        return _below(conf.text, sections[-1].span.start, sections[-1].end, [line])
    header = f"[{section}]" if subsection is None else f'[{section} "{subsection}"]'
    newline = _newline(conf.text)
    gap = "" if not conf.text else newline if conf.text.endswith("\n") else newline * 2
    end = newline if not conf.text or conf.text.endswith("\n") else ""
    return Edit(len(conf.text), len(conf.text), f"{gap}{header}{newline}{line}{end}")


def _carries(conf: CloudConf, entry: Variable) -> bool:
    """Whether a line can follow an entry in the file: none can where a single setting makes it."""
    end = max(entry.end, entry.key_end)
    try:
        conf.carried.stack.put([_below(conf.text, entry.key_start, end, [conf.text[entry.key_start : end]])])
    except CannotEdit:
        return False
    return True


def neighbour(conf: CloudConf, section: str, key: str, subsection: str | None = None) -> Variable | None:
    """The entry after which a new key belongs, by the catalogue's order of the keys of a section."""
    spec = conf.schema.section(section)
    if spec is None:
        return None
    order = {fold(known.name): place for place, known in enumerate(spec.keys)}
    place = order.get(fold(key), 0)
    before = [
        (order[fold(entry.key)], entry)
        for one in conf.sections_named(section)
        if one.subsection == subsection
        for entry in one.entries
        if order.get(fold(entry.key), place) < place
    ]
    return max(before, key=lambda pair: (pair[0], pair[1].key_start))[1] if before else None


def _below(text: str, start: int, end: int, lines: list[str]) -> Edit:
    """Insert lines below the one that contains ``[start, end)``, with its indentation."""
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    if indent.strip(" \t"):
        indent = ""
    newline = _newline(text)
    stop = text.find("\n", end)
    if stop < 0:
        last = newline if text.endswith("\n") else ""  # a backslash at the end of the file joins nothing
        return Edit(len(text), len(text), "".join(newline + indent + line for line in lines) + last)
    return Edit(stop + 1, stop + 1, "".join(indent + line + newline for line in lines))


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _equals(conf: CloudConf, near: Variable | None) -> str:
    """The ``=`` with its spaces, as in the line of a key, or else of the file's first key with a value."""
    for entry in islice(_candidates(conf, near), _NEIGHBOURS):
        if entry.value:
            between = conf.text[entry.key_end : entry.value_start]
            if _EQUALS.fullmatch(between):
                return between
    return " = "


def _candidates(conf: CloudConf, near: Variable | None) -> Iterator[Variable]:
    if near is not None:
        yield near
        section = conf.section_at(near.key_start)
        if section is not None:
            yield from section.entries
    for section in conf.sections:
        yield from section.entries


def _is_quoted(raw: str) -> bool:
    return len(raw) > 1 and raw[0] == raw[-1] == '"'
