"""A rule that is not asked would not have spoken."""

from __future__ import annotations

import pytest
from casework import conf_of, problems_of
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.base import Case
from ccmcheck.rules.triggers import _SIGNS, KINDS, SERVICE, SERVICE_WORDS, WORDS, concerned, concerned_by_service

CONF_RULES = tuple(name for name in GROUP_OF if name not in KINDS)
CASES = [(name, case) for name in CONF_RULES for case in (*rule(name).BAD, *rule(name).GOOD)]
KEYS = sorted({key for section in catalog.all_sections() for key in catalog.all_keys(section)})
VALUES = [
    "true",
    "false",
    "3",
    "5s",
    "0s",
    "ovn",
    "OVN",
    "amphora",
    "a,b",
    "x y",
    "'q'",
    "pa#ss",
    "",
    "\u00a0",
    "SOURCE_IP_PORT",
    "v1",
    "yes",
    "-1",
]
LINES = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(KEYS), st.sampled_from(VALUES)),
    st.builds("{}={}".format, st.sampled_from([key.upper() for key in KEYS]), st.sampled_from(VALUES)),
    st.sampled_from(["[Global]", "[LoadBalancer]", '[LoadBalancerClass "a"]', "[LoadBalancerClass]", "[Networking]", "[Route]", "[Metadata]", "[BlockStorage]", '[Global "x"]', "[Nope]", "create_monitor = true", "create-monitor", "# comment", "a\\", "project-id = x", "[broken", "enable-health-monitor = true", "lo\u212aal = 1", "\u017fubnet-id = x"]),
)  # fmt: skip


def test_kinds_are_those_of_the_rules() -> None:
    assert {name: rule(name).META.kinds for name in GROUP_OF if rule(name).META.kinds} == KINDS


def test_only_rules_are_named_and_words_are_folded() -> None:
    assert set(WORDS) <= set(CONF_RULES)
    for words in WORDS.values():
        assert words
        for word in words:
            assert word in _SIGNS or word == word.casefold()


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_cases(name: str, case: Case) -> None:
    asked = concerned(CONF_RULES, conf_of(case))
    for other in CONF_RULES:
        if other not in asked:
            assert not problems_of(other, case), other
    if problems_of(name, case):
        assert name in asked


@given(
    st.lists(LINES, max_size=12), st.sampled_from(["1.16", "1.17", "1.20", "1.23", "1.25", "1.31", "1.36", "v1.23.0"])
)
@settings(deadline=None, max_examples=150)
def test_generated(lines: list[str], release: str) -> None:
    case = Case("\n".join(lines) + "\n", release=release)
    asked = set(concerned(CONF_RULES, conf_of(case)))
    for name in CONF_RULES:
        if name not in asked:
            assert not problems_of(name, case), name


SERVICE_RULES = tuple(name for name in GROUP_OF if KINDS.get(name) == (SERVICE,))
SERVICE_CASES = [(name, case) for name in SERVICE_RULES for case in (*rule(name).BAD, *rule(name).GOOD)]


def test_only_rules_about_services_are_named() -> None:
    assert set(SERVICE_WORDS) <= set(SERVICE_RULES)
    assert all(SERVICE_WORDS.values())


@pytest.mark.parametrize(
    ("name", "case"), SERVICE_CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(SERVICE_CASES)]
)
def test_cases_of_services(name: str, case: Case) -> None:
    asked = concerned_by_service(SERVICE_RULES, case.text)
    for other in SERVICE_RULES:
        if other not in asked:
            assert not problems_of(other, case), other
    if problems_of(name, case):
        assert name in asked


def test_a_service_in_escapes_is_asked_about_everything() -> None:
    assert concerned_by_service(SERVICE_RULES, r'"spec": {"externalTrafficPolicy": "L\u006fcal"}') == SERVICE_RULES
    assert concerned_by_service(SERVICE_RULES, "kind: Service\n") != SERVICE_RULES
