"""Writes YAML that Kubernetes reads back exactly: ``yes``, ``0x10``, ``1e3`` stay texts, a last blank stays."""

from __future__ import annotations

import sys

from ccmcheck.base.errors import InternalError
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.fix.patch.objects import Plain, canonical, read_plain
from ccmcheck.yamlio import resolve

_WORD = lazy_regex(r"[A-Za-z/][A-Za-z0-9_./-]*+(?: [A-Za-z0-9_./-]++)*+\Z")
"""What no YAML reader takes for anything but a text, unless it is one of the words for booleans and null."""
_NOT_IN_BLOCK = lazy_regex(
    r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]| \n|\A[ \n]"
)
"""What a literal block cannot hold, or would show badly: tabs and other controls, blanks at the end of a line."""


def write(data: Plain) -> str:
    """Data as one YAML document in block style, with a newline at its end.

    Args:
        data: Texts of several lines become literal blocks; what is not plainly a word is quoted.

    Returns:
        The text; it was read back and is the same.
    """
    for careful in (False, True):
        text = _dump(_dressed(data, careful=careful))
        if canonical(read_plain(text)) == canonical(data):
            return text
    raise InternalError("a patch cannot be written as YAML", "Use --patch json.")


def _dump(data: object) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    yaml = YAML(typ="rt", pure=True)
    yaml.width = sys.maxsize
    yaml.indent(mapping=2, sequence=2, offset=0)
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def _dressed(data: Plain, *, careful: bool) -> object:
    """The same data, each text with the style that it is written in."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

    if isinstance(data, dict):
        return {_dressed(key, careful=careful): _dressed(value, careful=careful) for key, value in data.items()}
    if isinstance(data, list):
        return [_dressed(item, careful=careful) for item in data]
    if not isinstance(data, str):
        return data
    if not careful and "\n" in data and not _NOT_IN_BLOCK.search(data):
        return LiteralScalarString(data)
    if _WORD.match(data) and resolve(data) == data:
        return data
    return DoubleQuotedScalarString(data)
