"""The sets of timers: their figures are those of ``predict``, and each bar lies where its text says."""

from __future__ import annotations

import re

import pytest
from review_made import FIXED, OFF, ON, nodes, predicted, service

from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.html import inline
from ccmcheck.review.create_monitor.tradeoff import Tradeoff, own_timing, tradeoff
from ccmcheck.review.page.review import tradeoff_blocks


def table(of: Tradeoff) -> b.Table:
    found, _ = tradeoff_blocks(of)
    assert isinstance(found, b.Table)
    return found


def notes(of: Tradeoff) -> str:
    _, found = tradeoff_blocks(of)
    assert isinstance(found, b.Paragraph)
    return inline(found.text)


def bars(of: Tradeoff, column: str) -> dict[str, b.Bar | str]:
    """The cells of a column by the names of their rows."""
    shown = table(of)
    at = shown.columns.index(column)
    return {inline(row[0]).partition("<")[0]: row[at] for row in shown.rows}  # type: ignore[misc]


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
    assert upstream.silent.most == 30
    assert [one.name for one in of.sets] == ["local-fast", "upstream = after", "balanced", "large"]


def test_without_monitors_it_shows_what_they_would_be() -> None:
    found = predicted(OFF, service("TCP/80 UDP/53"), nodes(20))
    of = tradeoff([found], None, {})
    assert of is not None
    assert (of.kind, of.others, of.pools, of.nodes, of.amphorae) == ("TCP", ("UDP-CONNECT",), 2, 20, 0)
    assert own_timing([found]) is None
    assert "one amphora each is assumed" in notes(of)


def test_nodes_that_are_not_counted_leave_probes_a_node() -> None:
    found = predicted(ON, service(), None)
    of = tradeoff([found], 1, {})
    assert of is not None
    assert not of.is_counted
    shown = table(of)
    assert "probes/s a node" in shown.columns
    assert "probes/s in all" not in shown.columns
    assert all(len(row) == len(shown.columns) for row in shown.rows)


@pytest.mark.parametrize("provider", ["f5", "octavia-of-somebody"])
def test_a_provider_of_whose_probes_nothing_is_known_has_no_chart(provider: str) -> None:
    found = predicted(f"{ON}lb-provider = {provider}\n", service(), nodes(3))
    assert tradeoff([found], 1, {}) is None


def test_silence_that_is_never_noticed_is_said_and_has_no_bar() -> None:
    found = predicted(f"{ON}lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", service("UDP/53"), nodes(3))
    of = tradeoff([found], None, {})
    assert of is not None
    assert set(bars(of, "out if it is silent").values()) == {"never"}
    assert all(isinstance(cell, b.Bar) for cell in bars(of, "out if it refuses").values())


def test_a_bar_lies_where_its_text_says() -> None:
    found = predicted(ON, service("TCP/80 TCP/443"), nodes(12))
    of = tradeoff([found], 2, {})
    assert of is not None
    spans = [span for one in of.sets for span in (one.refused, one.silent) if span is not None]
    longest = max(span.most for span in spans)
    drawn = [bar for name in ("out if it refuses", "out if it is silent") for bar in bars(of, name).values()]
    assert len(drawn) == len(spans)
    for bar in drawn:
        assert isinstance(bar, b.Bar)
        least, most = (float(number) for number in re.findall(r"[\d.]+", bar.text))
        assert (bar.start, bar.end) == pytest.approx((least / longest, most / longest))
    probes = [bar for bar in bars(of, "probes/s in all").values() if isinstance(bar, b.Bar)]
    assert max(bar.end for bar in probes) == 1
    assert [bar.end for bar in probes] == sorted((bar.end for bar in probes), reverse=True)


@pytest.mark.parametrize(("start", "end"), [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.2, 0.201)])
def test_a_bar_is_seen_and_stays_within_its_column(start: float, end: float) -> None:
    _, x, width = re.findall(r'width="([\d.]+)"|x="([\d.]+)" width="([\d.]+)"', inline(b.Bar("3 s", start, end)))[1]
    assert float(width) >= 1
    assert 0 <= float(x) <= float(x) + float(width) <= 100
