"""What silences a finding of ``ccmcheck lint``: comments, an annotation, the configuration, a baseline."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from command_line import FATAL, NOTED, RIGHT, WARNED, put, run

HEAD = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\n"
BAD = "monitor-delay = 3\n"
CLOUDS = f"[Global]\nuse-clouds = true\nclouds-file = /etc/c.yaml\n[LoadBalancer]\ncreate-monitor = true\n{BAD}"


def rules(folder: Path, *arguments: str) -> list[str]:
    """The findings as ``rule:line``, without their path."""
    document = json.loads(run(folder, "lint", "--format=json", *arguments).out)
    return [f"{one['rule']}:{one['line']}" for one in document["findings"]]


def suppressed(folder: Path, *arguments: str) -> int:
    document = json.loads(run(folder, "lint", "--format=json", *arguments).out)
    count: int = document["summary"]["suppressed"]
    return count


def encoded(conf: str) -> str:
    return base64.b64encode(conf.encode()).decode()


def indented(conf: str) -> str:
    return "".join(f"    {line}\n" for line in conf.splitlines())


def folded(conf: str) -> str:
    text = encoded(conf)
    return "".join(f"    {text[at : at + 60]}\n" for at in range(0, len(text), 60))


HERE = "# ccmcheck: ignore[duration-bad] because"

SILENCED = {
    "on the line": {"cloud.conf": RIGHT + f"monitor-delay = 3 {HERE}\n"},
    "on the line, after a semicolon": {"cloud.conf": RIGHT + "monitor-delay = 3 ; ccmcheck: ignore[duration-bad]\n"},
    "above the line": {"cloud.conf": RIGHT + f"{HERE}\n{BAD}"},
    "above the line, with more comments between": {"cloud.conf": RIGHT + f"{HERE}\n\n; more\n{BAD}"},
    "for the file": {"cloud.conf": "# ccmcheck: ignore-file[duration-bad] because\n" + FATAL},
    "CRLF": {"cloud.conf": (RIGHT + f"monitor-delay = 3 {HERE}\n").replace("\n", "\r\n")},
    "in a block": {"s.yaml": f"{HEAD}stringData:\n  cloud.conf: |\n{indented(RIGHT + f'{HERE}{chr(10)}{BAD}')}"},
    "at a block": {"s.yaml": f"{HEAD}stringData:\n  cloud.conf: | {HERE}\n{indented(FATAL)}"},
    "above a block": {"s.yaml": f"{HEAD}stringData:\n  {HERE}\n  cloud.conf: |\n{indented(FATAL)}"},
    "for the YAML file": {"s.yaml": f"# ccmcheck: ignore-file[duration-bad] x\n{HEAD}data:\n  cloud.conf: {encoded(FATAL)}\n"},
    "at base64": {"s.yaml": f"{HEAD}data:\n  cloud.conf: {encoded(FATAL)} {HERE}\n"},
    "above base64": {"s.yaml": f"{HEAD}data:\n  {HERE}\n  cloud.conf: {encoded(FATAL)}\n"},
    "above quoted base64": {"s.yaml": f"{HEAD}data:\n  {HERE}\n  'cloud.conf': '{encoded(FATAL)}'\n"},
    "above base64 in a block": {"s.yaml": f"{HEAD}data:\n  {HERE}\n  cloud.conf: |\n{folded(FATAL)}"},
    "at base64 in a block": {"s.yaml": f"{HEAD}data:\n  cloud.conf: |- {HERE}\n{folded(FATAL)}"},
    "above the line in base64": {"s.yaml": f"{HEAD}data:\n  cloud.conf: {encoded(RIGHT + f'{HERE}{chr(10)}{BAD}')}\n"},
    "annotation": {
        "s.yaml": f"{HEAD}  annotations:\n    ccmcheck.dev/ignore: duration-bad=because, of this\ndata:\n  cloud.conf: {encoded(FATAL)}\n"
    },
    "annotation of what holds it": {
        "k.yaml": "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata:\n  name: k\n"
        "  annotations: {ccmcheck.dev/ignore: duration-bad}\n# ccmcheck: ignore-file[capi-cloudconf-file] x\nspec:\n  kubeadmConfigSpec:\n    files:\n"
        f"    - path: /etc/kubernetes/cloud.conf\n      encoding: base64\n      content: {encoded(CLOUDS)}\n"
    },
    "path": {"lab/cloud.conf": FATAL, "ccmcheck.toml": '[per-path-ignores]\n"lab/**" = ["duration-bad"]\n'},
}  # fmt: skip


@pytest.mark.parametrize("where", SILENCED)
def test_what_silences_a_finding(tmp_path: Path, where: str) -> None:
    put(tmp_path, dict(SILENCED[where]))
    assert rules(tmp_path) == []
    assert run(tmp_path, "lint").code == 0
    if where != "path":
        assert suppressed(tmp_path, "--select=values") == 1
        assert [name.partition(":")[0] for name in rules(tmp_path, "--no-suppress", "--select=values")] == [
            "duration-bad"
        ]
        assert run(tmp_path, "lint", "--no-suppress").code == 1
        assert " suppressed." in run(tmp_path, "lint").out


NOT_SILENCED: dict[str, tuple[dict[str, str], list[str]]] = {
    "another rule": (
        {"cloud.conf": RIGHT + "monitor-delay = 3 # ccmcheck: ignore[bool-bad]\n"},
        ["duration-bad:11", "unused-suppression:11"],
    ),
    "another line": (
        {"cloud.conf": HERE + "\n" + FATAL},
        ["unused-suppression:1", "duration-bad:12"],
    ),
    "no rule of that name": (
        {"cloud.conf": RIGHT + "monitor-delay = 3 # ccmcheck: ignore[duration-bda]\n"},
        ["duration-bad:11", "unused-suppression:11"],
    ),
    "no rule": (
        {"cloud.conf": RIGHT + "monitor-delay = 3 # ccmcheck: ignore\n"},
        ["duration-bad:11", "unused-suppression:11"],
    ),
    "no bracket": (
        {"cloud.conf": RIGHT + "monitor-delay = 3 # ccmcheck: ignore[duration-bad\n"},
        ["duration-bad:11", "unused-suppression:11"],
    ),
    "another verb": (
        {"cloud.conf": RIGHT + "monitor-delay = 3 # ccmcheck: ignroe[duration-bad]\n"},
        ["duration-bad:11", "unused-suppression:11"],
    ),
    "quoted": (
        {"cloud.conf": RIGHT.replace("RegionOne", f'"{HERE}"') + BAD},
        ["duration-bad:11"],
    ),
    "above another key of the Secret": (
        {"s.yaml": f"{HEAD}data:\n  {HERE}\n  other: eA==\n  cloud.conf: {encoded(FATAL)}\n"},
        ["unused-suppression:6", "duration-bad:8"],
    ),
    "annotation of another rule": (
        {"s.yaml": f"{HEAD}  annotations: {{ccmcheck.dev/ignore: bool-bad}}\ndata:\n  cloud.conf: {encoded(FATAL)}\n"},
        ["unused-suppression:7", "duration-bad:7"],
    ),
    "a right object": (
        {"c.yaml": f"{HERE}\napiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {{name: cloud-config}}\nspec:\n  strategy: Reconcile\n"},
        ["unused-suppression:1"],
    ),
    "a right file": ({"cloud.conf": RIGHT + f"monitor-delay = 5s {HERE}\n"}, ["unused-suppression:11"]),
}  # fmt: skip


@pytest.mark.parametrize("where", NOT_SILENCED)
def test_what_silences_nothing_is_reported(tmp_path: Path, where: str) -> None:
    files, expected = NOT_SILENCED[where]
    put(tmp_path, dict(files))
    assert sorted(rules(tmp_path)) == sorted(expected)


def test_a_misspelt_rule_in_a_suppression_is_answered(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT + "# ccmcheck: ignore-file[duration-bda] x\n"})
    done = run(tmp_path, "lint")
    assert "cloud.conf:11:25  warning  unused-suppression" in done.out
    assert "Did you mean `duration-bad`?" in done.out


def test_a_suppression_of_a_rule_that_did_not_run_is_not_unused(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT + f"monitor-delay = 5s {HERE}\n"})
    assert rules(tmp_path, "--ignore=duration-bad") == []
    assert rules(tmp_path, "--select=names") == []
    assert rules(tmp_path, "--ignore=unused-suppression") == []


def test_configuration(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "a/b/cloud.conf": WARNED, "c/cloud.conf": NOTED})
    assert len(rules(tmp_path)) == 3
    put(
        tmp_path,
        {
            "ccmcheck.toml": 'release = "1.31"\nignore = ["duration-bad"]\nfail-on = "error"\nexclude = ["c/**"]\nformat = "concise"\n'
            '[severity]\ntls-insecure-on = "error"\n'
        },
    )
    done = run(tmp_path, "lint")
    assert done.code == 1
    assert done.out.startswith("a/b/cloud.conf:5:16: error tls-insecure-on")
    assert done.out.count("\n") == 1 + done.out.count("finding")
    assert run(tmp_path, "lint", "--no-config").out.count("duration-bad") > 0
    assert run(tmp_path, "lint", "a/b", "--fail-on=error").code == 1
    assert "CCM 1.31" in run(tmp_path, "lint", "-v", "--format=text").out
    assert "CCM 1.30" in run(tmp_path, "lint", "-v", "--format=text", "--release=1.30").out
    assert run(tmp_path / "a", "lint", "-q").out.count("tls-insecure-on") == 1


def test_configuration_in_pyproject_and_by_name(tmp_path: Path) -> None:
    put(tmp_path, {"x/cloud.conf": FATAL, "pyproject.toml": "[tool.other]\nselect = 3\n"})
    assert rules(tmp_path) == ["duration-bad:11"]
    put(tmp_path, {"pyproject.toml": '[tool.ccmcheck]\nseverity = { duration-bad = "off" }\n'})
    assert rules(tmp_path) == []
    put(tmp_path, {"other.toml": 'ignore = ["names"]\n'})
    assert rules(tmp_path, "--config=other.toml") == ["duration-bad:11"]
    assert rules(tmp_path, "--no-config") == ["duration-bad:11"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("igonre = []\n", "ccmcheck.toml:1: there is no option `igonre`"),
        ("# x\nselect = ['duration-bda']\n", "Did you mean `duration-bad`?"),
        ("[severity]\nduration-bad = 'eror'\n", "Did you mean `error`?"),
        ("format = 'txt'\n", "Did you mean `text`?"),
        ("release = 3\n", "`release` must be"),
        ("release = '1.99'\n", "1.99"),
        ("x = \n", "is not TOML"),
        ("baseline = 'none.json'\n", "There is no baseline"),
        ("consumers = ['cinder']\n", "there is no option `consumers`"),
    ],
)
def test_a_configuration_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    done = run(put(tmp_path, {"cloud.conf": FATAL, "ccmcheck.toml": text}), "lint")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_baseline_is_written_and_read(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "b/cloud.conf": WARNED})
    done = run(tmp_path, "lint", "--write-baseline=known.json")
    assert (done.code, done.out) == (0, "")
    assert "2 findings are counted in known.json" in done.err
    assert json.loads((tmp_path / "known.json").read_text(encoding="utf-8")) == {
        "version": 1,
        "files": {"a/cloud.conf": {"duration-bad": 1}, "b/cloud.conf": {"tls-insecure-on": 1}},
    }
    done = run(tmp_path, "lint", "--baseline=known.json")
    assert done.code == 0
    assert "2 in the baseline" in done.out
    put(tmp_path, {"a/cloud.conf": FATAL + "monitor-timeout = 4\n"})
    assert rules(tmp_path, "--baseline=known.json") == ["duration-bad:12"]
    assert run(tmp_path / "a", "lint", "--baseline=../known.json").code == 1
    put(tmp_path, {"a/cloud.conf": RIGHT, "ccmcheck.toml": 'baseline = "known.json"\n'})
    done = run(tmp_path, "lint", "-v", "a")
    assert done.code == 0
    assert "the baseline holds 1 of duration-bad in a/cloud.conf, 0 left: write it again" in done.out
    assert rules(tmp_path, "b") == []


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a": {"b": 0}}}', "[" * 100_000]
)
def test_a_baseline_that_is_none(tmp_path: Path, text: str) -> None:
    done = run(put(tmp_path, {"cloud.conf": FATAL, "known.json": text}), "lint", "--baseline=known.json")
    assert done.code == 2
    assert "known.json" in done.err
