"""What is said of a Service quotes it, and a value may be a secret elsewhere: no command that predicts shows one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccmcheck.cli.main import run

CANARY = "Canary99Canary"
CONF = f"""\
[Global]
auth-url = https://keystone.example.com/v3
password = {CANARY}
[LoadBalancer]
floating-network-id = 2c7a1e5d-3b8f-4c6d-9a0e-1f4b7d5c8e2a
floating-subnet = {CANARY}
"""
CHOSEN = f"""\
enable-ingress-hostname = true
ingress-hostname-suffix = {CANARY}
[LoadBalancerClass "{CANARY}"]
floating-network-id = 3d8b2f6e-4c9a-4d7e-8b1f-2a5c8e6d9f3b
"""
SERVICES = """\
apiVersion: v1
kind: Service
metadata: {name: a, namespace: b, annotations: {loadbalancer.openstack.org/class: "password=hunter2hunter2"}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: c, namespace: b}
spec: {type: LoadBalancer, externalTrafficPolicy: "password=hunter2hunter2", ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: d, namespace: b}
spec: {type: LoadBalancer, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: e, namespace: b, annotations: {loadbalancer.openstack.org/proxy-protocol: "true"}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
"""


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
@pytest.mark.parametrize(
    "command",
    ["predict -vv", "explain create-monitor -v", "review --question create-monitor -v", "upgrade --from 1.25"],
)
def test_no_secret_shows(command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(CONF + CHOSEN, encoding="utf-8")
    (tmp_path / "services.yaml").write_text(SERVICES, encoding="utf-8")
    assert run([*command.split(), str(tmp_path), "--format", form]) in (0, 1)
    said = capsys.readouterr()
    assert CANARY not in said.out + said.err
    assert "hunter2" not in said.out + said.err
    assert len(said.out) > 100


def test_a_long_secret_is_not_cut_out_of_its_mask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text((CONF + CHOSEN).replace(CANARY, CANARY * 6), encoding="utf-8")
    (tmp_path / "services.yaml").write_text(SERVICES, encoding="utf-8")
    assert run(["predict", str(tmp_path), "-v"]) in (0, 1)
    said = capsys.readouterr()
    assert "not from that of class" in " ".join(said.out.split())
    assert CANARY not in said.out + said.err


def test_a_review_of_services_shows_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side, conf in (("base", CONF), ("head", CONF + "create-monitor = true\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "cloud.conf").write_text(conf, encoding="utf-8")
        (tmp_path / side / "services.yaml").write_text(SERVICES, encoding="utf-8")
    for form in ("text", "markdown", "json", "html"):
        assert run(["review", str(tmp_path / "base"), str(tmp_path / "head"), "-vv", "--format", form]) in (0, 1)
        said = capsys.readouterr()
        assert CANARY not in said.out + said.err
        assert "hunter2" not in said.out + said.err


@pytest.mark.parametrize(
    "command",
    ["show", "show --profile scs", "read", "show --format json", "read --format json", "list -v", "list --format json"],
)
def test_a_secret_that_stands_a_second_time_does_not_show(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cloud.conf"
    path.write_text(CONF + f"lb-provider = {CANARY}\n", encoding="utf-8")
    verb, *options = command.split()
    assert run([verb, str(path), *options]) in (0, 1)
    said = capsys.readouterr()
    assert CANARY not in said.out + said.err
    assert len(said.out) > 100


_ANNOTATION = "loadbalancer.openstack.org/keep-floatingip"
_IN_ONE_FILE = {
    "main.tf": 'openstack_cloud_provider {\n  global {\n    auth_url = "https://k/v3"\n    username = "ccm"\n'
    f'    password = "{CANARY}"\n  }}\n}}\nannotations = {{\n  "{_ANNOTATION}" = "{CANARY}"\n}}\n',
    "a.yaml": f"cloud_provider:\n  openstackCloudProvider:\n    global: {{auth-url: 'https://k/v3', password: {CANARY}}}\n"
    f"service:\n  annotations:\n    {_ANNOTATION}: {CANARY}\n",
    "a.md": f"```\n--cloud-provider=openstack\n```\n```\n{CONF}```\n```yaml\nannotations:\n  {_ANNOTATION}: {CANARY}\n```\n",
    "a.sh": f"helm upgrade a b --set cloudConfig.global.password={CANARY}\n"
    f"kubectl annotate service a {_ANNOTATION}={CANARY}\n",
}


_SAID = {
    "main.tf": "svc-annotation-unknown",  # the in-tree provider, which reads two of them, knows none of the CCM
    "a.yaml": "svc-annotation-unknown",
    "a.md": "svc-annotation-value",
    "a.sh": "svc-annotation-value",
}


@pytest.mark.parametrize("name", _IN_ONE_FILE)
def test_a_secret_of_a_cloud_conf_does_not_show_in_an_annotation_of_its_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(_IN_ONE_FILE[name], encoding="utf-8")
    for form in ("text", "json", "sarif"):
        run(["lint", str(tmp_path / name), "--format", form, "-v"])
        said = capsys.readouterr()
        assert CANARY not in said.out + said.err
        assert _SAID[name] in said.out, form
        if form == "json":
            rules = [one["rule"] for one in json.loads(said.out)["findings"]]
            assert [rule for rule in rules if rule.startswith("svc-annotation-")] == [_SAID[name]]


@pytest.mark.parametrize("template", ["cloud.conf", "helm-values", "secret"])
def test_a_secret_that_stands_a_second_time_does_not_show_in_what_is_rendered(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cloud.conf"
    path.write_text(f"[LoadBalancer]\nlb-provider = {CANARY}\nsubnet-id = a-{CANARY}\n{CONF}", encoding="utf-8")
    assert run(["render", template, "--cloud-config", str(path)]) in (0, 1)
    said = capsys.readouterr()
    assert CANARY not in said.out + said.err
    assert "lb-provider" in said.out
