"""The registry of rules agrees with the rule files, and a rule that its triggers exclude would have reported nothing."""

from __future__ import annotations

from types import ModuleType
from typing import cast

import pytest
from casework import conf_of, manifests_of, problems_of, seen_of, text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from registry_lines import missing, rule_files, wrong
from rule_cases import Case, bad, good

from ccmcheck import catalog
from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules import GROUP_OF, GROUPS, rule
from ccmcheck.rules.prefilter import conf_rules, object_rules
from ccmcheck.rules.registry import ENTRIES, MANUAL_RULES, REGISTRY, RULES_WITHOUT_SAFE_FIX, SERVICE, Entry

CONF_RULES = tuple(name for name, entry in ENTRIES.items() if not entry.kinds)
CASES = [(name, case) for name in CONF_RULES for case in (*bad(name), *good(name))]
OBJECT_RULES = tuple(name for name, entry in ENTRIES.items() if entry.kinds)
OBJECT_CASES = [(name, case) for name in OBJECT_RULES for case in (*bad(name), *good(name))]
SERVICE_RULES = tuple(name for name, entry in ENTRIES.items() if entry.kinds == (SERVICE,))
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
    'o"v"n',
    "ov\\\nn",
    'SOURCE_"IP"_PORT',
    "{{ x }}",
    "v1",
    "yes",
    "-1",
]
LINES = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(KEYS), st.sampled_from(VALUES)),
    st.builds("{}={}".format, st.sampled_from([key.upper() for key in KEYS]), st.sampled_from(VALUES)),
    st.sampled_from(["[Global]", "[LoadBalancer]", '[LoadBalancerClass "a"]', "[LoadBalancerClass]", "[Networking]", "[Route]", "[Metadata]", "[BlockStorage]", '[Global "x"]', "[Nope]", "create_monitor = true", "create-monitor", "# comment", "a\\", "project-id = x", "[broken", "enable-health-monitor = true", "lo\u212aal = 1", "\u017fubnet-id = x"]),
)  # fmt: skip


def test_registry_agrees_with_the_rule_files() -> None:
    gaps = list(missing(REGISTRY, rule_files()))
    gaps += [gap for name, entry in ENTRIES.items() if name in rule_files() for gap in wrong(entry, module_of(name))]
    assert not gaps, "\n" + "\n".join(gaps)


def module_of(name: str) -> ModuleType:
    return cast("ModuleType", rule(name))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"new-rule": "values"}, "rules/values/new_rule.py has no line in ccmcheck/rules/registry.tsv: add its row"),
        ({"bool-bad": "names"}, 'rules/names/bool_bad.py is in the group "values"'),
        ({"bool-bad": ""}, "lists bool-bad, but there is no rules/values/bool_bad.py"),
    ],
)
def test_names_and_groups_that_are_missing_are_named(files: dict[str, str], says: str) -> None:
    changed = {name: group for name, group in {**rule_files(), **files}.items() if group}
    gaps = list(missing(REGISTRY, changed))
    assert any(says in gap for gap in gaps), gaps


def test_a_second_line_for_one_rule_is_named() -> None:
    gaps = missing({**REGISTRY, "policy": (*REGISTRY["policy"], ENTRIES["profile"])}, rule_files())
    assert "ccmcheck/rules/registry.tsv has two lines for profile: remove one" in gaps


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (ENTRIES["bool-bad"]._replace(fix="unsafe"), 'says "unsafe", the bad cases of its page show "safe" fixes'),
        (ENTRIES["key-removed"]._replace(fix="manual"), 'says "manual", but the code makes fixes'),
        (ENTRIES["svc-udp-delay"]._replace(fix="safe"), 'says "safe", the bad cases of its page show "manual" fixes'),
        (
            ENTRIES["svc-udp-delay"]._replace(triggers=("SCTP",)),
            "none of which is in bad case 0: the rule would not run",
        ),
        (ENTRIES["id-not-uuid"]._replace(triggers=("-ID",)), "compared in lower case"),
        (ENTRIES["id-not-uuid"]._replace(triggers=("lb-method",)), "none of which is in bad case 0"),
        (ENTRIES["secret-type"]._replace(triggers=("immutable",)), "none of which is in bad case 2"),
    ],
)
def test_a_wrong_line_is_named(entry: Entry, says: str) -> None:
    gaps = list(wrong(entry, module_of(entry.name)))
    assert any(says in gap for gap in gaps), gaps


def test_groups_are_those_of_the_registry() -> None:
    assert list(GROUP_OF) == [name for names in GROUPS.values() for name in names] == list(ENTRIES)
    assert GROUP_OF["bool-bad"] == "values"


