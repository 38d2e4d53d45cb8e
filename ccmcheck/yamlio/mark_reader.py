"""Finds template marks: each language's delimiters, quotes and escapes, in time linear in the text."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.yamlio.mark import TemplateMark

_BRACE = r"\{(?:[{%#]|(?<=[$%]\{))"
_OPEN = lazy_regex(_BRACE)  # begins with one character, which the regex engine looks for fast
_OPEN_ERB = lazy_regex(_BRACE + "|<%")

_DOLLAR = lazy_regex(
    r"\$\{(?:(?P<name>[A-Za-z_][\w.]*+)"
    r"(?:(?P<operator>:?[=\-?+])(?P<word>[^{}$\n]*+(?:(?:\$\{[^{}\n]*+\}|\$(?!\{))[^{}$\n]*+)*+)|[/#%^,@:][^{}\n]*+)?+\}"
    r"|[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+)*+\})"
)
_PERCENT = lazy_regex(r"%\{~?\s*+(?:if|else|endif|for|endfor)\b[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+)*+\}")
"""Terraform's directives; other texts behind ``%{``, such as a password's, are none."""
_BRACES = lazy_regex(
    r"\{\{(?:[-~]?\s?/\*(?:[^*]|\*(?!/))*+\*/\s?[-~]?"
    r"""|(?:[^}"'`\\]++|\\.|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`[^`]*+`|["'`\\]|\}(?!\}))*+)\}\}"""
)
_CONTROL = lazy_regex(
    r"\{\{[-~]?\s*+(?:(?:if|else|end|range|with|define|template|block|break|continue)\b|\$\w*+\s*+:?=|(?P<comment>/\*))"
)
_BRACES_NAME = lazy_regex(r"\{\{[-~]?\s*+([A-Za-z_.$][\w.\-]*+)\s*+[-~]?\}\}\Z")
_ERB_VALUE = lazy_regex(r"<%[-=]?=")
_CLOSERS = {"{%": "%}", "{#": "#}", "<%": "%>", "{{": "}}"}
_QUOTES = "quotes"
_NEXT = {"{%": lazy_regex(r"\{%|\{\{|%\}"), "<%": lazy_regex(r"<%|%>"), "{{": lazy_regex(r"\{\{|\}\}")}
"""A tag's end, or the next beginning, before which it has to end."""
_STATEMENT = {
    "{%": lazy_regex(
        r"\{%[-+]?[ \t]*+(?:if|elif|else|endif|for|endfor|set|endset|macro|endmacro|block|endblock|include)\b"
    ),
    "{{": lazy_regex(r"\{\{-?[ \t]*+(?:(?:if|else|end|range|with|define|template|include|block)\b|[.$])"),
    "%{": lazy_regex(r"%\{~?[ \t]*+(?:if|else|endif|for|endfor)\b"),
}
"""The beginnings that are tags even where they are not closed."""
_TO_LINE_END = lazy_regex(r"[^\r\n]*+")
_RUN = lazy_regex(r"\{++")


def read(text: str, *, erb: bool) -> list[TemplateMark]:
    """Find the marks; see `marks.find`.

    Args:
        text: Any text.
        erb: Whether the text contains ``<%``.

    Returns:
        The marks in the order of the text.
    """
    opening = _OPEN_ERB if erb else _OPEN
    marks: list[TemplateMark] = []
    unclosed: set[str] = set()
    position = 0
    while match := opening.search(text, position):
        sign = match[0]
        start = match.start()
        before = text[start - 1] if start > position and sign[0] == "{" else ""
        if before == "$" and sign != "{{":
            mark = _dollar(text, start - 1, position)
        elif before == "%" and sign != "{{":
            mark = _percent(text, start - 1, position)
        elif sign == "{":
            mark = None
        else:
            mark = _bracketed(text, start, sign, unclosed)
            if mark and before == "$":  # ``${{ … }}`` of GitHub's workflows
                mark = mark._replace(span=Span(start - 1, mark.span.end))
        if mark is None:
            run = _RUN.match(text, start)
            position = max(run.end() - 1 if run else 0, start + 1)
        else:
            marks.append(mark)
            position = mark.span.end
    return marks


def _dollar(text: str, start: int, floor: int) -> TemplateMark | None:
    """Read ``${…}``; after another ``$`` it is escaped."""
    match = _DOLLAR.match(text, start)
    if match is None:
        return None
    if start > floor and text[start - 1] == "$":
        return TemplateMark(Span(start - 1, match.end()), "escape")
    default = match["word"] if match["operator"] in ("=", ":=", "-", ":-") else None
    return TemplateMark(Span(start, match.end()), "variable", match["name"] or "", default)


def _percent(text: str, start: int, floor: int) -> TemplateMark | None:
    """Read Terraform's ``%{ if … }``; ``%%{`` is escaped."""
    if start > floor and text[start - 1] == "%":
        return None
    match = _PERCENT.match(text, start)
    return _broken(text, start, "%{") if match is None else TemplateMark(Span(start, match.end()), "control")


def _broken(text: str, start: int, sign: str) -> TemplateMark | None:
    """A statement that is not closed, up to the end of its line; None where it may be any text."""
    statement = _STATEMENT.get(sign)
    if statement is None or statement.match(text, start) is None:
        return None
    line = _TO_LINE_END.match(text, start)
    return TemplateMark(Span(start, line.end() if line else start + 2), "broken")


def _is_open(text: str, start: int, sign: str) -> bool:
    """Whether another tag begins before a tag ends, on a later line or within a statement."""
    if sign not in _NEXT or text.startswith(("{{/*", "{{- /*", "<%#"), start):
        return False
    following = _NEXT[sign].search(text, start + 2)
    if following is None or following[0] == _CLOSERS[sign]:
        return False
    between = text[start : following.start()]
    if sign == "{{" and between.count("`") % 2:  # within a raw string, which may have lines and tags of its own
        return False
    return following[0] != sign or "\n" in between


def _bracketed(text: str, start: int, sign: str, unclosed: set[str]) -> TemplateMark | None:
    """Read a mark with a closing sign of its own.

    Args:
        text: The text.
        start: Where the mark starts.
        sign: Its opening sign.
        unclosed: The signs that are not closed from here on, so that they are not searched again.

    Returns:
        The mark, None where it is not closed.
    """
    if sign in unclosed:
        return _broken(text, start, sign)
    if _is_open(text, start, sign) and (broken := _broken(text, start, sign)) is not None:
        return broken
    if sign == "{{":
        match = _BRACES.match(text, start) if _QUOTES not in unclosed else None
        if match:
            return _braces(text, start, match.end())
        unclosed.add(_QUOTES)  # the closing sign is in quotes, or missing: from here on quotes do not count
    end = text.find(_CLOSERS[sign], start + 2)
    if end < 0:
        unclosed.add(sign)
        return _broken(text, start, sign)
    end += 2
    if sign == "{{":
        return _braces(text, start, end)
    span = Span(start, end)
    if sign == "{#" or text.startswith("<%#", start):
        return TemplateMark(span, "comment")
    return TemplateMark(span, "braces" if sign == "<%" and _ERB_VALUE.match(text, start) else "control")


def _braces(text: str, start: int, end: int) -> TemplateMark:
    span = Span(start, end)
    if control := _CONTROL.match(text, start, end):
        return TemplateMark(span, "comment" if control["comment"] else "control")
    name = _BRACES_NAME.match(text, start, end)
    return TemplateMark(span, "braces", name[1] if name else "")
