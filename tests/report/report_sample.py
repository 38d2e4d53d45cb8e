"""One run with a bit of everything, for the tests of every format."""

from __future__ import annotations

from ccmcheck.base.model import Applicability, Finding, FurtherPlace, Place, Replacement, Severity, Snippet
from ccmcheck.base.result import Failure, LintResult, RuleInfo, SkippedRule, Summary
from ccmcheck.report import reporter
from ccmcheck.report.options import ReportOptions

ROUTE = 'Secret kube-system/cloud-config › data["cloud.conf"] (base64)'
HOSTILE_PATH = "we ird/\x1b]0;title\x07\udcff%,:&<\"'>.conf"

DURATION = Finding(
    rule="duration-bad",
    severity=Severity.ERROR,
    fatal=True,
    place=Place("clusters/prod/secret.yaml", 9, 15, 9, 800, ROUTE, 12, 17, exact=False),
    label="a Go duration needs a unit",
    help="Write `3s`.",
    error='time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"',
    snippet=Snippet(12, "monitor-delay = 3", 16, 1),
    fix=Applicability.SAFE,
    fix_title="write `3s`",
    subject=("monitor-delay",),
)
UNKNOWN = Finding(
    rule="unknown-key",
    severity=Severity.ERROR,
    fatal=False,
    place=Place("clusters/prod/secret.yaml", 9, 15, 9, 800, ROUTE, 14, 1, exact=False),
    label="no CCM release knows this key; it is silently ignored, so create-monitor stays false",
    help="Did you mean `create-monitor`?",
    snippet=Snippet(14, "create-montior = true", 0, 14),
    fix=Applicability.UNSAFE,
    fix_title="write `create-monitor`",
)
REMOVED = Finding(
    rule="key-removed",
    severity=Severity.INFO,
    fatal=False,
    place=Place("clusters/dev/cloud.conf", 7, 1, 7, 12, "", 7, 1),
    label="ignored since CCM 1.26 (release 1.31 from clusters/dev/ccm.yaml)",
    help="Delete the line.",
    snippet=Snippet(7, "use-octavia = true", 0, 11),
    fix=Applicability.SAFE,
    fix_title="delete the line",
    replacements=(Replacement(7, 1, 8, 1, ""), Replacement(9, 3, 9, 3, "{0} [a](1)\n")),
)
HOSTILE = Finding(
    rule="gcfg-illegal-bytes",
    severity=Severity.WARNING,
    fatal=False,
    place=Place(HOSTILE_PATH, 2, 3, 4, 1, "", 2, 3),
    label="a \u202e turns text around and \x1b[31m colours it",
    detail='Brackets [a](1), braces {0} and <b>&amp;"quotes"</b>.\nA second line.',
    snippet=Snippet(2, "\tname = “日本語”\u00a0\x1b[2J\x7f", 8, 5),
    releases=("1.27", "1.28"),
    further=(FurtherPlace(Place(HOSTILE_PATH, 1, 1, 1, 9, "", 1, 1), "the section\x07", Snippet(1, "[Global]", 0, 8)),),
)
SAMPLE = LintResult(
    findings=(DURATION, UNKNOWN, REMOVED, HOSTILE),
    failures=(
        Failure("broken.yaml", "mapping values are not allowed here", "Mend it, or exclude the file.", 3, 7),
        Failure("\x1bodd.yaml", "KeyError\nin a rule", internal=True),
    ),
    summary=Summary(
        files=318,
        files_with_cloud_conf=40,
        cloud_confs=41,
        cloud_confs_with_findings=3,
        seconds=0.42,
        releases=("1.31",),
        release_source="from clusters/dev/ccm.yaml",
        suppressed=2,
        baselined=1,
        fixable_safe=2,
        fixable_unsafe=1,
        unjudged=(SkippedRule("monitor-probe-budget", "the node count (--nodes)"),),
        notes=("1 suppression gives no reason.",),
        carriers=(("Secret", 40), ("file", 1)),
    ),
    rules={
        "duration-bad": RuleInfo(
            "duration-bad",
            "A duration the CCM cannot parse",
            Severity.ERROR,
            "The CCM stops.\n\nMore on `[LoadBalancer]`.",
            "safe",
            "https://example.org/duration-bad",
            "The CCM stops.",
        )
    },
)
CLEAN = LintResult(summary=Summary(files=318, files_with_cloud_conf=40, cloud_confs=41, seconds=0.042))

PLAIN = ReportOptions()


def written(name: str, result: LintResult = SAMPLE, options: ReportOptions = PLAIN) -> str:
    """What a format makes of a run."""
    return "".join(reporter(name)(options).report(result))
