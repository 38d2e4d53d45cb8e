"""The page on create-monitor where conditions leave several configurations, and where nothing changes."""

from __future__ import annotations

import pytest
from page_read import read
from test_question import API, HEAD, WEB

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options, read_options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.review.create_monitor.answer import Asked, JudgedConfig, answer
from ccmcheck.review.create_monitor.records import MotionRow, QuestionPage
from ccmcheck.review.create_monitor.report import as_lines
from ccmcheck.review.create_monitor.words import headline
from ccmcheck.review.page.writing import question_page

ON = "create-monitor=true\n"
OVN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
NOTHING = "nothing changes"


def options(text: str, where: str = "", *, unknown: tuple[str, ...] = ()) -> Options:
    return read_options(HEAD + text, "1.36")._replace(where=where, open=unknown)


def page(*each: Options, services: tuple[Service, ...] = (), cloud: CloudState = CloudState()) -> QuestionPage:  # noqa: B008
    return answer(JudgedConfig(each[0], "cloud.conf", each=each), [Asked(one) for one in services], cloud)


def row(found: QuestionPage, label: str) -> MotionRow:
    (one,) = [one for one in found.motion if label in one.label]
    return one


def test_what_holds_under_all_conditions_is_the_answer() -> None:
    found = page(options(ON + OVN, "{% if ovn %}"), options(ON, "no condition"))
    assert headline(found.recommendation) == "Leave create-monitor on"
    assert found.recommendation.rows == ("M15", "M13", "M09", "M08")
    assert found.provider == "amphora or ovn"
    assert found.setting.name == "amphora and OVN mixed"
    assert [case.row for case in found.services] == ["M15 or M09", "M13 or M08"]
    assert row(found, "scripts")[1:] == ("Cluster passes, Local passes", "as now")
    assert row(found, "dead node").now == (
        "amphora: in 15 s (refused) or 30 s (silent); ovn: in 15 s (refused) or 24 s (silent)"
    )
    assert "known after rendering only: lb-method, lb-provider; judged for each of amphora and ovn" in found.notes
    then = found.services[0].then
    dead = then.answer("dead-node") if then is not None else None
    assert dead is not None
    assert dead.good is True
    assert [one["silent"] for one in dead.numbers["each"]] == [[25, 30], [19, 24]]  # type: ignore[attr-defined]


def test_a_provider_that_only_rendering_gives_is_judged_as_each() -> None:
    found = page(options(ON, unknown=("lb-provider", "lb-method")))
    assert headline(found.recommendation) == "Leave create-monitor on"
    assert row(found, "client's address").now == "amphora: hidden; ovn: kept with Local"


def test_where_conditions_disagree_nothing_is_advised() -> None:
    old = [one._replace(release=read_options("", "1.25").release) for one in (options(ON + OVN), options(ON))]
    found = page(*old, services=(WEB,))
    assert found.recommendation.value is None
    assert found.recommendation.config == {}
    assert "it depends on what is known after rendering only: amphora: true; ovn: false" in found.recommendation.why


def test_a_switch_that_differs_by_condition_is_not_known() -> None:
    found = page(options(ON, "{% if on %}"), options("", "else"))
    assert found.recommendation.value is True
    assert found.recommendation.now is None
    assert row(found, "existing").then.startswith("by condition: nothing changes or change when")


def test_nothing_changes_where_the_switch_is_on() -> None:
    found = page(options(ON))
    assert [row(found, label)[1:] for label in ("existing", "can break", "monitors", "ingress")] == [
        ("", NOTHING),
        ("a closed health check port takes all nodes down: first risk below", "as now"),
        ("one for each port", "as now"),
        ("monitor and PROXY", "unchanged"),
    ]


def test_annotations_alone_do_not_wait_for_a_restart() -> None:
    found = page(options(""), services=(WEB, API), cloud=CloudState(facts=ClusterFacts(monitor_quota=2)))
    assert found.recommendation.config["create-monitor"] == "false"
    assert row(found, "existing").then.startswith("those of annotated Services change at once")
    assert row(found, "dead node").then.startswith("in 15 s (refused) or 30 s (silent), when its Node is deleted at")


@pytest.mark.parametrize(
    ("services", "now"),
    [("p", "brought by PROXY"), ("pw", "hidden, but 1 of 2 Services have PROXY"), ("w", "hidden")],
)
def test_a_service_with_proxy_does_not_hide_the_address(services: str, now: str) -> None:
    proxied = API._replace(annotations={"loadbalancer.openstack.org/proxy-protocol": "true"})
    found = page(options(""), services=tuple({"p": proxied, "w": WEB}[one] for one in services))
    assert row(found, "client's address").now == now


def test_of_a_release_that_is_assumed_the_page_says_since_when_the_answer_is_the_same() -> None:
    assumed = JudgedConfig(options(""), "cloud.conf", "assumed: the newest, because 2 are equally near")
    found = answer(assumed, [], CloudState())
    assert found.source == "assumed: the newest; the same answer from 1.27 on, because 2 are equally near"
    rows = [case.row for case in found.services]
    for minor, same in (("1.27", True), ("1.26", False)):
        older = answer(JudgedConfig(read_options(HEAD, minor)), [], CloudState())
        assert ([case.row for case in older.services] == rows) is same
    assert page(options("")).source == ""


def test_of_several_configurations_each_is_named_and_what_is_common_stands_once() -> None:
    first, same = page(options("")), page(options(""))._replace(config="other.conf")
    ovn = page(options(OVN))._replace(config="third.conf")
    text = "\n".join(as_lines(same, "text", first=first))
    assert "Configuration other.conf" in text
    assert "What to write and all figures are as above." in text
    assert "[LoadBalancer]" not in text
    assert "applies to" not in text
    differs = "\n".join(as_lines(ovn, "text", first=first))
    assert "What differs from the motion above" in differs
    assert "kept with Local" in differs
    html = read(question_page(first, same, ovn)).every("main")[0].text
    assert "other.conf" in html
    assert "third.conf" in html
    assert html.count("What would change the answer") == 1
