from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.base.directives import parse_annotation, parse_comments
from ccmcheck.base.model import Span
from ccmcheck.lint.suppress import PathIgnores, Suppressions, unused_problems
from ccmcheck.rules.registry import UNUSED

KNOWN = ("duration-bad", "unknown-key", "bool-bad", UNUSED.name)


def places(text: str) -> list[tuple[tuple[str, ...], int, int, str]]:
    return [(found.rules, found.line, found.applies_to_line, found.reason) for found in parse_comments(text)]


def problems(text: str, *used: tuple[str, int]) -> list[tuple[Span, str, str]]:
    suppressions = Suppressions(parse_comments(text))
    for rule, line in used:
        assert suppressions.covers(rule, line)
    return [(problem.span, problem.label, problem.help) for problem in unused_problems(suppressions, KNOWN)]


@pytest.mark.parametrize("mark", ["#", ";"])
def test_at_the_end_of_its_line(mark: str) -> None:
    text = f"[Global]\nmonitor-delay = 3 {mark} ccmcheck: ignore[duration-bad] old file\n"
    assert places(text) == [(("duration-bad",), 2, 2, "old file")]
    found = parse_comments(text)[0]
    assert text[slice(*found.span)] == f"{mark} ccmcheck: ignore[duration-bad] old file"
    assert text[slice(*found.rule_spans[0])] == "duration-bad"


def test_on_a_line_of_its_own_it_means_the_next_entry() -> None:
    text = "  # ccmcheck: ignore[bool-bad]\n\n; a comment\n \t\n# ccmcheck:ignore[unknown-key]: why not\r\ncreate = 1\nx = 2\n"
    assert places(text) == [(("bool-bad",), 1, 6, ""), (("unknown-key",), 5, 6, "why not")]


def test_each_block_of_comments_means_its_own_entry() -> None:
    text = "# ccmcheck: ignore[a-b]\nx = 1\n# ccmcheck: ignore[a-b]\n# more\ny = 2\n"
    assert places(text) == [(("a-b",), 1, 2, ""), (("a-b",), 3, 5, "")]


def test_after_other_words_of_a_comment() -> None:
    assert places("x = 1 # see above # ccmcheck: ignore[a-b] c\n# why # ccmcheck: ignore[a-b]\ny = 1") == [
        (("a-b",), 1, 1, "c"),
        (("a-b",), 2, 3, ""),
    ]


def test_several_rules() -> None:
    text = "x = 1 # ccmcheck: ignore[ a-b,  c-d ,, e-f ] reason [with] brackets, and commas"
    found = parse_comments(text)[0]
    assert found.rules == ("a-b", "c-d", "e-f")
    assert [text[slice(*span)] for span in found.rule_spans] == ["a-b", "c-d", "e-f"]
    assert found.reason == "reason [with] brackets, and commas"


def test_for_the_whole_file() -> None:
    assert places("x = 1 # ccmcheck: ignore-file[a-b] generated\n") == [(("a-b",), 1, 0, "generated")]


def test_at_the_end_of_the_text() -> None:
    assert places("x = 1\n# ccmcheck: ignore[a-b]") == [(("a-b",), 2, 3, "")]
    assert places("# ccmcheck: ignore[a-b]\n# end") == [(("a-b",), 1, 2, "")]


def test_a_quoted_value_is_no_comment() -> None:
    assert places('x = "a # ccmcheck: ignore[a-b]"\n') == []
    assert places('x = "a" # ccmcheck: ignore[a-b]\n') == [(("a-b",), 1, 1, "")]


def test_in_yaml_the_scalars_speak_for_themselves() -> None:
    text = "# ccmcheck: ignore[a-b]\nconf: |\n  x = 1 # ccmcheck: ignore[c-d]\nnext: 1 # ccmcheck: ignore[e-f]\n"
    start = text.index("  x")
    scalar = Span(start, text.index("next"))
    found = parse_comments(text, [Span(2, 3), scalar])
    assert [(one.rules, one.line, one.applies_to_line) for one in found] == [(("a-b",), 1, 2), (("e-f",), 4, 4)]


@pytest.mark.parametrize(
    "text", ["# ccmcheck: this file is checked\n", "# ccmcheck:\n", "# run ccmcheck: it helps\n", ""]
)
def test_a_comment_that_only_talks_about_ccmcheck(text: str) -> None:
    assert parse_comments(text) == []


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("# ccmcheck: ignore", "names no rule, so it suppresses nothing; write `ignore[rule-name] reason`"),
        ("# ccmcheck: ignore[]", "names no rule, so it suppresses nothing; write `ignore[rule-name] reason`"),
        ("# ccmcheck: ignore[ , ] x", "names no rule, so it suppresses nothing; write `ignore[rule-name] reason`"),
        (
            "# ccmcheck: ignore-file all",
            "names no rule, so it suppresses nothing; write `ignore-file[rule-name] reason`",
        ),
        (
            "# ccmcheck: ignore[a-b",
            "lacks the closing bracket, so it suppresses nothing; write `ignore[rule-name] reason`",
        ),
        ("# ccmcheck: ignroe[a-b]", "is not a directive of ccmcheck; write `ignore[rule-name] reason`"),
        (
            "# ccmcheck: ignore_file[a-b]",
            "is not a directive of ccmcheck; write `ignore-file[rule-name] reason`",
        ),
        ("# ccmcheck: disable[a-b]", "is not a directive of ccmcheck; write `ignore[rule-name] reason`"),
    ],
)
def test_a_comment_that_cannot_be_understood(comment: str, fault: str) -> None:
    found = parse_comments(f"x = 1\n  {comment}  \ny = 2\n")
    assert [(one.rules, one.fault, one.span) for one in found] == [((), fault, Span(8, 8 + len(comment)))]
    assert problems(comment) == [(Span(0, len(comment)), f"this comment {fault}", "")]


