"""How gcfg parses a value, by the type of the Go field it is stored in.

Each function returns the value and None, or None and gcfg's error text. The texts are those of gcfg v1.2.3
(``types/``), and of Go's ``fmt.Sscanf``, ``strconv`` and ``time.ParseDuration``.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.errors import backquote, quote, quote_duration

BLANK = "blank value not supported for type"
"""The error of a bare key for every type but bool and list."""

_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_WORD = lazy_regex(f"[^{_SPACE}]*+")
# before a word, fmt skips spaces but not line ends
_GAP = lazy_regex(f"[{_SPACE.replace(chr(10), '')}]*+")

_BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}

_DIGITS = lazy_regex("[0-9]*+")
_HEX_DIGITS = lazy_regex("[0-9a-fA-F_]*+")
_INT64 = 1 << 63
_UINT64 = 1 << 64

_UNITS = {
    "ns": 1, "us": 1_000, "\N{MICRO SIGN}s": 1_000, "\N{GREEK SMALL LETTER MU}s": 1_000, "ms": 1_000_000,
    "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
}  # fmt: skip
_DURATION = lazy_regex("([0-9]*+)(?:\\.([0-9]*+))?([^.0-9]*+)")
# after so many zeros a fraction adds nothing, whatever follows
_FRACTION_DIGITS = 450
_NS = 1_000_000_000

Outcome = tuple[None, str]
"""No value, and why."""


def parse_bool(text: str) -> tuple[bool, None] | Outcome:
    """Eight words in any case; no blanks around them."""
    value = _BOOLS.get(text)
    if value is None:
        text = "".join(["i" if char == "\u0130" else char.lower() for char in text])
        value = _BOOLS.get(text)
        if value is None:
            return None, f"failed to parse bool {backquote(text)}"
    return value, None


def parse_uint(text: str) -> tuple[int, None] | Outcome:
    """A Go ``uint`` of 64 bits: decimal or 0x, no sign."""
    return _integer(text, "uint")


def parse_int(text: str, name: str = "int") -> tuple[int, None] | Outcome:
    """A Go ``int`` of 64 bits: decimal or 0x, with a sign or without."""
    return _integer(text, name)


def _integer(text: str, name: str) -> tuple[int, None] | Outcome:
    text = text.strip(_SPACE)
    if text.isascii() and text.isdecimal() and len(text) < 19:
        return int(text), None
    outcome = _scan_integer(text, name)
    return outcome if outcome[1] is None else (None, f"failed to parse {quote(text)} as {name}: {outcome[1]}")


def _scan_integer(text: str, name: str) -> tuple[int, None] | Outcome:
    """``fmt.Sscanf(text, "%d%s")``, or ``%v%s`` where a 0x prefix asks for it."""
    signed = name != "uint"
    function = "ParseInt" if signed else "ParseUint"
    start = 1 if signed and text[:1] in ("+", "-") else 0
    if start == len(text):
        return None, "EOF"
    if text.startswith("0x", start) and text[:1] != "+":
        end = _HEX_DIGITS.match(text, start + 2).end()  # type: ignore[union-attr]  # matches the empty text too
        digits = text[start + 2 : end]
        token = text[:end]
        if digits.endswith("_") or "__" in digits or not digits:
            return None, f"strconv.{function}: parsing {quote(token)}: invalid syntax"
        digits = digits.replace("_", "")
        base = 16
    else:
        end = _DIGITS.match(text, start).end()  # type: ignore[union-attr]  # matches the empty text too
        digits = text[start:end]
        token = text[:end]
        if not digits:
            return None, "expected integer"
        base = 10
    digits = digits.lstrip("0")
    # a bound before int(), which refuses very long decimals
    value = int(digits or "0", base) if len(digits) <= 20 else _UINT64
    if text[0] == "-":
        value = -value
    if not (-_INT64 <= value < _INT64 if signed else value < _UINT64):
        return None, f"strconv.{function}: parsing {quote(token)}: value out of range"
    problem = _rest(text, end)
    return (value, None) if problem is None else (None, problem)


def _rest(text: str, start: int) -> str | None:
    """What ``%s`` after the first operand finds, which must be nothing."""
    start = _GAP.match(text, start).end()  # type: ignore[union-attr]  # matches the empty text too
    if start == len(text):
        return None
    if text[start] == "\n":
        return "unexpected newline"
    return f"extra characters {quote(_WORD.match(text, start).group())}"  # type: ignore[union-attr]


def parse_word(text: str, name: str) -> tuple[str, None] | Outcome:
    """A named Go string: one word, through ``fmt.Sscanf`` with ``%v``.

    Args:
        text: The value.
        name: The Go type's name, such as ``gophercloud.Availability``.

    Returns:
        The word and None, or None and the error.
    """
    start = _GAP.match(text).end()  # type: ignore[union-attr]  # matches the empty text too
    end = _WORD.match(text, start).end()  # type: ignore[union-attr]  # matches the empty text too
    if start == len(text):
        problem: str | None = "EOF"
    elif text[start] == "\n":
        problem = "unexpected newline"
    else:
        problem = _rest(text, end)
    if problem is not None:
        return None, f"failed to parse {quote(text)} as {name}: {problem}"
    return text[start:end], None


def refuse_map(text: str, name: str) -> Outcome:
    """A Go map: nothing can be stored in it.

    Args:
        text: The value.
        name: The Go type's name, such as ``map[string]*openstack.LBClass``.

    Returns:
        None and the error.
    """
    start = _GAP.match(text).end()  # type: ignore[union-attr]  # matches the empty text too
    problem = "unexpected newline" if text.startswith("\n", start) else f"can't scan type: *{name}"
    return None, f"failed to parse {quote(text)} as {name}: {problem}"


def parse_duration(text: str) -> tuple[int, None] | Outcome:
    """Go's ``time.ParseDuration``.

    Args:
        text: Such as ``1h30m``, ``5s`` or ``500ms``.

    Returns:
        Nanoseconds and None, or None and the error.
    """
    size = len(text)
    start = 1 if text[:1] in ("-", "+") else 0
    if size - start == 1 and text[start] == "0":
        return 0, None
    total = 0
    position = start
    while position < size or position == start:
        match = _DURATION.match(text, position)
        whole, fraction, unit = match.groups()  # type: ignore[union-attr]  # matches the empty text too
        significant = whole.lstrip("0")
        if (not whole and not fraction) or len(significant) > 19:
            return None, f"time: invalid duration {quote_duration(text)}"
        position = match.end()  # type: ignore[union-attr]
        value = int(significant or "0")
        if value > _INT64:
            return None, f"time: invalid duration {quote_duration(text)}"
        if not unit:
            return None, f"time: missing unit in duration {quote_duration(text)}"
        scale = _UNITS.get(unit)
        if scale is None:
            return None, f"time: unknown unit {quote_duration(unit)} in duration {quote_duration(text)}"
        total += value * scale + (_fraction(fraction, scale) if fraction else 0)
        if total > _INT64:
            return None, f"time: invalid duration {quote_duration(text)}"
    if text[0] == "-":
        return -total, None
    if total == _INT64:
        return None, f"time: invalid duration {quote_duration(text)}"
    return total, None


def _fraction(digits: str, unit: int) -> int:
    """Nanoseconds of a fraction, in the same floating-point steps as Go so that the last digit agrees."""
    value = 0
    scale = 1.0
    for digit in digits[:_FRACTION_DIGITS]:
        grown = value * 10 + int(digit)
        if grown > _INT64:
            break
        value = grown
        scale *= 10
    return int(float(value) * (float(unit) / scale))


def format_duration(nanoseconds: int) -> str:
    """Go's ``Duration.String``: ``1h1m0s``, ``1.5s``, ``500ms``.

    Returns:
        The shortest form with the unit Go chooses.
    """
    if nanoseconds < 0:
        return "-" + format_duration(-nanoseconds)
    if nanoseconds == 0:
        return "0s"
    if nanoseconds < _NS:
        for unit, size in (("ms", 1_000_000), ("\N{MICRO SIGN}s", 1_000), ("ns", 1)):
            if nanoseconds >= size:
                return _decimal(nanoseconds, size) + unit
    seconds = nanoseconds // _NS
    text = _decimal(nanoseconds % (60 * _NS), _NS) + "s"
    if seconds >= 60:
        text = f"{seconds // 60 % 60}m{text}"
    if seconds >= 3600:
        text = f"{seconds // 3600}h{text}"
    return text


def _decimal(amount: int, unit: int) -> str:
    whole, rest = divmod(amount, unit)
    return f"{whole}.{str(rest).zfill(len(str(unit)) - 1).rstrip('0')}" if rest else str(whole)


def whole_seconds(nanoseconds: int) -> int:
    """Seconds as the CCM sends them: the fraction is dropped, towards zero.

    Source: ``int(delay.Seconds())`` in cloud-provider-openstack pkg/openstack/loadbalancer.go, v1.36.
    """
    return -(-nanoseconds // _NS) if nanoseconds < 0 else nanoseconds // _NS
