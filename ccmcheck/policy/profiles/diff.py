"""One cloud.conf beside what profiles have for the same keys: as data that may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.profile import SOFT
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.conf.effective import written
from ccmcheck.conf.reading import typed
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.profiles.judging import Standing, judge, told
from ccmcheck.policy.profiles.words import because, value, wanted
from ccmcheck.redact.report import redact_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.base.profile import Profile, Requirement
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.policy.profiles.judging import Judgement

SAME, DIFFERS, UNKNOWN, NOT_ASKED = "same", "differs", "unknown", "not asked"
NOT_KNOWN = "not known"
_STANDINGS = {
    Standing.MET: SAME,
    Standing.BROKEN: DIFFERS,
    Standing.UNKNOWN: UNKNOWN,
    Standing.NOT_ASKED: NOT_ASKED,
}


class Theirs(NamedTuple):
    """What one profile has for a key.

    Attributes:
        profile: Its name.
        value: What it has or wants, in words; empty where it says nothing.
        standing: ``same``, ``differs``, ``unknown`` or ``not asked``; empty where it says nothing.
        why: Its reason and source, or why it is unknown or not asked.
    """

    profile: str
    value: str = ""
    standing: str = ""
    why: str = ""


class Row(NamedTuple):
    """One key.

    Attributes:
        section: ``LoadBalancer``, ``LoadBalancerClass "gold"``.
        key: As the catalogue writes it.
        value: What the CCM will use; empty for nothing, and where it ignores the key.
        origin: ``line 12``, ``default``, ``template``, ``line 12, ignored``, or ``not known``.
        theirs: One for each profile, in their order.
    """

    section: str
    key: str
    value: str
    origin: str
    theirs: tuple[Theirs, ...]


class Compared(NamedTuple):
    """One cloud.conf at one release beside some profiles.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        error: What stops the reader; the rows are what would hold without the lines that it cannot read.
        profiles: Their names.
        rows: The keys that any of them says something of, in the order of the catalogue.
    """

    source: str
    carrier: str
    reader: str
    error: str | None
    profiles: tuple[str, ...]
    rows: tuple[Row, ...]


def compare(path: str, carried: CarriedConf, judged: TargetRelease, profiles: Sequence[Profile]) -> Compared:
    """Put a cloud.conf beside profiles.

    Args:
        path: The file.
        carried: The cloud.conf.
        judged: Who reads it, at which release.
        profiles: What it is compared with.
    """
    conf = CloudConf.read(carried, judged.release, judged.consumer)
    told = Compared(
        path,
        carried.route or carried.carrier,
        f"{judged.consumer}@{judged.release.name}",
        conf.reading.error,
        tuple(profile.name for profile in profiles),
        tuple(_rows(conf, profiles, LineIndex(carried.text))),
    )
    return redact_report(told, (carried.text,))


def _rows(conf: CloudConf, profiles: Sequence[Profile], lines: LineIndex) -> Iterator[Row]:
    found: dict[tuple[str, str | None, str], dict[int, Judgement]] = {}
    for number, profile in enumerate(profiles):
        for requirement in profile.requirements:
            for one in judge(requirement, conf):
                found.setdefault((requirement.section, one.subsection, requirement.key), {})[number] = one
    order = {
        (section.name, key.name): place
        for place, (section, key) in enumerate(
            (section, key) for section in conf.schema.sections for key in section.keys
        )
    }
    ordered = sorted(found.items(), key=lambda pair: order.get((pair[0][0], pair[0][2]), len(order)))
    for (section, subsection, key), by_profile in ordered:
        one = next(iter(by_profile.values()))
        theirs = tuple(
            _theirs(profile.name, by_profile[number], conf) if number in by_profile else Theirs(profile.name)
            for number, profile in enumerate(profiles)
        )
        yield Row(
            section if subsection is None else f'{section} "{subsection}"',
            key,
            value(one.requirement, one.uses or ""),
            _origin(one, conf, lines),
            theirs,
        )


def _origin(one: Judgement, conf: CloudConf, lines: LineIndex) -> str:
    if not _is_known(one.requirement, conf):
        written_there = conf.all(one.requirement.section, one.requirement.key, one.subsection)
        if not written_there:
            return NOT_KNOWN
        return f"line {lines.position(written_there[-1].entry.key_start)[0]}, ignored"
    item = conf.last(one.requirement.section, one.requirement.key, one.subsection)
    if item is None:
        return "template" if conf.may_hide_keys(one.requirement.section) else "default"
    return "template" if item.opaque else f"line {lines.position(item.entry.key_start)[0]}"


def _theirs(name: str, one: Judgement, conf: CloudConf) -> Theirs:
    requirement = one.requirement
    standing = _STANDINGS[one.standing]
    if requirement.check not in SOFT:
        why = one.why or because(requirement)
        return Theirs(name, wanted(requirement, quote=""), standing, why)
    if not _is_known(requirement, conf):
        return Theirs(name, "", NOT_ASKED, f"the CCM {conf.release.name} does not know it")
    theirs = told(requirement, conf)
    if requirement.check == "recommended" and not theirs:
        return Theirs(name, "", NOT_ASKED, "nothing is recommended here")
    if standing == SAME and one.uses is None:
        standing = UNKNOWN
    elif standing == SAME and _normal(requirement, theirs, conf) != one.uses:
        standing = DIFFERS
    return Theirs(name, value(requirement, theirs) or "none", standing, one.why or because(requirement))


def _is_known(requirement: Requirement, conf: CloudConf) -> bool:
    section = conf.schema.section(requirement.section)
    return section is not None and section.key(requirement.key) is not None


def _normal(requirement: Requirement, text: str, conf: CloudConf) -> str:
    """A value as `ccmcheck.conf.effective.written` writes it."""
    section = conf.schema.section(requirement.section)
    spec = section.key(requirement.key) if section is not None else None
    return text if spec is None or not text else written(typed(spec.type, text)[0], spec.type)
