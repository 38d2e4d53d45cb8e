from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from report_sample import CLEAN, DURATION, HOSTILE, PLAIN, REMOVED, ROUTE, SAMPLE, UNKNOWN, written

from ccmcheck.base.escape import printable
from ccmcheck.base.model import FurtherPlace, Place, Snippet
from ccmcheck.base.result import LintResult, Summary
from ccmcheck.report.document.layout import draw, excerpt, width_of, wrap
from ccmcheck.report.options import ReportOptions

DESIGN = """\
clusters/prod/secret.yaml:9:15  error  duration-bad  fatal: the CCM stops at this line
   Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 12
   12 │ monitor-delay = 3
      │                 ^ a Go duration needs a unit
   The CCM 1.31 ends with: time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"
   Write `3s`.  [fixable]  ccmcheck explain duration-bad

clusters/prod/secret.yaml:9:15  error  unknown-key
   … › line 14
   14 │ create-montior = true
      │ ^^^^^^^^^^^^^^ no CCM release knows this key; it is silently ignored, so create-monitor stays false
   Did you mean `create-monitor`?  [fixable with --unsafe]  ccmcheck explain unknown-key

clusters/dev/cloud.conf:7:1  info  key-removed
    7 │ use-octavia = true
      │ ^^^^^^^^^^^ ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml)
   Delete the line.  [fixable]  ccmcheck explain key-removed

3 findings (2 errors, 1 info) in 2 of 41 cloud.confs, 318 files, 0.42 s, judged as CCM 1.31.  2 fixable with `ccmcheck fix`.
"""


def text(result: LintResult, options: ReportOptions = PLAIN) -> str:
    return written("text", result, options)


def test_the_look_of_the_design() -> None:
    summary = Summary(
        files=318, cloud_confs=41, cloud_confs_with_findings=2, seconds=0.42, releases=("1.31",), fixable_safe=2
    )
    assert text(LintResult((DURATION, UNKNOWN, REMOVED), (), summary)) == DESIGN


def test_a_right_file_prints_the_summary_alone() -> None:
    assert text(CLEAN) == "No findings in 41 cloud.confs, 318 files, 0.04 s.\n"
    assert text(LintResult(summary=Summary(files=1, cloud_confs=1, seconds=12.4))) == (
        "No findings in 1 cloud.conf, 1 file, 12 s.\n"
    )
    assert text(LintResult(summary=Summary(files=2500))) == "No cloud.conf in 2,500 files, 0.01 s.\n"


def test_quiet_prints_no_summary() -> None:
    assert text(CLEAN, ReportOptions(quiet=True)) == ""
    assert text(LintResult((REMOVED,)), ReportOptions(quiet=True)).endswith("ccmcheck explain key-removed\n\n")


def test_the_summary_tells_what_was_silenced_and_what_failed() -> None:
    last = text(SAMPLE).splitlines()[-1]
    assert last == (
        "4 findings (2 errors, 1 warning, 1 info) in 3 of 41 cloud.confs, 318 files, 0.42 s, "
        "judged as CCM 1.31 (from clusters/dev/ccm.yaml).  "
        "2 fixable with `ccmcheck fix`, 1 more with `ccmcheck fix --unsafe`.  2 suppressed, 1 in the baseline.  "
        "1 file could not be read.  1 internal error."
    )


def test_only_unsafe_fixes() -> None:
    summary = Summary(files=1, cloud_confs=1, fixable_unsafe=3)
    assert text(LintResult((UNKNOWN,), (), summary)).splitlines()[-1] == (
        "1 finding (1 error); 1 cloud.conf, 1 file, 0.01 s.  3 fixable with `ccmcheck fix --unsafe`."
    )


def test_verbose_tells_what_was_not_judged() -> None:
    lines = text(SAMPLE, ReportOptions(verbose=1)).splitlines()
    assert lines[-2:] == [
        "Not judged: monitor-probe-budget needs the node count (--nodes).",
        "1 suppression gives no reason.",
    ]


def test_another_reader_is_called_by_its_own_name() -> None:
    result = LintResult((DURATION,), (), Summary(releases=("cinder-csi-plugin 1.20",)))
    assert "   The cinder-csi-plugin 1.20 ends with: time: missing unit" in text(result)


def test_failures_follow_the_findings() -> None:
    assert (
        "broken.yaml:3:7  could not be read\n"
        "   mapping values are not allowed here\n"
        "   Mend it, or exclude the file.\n\n"
        "\\x1bodd.yaml  internal error\n"
        "   KeyError\n"
        "   in a rule\n\n"
    ) in text(SAMPLE)


def test_control_characters_are_shown_and_the_caret_still_fits() -> None:
    lines = text(LintResult((HOSTILE,))).splitlines()
    assert lines[0] == ("we ird/\\x1b]0;title\\x07\\xff%,:&<\"'>.conf:2:3  warning  gcfg-illegal-bytes  CCM 1.27, 1.28")
    assert lines[1] == "    2 │     name = “日本語”\\xa0\\x1b[2J\\x7f"
    assert lines[2] == "      │            ^^^^^^^^ a \\u202e turns text around and \\x1b[31m colours it"
    assert lines[3:5] == ['   Brackets [a](1), braces {0} and <b>&amp;"quotes"</b>.', "   A second line."]
    assert lines[5:8] == ["   see line 1", "    1 │ [Global]", "      │ ^^^^^^^^ the section\\x07"]


