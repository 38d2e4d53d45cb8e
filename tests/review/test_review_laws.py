"""Laws: unchanged files report no change; nothing raises; every form can be written."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from review_cases import CONF, PREFIX, manifest, side

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.review.change.compare import review
from ccmcheck.review.change.json_form import as_data
from ccmcheck.review.change.points import ORDER
from ccmcheck.review.change.records import Fate, Review
from ccmcheck.review.change.report import as_markdown, as_text

Json = dict[str, Any]

KEYS = (
    "create-monitor", "monitor-delay", "monitor-timeout", "monitor-max-retries", "monitor-max-retries-down",
    "lb-provider", "lb-method", "internal-lb", "manage-security-groups", "floating-network-id", "subnet-id",
    "member-subnet-id", "enable-ingress-hostname", "node-selector", "flavor-id", "availability-zone",
    "provider-requires-serial-api-calls", "use-octavia", "enabled", "lb-version", "unknown-key",
)  # fmt: skip
VALUES = ("true", "false", "5", "0", "5s", "500ms", "ovn", "amphora", "SOURCE_IP_PORT", "LEAST_CONNECTIONS", "", "${X}")
RELEASES = ("1.14", "1.18", "1.19", "1.22", "v1.23.0", "1.25", "v1.26.0", "1.28", "1.31", "1.36", "master")

CONFIGS = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES)), max_size=5).map(
    lambda keys: CONF + "".join(f"{key} = {value}\n" for key, value in keys)
)
ANNOTATIONS = st.dictionaries(
    st.sampled_from(
        [
            "enable-health-monitor", "proxy-protocol", "x-forwarded-for", "lb-method", "class", "timeout-client-data",
            "connection-limit", "health-monitor-delay", "network-id", "load-balancer-id", "keep-floatingip", "hostname",
        ]
    ),
    st.sampled_from(["true", "false", "v2", "5", "0", "x", ""]),
    max_size=3,
)  # fmt: skip
SERVICES = st.builds(
    lambda listed, annotations, spec: manifest("web", listed, annotations, **spec),
    st.sampled_from(["TCP/80", "TCP/80 TCP/443", "TCP/53 UDP/53", "SCTP/9", "UDP/53/30053"]),
    ANNOTATIONS,
    st.fixed_dictionaries(
        {},
        optional={
            "externalTrafficPolicy": st.sampled_from(["Local", "Cluster"]),
            "loadBalancerSourceRanges": st.just(["10.0.0.0/8"]),
            "loadBalancerClass": st.just("other.example/lb"),
            "allocateLoadBalancerNodePorts": st.just(False),
            "ipFamilies": st.sampled_from([["IPv4"], ["IPv6", "IPv4"]]),
            "type": st.sampled_from(["LoadBalancer", "ClusterIP", "${TYPE}"]),
            "ports": st.sampled_from([[], None, "80"]),
        },
    ),
)
AROUND = st.fixed_dictionaries(
    {},
    optional={
        "nodes": st.sampled_from([None, 0, 1, 3]),
        "monitor_quota": st.sampled_from([-1, 0, 1, 3]),
        "topology": st.sampled_from(["SINGLE", "ACTIVE_STANDBY"]),
        "octavia_release": st.sampled_from(["queens", "2024.1"]),
    },
)


def _forms(found: Review) -> None:
    for verbose in (0, 2):
        for line in (*as_text(found, verbose=verbose), *as_markdown(found, verbose=verbose)):
            assert printable(line) == line
    assert json.loads(json.dumps(as_data(found), allow_nan=False))["version"] == 2


@settings(max_examples=100)
@given(CONFIGS, SERVICES, st.sampled_from(RELEASES), AROUND)
def test_what_stays_changes_nothing(conf: str, service: Json, release: str, around: Json) -> None:
    known = side(conf, [service], release=release, **around)
    found = review(known, side(conf, [service], release=release, **around))
    assert found.points == ()
    assert all(one.is_quiet for one in found.services)
    assert not any(one.restart or one.settings for one in found.configs)
    _forms(found)


@settings(max_examples=100)
@given(CONFIGS, CONFIGS, SERVICES, SERVICES, st.sampled_from(RELEASES), st.sampled_from(RELEASES), AROUND)
def test_any_change_is_reported(
    old: str, new: str, before: Json, after: Json, release: str, new_release: str, around: Json
) -> None:
    found = review(side(old, [before], release=release, **around), side(new, [after], release=new_release, **around))
    _forms(found)
    places = [(-point.severity, not point.is_good, ORDER.index(point.kind)) for point in found.points]
    assert places == sorted(places)
    for point in found.points:
        if point.severity >= Severity.WARNING:
            assert point.do
            assert point.evidence or point.kind == "unknown"
    assert all(point.text and point.severity in Severity for point in found.points)
    totals = found.totals
    assert sum(totals.fates.values()) == totals.services == len(found.services)
    assert totals.worse + totals.broken + totals.starts + totals.works <= totals.services
    for one in found.services:
        monitors = one.monitors
        assert min(monitors) >= 0
        assert monitors.before + monitors.made - monitors.deleted == monitors.after
        if one.fate is Fate.UNTOUCHED:
            assert one.requests == ()
        assert PREFIX not in one.service
