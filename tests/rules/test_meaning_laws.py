"""Laws over many texts for the rules about names, load balancers and logins; and files with known findings."""

from __future__ import annotations

from collections import Counter

import pytest
from casework import conf_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import Case

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.edits import apply
from ccmcheck.base.model import Applicability, Problem
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules import GROUP_OF, GROUPS, rule
from ccmcheck.rules.registry import ENTRIES

NAMES = GROUPS["names"] + GROUPS["loadbalancer"] + GROUPS["auth"]
SECRET = "S3cr3tWord"

DEMO = """\
[LoadBalancer]
use-octavia = True
create-monitor = True
monitor-delay = 3
monitor-max-retries = 3
monitor-timeout = 1
"""

RIGHT = """\
[Global]
auth-url = "https://keystone.example.com:5000/v3"
application-credential-id = "2c0f9a7d4e5b4c0f8a1b2c3d4e5f6a7b"
application-credential-secret = "s3cret#with;signs"
region = "RegionOne"
ca-file = "/etc/config/ca.pem"

[Networking]
public-network-name = "public"
internal-network-name = "nodes"
ipv6-support-disabled = "false"

[LoadBalancer]
floating-network-id = "5f3c2a1b-0000-4000-8000-000000000001"
subnet-id = "5f3c2a1b-0000-4000-8000-000000000002"
lb-provider = "amphora"
lb-method = "ROUND_ROBIN"
create-monitor = "true"
monitor-delay = "5s"
monitor-timeout = "3s"
monitor-max-retries = "1"
monitor-max-retries-down = "3"
manage-security-groups = "true"
max-shared-lb = "2"

[LoadBalancerClass "internal"]
network-id = "5f3c2a1b-0000-4000-8000-000000000003"

[Route]
router-id = "5f3c2a1b-0000-4000-8000-000000000005"

[Metadata]
search-order = "configDrive,metadataService"
request-timeout = "60s"
"""

HEADERS = (
    "[Global]",
    "[global]",
    '[Global "b"]',
    "[LoadBalancer]",
    '[LoadBalancer "x"]',
    '[LoadBalancerClass "a"]',
    "[Networking]",
    "[Network]",
    "[Router]",
    "[Route]",
    "[BlockStorage]",
    "[KeyManager]",
    "[Metadata]",
    "[Foo]",
    "[Broken",
)
KEYS = (
    "auth-url",
    "auth_url",
    "username",
    "user-id",
    "password",
    "domain-name",
    "domain-id",
    "user-domain-name",
    "tenant-id",
    "tenant-name",
    "project-id",
    "application-credential-id",
    "application-credential-name",
    "application-credential-secret",
    "ApplicationCredentialSecret",
    "os-password",
    "token",
    "insecure",
    "tls-insecure",
    "interface",
    "identity-api-version",
    "use-clouds",
    "clouds-file",
    "ca-file",
    "secret-name",
    "trusteeid",
    "tlsinsecure",
    "create-monitor",
    "create-montior",
    "createMonitor",
    "enable-health-monitor",
    "health-monitor-delay",
    "proxy-protocol",
    "monitor-delay",
    "monitor-timeout",
    "monitor-max-retries",
    "monitor-max-retries-down",
    "monitor-retries",
    "lb-provider",
    "lb-method",
    "manage-security-groups",
    "provider-requires-serial-api-calls",
    "enable-ingress-hostname",
    "use-octavia",
    "enabled",
    "subnet-id",
    "router-id",
    "address-sort-order",
    "bs-version",
    "ignore-volume-az",
    "hash",
    "nothing",
)
VALUES = (
    "",
    "true",
    "false",
    "yes",
    "5",
    "5s",
    "1m",
    "0",
    "10",
    "30",
    "ovn",
    "amphora",
    "f5",
    "ROUND_ROBIN",
    "SOURCE_IP_PORT",
    "SOURCE_IP",
    "internal",
    "publicURL",
    "https://k/v3",
    "http://k:5000",
    "keystone/v3",
    '" https://k "',
    "/etc/config/ca.pem",
    "10.0.0.0/8,fd00::/8",
    '"quoted # text"',
    "x # comment",
    "a\\b",
    SECRET,
)
MARKED = (
    "${ALL}",
    "{{ all }}",
    "{% if x %}",
    "{% endif %}",
    "[${SECTION}]",
    "${KEY}-id = x",
    "project-id = ${ID}",
    "insecure = {{ i }}",
    "use-octavia = ${O}",
    "create-montior = ${M}",
    "health-monitor-delay = ${D}",
    "monitor-delay = ${D}s",
    "monitor-timeout = {{ t }}",
    "lb-provider = ${P}",
    "lb-method = ${L}",
    "password = ${PW}",
    "auth-url = http://${HOST}:5000",
    "router-id = ${R}",
    "tenant-id = ${T} # ${C}",
)
line = st.one_of(
    st.sampled_from(HEADERS),
    st.builds(lambda key, equals, value: key + equals + value, *map(st.sampled_from, (KEYS, ("=", " = ", ""), VALUES))),
    st.sampled_from(("", "# comment", "  ; comment")),
)
texts = st.builds(
    lambda lines, newline, last: newline.join(lines) + last,
    st.lists(line, max_size=14),
    st.sampled_from(("\n", "\r\n")),
    st.sampled_from(("", "\n")),
)
releases = st.sampled_from(("1.14", "1.17", "1.18", "1.20", "v1.23.0", "1.25", "v1.27.2", "v1.31.1", "1.36"))
run_contexts = st.sampled_from(
    (None, RunContext(facts=ClusterFacts(nodes=1500, kubernetes_version="1.32", octavia_release="2024.1")))
)


