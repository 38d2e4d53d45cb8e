"""The matrix against the facts it was made from, and the questions that cloud.conf alone can ask."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ccmcheck import catalog
from ccmcheck.policy.create_monitor.matrix import BY_ID, ROWS, first_row, walk
from ccmcheck.policy.create_monitor.records import Advice, MatrixQuestion, MatrixRow, Via
from ccmcheck.policy.create_monitor.timers import (
    BALANCED,
    LARGE,
    LOCAL_FAST,
    PROFILES,
    UPSTREAM,
    Timers,
    pick,
    smallest_within_budget,
)
from ccmcheck.policy.create_monitor.verdict import for_config, for_service, for_services

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


MEASURED = ("M19", "M20")
"""Rows that the facts do not have: measured, or read in OVN, later."""
TAGS = (
    "v1.17.0", "v1.18.0", "v1.22.2", "v1.23.0", "v1.23.1", "v1.25.6", "v1.26.0", "v1.27.0", "v1.28.0", "v1.29.0",
    "v1.30.0", "v1.36.0",
)  # fmt: skip
SWITCHES = ("enabled", "serial", "client_ip", "strict_mtls", "fip_fix", "http_on_udp", "over_quota", "drops_unready")


@pytest.mark.skipif(not FACTS.exists(), reason="the facts are not beside the repository")
def test_rows_agree_with_the_facts() -> None:
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    rows = {row.id: row for row in ROWS if row.id not in MEASURED}
    assert list(rows) == ["M18", *(fact["id"] for fact in facts["rows"] if fact["id"] != "M18")]
    for fact in facts["rows"]:
        row = rows[fact["id"]]
        assert row.advice is ADVICE[fact["cm"]], row.id
        assert row.via is VIA[fact["via"]], row.id
        assert (row.when.policy or "") == fact["when"].get("etp", ""), row.id
        assert (row.when.protocol or "") == fact["when"].get("proto", ""), row.id


def _by_facts(rows: list[dict[str, Any]], known: dict[str, Any]) -> str:
    """The row that the facts give, by an evaluator that shares nothing with the matrix."""
    ordered = [row for row in rows if row["id"] == "M18"] + [row for row in rows if row["id"] != "M18"]
    for row in ordered:
        conditions = dict(row["when"])
        if row["id"] == "M01" and not known["enabled"]:
            return "M01"
        if all(_holds(name, wanted, known) for name, wanted in conditions.items()):
            if row["id"] == "M15" and known["drops_unready"] and R(known["release"]) < R("v1.30.0"):
                return "M16"
            return str(row["id"])
    return ""


def _holds(name: str, wanted: Any, known: dict[str, Any]) -> bool:
    if name == "occm":
        release = R(known["release"])
        bounds = [part for part in str(wanted).split(" ")[0].split(",") if part]
        found = []
        for bound in bounds:
            sign, version = re.fullmatch(r"([<>=]+)([\d.]+)", bound).groups()  # type: ignore[union-attr]  # else it fails
            tag = R(f"v{version}" if version.count(".") == 2 else f"v{version}.0")
            found.append({"<": release < tag, ">=": release >= tag, "==": release == tag}[sign])
        return all(found)
    if name == "provider":
        driver = str(known["driver"])
        return driver != "ovn" if wanted == "!ovn" else driver == wanted
    if name == "octavia_api":
        return not known["http_on_udp"]
    if name == "needed_monitors":
        return bool(known["over_quota"])
    names = {"lb_enabled": "enabled", "etp": "policy", "proto": "protocol", "need_client_ip": "client_ip"}
    names["ovn_fip_fix"] = "fip_fix"
    return bool(known[names.get(name, name)] == wanted)


@pytest.mark.part(of=4)
@pytest.mark.skipif(not FACTS.exists(), reason="the facts are not beside the repository")
@pytest.mark.parametrize("tag", TAGS)
def test_every_combination_comes_to_the_row_of_the_facts(tag: str) -> None:
    rows = json.loads(FACTS.read_text(encoding="utf-8"))["rows"]
    release = R(tag)
    seen = set()
    for driver, policy, protocol in product(("amphora", "ovn", "other"), ("Local", "Cluster"), ("TCP", "UDP", "SCTP")):
        for values in product((True, False), repeat=len(SWITCHES)):
            switches = dict(zip(SWITCHES, values, strict=True))
            known = {"release": tag, "driver": driver, "policy": policy, "protocol": protocol, **switches}
            wanted = _by_facts(rows, known)
            if wanted == "M08" and protocol == "UDP":
                wanted = "M20"  # OVN counts silence as success
            question = MatrixQuestion(
                release,
                driver,
                policy,
                (protocol,),
                proxy=True,
                refused=False,
                **switches,
            )
            found = first_row(question)
            seen.add(wanted)
            assert (found.id if found is not None else "") == wanted, known
    assert len(seen) >= 3


def test_what_was_measured_wins_over_the_facts() -> None:
    cluster = MatrixQuestion(R("1.36"), "amphora", "Cluster", ("TCP",), strict_mtls=True, proxy=False)
    found = first_row(cluster)
    assert found is not None
    assert found.id == "M15", "a plain TCP check ends before the backend accepts it"
    refused = MatrixQuestion(R("1.36"), "amphora", "Cluster", ("TCP", "UDP"), refused=True)
    assert walk(refused)[-1].row.id == "M19"
    assert not any("ranges" in action.lower() for action in BY_ID["M08"].actions), "OVN's probes pass security groups"


def test_a_walk_says_why_a_row_does_not_match() -> None:
    trials = walk(MatrixQuestion(R("1.31"), "amphora", "Local", ("TCP",), serial=False, refused=False))
    said = {trial.row.id: (trial.judgement.matches, trial.judgement.why) for trial in trials}
    assert next(iter(said)) == "M18"
    assert list(said)[-1] == "M13"
    assert said["M18"] == (None, "--monitor-quota")
    assert said["M01"] == (False, "the CCM handles it")
    assert said["M03"] == (False, "it is for CCM v1.23.0 alone")
    assert said["M04"] == (False, "calls are not made one by one")
    assert said["M05"] == (False, "lb-provider is amphora")
    assert said["M12"] == (None, "--client-ip")
    assert said["M13"] == (True, "")


def test_a_walk_without_an_answer_tries_all_rows_and_says_what_is_needed() -> None:
    trials = walk(MatrixQuestion(R("1.36"), None, "Local", ("TCP",), refused=False))
    assert len(trials) == len(ROWS)
    assert not any(trial.judgement.matches for trial in trials)
    assert "lb-provider" in {need for trial in trials for need in trial.judgement.needs}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_judging_and_matching_are_of_one_mind(row: MatrixRow) -> None:
    for driver, policy, serial, gate, refused in product(
        (None, "amphora", "ovn", "other"), ("Local", "Cluster"), (None, True), (None, True, False), (None, True, False)
    ):
        for tag in ("v1.17.0", "v1.23.0", "v1.25.6", "v1.29.0", "v1.36.0"):
            question = MatrixQuestion(
                R(tag), driver, policy, ("TCP", "UDP"), serial=serial, drops_unready=gate, refused=refused, fip_fix=gate
            )
            assert (row.judge(question).matches is True) is row.matches(question)


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
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Local"), "M13"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Local", client_ip=True), "M12"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Cluster"), "M15"),
        (MatrixQuestion(R("1.27"), driver="amphora", policy="Cluster", drops_unready=True), "M16"),
        (MatrixQuestion(R("1.26"), driver="amphora", policy="Cluster"), "M16"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Cluster", strict_mtls=True, proxy=True), "M14"),
        (MatrixQuestion(R("1.30"), driver="amphora", policy="Cluster", drops_unready=True), "M15"),
        (MatrixQuestion(R("1.36"), driver="ovn", policy="Local", protocols=("TCP", "UDP")), "M20"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Local", serial=True), "M04"),
        (MatrixQuestion(R("1.27"), driver="amphora", policy="Local", serial=True), "M13"),
        (MatrixQuestion(R("1.36"), driver="ovn", policy="Local", serial=True), "M08"),
        (MatrixQuestion(R("1.36"), driver="ovn", policy="Cluster", protocols=("SCTP",)), "M05"),
        (MatrixQuestion(R("1.25"), driver="ovn", policy="Local"), "M06"),
        (MatrixQuestion(R("1.25"), driver="ovn", policy="Cluster"), "M09"),
        (MatrixQuestion(R("1.36"), driver="ovn", policy="Cluster", fip_fix=False), "M07"),
        (MatrixQuestion(R("1.22"), driver="amphora", policy="Local"), "M10"),
        (MatrixQuestion(R("v1.23.0"), driver="amphora", policy="Local"), "M03"),
        (MatrixQuestion(R("v1.23.1"), driver="amphora", policy="Local"), "M13"),
        (MatrixQuestion(R("1.30"), driver="amphora", policy="Local", protocols=("UDP",), http_on_udp=False), "M11"),
        (MatrixQuestion(R("1.17"), driver="amphora", policy="Local"), "M02"),
        (MatrixQuestion(R("1.36"), driver="other"), "M17"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Local", enabled=False), "M01"),
        (MatrixQuestion(R("1.36"), driver="amphora", policy="Local", over_quota=True), "M18"),
        (MatrixQuestion(R("1.36"), driver="amphora", in_tree=True), "M02"),
        (MatrixQuestion(R("1.36"), driver="amphora"), ""),
        (MatrixQuestion(R("1.36"), policy="Local"), ""),
    ],
)
def test_the_first_row_that_matches_counts(question: MatrixQuestion, row: str) -> None:
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


@pytest.mark.parametrize(
    ("rows", "now", "timed", "value"),
    [
        (("M13", "M15"), False, True, True),
        (("M13", "M04"), False, True, True),
        (("M08", "M06"), None, True, True),
        (("M16", "M16"), True, True, True),
        (("M16", "M14"), False, True, False),
        (("M16",), None, True, None),
        (("M05",), True, True, False),
        (("M03", "M03"), True, True, False),
        (("M18", "M18"), True, True, False),
        (("M02",), True, True, True),
        (("M02",), True, False, False),
        (("M01", "M15"), False, True, True),
        (("M01",), False, True, None),
        ((), False, True, None),
    ],
)
def test_one_value_serves_all_services(
    rows: tuple[str, ...], now: bool | None, timed: bool, value: bool | None
) -> None:
    verdict = for_services([BY_ID[row] for row in rows], now=now, timed=timed)
    assert verdict.value is value
    assert verdict.why


def test_a_service_is_distinguished_by_its_policy_where_the_quota_does_not_suffice() -> None:
    assert for_service(BY_ID["M18"], "Local") is True
    assert for_service(BY_ID["M18"], "Cluster") is False
    assert for_service(BY_ID["M14"], "Cluster") is False
    assert for_service(BY_ID["M16"], "Cluster") is None
    assert for_service(None, "Local") is None


@pytest.mark.parametrize(
    ("driver", "policy", "nodes", "ports", "topology", "chosen"),
    [
        ("amphora", "Local", 12, 2, "SINGLE", LOCAL_FAST),
        ("amphora", "Local", 21, 2, "SINGLE", UPSTREAM),
        ("amphora", "Cluster", 12, 2, "SINGLE", UPSTREAM),
        ("amphora", "Cluster", 51, 2, "SINGLE", BALANCED),
        ("amphora", "Cluster", 50, 6, "SINGLE", UPSTREAM),
        ("amphora", "Cluster", 50, 6, "ACTIVE_STANDBY", BALANCED),
        ("amphora", "Cluster", 50, 6, "", BALANCED),
        ("amphora", "Local", 20, 10, "ACTIVE_STANDBY", UPSTREAM),
        ("amphora", "Cluster", 201, 1, "SINGLE", LARGE),
        ("amphora", "Cluster", 1000, 9, "ACTIVE_STANDBY", LARGE),
        ("ovn", "Local", 3, 1, "", BALANCED),
        ("ovn", "Cluster", 300, 1, "ACTIVE_STANDBY", LARGE),
        ("other", "Local", 3, 1, "", UPSTREAM),
        ("amphora", "Local", None, 1, "SINGLE", None),
        (None, "Local", 3, 1, "SINGLE", None),
    ],
)
def test_timers_are_the_fastest_that_are_meant_and_within_the_budget(
    driver: str | None, policy: str, nodes: int | None, ports: int, topology: str, chosen: Timers | None
) -> None:
    found = pick(driver, policy, nodes, ports, topology)
    assert found.timers is chosen
    assert found.why
    assert bool(found.needs) is (chosen is None)


def test_a_budget_of_ones_own_slows_the_checks() -> None:
    assert pick("amphora", "Cluster", 12, 1, "SINGLE", 2).timers is BALANCED
    above = pick("amphora", "Cluster", 12, 1, "SINGLE", 0.1)
    assert above.timers is LARGE
    assert "above the budget of 0.1" in above.why
