from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_sample import CLEAN, DURATION, PLAIN, REMOVED, ROUTE, SAMPLE, written

from ccmcheck import __version__
from ccmcheck.base.model import Snippet
from ccmcheck.base.result import LintResult
from ccmcheck.report import reporter
from ccmcheck.report.fingerprint import fingerprints
from ccmcheck.report.options import ReportOptions
from ccmcheck.report.records import dumped, dumped_lines


def test_the_object_has_its_promised_names() -> None:
    document = json.loads(written("json"))
    assert list(document) == ["version", "findings", "failures", "summary"]
    assert document["version"] == 1
    assert [finding["rule"] for finding in document["findings"]] == [finding.rule for finding in SAMPLE.findings]


def test_a_finding_says_everything() -> None:
    finding = json.loads(written("json"))["findings"][0]
    fingerprint = finding.pop("fingerprint")
    assert len(fingerprint) == 64
    assert finding == {
        "rule": "duration-bad",
        "severity": "error",
        "fatal": True,
        "path": "clusters/prod/secret.yaml",
        "line": 9,
        "column": 15,
        "end_line": 9,
        "end_column": 800,
        "exact": False,
        "route": ROUTE,
        "inner": {"line": 12, "column": 17},
        "subject": "monitor-delay",
        "label": "a Go duration needs a unit",
        "detail": "",
        "help": "Write `3s`.",
        "error": 'time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"',
        "snippet": {"line": 12, "text": "monitor-delay = 3", "start": 16, "length": 1},
        "fix": {"applicability": "safe", "title": "write `3s`"},
        "releases": [],
        "further": [],
    }


def test_control_characters_survive_as_escapes_and_odd_bytes_as_text() -> None:
    finding = json.loads(written("json"))["findings"][3]
    assert finding["path"] == "we ird/\x1b]0;title\x07\\xff%,:&<\"'>.conf"
    assert finding["snippet"]["text"] == "\tname = “日本語”\u00a0\x1b[2J\x7f"
    assert finding["fix"] is None
    assert finding["releases"] == ["1.27", "1.28"]
    assert finding["further"][0]["label"] == "the section\x07"
    assert finding["further"][0]["snippet"]["text"] == "[Global]"


def test_failures_and_summary() -> None:
    document = json.loads(written("json"))
    assert document["failures"] == [
        {
            "path": "broken.yaml",
            "line": 3,
            "column": 7,
            "message": "mapping values are not allowed here",
            "hint": "Mend it, or exclude the file.",
            "internal": False,
        },
        {
            "path": "\x1bodd.yaml",
            "line": None,
            "column": None,
            "message": "KeyError\nin a rule",
            "hint": "",
            "internal": True,
        },
    ]
    assert document["summary"] == {
        "files": 318,
        "files_with_cloud_conf": 40,
        "cloud_confs": 41,
        "cloud_confs_with_findings": 3,
        "findings": {"error": 2, "warning": 1, "info": 1},
        "rules": {
            "duration-bad": {"error": 1},
            "gcfg-illegal-bytes": {"warning": 1},
            "key-removed": {"info": 1},
            "unknown-key": {"error": 1},
        },
        "not_shown": [],
        "failures": 2,
        "suppressed": 2,
        "left_out": 0,
        "baselined": 1,
        "fixable": {"safe": 2, "unsafe": 1},
        "releases": ["1.31"],
        "release_source": "from clusters/dev/ccm.yaml",
        "carriers": {"Secret": 40, "file": 1},
        "unjudged": [{"rule": "monitor-probe-budget", "needs": "the node count (--nodes)"}],
        "notes": ["1 suppression gives no reason."],
        "seconds": 0.42,
    }


def test_an_empty_run_is_an_object_too() -> None:
    document = json.loads(written("json", CLEAN))
    assert document["findings"] == document["failures"] == []


def test_ndjson_is_one_typed_object_a_line() -> None:
    lines = [json.loads(line) for line in written("ndjson").splitlines()]
    assert [line["type"] for line in lines] == ["header", *["finding"] * 4, *["failure"] * 2, "summary"]
    assert lines[0] == {"type": "header", "version": 1, "tool": "ccmcheck", "tool_version": __version__}
    document = json.loads(written("json"))
    assert [{key: line[key] for key in line if key != "type"} for line in lines[1:5]] == document["findings"]


