"""``ccmcheck lint``: exit codes, formats, what is linted, what is shown."""

from __future__ import annotations

import base64
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from command_line import BROKEN_YAML, FATAL, NOTED, RIGHT, WARNED, put, run, spawn

from ccmcheck import catalog
from ccmcheck.report import REPORTERS

SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\n  namespace: kube-system\ndata:\n"
    f"  cloud.conf: {base64.b64encode(FATAL.encode()).decode()}\n"
)


def findings(folder: Path, *arguments: str, stdin: bytes = b"") -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding."""
    done = run(folder, "lint", "--format=json", *arguments, stdin=stdin)
    assert done.err == ""
    return [(one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]]


def test_the_samples_are_what_they_say(tmp_path: Path) -> None:
    put(tmp_path, {"r/cloud.conf": RIGHT, "f/cloud.conf": FATAL, "w/cloud.conf": WARNED, "n/cloud.conf": NOTED})
    assert findings(tmp_path, "r") == []
    assert findings(tmp_path, "f") == [("f/cloud.conf", 11, 17, "duration-bad")]
    assert findings(tmp_path, "w") == [("w/cloud.conf", 5, 16, "tls-insecure-on")]
    assert findings(tmp_path, "n") == [("n/cloud.conf", 7, 1, "create-monitor-implicit")]


@pytest.mark.parametrize("form", REPORTERS)
def test_exit_codes_do_not_depend_on_the_format(tmp_path: Path, form: str) -> None:
    put(tmp_path, {"r/cloud.conf": RIGHT, "f/cloud.conf": FATAL, "w/cloud.conf": WARNED, "n/cloud.conf": NOTED})
    put(tmp_path, {"b/secret.yaml": BROKEN_YAML, "b/cloud.conf": FATAL})

    def code(*arguments: str) -> int:
        return run(tmp_path, "lint", f"--format={form}", *arguments).code

    assert code("r") == code("n") == 0
    assert code("f") == code("w") == code("n", "--fail-on=info") == 1
    assert code("w", "--fail-on=error") == code("w", "--ignore=tls-insecure-on") == 0
    assert code("f", "--select=loadbalancer") == 0
    assert code("f", "--release=1.99") == code("f", "--no-such-option") == 2
    assert code("b") == code("nowhere") == code("b", "--fail-on=error", "--ignore=duration-bad") == 3


def test_a_right_file_prints_only_the_summary(tmp_path: Path) -> None:
    done = run(put(tmp_path, {"cloud.conf": RIGHT}), "lint")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("No findings in 1 cloud.conf, 1 file, ")
    assert done.out.count("\n") == 1
    assert run(tmp_path, "lint", "-q") == (0, "", "")


def test_the_look_of_a_finding(tmp_path: Path) -> None:
    done = run(put(tmp_path, {"clusters/secret.yaml": SECRET}), "lint", "--release=1.31", "clusters")
    shown, _, summary = done.out.rpartition("\n\n")
    assert shown.splitlines() == [
        "clusters/secret.yaml:7:15  error  duration-bad  fatal: the CCM stops at this line",
        '   Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 11',
        "   11 │ monitor-delay = 3",
        "      │                 ^ a duration needs a unit",
        '   The CCM 1.31 ends with: time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"',
        "   Write `3s`.  [fixable]  ccmcheck explain duration-bad",
    ]
    assert summary.startswith("1 finding (1 error) in 1 of 1 cloud.conf, 1 file, ")
    assert summary.endswith(" s, judged as CCM 1.31 (--release).  1 fixable with `ccmcheck fix`.\n")


def test_several_formats_at_once_say_the_same(tmp_path: Path) -> None:
    put(tmp_path, {"x/cloud.conf": FATAL, "x/secret.yaml": SECRET, "x/bad.yaml": BROKEN_YAML})
    files = [f"--output-file={name}=out/{name}" for name in REPORTERS]
    (tmp_path / "out").mkdir()
    done = run(tmp_path, "lint", "--format=concise", *files, "x")
    assert done.code == 3
    reports = {name: (tmp_path / "out" / name).read_text(encoding="utf-8") for name in REPORTERS}
    assert reports["concise"] == done.out
    assert len(json.loads(reports["json"])["findings"]) == 2
    assert sum(json.loads(line)["type"] == "finding" for line in reports["ndjson"].splitlines()) == 2
    sarif = json.loads(reports["sarif"])["runs"][0]
    assert [one["ruleId"] for one in sarif["results"]] == ["duration-bad"] * 2
    assert [one["id"] for one in sarif["tool"]["driver"]["rules"]] == ["duration-bad"]
    assert sum(one["check_name"] == "duration-bad" for one in json.loads(reports["gitlab"])) == 2
    assert reports["github"].count("title=duration-bad") == 2
    assert len(ET.fromstring(reports["checkstyle"]).findall(".//error[@source='ccmcheck.duration-bad']")) == 2  # noqa: S314 - our own
    assert len(ET.fromstring(reports["junit"]).findall(".//failure")) == 2  # noqa: S314 - our own
    assert reports["text"].count("duration-bad  fatal") == 1
    assert "The same at x/secret.yaml:" in reports["text"]


def test_a_report_goes_through_a_link_and_into_a_pipe(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL, "real/report": "old"})
    (tmp_path / "link").symlink_to("real/report")
    assert run(tmp_path, "lint", "--output-file=concise=link").code == 1
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "report").read_text(encoding="utf-8").startswith("cloud.conf:11:17")
    done = spawn(tmp_path, "lint", "-q", "--format=concise", "--output-file=json=/dev/stderr")
    assert json.loads(done.err)["findings"][0]["rule"] == "duration-bad"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert run(tmp_path, "lint", "--output-file=json=pipe").code == 1
    assert json.loads(os.read(reader, 65_536))["version"] == 1
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    assert run(tmp_path, "lint", "--write-baseline=pipe").code == 2
    assert run(tmp_path, "lint", "--output-file=json=real").code == 2
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cloud.conf", "link", "pipe", "real"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format=txt",), "Did you mean `text`?"),
        (("--format=json", "--format=text"), "--output-file text=PATH"),
        (("--output-file=sarif",), "Write --output-file text=PATH."),
        (("--output-file=sarf=x",), "Did you mean `sarif`?"),
        (("--output-file=json=no/such/folder/x",), "no/such/folder/x cannot be written"),
        (("--select=duration-bda",), "Did you mean `duration-bad`?"),
        (("--ignore=vales",), "Did you mean `values`?"),
        (("--relase=1.31",), "--release"),
        (("--release=1.99",), f"Known: 1.9 to {catalog.newest()}"),
        (("--consumer=ccn",), "There are ccm, cinder-csi-plugin"),
        (("--fail-on=eror",), "`eror` is not one of error, warning, info"),
        (("--max-size=3X",), "`3X` is not a size"),
        (("--jobs=0",), "--jobs"),
        (("--nodes=-1",), "--nodes"),
        (("--color=maybe",), "--color"),
        (("--baseline=none.json",), "There is no baseline none.json"),
        (("--env-file=none.env",), "none.env cannot be read"),
        (("--var=novalue",), "Write --var NAME=VALUE."),
        (("--config=none.toml",), "none.toml cannot be read"),
        (("--diff-base=main",), "is in no git repository"),
    ],
)
def test_wrong_use_is_reported_with_what_to_do(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(put(tmp_path, {"cloud.conf": RIGHT}), "lint", *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_misspelt_command_is_answered(tmp_path: Path) -> None:
    done = run(tmp_path, "lnt")
    assert done.code == 2
    assert "There is no command `lnt`. Did you mean `lint`?" in done.err.replace("\nccmcheck: ", " ")


def test_standard_input(tmp_path: Path) -> None:
    assert findings(tmp_path, "-", stdin=FATAL.encode()) == [("<stdin>", 11, 17, "duration-bad")]
    named = findings(tmp_path, "-", "--stdin-filename=deploy/secret.yaml", stdin=SECRET.encode())
    assert named == [("deploy/secret.yaml", 7, 15, "duration-bad")]
    put(tmp_path, {"a/cloud.conf": WARNED})
    both = findings(tmp_path, "-", "a/cloud.conf", "--stdin-filename=a/cloud.conf", stdin=FATAL.encode())
    assert [rule for _, _, _, rule in both] == ["duration-bad", "tls-insecure-on"]
    assert "No cloud.conf" in run(tmp_path, "lint", "-", "--stdin-filename=x.yaml", stdin=b"a: 1\n").out


def test_standard_input_over_the_limit_is_not_read(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--max-size=1kB", "-", stdin=RIGHT.encode() + b"#" * 1000)
    assert done.code == 3
    assert "more than the limit of 1,000" in done.out


def test_without_a_path_the_current_folder_is_linted(tmp_path: Path) -> None:
    put(tmp_path, {"deep/er/cloud.conf": FATAL, "deep/other.txt": "[Global]\n"})
    assert findings(tmp_path) == [("deep/er/cloud.conf", 11, 17, "duration-bad")]


def test_globs_and_doubled_arguments(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "b/cloud.conf": FATAL, "b/c/cloud.conf": RIGHT})
    once = [("a/cloud.conf", 11, 17, "duration-bad"), ("b/cloud.conf", 11, 17, "duration-bad")]
    assert findings(tmp_path, "*/cloud.conf") == once
    assert findings(tmp_path, "**/cloud.conf", "a", "b", "a/cloud.conf") == once
    done = run(tmp_path, "lint", "*.nothing")
    assert done.code == 3
    assert "there is no such file or folder" in done.out


def test_exclude_leaves_folders_out_but_not_a_file_that_is_named(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "vendor/cloud.conf": FATAL})
    assert [path for path, *_ in findings(tmp_path, "--exclude=vendor/**")] == ["a/cloud.conf"]
    assert [path for path, *_ in findings(tmp_path, "--exclude=vendor/**", "vendor/cloud.conf")] == [
        "vendor/cloud.conf"
    ]


def test_select_and_ignore_take_rules_and_groups(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL + "create-montior = true\n[Netwrking]\n"})
    everything = {"duration-bad", "unknown-key", "unknown-section"}
    assert {rule for *_, rule in findings(tmp_path)} == everything
    assert {rule for *_, rule in findings(tmp_path, "--select=names,duration-bad")} == everything
    assert {rule for *_, rule in findings(tmp_path, "--select=names", "--select=values")} == everything
    assert {rule for *_, rule in findings(tmp_path, "--select=names", "--ignore=unknown-key")} == {"unknown-section"}
    assert {rule for *_, rule in findings(tmp_path, "--ignore=names")} == {"duration-bad"}


def test_template_and_final(tmp_path: Path) -> None:
    conf = RIGHT.replace("https://keystone.example.org:5000/v3", "${OS_AUTH_URL}")
    put(tmp_path, {"cloud.conf": conf, "cloud.conf.tmpl": conf})
    assert findings(tmp_path, "--template") == []
    assert findings(tmp_path, "cloud.conf.tmpl") == []
    left = findings(tmp_path, "--final", "cloud.conf")
    assert left == [("cloud.conf", 2, 12, "placeholder-left")]


def test_verbose_says_what_was_not_judged_and_how_to_give_it(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    assert "Not judged" not in run(tmp_path, "lint").out
    output = run(tmp_path, "lint", "-v").out
    assert f"judged as CCM {catalog.newest()} (assumed: the newest)." in output
    assert "Not judged: monitor-probe-budget needs the node count (--nodes)." in output
    assert "Not judged: ca-file-unmounted needs the CCM's pod (" in output
    given = run(tmp_path, "lint", "-v", "--nodes=3").out
    assert "monitor-probe-budget" not in given
    assert "Not judged" not in run(tmp_path, "lint", "-v", "--select=duration-bad").out
    data = json.loads(run(tmp_path, "lint", "--format=json").out)
    assert {"rule": "monitor-probe-budget", "needs": "the node count (--nodes)"} in data["summary"]["unjudged"]


def test_every_need_of_a_rule_can_be_given() -> None:
    from ccmcheck.lint.selection import INPUTS
    from ccmcheck.rules.registry import ENTRIES

    needs = {need for entry in ENTRIES.values() for need in entry.needs}
    assert needs <= set(INPUTS)
    assert needs


def test_jobs_change_nothing(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}/cloud.conf": FATAL if number % 2 else NOTED for number in range(70)})
    one = findings(tmp_path, "--jobs=1")
    assert len(one) == 70
    assert findings(tmp_path, "--jobs=3") == one


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif"])
@pytest.mark.parametrize("absolute", [False, True])
def test_code_hosts_get_paths_from_the_repositorys_root(form: str, absolute: bool, tmp_path: Path) -> None:
    folder = tmp_path / "clusters" / "prod"
    folder.mkdir(parents=True)
    for name in ("objects", "refs"):
        (tmp_path / ".git" / name).mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    path = folder / "cloud.conf"
    path.write_text("[LoadBalancer]\nmonitor-delay = 5\n")
    printed = run(folder, "lint", "--no-config", f"--format={form}", str(path) if absolute else "cloud.conf").out
    assert "clusters/prod/cloud.conf" in printed
    assert str(tmp_path) not in printed


@pytest.mark.parametrize("form", REPORTERS)
def test_a_copy_of_a_password_in_another_file_does_not_show(form: str, tmp_path: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
        '    loadbalancer.openstack.org/keep-floating-ip: "true"\n'
        "    loadbalancer.openstack.org/timeout-client-data: S3cr3t-of-the-ccm\n"
        "spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}\n"
    )
    put(tmp_path, {"cloud.conf": RIGHT.replace("[LoadBalancer]", "password = S3cr3t-of-the-ccm\n[LoadBalancer]")})
    put(tmp_path, {"service.yaml": service})
    done = run(tmp_path, "lint", "-vv", "--format", form)
    assert done.code == 1
    assert "S3cr3t" not in done.out + done.err


@pytest.mark.parametrize("text", ["", "\n\n", "# to be written\n; soon\n"])
def test_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    put(tmp_path, {"prod/cloud.conf": text})
    for command in (("lint", "."), ("lint", "prod/cloud.conf"), ("lint", "-q", "--require=1", "-")):
        done = run(tmp_path, *command, stdin=text.encode())
        assert done.code == 1, command
        assert "nothing is in it" in done.out
