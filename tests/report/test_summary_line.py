"""The run in one sentence stays a line, however many clusters a repository has."""

from __future__ import annotations

from ccmcheck.base.result import LintResult, Summary
from ccmcheck.report.document.style import Style
from ccmcheck.report.tally import summary_line


def _line(releases: tuple[str, ...], source: str = "") -> str:
    return summary_line(LintResult(summary=Summary(releases=releases, release_source=source)), Style(color=False))


def test_few_releases_are_named_with_their_source() -> None:
    line = _line(("1.30", "1.31"), "from a.yaml, from b.yaml")
    assert "judged as CCM 1.30, CCM 1.31 (from a.yaml, from b.yaml)" in line


def test_many_releases_are_counted() -> None:
    releases = tuple(f"v1.{minor}.{patch}" for minor in range(20, 37) for patch in range(3))
    line = _line(releases, ", ".join(f"from clusters/{release}/ccm.yaml" for release in releases))
    assert "judged as CCM v1.20.0, CCM v1.20.1, CCM v1.20.2 and 48 other releases; `ccmcheck list` says" in line
    assert len(line) < 250


def test_a_long_source_is_left_to_list() -> None:
    line = _line(("1.31",), ", ".join(f"from clusters/{number}/ccm.yaml" for number in range(40)))
    assert "judged as CCM 1.31 (`ccmcheck list` says why)" in line
