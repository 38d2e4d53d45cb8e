"""Which subnet names ``floating-subnet`` matches: a glob, or a regular expression after ``~``; ``!`` turns it round.

Source: cloud-provider-openstack loadbalancer_subnet_match.go subnetNameMatcher (since 1.21),
gopkg.in/godo.v2/glob Globexp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.errors import quote as quoted
from ccmcheck.predict.inputs.annotations import CcmCrash, CcmError
from ccmcheck.predict.inputs.cloud_state import Subnet
from ccmcheck.predict.requests.go_regexp import fault

MOST_CHOICES = 2
"""Repetitions and groups with alternatives of a pattern: two are tried in some 3 million ways on the longest name."""


MOST_CHARACTERS = 255
"""Of a pattern that is tried; it stands for a name."""


LONGEST_NAME = 255
"""Characters of a subnet's name in Neutron."""


_TOKEN = lazy_regex(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\)(?:[*+?]|\{\d)?|[(|*+?]|\{(?=\d)", re.DOTALL)


_ESCAPED = frozenset("\\$^+.()=!|")


_SHORT = 3


_NO_SLASH = "[^/]*"


_FOLDERS = r"(?:[.{}\w\-\ ]+\/)*"


class NamePattern:
    """Tells the names that a pattern matches.

    Args:
        pattern: The pattern; empty for any name.

    Raises:
        CcmError: It is no regular expression.
        CcmCrash: It is no glob.
    """

    def __init__(self, pattern: str) -> None:
        self._negated = pattern.startswith("!")
        pattern = pattern.removeprefix("!")
        if pattern.startswith("~"):
            self._expression = pattern[1:]
            if why := fault(self._expression):
                reason = _without_parts(why, self._expression)
                raise CcmError(
                    f"invalid subnet regexp pattern {quoted(self._expression)}: error parsing regexp: {reason}"
                )
            self._is_quick = is_quick(self._expression)
        else:
            self._expression = glob_expression(pattern) if pattern else ""
            if why := fault(self._expression):
                raise CcmCrash(f"regexp: Compile(…): error parsing regexp: {why.partition(': ')[0]}: …")
            choices = pattern.replace("**", "*").count("*") + pattern.count("{")
            self._is_quick = len(pattern) <= MOST_CHARACTERS and choices <= MOST_CHOICES
        self._is_any = not pattern and not self._negated

    def first_of(self, subnets: Sequence[Subnet]) -> Subnet | Literal[False] | None:
        """The first of some subnets whose name it matches.

        Returns:
            None where there is none, and False where that is unknown: Go finds out in linear time, Python may not.
        """
        if self._is_any:
            return subnets[0] if subnets else None
        if not self._is_quick or any(len(subnet.name) > LONGEST_NAME for subnet in subnets):
            return False
        try:
            compiled = re.compile(self._expression)
        except (re.error, OverflowError, RecursionError):
            return False  # in a notation that only Go has
        for subnet in subnets:
            found = compiled.search(subnet.name)
            if ((found[0] if found is not None else "") == subnet.name) != self._negated:
                return subnet
        return None


def is_quick(expression: str) -> bool:
    """Whether Python's regular expressions find out soon whether a name matches: few ways lead to a match."""
    if len(expression) > MOST_CHARACTERS:
        return False
    choices, groups = 0, [False]
    for token in _TOKEN.finditer(expression):
        text = token[0]
        if text == "(":
            groups.append(False)
        elif text == "|":
            choices += len(groups) > 1 and not groups[-1]
            groups[-1] = True
        elif text[0] == ")":
            groups = groups[:-1] or [False]
            if len(text) > 1:
                return False
        elif text[0] in "*+?{":
            choices += 1
    return choices <= MOST_CHOICES


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
        if char in _ESCAPED:
            parts.append(f"\\{char}")
        elif char == "/":
            parts.append("/")
            if pattern.startswith("/**/", at):
                parts.append(_FOLDERS)
                length = 4
            elif pattern.endswith("/**") and at + _SHORT == len(pattern):
                parts.append(".*")
                length = 3
        elif char == "?":
            parts.append(".")
        elif char == "{" and pattern.startswith("{{", at):
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
        elif char == "*" and pattern.startswith("**/", at):
            parts.append(_FOLDERS)
            length = 3
        elif char == "*":
            parts.append(_NO_SLASH)
        else:
            parts.append(char)
        at += length
    return "".join((*parts, "$"))
