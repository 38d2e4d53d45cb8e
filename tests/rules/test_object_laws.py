"""Laws over many manifests, broken ones too: no rule fails, every place is in the text, and a fix corrects its problem."""

from __future__ import annotations

import base64

from casework import seen_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import bad, good

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Span
from ccmcheck.carriers import FindOptions, RunContext, find
from ccmcheck.carriers.base import NearbyConf, ScsSwitches
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.redact.masker import Masker
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.registry import ENTRIES
from ccmcheck.rules.views.manifest import Manifest

NAMES = [name for name in GROUP_OF if ENTRIES[name].kinds]
CASES = [case for name in NAMES for case in (*bad(name), *good(name))]
RUN = RunContext(
    facts=ClusterFacts(kubernetes_version="1.33", nodes=12),
    pods=tuple(pod for case in CASES if case.run_context is not None for pod in case.run_context.pods),
    clusters=tuple(one for case in CASES if case.run_context is not None for one in case.run_context.clusters),
    resource_sets=tuple(
        one for case in CASES if case.run_context is not None for one in case.run_context.resource_sets
    ),
    switches=(ScsSwitches("clusterctl.yaml", "true"),),
    confs={"": (NearbyConf("cloud.conf", "cloud.conf", "[LoadBalancer]\nlb-provider = amphora\n"),)},
)
SECRET = "S3cr3tW0rd"
CONF = base64.b64encode(f"[Global]\nauth-url=x\npassword={SECRET}\n".encode()).decode()
VALUES = (
    "",
    " null",
    " []",
    " {}",
    " [a, {b: c}]",
    " {a: [b]}",
    " ${X}",
    " {{ .x }}",
    " 1",
    " 0400",
    " true",
    " openstack",
    " external",
    " kubernetes",
    " ovn",
    " &a x",
    " *a",
    " |\n  x",
    " >\n  x",
    " '--cloud-config'",
    " --cluster-name=$(X)",
    " !!binary aGk=",
    f" {CONF}",
    f" {base64.b64encode(CONF.encode()).decode()}",
    f' "[Global]\\nauth-url=x\\npassword={SECRET}"',
)


@st.composite
def manifests(draw: st.DrawFn) -> str:
    """A case's text with lines deleted, duplicated, moved, or with another value."""
    lines = draw(st.sampled_from(CASES)).text.splitlines()
    for _ in range(draw(st.integers(0, 3))):
        if not lines:
            break
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["delete", "repeat", "indent", "value", "value", "template"])):
            case "delete":
                del lines[at]
            case "repeat":
                lines.insert(at, lines[at])
            case "indent":
                lines[at] = "  " + lines[at]
            case "value":
                lines[at] = lines[at].partition(":")[0] + ":" + draw(st.sampled_from(VALUES))
            case _:
                lines.insert(at, draw(st.sampled_from(["{{- if .x }}", "{{- end }}", "# comment", "---", "  {% x %}"])))
    return draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines) + draw(st.sampled_from(["\n", ""]))


def all_problems(text: str, path: str = "x.yaml") -> list[tuple[str, Problem, Manifest]]:
    contents = find(path, text, FindOptions(explicit=True))
    run_context = RUN.joined((contents.run_context,))
    seen = [Manifest(one, catalog.newest(), run_context, contents) for one in contents.objects]
    return [
        (name, problem, manifest)
        for manifest in seen
        for name in NAMES
        if manifest.kind in ENTRIES[name].kinds
        for problem in rule(name).check(seen_of(manifest))
    ]


@settings(max_examples=400)
@given(manifests(), st.sampled_from(["x.yaml", "prod/x.yaml.tmpl"]))
def test_no_rule_fails_and_every_place_is_in_the_text(text: str, path: str) -> None:
    for _, problem, manifest in all_problems(text, path):
        for span in (problem.span, *(note.span for note in problem.notes)):
            assert 0 <= span.start <= span.end <= len(manifest.text)
        if problem.fix is not None:
            assert problem.fix.edits
            assert all(0 <= edit.start <= edit.end <= len(manifest.text) for edit in problem.fix.edits)
            assert not any(manifest.is_opaque(Span(edit.start, edit.end)) for edit in problem.fix.edits)


@settings(max_examples=200)
@given(manifests())
def test_no_message_contains_a_secret(text: str) -> None:
    for name, problem, manifest in all_problems(text):
        words = [problem.label, problem.detail, problem.help, *(note.text for note in problem.notes)]
        words.append(problem.fix.title if problem.fix is not None else "")
        shown = Masker(manifest.text).scrub(" ".join(words))  # as the engine does with all that a rule says
        assert SECRET not in shown, name
        assert CONF not in shown, name


@settings(max_examples=150)
@given(manifests())
def test_fixes_terminate_and_a_second_run_changes_nothing(text: str) -> None:
    judged = (TargetRelease("ccm", catalog.newest(), "--release"),)
    linter = Linter(Settings(judged=judged, only=frozenset(NAMES)), RUN)
    result = fix_text("x.yaml", text, linter, unsafe=True)
    assert fix_text("x.yaml", result.after, linter, unsafe=True).after == result.after
    fixed_problems = {(one.finding.rule, one.finding.label, one.finding.place.route) for one in result.done}
    if not result.done:
        assert result.after == text
    assert len(result.last.problems) <= len(linter.examine("x.yaml", text, explicit=True).problems) + len(
        fixed_problems
    )
