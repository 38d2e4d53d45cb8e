"""One text as a YAML scalar that every reader takes for exactly that text.

Kubernetes reads YAML 1.1 through goyaml.v2, kustomize and Helm through its successors, people's tools by YAML 1.1 or
1.2: a style is chosen here only where all of them agree on what it says.
"""

from __future__ import annotations

import re

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex

_WORD = lazy_regex(r"[A-Za-z/][A-Za-z0-9_./-]*+")
"""Letters first, so that it is no number, date or indicator in any version of YAML."""
_MEANINGS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
"""Words that some reader takes for a boolean, for nothing or for a number, in any case of letters."""

# No line may end with a blank or begin with a tab, nor the first with any blank, so that neither a reader's indentation
# nor an editor's tidying changes it; what is not printable in YAML, or may count as the end of a line, is escaped.
_LINE = r"[\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]++(?<![ \t])"
_BLOCK = lazy_regex(rf"(?![ \t]){_LINE}(?:\n++(?!\t){_LINE})*+\n?+")

_SPECIAL = lazy_regex(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_SURROGATE = lazy_regex("[\ud800-\udfff]")


def yaml_string(text: str, indent: int = 0) -> str:
    """Write a text after ``key:`` and a blank.

    Args:
        text: What a reader shall get.
        indent: Blanks before each line of a text of several lines; 0 to write everything on one line.

    Returns:
        The bare text where it is plainly a word, a literal block where it has several ordinary lines, else the text in
        double quotes; without a newline at its end.

    Raises:
        WrongUse: It holds bytes that are not UTF-8, which no YAML can hold.
    """
    if _SURROGATE.search(text):
        raise WrongUse("a value holds bytes that are not UTF-8, which YAML cannot hold")
    if _WORD.fullmatch(text) and text.lower() not in _MEANINGS:
        return text
    if indent and "\n" in text and _BLOCK.fullmatch(text):
        body = text.removesuffix("\n")
        blanks = " " * indent
        lines = [blanks + line if line else "" for line in body.split("\n")]
        return "\n".join(["|" if body != text else "|-", *lines])
    return f'"{_SPECIAL.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
