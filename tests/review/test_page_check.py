"""The check of any folder's page on create-monitor: pages of the samples pass, and a wrong figure is seen."""

from __future__ import annotations

import pytest
from page_check import faults, main
from root import ROOT
from test_question import page

from ccmcheck.predict.verdicts.redispatch import Share


@pytest.mark.parametrize("folder", ["samples/scs", "samples/review"])
def test_the_pages_of_the_samples_pass(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ROOT / folder), "--", "--nodes", "12"]) == 0
    assert capsys.readouterr().out.endswith("0 wrong\n")


def test_a_wrong_figure_is_seen() -> None:
    right = page("amphora")
    assert list(faults(right)) == []
    for label in ("a dead node is out", "monitors", "probes a second"):
        rows = [row._replace(then="7 and in 7 s") if row.label == label else row for row in right.motion]
        assert any(label in one for one in faults(right._replace(motion=tuple(rows)))), label
    shares = right.first_connections[0]._replace(at_once=Share(0.5, 0.5))
    assert any("at once" in one for one in faults(right._replace(first_connections=(shares,))))


def test_a_long_page_is_seen() -> None:
    long = page("amphora")
    assert any("words" in one for one in faults(long._replace(config="word " * 2000)))
