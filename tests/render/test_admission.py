"""`render admission`: policies made of the rules, and what the real API server said of Services with them."""

from __future__ import annotations

from typing import Any

import admission_recorded as recorded
import pytest
import yaml
from admission_generate import CONFIGURATIONS, Configuration, services
from admission_ours import differences, rules_of
from rendering_aids import Folder

from ccmcheck import catalog
from ccmcheck.catalog.service_annotations import PREFIX, WRITTEN_BY_CCM
from ccmcheck.render.admission.policies import judged, policies
from ccmcheck.rules.registry import ENTRIES

BY_NAME = {one.name: one for one in CONFIGURATIONS}
SECRET = "hunter2-is-the-secret"
LONGEST_EXPRESSION = 20_000
"""The API server parses up to 100,000 characters."""


def documents(text: str) -> list[Any]:
    return [document for document in yaml.safe_load_all(text) if document is not None]


def named(text: str, kind: str) -> dict[str, Any]:
    return {one["metadata"]["name"]: one for one in documents(text) if one["kind"] == kind}


@pytest.mark.part(of=4)
@pytest.mark.parametrize("record", list(recorded.read()), ids=lambda record: record["name"])
def test_the_policies_are_those_that_the_api_server_had(record: dict[str, Any]) -> None:
    configuration = BY_NAME[record["name"]]
    assert recorded.digest(configuration) == record["policies"], (
        "the policies have changed; run tests/truth/admission/admission_compare.py --record"
    )


@pytest.mark.part(of=4)
@pytest.mark.slow
@pytest.mark.parametrize("record", list(recorded.read()), ids=lambda record: record["name"])
def test_what_the_api_server_warned_of_is_what_the_rules_say(record: dict[str, Any]) -> None:
    configuration = BY_NAME[record["name"]]
    generated = services(recorded.SEED, recorded.NUMBER)
    assert len(record["warnings"]) == len(generated)
    gaps = [
        gap
        for service, warnings in zip(generated, record["warnings"], strict=True)
        for gap in differences(configuration, service, warnings)
        if warnings or service["spec"]["type"] == "LoadBalancer"
    ]
    assert gaps == []


def test_a_difference_is_seen() -> None:
    plain = BY_NAME["plain"]
    local = next(one for one in services(1, 450) if one["spec"].get("externalTrafficPolicy") == "Local")
    local["metadata"]["annotations"] = {}
    assert any("only by the rule" in gap for gap in differences(plain, local, []))
    wrong = "Validation failed for X: svc-proxy-udp: nothing of the kind"
    assert any("only by the policy" in gap for gap in differences(plain, services(1, 1)[0], [wrong]))


def test_every_configuration_was_recorded() -> None:
    assert [record["name"] for record in recorded.read()] == [one.name for one in CONFIGURATIONS]


def test_the_rules_with_policies() -> None:
    known = frozenset().union(*map(rules_of, CONFIGURATIONS))
    assert known <= ENTRIES.keys()
    assert all("Service" in ENTRIES[name].kinds for name in known)
    assert known >= {
        "ovn-udp-local",
        "svc-annotation-unknown",
        "svc-annotation-value",
        "svc-class",
        "svc-l7-port-mix",
        "svc-local-no-monitor",
        "svc-no-nodeports",
        "svc-ovn-sctp-monitor",
        "svc-ovn-unsupported",
        "svc-proxy-and-xff",
        "svc-proxy-udp",
        "svc-source-ranges-ignored",
        "svc-timeout-unit",
        "svc-tls-ref",
        "svc-udp-delay",
    }


@pytest.mark.part(of=4)
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda one: one.name)
def test_names_that_a_ccm_writes_are_never_judged(configuration: Configuration) -> None:
    for region, _ in judged(configuration.conf, catalog.release(configuration.release)):
        assert region.name not in WRITTEN_BY_CCM
        if region.names:
            assert all(name in region.when for name in WRITTEN_BY_CCM)