def all_problems(conf: CloudConf) -> list[tuple[str, Problem]]:
    return [(name, problem) for name in NAMES for problem in rule(name).check(conf)]


def everything(text: str, release: str = "") -> list[tuple[str, Problem]]:
    conf = conf_of(Case(text, release=release))
    names = [name for name in GROUP_OF if not ENTRIES[name].kinds]
    return [(name, problem) for name in names for problem in rule(name).check(conf)]


@settings(max_examples=300)
@given(texts, releases, run_contexts)
def test_a_fix_corrects_its_problem(text: str, release: str, run_context: RunContext | None) -> None:
    case = Case(text, release=release, run_context=run_context)
    conf = conf_of(case)
    found = all_problems(conf)
    for name, problem in found:
        assert problem.label
        assert not problem.label.endswith(".")
        for span in (problem.span, *(note.span for note in problem.notes)):
            assert 0 <= span.start <= span.end <= len(text)
        if problem.fix is None:
            continue
        fixed = apply(text, sorted(problem.fix.edits))
        assert fixed != text
        after = conf_of(case._replace(text=fixed))
        count = [(other, one.label) for other, one in found].count((name, problem.label))
        left = [one for one in rule(name).check(after) if one.label == problem.label]
        assert len(left) < count, (problem, fixed)
        assert len(after.reading.stops) <= len(conf.reading.stops), (problem, fixed)


@settings(max_examples=200)
@given(texts, releases)
def test_a_safe_fix_of_a_name_changes_no_value(text: str, release: str) -> None:
    conf = conf_of(Case(text, release=release))
    for name in GROUPS["names"]:
        for problem in rule(name).check(conf):
            if problem.fix is None or problem.fix.applicability is not Applicability.SAFE or conf.reading.stops:
                continue
            after = conf_of(Case(apply(text, sorted(problem.fix.edits)), release=release))
            assert after.reading.values == conf.reading.values, problem


@settings(max_examples=200)
@given(texts, releases)
def test_an_ignored_name_is_reported_once(text: str, release: str) -> None:
    conf = conf_of(Case(text, release=release))
    places = Counter(problem.span for name in GROUPS["names"] for problem in rule(name).check(conf))
    assert all(count == 1 for count in places.values()), places


