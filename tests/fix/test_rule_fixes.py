"""Every fix that a rule file promises, made by the engine with its guard."""

from __future__ import annotations

import pytest
from rule_cases import bad

from ccmcheck import catalog
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.registry import ENTRIES

FIXED = [
    (name, index)
    for name in GROUP_OF
    for index, case in enumerate(bad(name))
    if case.fixed is not None
    and not (ENTRIES[name].kinds or case.siblings or case.dialect or case.consumers or case.run_context)
]


@pytest.mark.parametrize(("name", "index"), FIXED, ids=[f"{name}-{index}" for name, index in FIXED])
def test_fix(name: str, index: int) -> None:
    case = bad(name)[index]
    release = catalog.release(case.release) if case.release else catalog.newest()
    settings = Settings(
        judged=(TargetRelease("ccm", release, "--release"),),
        only=frozenset({name}),
        find=FindOptions(template=case.template),
    )
    path = "cloud.conf.tmpl" if case.template else "cloud.conf"
    linter = Linter(settings, RunContext())
    result = fix_text(path, case.text, linter, unsafe=case.unsafe)
    assert result.dropped == ()
    assert result.after == case.fixed
    assert fix_text(path, result.after, linter, unsafe=True).after == result.after
