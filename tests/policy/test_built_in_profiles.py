"""The profiles that ccmcheck brings: their sources, what they ask for, and that their sources' own files pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from profile_requirements import requirement_of

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.policy.create_monitor.story import SETTERS
from ccmcheck.policy.profiles.loading import load
from ccmcheck.policy.profiles.standards import BUILT_IN


def test_every_built_in_profile_is_a_file_and_every_file_is_one() -> None:
    data = Path(load.__code__.co_filename).parent / "data"
    files = {path.stem for path in data.glob("*.ini")}
    gaps = [
        f'data/{name}.ini is not in BUILT_IN of ccmcheck/policy/profiles/standards.py: add "{name}"'
        for name in sorted(files - set(BUILT_IN))
    ]
    gaps += [
        f"BUILT_IN has {name}, but there is no data/{name}.ini: write it" for name in BUILT_IN if name not in files
    ]
    assert not gaps, "\n".join(gaps)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_profile_tells_its_sources(name: str) -> None:
    profile = load(name)
    assert profile.name == name
    assert profile.title
    assert profile.source
    assert profile.requirements or profile.facts != ClusterFacts()
    for requirement in profile.requirements:
        assert requirement.source, requirement
        if requirement.check not in SOFT and profile.name not in {"kops", "magnum", "gardener"}:
            assert requirement.reason, requirement
        section = catalog.schema(catalog.newest()).section(requirement.section)
        assert section is not None
        assert section.key(requirement.key) is not None or requirement.until or requirement.key == "use-octavia"


@pytest.mark.parametrize(
    ("name", "timers"),
    [("kops", ("15s", "10s", "3")), ("gardener", ("20s", "30s", "2")), ("magnum", ("1m", "30s", "3"))],
)
def test_those_who_turn_monitors_on(name: str, timers: tuple[str, ...]) -> None:
    profile = load(name)
    keys = ("monitor-delay", "monitor-timeout", "monitor-max-retries")
    assert tuple(requirement_of(profile, key).values[0] for key in keys) == timers
    monitor = requirement_of(profile, "create-monitor")
    assert (monitor.check, monitor.values, monitor.severity) == ("equals", ("true",), Severity.INFO)


@pytest.mark.parametrize(
    ("name", "setter"),
    [
        ("kops", "kOps"),
        ("gardener", "Gardener"),
        ("magnum", "Magnum (Heat)"),
        ("openshift", "OpenShift's documentation, Local"),
        ("kubespray", "Kubespray"),
        ("openshift", "OpenShift (CCCMO)"),
        ("scs-capi-provider", "SCS k8s-cluster-api-provider"),
        ("scs-csp-helper", "SCS openstack-csp-helper"),
        ("scs-cluster-stacks", "SCS cluster-stacks, scs2"),
    ],
)
def test_the_table_of_what_others_set_says_the_same(name: str, setter: str) -> None:
    (row,) = [one for one in SETTERS if one.name == setter]
    profile = load(name)
    if row.timers:
        keys = ("monitor-delay", "monitor-timeout", "monitor-max-retries")
        assert "/".join(requirement_of(profile, key).values[0] for key in keys) == row.timers
    monitor = requirement_of(profile, "create-monitor")
    if setter != "OpenShift's documentation, Local":
        assert (monitor.values == ("true",)) is bool(row.value)


def test_what_scs_asks_for_begins_with_1_26() -> None:
    for name in ("scs-csp-helper", "scs-ovn"):
        monitor = requirement_of(load(name), "create-monitor")
        assert (monitor.profile, monitor.values, monitor.since) == (name, ("true",), "1.26")
    assert load("scs-ovn").extends == ("scs-capi-provider",)
    assert requirement_of(load("scs-capi-provider"), "lb-provider").check == "absent"
    assert requirement_of(load("scs-ovn"), "lb-provider").values == ("ovn",)


def test_scs_is_another_name_for_the_successor_and_says_why() -> None:
    alias, named = load("scs"), load("scs-csp-helper")
    assert alias.requirements == named.requirements
    assert alias.extends == ("scs-csp-helper",)
    assert "scs-csp-helper" in alias.title
    for name in ("scs-capi-provider", "scs-csp-helper", "scs-cluster-stacks", "scs-ovn"):
        assert name in alias.note
        assert re.search(r"as of 20\d\d-\d\d-\d\d$", load(name).title)


SCS_KEYS = "manage-security-groups=true\nuse-octavia=true\nenable-ingress-hostname=true\n"


OVN_KEYS = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"


HELPER_KEYS = "manage-security-groups=true\nenable-ingress-hostname=true\ncreate-monitor=true\n"


@pytest.mark.parametrize(
    ("name", "release", "text"),
    [
        ("scs-capi-provider", "1.32", f"[LoadBalancer]\n{SCS_KEYS}"),
        ("scs-capi-provider", "1.32", f"[LoadBalancer]\ncreate-monitor=true\n{SCS_KEYS}"),  # OVN switched off again
        ("scs-ovn", "1.32", f"[LoadBalancer]\ncreate-monitor=true\n{OVN_KEYS}{SCS_KEYS}"),
        ("scs-csp-helper", "1.32", f"[LoadBalancer]\n{HELPER_KEYS}"),
        (
            "scs-csp-helper",
            "1.32",
            f"[LoadBalancer]\n{HELPER_KEYS}{{{{- if .Values.octavia_ovn }}}}\n{OVN_KEYS}{{{{- end }}}}\n",
        ),
        ("scs-csp-helper", "1.28", f"[LoadBalancer]\n{HELPER_KEYS}{OVN_KEYS}"),
        ("scs", "1.32", f"[LoadBalancer]\n{HELPER_KEYS}{OVN_KEYS}"),
        ("scs-cluster-stacks", "1.34", "[Global]\nuse-clouds=true\n"),
    ],
)
def test_no_profile_of_scs_warns_on_what_its_own_source_writes(name: str, release: str, text: str) -> None:
    profile = load(name)
    settings = Settings(judged=(TargetRelease("ccm", catalog.release(release), "--release"),), find=FindOptions())
    looked = Linter(settings, RunContext(requirements=profile.requirements)).lint("cloud.conf", text.encode())
    warned = [finding for finding in looked.findings if finding.rule == "profile" and finding.severity > Severity.INFO]
    assert warned == []


def test_metakube_tells_of_the_cloud_alone() -> None:
    assert load("metakube").facts == ClusterFacts(
        proxy_mode="ipvs", node_cidrs=("192.168.1.0/24",), refused_protocols=("UDP", "HTTP")
    )