def test_covering_is_remembered() -> None:
    suppressions = Suppressions(parse_comments("x = 1 # ccmcheck: ignore[duration-bad, unknown-key] y\n"))
    assert suppressions
    assert not suppressions.covers("duration-bad", 2)
    assert not suppressions.covers("bool-bad", 1)
    assert [number for _, number in suppressions.unused()] == [0, 1]
    assert suppressions.covers("duration-bad", 1)
    assert [number for _, number in suppressions.unused()] == [1]


def test_a_finding_may_stand_on_several_lines() -> None:
    suppressions = Suppressions(parse_comments("conf: x # ccmcheck: ignore[duration-bad]\n"))
    assert suppressions.covers("duration-bad", 7, 1)
    assert suppressions.unused() == []


def test_the_whole_file_is_covered() -> None:
    suppressions = Suppressions(parse_comments("# ccmcheck: ignore-file[duration-bad] z\n"))
    assert suppressions.covers("duration-bad", 99)
    assert not suppressions.covers("unknown-key", 99)
    assert suppressions.unused() == []


def test_no_suppressions_cover_nothing() -> None:
    suppressions = Suppressions()
    assert not suppressions
    assert not suppressions.covers("duration-bad", 1)
    assert list(unused_problems(suppressions, KNOWN)) == []


def test_an_unused_rule_is_a_problem_at_its_name() -> None:
    text = "x = 3 # ccmcheck: ignore[duration-bad, bool-bad] y\n"
    start = text.index("bool-bad")
    assert problems(text, ("duration-bad", 1)) == [
        (
            Span(start, start + 8),
            "bool-bad finds nothing on line 1, so this comment is unused",
            "Delete it, so that it cannot hide a later mistake.",
        )
    ]
    assert problems(text, ("duration-bad", 1), ("bool-bad", 1)) == []
    assert problems("# ccmcheck: ignore-file[bool-bad]")[0][1].startswith("bool-bad finds nothing in this file,")


def test_an_unknown_rule_is_a_problem_with_a_suggestion() -> None:
    assert problems("x = 3 # ccmcheck: ignore[duration-bda]\n") == [
        (
            Span(25, 37),
            "there is no rule `duration-bda`, so this comment is ignored",
            "Did you mean `duration-bad`?",
        )
    ]
    assert problems("x = 3 # ccmcheck: ignore[zzz]\n")[0][2] == "`ccmcheck rules` lists them all."
    assert f"`{'z' * 39}…`" in problems(f"x = 3 # ccmcheck: ignore[{'z' * 99}]\n")[0][1]


def test_a_rule_that_did_not_run_may_be_needed_next_time() -> None:
    suppressions = Suppressions(parse_comments("x = 3 # ccmcheck: ignore[bool-bad, nonsense]\n"))
    labels = [problem.label for problem in unused_problems(suppressions, KNOWN, judged={"duration-bad"})]
    assert labels == ["there is no rule `nonsense`, so this comment is ignored"]


def test_the_finding_itself_can_be_silenced() -> None:
    assert problems("x = 3 # ccmcheck: ignore[bool-bad, unused-suppression] sometimes needed\n") == []
    assert problems("# ccmcheck: ignore-file[unused-suppression]\nx = 3 # ccmcheck: ignore[bool-bad]\n") == []


def test_an_annotation_names_rules_with_reasons() -> None:
    value = "duration-bad = old, since 2019, legacy, unknown-key\nbool-bad=\n, create-monitor-implicit=no, really = yes"
    found = parse_annotation(value)
    assert [(one.rules[0], one.reason) for one in found] == [
        ("duration-bad", "old, since 2019, legacy"),
        ("unknown-key", ""),
        ("bool-bad", ""),
        ("create-monitor-implicit", "no"),
        ("really", "yes"),
    ]
    assert [value[slice(*one.rule_spans[0])] for one in found] == [one.rules[0] for one in found]
    assert value[slice(*found[0].span)].strip() == "duration-bad = old, since 2019, legacy"
    assert {one.applies_to_line for one in found} == {0}


def test_an_annotation_covers_its_object() -> None:
    suppressions = Suppressions(parse_annotation("duration-bad=old, bool-bad=x"))
    assert suppressions.covers("duration-bad", 12)
    unused = list(unused_problems(suppressions, KNOWN))
    assert [problem.label for problem in unused] == [
        "bool-bad finds nothing in this file, so the annotation ccmcheck.dev/ignore is unused"
    ]
    assert list(unused_problems(suppressions, KNOWN, alone=False)) == []


def test_paths_of_the_configuration() -> None:
    ignores = PathIgnores({"dev/": ["bool-bad"], "*.tmpl": ["duration-bad", "unknown-key"]})
    assert ignores
    assert ignores.rules_for("dev/a.tmpl") == {"bool-bad", "duration-bad", "unknown-key"}
    assert ignores.rules_for("prod/a.conf") == frozenset()
    assert ignores.rules_for("dev/x/y.conf") == {"bool-bad"}
    assert not PathIgnores({})


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["# ccmcheck: ignore", "[a-b]", "[", "]", "\n", "x = 1", '"', " ", ";", "\r", "ccmcheck:"])
    )
)
def test_spans_and_lines_are_those_of_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    last = -1
    for found in parse_comments(text):
        assert found.span.start > last
        last = found.span.end
        assert text[found.span.start] in "#;"
        assert found.line == text.count("\n", 0, found.span.start) + 1
        assert found.applies_to_line >= found.line
        assert [text[slice(*span)] for span in found.rule_spans] == list(found.rules)
        assert bool(found.rules) != bool(found.fault)
