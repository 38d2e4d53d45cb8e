"""Compares a cloud.conf with the values of profiles, as data without secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.profile import SOFT, Profile, Requirement
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog.written_values import written
from ccmcheck.conf.reading import typed
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.profiles.description import expected_values, rationale, shown_value
from ccmcheck.policy.profiles.evaluation import Evaluation, Status, advised_value, evaluate
from ccmcheck.redact.report import redact_report

SAME, DIFFERS, UNKNOWN, NOT_APPLICABLE = "same", "differs", "unknown", "not asked"
NOT_KNOWN = "not known"
_STANDINGS = {
    Status.SATISFIED: SAME,
    Status.VIOLATED: DIFFERS,
    Status.UNKNOWN: UNKNOWN,
    Status.NOT_APPLICABLE: NOT_APPLICABLE,
}


class ProfileValue(NamedTuple):
    """The value of one profile for a key.

    Attributes:
        profile: Its name.
        value: What it has or requires, in words; empty where it does not mention the key.
        standing: ``same``, ``differs``, ``unknown`` or ``not asked``; empty where it does not mention the key.
        why: Its reason and source, or why the standing is ``unknown`` or ``not asked``.
    """

    profile: str
    value: str = ""
    standing: str = ""
    why: str = ""


class ProfileRow(NamedTuple):
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
    theirs: tuple[ProfileValue, ...]


class ProfileDiff(NamedTuple):
    """One cloud.conf at one release compared with some profiles.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        error: What stops the reader; the rows are what would hold without the lines that it cannot read.
        profiles: Their names.
        rows: The keys that any of them mentions, in the order of the catalogue.
    """

    source: str
    carrier: str
    reader: str
    error: str | None
    profiles: tuple[str, ...]
    rows: tuple[ProfileRow, ...]


def compare(path: str, carried: CarriedConf, judged: TargetRelease, profiles: Sequence[Profile]) -> ProfileDiff:
    """Compare a cloud.conf with profiles.

    Args:
        path: The file.
        carried: The cloud.conf.
        judged: Who reads it, at which release.
        profiles: What it is compared with.
    """
    conf = CloudConf.read(carried, judged.release, judged.consumer)
    diff = ProfileDiff(
        path,
        carried.route or carried.carrier,
        f"{judged.consumer}@{judged.release.name}",
        conf.reading.error,
        tuple(profile.name for profile in profiles),
        tuple(_rows(conf, profiles, LineIndex(carried.text))),
    )
    return redact_report(diff, (carried.text,))


def _rows(conf: CloudConf, profiles: Sequence[Profile], lines: LineIndex) -> Iterator[ProfileRow]:
    evaluation: dict[tuple[str, str | None, str], dict[int, Evaluation]] = {}
    for number, profile in enumerate(profiles):
        for requirement in profile.requirements:
            for one in evaluate(requirement, conf):
                evaluation.setdefault((requirement.section, one.subsection, requirement.key), {})[number] = one
    order = {
        (section.name, key.name): place
        for place, (section, key) in enumerate(
            (section, key) for section in conf.schema.sections for key in section.keys
        )
    }
    ordered = sorted(evaluation.items(), key=lambda pair: order.get((pair[0][0], pair[0][2]), len(order)))
    for (section, subsection, key), by_profile in ordered:
        one = next(iter(by_profile.values()))
        theirs = tuple(
            _profile_value(profile.name, by_profile[number], conf)
            if number in by_profile
            else ProfileValue(profile.name)
            for number, profile in enumerate(profiles)
        )
        yield ProfileRow(
            section if subsection is None else f'{section} "{subsection}"',
            key,
            shown_value(one.requirement, one.uses or ""),
            _origin(one, conf, lines),
            theirs,
        )


def _origin(evaluation: Evaluation, conf: CloudConf, lines: LineIndex) -> str:
    if not _is_known(evaluation.requirement, conf):
        written_there = conf.all(evaluation.requirement.section, evaluation.requirement.key, evaluation.subsection)
        if not written_there:
            return NOT_KNOWN
        return f"line {lines.position(written_there[-1].entry.key_start)[0]}, ignored"
    item = conf.last(evaluation.requirement.section, evaluation.requirement.key, evaluation.subsection)
    if item is None:
        return "template" if conf.may_hide_keys(evaluation.requirement.section) else "default"
    return "template" if item.opaque else f"line {lines.position(item.entry.key_start)[0]}"


def _profile_value(name: str, evaluation: Evaluation, conf: CloudConf) -> ProfileValue:
    requirement = evaluation.requirement
    standing = _STANDINGS[evaluation.status]
    if requirement.check not in SOFT:
        why = evaluation.why or rationale(requirement)
        return ProfileValue(name, expected_values(requirement, quote=""), standing, why)
    if not _is_known(requirement, conf):
        return ProfileValue(name, "", NOT_APPLICABLE, f"the CCM {conf.release.name} does not know it")
    theirs = advised_value(requirement, conf)
    if requirement.check == "recommended" and not theirs:
        return ProfileValue(name, "", NOT_APPLICABLE, "nothing is recommended here")
    if standing == SAME and evaluation.uses is None:
        standing = UNKNOWN
    elif standing == SAME and _normal(requirement, theirs, conf) != evaluation.uses:
        standing = DIFFERS
    return ProfileValue(
        name, shown_value(requirement, theirs) or "none", standing, evaluation.why or rationale(requirement)
    )


def _is_known(requirement: Requirement, conf: CloudConf) -> bool:
    section = conf.schema.section(requirement.section)
    return section is not None and section.key(requirement.key) is not None


def _normal(requirement: Requirement, text: str, conf: CloudConf) -> str:
    """A value as `ccmcheck.conf.effective.written` writes it."""
    section = conf.schema.section(requirement.section)
    spec = section.key(requirement.key) if section is not None else None
    return text if spec is None or not text else written(typed(spec.type, text)[0], spec.type)
