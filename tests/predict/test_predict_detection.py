"""How long a dead member stays in, held to what HAProxy took under Octavia's own configuration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from predict_cases import facts, prediction_of

from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import HealthCheck, Seconds

_SLACK = 0.6
"""Seconds by which the measurement may miss: it polled twice a second."""


def test_measured_times_are_within_what_is_predicted() -> None:
    known = 0
    for case in facts("timing.json")["results"]:
        if case["failure"] == "hang":
            continue  # a host that accepts and then says nothing is not predicted
        known += 1
        timers = (case["delay"], case["timeout"], case["max_retries"], case["max_retries_down"])
        found = driver_of("amphora").times(HealthCheck("TCP", case["type"], *timers))
        out = found.silent if case["failure"] == "hole" else found.refused
        for span, measured in ((out, case["to_down_min_mean_max"]), (found.back, case["to_up_min_mean_max"])):
            assert span is not None
            assert span.least - _SLACK <= measured[0], case
            assert measured[2] <= span.most + _SLACK, case
    assert known == 8


@given(
    st.integers(1, 3600),
    st.integers(0, 3600),
    st.integers(1, 10),
    st.integers(1, 10),
    st.sampled_from(["amphora", "ovn"]),
)
def test_a_node_without_a_pod_is_gone_at_the_latest_time_of_its_check(
    delay: int, timeout: int, rise: int, fall: int, driver: str
) -> None:
    found = driver_of(driver).times(HealthCheck("TCP", "TCP", delay, timeout, rise, fall))
    assert found.silent is not None
    assert found.refused is not None
    gone = found.silent if driver == "ovn" else found.refused
    assert gone.most == driver_of(driver).gone_seconds(delay, timeout, fall)


@given(
    st.sampled_from(["amphora", "ovn", "f5", "nobody"]),
    st.sampled_from(["TCP", "HTTP", "PROXY", "UDP", "SCTP"]),
    st.sampled_from(["TCP", "HTTP", "UDP-CONNECT", "SCTP"]),
    st.tuples(st.integers(0, 10**12), st.integers(0, 10**12), st.integers(1, 10), st.integers(1, 10)),
)
def test_spans_are_ordered_and_silence_is_never_noticed_sooner(
    driver: str, pool: str, kind: str, timers: tuple[int, int, int, int]
) -> None:
    found = driver_of(driver).times(HealthCheck(pool, kind, *timers))
    for span in (found.refused, found.silent, found.back):
        assert span is None or 0 <= span.least <= span.most
    if found.silent is not None:
        assert found.refused is not None
        assert found.refused.most <= found.silent.most
    assert found.known or driver == "nobody"


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (Seconds(10, 15), "10–15 s"),
        (Seconds(5, 5), "5 s"),
        (Seconds(0.5, 2.25), "0.5–2.25 s"),
        (Seconds(999_999, 1_000_000), "999999–1000000 s"),
        (Seconds(1_234_567, 12_345_678), "1234567–12345678 s"),
    ],
)
def test_spans_read_well(span: Seconds, text: str) -> None:
    assert str(span) == text


@pytest.mark.parametrize(
    ("delay", "fall", "out"),
    [(5, 3, Seconds(15, 16)), (299, 3, Seconds(897, 898)), (300, 3, Seconds(900, 900)), (400, 3, Seconds(900, 900))],
)
def test_f5_takes_one_second_more_than_its_failures_and_900_at_most(delay: int, fall: int, out: Seconds) -> None:
    found = driver_of("f5").times(HealthCheck("TCP", "TCP", delay, 3, 2, fall))
    assert (found.refused, found.silent, found.back) == (out, out, Seconds(0, delay))
    assert found.known


def test_nothing_is_known_of_another_driver() -> None:
    found = driver_of("other").times(HealthCheck("TCP", "TCP", 5, 3, 1, 3))
    assert (found.refused, found.silent, found.back, found.known) == (None, None, None, False)


@pytest.mark.parametrize(
    ("driver", "pool", "kind", "timers", "refused", "silent", "back"),
    [
        # HAProxy: (f-1)d .. fd; (f-1)(d+w)+w .. +d with w = min(d, connect); (r-1)d .. rd
        ("amphora", "TCP", "TCP", (2, 1, 3, 3), (4, 6), (10, 12), (4, 6)),
        ("amphora", "TCP", "TCP", (10, 3, 2, 2), (10, 20), (20, 30), (10, 20)),
        # keepalived: fd .. (f+1)d, silent fd + (f+1)t .. (f+1)(d+t); max_retries is not rendered
        ("amphora", "UDP", "TCP", (10, 2, 4, 2), (20, 30), (26, 36), (0, 10)),
        # ovn: (f-1)d .. fd; (f-1)(d+t)+t .. f(d+t); (r-1)d .. rd
        ("ovn", "TCP", "TCP", (10, 2, 4, 2), (10, 20), (14, 24), (30, 40)),
        ("ovn", "UDP", "UDP-CONNECT", (10, 2, 2, 2), (10, 22), None, (10, 20)),
    ],
)
def test_other_timers(
    driver: str,
    pool: str,
    kind: str,
    timers: tuple[int, int, int, int],
    refused: tuple[int, int],
    silent: tuple[int, int] | None,
    back: tuple[int, int],
) -> None:
    found = driver_of(driver).times(HealthCheck(pool, kind, *timers))
    assert (found.refused, found.back) == (Seconds(*refused), Seconds(*back))
    assert found.silent == (None if silent is None else Seconds(*silent))
    assert found.known


def test_no_provider_means_octavias_default() -> None:
    assert driver_of("") is driver_of("amphora") is driver_of("octavia")
    assert driver_of("f5").name == "f5"
    assert not driver_of("Amphora").is_known
    assert driver_of(None) != driver_of("x")


@pytest.mark.parametrize(
    ("listed", "text", "good", "words"),
    [
        ("TCP/80", "create-monitor=true\n", True, "10–15 s (refused) or 25–30 s (silent), back after 0–5 s"),
        ("TCP/80", "create-monitor=true\nmonitor-delay=10s\n", True, "20–30 s (refused) or 35–45 s (silent)"),
        ("UDP/53", "create-monitor=true\n", False, "port 53/UDP: a host that answers with ICMP unreachable is out"),
        ("TCP/80", "", False, "stays in rotation until its Node object is deleted"),
        (
            "TCP/80",
            "create-monitor=true\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
            True,
            "10–15 s (refused) or 19–24 s (silent)",
        ),
    ],
)
def test_the_verdict_on_a_dead_node(listed: str, text: str, *, good: bool, words: str) -> None:
    answer = prediction_of(listed, text).answer("dead-node")
    assert answer is not None
    assert answer.good is good
    assert words in answer.text
    assert answer.evidence


@pytest.mark.parametrize(
    ("release", "words"), [("1.26", "once the service controller"), ("1.27", "until its Node object")]
)
def test_unready_nodes_stay_since_1_27(release: str, words: str) -> None:
    answer = prediction_of(release=release).answer("dead-node")
    assert answer is not None
    assert words in answer.text
