"""The rules about single annotations as regions: unknown names, values that cannot be read, values that do not work.

A region: the Services of which a rule reports the same, as a CEL expression with one of them as an example.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ccmcheck import catalog
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog import Release
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST
from ccmcheck.catalog.data.octavia import ALGORITHMS
from ccmcheck.catalog.data_types import Annotation
from ccmcheck.catalog.service_annotations import (
    BOOLEANS,
    PREFIX,
    WRITTEN_BY_CCM,
    all_annotations,
    is_known,
    proxy_protocols,
)

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


UNKNOWN, RULE, UNIT, OVN = "svc-annotation-unknown", "svc-annotation-value", "svc-timeout-unit", "svc-ovn-unsupported"
_METHOD = f"{PREFIX}lb-method"
_LONGEST_NUMBER = 500
_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_LONGEST_NAME = 253
_SECONDS = 137
"""A number of milliseconds that stands for any other below a timeout's least useful one; no label has it by chance."""


def regions(release: Release) -> Iterator[Region]:
    """The regions at one release of the CCM."""
    yield from _unknown(release)
    for annotation in all_annotations():
        if is_known(annotation.name, release):
            yield from _unreadable(annotation, release)
            if annotation.type == "int":
                yield from _out_of_range(annotation.name)
    yield from _words(release)


def _unknown(release: Release) -> Iterator[Region]:
    """Unknown names; never those that the CCM writes, which a newer one than the policy is made for could not write."""
    known = [annotation.name for annotation in all_annotations() if is_known(annotation.name, release)]
    later = [one.name for one in all_annotations() if one.name not in known and one.name not in WRITTEN_BY_CCM]
    named = {name for name in later if name.startswith(PREFIX)}
    keys = {f"{PREFIX}{key}" for key in catalog.key_names() if catalog.history("LoadBalancer", key) is not None}
    named |= keys - {*known, *WRITTEN_BY_CCM}
    for name in sorted(named):
        yield Region(UNKNOWN, HAS, {name: "x"}, name=name)
    others = literals({*known, *named, *WRITTEN_BY_CCM} - {name for name in known if not name.startswith(PREFIX)})
    yield Region(
        UNKNOWN,
        f"!(n in {others})",
        {f"{PREFIX}zzz-not-an-annotation": "x"},
        names=f"{ANNOTATIONS}.filter(n, n.startsWith({literal(PREFIX)}))",
    )
    if _METHOD in known:
        yield Region(UNKNOWN, HAS, {_METHOD: "ROUND_ROBIN"}, name=_METHOD)


def _unreadable(annotation: Annotation, release: Release) -> Iterator[Region]:
    name = annotation.name
    if annotation.type in ("bool", "enum"):
        words = BOOLEANS if annotation.type == "bool" else proxy_protocols(release)
        yield Region(RULE, both(HAS, f"!({VALUE} in {literals(words)})"), {name: "x"}, name=name)
    elif annotation.type == "int":
        yield Region(RULE, both(HAS, f"{VALUE} == ''"), {name: ""}, name=name)
        wrong = f"{VALUE} != '' && size({VALUE}) <= {_LONGEST_NUMBER} && !{integer(VALUE)}"
        yield Region(RULE, both(HAS, wrong), {name: "x"}, name=name)


def integer(text: str) -> str:
    """A text is an integer of 64 bits as Go reads it, which CEL's `int` reads the same way."""
    short = matches(text, "[+-]?0*[0-9]{1,18}", longest=_LONGEST_NUMBER)
    long = matches(text, "[+-]?0*[1-9][0-9]{18}", longest=_LONGEST_NUMBER)
    most = f"({text}.startsWith('-') ? '{1 << 63}' : '{(1 << 63) - 1}')"
    return f"({short} || ({long} && {text}.substring(size({text}) - 19) <= {most}))"


def _out_of_range(name: str) -> Iterator[Region]:
    short = name.removeprefix(PREFIX)
    least, most = RANGES[short]
    number = f"int({VALUE})"

    def among(when: str, example: int, rule: str = RULE, holes: dict[str, str] | None = None) -> Region:
        return Region(rule, both(HAS, integer(VALUE), when), {name: str(example)}, name=name, holes=holes or {})

    rule = UNIT if short in SHORTEST else RULE
    yield among(f"{number} < {least} && {number} != 0", -5, rule, {"-5": f"string({number})"})
    if most is not None:
        yield among(f"{number} > {most}", most + 1, rule, {f"{most + 1}": f"string({number})"})
    if short in SHORTEST:
        shortest = SHORTEST[short]
        example = min(_SECONDS, shortest - 1)
        when = f"{number} > 0 && {number} < {shortest}"
        yield among(when, example, rule, {f"{example} ms": f"string({number}) + ' ms'"})
    elif least > 0:
        yield among(f"{number} == 0", 0)


def _words(release: Release) -> Iterator[Region]:
    """Annotations whose values are words."""
    if is_known(_METHOD, release):
        allowed = allowed_values("LoadBalancer", "lb-method", release)
        words = {*ALGORITHMS, *(allowed.words if allowed is not None else ())}
        for word in sorted(words):
            for rule in (RULE, OVN):
                yield Region(rule, both(HAS, f"{VALUE} == {literal(word)}"), {_METHOD: word}, name=_METHOD)
        other = both(IS_SET, f"!({VALUE} in {literals(frozenset(words))})")
        yield Region(RULE, other, {_METHOD: "ZZZ"}, name=_METHOD, holes={"ZZZ": VALUE})
    for annotation in all_annotations():
        name = annotation.name
        if not is_known(name, release) or not name.startswith(PREFIX):
            continue
        if name.endswith("-id") and name not in WRITTEN_BY_CCM:
            wrong = f"!{matches(VALUE, UUID_LIKE.pattern, longest=60)}"
            yield Region(RULE, both(IS_SET, wrong), {name: "public"}, name=name)
        elif name == f"{PREFIX}hostname":
            right = matches(VALUE, rf"{_LABEL}(?:\.{_LABEL})*", longest=2 * _LONGEST_NAME)
            numbers = f"{VALUE}.matches({literal(r'[.][0-9]+$')})"
            wrong = f"size({VALUE}) <= {2 * _LONGEST_NAME} && (!{right} || {numbers})"
            yield Region(RULE, both(IS_SET, wrong), {name: "web_1"}, name=name)
