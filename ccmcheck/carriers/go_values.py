r"""How Helm prints a value: Go's ``%v`` of what the YAML parser made of it, quoted by Sprig's ``quote``.

Helm reads values through sigs.k8s.io/yaml, that is through JSON, so that every number is a float64: ``1000000`` is
printed as ``1e+06``. Checked against ``helm template`` v3.18.4.
"""

from __future__ import annotations

from ccmcheck.base.go_unicode import is_printable
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, kubernetes_scalar

_EXPONENT_FROM = 6
_DEPTH = 20
_NOT_FINITE = {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}

_SHORT_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\",
    '"': '\\"',
}  # fmt: skip
_PLAIN = lazy_regex(r"[ !#-\[\]-~]*+\Z")


def printed(node: YamlNode, depth: int = 0) -> str | None:
    """What ``%v`` prints for a value.

    Args:
        node: The value.
        depth: How many lists and maps lie around it.

    Returns:
        The text; None for null, for which ``quote`` prints nothing at all.
    """
    if isinstance(node, Scalar):
        value = kubernetes_scalar(node)
        return value if isinstance(value, str) else printed_scalar(value)
    if depth > _DEPTH:
        return "..."
    if isinstance(node, Sequence):
        return f"[{' '.join(_inside(item, depth) for item in node.items)}]"
    if isinstance(node, Mapping):
        pairs = sorted((key.value, value) for key, value in node.items)
        return f"map[{' '.join(f'{key}:{_inside(value, depth)}' for key, value in pairs)}]"
    return ""


def _inside(node: YamlNode, depth: int) -> str:
    text = printed(node, depth + 1)
    return "<nil>" if text is None else text


def printed_scalar(value: float | bool | None) -> str | None:
    """What ``%v`` prints for a number, a boolean or null."""
    if value is None:
        return None
    if value is True or value is False:
        return "true" if value else "false"
    return _float(float(value))


def quoted(text: str) -> str:
    """What ``%q`` prints for a text (Go, strconv.Quote)."""
    if _PLAIN.match(text):
        return f'"{text}"'
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if is_printable(char):
        return char
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _float(value: float) -> str:
    """Go's shortest form of a float64, with an exponent from a million on (strconv.FormatFloat, ``'g'``, -1)."""
    if repr(value) in _NOT_FINITE:
        return _NOT_FINITE[repr(value)]
    sign = "-" if repr(value).startswith("-") else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    power = point - 1 if digits != "0" else 0
    if power < -4 or power >= _EXPONENT_FROM:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}" if digits != "0" else f"{sign}0"
    if len(digits) <= point:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    return f"{sign}{digits[:point]}.{digits[point:]}"
