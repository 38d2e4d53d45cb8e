from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st
from report_sample import CLEAN, DURATION, HOSTILE, REMOVED, ROUTE, SAMPLE, UNKNOWN, written

from ccmcheck.base.model import Severity
from ccmcheck.base.result import Failure, LintResult
from ccmcheck.report.markup import body, start
from ccmcheck.report.options import ReportOptions

SHOWN_PATH = "we ird/\\x1b]0;title\\x07\\xff%,:&<\"'>.conf"


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own output


def test_concise_is_one_line_a_finding() -> None:
    assert written("concise").splitlines() == [
        "clusters/prod/secret.yaml:9:15: error duration-bad: monitor-delay: a Go duration needs a unit; the CCM stops here [12:17]",
        (
            "clusters/prod/secret.yaml:9:15: error unknown-key: no CCM release knows this key; it is silently ignored,"
            " so create-monitor stays false [14:1]"
        ),
        "clusters/dev/cloud.conf:7:1: info key-removed: ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml)",
        f"{SHOWN_PATH}:2:3: warning gcfg-illegal-bytes: a \\u202e turns text around and \\x1b[31m colours it [CCM 1.27, 1.28]",
        "broken.yaml:3:7: error unreadable-file: mapping values are not allowed here",
        "\\x1bodd.yaml:1:1: error internal-error: KeyError\\nin a rule",
    ]
    assert written("concise", CLEAN) == ""


def test_concise_in_colour_is_the_same_text() -> None:
    colored = written("concise", SAMPLE, ReportOptions(color=True))
    assert "\x1b[1;33mwarning\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == written("concise")


def test_markdown_for_people() -> None:
    lines = written("markdown").splitlines()
    assert lines[0] == "## ccmcheck"
    table = [line for line in lines if line.startswith("| ")]
    assert (
        table[1]
        == "| 🔴 error (fatal) | `clusters/prod/secret.yaml:9` | `duration-bad` | monitor-delay: a Go duration needs a unit; the CCM stops here |"
    )
    assert len(table) == 1 + len(SAMPLE.findings)
    assert "- `duration-bad`: monitor-delay: a Go duration needs a unit; the CCM stops here<br>Write `3s`." in lines
    assert (
        "- 🔴 unreadable-file: `broken.yaml`: mapping values are not allowed here<br>Mend it, or exclude the file."
        in lines
    )
    assert written("markdown", CLEAN).splitlines()[0] == "## ccmcheck"


def test_markdown_stays_below_the_limit_of_github() -> None:
    many = tuple(REMOVED._replace(place=REMOVED.place._replace(path=f"{number:06}.conf")) for number in range(20_000))
    text = written("markdown", LintResult(many))
    assert len(text.encode()) < 1024 * 1024
    assert "and 19,500 more |" in text


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40))
def test_markdown_of_a_file_begins_no_tag_and_ends_no_cell(path: str, label: str) -> None:
    finding = REMOVED._replace(place=REMOVED.place._replace(path=path), label=label, snippet=None)
    lines = written("markdown", LintResult((finding,))).splitlines()
    row = next(line for line in lines if line.startswith("| ⚪"))
    assert len(re.split(r"(?<!\\)\|", row)) == 6
    assert not re.search(r"(?<!\\)<(?!/?(?:details|summary|br)\b)", re.sub(r"`[^`]*`", "", row))


def test_github_commands() -> None:
    assert written("github").splitlines() == [
        (
            "::error file=broken.yaml,line=3,title=unreadable-file::mapping values are not allowed here%0A"
            "Mend it, or exclude the file."
        ),
        "::error file=\\x1bodd.yaml,line=1,title=internal-error::KeyError%0Ain a rule",
        (
            "::error file=clusters/prod/secret.yaml,line=9,col=15,endColumn=800,title=duration-bad (fatal)::"
            'monitor-delay: a Go duration needs a unit; the CCM stops here.%0AThe CCM\'s own error: time: missing unit in duration "3" at section '
            '"LoadBalancer", variable "monitor-delay"%0AWrite `3s`.%0A'
            f"In {ROUTE}, line 12, column 17."
        ),
        (
            "::error file=clusters/prod/secret.yaml,line=9,col=15,endColumn=800,title=unknown-key::"
            "no CCM release knows this key; it is silently ignored, so create-monitor stays false.%0A"
            f"Did you mean `create-monitor`?%0AIn {ROUTE}, line 14, column 1."
        ),
        (
            "::warning file=we ird/\\x1b]0;title\\x07\\xff%25%2C%3A&<\"'>.conf,line=2,endLine=4,title=gcfg-illegal-bytes::"
            "a \\u202e turns text around and \\x1b[31m colours it.%0A"
            'Brackets [a](1), braces {0} and <b>&amp;"quotes"</b>.%0AA second line.'
        ),
        (
            "::notice file=clusters/dev/cloud.conf,line=7,col=1,endColumn=12,title=key-removed::"
            "ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml).%0ADelete the line."
        ),
    ]


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40))
def test_github_takes_no_command_from_a_file(path: str, label: str) -> None:
    finding = REMOVED._replace(place=REMOVED.place._replace(path=path), label=label, snippet=None)
    lines = written("github", LintResult((finding,))).splitlines()
    assert len(lines) == 1
    properties, _, message = lines[0].removeprefix("::notice ").partition("::")
    assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "line", "col", "endColumn", "title"]
    unescaped = message.replace("%0A", "\n").replace("%25", "%")
    assert unescaped.endswith("Delete the line.")


