"""The Python surface, used as its docstring shows it."""

from __future__ import annotations

from contextvars import copy_context
from pathlib import Path

import pytest

from ccmcheck.api import Options, Severity, check_paths, check_text, fix_text, read_config
from ccmcheck.base.errors import WrongUse

CONF = "[LoadBalancer]\nmonitor-delay = 3\ncreate-monitor = true\n"


def test_check_text() -> None:
    (finding,) = check_text(CONF)
    assert (finding.rule, finding.fatal, finding.place.line, finding.place.column) == ("duration-bad", True, 2, 17)


def test_check_paths(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(CONF, encoding="utf-8")
    (tmp_path / "other.txt").write_text("nothing", encoding="utf-8")
    result = check_paths([str(tmp_path)], Options(releases=("1.31",)))
    assert [finding.rule for finding in result.findings] == ["duration-bad"]
    assert result.summary.cloud_confs == 1
    assert result.summary.releases == ("1.31",)


def test_a_charts_values_are_read_by_its_own_templates(tmp_path: Path) -> None:
    template = "[LoadBalancer]\nmonitor-delay = {{ .Values.cloudConfig.loadbalancer.delay }}\n"
    values = "cloudConfig:\n  loadbalancer:\n    delay: 5 s\n"
    files = {"Chart.yaml": "name: x\nversion: 1.0.0\n", "templates/_helpers.tpl": template, "values.yaml": values}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = check_paths([str(tmp_path)])
    assert [finding.rule for finding in result.findings if finding.severity is Severity.ERROR] == ["duration-bad"]
    path = str(tmp_path / "values.yaml")
    assert [one.rule for one in check_text(values, path) if one.severity is Severity.ERROR] == ["duration-bad"]


def test_options() -> None:
    assert check_text(CONF, options=Options(ignore=("duration-bad",))) == []
    (finding,) = check_text(CONF, options=Options(severities={"duration-bad": Severity.INFO}))
    assert finding.severity is Severity.INFO
    with pytest.raises(WrongUse, match="duration-bat"):
        check_text(CONF, options=Options(ignore=("duration-bat",)))


def test_fix_text() -> None:
    fixed = fix_text(CONF)
    assert fixed.text == CONF.replace("3", "3s")
    assert fixed.done == (("duration-bad", "write `3s`"),)
    assert "3s" not in repr(fixed)


def test_read_config() -> None:
    result = read_config(b"[Global]\npassword = pa#ss\nnope = 1\n", reader="ccm@release-1.31")
    assert result.as_dict() == {
        "outcome": "ok",
        "error": None,
        "values": {"Global": {"password": "pa"}},
        "ignored": [{"section": "Global", "key": "nope"}],
    }
    assert "pa" not in repr(result)


def test_the_value_of_a_variable_with_a_secret_name_is_in_no_finding() -> None:
    text = "[Global]\nregion = ${OS_PASSWORD}\n[LoadBalancer]\nmonitor-delay = ${OS_PASSWORD}\n"
    options = Options(variables={"OS_PASSWORD": "Canary7Zq9xWv"})
    findings = copy_context().run(check_text, text, options=options)
    assert "duration-bad" in {finding.rule for finding in findings}
    assert "canary7" not in repr(findings).lower()
