"""The matrix against the facts it was made from, and the questions that cloud.conf alone can ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccmcheck import catalog
from ccmcheck.policy.matrix import ROWS, first_row
from ccmcheck.policy.records import Advice, Question, Via
from ccmcheck.policy.timers import PROFILES, UPSTREAM, smallest_within_budget
from ccmcheck.policy.verdict import for_config

FACTS = Path(__file__).resolve().parents[3] / "shared" / "facts" / "decision-matrix.json"
ADVICE = {
    None: Advice.NONE,
    True: Advice.ON,
    False: Advice.OFF,
    "either": Advice.EITHER,
    "true-if-timers-else-false": Advice.ON_WITH_TIMERS,
    "annotation-on-local-only": Advice.ON_FOR_LOCAL,
}
R = catalog.release
VIA = {None: Via.NOWHERE, "config": Via.CONFIG, "annotation": Via.ANNOTATION}


@pytest.mark.skipif(not FACTS.exists(), reason="the facts are not beside the repository")
def test_rows_agree_with_the_facts() -> None:
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    rows = {row.id: row for row in ROWS}
    assert set(rows) == {fact["id"] for fact in facts["rows"]}
    assert [row.id for row in ROWS] == ["M18", *(fact["id"] for fact in facts["rows"] if fact["id"] != "M18")]
    for fact in facts["rows"]:
        row = rows[fact["id"]]
        assert row.advice is ADVICE[fact["cm"]], row.id
        assert row.via is VIA[fact["via"]], row.id
        assert (row.when.policy or "") == fact["when"].get("etp", ""), row.id
        assert (row.when.protocol or "") == fact["when"].get("proto", ""), row.id


@pytest.mark.skipif(not FACTS.exists(), reason="the facts are not beside the repository")
def test_timers_agree_with_the_facts() -> None:
    facts = json.loads(FACTS.read_text(encoding="utf-8"))["timers"]
    assert [(one.name, f"{one.delay}s", f"{one.timeout}s", one.retries, one.down) for one in PROFILES] == [
        (fact["name"], fact["delay"], fact["timeout"], fact["retries"], fact["down"]) for fact in facts
    ]


def test_timers_keep_the_invariants() -> None:
    for one in PROFILES:
        assert 0 < one.timeout < one.delay
        assert 1 <= one.retries <= 10
        assert 1 <= one.down <= 10
        assert one.delay >= 3, "UDP-CONNECT needs that much"


def test_every_row_has_a_reason_and_a_source() -> None:
    for row in ROWS:
        assert row.why
        assert row.source


@pytest.mark.parametrize(
    ("question", "row"),
    [
        (Question(R("1.36"), driver="amphora", policy="Local"), "M13"),
        (Question(R("1.36"), driver="amphora", policy="Local", client_ip=True), "M12"),
        (Question(R("1.36"), driver="amphora", policy="Cluster"), "M15"),
        (Question(R("1.27"), driver="amphora", policy="Cluster", drops_unready=True), "M16"),
        (Question(R("1.26"), driver="amphora", policy="Cluster"), "M16"),
        (Question(R("1.36"), driver="amphora", policy="Cluster", strict_mtls=True), "M14"),
        (Question(R("1.36"), driver="amphora", policy="Local", serial=True), "M04"),
        (Question(R("1.27"), driver="amphora", policy="Local", serial=True), "M13"),
        (Question(R("1.36"), driver="ovn", policy="Local", serial=True), "M08"),
        (Question(R("1.36"), driver="ovn", policy="Cluster", protocols=("SCTP",)), "M05"),
        (Question(R("1.25"), driver="ovn", policy="Local"), "M06"),
        (Question(R("1.25"), driver="ovn", policy="Cluster"), "M09"),
        (Question(R("1.36"), driver="ovn", policy="Cluster", fip_fix=False), "M07"),
        (Question(R("1.22"), driver="amphora", policy="Local"), "M10"),
        (Question(R("v1.23.0"), driver="amphora", policy="Local"), "M03"),
        (Question(R("v1.23.1"), driver="amphora", policy="Local"), "M13"),
        (Question(R("1.30"), driver="amphora", policy="Local", protocols=("UDP",), http_on_udp=False), "M11"),
        (Question(R("1.17"), driver="amphora", policy="Local"), "M02"),
        (Question(R("1.36"), driver="other"), "M17"),
        (Question(R("1.36"), driver="amphora", policy="Local", enabled=False), "M01"),
        (Question(R("1.36"), driver="amphora", policy="Local", over_quota=True), "M18"),
        (Question(R("1.36"), driver="amphora", in_tree=True), "M02"),
        (Question(R("1.36"), driver="amphora"), ""),
        (Question(R("1.36"), policy="Local"), ""),
    ],
)
def test_the_first_row_that_matches_counts(question: Question, row: str) -> None:
    found = first_row(question)
    assert (found.id if found is not None else "") == row


@pytest.mark.parametrize(
    ("release", "driver", "serial", "value", "for_any"),
    [
        ("1.36", "amphora", False, True, "M15"),
        ("1.36", "amphora", True, True, "M15"),
        ("1.26", "amphora", False, True, ""),
        ("1.36", "ovn", False, True, "M09"),
        ("1.25", "ovn", False, None, "M09"),
        ("v1.23.0", "amphora", False, False, ""),
        ("1.36", "other", False, True, "M17"),
        ("1.36", None, False, None, ""),
        ("1.17", "amphora", None, False, ""),
    ],
)
def test_a_config_is_judged_by_what_any_cluster_has(
    release: str, driver: str | None, serial: bool | None, value: bool | None, for_any: str
) -> None:
    verdict = for_config(catalog.release(release), driver, serial)
    assert verdict.value is value
    assert (verdict.for_any.id if verdict.for_any is not None else "") == for_any


def test_more_nodes_need_slower_timers() -> None:
    assert smallest_within_budget(500) is UPSTREAM
    assert [getattr(smallest_within_budget(nodes), "name", None) for nodes in (501, 1000, 1500, 1501)] == [
        "balanced",
        "balanced",
        "large",
        None,
    ]
