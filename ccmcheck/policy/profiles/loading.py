"""Loads profiles: built-in ones and files, each with all that it extends.

One profile file: its head, the facts of the cloud, and the requirements of each section.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NoReturn

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge
from ccmcheck.base.errors import BadConfiguration, InputError, TooLarge, WrongUse
from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.base.open_input import is_there, read_input
from ccmcheck.base.profile import SOFT, Profile, Requirement
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.catalog import all_keys, all_sections, fold
from ccmcheck.policy.profiles import facts
from ccmcheck.policy.profiles.checks import ANY, CheckedKey, CheckReader, InvalidCheck, find_key
from ccmcheck.policy.profiles.notation import (
    MOST_BYTES,
    ProfileBlock,
    ProfileSource,
    ProfileText,
    bare,
    bare_check,
    parse,
)
from ccmcheck.policy.profiles.standards import BUILT_IN, ENDING, Standards
from ccmcheck.redact.masker import mask_text

CLOUD = "cloud"
HEAD = ("title", "extends", "note", "source", "severity")
"""What may stand above the first section."""
REMARK_SECTIONS = ("severity", "reason", "source")
"""The sections inside a section: a remark on each requirement, by its key."""
SEVERITIES = {severity.word: severity for severity in Severity}

_Place = tuple[str, str]


class Remark(NamedTuple):
    """What [[severity]], [[reason]] or [[source]] says of one key."""

    kind: str
    key: CheckedKey
    text: str
    line: int


class ProfileFile(NamedTuple):
    """One file, without what it extends.

    Attributes:
        name: The profile's name.
        title: In a few words.
        extends: Built-ins' names, and files relative to this one.
        extends_line: Where that stands.
        note: What else is to be known.
        source: Where its choices can be read.
        facts: Of the cloud.
        requirements: Its own; None where an inherited one goes.
        remarks: On its own requirements and on inherited ones.
    """

    name: str
    title: str
    extends: tuple[str, ...]
    extends_line: int
    note: str
    source: str
    facts: ClusterFacts
    requirements: Mapping[_Place, Requirement | None]
    remarks: tuple[Remark, ...]

    def merge_requirements(
        self, inherited: Mapping[_Place, Requirement], source: ProfileSource
    ) -> tuple[Requirement, ...]:
        """The requirements of the profile together with inherited ones.

        Args:
            inherited: By section and key.
            source: What errors call the profile.

        Raises:
            BadConfiguration: There is a remark on a key without a requirement.
        """
        merged = dict(inherited)
        for place, requirement in self.requirements.items():
            merged.pop(place, None)
            if requirement is not None:
                merged[place] = requirement
        for kind, key, text, line in self.remarks:
            remarked = merged.get((key.section, key.name))
            if remarked is None:
                source.fail(
                    line,
                    f"[{key.section}] [[{kind}]] {key.name}: there is no requirement for this key",
                    f"Write a check for it in [{key.section}] first, such as {key.name} = present.",
                )
            remarked = remarked._replace(profile=self.name)  # from here on the requirement is this profile's, too
            if kind == "severity":
                remarked = remarked._replace(severity=SEVERITIES[text])
            elif kind == "reason":
                remarked = remarked._replace(reason=text)
            else:
                remarked = remarked._replace(source=text)
            merged[key.section, key.name] = remarked
        return tuple(merged.values())


def read_profile(name: str, root: ProfileBlock, source: ProfileSource) -> ProfileFile:
    """Read a parsed file as a profile.

    Args:
        name: The profile's name.
        root: The file.
        source: What errors call it.

    Raises:
        BadConfiguration: It holds something that a profile may not.
    """
    for word, value in root.values.items():
        if word not in HEAD:
            section = _section_with(word)
            known = hint(word, HEAD)
            source.fail(
                value.line,
                f"{word}: there is no such key above the first section",
                known or (f"Write it below [{section}]." if section else f"There are {', '.join(HEAD)}."),
            )
    head = {word: bare(value.text) for word, value in root.values.items()}
    severity = Severity.WARNING
    if "severity" in head:
        severity = _severity(head["severity"], "severity", root.values["severity"].line, source)
    sections: dict[str, str] = {}
    cloud_facts = NO_FACTS
    requirements: dict[_Place, Requirement | None] = {}
    remarks: list[Remark] = []
    reader = CheckReader()
    for block in root.blocks.values():
        if block.name == CLOUD:
            cloud_facts = facts.read(block, source)
            continue
        section = _section(block, source)
        if section in sections:
            source.fail(block.line, f"[{block.name}]: this section comes twice, as [{sections[section]}] and so")
        sections[section] = block.name
        for key, value in _keys(section, block, source):
            place = (section, key.name)
            if place in requirements:
                source.fail(value.line, f"[{section}] {key.name}: this key comes twice; every name may come once")
            requirement = _requirement(name, key, value, severity, reader, source)
            requirements[place] = (
                requirement._replace(source=head.get("source", "")) if requirement is not None else None
            )
        remarks += _remarks(section, block, source)
    extends = tuple(word for part in head.get("extends", "").split(",") if (word := part.strip()))
    return ProfileFile(
        name,
        head.get("title", ""),
        extends,
        root.values["extends"].line if "extends" in root.values else 0,
        head.get("note", ""),
        head.get("source", ""),
        cloud_facts,
        requirements,
        tuple(remarks),
    )


def _requirement(
    name: str, key: CheckedKey, value: ProfileText, severity: Severity, reader: CheckReader, source: ProfileSource
) -> Requirement | None:
    try:
        check = reader.read(bare_check(value.text), key)
    except InvalidCheck as error:
        source.fail(value.line, f"[{key.section}] {key.name}: {error.message}", error.hint)
    if check.name == ANY:
        return None
    return Requirement(
        name,
        key.section,
        key.name,
        check.name,
        check.values,
        check.low,
        check.high,
        check.default,
        check.since,
        check.until,
        check.when,
        Severity.INFO if check.name in SOFT else severity,
    )


def _section(block: ProfileBlock, source: ProfileSource) -> str:
    """The catalogue's name of a section."""
    wanted = fold(block.name)
    known = all_sections()
    found = next((section for section in known if fold(section) == wanted), None)
    if found is None:
        source.fail(
            block.line,
            f"[{block.name}]: no reader of cloud.conf knows this section",
            hint(block.name, (*known, CLOUD)) or f"There are {CLOUD}, {', '.join(known)}.",
        )
    return found


