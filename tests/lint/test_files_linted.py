"""What one file gives, by what was asked for: which rules, how severe, and how much of each finding."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from lint_cases import CONF, PREFIX, SERVICE, found, judged, lint, rules, secret

from ccmcheck.base.errors import CcmcheckError
from ccmcheck.base.model import Severity
from ccmcheck.base.result import Failure
from ccmcheck.carriers.base import RunContext
from ccmcheck.kustomize.builds import Builds, Bundles
from ccmcheck.lint import runner
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.settings import Settings
from ccmcheck.lint.suppress import PathIgnores
from ccmcheck.rules import GROUP_OF

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = [("unknown-key", "error", False, 2), ("unknown-key", "error", False, 3)]
DELAY = ("duration-bad", "error", True, 4)
DEAD = ("monitor-timers-dead", "info", False, 4)
BUGS = ("ccm-release-bug", "info", False, 3)


def test_the_rules_that_are_asked_for() -> None:
    assert found(lint(CONF)) == [*UNKNOWN, DEAD, DELAY]
    assert found(lint(CONF, Settings(only=frozenset({"unknown-key"})))) == UNKNOWN
    changed = Settings(severities={"unknown-key": None, "duration-bad": Severity.WARNING})
    assert found(lint(CONF, changed)) == [DEAD, ("duration-bad", "warning", True, 4)]
    assert (
        rules(lint(secret(CONF) + "---\n" + SERVICE, Settings(only=frozenset({"unknown-key"})), "a.yaml"))
        == ["unknown-key"] * 2
    )
    assert (
        rules(lint(SERVICE, Settings(only=frozenset({"svc-annotation-value"})), "a.yaml"))
        == ["svc-annotation-value"] * 2
    )


def test_annotations_without_their_service_are_judged_one_by_one() -> None:
    annotations = f'    {PREFIX}keep-floatingip: "yes"\n    {PREFIX}load-balancer-address: "10.0.0.1"\n'
    values = f"service:\n  annotations:\n{annotations}"
    spec = "spec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    service = f"kind: Service\nmetadata:\n  name: web\n  annotations:\n{annotations}{spec}"
    assert rules(lint(values, path="values.yaml")) == ["svc-annotation-value"]
    assert rules(lint(service, path="service.yaml")) == ["svc-annotation-value", "svc-lbid-in-git"]


def test_a_rule_is_off_for_a_path_below_the_folder_of_the_configuration(tmp_path: Path) -> None:
    ignores = PathIgnores({"old/*": ["unknown-key", "svc-annotation-value"], "bad/**": tuple(GROUP_OF)})
    settings = Settings(path_ignores=ignores, root=str(tmp_path))
    old, new = str(tmp_path / "old/cloud.conf"), str(tmp_path / "cloud.conf")
    assert found(lint(CONF, settings, old)) == [DEAD, DELAY]
    assert found(lint(CONF, settings, new)) == [*UNKNOWN, DEAD, DELAY]
    assert rules(lint(SERVICE, settings, str(tmp_path / "old/a.yaml"))) == []
    assert len(rules(lint(SERVICE, settings, str(tmp_path / "a.yaml")))) == 2
    linter = Linter(settings, RunContext())
    assert linter.is_off(str(tmp_path / "bad/cloud.conf"))
    assert not linter.is_off(old)


def test_without_a_folder_of_the_configuration_paths_are_those_below_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(path_ignores=PathIgnores({"old/*": ["unknown-key"]}))
    assert found(lint(CONF, settings, str(tmp_path / "old/cloud.conf"))) == [DEAD, DELAY]


@pytest.mark.parametrize("path", ["testdata/cloud.conf", "tests/cloud.conf", "cloud.conf"])
@pytest.mark.parametrize("explicit", [False, True])
def test_what_a_file_is_called_lowers_no_severity(path: str, *, explicit: bool) -> None:
    assert found(lint(CONF, path=path, explicit=explicit)) == [*UNKNOWN, DEAD, DELAY]


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (CcmcheckError("too large", "split it"), Failure("cloud.conf", "too large", "split it")),
        (RuntimeError("boom"), Failure("cloud.conf", "internal error: RuntimeError at", internal=True)),
    ],
)
def test_a_file_that_cannot_be_read_is_a_failure(
    error: Exception, failure: Failure, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: bytes) -> None:
        raise error

    monkeypatch.setattr("ccmcheck.base.text.decode", broken)
    result = lint(CONF)
    assert (result.path, result.findings) == ("cloud.conf", ())
    assert [one._replace(message=one.message.partition(" at ")[0]) for one in result.failures] == [
        failure._replace(message=failure.message.removesuffix(" at"))
    ]


def test_memory_that_is_used_up_is_a_failure_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise MemoryError

    monkeypatch.setattr("ccmcheck.base.text.decode", broken)
    (failure,) = lint(CONF).failures
    assert (failure.path, failure.message, failure.internal) == ("cloud.conf", "the memory is used up", False)


def test_an_interrupt_behind_another_error_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise RuntimeError from KeyboardInterrupt()

    monkeypatch.setattr("ccmcheck.base.text.decode", broken)
    with pytest.raises(KeyboardInterrupt):
        lint(CONF)


def test_a_suppression_in_a_file_without_anything_to_judge_is_nobodys() -> None:
    assert found(lint("# ccmcheck: ignore-file[bool-bad] none\na: b\n", path="a.yaml")) == []


def test_the_cloud_confs_with_findings_are_counted() -> None:
    good = "[Networking]\nipv6-support-disabled = true\n"
    texts = (secret(good), secret("# ccmcheck: ignore[bool-bad] x\n" + CONF), SERVICE)
    result = lint("---\n".join(texts), Settings(only=frozenset({"unknown-key", "svc-annotation-value"})), "a.yaml")
    assert rules(result) == ["unknown-key"] * 2 + ["svc-annotation-value"] * 2
    assert (len(result.carriers), result.with_findings) == (2, 1)
    first = lint("---\n".join((secret(CONF), secret(good), SERVICE)), Settings(), "a.yaml")
    assert first.with_findings == 1
    suppressed = lint("# ccmcheck: ignore-file[bool-bad] none\n" + secret(good), Settings(), "a.yaml")
    assert (rules(suppressed), suppressed.with_findings) == (["unused-suppression"], 0)


def test_further_findings_of_a_rule_are_only_counted() -> None:
    text = "[LoadBalancer]\n" + "".join(f"unknown-{number}=1\n" for number in range(4)) + "monitor-delay = 3\n"
    shown = [(one.rule, bool(one.label)) for one in lint(text, Settings(most_shown=2)).findings]
    assert shown == [
        *(("unknown-key", number < 2) for number in range(4)),
        ("monitor-timers-dead", True),
        ("duration-bad", True),
    ]
    assert all(one.label for one in lint(text).findings)


def test_what_fixes_replace_is_told_where_it_is_asked_for() -> None:
    asked = lint(CONF, Settings(replacements=True))
    assert {one.rule: [part.text for part in one.replacements] for one in asked.findings}["duration-bad"] == ["3s"]
    assert [one.replacements for one in lint(CONF).findings] == [()] * 4
    assert not asked.is_build


def test_rules_that_do_not_matter_are_left_out() -> None:
    text = f"# ccmcheck: ignore-file[bool-bad] none\n{secret(CONF)}---\n{SERVICE}"
    linter = Linter(Settings(), RunContext())

    def examined(*without: str) -> list[str]:
        analysis = linter.examine("a.yaml", text, explicit=True, without=frozenset(without))
        return sorted({one.rule for one in analysis.problems})

    both = ["duration-bad", "monitor-timers-dead"]
    assert examined() == [*both, "svc-annotation-value", "unknown-key", "unused-suppression"]
    assert examined("unknown-key") == [*both, "svc-annotation-value"]
    assert examined("svc-annotation-value", "unknown-key") == both


def test_services_are_judged_for_the_ccm_alone() -> None:
    assert found(lint(SERVICE, judged("1.36"), "a.yaml")) == [
        ("svc-annotation-value", "warning", False, 5),
        ("svc-annotation-value", "warning", False, 6),
    ]
    assert found(lint(SERVICE, judged("1.25", consumer="legacy-in-tree"), "a.yaml")) == []
    both = Settings(judged=(*judged("1.25", consumer="legacy-in-tree").judged, *judged("1.36").judged))
    assert len(found(lint(SERVICE, both, "a.yaml"))) == 2


def test_a_finding_at_some_of_the_releases_names_them() -> None:
    text = SERVICE.replace('keep-floatingip: "yes"', 'lb-method: "BAD"')
    for releases in (("1.26", "1.36"), ("1.36", "1.26")):
        result = lint(text, judged(*releases), "a.yaml")
        assert [(one.rule, one.place.line, one.releases) for one in result.findings] == [
            ("svc-annotation-unknown", 5, ("1.26",)),
            ("svc-annotation-value", 5, ("1.36",)),
            ("svc-annotation-value", 6, ()),
        ]


@pytest.mark.parametrize("explicit", [False, True])
def test_a_named_file_that_is_no_cloud_conf(*, explicit: bool) -> None:
    result = lint("[Interface]\nAddress = 10.0.0.1\n", path="cloud.conf", explicit=explicit)
    assert found(result) == ([("not-a-cloud-conf", "info", False, 1)] if explicit else [])
    only = Settings(only=frozenset({"unknown-key"}))
    assert found(lint("[Interface]\nAddress = 10.0.0.1\n", only, explicit=explicit)) == []
    off = Settings(path_ignores=PathIgnores({"**": ["not-a-cloud-conf"]}))
    assert found(lint("[Interface]\nAddress = 10.0.0.1\n", off, explicit=explicit)) == []


def test_what_is_judged_in_a_build_is_told_from_the_rest() -> None:
    builds = Builds(
        Bundles({"kustomization.yaml": ()}, {}), {"built.yaml": frozenset({0})}, patches={"patch.yaml": frozenset({0})}
    )
    linter = Linter(Settings(), RunContext(builds=builds))
    paths = ("kustomization.yaml", "built.yaml", "./patch.yaml", "cloud.conf")
    assert [linter.is_built(path) for path in paths] == [True, True, True, False]


CLOUDS = "cloud.conf: with use-clouds, whether the CCM starts also depends on its clouds.yaml, which is not known here."


def test_an_error_that_use_clouds_hides_ends_nothing() -> None:
    text = "[Global]\nuse-clouds = true\n[LoadBalancer]\nmonitor-delay = 3\n"
    hidden, seen = lint(text, judged("1.18")), lint(text, judged("1.19"))
    assert found(hidden) == [
        ("use-clouds-hides-error", "error", False, 2),
        BUGS,
        DEAD,
        ("duration-bad", "error", False, 4),
    ]
    assert hidden.notes == (CLOUDS,)
    assert (found(seen), seen.notes) == ([BUGS, DEAD, DELAY], ())


def test_the_findings_of_several_releases_are_those_of_each_one_once() -> None:
    text = f"{CONF}use-octavia=true\nprovider-requires-serial-api-calls = x\n"
    for releases in (("1.20", "1.36"), ("1.36", "1.20")):
        shown = [(one.rule, one.fatal, one.releases) for one in lint(text, judged(*releases)).findings]
        assert shown == [
            ("ccm-release-bug", False, ("1.20",)),
            ("unknown-key", False, ()),
            ("unknown-key", False, ()),
            ("monitor-timers-dead", False, ()),
            ("duration-bad", True, ()),
            ("key-removed", False, ("1.36",)),
            ("key-too-new", False, ("1.20",)),
            ("bool-bad", False, ("1.36",)),
            ("upgrade-turns-fatal", False, ("1.20",)),
        ]
        other = lint("[LoadBalancer]\nprovider-requires-serial-api-calls = x\nmonitor-delay = 3\n", judged(*releases))
        assert [(one.rule, one.releases) for one in other.findings if one.fatal] == [
            ("bool-bad", ("1.36",)),
            ("duration-bad", ()),
        ]


@pytest.mark.parametrize(
    ("consumer", "name"),
    [("ccm", "CCM"), ("cinder-csi-plugin", "Cinder CSI driver"), ("barbican-kms-plugin", "Barbican KMS plugin")],
)
def test_a_finding_names_who_reads_the_file(consumer: str, name: str) -> None:
    findings = lint("[Global]\ntls-insecure=maybe\n", judged("1.30", consumer=consumer)).findings
    (said,) = [one.detail for one in findings if one.rule == "tls-insecure-not-true"]
    assert said == f"The key is a string; with a private CA the {name} fails with a certificate error at start."


def test_the_releases_of_a_file_are_those_of_its_cloud_confs_and_services() -> None:
    image = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.0"
    workload = (
        "kind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\n"
        f'spec: {{template: {{spec: {{containers: [{{name: c, image: "{image}"}}]}}}}}}\n'
    )
    assert lint(workload, path="a.yaml").judged == ()
    assert [one.release.name for one in lint(f"{workload}---\n{SERVICE}", path="a.yaml").judged] == ["v1.31.0"]


def test_a_secret_of_the_cloud_conf_is_masked_in_the_services_beside_it() -> None:
    password = "on-purpose"  # which nothing but the cloud.conf tells for a secret
    service = SERVICE.replace('"yes"', f'"{password}"')
    conf = f"[Global]\nauth-url=https://k\nusername=u\npassword={password}\n"
    encoded = base64.b64encode(conf.encode()).decode()
    login = f"kind: Secret\nmetadata: {{name: cloud-config}}\ndata: {{cloud.conf: {encoded}}}\n"
    assert password in str(lint(service, path="a.yaml").findings)
    beside = lint(f"{login}---\n{service}", path="a.yaml")
    assert "svc-annotation-value" in rules(beside)
    assert password not in str(beside.findings)


@pytest.mark.parametrize("severity", [None, Severity.ERROR, Severity.INFO])
def test_an_unused_suppression_is_as_severe_as_the_configuration_says(severity: Severity | None) -> None:
    asked = Settings(severities={"unused-suppression": severity} if severity else {})
    word = severity.word if severity else "warning"
    text = f"# ccmcheck: ignore-file[bool-bad] none\n{CONF}"
    assert found(lint(text, asked))[0] == ("unused-suppression", word, False, 1)
    problems = Linter(asked, RunContext()).examine("cloud.conf", text, explicit=True).problems
    assert {one.rule: one.number for one in problems} == {
        "unknown-key": 0,
        "monitor-timers-dead": 0,
        "duration-bad": 0,
        "unused-suppression": -1,
    }


def test_of_many_notes_the_first_are_kept_and_all_counted(tmp_path: Path) -> None:
    text = "[Global]\nuse-clouds = true\nclouds-file = /etc/clouds.yaml\ncloud = a\n"
    for number in range(11 * runner.MOST_NOTES):
        (tmp_path / f"{number:05}.cloud.conf").write_text(text)
    notes = runner.run([str(tmp_path)], RunOptions(jobs=1)).summary.notes
    assert len(notes) == runner.MOST_NOTES + 1
    assert [note.partition(".cloud.conf")[0][-5:] for note in notes[:-1]] == [
        f"{n:05}" for n in range(runner.MOST_NOTES)
    ]
    assert notes[-1].startswith(f"{10 * runner.MOST_NOTES:,} more notes")