def test_ndjson_gives_the_first_finding_before_it_asks_for_the_second() -> None:
    pieces = reporter("ndjson")(PLAIN).report(SAMPLE)
    next(pieces)
    assert json.loads(next(pieces))["rule"] == "duration-bad"


def test_a_huge_line_is_quoted_in_part() -> None:
    finding = REMOVED._replace(snippet=Snippet(1, "x" * 10_000 + "HERE" + "y" * 10_000, 10_000, 4))
    snippet = json.loads(written("json", LintResult((finding,))))["findings"][0]["snippet"]
    assert len(snippet["text"]) == 402
    assert snippet["text"][snippet["start"] : snippet["start"] + snippet["length"]] == "HERE"


def test_fingerprints_outlive_lines_above_and_tell_equal_findings_apart() -> None:
    moved = DURATION._replace(
        place=DURATION.place._replace(line=30, inner_line=50), snippet=Snippet(50, "  monitor-delay = 3", 18, 1)
    )
    elsewhere = DURATION._replace(place=DURATION.place._replace(path="other.yaml"))
    (before,) = fingerprints([DURATION], "")
    (after,) = fingerprints([moved], "")
    first, second, other = fingerprints([DURATION, DURATION, elsewhere], "")
    assert before == after == first
    assert len({first, second, other}) == 3


@pytest.mark.parametrize(
    ("line", "same", "other"),
    [
        ("monitor-delay = 3", "  monitor-delay=4s # x", "monitor-timeout = 3"),
        ("password = ****", "password = hunter2", "token = ****"),
        ('  delay: "3"', "  delay: 4", "  timeout: 4"),
        ("- name: a", "- name: b", "- value: a"),
        ('[LoadBalancerClass "a"]', '[LoadBalancerClass "b"]', "[LoadBalancer]"),
        ("****", "hunter2", "a = b"),
        ("https://u:p@h/x", "https://h", "a = b"),
        ("{a: b, delay: 3}", "{a: c, delay: 4}", "{a: b, timeout: 3}"),
    ],
)
def test_fingerprints_hold_the_name_of_the_key_and_no_value(line: str, same: str, other: str) -> None:
    def print_of(text: str) -> str:
        snippet = Snippet(1, text, len(text) - 2, 1)
        return next(fingerprints([DURATION._replace(snippet=snippet, label=text)], ""))

    assert print_of(line) == print_of(same) != print_of(other)


def test_fingerprints_do_not_depend_on_how_a_path_was_given() -> None:
    absolute = REMOVED._replace(place=REMOVED.place._replace(path="/repo/clusters/dev/cloud.conf"))
    dotted = REMOVED._replace(place=REMOVED.place._replace(path="./clusters/dev/cloud.conf"))
    plain = list(fingerprints([REMOVED], "/repo"))
    assert list(fingerprints([absolute], "/repo")) == list(fingerprints([dotted], "/repo")) == plain
    assert (
        json.loads(written("json", LintResult((absolute,)), ReportOptions(root="/repo")))["findings"][0]["fingerprint"]
        == plain[0]
    )


@settings(max_examples=300)
@given(st.text(st.characters(codec="utf-8")))
def test_every_text_survives_in_printable_ascii(text: str) -> None:
    written_text = dumped({"text": text})
    assert written_text.isascii()
    assert written_text.isprintable()
    assert json.loads(written_text) == {"text": text}


@settings(max_examples=300)
@given(st.binary(max_size=30))
def test_bytes_that_are_no_text_become_text(data: bytes) -> None:
    name = data.decode("utf-8", "surrogateescape")
    shown = json.loads(dumped(name))
    assert shown == data.decode("utf-8", "backslashreplace")


def test_a_text_that_looks_like_an_escape_stays_what_it_is() -> None:
    for text in ("\\udcff", "\\\\udcff", "\\", "\udcff\\udcff", "😀\\ud83d"):
        assert json.loads(dumped(text)) == text.replace("\udcff", "\\xff")


@given(st.dictionaries(st.text(), st.text()))
def test_lines_that_people_read_hold_nothing_that_a_terminal_acts_on(value: dict[str, str]) -> None:
    text = dumped_lines({**value, "kept": "日本語"})
    assert json.loads(text) == {**value, "kept": "日本語"}
    assert text.replace("\n", "").isprintable()
    assert "日本語" in text


def test_a_byte_that_is_not_utf8_is_a_text_on_lines_as_well() -> None:
    assert json.loads(dumped_lines(["\udcff.conf", "\ud800"])) == ["\\xff.conf", "\\ud800"]
