"""Prometheus' text format, for node exporter's textfile collector or a Pushgateway.

The number of time series is bounded, whatever is linted: labels hold a rule's name, a severity and, for a running
cluster, which one it is; never a path, an object's name or a text of a finding.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from ccmcheck import __version__
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.options import ReportOptions

_LONGEST_LABEL = 200
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Sample(NamedTuple):
    """One line: a metric's labels and its value."""

    labels: Mapping[str, str]
    value: float


class PrometheusReporter(Reporter):
    """Writes gauges.

    Args:
        options: See `Reporter`.
        clock: The time in seconds since 1970.
    """

    def __init__(self, options: ReportOptions, clock: Callable[[], float] = time.time) -> None:
        super().__init__(options)
        self._clock = clock

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one metric after another."""
        summary = result.summary
        where = {name: value for name, value in (("cluster", summary.cluster), ("context", summary.context)) if value}

        def gauge(name: str, about: str, samples: Iterable[Sample]) -> str:
            lines = [f"# HELP ccmcheck_{name} {about}", f"# TYPE ccmcheck_{name} gauge"]
            lines += [f"ccmcheck_{name}{_labels({**where, **labels})} {_number(value)}" for labels, value in samples]
            return "\n".join(lines) + "\n"

        def single(name: str, about: str, value: float) -> str:
            return gauge(name, about, [Sample({}, value)])

        yield gauge("build_info", "The version of ccmcheck that wrote this.", [Sample({"version": __version__}, 1)])
        by_severity = dict.fromkeys(Severity, 0)
        by_rule: dict[tuple[str, Severity], int] = {}
        for finding in result.findings:
            by_severity[finding.severity] += 1
            key = (finding.rule, finding.severity)
            by_rule[key] = by_rule.get(key, 0) + 1
        yield gauge(
            "findings",
            "Findings by severity.",
            [Sample({"severity": severity.word}, by_severity[severity]) for severity in sorted(Severity, reverse=True)],
        )
        yield gauge(
            "rule_findings",
            "Findings by rule, of the rules that report any.",
            [
                Sample({"rule": rule, "severity": severity.word}, by_rule[rule, severity])
                for rule, severity in sorted(by_rule)
            ],
        )
        fatal = sum(1 for finding in result.findings if finding.fatal)
        yield single("fatal_findings", "Findings at which the CCM does not start.", fatal)
        yield single("failures", "What could not be read, so that the result is partial.", len(result.failures))
        yield single("inputs", f"{summary.unit.capitalize()}s that were read.", summary.files)
        yield single("cloud_confs", "Files cloud.conf that were judged.", summary.cloud_confs)
        yield single(
            "suppressed_findings",
            "Findings that a comment, an annotation or the configuration suppresses.",
            summary.suppressed,
        )
        yield single("baselined_findings", "Findings that the baseline counts.", summary.baselined)
        yield single("duration_seconds", "How long the run took.", summary.seconds)
        yield single("last_run_timestamp_seconds", "When the run ended.", self._clock())


def _labels(labels: Mapping[str, str]) -> str:
    written = ",".join(f'{name}="{_value(value)}"' for name, value in labels.items())
    return f"{{{written}}}" if written else ""


def _value(text: str) -> str:
    """A label's value: printable, of bounded length, escaped."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown[:_LONGEST_LABEL].encode("utf-8", "replace").decode().translate(_ESCAPES)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"
