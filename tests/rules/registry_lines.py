"""Compares the lines of the rule registry with the rules' files, and says what is missing."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from casework import conf_of, manifests_of, text_of
from rule_cases import Case, bad

from ccmcheck.rules.prefilter import object_triggers, run_conditions, triggers_in
from ccmcheck.rules.registry import MANUAL, SAFE, UNSAFE, Entry

FOLDER = Path(__file__).resolve().parents[2] / "ccmcheck" / "rules"
NOT_GROUPS = ("_support", "views", "__pycache__")
REGISTRY_FILE = "ccmcheck/rules/registry.tsv"


def rule_files(folder: Path = FOLDER) -> dict[str, str]:
    """The group of each rule file, by the rule's name."""
    return {
        path.stem.replace("_", "-"): path.parent.name
        for path in sorted(folder.glob("*/*.py"))
        if path.stem != "__init__" and path.parent.name not in NOT_GROUPS
    }


def missing(registry: Mapping[str, tuple[Entry, ...]], files: Mapping[str, str]) -> Iterator[str]:
    """Yield the differences in names and groups."""
    groups: dict[str, str] = {}
    for group, entries in registry.items():
        for entry in entries:
            if entry.name in groups:
                yield f"{REGISTRY_FILE} has two lines for {entry.name}: remove one"
            groups[entry.name] = group
    for name, group in files.items():
        path = f"rules/{group}/{name.replace('-', '_')}.py"
        if name not in groups:
            yield f'{path} has no line in {REGISTRY_FILE}: add its row to the group "{group}"'
        elif groups[name] != group:
            yield f'{path} is in the group "{groups[name]}" of {REGISTRY_FILE}: move the line to "{group}", or the file'
    for name, group in groups.items():
        if name not in files:
            yield f"{REGISTRY_FILE} lists {name}, but there is no rules/{group}/{name.replace('-', '_')}.py: write it"


def wrong(entry: Entry, module: ModuleType) -> Iterator[str]:
    """Yield the differences between a rule's line and its file."""
    cases = bad(entry.name)
    line = f"the line of {entry.name} in {REGISTRY_FILE}"
    fix = fix_of(cases)
    if entry.fix != fix:
        yield f'{line} says "{entry.fix}", the bad cases of its page show "{fix}" fixes: correct the line, or add the case'
    yield from (f"{line} says {reason}" for reason in _against_code(entry, module))
    for trigger in entry.triggers:
        if not entry.kinds and trigger != trigger.casefold():
            yield f"{line} has the trigger {trigger!r}, but a cloud.conf is compared in lower case"
    for number, case in enumerate(cases):
        if not is_triggered(entry, case):
            yield f"{line} has the triggers {entry.triggers}, none of which is in bad case {number}: the rule would not run"


def is_triggered(entry: Entry, case: Case) -> bool:
    """Whether the rule of a line runs on one of its cases."""
    if entry.kinds:
        return any(
            object_triggers(entry, text_of(one), run_conditions(one.run_context))
            for one in manifests_of(case)
            if one.kind in entry.kinds
        )
    return not entry.triggers or not set(entry.triggers).isdisjoint(triggers_in(conf_of(case)))


def fix_of(cases: tuple[Case, ...]) -> str:
    """The applicability of the fixes of a rule's cases."""
    fixed = [case for case in cases if case.fixed is not None]
    if not fixed:
        return MANUAL
    return UNSAFE if all(case.unsafe for case in fixed) else SAFE


def _against_code(entry: Entry, module: ModuleType) -> Iterator[str]:
    _, _, code = inspect.getsource(module).partition("from __future__")
    if entry.fix == MANUAL and re.search(r"fixes\.\w|\bFix\(", code):
        yield '"manual", but the code makes fixes: add a bad case with `fixed=`'
    if entry.fix == UNSAFE and ("fixes.safe" in code or "Applicability.SAFE" in code):
        yield '"unsafe", but the code makes safe fixes: add a bad case that is fixed and not `unsafe`'
