"""Laws of what is recommended: nothing raises, and nothing that works is broken by following it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from predict_cases import NEWEST, RELEASES, Json, manifest, nodes, options

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.advice.deciding import Decision, decide
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.matrix_row import Demands

LISTED = st.lists(
    st.sampled_from(["TCP/80", "TCP/443", "UDP/53", "TCP/53", "SCTP/2905"]), min_size=1, max_size=3, unique=True
).map(" ".join)
ANNOTATIONS: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {},
    optional={
        "enable-health-monitor": st.sampled_from(["true", "false", "maybe"]),
        "proxy-protocol": st.sampled_from(["true", "v2"]),
        "x-forwarded-for": st.just("true"),
        "health-monitor-delay": st.sampled_from(["1", "3", "0", "x", "3000000"]),
        "health-monitor-timeout": st.sampled_from(["1", "90"]),
        "health-monitor-max-retries": st.sampled_from(["0", "1", "11"]),
        "service.beta.kubernetes.io/openstack-internal-load-balancer": st.just("true"),
    },
)
SERVICES = st.builds(
    lambda listed, annotations, policy: read_service(
        manifest(listed, annotations, externalTrafficPolicy=policy), allocate=False
    ),
    LISTED,
    ANNOTATIONS,
    st.sampled_from(["Local", "Cluster"]),
)
TEXTS = st.builds(
    lambda *lines: "".join(line + "\n" for line in lines if line),
    st.sampled_from(["", "create-monitor=true", "create-monitor=false"]),
    st.sampled_from(
        ["", "monitor-delay=2s\nmonitor-timeout=1s", "monitor-delay=500ms", "monitor-delay=0", "monitor-delay=90s"]
    ),
    st.sampled_from(["", "monitor-max-retries=0", "monitor-max-retries-down=0", "monitor-timeout=50s"]),
    st.sampled_from(["", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT", "lb-provider=octavia", "lb-provider=f5"]),
    st.sampled_from(["", "", "provider-requires-serial-api-calls=true", "enabled=false"]),
)
CLOUDS = st.builds(
    lambda count, octavia, ovn, topology, quota: CloudState(
        facts=ClusterFacts(octavia_release=octavia, ovn_octavia_release=ovn, topology=topology, monitor_quota=quota),
        nodes=None if count is None else nodes(count),
    ),
    st.sampled_from([None, 0, 1, 12, 60, 250]),
    st.sampled_from(["", "train", "2024.1"]),
    st.sampled_from(["", "1.0.0", "3.1.0", "7.0.1"]),
    st.sampled_from(["", "SINGLE", "ACTIVE_STANDBY"]),
    st.sampled_from([None, None, -1, 0, 2, 100]),
)
FLAGS = st.sampled_from([None, True, False])
DECISIONS = st.builds(
    lambda text, release, services, cloud, *flags: decide(options(text, release), services, cloud, Demands(*flags)),
    TEXTS,
    st.sampled_from([*RELEASES, "v1.23.0", NEWEST, NEWEST]),
    st.lists(SERVICES, max_size=3),
    CLOUDS,
    FLAGS,
    FLAGS,
    FLAGS,
)


@given(DECISIONS)
@settings(max_examples=150)
def test_nothing_that_octavia_takes_is_refused_afterwards(found: Decision) -> None:
    for one in found.services:
        if one.now.outcome is Outcome.ACCEPTED and not found.config.stop:
            assert one.then.outcome is Outcome.ACCEPTED, (one.then.why, found.keys, one.annotations)


@given(DECISIONS)
@settings(max_examples=150)
def test_every_service_gets_what_its_row_says(found: Decision) -> None:
    for one in found.services:
        wanted = one.wants
        known = one.then.plans and one.then.outcome in (Outcome.ACCEPTED, Outcome.REFUSED, Outcome.FAILS)
        annotated = behaviours_of(found.config.release)["monitor-annotation"]
        if wanted is not None and known and annotated and found.verdict.value is not None:
            assert all((plan.monitor is not None) is wanted for plan in one.then.plans)


@given(DECISIONS)
@settings(max_examples=150)
def test_following_it_leaves_nothing_to_recommend(found: Decision) -> None:
    if found.config.stop or found.verdict.value is None:
        return
    once = decide(found.config, [one.service for one in found.services], found.cloud)
    if once.verdict.value is None:
        return
    again = decide(once.changed, [one.changed for one in once.services], once.cloud)
    assert again.verdict.value == once.verdict.value
    assert again.keys[:1] == once.keys[:1]
    assert not any(one.annotations for one in again.services)
