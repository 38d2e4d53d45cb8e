"""The sections and keys of cloud.conf, by the program that reads them: `make catalog` generates the tables."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import read_table
from ccmcheck.catalog.data_types import Declaration, DefaultSource, SectionRow, Value


@cache
def keys() -> dict[str, list[SectionRow]]:
    """What each program declares over all releases; `ccmcheck.catalog.data_types` names the parts."""
    programs: dict[str, list[SectionRow]] = {}
    for program, section, key, history, field, documented, environment, ref in read_table(__file__, "keys.tsv"):
        if key:
            programs[program][-1][2].append((key, _history(history), (field, documented, environment, ref)))
        else:
            programs.setdefault(program, []).append((section, _forms(history), []))
    return programs


def _forms(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Such as ``..v1.31.0 v1.31.0..*``: the second has subsections."""
    stretches = [(*form.rstrip("*").partition(".."), form[-1] == "*") for form in text.split(" ")]
    return tuple([(since, before, is_map) for since, _, before, is_map in stretches])


@cache
def _history(text: str) -> tuple[Declaration, ...]:
    """Such as ``..v1.18.0 bool zero false; v1.18.0.. bool before true``."""
    declarations = []
    for declaration in text.split("; "):
        stretch, kind, how, default = declaration.split(" ", 3)
        since, _, before = stretch.partition("..")
        declarations.append((since, before, kind, _value(kind, default), _HOW[how]))
    return tuple(declarations)


def _value(kind: str, default: str) -> Value:
    if kind == "bool":
        return default == "true"
    if kind in ("int", "int64", "uint"):
        return int(default)
    return {"list": (), "reserved": None}.get(kind, default)


@cache
def notes() -> dict[tuple[str, str], str]:
    """What else is known of keys, by section and key."""
    return {(section, key): text for section, key, text in read_table(__file__, "key_notes.tsv")}


_HOW: dict[str, DefaultSource] = {"zero": "zero", "before": "before", "empty": "empty"}
