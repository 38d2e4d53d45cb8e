"""The whole way from bytes to reports holds whatever the bytes are.

The everyday run takes some seconds; ``CCMCHECK_FUZZ=100`` tries a hundred times as many files.
"""

from __future__ import annotations

import json
import os
import time
import unicodedata
import xml.etree.ElementTree as ET

import pytest
from fuzz_texts import BASE, CARRIERS, File, carrier, confs, files
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.api import read_config
from ccmcheck.base import text
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.errors import CcmcheckError
from ccmcheck.base.model import Finding, Place
from ccmcheck.base.result import LintResult, Summary
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import CarriedConf, RunContext
from ccmcheck.conf.effective_report import effective_report
from ccmcheck.conf.read_report import cloud_confs, read_report
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.explain.rules import rule_info
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileAnalysis
from ccmcheck.lint.settings import Settings
from ccmcheck.report import REPORTERS, reporter
from ccmcheck.report.options import ReportOptions

TIMES = int(os.environ.get("CCMCHECK_FUZZ", "1"))
SECONDS = 10
"""A file of some kilobytes is linted in milliseconds; this only distinguishes a hang from a busy machine."""


def often(number: int) -> settings:
    return settings(
        max_examples=number * TIMES,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


def judged(*names: str, consumer: str = "ccm") -> tuple[TargetRelease, ...]:
    return tuple(TargetRelease(consumer, catalog.release(name, consumer), "--release") for name in names)


LINTERS = [
    Linter(Settings(), RunContext()),
    Linter(
        Settings(judged=judged("1.17", "1.25", "v1.31.2", "master"), suppress=False),
        RunContext(facts=ClusterFacts(kubernetes_version="1.31", nodes=12)),
    ),
    Linter(Settings(find=FindOptions(template=True)), RunContext(facts=ClusterFacts(octavia_release="14.0.0"))),
    Linter(
        Settings(find=FindOptions(template=False, variables={"VAR": "3 #", "ALL": "x=1\n[Global]\n"})), RunContext()
    ),
    Linter(Settings(judged=judged("1.20", consumer="legacy-in-tree")), RunContext()),
    Linter(Settings(judged=judged("1.18", consumer="cinder-csi-plugin")), RunContext()),
]


def lint(linter: Linter, file: File, *, explicit: bool) -> tuple[str, FileAnalysis]:
    """Lint a file both ways; what the engine calls an internal error is one here too."""
    started = time.process_time()
    result = linter.lint(file.name, file.data, explicit=explicit)
    assert time.process_time() - started < SECONDS
    assert not [failure for failure in result.failures if failure.internal]
    whole = text.decode(file.data).text
    examination = linter.examine(file.name, whole, explicit=explicit)
    assert sorted(map(repr, result.findings)) == sorted(repr(one.finding) for one in examination.problems)
    return whole, examination


@often(150)
@given(files(), st.sampled_from(LINTERS), st.booleans())
def test_no_file_breaks_the_linter(file: File, linter: Linter, explicit: bool) -> None:
    whole, examination = lint(linter, file, explicit=explicit)
    for failure in examination.failures:
        assert_inside(whole, failure.line or 1, failure.column or 1)
    for located in examination.problems:
        carried = examination.subjects[located.number] if located.number >= 0 else None
        assert_placed(located.finding, whole, carried)


def assert_placed(finding: Finding, whole: str, carried: CarriedConf | None) -> None:
    places = [finding.place, *(further.place for further in finding.further)]
    for place in places:
        assert_inside(whole, place.line, place.column)
        assert_inside(whole, place.end_line, place.end_column)
        assert (place.line, place.column) <= (place.end_line, place.end_column)
        if carried is not None:
            assert_inside(carried.text, place.inner_line, place.inner_column)
            assert place.exact == carried.stack.exact
            if carried.stack.exact and not carried.stack.layers:
                assert (place.line, place.column) == (place.inner_line, place.inner_column)
    for snippet in (finding.snippet, *(further.snippet for further in finding.further)):
        if snippet is not None:
            assert "\n" not in snippet.text
            assert snippet.length >= 1
            assert 0 <= snippet.start <= len(snippet.text)
            assert snippet.line >= 1
    assert finding.label
    assert not finding.label.endswith(".")
    assert "  " not in finding.label.replace(finding.error, "")[:1]


def assert_inside(whole: str, line: int, column: int) -> None:
    lines = LineIndex(whole)
    start, _ = lines.line_span(line)
    end = whole.find("\n", start)
    assert 1 <= column <= (len(whole) if end < 0 else end) - start + 1


@often(40)
@given(files(), st.sampled_from(LINTERS[:3]))
def test_every_report_can_be_parsed(file: File, linter: Linter) -> None:
    result = linter.lint(file.name, file.data, explicit=True)
    rules = {finding.rule: rule_info(finding.rule) for finding in result.findings}
    summary = Summary(files=1, cloud_confs=len(result.carriers), seconds=0.1, releases=("1.36",))
    report_input = LintResult(result.findings, result.failures, summary, rules)
    for form in REPORTERS:
        for width in (0, 60) if form == "text" else (0,):
            printed = "".join(reporter(form)(ReportOptions(verbose=1, width=width, root="/tmp")).report(report_input))
            # what a report prints must survive the way to a file
            printed.encode("utf-8")
            assert not [
                sign
                for sign in printed
                if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cs", "Cf", "Zl", "Zp")
            ], form
            read(form, printed, report_input)


def read(form: str, printed: str, report_input: LintResult) -> None:
    """Parse a report and count what it says."""
    findings = len(report_input.findings)
    if form == "json":
        assert len(json.loads(printed)["findings"]) == findings
    elif form == "ndjson":
        assert sum(json.loads(line)["type"] == "finding" for line in printed.splitlines()) == findings
    elif form == "sarif":
        (run,) = json.loads(printed)["runs"]
        assert len(run["results"]) == findings
    elif form == "gitlab":
        assert len(json.loads(printed)) == findings + len(report_input.failures)
    elif form == "checkstyle":
        assert len(ET.fromstring(printed).findall(".//error")) == findings + len(report_input.failures)  # noqa: S314 - our own
    elif form == "junit":
        ET.fromstring(printed)  # noqa: S314 - our own
    elif form == "github":
        assert sum(line.startswith(("::error", "::warning", "::notice")) for line in printed.splitlines()) >= findings
    else:  # each rule: some forms count its findings, or say the same once for several places
        assert all(finding.rule in printed for finding in report_input.findings)


@often(80)
@given(confs(), st.sampled_from(["1.17", "1.18", "1.25", "1.31", "1.36"]))
def test_fatal_is_where_the_reader_stops(conf: str, release: str) -> None:
    data = conf.encode("utf-8", "surrogateescape")
    linter = Linter(Settings(judged=judged(release), suppress=False, find=FindOptions(template=False)), RunContext())
    found = linter.examine("cloud.conf", conf, explicit=True)
    fatal = [located.finding for located in found.problems if located.finding.fatal]
    assert not found.failures
    if not found.carried:
        return  # another program's file
    reading = read_config(data, f"ccm@{release}")
    assert len(fatal) == (reading.outcome == "fatal")
    if fatal:
        (finding,) = fatal
        assert finding.error
        assert not finding.error.startswith("failed to read config")


@often(40)
@given(confs(), st.sampled_from(["secret.yaml", "string.yaml", "kcp.yaml", "nested", "quoted.json"]))
def test_a_carrier_changes_nothing_but_the_place(conf: str, kind: str) -> None:
    linter = LINTERS[0]
    plain = linter.examine("cloud.conf", conf, explicit=True)
    carried = carrier(kind, conf)
    inside = linter.examine(carried.name, carried.data.decode("utf-8", "surrogateescape"), explicit=True)
    texts = {one.text: number for number, one in enumerate(inside.carried)}
    if (
        conf not in texts
        or len(plain.carried) != 1
        or plain.carried[0].marks
        or inside.carried[texts[conf]].marks  # which are values in a plain file that is named
        or plain.carried[0].final != inside.carried[texts[conf]].final
    ):
        return  # YAML cannot hold it, or it is another program's
    assert about(inside, texts[conf]) == about(plain, 0)


def about(found: FileAnalysis, number: int) -> set[tuple[str, int, int, bool, str]]:
    """What is said of one cloud.conf, but for what depends on the object around it."""
    return {
        (one.rule, place.inner_line, place.inner_column, one.finding.fatal, one.finding.error)
        for one in found.problems
        if one.number == number and one.rule not in {"secret-in-configmap", "unused-suppression", "placeholder-left"}
        for place in (one.finding.place,)
    }


@often(20)
@given(files(), st.sampled_from(LINTERS))
def test_linting_twice_gives_the_same(file: File, linter: Linter) -> None:
    assert linter.lint(file.name, file.data) == linter.lint(file.name, file.data)


@pytest.mark.ci
def test_the_seed_files() -> None:
    assert len(BASE) > 10
    for file in BASE:
        for linter in LINTERS:
            for explicit in (False, True):
                whole, examination = lint(linter, file, explicit=explicit)
                for located in examination.problems:
                    carried = examination.subjects[located.number] if located.number >= 0 else None
                    assert_placed(located.finding, whole, carried)


def test_the_checks_can_fail() -> None:
    place = Place("cloud.conf", 3, 1, 3, 1)
    try:
        assert_inside("a\n", place.line, place.column)
    except IndexError:
        return
    raise AssertionError


@often(60)
@given(files(), st.sampled_from(["1.18", "1.31", "1.36"]))
def test_read_and_show_accept_any_file(file: File, release: str) -> None:
    (one,) = judged(release)
    try:
        found, broken = cloud_confs(file.name, file.data, FindOptions())
    except CcmcheckError:
        return
    assert not [failure for failure in broken if failure.internal]
    for carried in found:
        read_out = read_report(file.name, carried, one)
        assert (read_out.outcome == "fatal") == (read_out.error is not None)
        shown = effective_report(file.name, carried, one)
        assert shown.rows
        json.dumps([read_out._asdict(), [row._asdict() for row in shown.rows]])


CANARY = "Canary7Zq9xWv"
SECRET_KEYS = [
    "password",
    "application-credential-secret",
    "trustee-password",
    "token",
    "PASSWORD",
    "application_credential_secret",
    "pasword",
    "secret",
    "os-password",
]
HIDDEN = ["{}", '"{}"', "'{}'", '"{}', '{}"', "{} # x", "x#{}", "x;{}", "x\\{}", "\\\n{}", '"\n{}', "{}\\", "a {}", "{}=", "{}\0", "\ufeff{}", "${{{}}}", "{{{{ {} }}}}"]  # fmt: skip


@often(80)
@given(
    confs(),
    confs(),
    st.sampled_from(SECRET_KEYS),
    st.sampled_from(["=", " = ", ":", " ", " =\n", "\t=\t"]),
    st.sampled_from(HIDDEN),
    st.sampled_from(list(CARRIERS)),
)
@example("[Global]\nauth-url = ", "", "pasword", "=", "{}", "folded.yaml")
@example("[Global]\nmonitor-delay = a=b", "", "password", " ", "{}", "folded.yaml")
def test_no_secret_is_shown(before: str, after: str, key: str, between: str, value: str, kind: str) -> None:
    if between.endswith("\n"):
        value = "{}"  # one slip to the next line is a slip, two are another file
    conf = f"{before}\n{key}{between}{value.format(CANARY)}\n{after}"
    file = File("cloud.conf", conf.encode("utf-8", "surrogateescape")) if kind == "cloud.conf" else carrier(kind, conf)
    result = LINTERS[1].lint(file.name, file.data, explicit=True)
    rules = {finding.rule: rule_info(finding.rule) for finding in result.findings}
    report_input = LintResult(result.findings, result.failures, Summary(), rules)
    for form in ("text", "json", "sarif", "github"):
        printed = "".join(reporter(form)(ReportOptions(verbose=1)).report(report_input))
        assert CANARY.lower() not in printed.lower()
        assert CANARY.lower() not in printed.replace("\\x00", "").replace("\\u0000", "").lower()
    (one,) = judged("1.36")
    found, _ = cloud_confs(file.name, file.data, FindOptions())
    for carried in found:
        read_out, shown = read_report(file.name, carried, one), effective_report(file.name, carried, one)
        assert CANARY.lower() not in f"{read_out} {shown}".lower()
