"""Which subnet names ``floating-subnet`` matches: a glob, or a regular expression after ``~``; ``!`` turns it round.

Source: cloud-provider-openstack loadbalancer_subnet_match.go subnetNameMatcher (since 1.21),
gopkg.in/godo.v2/glob Globexp.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.predict.inputs.annotations import CcmCrash, CcmError
from ccmcheck.predict.requests.go_regexp import fault
from ccmcheck.predict.requests.notes import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

_ESCAPED = frozenset("\\$^+.()=!|")
_SHORT = 3
_NO_SLASH = "[^/]*"
_FOLDERS = r"(?:[.{}\w\-\ ]+\/)*"


def matcher(pattern: str) -> Callable[[str], bool]:
    """Tell the names that a pattern matches.

    Args:
        pattern: The pattern; empty for any name.

    Raises:
        CcmError: It is no regular expression.
        CcmCrash: It is no glob.
    """
    if not pattern:
        return lambda name: True  # noqa: ARG005 - any
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    if pattern.startswith("~"):
        expression = pattern[1:]
        if why := fault(expression):
            reason = _without_parts(why, expression)
            raise CcmError(f"invalid subnet regexp pattern {quoted(expression)}: error parsing regexp: {reason}")
    else:
        expression = glob_expression(pattern)
        if why := fault(expression):
            raise CcmCrash(f"regexp: Compile(…): error parsing regexp: {why.partition(': ')[0]}: …")
    try:
        compiled = re.compile(expression)
    except (re.error, OverflowError):
        return lambda name: True  # noqa: ARG005 - in a notation that only Go has

    def matches(name: str) -> bool:
        found = compiled.search(name)
        return ((found[0] if found is not None else "") == name) != negated

    return matches


def _without_parts(why: str, expression: str) -> str:
    """A reason without a long part of the pattern: a secret that was written there is masked only as a whole."""
    kind, _, part = why.partition(": ")
    text = part.strip("`")
    return why if len(text) <= _SHORT or text == expression else f"{kind}: …"


def glob_expression(pattern: str) -> str:
    """The regular expression that stands for a glob.

    Args:
        pattern: The glob; ``{a,b}`` is a choice, and what is in ``[]`` is left as it is.
    """
    parts = ["^"]
    at, in_group = 0, False
    while at < len(pattern):
        char, length = pattern[at], 1
        rest = pattern[at:]
        if char in _ESCAPED:
            parts.append(f"\\{char}")
        elif char == "/":
            parts.append("/")
            if rest.startswith("/**/"):
                parts.append(_FOLDERS)
                length = 4
            elif rest == "/**":
                parts.append(".*")
                length = 3
        elif char == "?":
            parts.append(".")
        elif char == "{" and rest.startswith("{{"):
            parts.append("\\{")
            length = 2
        elif char == "{":
            in_group = True
            parts.append("(")
        elif char == "}":
            parts.append(")" if in_group else "}")
            in_group = False
        elif char == ",":
            parts.append("|" if in_group else "\\,")
        elif char == "*" and rest.startswith("**/"):
            parts.append(_FOLDERS)
            length = 3
        elif char == "*":
            parts.append(_NO_SLASH)
        else:
            parts.append(char)
        at += length
    return "".join((*parts, "$"))
