"""The extractor's output: what one release declares; see tests/truth/catalog/extract/main.go."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from catalog_facts.inputs import JsonValue


class ExtractedKey(TypedDict):
    """One key that a program declares."""

    name: str
    field: str
    type: str
    default: JsonValue
    set: str
    documented: bool
    at: str


class ExtractedSection(TypedDict):
    """One section that a program declares."""

    name: str
    subsections: bool
    keys: list[ExtractedKey]


class ExtractedReader(TypedDict):
    """One program that reads cloud.conf."""

    consumer: str
    strict: bool
    embeds: NotRequired[str]
    sections: list[ExtractedSection]


class ExtractedAnnotation(TypedDict):
    """One annotation of Services."""

    name: str
    type: str
    documented: bool
    at: str


class Extract(TypedDict):
    """All that was extracted."""

    gcfg: str
    readers: list[ExtractedReader]
    annotations: list[ExtractedAnnotation]
    undecided: list[str] | None
