"""Prometheus' text format: valid, bounded, and without names of files or objects."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from report_sample import CLEAN, HOSTILE, HOSTILE_PATH, PLAIN, SAMPLE, written

from ccmcheck.base.result import LintResult, Summary
from ccmcheck.report.prometheus import PrometheusReporter

HOSTILE_CONTEXT = 'ad\\min"@\npr\x1bod\udcff' + "x" * 5000


def lines(result: LintResult) -> dict[str, str]:
    """The values of a run by name and labels."""
    text = "".join(PrometheusReporter(PLAIN, clock=lambda: 1_795_000_000.25).report(result))
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))


def test_findings_are_counted_by_severity_and_by_rule() -> None:
    values = lines(SAMPLE)
    assert values['ccmcheck_findings{severity="error"}'] == "2"
    assert values['ccmcheck_findings{severity="info"}'] == "1"
    assert values['ccmcheck_rule_findings{rule="duration-bad",severity="error"}'] == "1"
    assert values["ccmcheck_fatal_findings"] == "1"
    assert values["ccmcheck_failures"] == "2"
    assert values["ccmcheck_last_run_timestamp_seconds"] == "1795000000.250"


def test_a_run_without_findings_has_zeros_and_no_rule() -> None:
    values = lines(CLEAN)
    assert values['ccmcheck_findings{severity="error"}'] == "0"
    assert not [name for name in values if "rule=" in name]


def test_the_cluster_is_a_label_of_every_sample() -> None:
    values = lines(SAMPLE._replace(summary=Summary(cluster="4b1f-uid", context="prod")))
    assert values
    assert all('cluster="4b1f-uid",context="prod"' in name for name in values)


def test_labels_are_escaped_and_bounded() -> None:
    values = lines(CLEAN._replace(summary=Summary(cluster="u", context=HOSTILE_CONTEXT)))
    name = next(name for name in values if name.startswith("ccmcheck_failures"))
    assert 'context="ad\\\\min\\"@?pr?od?x' in name
    assert len(name) < 300


def test_no_label_names_a_file_or_an_object() -> None:
    text = written("prometheus", LintResult((HOSTILE,) * 500 + tuple(SAMPLE.findings)))
    assert "clusters/" not in text
    assert "kube-system" not in text
    assert HOSTILE_PATH[:8] not in text
    names = re.findall(r'(\w+)="', text)
    assert set(names) == {"rule", "severity", "version"}
    assert len(text.splitlines()) < 60


@pytest.mark.parametrize(
    "result", [SAMPLE, CLEAN, SAMPLE._replace(summary=Summary(cluster="u", context=HOSTILE_CONTEXT))]
)
def test_promtool_finds_nothing_wrong(result: LintResult) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed; it is in Debian's package prometheus")
    text = written("prometheus", result)

    def check(metrics: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [promtool, "check", "metrics"], input=metrics, capture_output=True, text=True, check=False
        )

    done = check(text)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert check(text.replace("# HELP", "# ", 1)).returncode != 0
