"""``ccmcheck read`` and ``ccmcheck show``: one file as a reader sees it, secrets masked."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from command_line import BROKEN_YAML, FATAL, RIGHT, put, run

from ccmcheck import catalog

CONF = 'x = 1\n[Global]\npassword = Zq9x # and more\nregion = "a#b"\n'.partition("\n")[2] + (
    '[LoadBalancer]\nmonitor-delay = 1m30s\ncreate-monitor\nuse-octavia = true\n[LoadBalancerClass "gold"]\nsubnet-id = s\n[Nowhere]\nx = 1\n'
)
TWO = "".join(
    f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\ndata:\n  cloud.conf: {base64.b64encode(conf.encode()).decode()}\n"
    for name, conf in (("one", RIGHT), ("two", FATAL))
)


def test_read_as_text(tmp_path: Path) -> None:
    done = run(put(tmp_path, {"cloud.conf": CONF}), "read", "cloud.conf")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"cloud.conf  read by ccm@{catalog.newest()}",
        "  [Global]",
        "    password = ****",
        "    region = a#b",
        "  [LoadBalancer]",
        "    monitor-delay = 1m30s",
        "    create-monitor = true",
        '  [LoadBalancerClass "gold"]',
        "    subnet-id = s",
        "  ignored: [LoadBalancer] use-octavia",
        "  ignored: [Nowhere], the whole section",
        "",
    ]


def test_read_as_json(tmp_path: Path) -> None:
    put(tmp_path, {"s.yaml": TWO})
    done = run(tmp_path, "read", "--format=json", "--reader=ccm@release-1.31", "s.yaml")
    assert done.code == 1
    document = json.loads(done.out)
    assert document["version"] == 1
    one, two = document["configs"]
    assert one["source"] == "s.yaml"
    assert one["carrier"] == 'Secret one › data["cloud.conf"] (base64)'
    assert (one["reader"], one["outcome"], one["error"]) == ("ccm@release-1.31", "ok", None)
    assert one["values"]["Global"]["application-credential-secret"] == "****"
    assert one["ignored"] == []
    assert (two["outcome"], two["values"]) == ("fatal", {})
    assert two["error"] == 'time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"'


def test_several_readers(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})

    def readers(*arguments: str) -> dict[str, str]:
        done = run(tmp_path, "read", "--format=json", *arguments, "cloud.conf")
        return {one["reader"]: one["outcome"] for one in json.loads(done.out)["configs"]}

    assert readers("--release=1.25", "--release=v1.31.2") == {"ccm@1.25": "fatal", "ccm@v1.31.2": "fatal"}
    assert readers("--reader=cinder-csi-plugin@1.31") == {"cinder-csi-plugin@1.31": "ok"}
    assert readers("--consumer=cinder-csi-plugin") == {f"cinder-csi-plugin@{catalog.newest()}": "ok"}
    assert readers("--reader=cinder-csi-plugin@1.18") == {"cinder-csi-plugin@1.18": "fatal"}


@pytest.mark.parametrize("command", ["read", "show"])
def test_exit_codes(tmp_path: Path, command: str) -> None:
    put(
        tmp_path,
        {"cloud.conf": RIGHT, "fatal.conf": FATAL, "bad.yaml": BROKEN_YAML + "---\n" + TWO, "none.yaml": "a: 1\n"},
    )
    put(tmp_path, {"d/cloud.conf": RIGHT, "empty.yaml": "", "only-bad.yaml": BROKEN_YAML})

    def code(*arguments: str) -> int:
        return run(tmp_path, command, *arguments).code

    assert code("cloud.conf") == 0
    assert code("d") == 0
    assert code("fatal.conf") == 1
    assert code("bad.yaml") == code("nothing.conf") == code("none.yaml") == code("only-bad.yaml") == 3
    assert code() == 3
    assert code("cloud.conf", "--format=xml") == code("cloud.conf", "--release=1.99") == 2
    assert code("cloud.conf", "fatal.conf") == 1
    assert "there is no cloud.conf in none.yaml" in run(tmp_path, command, "none.yaml").err
    assert "only-bad.yaml:6:1: not YAML" in run(tmp_path, command, "only-bad.yaml").err


@pytest.mark.parametrize("command", ["read", "show"])
def test_from_standard_input(tmp_path: Path, command: str) -> None:
    done = run(tmp_path, command, "-", stdin=RIGHT.encode())
    assert done.code == 0
    assert done.out.startswith("<stdin>  ")
    done = run(tmp_path, command, "-", "--stdin-filename=s.yaml", stdin=TWO.encode())
    assert done.code == 1
    assert done.out.startswith("s.yaml  Secret one")
    assert run(tmp_path, command, "-", stdin=b"# " + b"x" * 11_000_000).code == 3


def test_wrong_readers(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    for arguments, said in (
        (("--reader=ccn@1.31",), "is not known to read cloud.conf"),
        (("--reader=ccm@1.99",), "1.99"),
        (("--reader=ccm", "--release=1.31"), "leave out --release"),
        (("--consumer=ccn",), "There is no consumer `ccn`."),
    ):
        done = run(tmp_path, "read", *arguments, "cloud.conf")
        assert done.code == 2
        assert said in done.err


def test_templates(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"cloud.conf.tmpl": "[Global]\nregion = ${R}\npassword = ${P}\n[LoadBalancer]\nmonitor-delay = ${D}\n"},
    )
    shown = run(tmp_path, "read", "cloud.conf.tmpl").out
    assert "region = ${R}" in shown
    assert "password = ****" in shown
    assert "monitor-delay = ${D}" in shown
    done = run(tmp_path, "read", "--var=D=3", "--var=R=x", "--var=P=Zq9x", "cloud.conf.tmpl")
    assert done.code == 1
    assert "Zq9x" not in done.out
    assert "template" in run(tmp_path, "show", "--set-only", "cloud.conf.tmpl").out


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_show(tmp_path: Path, form: str) -> None:
    put(tmp_path, {"cloud.conf": CONF})
    done = run(tmp_path, "show", f"--format={form}", "--release=1.31", "cloud.conf")
    assert (done.code, done.err) == (0, "")
    assert "Zq9x" not in done.out
    if form == "json":
        (config,) = json.loads(done.out)["configs"]
        rows = {(row["section"], row["key"]): row for row in config["rows"]}
        delay = rows["LoadBalancer", "monitor-delay"]
        assert (delay["value"], delay["default"], delay["origin"]) == ("1m30s", "5s", "line 5")
        assert rows["LoadBalancer", "monitor-timeout"]["origin"] == "default"
        assert rows['LoadBalancerClass "gold"', "subnet-id"]["value"] == "s"
        assert rows["Global", "password"]["value"] == "****"
    else:
        (line,) = [line for line in done.out.splitlines() if "monitor-delay" in line]
        cells = line.replace("\\", "").strip("| ").split(" | ") if form == "markdown" else line.split()
        assert cells[:5] == [
            "[LoadBalancer]",
            "monitor-delay",
            "1m30s",
            "5s",
            "line 5" if form == "markdown" else "line",
        ]


def test_show_only_what_is_set(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": CONF})
    rows = run(tmp_path, "show", "--set-only", "cloud.conf").out.splitlines()
    assert [row.split()[:2] for row in rows if row.startswith("  [")] == [
        ["[Global]", "password"],
        ["[Global]", "region"],
        ["[LoadBalancer]", "create-monitor"],
        ["[LoadBalancer]", "monitor-delay"],
        ["[LoadBalancerClass", '"gold"]'],
    ]