def test_a_further_place_in_another_file_has_its_position() -> None:
    elsewhere = Place("other.yaml", 4, 9, 4, 20, ROUTE, 2, 1, exact=False)
    finding = REMOVED._replace(further=(FurtherPlace(elsewhere, "here too"),))
    assert f"   see other.yaml:4:9  {ROUTE} › line 2:\n   here too\n" in text(LintResult((finding,)))


def test_the_page_of_a_rule_is_named_once() -> None:
    assert text(LintResult((REMOVED, REMOVED))).count("ccmcheck explain key-removed") == 1


def test_an_error_after_the_first_says_so() -> None:
    later = DURATION._replace(fatal=False)
    assert "   Once the line it stops at is fixed, the CCM ends with: time: missing" in text(LintResult((later,)))


def test_a_finding_without_help_names_its_fix() -> None:
    assert "   Fix: delete the line.  [fixable]" in text(LintResult((REMOVED._replace(help=""),)))


def test_a_narrow_terminal_wraps_labels_and_prose() -> None:
    finding = UNKNOWN._replace(
        detail="one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    )
    lines = text(LintResult((finding,)), ReportOptions(width=72, quiet=True)).splitlines()
    assert lines[1].endswith("› line")
    assert lines[2:] == [
        "   14",
        "   14 │ create-montior = true",
        "      │ ^^^^^^^^^^^^^^ no CCM release knows this key; it is silently",
        "      │                ignored, so create-monitor stays false",
        "   one two three four five six seven eight nine ten eleven twelve",
        "   thirteen fourteen",
        "   Did you mean `create-monitor`?",
        "   [fixable with --unsafe]  ccmcheck explain unknown-key",
        "",
    ]


def test_a_label_without_room_beside_the_caret_goes_below() -> None:
    finding = UNKNOWN._replace(
        snippet=Snippet(3, "x" * 40, 36, 4), label="one two three four five six seven eight nine"
    )
    lines = text(LintResult((finding,)), ReportOptions(width=60, quiet=True)).splitlines()
    assert lines[4:7] == [
        "      │                                     ^^^^",
        "      │             one two three four five six seven eight",
        "      │             nine",
    ]


def test_colour_changes_nothing_but_colour() -> None:
    colored = text(SAMPLE, ReportOptions(color=True, verbose=1))
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == text(SAMPLE, ReportOptions(verbose=1))


def test_a_long_line_is_cut_around_the_caret() -> None:
    drawn = draw(Snippet(1, "a" * 500 + "HERE" + "b" * 500, 500, 4), 40)
    assert drawn == ("…" + "a" * 17 + "HERE" + "b" * 17 + "…", 18, 4)
    assert draw(Snippet(1, "HERE" + "b" * 500, 0, 4), 10) == ("HEREbbbb…", 0, 4)
    assert draw(Snippet(1, "a" * 500 + "HERE", 500, 4), 10) == ("…aaaaHERE", 5, 4)


def test_tabs_lead_to_their_stops() -> None:
    assert draw(Snippet(1, "a\tb\tc", 4, 1), 40) == ("a   b   c", 8, 1)
    assert draw(Snippet(1, "\t", 0, 1), 40) == ("    ", 0, 4)


def test_wide_and_combining_characters_are_counted_as_terminals_do() -> None:
    assert width_of("日本") == 4
    assert width_of("e\u0301") == 1
    assert draw(Snippet(1, "日本=x", 3, 1), 40) == ("日本=x", 5, 1)


LINES = st.text(
    st.one_of(
        st.characters(codec="utf-8"), st.sampled_from("\t\x1b\u202e日\u0301\u00a0\udcff "), st.characters(codec="ascii")
    ),
    max_size=300,
)


@settings(max_examples=300)
@given(LINES, st.integers(0, 310), st.integers(0, 310), st.integers(24, 120))
def test_a_drawn_line_fits_is_printable_and_has_its_mark_inside(line: str, start: int, length: int, limit: int) -> None:
    drawn = draw(Snippet(1, line, start, length), limit)
    assert printable(drawn.text) == drawn.text
    assert width_of(drawn.text) <= limit
    assert drawn.mark >= 1
    assert drawn.lead <= width_of(drawn.text)
    assert drawn.lead + drawn.mark <= max(limit, drawn.lead + 1)


@settings(max_examples=200)
@given(st.text("ab=-日", max_size=300), st.integers(0, 299), st.integers(30, 80))
def test_the_mark_stands_under_the_character_it_is_about(line: str, start: int, limit: int) -> None:
    start = min(start, len(line))
    marked = line[:start] + "X" + line[start:]
    drawn = draw(Snippet(1, marked, start, 1), limit)
    columns = [character for character in drawn.text for _ in range(width_of(character))]
    assert columns[drawn.lead] == "X"
    assert drawn.mark == 1


@settings(max_examples=200)
@given(st.text("X" * 3 + "ab\t", max_size=1500), st.integers(0, 1499), st.integers(1, 50))
def test_an_excerpt_keeps_what_is_underlined(line: str, start: int, length: int) -> None:
    start = min(start, max(0, len(line) - length))
    cut = excerpt(Snippet(5, line, start, length))
    assert cut.line == 5
    assert len(cut.text) <= 402
    assert cut.text[cut.start : cut.start + cut.length] == line[start : start + length]


@settings(max_examples=200)
@given(st.text("ab 日", max_size=200), st.integers(1, 40))
def test_wrapping_loses_nothing(prose: str, room: int) -> None:
    lines = wrap(prose, room)
    assert " ".join(lines).split() == prose.split()  # of the blanks where a line ends none is left
    assert all(width_of(line) <= room or " " not in line for line in lines)
