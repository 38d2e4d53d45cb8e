"""A region: the Services of which a rule reports the same, as a CEL expression with one of them as an example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ccmcheck.base.records import NamedTuple

ANNOTATIONS, SPEC = "$annotations", "$spec"
"""In an expression: the annotations and the spec of the Service, the new one's or the old one's."""


class Region(NamedTuple):
    """Services of which a rule reports the same.

    Attributes:
        rule: The rule's name.
        when: The expression that holds for them.
        annotations: Annotations of the example.
        spec: Fields of the example's spec.
        name: The annotation that it is about, which the expression calls ``n``, and the message by its name; empty for
            none. Regions that differ in it alone become one expression.
        holes: Words of the example that the rule's label has, with the expression that takes their place.
        names: In the place of one name, an expression for a list of names, each of which is called ``n``.
        until: Where the rule's label ends; what follows depends on more than the region says. Empty for its end.
    """

    rule: str
    when: str
    annotations: Mapping[str, str] = {}
    spec: Mapping[str, Any] = {}
    name: str = ""
    holes: Mapping[str, str] = {}
    names: str = ""
    until: str = ""


def literal(text: str) -> str:
    """A text in CEL."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def literals(texts: Iterable[str]) -> str:
    """A list of texts in CEL."""
    return f"[{', '.join(map(literal, sorted(set(texts))))}]"


HAS = f"n in {ANNOTATIONS}"
"""The Service has the annotation that the region is about."""
VALUE = f"{ANNOTATIONS}[n]"
"""Its value."""
IS_SET = f"{ANNOTATIONS}[?n].orValue('') != ''"
"""The Service has it, and it is not empty."""


def has(name: str) -> str:
    """The Service has an annotation."""
    return f"{literal(name)} in {ANNOTATIONS}"


def value(name: str) -> str:
    """The value of an annotation that the Service has."""
    return f"{ANNOTATIONS}[{literal(name)}]"


def says(name: str, *texts: str) -> str:
    """The Service has an annotation with one of these values."""
    if len(texts) == 1:
        return f"{ANNOTATIONS}[?{literal(name)}].orValue('') == {literal(texts[0])}"
    return f"{ANNOTATIONS}[?{literal(name)}].orValue('') in {literals(texts)}"


def is_set(name: str) -> str:
    """The Service has an annotation that is not empty."""
    return f"{ANNOTATIONS}[?{literal(name)}].orValue('') != ''"


def matches(text: str, pattern: str, *, longest: int) -> str:
    """A text matches a pattern as a whole; longer texts do not, so that the cost is bounded."""
    return f"(size({text}) <= {longest} && {text}.matches({literal(f'^(?:{pattern})$')}))"


def both(*expressions: str) -> str:
    """All of them hold."""
    return " && ".join(f"({expression})" if " || " in expression else expression for expression in expressions)


def has_port(*protocols: str) -> str:
    """The Service has a port of one of these protocols."""
    return f"{SPEC}.ports.exists(p, p.protocol in {literals(protocols)})"


LOCAL = f"{SPEC}.?externalTrafficPolicy.orValue('Cluster') == 'Local'"
"""The Service's external traffic policy is Local."""
