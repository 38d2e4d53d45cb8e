"""The Python surface, used as its docstring shows it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path

import pytest

from ccmcheck import api
from ccmcheck.api import (
    InputError,
    LintOptions,
    Severity,
    WrongUse,
    check_paths,
    check_text,
    fix_text,
    inventory,
    predict,
    read_config,
    render,
    review,
    set_text,
    show,
    upgrade,
)

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "ccmcheck" / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
SECRET = "Canary7Zq9xWv"
WHOLE = f"""\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = {SECRET}
region = RegionOne

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = true
"""
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, ports: [{name: http, port: 80, nodePort: 30080}]}
"""
TEXTS = {"cloud.conf": WHOLE, "web.yaml": SERVICE}

CONF = "[LoadBalancer]\nmonitor-delay = 3\ncreate-monitor = true\n"


def test_check_text() -> None:
    (finding,) = check_text(CONF)
    assert (finding.rule, finding.fatal, finding.place.line, finding.place.column) == ("duration-bad", True, 2, 17)


def test_check_paths(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(CONF, encoding="utf-8")
    (tmp_path / "other.txt").write_text("nothing", encoding="utf-8")
    result = check_paths([str(tmp_path)], LintOptions(releases=("1.31",)))
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
    assert check_text(CONF, options=LintOptions(ignore=("duration-bad",))) == []
    (finding,) = check_text(CONF, options=LintOptions(severities={"duration-bad": Severity.INFO}))
    assert finding.severity is Severity.INFO
    with pytest.raises(WrongUse, match="duration-bat"):
        check_text(CONF, options=LintOptions(ignore=("duration-bat",)))


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
    options = LintOptions(variables={"OS_PASSWORD": "Canary7Zq9xWv"})
    findings = copy_context().run(check_text, text, options=options)
    assert "duration-bad" in {finding.rule for finding in findings}
    assert "canary7" not in repr(findings).lower()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_guide_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(example, names)  # noqa: S102 - the guide's own, with assertions
    assert set(names) & set(api.__all__)


def test_the_guide_names_every_function() -> None:
    functions = {name for name in api.__all__ if name[0].islower()}
    shown = "\n".join(EXAMPLES)
    assert not {name for name in functions if not re.search(rf"\b{name}\(", shown)}


def test_a_report_is_what_the_command_prints(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ccmcheck", "predict", "--nodes=3", "--release=1.31", "--format=json", "."]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)}
    )
    report = predict(TEXTS, nodes=3, release="1.31")
    assert report.data == json.loads(done.stdout)
    assert (report.found, report.partial) == (bool(done.returncode), False)


def test_reports_print_nothing_and_hold_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    after = {**TEXTS, "cloud.conf": WHOLE.replace("true", "false")}
    reports = [
        predict(TEXTS, nodes=3),
        review(TEXTS, after, nodes=3),
        upgrade(TEXTS, from_="1.25", to="1.36"),
        inventory(TEXTS),
        show(TEXTS),
    ]
    assert capfd.readouterr() == ("", "")
    assert all(report.data for report in reports)
    assert SECRET not in repr(reports)
    assert reports[1].data["services"][0]["service"] == "shop/web"


def test_texts_are_not_looked_for_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cloud.conf").write_text("[Global]\nregion = Elsewhere\n", encoding="utf-8")
    (tmp_path / "ccm.yaml").write_text((ROOT / "samples" / "ccm.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    (conf,) = inventory({"cloud.conf": WHOLE}).data["cloud_confs"]
    assert conf["release_source"] == "assumed: the newest"
    assert "Elsewhere" not in repr(show({"cloud.conf": WHOLE}).data)


def test_what_is_wrong_is_an_error_with_a_message() -> None:
    with pytest.raises(WrongUse, match="No such option '--nodez'"):
        predict(TEXTS, nodez=3)
    with pytest.raises(WrongUse, match="format has no meaning"):
        predict(TEXTS, format="text")
    with pytest.raises(WrongUse, match="One side is files"):
        review(["a"], TEXTS)
    with pytest.raises(InputError, match=r"no cloud\.conf in a\.conf"):
        upgrade({"a.conf": "x"})
    with pytest.raises(InputError, match="there are no files"):
        show([])
    report = predict(["missing"])
    assert (report.partial, report.notes) == (True, ("missing: there is no such file or folder",))


def test_set_and_render() -> None:
    text = set_text(WHOLE, "lb-method=ROUND_ROBIN", unset=["region"])
    expected = WHOLE.replace("region = RegionOne\n", "").replace("create-", "lb-method = ROUND_ROBIN\ncreate-")
    assert text == expected
    with pytest.raises(WrongUse, match="create-montior"):
        set_text(WHOLE, "create-montior=true")
    with pytest.raises(WrongUse, match=r"no cloud\.conf"):
        set_text("a: b\n", "create-monitor=true", path="a.yaml")
    with pytest.raises(WrongUse):
        render("nothing")
