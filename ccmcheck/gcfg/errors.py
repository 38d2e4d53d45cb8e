"""The error texts of gcfg and the Go functions it calls, and the stable names of the reasons.

The texts are what an operator finds in the CCM's log, so they are reproduced exactly; the names are ours, and
each is one class of errors so that exactly one rule can explain it.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

_ROWS = read_table(__file__, "stop_kinds.tsv")
SYNTAX_KINDS = tuple([name for of, name, _ in _ROWS if of == "text"])
"""Reasons found in the text alone."""

VALUE_KINDS = tuple([name for of, name, _ in _ROWS if of == "value"])
"""Reasons that depend on the type a release gives a key."""

STOP_KINDS = SYNTAX_KINDS + VALUE_KINDS
"""Every `ccmcheck.base.model.Stop.kind`."""

# strconv.Quote's own short escapes
_SHORT = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\"}
_DEL = "\x7f"
_BOM = "\ufeff"


def quote(text: str, mark: str = '"') -> str:
    """What Go's ``%q`` prints (``strconv.Quote``).

    Args:
        text: Any text.
        mark: The quotation mark that is escaped and put around it.

    Returns:
        The text in quotes, with everything unprintable escaped.
    """
    if text.isascii() and text.isprintable() and "\\" not in text and mark not in text:
        return mark + text + mark
    return mark + "".join([_quoted(char, mark) for char in text]) + mark


def _quoted(char: str, mark: str) -> str:
    if char == mark:
        return "\\" + char
    from ccmcheck.base.go_unicode import is_printable

    short = _SHORT.get(char)
    if short:
        return short
    if is_printable(char):
        return char
    code = ord(char)
    if code < 0x20 or char == _DEL:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def backquote(text: str) -> str:
    """What Go's ``%#q`` prints: in back quotes where that can be, else as `quote`."""
    for char in text:
        if char in ("`", _BOM, _DEL) or (char < " " and char != "\t") or "\ud800" <= char <= "\udfff":
            return quote(text)
    return f"`{text}`"


def quote_duration(text: str) -> str:
    r"""How Go's ``time`` package quotes: every byte that is not plain ASCII becomes ``\xNN``."""
    if text.isascii() and text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    parts = []
    for char in text:
        if char in ('"', "\\"):
            parts.append("\\" + char)
        elif " " <= char <= _DEL:
            parts.append(char)
        else:
            parts.append("".join([f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass")]))
    return '"' + "".join(parts) + '"'


def illegal(char: str) -> str:
    """What the scanner says about a character that starts no token (Go's ``%#U``)."""
    from ccmcheck.base.go_unicode import is_printable

    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:  # Go decodes what is not UTF-8 to U+FFFD
        return "illegal character U+FFFD '\N{REPLACEMENT CHARACTER}'"
    return f"illegal character U+{code:04X}" + (f" '{char}'" if is_printable(char) else "")
