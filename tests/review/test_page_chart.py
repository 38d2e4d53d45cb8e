"""The chart: every name has a place of its own, axes hold what they show, and its figures are those of ``predict``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_made import FIXED, OFF, ON, nodes, predicted, service

from ccmcheck.catalog import octavia
from ccmcheck.policy.create_monitor.timers import PROFILES, UPSTREAM
from ccmcheck.predict.verdicts.detection import Span
from ccmcheck.review.create_monitor.tradeoff import own_timing, tradeoff
from ccmcheck.review.page.chart import NARROW, WIDE, Box, Mark, chart
from ccmcheck.review.page.plotted import plot

SIZES = (WIDE, NARROW)
seconds = st.integers(1, 90)


@st.composite
def sets(draw: st.DrawFn) -> list[Mark]:
    """The profiles on some cluster, and up to two sets of the cluster's own."""
    pools = draw(st.integers(1, 400)) * draw(st.integers(1, 300))
    timers = [(one.name, False, one.delay, one.down) for one in PROFILES]
    timers += [
        (name, True, draw(seconds), draw(st.integers(1, 10)))
        for name in draw(st.sampled_from([[], ["after"], ["before", "after"]]))
    ]
    return [
        Mark(
            name,
            own,
            pools / delay,
            Span((down - 1) * delay, down * delay),
            draw(st.just(Span(down * delay, down * delay + 5)) | st.none()),
        )
        for name, own, delay, down in timers
    ]


@settings(max_examples=60, deadline=None)
@given(sets(), st.sampled_from(SIZES))
def test_no_name_covers_a_bar_or_another_name(marks: list[Mark], size: tuple[int, int]) -> None:
    found = chart(marks, size, "probes", "seconds")
    boxes = [one.box for one in found.names]
    assert {one.text for one in found.names} == {one.name for one in marks}
    for at, box in enumerate(boxes):
        others = [*boxes[:at], *(bar.box for bar in found.bars)]
        assert not [other for other in others if box.meets(other, 0)]
        assert box.x >= 0
        assert box.x + box.width <= size[0]
        assert box.y >= 0


@settings(max_examples=60, deadline=None)
@given(sets(), st.sampled_from(SIZES))
def test_bars_and_ticks_stand_within_the_axes(marks: list[Mark], size: tuple[int, int]) -> None:
    found = chart(marks, size, "probes", "seconds")
    plot_box = found.plot
    for bar in found.bars:
        assert plot_box.y - 1 <= bar.box.y
        assert bar.box.y + bar.box.height <= plot_box.y + plot_box.height + 4.5
        assert plot_box.x - 10 <= bar.box.x <= plot_box.x + plot_box.width
    for ticks in (found.across, found.up):
        assert 2 <= len(ticks) <= 14
        assert [float(tick.text) for tick in ticks] == sorted(float(tick.text) for tick in ticks)
    assert [tick.at for tick in found.across] == sorted(tick.at for tick in found.across)
    assert min(b.at - a.at for a, b in zip(found.across, found.across[1:], strict=False)) >= 20


def test_far_figures_make_an_axis_of_ratios_and_say_so() -> None:
    marks = [Mark("fast", False, 1, Span(1, 2), None), Mark("slow", True, 900, Span(3600, 7200), None)]
    found = chart(marks, WIDE, "probes", "seconds")
    assert found.across_title == "probes (logarithmic)"
    assert found.up_title == "seconds (logarithmic)"
    low, high = (next(bar.box for bar in found.bars if bar.text.startswith(name)) for name in ("fast", "slow"))
    assert low.x < high.x
    assert low.y > high.y


def test_boxes_meet() -> None:
    assert Box(0, 0, 10, 10).meets(Box(12, 0, 5, 5))
    assert not Box(0, 0, 10, 10).meets(Box(12, 0, 5, 5), 1)


def test_the_figures_are_those_of_predict() -> None:
    found = predicted(ON, service("TCP/80 TCP/443", policy="Local"), nodes(12), topology="ACTIVE_STANDBY")
    of = tradeoff([found], 2, {"after": own_timing([found]) or FIXED})
    assert of is not None
    upstream = next(one for one in of.sets if one.name == "upstream = after")
    probes, dead = found.answer("probes"), found.answer("dead-node")
    assert probes is not None
    assert dead is not None
    assert upstream.node == probes.numbers["per_node"]
    assert upstream.total == pytest.approx(probes.numbers["total"])
    for span, name in ((upstream.refused, "refused"), (upstream.silent, "silent"), (upstream.back, "back")):
        assert span is not None
        assert [span.least, span.most] == dead.numbers[name]
    assert upstream.silent is not None
    assert upstream.silent.most == octavia.silent_seconds("amphora", UPSTREAM.delay, UPSTREAM.timeout, UPSTREAM.down)
    assert [one.name for one in of.sets] == ["local-fast", "upstream = after", "balanced", "large"]


def test_without_monitors_it_shows_what_they_would_be() -> None:
    found = predicted(OFF, service("TCP/80 UDP/53"), nodes(20))
    of = tradeoff([found], None, {})
    assert of is not None
    assert (of.kind, of.others, of.pools, of.nodes, of.amphorae) == ("TCP", ("UDP-CONNECT",), 2, 20, 0)
    assert own_timing([found]) is None
    assert "one amphora each is assumed" in " ".join(plot(of).notes)


def test_nodes_that_are_not_counted_leave_probes_a_node() -> None:
    found = predicted(ON, service(), None)
    of = tradeoff([found], 1, {})
    assert of is not None
    assert not of.counted
    shown = plot(of)
    assert shown.wide is not None
    assert shown.wide.across_title == "probes per second, on each node"
    assert "probes/s in all" not in shown.columns
    assert all(len(row.figures) == len(shown.columns) for row in shown.rows)


@pytest.mark.parametrize("provider", ["f5", "octavia-of-somebody"])
def test_a_provider_of_whose_probes_nothing_is_known_has_no_chart(provider: str) -> None:
    found = predicted(f"{ON}lb-provider = {provider}\n", service(), nodes(3))
    assert tradeoff([found], 1, {}) is None


def test_silence_that_is_never_noticed_is_said_and_has_no_bar() -> None:
    found = predicted(f"{ON}lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", service("UDP/53"), nodes(3))
    of = tradeoff([found], None, {})
    assert of is not None
    shown = plot(of)
    assert shown.wide is not None
    assert {bar.kind for bar in shown.wide.bars} == {"refused"}
    assert all("never" in row.figures for row in shown.rows)
    assert "never where it is silent" in shown.description