@pytest.mark.part(of=4)
@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_excluded_rules_have_nothing_to_report(name: str, case: Case) -> None:
    triggered = conf_rules(CONF_RULES, conf_of(case))
    for other in CONF_RULES:
        if other not in triggered:
            assert not problems_of(other, case), other
    if problems_of(name, case):
        assert name in triggered


@pytest.mark.parametrize("written", ["{}{}", '"{}{}"', '{}"{}"', '{}""{}', "{}\\\n{}"])
@pytest.mark.parametrize(
    ("key", "word", "more", "name"),
    [
        ("lb-provider", "ovn", "lb-method = ROUND_ROBIN\n", "ovn-lb-method"),
        ("lb-provider", "ovn", "", "ovn-no-security-group"),
        ("lb-method", "SOURCE_IP_PORT", "lb-provider = amphora\n", "amphora-source-ip-port"),
    ],
)
def test_a_word_is_found_however_it_is_written(key: str, word: str, more: str, name: str, written: str) -> None:
    case = Case(f"[LoadBalancer]\n{more}{key} = {written.format(word[:2], word[2:])}\n")
    assert problems_of(name, case)
    assert name in conf_rules(CONF_RULES, conf_of(case))


def test_a_quoted_password_triggers_nothing_about_another_word() -> None:
    case = Case('[Global]\npassword = "ovn"\n[LoadBalancer]\nlb-method = "ROUND_ROBIN"\n')
    assert "amphora-source-ip-port" not in conf_rules(CONF_RULES, conf_of(case))


@given(
    st.lists(LINES, max_size=12),
    st.sampled_from(["1.16", "1.17", "1.20", "1.23", "1.25", "1.31", "1.36", "v1.23.0"]),
    st.sampled_from([case for _, case in CASES]),
    st.booleans(),
)
@settings(max_examples=150)
def test_excluded_rules_have_nothing_to_report_about_generated_files(
    lines: list[str], release: str, around: Case, template: bool
) -> None:
    case = around._replace(text="\n".join(lines) + "\n", release=release, template=template, explicit=False)
    conf = conf_of(case)
    triggered = set(conf_rules(CONF_RULES, conf))
    for name in CONF_RULES:
        if name not in triggered:
            assert not list(rule(name).check(conf)), name


@pytest.mark.parametrize(
    "case",
    [case for _, case in OBJECT_CASES],
    ids=[f"{name}-{number}" for number, (name, _) in enumerate(OBJECT_CASES)],
)
def test_excluded_rules_have_nothing_to_report_about_objects(case: Case) -> None:
    for manifest in manifests_of(case):
        about = tuple(other for other in OBJECT_RULES if manifest.kind in ENTRIES[other].kinds)
        triggered = object_rules(about, text_of(manifest), manifest.run_context)
        for other in about:
            if other not in triggered:
                assert not list(rule(other).check(seen_of(manifest))), other


def test_all_rules_about_words_run_on_an_object_with_escapes() -> None:
    nothing = RunContext()
    assert object_rules(SERVICE_RULES, r'"spec": {"externalTrafficPolicy": "L\u006fcal"}', nothing) == SERVICE_RULES
    assert object_rules(SERVICE_RULES, "kind: Service\n", nothing) != SERVICE_RULES
    assert object_rules(("secret-key-name",), '"kind": "S\\u0065cret"', nothing) == ()


CONF = "[Global]\nauth-url = https://k/v3\nregion = \n[LoadBalancer]\nsubnet-id = x\nmonitor-delay = 3\n"


def test_fix_does_not_run_rules_without_fixes() -> None:
    linter = Linter(Settings(), RunContext())
    everything = linter.examine("cloud.conf", CONF, explicit=True)
    for_fixes = linter.examine("cloud.conf", CONF, explicit=True, without=MANUAL_RULES)
    assert {located.rule for located in everything.problems} >= {"duration-bad", "id-not-uuid", "auth-incomplete"}
    assert [located.finding for located in for_fixes.problems] == [
        located.finding for located in everything.problems if located.rule not in MANUAL_RULES
    ]
    assert MANUAL_RULES < RULES_WITHOUT_SAFE_FIX


def test_a_fix_title_is_that_of_the_finding() -> None:
    for located in Linter(Settings(), RunContext()).examine("cloud.conf", CONF, explicit=True).problems:
        assert located.fix_title == located.finding.fix_title
        assert located.fatal is located.finding.fatal
        assert located.releases == located.finding.releases