@pytest.mark.parametrize("release", ["v1.18.0", "v1.22.2", "v1.28.3", "v1.36.0", "master"])
def test_expressions_stay_short(release: str) -> None:
    text = policies("[LoadBalancer]\nlb-provider = ovn\n", catalog.release(release), enforce=False)
    expressions = [
        one["expression"]
        for policy in named(text, "ValidatingAdmissionPolicy").values()
        for one in (*policy["spec"]["variables"], *policy["spec"]["matchConditions"])
    ]
    assert expressions
    assert max(map(len, expressions)) < LONGEST_EXPRESSION


def test_by_default_nothing_is_refused(folder: Folder) -> None:
    ran = folder.render("admission")
    assert (ran.code, ran.err) == (0, "")
    made = named(ran.out, "ValidatingAdmissionPolicy")
    bindings = named(ran.out, "ValidatingAdmissionPolicyBinding")
    assert made.keys() == bindings.keys()
    assert all(one["spec"]["validationActions"] == ["Warn", "Audit"] for one in bindings.values())
    assert all(one["spec"]["failurePolicy"] == "Ignore" for one in made.values())
    operations = {tuple(one["spec"]["matchConstraints"]["resourceRules"][0]["operations"]) for one in made.values()}
    assert operations == {("CREATE", "UPDATE")}


def test_enforce_refuses(folder: Folder) -> None:
    bindings = named(folder.render("admission", "--enforce").out, "ValidatingAdmissionPolicyBinding")
    assert bindings
    assert all(one["spec"]["validationActions"] == ["Deny"] for one in bindings.values())


def test_enforce_is_for_this_template_alone(folder: Folder) -> None:
    ran = folder.render("secret", "--enforce", "--cloud", "app")
    assert ran.code == 2
    assert "--enforce is for the template admission" in ran.err


def test_the_configuration_decides(folder: Folder) -> None:
    folder.write("on.conf", "[Global]\n[LoadBalancer]\ncreate-monitor = true\n")
    folder.write("off.conf", "[Global]\n[LoadBalancer]\ncreate-monitor = false\n")
    name = "ccmcheck-svc-local-no-monitor"
    on, off = (
        named(folder.render("admission", "--cloud-config", f"{state}.conf").out, "ValidatingAdmissionPolicy")[name]
        for state in ("on", "off")
    )
    without = "!(('loadbalancer.openstack.org/enable-health-monitor' in variables.annotations))"
    problems = [
        next(one["expression"] for one in policy["spec"]["variables"] if one["name"] == "problems")
        for policy in (on, off)
    ]
    plain = [without.replace("((", "(").replace("))", ")") in expression for expression in problems]
    assert plain == [False, True]


def test_a_cloud_conf_without_load_balancers_leaves_nothing_to_judge(folder: Folder) -> None:
    ran = folder.render("admission", "--set", "enabled=false")
    assert documents(ran.out) == []
    assert "nothing to judge" in ran.out


def test_no_secret_of_the_cloud_conf_is_in_them(folder: Folder) -> None:
    conf = f'[Global]\npassword = {SECRET}\napplication-credential-secret = {SECRET}\n[LoadBalancer]\n[LoadBalancerClass "g"]\n'
    folder.write("cloud.conf", conf)
    for options in ((), ("--with-secrets",), ("--enforce",)):
        ran = folder.render("admission", "--cloud-config", "cloud.conf", *options)
        assert SECRET not in ran.out + ran.err
        assert named(ran.out, "ValidatingAdmissionPolicy")


def test_a_class_with_odd_letters_stays_a_text() -> None:
    text = policies('[LoadBalancer]\n[LoadBalancerClass "o\'g\\\\x"]\nsubnet-id = x\n', catalog.newest(), enforce=False)
    policy = named(text, "ValidatingAdmissionPolicy")["ccmcheck-svc-class"]
    problems = next(one["expression"] for one in policy["spec"]["variables"] if one["name"] == "problems")
    assert "['o\\'g\\\\x']" in problems
    assert PREFIX in problems
