"""What is worked out of a file is worked out once, and gone when the file is done."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ccmcheck.api import LintOptions, _settings
from ccmcheck.cli.main import run
from ccmcheck.conf.view import CloudConf
from ccmcheck.lint.engine import Linter
from ccmcheck.rules._support import machines
from ccmcheck.rules.views.manifest import Manifest, looks_like_cloud_conf
from ccmcheck.workspace import survey
from ccmcheck.workspace.deployment import record

if TYPE_CHECKING:
    from typing import Any

CONF = "[Global]\nauth-url=https://k\nuser=x\n[LoadBalancer]\nunknown=1\nmonitor-delay = 3\nlb-provider=ovn\n"
CONTROL_PLANE = Path(__file__).resolve().parents[1] / "patch/cases/control-plane/control-plane.yaml"
PLANE = (
    "kind: KubeadmControlPlane\nmetadata: {{name: a{}}}\nspec: {{version: v1.22.3, kubeadmConfigSpec: {{files: "
    '[{{path: /etc/kubernetes/cloud.conf, content: "[Global]\\nregion=R\\n"}}]}}}}\n'
)


@pytest.mark.parametrize(
    ("kind", "path", "text"),
    [(CloudConf, "cloud.conf", CONF), (Manifest, "a.yaml", CONTROL_PLANE.read_text(encoding="utf-8"))],
)
def test_a_subject_is_gone_when_its_rules_are_done(
    kind: Any, path: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[weakref.ref[object]] = []
    init = kind.__init__

    def noted(subject: object, *args: Any, **options: Any) -> None:
        init(subject, *args, **options)
        seen.append(weakref.ref(subject))

    monkeypatch.setattr(kind, "__init__", noted)
    gc.disable()
    try:
        found = Linter(*_settings(LintOptions())).examine(path, text, explicit=True)
    finally:
        gc.enable()
    assert found.problems
    assert seen
    assert [subject() for subject in seen] == [None] * len(seen)


def test_findings_that_are_alike_have_one_record_in_common() -> None:
    text = "[LoadBalancer]\nsubnet-id=x\ncreate-monitor=true\n" + "".join(
        f"unknown-{number}=1\n" for number in range(20)
    )
    found = Linter(*_settings(LintOptions())).examine("cloud.conf", text, explicit=True)
    unknown = [one for one in found.problems if one.rule == "unknown-key"]
    assert len(unknown) == 20
    assert len({id(one.problem.label) for one in unknown}) == 1


def test_a_fix_is_shown_without_searching_its_texts_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cloud.conf").write_text(CONF, encoding="utf-8")
    monkeypatch.delattr("ccmcheck.fix.diff.find")
    assert run(["fix", "--no-config", "cloud.conf"]) == 0


def test_a_review_reads_each_cloud_conf_once_a_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, provider in (("a.conf", "ovn"), ("b.conf", "amphora")):
        (tmp_path / name).write_text(CONF.replace("ovn", provider).replace(" 3", " 3s"), encoding="utf-8")
    read: list[object] = []
    options_at = survey.options_at

    def noted(*args: Any) -> Any:
        read.append(args[0])
        return options_at(*args)

    monkeypatch.setattr(record, "options_at", noted)
    assert run(["review", "a.conf", "b.conf"]) == 0
    assert len(read) == 2


def test_a_file_is_asked_once_for_all_its_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def counted(text: str) -> bool:
        nonlocal asked
        asked += 1
        return looks_like_cloud_conf(text)

    monkeypatch.setattr(machines, "looks_like_cloud_conf", counted)
    text = "---\n".join(PLANE.format(number) for number in range(30))
    found = Linter(*_settings(LintOptions())).examine("planes.yaml", text, explicit=True)
    assert len(found.carried) == 30
    assert 0 < asked <= 30
