"""``ccmcheck review --format html`` on files: no secret and no foreign markup in the page."""

from __future__ import annotations

import base64
import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from page_read import read

from ccmcheck.cli.main import run

SECRET = "kanarienvogel-Zwitschert-42"
EVIL = '</style></title><script>alert(1)</script><img src=x onerror="alert(2)">'
CONF = f"""[Global]
auth-url = https://user:{SECRET}@keystone.example.org/v3
username = ccm
password = {SECRET}
application-credential-secret = "{SECRET}"
[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
{{more}}
"""
EVIL_CONF = CONF + f'[LoadBalancerClass "{EVIL.replace(chr(34), chr(39))}"]\nfloating-network-id = {EVIL[:20]}\n'


def secret(conf: str) -> dict[str, object]:
    data = {"cloud.conf": base64.b64encode(conf.encode()).decode()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "cloud-config", "namespace": "kube-system"},
        "data": data,
    }


def service(name: str, **annotations: str) -> dict[str, object]:
    ports = [{"name": "http", "port": 80, "nodePort": 30080}, {"name": "dns", "port": 53, "protocol": "UDP"}]
    known = {"loadbalancer.openstack.org/" + key.replace("_", "-"): value for key, value in annotations.items()}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "shop", "annotations": known},
        "spec": {
            "type": "LoadBalancer",
            "externalTrafficPolicy": "Local",
            "healthCheckNodePort": 31000,
            "ports": ports,
        },
    }


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Two folders: monitors come, and one cloud.conf no longer starts."""
    objects = [
        service("web"),
        service(EVIL),
        service("class", **{"class": EVIL}),
        service("tags", floating_subnet=EVIL),
    ]
    for side, more in (("before", ""), ("after", "create-monitor = true\nmonitor-delay = 2s")):
        folder = tmp_path / side
        folder.mkdir()
        stop = f"\nmonitor-timeout = {EVIL}" if side == "after" else ""
        for name, conf in (("one", EVIL_CONF.replace("{more}", more)), ("two", CONF.replace("{more}", more + stop))):
            (folder / name).mkdir()
            listed = [secret(conf), *objects]
            (folder / name / "all.yaml").write_text("\n---\n".join(json.dumps(one) for one in listed), encoding="utf-8")
    return tmp_path


def page(folder: Path, *arguments: str) -> str:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(
            [
                "review",
                str(folder / "before"),
                str(folder / "after"),
                "--output-file",
                f"html={folder / 'r.html'}",
                *arguments,
            ]
        )
    assert code in (0, 1), err.getvalue()
    return (folder / "r.html").read_text(encoding="utf-8")


def test_the_page_of_two_folders(changed: Path) -> None:
    found = page(changed, "--nodes=20", "--replicas=3", "--topology=active-standby", "--octavia-release=2024.1")
    assert SECRET not in found
    assert base64.b64encode(SECRET.encode()).decode().strip("=")[:20] not in found
    tree = read(found)
    assert not tree.every("script", "img")
    assert "<script>alert(1)</script>" in tree.text
    assert "20 nodes" in tree.text
    assert tree.every("figure")


def test_the_page_goes_to_standard_output_too(changed: Path) -> None:
    out = StringIO()
    with redirect_stdout(out):
        code = run(["review", str(changed / "before" / "one"), str(changed / "after" / "one"), "--format=html"])
    assert code in (0, 1)
    assert out.getvalue().startswith("<!DOCTYPE html>")
    assert out.getvalue().endswith("</html>\n")
    assert SECRET not in out.getvalue()


def test_the_same_twice_is_a_page_without_changes(changed: Path) -> None:
    out = StringIO()
    with redirect_stdout(out):
        assert run(["review", str(changed / "before"), str(changed / "before"), "--format=html"]) == 0
    assert "Nothing changes" in read(out.getvalue()).every("h1")[0].text


@pytest.mark.parametrize("nodes", [("--nodes=20", "--topology=single"), ()], ids=["counted", "not counted"])
def test_the_page_on_create_monitor(changed: Path, nodes: tuple[str, ...]) -> None:
    out = StringIO()
    with redirect_stdout(out):
        folder = str(changed / "before" / "one")
        assert run(["review", "--question=create-monitor", folder, "--format=html", *nodes]) == 0
    assert SECRET not in out.getvalue()
    tree = read(out.getvalue())
    assert tree.every("h1")[0].text == "Turn create-monitor on"
    assert not tree.every("script", "img")
    bars = [one for one in tree.every("svg") if one.attributes.get("class") == "bar"]
    assert len(bars) >= 3
    assert {"What others set", "Who switched it on or off, and why"} <= {one.text for one in tree.every("h2")}
    assert [one for one in tree.every("a") if one.attributes["href"].startswith("https://github.com/")]
