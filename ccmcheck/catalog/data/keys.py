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


@cache
def _forms(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Such as ``..v1.31.0 v1.31.0..*``: the second has subsections."""
    forms = []
    for form in text.split(" "):
        since, _, before = form.rstrip("*").partition("..")
        forms.append((since, before, form[-1] == "*"))
    return tuple(forms)


@cache
def _history(text: str) -> tuple[Declaration, ...]:
    """Such as ``..v1.18.0 bool zero false; v1.18.0.. bool before true``."""
    declarations = []
    for declaration in text.split("; "):
        stretch, kind, how, default = declaration.split(" ", 3)
        since, _, before = stretch.partition("..")
        value: Value = {"list": (), "reserved": None, "bool": default == "true"}.get(kind, default)
        declarations.append((since, before, kind, int(default) if "int" in kind else value, _HOW[how]))
    return tuple(declarations)


@cache
def notes() -> dict[tuple[str, str], str]:
    """What else is known of keys, by section and key."""
    return {(section, key): text for section, key, text in read_table(__file__, "key_notes.tsv")}


_HOW: dict[str, DefaultSource] = {"zero": "zero", "before": "before", "empty": "empty"}
