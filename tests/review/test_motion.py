"""The first screen of the page on create-monitor, its length, and that nothing is said twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from page_read import read
from test_question import API, HEAD, WEB, page

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.policy.create_monitor.story import OPTIONS
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.report.document import blocks as b
from ccmcheck.review.create_monitor.answer import Asked, JudgedConfig, answer
from ccmcheck.review.create_monitor.motion import EXAMPLE
from ccmcheck.review.create_monitor.report import as_lines, first_screen, folded
from ccmcheck.review.page.writing import question_page

CASES = ("amphora", "ovn", "unknown", "quota", "one-node-count-missing")
MOST_WORDS, MOST_OUTSIDE, MOST_INSIDE, MOST_ROWS = 1500, 120, 150, 10
RUN = 8
"""Words in a row that are a statement of their own."""


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("case", CASES)
def test_the_first_screen_is_short(case: str) -> None:
    found = page(case)
    (table,) = [block for block in first_screen(found) if isinstance(block, b.Table)]
    assert len(table.rows) <= MOST_ROWS
    assert words(" ".join(" ".join(map(str, row)) for row in (table.columns, *table.rows))) <= MOST_INSIDE
    text = "\n".join(as_lines(found, "text"))
    screen = text[: text.index("The draft's options")]
    inside = screen[screen.index("applies to") : screen.index("To decide")]
    assert words(screen.replace(inside, "")) <= MOST_OUTSIDE


@pytest.mark.parametrize("case", CASES)
def test_the_whole_page_is_short_and_all_but_the_first_screen_is_folded(case: str) -> None:
    found = page(case)
    assert words("\n".join(as_lines(found, "text"))) <= MOST_WORDS
    assert all(section.folded == "closed" for section in folded(found, verbose=0))
    html = read(question_page(found)).every("main")[0]
    assert words(html.text) <= MOST_WORDS
    titles = [one.text for one in html.every("summary")]
    markdown = "\n".join(as_lines(found, "markdown"))
    assert markdown.count("<details>") == len(titles) == len(tuple(folded(found, verbose=0)))
    assert words(markdown[: markdown.index("<details>")]) <= MOST_OUTSIDE + MOST_INSIDE + 60  # marks of the table
    first = html.every("section")[0]
    assert len(first.every("table")) == 2  # the motion's, and the picture
    assert not [table for table in html.every("details") if table.every("svg")]


@pytest.mark.parametrize("case", CASES)
def test_every_statement_stands_once(case: str) -> None:
    text = " | ".join(as_lines(page(case), "text"))
    said = re.sub(r"\[[^]]*\]|https?://\S+|\([^)]*\)", " | ", text)
    runs: Counter[str] = Counter()
    for part in re.split(r"[|.;:·]\s", said):
        listed = re.findall(r"[\w-]+", part)
        runs.update(" ".join(listed[at : at + RUN]) for at in range(len(listed) - RUN + 1))
    assert not [run for run, count in runs.items() if count > 1]


def test_the_figures_are_those_of_the_configuration_that_is_moved() -> None:
    found = page("amphora")
    assert found.recommendation.config == {"create-monitor": "true"}
    assert not any(case.annotations for case in found.services)
    timers = {
        tuple(plan.monitor[name] for name in ("delay", "timeout", "max_retries"))
        for case in found.services
        for plan in (case.then.plans if case.then is not None else ())
        if plan.monitor is not None
    }
    assert timers == {(5, 3, 1)}
    assert "checks every 5 s, timeout 3 s, out after 3 failures, back after 1" in " ".join(as_lines(found, "text"))


def test_the_shares_are_those_of_the_model() -> None:
    off, on = page("amphora").first_connections
    model = redispatch.first_connections("ROUND_ROBIN", 12, 3, 5)
    assert model is not None
    assert (off.label, off.at_once, off.waiting, off.closed) == (
        "shop/web: 12 nodes, 3 with a pod",
        model.at_once,
        model.waiting,
        model.closed,
    )
    assert on.at_once == redispatch.Share(1, 1)
    assert page("unknown").first_connections[0].label == "example: {} nodes, {} with a pod".format(*EXAMPLE)


def test_each_of_the_drafts_options_stands_with_what_it_takes() -> None:
    found = page("amphora")
    assert [one.number for one in found.options] == [1, 2, 3, 4, 5] == [one.number for one in OPTIONS]
    assert all(all(one[1:]) for one in found.options)
    assert found.options[0].rollout == "nothing changes"
    assert found.options[1].rollout.startswith("3 monitors, 2 Services, one after another")
    assert found.options[4].rollout.startswith("all 2 load balancers created anew")
    assert found.setting[:2] == ("amphora", 3)
    assert page("ovn").setting[0] == "OVN, provider with the floating IP fix"
    old = answer(
        JudgedConfig(read_options(f"{HEAD}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "1.36")),
        [Asked(API)],
        CloudState(facts=ClusterFacts(ovn_octavia_release="4.0.1")),
    )
    assert old.setting[1] == 1


def test_what_tenants_may_create_is_judged_beside_the_services_given() -> None:
    found = answer(JudgedConfig(read_options(HEAD, "1.36")), [Asked(WEB)], CloudState())
    assert [(case.service, case.row, case.stand_in) for case in found.tenants] == [
        ("any Service with policy Cluster", "M15", True),
        ("any Service with policy Local", "M13", True),
    ]
    for case in found.tenants:
        assert case.now is not None
        assert case.then is not None
        assert not any(plan.monitor for plan in case.now.plans)
        assert all(plan.monitor for plan in case.then.plans)
    assert page("unknown").tenants == ()


def test_of_several_pages_the_first_says_what_holds_for_all() -> None:
    first, further = ("\n".join(as_lines(page("amphora"), "text", first=above)) for above in (None, page("ovn")))
    assert "What others set" in first
    assert "SCS k8s-cluster-api-provider installs CCM v1.28.2 by default" in " ".join(first.split())
    assert "What others set" not in further
    assert "The decision for each" in further
    assert words(further) <= MOST_OUTSIDE + 2 * MOST_INSIDE
