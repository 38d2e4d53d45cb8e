"""The rules that ``fix`` need not ask have no fix in their cases, and none in their code."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import cast

import pytest

from ccmcheck.carriers.base import Bundle
from ccmcheck.lint.engine import Linter, Settings
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.triggers import WITHOUT_FIXES, WITHOUT_SAFE_FIXES

CONF = "[Global]\nauth-url = https://k/v3\nregion = \n[LoadBalancer]\nsubnet-id = x\nmonitor-delay = 3\n"


def code_of(name: str) -> str:
    _, _, code = inspect.getsource(cast("ModuleType", rule(name))).partition("from __future__")
    return code


@pytest.mark.parametrize("name", sorted(WITHOUT_FIXES))
def test_no_fix(name: str) -> None:
    assert name in GROUP_OF
    assert all(case.fixed is None for case in rule(name).BAD)
    code = code_of(name)
    assert "fixes" not in code
    assert "Fix(" not in code


@pytest.mark.parametrize("name", sorted(WITHOUT_SAFE_FIXES - WITHOUT_FIXES))
def test_no_safe_fix(name: str) -> None:
    assert name in GROUP_OF
    found = [case for case in rule(name).BAD if case.fixed is not None]
    assert found
    assert all(case.unsafe for case in found)
    code = code_of(name)
    assert "fixes.unsafe" in code
    assert "fixes.safe" not in code
    assert "Applicability" not in code


def test_who_fixes_is_asked_less() -> None:
    linter = Linter(Settings(), Bundle())
    everything = linter.examine("cloud.conf", CONF, explicit=True)
    for_fixes = linter.examine("cloud.conf", CONF, explicit=True, without=WITHOUT_FIXES)
    assert {one.rule for one in everything.problems} >= {"duration-bad", "id-not-uuid", "auth-incomplete"}
    assert [one.finding for one in for_fixes.problems] == [
        one.finding for one in everything.problems if one.rule not in WITHOUT_FIXES
    ]


def test_a_title_is_the_findings() -> None:
    for complaint in Linter(Settings(), Bundle()).examine("cloud.conf", CONF, explicit=True).problems:
        assert complaint.fix_title == complaint.finding.fix_title
        assert complaint.fatal is complaint.finding.fatal
        assert complaint.releases == complaint.finding.releases
