"""What one profile file states: its head, the facts of the cloud, and the wishes of each section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT, Requirement
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.catalog import all_keys, all_sections, fold
from ccmcheck.policy.profiles import facts
from ccmcheck.policy.profiles.checks import ANY, Key, Misuse, Reader, find_key
from ccmcheck.policy.profiles.notation import Value, bare, bare_check
from ccmcheck.redact.masker import mask_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.policy.profiles.notation import Block, Source

CLOUD = "cloud"
HEAD = ("title", "extends", "note", "source", "severity")
"""What may stand above the first section."""
BESIDE = ("severity", "reason", "source")
"""The sections inside a section: one more word on each wish, by its key."""
SEVERITIES = {severity.word: severity for severity in Severity}

_Place = tuple[str, str]


class Remark(NamedTuple):
    """What [[severity]], [[reason]] or [[source]] says of one key."""

    kind: str
    key: Key
    text: str
    line: int


class Stated(NamedTuple):
    """What one file states by itself.

    Attributes:
        name: The profile's name.
        title: In a few words.
        extends: Built-ins' names, and files relative to this one.
        extends_line: Where that stands.
        note: What else is to be known.
        source: Where its choices can be read.
        facts: Of the cloud.
        requirements: Its own; None where an inherited one goes.
        remarks: On its own wishes and on inherited ones.
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

    def over(self, inherited: Mapping[_Place, Requirement], source: Source) -> tuple[Requirement, ...]:
        """The wishes of the profile together with inherited ones.

        Args:
            inherited: By section and key.
            source: What errors call the profile.

        Raises:
            BadConfiguration: Something is said of a key that nothing is wished for.
        """
        found = dict(inherited)
        for place, requirement in self.requirements.items():
            found.pop(place, None)
            if requirement is not None:
                found[place] = requirement
        for kind, key, text, line in self.remarks:
            known = found.get((key.section, key.name))
            if known is None:
                source.fail(
                    line,
                    f"[{key.section}] [[{kind}]] {key.name}: nothing is wished for this key",
                    f"Write a check for it in [{key.section}] first, such as {key.name} = present.",
                )
            known = known._replace(profile=self.name)  # from here on the wish is this profile's as well
            if kind == "severity":
                known = known._replace(severity=SEVERITIES[text])
            elif kind == "reason":
                known = known._replace(reason=text)
            else:
                known = known._replace(source=text)
            found[key.section, key.name] = known
        return tuple(found.values())


def state(name: str, root: Block, source: Source) -> Stated:
    """Hold a parsed file against what a profile may say.

    Args:
        name: The profile's name.
        root: The file.
        source: What errors call it.

    Raises:
        BadConfiguration: It says something else.
    """
    for word, value in root.values.items():
        if word not in HEAD:
            section = _home_of(word)
            known = hint(word, HEAD)
            source.fail(
                value.line,
                f"{word}: there is no such word above the first section",
                known or (f"Write it below [{section}]." if section else f"There are {', '.join(HEAD)}."),
            )
    head = {word: bare(value.text) for word, value in root.values.items()}
    severity = Severity.WARNING
    if "severity" in head:
        severity = _severity(head["severity"], "severity", root.values["severity"].line, source)
    sections: dict[str, str] = {}
    told = NO_FACTS
    requirements: dict[_Place, Requirement | None] = {}
    remarks: list[Remark] = []
    reader = Reader()
    for block in root.blocks.values():
        if block.name == CLOUD:
            told = facts.read(block, source)
            continue
        section = _section(block, source)
        if section in sections:
            source.fail(block.line, f"[{block.name}]: this section comes twice, as [{sections[section]}] and so")
        sections[section] = block.name
        for key, value in _keys(section, block, source):
            place = (section, key.name)
            if place in requirements:
                source.fail(value.line, f"[{section}] {key.name}: this key comes twice; every name may come once")
            requirement = _wish(name, key, value, severity, reader, source)
            requirements[place] = (
                requirement._replace(source=head.get("source", "")) if requirement is not None else None
            )
        remarks += _remarks(section, block, source)
    extends = tuple(word for part in head.get("extends", "").split(",") if (word := part.strip()))
    return Stated(
        name,
        head.get("title", ""),
        extends,
        root.values["extends"].line if "extends" in root.values else 0,
        head.get("note", ""),
        head.get("source", ""),
        told,
        requirements,
        tuple(remarks),
    )


def _wish(name: str, key: Key, value: Value, severity: Severity, reader: Reader, source: Source) -> Requirement | None:
    try:
        check = reader.read(bare_check(value.text), key)
    except Misuse as error:
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


def _section(block: Block, source: Source) -> str:
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


def _keys(section: str, block: Block, source: Source) -> Iterator[tuple[Key, Value]]:
    for name, value in block.values.items():
        yield _key(section, name, value.line, source), value


def _key(section: str, name: str, line: int, source: Source) -> Key:
    found = find_key(section, name)
    if found is None:
        home = _home_of(name)
        source.fail(
            line,
            f"[{section}] {name}: no release of any reader knows this key",
            f"It is a key of [{home}]." if home else hint(name, all_keys(section)),
        )
    return found


def _remarks(section: str, block: Block, source: Source) -> Iterator[Remark]:
    for inner in block.blocks.values():
        if inner.name not in BESIDE:
            source.fail(
                inner.line,
                f"[{section}] [[{inner.name}]]: there is no such section inside",
                hint(inner.name, BESIDE)
                or f"There are {', '.join(f'[[{one}]]' for one in BESIDE)}; a wish holds for every subsection.",
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


def _severity(text: str, where: str, line: int, source: Source, key: Key | None = None) -> Severity:
    if text not in SEVERITIES:
        shown = "this" if key is not None and key.is_secret else f"`{mask_text(text[:60])}`"
        source.fail(line, f"{where}: {shown} is no severity", "Write error, warning or info.")
    return SEVERITIES[text]


def _home_of(key: str) -> str:
    """A section that knows a key."""
    return next((section for section in all_sections() if find_key(section, key) is not None), "")
