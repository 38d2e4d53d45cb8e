"""The rules about single annotations as regions: unknown names, values that cannot be read, values that do not work."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import catalog
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
from ccmcheck.render.admission.region import ANNOTATIONS, HAS, IS_SET, VALUE, Region, both, literal, literals, matches

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
