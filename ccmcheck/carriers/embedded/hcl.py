r"""Terraform and other HCL: heredocs (``<<EOT``, ``<<-EOT``), and strings with ``\n`` in them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded import hcl_maps
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.catalog.signs.paths import is_cloud_conf_key, is_named_cloud_conf
from ccmcheck.layers.quoted import double_quoted
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.unindented import common_blanks, unindented

_CODE = lazy_regex(
    r"[^\"#/<{}]++|(?P<heredoc><<(?P<flush>-?)(?P<word>[^\W\d][\w-]*+)\r?\n)|(?P<quote>\")|(?P<comment>(?:#|//)[^\n]*+)"
    r"|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|(?P<open>\{)|(?P<close>\})|[/<]"
)
_STRING = lazy_regex(r"(?:[^\"\\$%]++|\\.|[$%](?!\{)|(?:\$\$|%%)\{)*+(?:(?P<quote>\")|(?P<open>[$%]\{))", re.DOTALL)
_KEY = lazy_regex(
    r"(?:\"(?P<quoted>[^\"\n]{1,100})\"|(?P<name>[\w.-]{1,100}))[ \t]*+[=:][ \t]*+(?:\(|\[|\w{1,50}\(|[ \t])*+\Z"
)
_MAPS = ("cloudConfig", "openstack_cloud_", "openstackCloudProvider")
_LOOK_BACK = 300
_DEEPEST = 100


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the texts of a file in HCL.

    Args:
        text: The file.

    Yields:
        Each heredoc that is closed, each string of several lines, and the chart's values that maps set.
    """
    if any(sign in text for sign in _MAPS):
        yield from hcl_maps.find(text)
    ends: dict[str, list[int]] | None = None
    frames: list[tuple[str, int]] = []  # a string with its start, an interpolation in one, a block's braces
    position = 0
    while position < len(text) and len(frames) < _DEEPEST:
        if frames and frames[-1][0] == '"':
            match = _STRING.match(text, position)
            if match is None:
                return  # a string that is not closed
            position = match.end()
            if match["open"]:
                frames.append(("${", position))
                continue
            start = frames.pop()[1]
            if "\\n" in text[start:position] and "[" in text[start:position]:
                yield from _string(text, Span(start, position))
            continue
        match = _CODE.match(text, position)
        if match is None:
            return
        position = match.end()
        if match["quote"]:
            frames.append(('"', match.start()))
        elif match["open"]:
            frames.append(("{", position))
        elif match["close"] and frames:
            frames.pop()
        elif match["heredoc"]:
            ends = _stripped_lines(text) if ends is None else ends
            starts = ends.get(match["word"], [])
            index = bisect_left(starts, position)
            if index < len(starts):
                yield _heredoc(text, Span(position, starts[index]), match.start(), bool(match["flush"]))
                line_end = text.find("\n", starts[index])
                position = len(text) if line_end < 0 else line_end


def _heredoc(text: str, span: Span, start: int, flush: bool) -> EmbeddedText:
    key = _key_before(text, start)
    layer = unindented(text, span, "heredoc", common_blanks) if flush else Slice(text, span, "heredoc")
    return EmbeddedText(layer, f"heredoc {key}".rstrip(), named=_names_cloud_conf(key))


def _string(text: str, span: Span) -> Iterator[EmbeddedText]:
    layer = double_quoted(text, span)
    if layer is not None:
        key = _key_before(text, span.start)
        yield EmbeddedText(layer, f"string {key}".rstrip(), named=_names_cloud_conf(key))


def _key_before(text: str, position: int) -> str:
    """The name that a value is assigned to, in a block or in a map."""
    match = _KEY.search(text[max(position - _LOOK_BACK, 0) : position].rpartition("\n")[2])
    return (match["quoted"] or match["name"]) if match else ""


def _names_cloud_conf(key: str) -> bool:
    return is_cloud_conf_key(key) or is_named_cloud_conf(key)


def _stripped_lines(text: str) -> dict[str, list[int]]:
    """Where each short line starts, by what is on it without blanks around it."""
    lines: dict[str, list[int]] = {}
    start = 0
    for line in text.split("\n"):
        if len(line) < _LOOK_BACK:
            lines.setdefault(line.strip(), []).append(start)
        start += len(line) + 1
    return lines
