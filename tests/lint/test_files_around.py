"""What other files change in one file's findings: builds, a base revision, cloud.confs near it, and who reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import pytest
from lint_cases import CONF, SERVICE, judged, lint, rules, secret

from ccmcheck.carriers.base import NearbyConf, RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.runner import run
from ccmcheck.lint.settings import Settings
from ccmcheck.lint.suppress import PathIgnores
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch

if TYPE_CHECKING:
    from pathlib import Path

    from ccmcheck.workspace.base_revision import BaseRevision


class Built(NamedTuple):
    """A base and the folder around it."""

    folder: Path

    def lint(self, path: str, **options: object) -> list[tuple[str, int, str, bool, int]]:
        """Path, line, rule, whether it has its texts, and what its fix replaces."""
        asked: RunOptions = RunOptions()._replace(**options)  # type: ignore[arg-type]  # those of each test
        result = run([path], asked._replace(replacements=True, most_shown=1))
        return [
            (one.place.path, one.place.line, one.rule, bool(one.label), len(one.replacements))
            for one in result.findings
        ]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    (tmp_path / "base").mkdir()
    (tmp_path / "prod").mkdir()
    (tmp_path / "base/kustomization.yaml").write_text("resources: [service.yaml]\n", "utf-8")
    (tmp_path / "base/service.yaml").write_text(SERVICE, "utf-8")
    (tmp_path / "prod/kustomization.yaml").write_text("resources: [../base]\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return Built(tmp_path)


def test_a_build_shows_all_findings_in_its_files_and_replaces_nothing(built: Built) -> None:
    both = [("base/service.yaml", line, "svc-annotation-value", True, 0) for line in (5, 6)]
    assert built.lint("prod") == both
    assert built.lint(".") == both


def test_in_a_build_nothing_is_reported_in_files_that_are_left_out(built: Built) -> None:
    assert built.lint("prod", discover=DiscoverOptions(exclude=("base/",))) == []
    off = Settings(path_ignores=PathIgnores({"base/*": ["svc-annotation-value"]}))
    assert built.lint("prod", settings=off) == []
    other = Settings(path_ignores=PathIgnores({"base/*": ["unknown-key"], "prod/*": ["svc-annotation-value"]}))
    assert built.lint("base", settings=other) == [
        ("base/service.yaml", line, "svc-annotation-value", True, 0) for line in (5, 6)
    ]


def test_in_a_build_no_suppression_is_unused(built: Built) -> None:
    path = built.folder / "base/service.yaml"
    path.write_text(f"# ccmcheck: ignore-file[bool-bad] none\n{SERVICE}", "utf-8")
    both = [("base/service.yaml", line, "svc-annotation-value", True, 0) for line in (6, 7)]
    assert built.lint("prod") == both
    assert built.lint(".") == both
    patch = f"# ccmcheck: ignore-file[bool-bad] none\n{SERVICE}---\n{SERVICE.replace('name: web', 'name: other')}"
    (built.folder / "prod/patch.yaml").write_text(patch, "utf-8")
    (built.folder / "prod/kustomization.yaml").write_text(
        "resources: [../base]\npatches: [{path: patch.yaml}]\n", "utf-8"
    )
    assert {(path, rule) for path, _, rule, _, _ in built.lint("prod")} == {("prod/patch.yaml", "svc-annotation-value")}
    (built.folder / "base/kustomization.yaml").unlink()
    (built.folder / "prod/kustomization.yaml").unlink()
    assert [rule for _, _, rule, _, _ in built.lint("base")] == ["unused-suppression", *["svc-annotation-value"] * 2]


@pytest.mark.parametrize("asked", [False, True])
def test_the_files_around_tell_who_reads_one_unless_the_user_does(tmp_path: Path, *, asked: bool) -> None:
    (tmp_path / "kubelet.service").write_text("ExecStart=kubelet --cloud-provider=openstack\n", "utf-8")
    path = tmp_path / "cloud.conf"
    path.write_text(CONF, "utf-8")
    settings = judged("1.36") if asked else Settings()
    linter = Linter(settings, RunContext(), ReleaseFinder(ReleaseSearch()))
    result = linter.lint(str(path), CONF.encode(), explicit=True)
    assert {one.consumer for one in result.judged} == {"ccm" if asked else "legacy-in-tree"}
    assert {one.reader for one in result.findings} == {"" if asked else "legacy-in-tree"}


def test_a_file_tells_its_own_rules_what_it_tells_those_of_others() -> None:
    text = """\