def _keys(section: str, block: ProfileBlock, source: ProfileSource) -> Iterator[tuple[CheckedKey, ProfileText]]:
    for name, value in block.values.items():
        yield _key(section, name, value.line, source), value


def _key(section: str, name: str, line: int, source: ProfileSource) -> CheckedKey:
    key = find_key(section, name)
    if key is None:
        home = _section_with(name)
        source.fail(
            line,
            f"[{section}] {name}: no release of any reader knows this key",
            f"It is a key of [{home}]." if home else hint(name, all_keys(section)),
        )
    return key


def _remarks(section: str, block: ProfileBlock, source: ProfileSource) -> Iterator[Remark]:
    for inner in block.blocks.values():
        if inner.name not in REMARK_SECTIONS:
            source.fail(
                inner.line,
                f"[{section}] [[{inner.name}]]: there is no such section inside",
                hint(inner.name, REMARK_SECTIONS)
                or f"There are {', '.join(f'[[{known}]]' for known in REMARK_SECTIONS)}; "
                "a requirement holds for every subsection.",
            )
        for deeper in inner.blocks.values():
            source.fail(deeper.line, f"[[[{deeper.name}]]]: [[{inner.name}]] has no sections of its own")
        seen: set[str] = set()
        for name, value in inner.values.items():
            key = _key(section, name, value.line, source)
            if key.name in seen:
                source.fail(value.line, f"[{section}] [[{inner.name}]] {key.name}: this key comes twice")
            seen.add(key.name)
            text = bare(value.text)
            if inner.name == "severity":
                _severity(text, f"[{section}] [[severity]] {key.name}", value.line, source, key)
            yield Remark(inner.name, key, text, value.line)


def _severity(text: str, where: str, line: int, source: ProfileSource, key: CheckedKey | None = None) -> Severity:
    if text not in SEVERITIES:
        shown = "this" if key is not None and key.is_secret else f"`{mask_text(text[:60])}`"
        source.fail(line, f"{where}: {shown} is not a severity", "Write error, warning or info.")
    return SEVERITIES[text]


def _section_with(key: str) -> str:
    """A section that knows a key."""
    return next((section for section in all_sections() if find_key(section, key) is not None), "")


