"""The value of a scalar as Kubernetes parses it.

Kubernetes reads YAML through sigs.k8s.io/yaml, whose goyaml.v2 (``resolve.go``) keeps YAML 1.1's words for booleans in
all cases of one letter, knows octal by a leading zero, has no sexagesimal numbers, and keeps timestamps as text.
"""

from __future__ import annotations

import math

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.yamlio.nodes import Scalar

_WORDS: dict[str, bool | float | None] = {
    **{word: True for base in ("y", "yes", "true", "on") for word in (base, base.capitalize(), base.upper())},
    **{word: False for base in ("n", "no", "false", "off") for word in (base, base.capitalize(), base.upper())},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_INTEGER = lazy_regex(
    r"([+-]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)|(?P<dec>0|[1-9][0-9]*))\Z"
)
_FLOAT = lazy_regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_LONGEST_INTEGER = 70  # characters; 64 binary digits and a prefix
_NUMBER_START = frozenset("+-.0123456789")
_RESOLVED_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "timestamp"))


def kubernetes_scalar(node: Scalar) -> str | int | float | bool | None:
    """Read a scalar as Kubernetes does before it knows the field's type.

    Returns:
        The text itself where it is quoted or a block, has a tag of its own, or is a string; otherwise the
        number, the boolean or None.
    """
    tag = node.tag
    if tag:
        return resolve(node.value) if tag in _RESOLVED_TAGS else node.value
    if node.style != "plain" or node.document.text.startswith("!", node.start):
        return node.value
    return resolve(node.value)


def resolve(text: str) -> str | int | float | bool | None:
    """Read a plain scalar's text as goyaml.v2 does.

    Args:
        text: Without quotes.

    Returns:
        The value; ``text`` itself where it is a string.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if text[0] == ".":
        return _float(text, text)
    bare = text.replace("_", "")
    if len(bare) <= _LONGEST_INTEGER and (match := _INTEGER.match(bare)):
        name = match.lastgroup or "dec"
        number = int(match[1] + match[name], _BASES[name])
        if -(2**63) <= number < 2**64:
            return number
    return _float(bare, text)


def _float(bare: str, text: str) -> float | str:
    """Read a number with a fraction or an exponent; one that is too large for a float64 is text to Go."""
    if not _FLOAT.match(bare):
        return text
    number = float(bare)
    return text if math.isinf(number) else number
