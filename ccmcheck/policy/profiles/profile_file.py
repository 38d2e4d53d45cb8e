"""One profile file: its head, the facts of the cloud, and the requirements of each section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT, Requirement
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.catalog import all_keys, all_sections, fold
from ccmcheck.policy.profiles import facts
from ccmcheck.policy.profiles.checks import ANY, CheckedKey, CheckReader, InvalidCheck, find_key
from ccmcheck.policy.profiles.notation import ProfileBlock, ProfileSource, ProfileText, bare, bare_check
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
