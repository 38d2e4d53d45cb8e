"""The JSON files that hold the facts: their shape, reading and writing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NotRequired, TypedDict

from catalog_facts.timeline import Timeline

INPUTS = Path(__file__).parent
_RELEASES = "releases.json"
_ANNOTATIONS = "annotations.json"
_NOTES = "notes.json"

JsonValue = str | bool | int | list[str] | None


class Releases(TypedDict):
    """releases.json.

    Attributes:
        tips: The commit and date at which each branch was read, oldest branch first; ``master`` is last.
        as_of: The day on which the tags were listed.
        last_patch: The last tag of each branch; those without tags are left out.
        gcfg: The version of gcfg by first tag.
        consumers: Who reads cloud.conf, and the file that holds its keys.
    """

    tips: dict[str, str]
    as_of: str
    last_patch: dict[str, int]
    gcfg: dict[str, str]
    consumers: list[str]


class Stretch(TypedDict):
    """Releases in a row: the first tag (empty: from the beginning) and the first tag after it (empty: no end)."""

    since: str
    before: str


class SectionForm(Stretch):
    """How a section is written in some releases."""

    subsections: bool


class Declaration(Stretch):
    """What a key is in some releases; ``set`` is where its default comes from."""

    type: str
    default: JsonValue
    set: str


class KeyFacts(TypedDict):
    """One key of one consumer.

    Attributes:
        name: As gcfg matches it.
        field: The Go struct's field.
        history: What it is, by stretches of releases.
        documented: The branches whose documentation names it.
        environment: The variables that set it where the file does not, by branches.
        ref: Release, file and line of the declaration.
    """

    name: str
    field: str
    history: list[Declaration]
    documented: NotRequired[list[str]]
    environment: NotRequired[list[list[str]]]
    ref: NotRequired[str]


class SectionFacts(TypedDict):
    """One section of one consumer."""

    name: str
    forms: list[SectionForm]
    keys: list[KeyFacts]


class ConsumerFacts(TypedDict):
    """What one program reads.

    Attributes:
        consumer: Its name.
        releases: Its first and last branch.
        strict: Where an unknown name ends it.
        embeds: Where its struct embeds the CCM's ``Config``, which makes that a section, too.
        sections: In the order in which they are shown.
    """

    consumer: str
    releases: str
    strict: list[Stretch]
    embeds: list[Stretch]
    sections: list[SectionFacts]


class AnnotationFacts(TypedDict):
    """One annotation: the name, the stretches and the type come from the source, the rest from people."""

    name: str
    history: list[Stretch]
    type: str
    overrides: str
    default: str
    parse: str
    on_unparsable: list[list[str]]
    conflicts: list[str]
    notes: str
    documented: list[str]
    ref: str


class CatalogInputs(TypedDict):
    """All facts."""

    releases: Releases
    consumers: list[ConsumerFacts]
    annotations: list[AnnotationFacts]
    notes: dict[str, dict[str, str]]


def timeline(releases: Releases) -> Timeline:
    """Every release there is."""
    return Timeline(list(releases["tips"]), releases["last_patch"])


def read(folder: Path = INPUTS) -> CatalogInputs:
    """Read all facts."""
    releases: Releases = json.loads((folder / _RELEASES).read_text(encoding="utf-8"))
    return {
        "releases": releases,
        "consumers": [
            json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in releases["consumers"]
        ],
        "annotations": json.loads((folder / _ANNOTATIONS).read_text(encoding="utf-8")),
        "notes": json.loads((folder / _NOTES).read_text(encoding="utf-8")),
    }


def write(inputs: CatalogInputs, folder: Path = INPUTS) -> None:
    """Write all facts, one key or annotation a line."""
    texts = {_RELEASES: as_text(inputs["releases"], 2), _NOTES: as_text(inputs["notes"], 2)}
    texts[_ANNOTATIONS] = as_text(inputs["annotations"], 2)
    texts |= {f"{one['consumer']}.json": as_text(one, 4) for one in inputs["consumers"]}
    for name, text in texts.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")


def as_text(value: object, levels: int) -> str:
    """JSON with a member a line.

    Args:
        value: What to write.
        levels: How deep members have lines of their own; what is deeper is on the line of what holds it.
    """
    return "\n".join(_lines(value, levels, ""))


def _lines(value: object, levels: int, indent: str) -> Iterator[str]:
    """JSON with a member a line down to a level, and all that is below on that line."""
    inner = indent + " "
    if not levels or not value or not isinstance(value, dict | list):
        yield json.dumps(value, ensure_ascii=False)
        return
    if isinstance(value, dict):
        marks, members = "{}", [(f"{json.dumps(key)}: ", member) for key, member in value.items()]
    else:
        marks, members = "[]", [("", member) for member in value]
    yield marks[0]
    for number, (label, member) in enumerate(members):
        first, *more = _lines(member, levels - 1, inner)
        lines = [inner + label + first, *more]
        yield from lines[:-1]
        yield lines[-1] + ("," if number < len(members) - 1 else "")
    yield indent + marks[1]
