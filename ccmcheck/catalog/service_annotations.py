"""The annotations of a Service that the CCM knows, by release."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ccmcheck.base.data_files import read_paragraphs, read_table, records
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.annotation_values import UNITS
from ccmcheck.catalog.data_types import Annotation
from ccmcheck.catalog.releases import Release
from ccmcheck.catalog.stretches import holds
from ccmcheck.catalog.upgrade_path import tags

PREFIX = "loadbalancer.openstack.org/"
"""Of all annotations but one; any other name under it is ignored without a message."""

BALANCER_ID = f"{PREFIX}load-balancer-id"

BALANCER_ADDRESS = f"{PREFIX}load-balancer-address"
LB_METHOD = f"{PREFIX}lb-method"
FORWARDED = f"{PREFIX}x-forwarded-for"
TLS_REFERENCE = f"{PREFIX}default-tls-container-ref"

WRITTEN_BY_CCM = (BALANCER_ID, BALANCER_ADDRESS)
"""What the CCM writes to every Service (loadbalancer.go, updateServiceAnnotation)."""

INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
"""Kubernetes' own annotation for a Service without a floating IP."""

SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"
"""Kubernetes' own annotation, which the CCM reads where ``spec.loadBalancerSourceRanges`` is empty."""

FOREIGN_PREFIXES: dict[str, str] = dict(read_table(__file__, "data/foreign_annotations.tsv"))
"""How annotations for other implementations of load balancers begin, and whose they are, by their documentation."""

HAS_OWN_CCM = "OVHcloud"
"""Whose managed Kubernetes has a CCM of its own, which also reads annotations of ours (its guide to load balancers)."""


def owner_of(name: str) -> str:
    """Whose an annotation for another implementation of load balancers is; empty for any other annotation."""
    return next((owner for start, owner in FOREIGN_PREFIXES.items() if name.startswith(start)), "")


def meant_for(names: Iterable[str]) -> str:
    """Whose load balancers some annotations address; empty where they address none, or the CCM's too."""
    owners = [PREFIX if name.startswith(PREFIX) else owner_of(name) for name in names]
    if HAS_OWN_CCM in owners:
        return HAS_OWN_CCM
    return "" if PREFIX in owners else next(filter(None, owners), "")


@lru_cache(maxsize=1)
def all_annotations() -> tuple[Annotation, ...]:
    """Every annotation of every release."""
    return records(
        read_paragraphs(__file__, "data/annotations.txt"),
        Annotation,
        stretches=lambda texts: tuple([_pair(text, "..") for text in texts]),
        on_unparsable=lambda texts: tuple([_pair(text, " ") for text in texts]),
    )


def _pair(text: str, between: str) -> tuple[str, str]:
    first, _, second = text.partition(between)
    return first, second


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Annotation]:
    return {annotation.name: annotation for annotation in all_annotations()}


def annotation(name: str) -> Annotation | None:
    """Look up an annotation by its whole name, which is case-sensitive; None for one that no release knows."""
    return _by_name().get(name)


@lru_cache(maxsize=4096)
def is_known(name: str, release: Release) -> bool:
    """Whether a release of the CCM reads or writes an annotation."""
    found = annotation(name)
    return found is not None and holds(found.stretches, release)


@lru_cache(maxsize=4096)
def is_read(name: str, release: Release) -> bool:
    """Whether a release of the CCM reads an annotation, so that it has an effect.

    `is_known` is about the name: 1.32.0 declares lb-method, and no code of 1.32 and 1.33 reads it.
    """
    if name == BALANCER_ADDRESS or (name == LB_METHOD and not behaves("reads-method-annotation", release)):
        return False
    return is_known(name, release)


def first_release(found: Annotation, release: Release) -> str:
    """The first release after another one that reads or writes an annotation, by its tag; empty where none does.

    Args:
        found: The annotation.
        release: One that does not know it.
    """
    has_effect = is_read if found.name == LB_METHOD else is_known
    return next((tag.name for tag in tags() if tag[:3] > release[:3] and has_effect(found.name, tag)), "")


BOOLEANS = {"true": True, "false": False}
"""What a bool annotation may say; any other spelling is none."""

_INTEGER = lazy_regex(r"[+-]?[0-9]+", re.ASCII)
_INT64 = 1 << 63
_MOST_DIGITS = 19
_WORDS = {
    **dict.fromkeys(("yes", "on", "y", "t", "1", "enabled", "enable"), "true"),
    **dict.fromkeys(("no", "off", "n", "f", "0", "disabled", "disable"), "false"),
}


def integer(text: str) -> int | None:
    """An integer as ``strconv.Atoi`` reads it on 64 bits; None for its error. Leading zeros are fine, however many."""
    if not _INTEGER.fullmatch(text):
        return None
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > _MOST_DIGITS:
        return None
    value = -int(digits or "0") if text[0] == "-" else int(digits or "0")
    return value if -_INT64 <= value < _INT64 else None


def proxy_protocols(release: Release) -> dict[str, str]:
    """What ``proxy-protocol`` may say, with the pool's protocol that it asks for; empty for none."""
    found = {"true": "PROXY", "false": ""}
    return {**found, "v1": "PROXY", "v2": "PROXYV2"} if behaves("proxy-versions", release) else found


def is_valid(found: Annotation, text: str, release: Release) -> bool:
    """Whether a release can read an annotation's value.

    Args:
        found: The annotation.
        text: The value.
        release: The release.
    """
    if found.type == "bool":
        return text in BOOLEANS
    if found.type == "enum":
        return text in proxy_protocols(release)
    return found.type != "int" or integer(text) is not None


def intended_value(found: Annotation, text: str, release: Release) -> str | None:
    """What a value that cannot be read was meant to say.

    Args:
        found: The annotation.
        text: The value.
        release: The release.

    Returns:
        A value that can be read; None where several, or none, may be meant.
    """
    word = text.strip().strip("\"'").strip().lower()
    if found.type in ("bool", "enum"):
        word = _WORDS.get(word, word)
        if word == "v1" and not is_valid(found, word, release):
            word = "true"  # all that these releases know
        return word if word != text and is_valid(found, word, release) else None
    if found.type != "int":
        return None
    value = integer(word)
    if value is None:
        unit = UNITS.get(found.name.removeprefix(PREFIX))
        value = _counted(word, unit) if unit else None
    return str(value) if value is not None else None


def _counted(text: str, unit: int) -> int | None:
    """A duration with its unit as a number of units; None where it is none, or not a whole number of them."""
    from ccmcheck.gcfg.values import parse_duration

    nanoseconds = parse_duration(text.replace(" ", ""))[0]
    if not isinstance(nanoseconds, int) or nanoseconds % unit:
        return None
    return nanoseconds // unit