MOST_DEEP = 30
"""How many files may extend each other in a row."""


def load(name: str) -> Profile:
    """Load one profile.

    Args:
        name: A built-in's name, or a path.

    Raises:
        WrongUse: There is none.
        BadConfiguration: It cannot be used.
    """
    if not name:
        _missing(name)
    return _load(name if name in BUILT_IN else os.path.abspath(name), name, ())


def load_all(names: Iterable[str]) -> Standards:
    """Load several profiles.

    Args:
        names: As for `load`.

    Raises:
        WrongUse: There is none of a name.
        BadConfiguration: One cannot be used.
    """
    profiles = [load(name) for name in dict.fromkeys(names)]
    facts = NO_FACTS
    for profile in profiles:
        facts = merge(profile.facts, facts)
    requirements = dict.fromkeys(requirement for profile in profiles for requirement in profile.requirements)
    return Standards(tuple(profile.name for profile in profiles), tuple(requirements), facts)


@lru_cache(maxsize=64)
def _built_in(name: str) -> Profile:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    return _with_bases(_read_file(os.path.join(folder, name + ENDING), name, name), name, "", ())


def _load(place: str, shown: str, above: tuple[str, ...]) -> Profile:
    """Load the profile of a built-in's name or a path.

    Args:
        place: A built-in's name, or an absolute path.
        shown: What errors call it.
        above: The places of the profiles that extend it, outermost first.
    """
    if place in BUILT_IN:
        return _built_in(place)
    if not is_there(place):
        _missing(shown)
    return _with_bases(_read_file(place, _stem(place), shown, named=not above), shown, place, above)


def _read_file(path: str, name: str, shown: str, *, named: bool = False) -> ProfileFile:

    try:
        data = read_input(path, MOST_BYTES, pipe=named)
    except TooLarge:
        raise BadConfiguration(f"The profile {printable(shown)} is larger than 1 MiB.") from None
    except InputError as error:
        raise BadConfiguration(f"The profile {printable(shown)} cannot be read: {error.message}.") from None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise BadConfiguration(f"The profile {printable(shown)} cannot be read: {reason}.") from None
    source = ProfileSource(shown)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source.fail(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8")
    return read_profile(name, parse(text, source), source)


def _with_bases(profile_file: ProfileFile, shown: str, place: str, above: tuple[str, ...]) -> Profile:
    """Merge a profile's file over the profiles that it extends."""
    source = ProfileSource(shown)
    trail = (*above, place)
    if len(trail) > MOST_DEEP:
        source.fail(profile_file.extends_line, f"extends goes through more than {MOST_DEEP} files")
    facts = NO_FACTS
    requirements: dict[tuple[str, str], Requirement] = {}
    extended = []
    for name in profile_file.extends:
        base = name if name in BUILT_IN else os.path.join(os.path.dirname(place), name)
        if base not in BUILT_IN:
            base = os.path.abspath(base)
            if base in trail:
                round_trip = " → ".join(os.path.basename(one) for one in (*trail[trail.index(base) :], base))
                source.fail(profile_file.extends_line, f"extends goes round in a circle: {round_trip}")
            if not is_there(base):
                known = hint(name, BUILT_IN) or "`ccmcheck profiles` lists those that are built in."
                source.fail(profile_file.extends_line, f"extends: there is no profile `{name}`", known)
        profile = _load(base, base if base in BUILT_IN else _relative_name(shown, name), trail)
        extended.append(profile.name)
        facts = merge(profile.facts, facts)
        requirements |= {(requirement.section, requirement.key): requirement for requirement in profile.requirements}
    return Profile(
        profile_file.name,
        profile_file.title,
        tuple(extended),
        profile_file.note,
        profile_file.source,
        merge(profile_file.facts, facts),
        profile_file.merge_requirements(requirements, source),
        place,
    )


def _relative_name(shown: str, name: str) -> str:
    """How errors name a file that another one extends."""
    return os.path.normpath(os.path.join(os.path.dirname(shown), name))


def _missing(name: str) -> NoReturn:
    known: Sequence[str] = BUILT_IN
    looks_like_file = "/" in name or name.endswith(ENDING)
    raise WrongUse(
        f"There is no profile `{printable(name)}`.",
        ("" if looks_like_file else hint(name, known))
        or f"There are {', '.join(known)}; a profile of your own is named by its file's path.",
    )


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0] or os.path.basename(path)
