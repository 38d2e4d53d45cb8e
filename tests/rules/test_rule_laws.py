"""Laws over many texts: each reader error is reported once, a fix corrects its problem, and no message contains a secret."""

from __future__ import annotations

from collections import Counter

import pytest
from casework import conf_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_recorded import RecordedReader, load_answers, load_readers
from rule_cases import Case

from ccmcheck import catalog
from ccmcheck.base.edits import apply
from ccmcheck.base.model import Problem
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.conf.view import CloudConf
from ccmcheck.layers.stack import Stack
from ccmcheck.rules import GROUPS, rule

NAMES = GROUPS["syntax"] + GROUPS["values"]
SECRET = "S3cr3t#Word"
READERS = load_readers()
ANSWERS = list(load_answers(READERS))

HEADERS = (
    "[Global]",
    "[LoadBalancer]",
    " [ networking ] # c",
    '[LoadBalancerClass "a"]',
    "[LoadBalancerClass b]",
    "[LoadBalancerClass]",
    "[Metadata",
    "[Load Balancer]",
    "[Global]] x",
    "[Global] region=R",
    '[LoadBalancerClass ""]',
    "[Foo]",
    "[[Route]]",
    "---",
)
KEYS = (
    "auth-url",
    "Auth_URL",
    "password",
    "region",
    "tls-insecure",
    "os-endpoint-type",
    "lb-provider",
    "lb-method",
    "lb-version",
    "create-monitor",
    "create monitor",
    "monitor-delay",
    "monitor-max-retries",
    "max-shared-lb",
    "node-selector",
    "subnet-id",
    "floating-subnet",
    "public-network-name",
    "search-order",
    "request-timeout",
    "lbclasses",
    "nothing",
    "1x",
    "\u00a0region",
    '"region"',
    "// x",
    "{{ x }}",
)
EQUALS = ("=", " = ", "= ", " =", "", ": ", " == ", "\t=\t")
VALUES = (
    "",
    "true",
    "'true'",
    "enabled",
    "5",
    "5s",
    "5 S",
    "500ms",
    "-1",
    "010",
    "3s",
    "a#b",
    "a # b",
    "'a#b'",
    "a\\",
    "a\\b",
    '"a\\b"',
    '"a#b" ; c',
    'a"b',
    '"',
    "OVN",
    "round_robin",
    "publicURL",
    "a,b",
    "[a b]",
    "${X}",
    "{{ x }}",
    "changeme",
    "\u00a0x\u00a0",
    "“x”",
    "\ufeff",
    "caf\udce9",
    "\0",
    "env in (a)",
    SECRET,
    f"'{SECRET}",
    f'"{SECRET}\\x"',
    f"{SECRET}\\",
)
line = st.one_of(
    st.sampled_from(HEADERS),
    st.builds(lambda key, equals, value: key + equals + value, *map(st.sampled_from, (KEYS, EQUALS, VALUES))),
    st.just(""),
    st.text(alphabet="[]=\"'\\#;:_-ab \t\u00a0", max_size=12),
)
texts = st.builds(
    lambda lines, newline, last: newline.join(lines) + last,
    st.lists(line, max_size=12),
    st.sampled_from(("\n", "\r\n")),
    st.sampled_from(("", "\n", "\r\n")),
)
releases = st.sampled_from(("1.14", "1.18", "1.20", "1.23", "v1.27.2", "1.31", "1.36"))


def all_problems(conf: CloudConf) -> list[tuple[str, Problem]]:
    return [(name, problem) for name in NAMES for problem in rule(name).check(conf)]


def assert_each_error_is_reported_once(conf: CloudConf) -> None:
    reported = Counter(problem.stop for _, problem in all_problems(conf) if problem.stop is not None)
    if conf.foreign_format is not None and conf.foreign_format.whole:
        assert list(reported.elements()) == list(conf.reading.stops[:1])
    else:
        assert reported == Counter(conf.reading.stops)


@settings(max_examples=250)
@given(texts, releases)
def test_each_reader_error_is_reported_once(text: str, release: str) -> None:
    assert_each_error_is_reported_once(conf_of(Case(text, release=release)))


@pytest.mark.part(of=3)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"{reader.consumer}@{reader.release.release}")
def test_each_recorded_reader_error_is_reported_once(reader: RecordedReader) -> None:
    release = catalog.release(reader.release.release, reader.consumer)
    number = READERS.index(reader)
    for data, answers in ANSWERS:
        if answers[number].outcome == "ok":
            continue
        text = data.decode("utf-8", "surrogateescape")
        carried = CarriedConf(carrier="file", subject="", route="", stack=Stack(text), text=text)
        assert_each_error_is_reported_once(CloudConf.read(carried, release, reader.consumer))


@settings(max_examples=250)
@given(texts, releases)
def test_a_fix_corrects_its_problem(text: str, release: str) -> None:
    case = Case(text, release=release)
    found = all_problems(conf_of(case))
    for name, problem in found:
        if problem.fix is None or name == "not-a-cloud-conf":  # below the line it deletes may stand another
            continue
        fixed = apply(text, sorted(problem.fix.edits))
        assert fixed != text
        same = [(other, one.label) for other, one in found].count((name, problem.label))
        left = [one for one in rule(name).check(conf_of(case._replace(text=fixed))) if one.label == problem.label]
        # behind the first error of a line another one may come to light
        assert len(left) < same or problem.span.start not in {one.span.start for one in left}, (problem, fixed)


@settings(max_examples=150)
@given(st.sampled_from(KEYS), st.sampled_from(EQUALS), st.sampled_from(VALUES))
def test_no_message_contains_a_secret(key: str, equals: str, value: str) -> None:
    text = f"[Global]\npassword{equals}{SECRET}{value}\ntoken = '{SECRET}\n{key}{equals}{value}\n"
    for name, problem in all_problems(conf_of(Case(text))):
        words = [problem.label, problem.detail, problem.help, *(note.text for note in problem.notes)]
        words.append(problem.fix.title if problem.fix is not None else "")
        shown = " ".join(words)
        if SECRET not in value or key == "password":  # else it is the value of another key too
            assert "S3cr3t" not in shown, name


@settings(max_examples=150)
@given(texts, releases)
def test_every_place_is_in_the_text(text: str, release: str) -> None:
    for _, problem in all_problems(conf_of(Case(text, release=release))):
        for span in (problem.span, *(note.span for note in problem.notes)):
            assert 0 <= span.start <= span.end <= len(text)
        if problem.fix is not None:
            assert all(0 <= edit.start <= edit.end <= len(text) for edit in problem.fix.edits)