def test_gitlab_issues() -> None:
    issues = json.loads(written("gitlab"))
    assert [(issue["check_name"], issue["severity"]) for issue in issues] == [
        ("duration-bad", "critical"),
        ("unknown-key", "major"),
        ("key-removed", "info"),
        ("gcfg-illegal-bytes", "minor"),
        ("unreadable-file", "blocker"),
        ("internal-error", "blocker"),
    ]
    assert issues[0]["location"] == {"path": "clusters/prod/secret.yaml", "lines": {"begin": 9, "end": 9}}
    assert issues[3]["location"]["lines"] == {"begin": 2, "end": 4}
    assert issues[4]["location"] == {"path": "broken.yaml", "lines": {"begin": 3}}
    assert issues[2]["description"] == (
        "ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml).\nDelete the line."
    )
    assert json.loads(written("gitlab", CLEAN)) == []


def test_gitlab_fingerprints_differ_and_are_stable() -> None:
    twice = LintResult((DURATION, DURATION, UNKNOWN), (Failure("a", "x"), Failure("a", "x")))
    prints = [issue["fingerprint"] for issue in json.loads(written("gitlab", twice))]
    assert len(set(prints)) == 5
    assert prints[0] == "0857a77fb3c455c0ea4bfb86d2f158dd1b61c67018b5c91817ac3e00bfdbd27a"


def test_paths_below_the_root_are_relative_in_every_ci_format() -> None:
    finding = REMOVED._replace(place=REMOVED.place._replace(path="/repo/dev/cloud.conf"))
    result, options = LintResult((finding,)), ReportOptions(root="/repo")
    assert "file=dev/cloud.conf," in written("github", result, options)
    assert json.loads(written("gitlab", result, options))[0]["location"]["path"] == "dev/cloud.conf"
    assert '<file name="dev/cloud.conf">' in written("checkstyle", result, options)
    assert '<testsuite name="dev/cloud.conf"' in written("junit", result, options)
    assert '"uri": "dev/cloud.conf"' in written("sarif", result, options)


def test_junit_suites() -> None:
    root = parsed(written("junit"))
    assert root.attrib == {"name": "ccmcheck", "tests": "6", "failures": "3", "errors": "2", "time": "0.420"}
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in root] == [
        ("clusters/prod/secret.yaml", "2", "2", "0"),
        ("clusters/dev/cloud.conf", "1", "0", "0"),
        (SHOWN_PATH, "1", "1", "0"),
        ("broken.yaml", "1", "0", "1"),
        ("\\x1bodd.yaml", "1", "0", "1"),
    ]
    case = root[0][0]
    assert case.attrib == {
        "classname": "clusters/prod/secret.yaml",
        "name": "duration-bad at 9:15 [12:17]",
        "file": "clusters/prod/secret.yaml",
        "line": "9",
    }
    assert case[0].tag == "failure"
    assert case[0].attrib == {
        "type": "error duration-bad",
        "message": "monitor-delay: a Go duration needs a unit; the CCM stops here",
    }
    assert (case[0].text or "").startswith(
        "clusters/prod/secret.yaml:9:15\nmonitor-delay: a Go duration needs a unit; the CCM stops here.\nThe CCM's own"
    )
    passed = root[1][0]
    assert [child.tag for child in passed] == ["system-out"]
    assert (passed[0].text or "").startswith("info: clusters/dev/cloud.conf:7:1\nignored since")
    assert 'braces {0} and <b>&amp;"quotes"</b>.\nA second line.' in (root[2][0][0].text or "")
    assert root[3][0][0].attrib == {"type": "unreadable-file", "message": "mapping values are not allowed here"}
    assert root[4][0][0].attrib["message"] == "KeyError\nin a rule"


def test_junit_fails_from_the_chosen_severity_on() -> None:
    for fail_on, failures in ((Severity.INFO, 4), (Severity.WARNING, 3), (Severity.ERROR, 2), (None, 0)):
        root = parsed(written("junit", SAMPLE, ReportOptions(fail_on=fail_on)))
        assert root.get("failures") == str(failures)
        assert len(root.findall("testsuite/testcase/failure")) == failures


def test_junit_of_a_run_without_findings_is_one_passed_test() -> None:
    root = parsed(written("junit", CLEAN))
    assert root.get("tests") == "1"
    case = root[0][0]
    assert case.get("name") == "41 cloud.confs in 318 files"
    assert len(case) == 0


def test_checkstyle_files() -> None:
    root = parsed(written("checkstyle"))
    assert [file.get("name") for file in root] == [
        "clusters/prod/secret.yaml",
        "clusters/dev/cloud.conf",
        SHOWN_PATH,
        "broken.yaml",
        "\\x1bodd.yaml",
    ]
    assert root[1][0].attrib == {
        "line": "7",
        "column": "1",
        "severity": "info",
        "message": "ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml).\nDelete the line.",
        "source": "ccmcheck.key-removed",
    }
    assert root[3][0].get("source") == "ccmcheck.unreadable-file"
    assert root[4][0].get("line") == "1"
    assert len(parsed(written("checkstyle", CLEAN))) == 0


def test_a_file_that_has_findings_and_a_failure_is_one_suite() -> None:
    result = LintResult((HOSTILE, REMOVED), (Failure(REMOVED.place.path, "half of it"),))
    root = parsed(written("junit", result))
    assert [(suite.get("tests"), suite.get("errors")) for suite in root] == [("1", "0"), ("2", "1")]


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_text_makes_well_formed_xml(text: str) -> None:
    element = parsed(f"{start('a', {'b': text})}>{body(text)}</a>")
    assert element.get("b") == (element.text or "")
    if text.isprintable():
        assert element.get("b") == text
