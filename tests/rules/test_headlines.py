"""What a finding says where no line of the file is shown, in every rule and every such format: it names its subject."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from casework import conf_of, manifests_of, problems_of, seen_of
from rule_cases import Case, bad

from ccmcheck.base.model import Finding, Problem, Severity
from ccmcheck.base.result import LintResult
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.lint.file_analysis import Hit, LocatedProblem
from ccmcheck.lint.locate import Locator, Texts
from ccmcheck.report import REPORTERS, reporter
from ccmcheck.report.options import ReportOptions
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.registry import ENTRIES
from ccmcheck.rules.views.manifest import as_carried

WITHOUT_LINES = ("checkstyle", "concise", "github", "gitlab", "junit", "markdown", "openreports", "sarif")
ABOUT_THE_FILE = ("this is ", "invalid UTF-8", "a NUL character", "an invisible byte order mark")
EMPTY_FILE = "nothing is in it"


def findings(name: str) -> Iterator[Finding]:
    kinds = ENTRIES[name].kinds
    for case in bad(name):
        if kinds:
            for manifest in manifests_of(case):
                if manifest.kind in kinds:
                    for problem in rule(name).check(seen_of(manifest)):
                        yield finding(name, as_carried(manifest.object), problem)
        else:
            for problem in rule(name).check(conf_of(case)):
                yield finding(name, conf_of(case).carried, problem)


def finding(name: str, carried: CarriedConf, problem: Problem) -> Finding:
    hit = Hit(Severity.ERROR, (), fatal=False)
    return LocatedProblem(0, name, problem, Locator("case.yaml", carried, Texts()), hit, ()).finding


@pytest.mark.parametrize("name", GROUP_OF)
def test_names_its_subject(name: str) -> None:
    for found in findings(name):
        headline = found.headline
        if headline.startswith(ABOUT_THE_FILE) or EMPTY_FILE in headline:
            continue
        is_comment = found.snippet is not None and found.snippet.text.lstrip()[:1] in ("#", ";", "\\")
        assert found.subject or is_comment, headline
        for part in found.subject:
            assert part.rpartition(" ")[2] in headline
        if ENTRIES[name].kinds:
            assert " " in found.subject[0] or found.subject[0] in ENTRIES[name].kinds, "a kind with its name"


@pytest.mark.parametrize("output_format", WITHOUT_LINES)
def test_every_format_without_lines_says_it(output_format: str) -> None:
    some = [next(findings(name)) for name in ("uint-bad", "id-not-uuid", "svc-pending", "ccm-tolerations")]
    written = "".join(reporter(output_format)(ReportOptions()).report(LintResult(findings=tuple(some))))
    for found in some:
        assert found.subject[-1] in found.headline
        assert found.headline.replace("`", "") in written.replace("`", "").replace("\\", "")


def test_formats_without_lines_are_known() -> None:
    with_lines = {"text", "json", "ndjson"}
    assert set(REPORTERS) == {*WITHOUT_LINES, *with_lines, "prometheus"}


def test_item_of_a_list_has_the_name_of_its_field() -> None:
    text = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  type: LoadBalancer\n"
        "  loadBalancerSourceRanges:\n  - 10.0.0.0/8\n  - 192.0.2.7/24\n  ports: [{port: 80}]\n"
    )
    case = Case(text)
    (problem,) = problems_of("svc-invalid", case)
    (manifest,) = manifests_of(case)
    assert finding("svc-invalid", as_carried(manifest.object), problem).subject == (
        "Service web",
        "loadBalancerSourceRanges",
    )
