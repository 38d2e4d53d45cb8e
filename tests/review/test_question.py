"""The page on create-monitor: its records, and what it looked like when a person read it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from review_made import nodes

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.policy.create_monitor.story import LINKS, OPTION, RISKS, SET, SETTERS, STEPS, UNSET
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.predict.verdicts.matrix_row import Demands
from ccmcheck.review.create_monitor.answer import Asked, JudgedConfig, answer
from ccmcheck.review.create_monitor.json_form import as_data, walk_data
from ccmcheck.review.create_monitor.records import ASKED, QuestionPage
from ccmcheck.review.create_monitor.report import as_lines
from ccmcheck.review.page.writing import question_page

GOLDEN = Path(__file__).parent / "question"
KEPT = (
    *(("amphora", form) for form in ("txt", "walk.txt", "md", "json")),
    *((case, form) for case in ("ovn", "unknown") for form in ("walk.txt", "txt")),
)
HEAD = "[LoadBalancer]\nfloating-network-id=9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
WEB = Service(
    "web",
    "shop",
    ports=(ServicePort(80, "TCP", 30080, "http"), ServicePort(443, "TCP", 30443, "https")),
    policy="Local",
    check_port=31000,
    replicas=3,
)
API = Service("api", "shop", ports=(ServicePort(6443, "TCP", 30644),))
DNS = Service("dns", "infra", ports=(ServicePort(53, "TCP", 30053, "t"), ServicePort(53, "UDP", 30054, "u")))
SCTP = Service("gtp", "core", ports=(ServicePort(2905, "SCTP", 30055),))


@cache
def page(case: str) -> QuestionPage:
    """The page of one case."""
    text, release, services, cloud, demands = {
        "amphora": (
            "",
            "1.36",
            (WEB, API),
            CloudState(facts=ClusterFacts(topology="ACTIVE_STANDBY", monitor_quota=10), nodes=nodes(12)),
            Demands(),
        ),
        "ovn": (
            "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\ncreate-monitor=true\nmonitor-delay=60s\nmonitor-timeout=30s\n",
            "1.31",
            (WEB, DNS, SCTP),
            CloudState(facts=ClusterFacts(ovn_octavia_release="7.0.1", octavia_release="2024.2"), nodes=nodes(60)),
            Demands(client_ip=True),
        ),
        "unknown": ("", "1.36", (), CloudState(), Demands()),
        "quota": ("", "1.31", (WEB, API), CloudState(facts=ClusterFacts(monitor_quota=2), nodes=nodes(3)), Demands()),
        "one-node-count-missing": ("", "1.36", (WEB,), CloudState(), Demands()),
    }[case]
    config = JudgedConfig(read_options(HEAD + text, release), "cloud.conf", "--release")
    asked = [Asked(one, "web.yaml", number) for number, one in enumerate(services, 1)]
    return answer(config, asked, cloud, demands)


def written(case: str, form: str) -> str:
    found = page(case)
    if form == "txt":
        return "\n".join(as_lines(found, "text", 100)) + "\n"
    if form == "walk.txt":
        return "\n".join(as_lines(found, "text", 100, whole=False)) + "\n"
    if form == "md":
        return "\n".join(as_lines(found, "markdown")) + "\n"
    return json.dumps(as_data(found), indent=1, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(("case", "form"), KEPT)
def test_a_page_reads_as_it_did(case: str, form: str) -> None:
    assert written(case, form) == (GOLDEN / f"{case}.{form}").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", ["amphora", "ovn", "unknown", "quota"])
def test_every_form_is_whole(case: str) -> None:
    found = page(case)
    data: dict[str, Any] = json.loads(json.dumps(as_data(found)))
    assert set(walk_data(found)) < set(data)
    assert data["version"] == 3
    assert data["question"] == ASKED
    assert len(data["timeline"]) == len(STEPS)
    assert len(data["others"]) == len(SETTERS)
    assert all(data[name] for name in ("arguments", "risks", "links", "motion", "options", "first_connections"))
    html = question_page(found)
    text = "\n".join(as_lines(found, "text", verbose=1))
    assert all(link.url in text for link in LINKS)
    for form in (text, "\n".join(as_lines(found, "markdown")), html):
        assert "create-monitor" in form
        assert "None" not in form
        assert "inf" not in form.split()
    for case_ in found.services:
        assert case_.tried[0].row == "M18"


def test_a_comment_is_not_filled_with_services() -> None:
    found = page("amphora")
    many = found._replace(services=found.services * 40)
    short = "\n".join(as_lines(many, "markdown"))
    assert len(short) < 60_000
    assert "… and 60 more Services" in short
    assert "more Services" not in "\n".join(as_lines(many, "markdown", verbose=1))
    assert "… and 60 more Services" in "\n".join(as_lines(many, "text", 100))


def test_the_numbers_are_those_of_the_predictions() -> None:
    figures = {one.name: one for one in page("amphora").figures}
    assert (figures["monitors"].now, figures["monitors"].then) == ("0", "3")
    probes = figures["probes"].numbers
    assert (probes["now"], probes["then"], probes["single"]) == (0.0, 14.4, False)  # 3 × 12 × 2 / 5
    assert figures["wrong-node"].numbers == {
        "now": 0.75,
        "then": 0.0,
        "services": {"shop/web": {"now": 0.75, "then": 0.0}},
    }
    assert figures["wrong-node"].better is True
    assert figures["dead-node"].numbers["now"] is None
    assert figures["dead-node"].better is True
    assert figures["quota"].then == "3 of 10"


def test_times_that_differ_are_said_of_the_services_that_have_them() -> None:
    figures = {one.name: one for one in page("ovn").figures}
    dead = figures["dead-node"]
    # no load balancer of core/gtp is there: Octavia refuses its SCTP monitor, and as recommended it has none
    assert (dead.now, dead.then) == (
        "in 210 s (refused), never if silent at worst",
        "in 30 s (refused) or 45 s (silent), when its Node is deleted at worst",
    )
    assert figures["podless-node"].now == "after 270 s at most"
    two = answer(
        JudgedConfig(read_options(HEAD, "1.36")), [Asked(API), Asked(API._replace(name="b")), Asked(WEB)],
        CloudState(nodes=nodes(3)),
    )  # fmt: skip
    (dead,) = [one for one in two.figures if one.name == "dead-node"]
    # the motion's timers for all of them
    assert (dead.now, dead.then) == ("when its Node is deleted", "in 15 s (refused) or 30 s (silent)")


def test_probes_of_one_amphora_and_of_a_pair_are_told_apart() -> None:
    probes = {one.name: one for one in page("quota").figures}["probes"]
    assert probes.then == "2 (single) or 4 (active-standby)"
    assert (probes.numbers["then"], probes.numbers["then_pair"]) == (2.0, 4.0)


def test_a_service_with_a_known_share_keeps_it_beside_one_without() -> None:
    config = JudgedConfig(read_options(HEAD, "1.36"), "cloud.conf", "--release")
    asked = [Asked(WEB), Asked(WEB._replace(name="blog", replicas=None))]
    cloud = CloudState(facts=ClusterFacts(topology="SINGLE"), nodes=nodes(20))
    figure = {one.name: one for one in answer(config, asked, cloud).figures}["wrong-node"]
    assert figure.now == "85 %"
    assert figure.numbers["now"] == 0.85
    shares = figure.numbers["services"]
    assert shares == {"shop/web": {"now": 0.85, "then": 0.0}, "shop/blog": {"now": None, "then": 0.0}}


def test_every_row_of_what_others_set_has_file_commit_date_and_link_in_every_form() -> None:
    found = page("unknown")
    today = [setter for setter in SETTERS if setter.kind in (SET, OPTION, UNSET)]
    for form, setters in (
        ("\n".join(as_lines(found, "text", verbose=1)), SETTERS),
        ("\n".join(as_lines(found, "markdown")), today),
        (question_page(found), today),
    ):
        plain = form.replace("\\", "").replace("&#x27;", "'")
        for setter in setters:
            read_at = (setter.tag, f":{setter.line} ") if setter.tag else (setter.commit, setter.date)
            for part in (setter.name, setter.repository, setter.path, *read_at, setter.url):
                assert part in plain, (setter.name, part)


def test_the_worst_comes_first_and_what_does_not_hold_comes_last() -> None:
    found = page("ovn")
    order = [reason.name for reason in RISKS]
    for holds in (True, False):
        names = [one.name for one in found.risks if (one.applies is not False) is holds]
        assert names == sorted(names, key=order.index)
    assert [one.applies is False for one in found.risks] == sorted(one.applies is False for one in found.risks)
    risks = {one.name: one for one in found.risks}
    assert risks["refused"].applies is True
    assert "core/gtp" in risks["refused"].here
    assert risks["ovn-updates"].applies is True
    assert risks["monitor-port"].applies is False
    assert risks["ovn-release"].applies is False
    assert risks["udp"].applies is True


def test_a_closed_health_check_port_is_the_first_risk_and_names_the_command() -> None:
    first = page("amphora").risks[0]
    assert (first.name, first.applies) == ("security-group", True)
    assert "openstack security group rule list --ingress" in first.text
    on = answer(JudgedConfig(read_options(f"{HEAD}manage-security-groups=true\n", "1.36")), [Asked(WEB)], CloudState())
    assert [risk.applies for risk in on.risks if risk.name == "security-group"] == [False]
    assert next(row for row in on.motion if row.label == "can break").then.startswith("manage-security-groups opens")
    assert on.risks[0].applies is None


def test_without_services_any_service_is_meant_and_nothing_is_counted() -> None:
    found = page("unknown")
    assert [one.stand_in for one in found.services] == [True, True]
    assert found.figures == ()
    assert found.nodes is None
    assert found.recommendation.value is True
    assert found.recommendation.timers == ""
    assert "--nodes" in found.recommendation.needs
    local = {one.name: one for one in found.arguments}["local"]
    assert local.applies is None


def test_without_a_number_of_nodes_no_rate_is_made_up() -> None:
    found = page("one-node-count-missing")
    figures = {one.name: one for one in found.figures}
    assert figures["probes"].then == "not known"
    assert figures["wrong-node"].numbers["now"] is None
    assert "--nodes" in found.recommendation.needs
    assert found.services[0].timers is None
    assert found.services[0].timers_why == "it depends on the number of nodes"


def test_a_quota_that_does_not_suffice_is_reported_first() -> None:
    found = page("quota")
    assert found.recommendation.value is False
    assert found.recommendation.rows == ("M18",)
    assert [one.row for one in found.services] == ["M18", "M18"]
    figures = {one.name: one for one in found.figures}
    assert figures["quota"].then == "2 of 2 (3 for all ports)"
    assert {one.name: one for one in found.risks}["quota"].applies is True


def test_the_conformance_scripts_pass_once_there_are_monitors() -> None:
    scripts = {one.name: one for one in page("amphora").scripts}
    assert (scripts["default"].now, scripts["default"].then) == (True, True)
    assert (scripts["special"].now, scripts["special"].then) == (False, True)


def test_what_files_say_does_not_reach_a_screen_or_a_page_as_it_is() -> None:
    nasty = WEB._replace(name="<script>alert(1)</script>\x1b[2J|", namespace="shop")
    config = JudgedConfig(read_options(HEAD, "1.36"), "\x1b]0;x\x07<b>", "--release")
    found = answer(config, [Asked(nasty, "a|b<i>.yaml", 1)], CloudState(nodes=nodes(3)))
    text = "\n".join(as_lines(found, "text", 100))
    assert "\x1b" not in text
    markdown = "\n".join(as_lines(found, "markdown"))
    assert "\x1b" not in markdown
    assert "<script>" not in "".join(markdown.split("`")[::2])
    html = question_page(found)
    assert "<script>" not in html
    assert "<b>" not in html
