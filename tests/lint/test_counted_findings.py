"""What is counted of a finding is the finding without its texts, whatever fields it has."""

from __future__ import annotations

import pytest

from ccmcheck.api import LintOptions, _settings
from ccmcheck.base.model import Finding, Place
from ccmcheck.lint.engine import Linter

CONF = "[Global]\nauth-url=https://k\nuser=x\n[LoadBalancer]\nunknown=1\nmonitor-delay = 3\nlb-provider=ovn\n"
SECRET = "kind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n" + "".join(
    f"    {line}\n" for line in CONF.splitlines()
)


@pytest.mark.parametrize(("path", "text"), [("cloud.conf", CONF), ("secret.yaml", SECRET)])
def test_the_rest_is_the_same(path: str, text: str) -> None:
    problems = Linter(*_settings(LintOptions())).examine(path, text, explicit=True).problems
    assert len(problems) > 3
    for problem in problems:
        finding, counted = problem.finding, problem.counted
        assert counted == finding._replace(
            label="", detail="", help="", error="", snippet=None, fix_title="", further=(), replacements=(), subject=()
        )
        assert len(counted) == len(Finding._fields)
        assert len(counted.place) == len(Place._fields)
        assert counted.place == Place(**counted.place._asdict())