kind: ClusterResourceSet
metadata: {name: c, namespace: n}
spec: {resources: [{kind: Secret, name: cloud-config}]}
---
kind: Secret
metadata: {name: cloud-config, namespace: n}
type: addons.cluster.x-k8s.io/resource-set
stringData: {x: "kind: Secret\\nmetadata: {name: y}\\nstringData: {cloud.conf: \\"[Networking]\\"}"}
"""
    assert "capi-crs-apply-once" in rules(lint(text, path="a.yaml"))
    without = text.replace("name: cloud-config}]", "name: other}]")
    assert "capi-crs-apply-once" not in rules(lint(without, path="a.yaml"))


class Before(NamedTuple):
    """The base revision, with one file."""

    text: str | None

    def read(self, _path: str) -> bytes | None:
        return None if self.text is None else self.text.encode()


LINE = "unknown=1 # ccmcheck: ignore[unknown-key] known\n"
ANNOTATED = SERVICE.replace("annotations:\n", "annotations:\n    ccmcheck.dev/ignore: svc-annotation-value\n")


@pytest.mark.parametrize(
    ("path", "text", "before", "suppressed"),
    [
        ("cloud.conf", f"[LoadBalancer]\n{LINE}", f"[LoadBalancer]\n{LINE}", 1),
        ("cloud.conf", f"[LoadBalancer]\n{LINE}", f"[LoadBalancer]\nuse-octavia=true\n{LINE}", 1),
        ("cloud.conf", f"[LoadBalancer]\n{LINE}", "[LoadBalancer]\nunknown=1\n", 0),
        ("cloud.conf", f"[LoadBalancer]\n{LINE}", None, 0),
        ("cloud.conf", f"[LoadBalancer]\n{LINE}", "\0", 0),
        ("a.yaml", secret(f"[LoadBalancer]\n{LINE}"), secret(f"[LoadBalancer]\n{LINE}"), 1),
        ("a.yaml", ANNOTATED, ANNOTATED, 2),
        ("a.yaml", ANNOTATED, SERVICE, 0),
    ],
)
def test_only_suppressions_of_the_base_revision_count(
    path: str, text: str, before: str | None, suppressed: int
) -> None:
    settings = Settings(base=cast("BaseRevision", Before(before)))
    result = lint(text, settings, path)
    assert result.suppressed == suppressed
    assert lint(text, Settings(), path).suppressed in (1, 2)
    assert len(result.findings) == len(lint(text, Settings(suppress=False), path).findings) - suppressed


@pytest.mark.parametrize(("rule", "alone"), [("svc-lbip", 1), ("svc-class", 0), ("svc-ovn-unsupported", 0)])
def test_a_suppression_for_a_rule_that_needs_the_cloud_conf_is_unused_where_that_is_known(
    rule: str, alone: int
) -> None:
    text = f"# ccmcheck: ignore-file[{rule}] x\n{SERVICE}"
    assert rules(lint(text, path="a.yaml")).count("unused-suppression") == alone
    assert rules(lint(f"{text}---\n{secret(CONF)}", path="a.yaml")).count("unused-suppression") == 1
    near = NearbyConf("cloud.conf", "", "")
    for path, expected in (("a.yaml", 1), ("", 1), ("b.yaml", alone)):
        linter = Linter(Settings(), RunContext(confs={path: (near,)}))
        assert rules(linter.lint("a.yaml", text.encode(), explicit=True)).count("unused-suppression") == expected, path
