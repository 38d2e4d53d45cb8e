"""The facts of the cloud that a profile states in its section [cloud], each validated by its own check."""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.cluster_facts import NO_FACTS, TOPOLOGIES, UNKNOWN, ClusterFacts
from ccmcheck.base.data_files import read_table
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.policy.profiles.notation import ProfileBlock, ProfileSource, bare
from ccmcheck.redact.masker import mask_text


class CloudFact(NamedTuple):
    """One fact.

    Attributes:
        field: Its field in `ccmcheck.base.cluster_facts.ClusterFacts`.
        check: A check of configobj's ``validate`` for its values.
        expected: The same for people.
        about: What it is.
    """

    field: str
    check: str
    expected: str
    about: str


FACTS: dict[str, CloudFact] = {name: CloudFact(*fields) for name, *fields in read_table(__file__, "facts.tsv")}
"""Every fact, in the order in which they are explained."""

_WORD = lazy_regex(r"[\w.-]++")


def read(block: ProfileBlock, source: ProfileSource) -> ClusterFacts:
    """Read the section.

    Args:
        block: The section [cloud].
        source: What errors call the profile.

    Raises:
        BadConfiguration: It states something that is not a fact, or an invalid value.
    """
    from configobj.validate import ValidateError, Validator

    for name, inner in block.blocks.items():
        source.fail(inner.line, f"[[{name}]]: [cloud] has no sections of its own")
    validator = Validator(_FUNCTIONS)
    found: dict[str, object] = {}
    for name, value in block.values.items():
        fact = FACTS.get(name)
        if fact is None:
            source.fail(
                value.line,
                f"[cloud] {name}: there is no such fact of the cloud",
                hint(name, FACTS) or f"There are {', '.join(FACTS)}.",
            )
        try:
            found[fact.field] = validator.check(fact.check, bare(value.text))
        except ValidateError:
            shown = mask_text(bare(value.text)[:60])
            source.fail(value.line, f"[cloud] {name}: `{shown}` is not valid", f"Write {fact.expected}: {fact.about}.")
    return NO_FACTS._replace(**found)  # type: ignore[arg-type]  # checked by `FACTS`


def known_facts(facts: ClusterFacts) -> Mapping[str, object]:
    """The known facts, by their names in a profile.

    Args:
        facts: Of a profile.
    """
    values = facts._asdict()
    back = {word: name for name, word in TOPOLOGIES.items()}
    return {
        name: back.get(str(values[fact.field]), values[fact.field]) if name == "topology" else values[fact.field]
        for name, fact in FACTS.items()
        if values[fact.field] not in UNKNOWN
    }


def _octavia(value: str) -> str:
    return value if octavia.series_of(value) else _refuse(value)


def _ovn(value: str) -> str:
    return value if octavia.is_ovn_release(value) else _refuse(value)


def _kubernetes(value: str) -> str:
    return value if minor_of(value) is not None else _refuse(value)


def _words(value: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in value.split(","))
    return words if all(_WORD.fullmatch(word) for word in words) else (_refuse(value),)


def _protocols(value: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in value.split(","))
    return words if set(words) <= {"TCP", "UDP", "SCTP", "HTTP"} else (_refuse(value),)


def _cidrs(value: str) -> tuple[str, ...]:
    from ipaddress import ip_network

    try:
        return tuple(str(ip_network(word.strip())) for word in value.split(","))
    except ValueError:
        return (_refuse(value),)


def _refuse(value: str) -> str:
    from configobj.validate import VdtValueError

    raise VdtValueError(value)


_FUNCTIONS = {
    "octavia": _octavia,
    "ovn": _ovn,
    "kubernetes": _kubernetes,
    "topology": lambda value: TOPOLOGIES.get(value) or _refuse(value),
    "words": _words,
    "cidrs": _cidrs,
    "protocols": _protocols,
}
