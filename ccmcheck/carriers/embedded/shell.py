"""Shell scripts: heredocs, quoted strings of several lines, and variables whose value is a cloud.conf in base64."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.chart_settings import in_shell
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.embedded.shell_lexer import ShellText, shell_texts
from ccmcheck.catalog.signs.forms import is_quoted_conf, worth_decoding
from ccmcheck.catalog.signs.paths import is_named_cloud_conf
from ccmcheck.layers.base import Layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unindented import leading_tabs, unindented

IN_HEREDOC = "$`"
IN_QUOTES = '$`"'
"""What a backslash escapes there."""

_PATH = r"(?P<path>\"[^\"\n]++\"|'[^'\n]++'|[^\s\"'<>|;&()]++)"
_TEE = lazy_regex(r"\btee[ \t]++(?P<append>-a[ \t]++|--append[ \t]++)?" + _PATH)
_REDIRECT = lazy_regex(r"(?<![<>&])(?P<append>>)?>\|?[ \t]*+" + _PATH)
_FILE = lazy_regex(r"\b(?:COPY|ADD)\b[^\n]*?(?P<path>[^\s<>]++)[ \t]*+\Z")
"""A Dockerfile's ``COPY <<EOF /etc/kubernetes/cloud.conf``."""

_KEY = lazy_regex(r"(?P<key>[\w./-]++)=\Z")
_LONGEST_KEY = 200
_LONGEST_LINE = 1_000
_ASSIGNMENT = lazy_regex(
    r"^[ \t]*+(?:export[ \t]++)?(?P<name>[A-Za-z_]\w*+)=(?P<quote>[\"']?)(?P<value>[A-Za-z0-9+/]{24,}+={0,2})(?P=quote)"
    r"[ \t\r]*+(?:#[^\n]*+)?$",
    re.MULTILINE,
)


_HEREDOCS = ("<<", "<<-")
_SUBSTITUTES = "envsubst"
"""A script with this command may replace the variables of what the shell leaves as it is."""


def find_in_part(text: str, written: str) -> Iterator[EmbeddedText]:
    """Find the heredocs of a text that may be a script, and what between quotes begins like a cloud.conf.

    Args:
        text: The script, or the part of one that a scalar or a document's block holds.
        written: The same text with its template marks as written.

    Yields:
        Each that is closed.
    """
    found_shell_texts = [one for one in shell_texts(text) if one.kind in _HEREDOCS or is_quoted_conf(text, one.start)]
    extended = _extended_files(written) if found_shell_texts else frozenset()
    for shell_text in found_shell_texts:
        yield (_heredoc if shell_text.kind in _HEREDOCS else _string)(text, written, shell_text, extended)


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the texts of a script that is a file of its own.

    Args:
        text: The script.

    Yields:
        Each text, in the order of their ends.
    """
    extended = _extended_files(text)
    for shell_text in shell_texts(text):
        yield (_heredoc if shell_text.kind in _HEREDOCS else _string)(text, text, shell_text, extended)
    yield from _encoded_variables(text)
    yield from in_shell(text)


def _heredoc(text: str, written: str, heredoc: ShellText, extended: frozenset[str]) -> EmbeddedText:
    layer: Layer
    if heredoc.kind == "<<-":
        layer = unindented(text, heredoc.span, "heredoc", leading_tabs)
    else:
        layer = Slice(text, heredoc.span, "heredoc")
    path, appends = _target(_line_around(written, heredoc))
    return EmbeddedText(
        layer,
        f"heredoc {path}".rstrip(),
        shell=IN_HEREDOC if heredoc.expands else "",
        literal=not heredoc.expands and _SUBSTITUTES not in written,
        named=is_named_cloud_conf(path),
        partial=appends or path in extended,
    )


def _string(text: str, written: str, string: ShellText, extended: frozenset[str]) -> EmbeddedText:
    line = _line_around(written, string)
    path, appends = _target(line)
    before = written[max(string.start - _LONGEST_KEY, 0) : string.start]
    key = _KEY.search(before)
    name = key["key"] if key else path
    joined = text[string.end : string.end + 1].strip(" \t\r\n;|&)")
    return EmbeddedText(
        Slice(text, string.span, "quoted text"),
        f"quoted text {name}".rstrip(),
        shell=IN_QUOTES if string.expands else "",
        literal=not string.expands and _SUBSTITUTES not in written,
        named=is_named_cloud_conf(name),
        partial=appends or path in extended or bool(joined),
    )


def _encoded_variables(text: str) -> Iterator[EmbeddedText]:
    if "=" not in text:
        return
    for match in _ASSIGNMENT.finditer(text):
        if worth_decoding(match["value"]):
            layer = Slice(text, Span(*match.span("value")), "variable")
            yield EmbeddedText(layer, match["name"], encoding="base64")


def _line_around(text: str, shell_text: ShellText) -> str:
    """The command of a text, as far as it is on the text's own lines, without the text itself."""
    before = text[max(shell_text.start - _LONGEST_LINE, 0) : shell_text.start].rpartition("\n")[2]
    after = text[shell_text.end : shell_text.end + _LONGEST_LINE].partition("\n")[0]
    return f"{before} {after}"


def _target(line: str) -> tuple[str, bool]:
    """The file that a command writes, empty where it does not say; and whether it appends to it."""
    for pattern in (_TEE, _REDIRECT):
        match = pattern.search(line)
        if match is not None:
            return match["path"].strip("\"'"), match["append"] is not None
    match = _FILE.search(line.rstrip())
    return (match["path"].strip("\"'"), False) if match else ("", False)


def _extended_files(text: str) -> frozenset[str]:
    """The files that a script appends to."""
    if ">>" not in text and "tee" not in text:
        return frozenset()
    return frozenset(
        match["path"].strip("\"'")
        for pattern in (_TEE, _REDIRECT)
        for match in pattern.finditer(text)
        if match["append"] is not None
    )