@settings(max_examples=150)
@given(st.sampled_from(HEADERS), st.sampled_from(KEYS), releases)
def test_no_message_contains_a_secret(header: str, key: str, release: str) -> None:
    text = f"{header}\n{key}={SECRET}\npassword={SECRET}\nusername=u\ntoken='{SECRET}\n"
    for name, problem in all_problems(conf_of(Case(text, release=release))):
        words = [problem.label, problem.detail, problem.help, *(note.text for note in problem.notes)]
        words.append(problem.fix.title if problem.fix is not None else "")
        assert SECRET not in " ".join(words), name


@settings(max_examples=200)
@given(st.lists(st.one_of(line, st.sampled_from(MARKED)), max_size=12), releases)
def test_no_fix_changes_a_template_mark(lines: list[str], release: str) -> None:
    text = "\n".join(lines)
    conf = conf_of(Case(text, release=release, template=True))
    for _, problem in all_problems(conf):
        for edit in problem.fix.edits if problem.fix is not None else ():
            for mark in conf.carried.marks:
                assert edit.end <= mark.start or edit.start >= mark.end, problem


@settings(max_examples=200)
@given(st.text(alphabet="[]=\"'\\#;_-abglmt {}$%\n\r\t\u00a0\udce9", max_size=60))
def test_no_text_raises(text: str) -> None:
    for _, problem in all_problems(conf_of(Case(text))):
        assert problem.span.end <= len(text)


def test_the_text_of_the_blog_has_three_findings() -> None:
    assert [(name, DEMO[: problem.span.start].count("\n") + 1) for name, problem in everything(DEMO)] == [
        ("key-removed", 2),
        ("duration-bad", 4),
        ("duration-bad", 6),
    ]


@pytest.mark.parametrize("release", ["1.28", "v1.30.0", "1.31", "v1.32.0", "1.36", "master"])
def test_a_correct_file_has_no_findings(release: str) -> None:
    rules = [name for name, _ in everything(RIGHT, release)]
    assert rules == ["ccm-release-bug"] * (release == "1.28")  # which has bugs that some clouds show


def test_a_correct_file_for_ovn_has_no_findings() -> None:
    ovn = RIGHT.replace('"amphora"', '"ovn"').replace("ROUND_ROBIN", "SOURCE_IP_PORT")
    assert everything(ovn) == []


@pytest.mark.parametrize(
    "text",
    [
        "[Global]\nuse-clouds = true\nclouds-file = /etc/openstack/clouds.yaml\n",
        "[Global]\nsecret-name = openstack-credentials\nsecret-namespace = kube-system\nkubeconfig-path =\n",
        "[Metadata]\nhash = 0123456789abcdef\n",
        '[Global]\nuser = u\nserver = s\n[VirtualCenter "1.2.3.4"]\ndatacenters = d\n[Network]\npublic-network = n\n',
        "[Global]\nproject-id = p\ntoken-url = nil\nnetwork-name = n\nnode-tags = t\n",
        "[Global]\nZone = z\nKubernetesClusterTag = c\nVPC = v\n",
        '[Global "a"]\nauth-url = https://k/v3\n',
        "[BlockStorage]\nbs-version = v3\nignore-volume-az = true\n",
        "[LoadBalancer]\nlb-version = v2\ncreate-monitor = True\n",
        "[LoadBalancer]\ncreate-monitor\nlb-method = SOURCE_IP\n",
        "[Networking]\npublic-network-name = a\npublic-network-name = b\n",
    ],
)
def test_what_is_no_mistake_is_not_reported(text: str) -> None:
    assert [(name, problem.label) for name, problem in all_problems(conf_of(Case(text)))] == []


def test_a_misspelt_key_is_not_reported_as_missing() -> None:
    text = "[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\nproject-name=t\nproject-domain-name=d\nuser-domain-name=d\n"
    assert [name for name, _ in all_problems(conf_of(Case(text)))] == [
        "openrc-name-as-key",
        "openrc-name-as-key",
        "auth-password",
    ]
