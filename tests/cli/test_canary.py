"""Known secrets go in, by every way and in every state of brokenness; no command and no format lets one out."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import pytest
from command_line import run

from ccmcheck.report import REPORTERS

SECRET = "Canary7Zq9xWv"
OTHER = "Trust3eKx81pQ"

CONF = f"""[Global]
auth-url = https://admin:{OTHER}@keystone.example.org/v3
username = ccm
password = {SECRET}#tail
application-credential-secret = '{SECRET}'
trustee-password = "{SECRET}
[LoadBalancer]
monitor-delay = 3
create-montior = true
"""
RIGHT = CONF.replace(f'trustee-password = "{SECRET}', "").replace("#tail", "").replace("'", "")
SHAPES = {
    "plain": CONF,
    "right": RIGHT,
    "underscore": f"[Global]\napplication_credential_secret = {SECRET}\npass_word: {SECRET}\n",
    "blank": f"[Global]\npassword {SECRET}\ntoken\n= {SECRET}\n",
    "typed": f"[LoadBalancer]\ncreate-monitor = true\n[Global]\nuse-clouds = maybe\ntoken={SECRET} ; {SECRET}\n",
    "continued": f"[Global]\npassword = x\\\n{SECRET}\n[LoadBalancer]\nmonitor-delay = 3\n",
    "unknown": f"[Global]\npasword = {SECRET}\nauth-password = {SECRET}\nos-password={SECRET}\n",
    "twice": f"[Global]\npassword = {SECRET}\npassword = {OTHER}\n",
    "wrong section": f"[LoadBalancer]\npassword = {SECRET}\n[BlockStorage]\ntoken = {SECRET}\n",
    "escape": f'[Global]\npassword = {SECRET}\\d\ntoken = "{SECRET}\\q"\n',
    "before": f"password = {SECRET}\n[Global\ntoken={SECRET}\n",
    "clouds": f"clouds:\n  x:\n    auth:\n      password: {SECRET}\n",
    "json": f'{{"password": "{SECRET}"}}\n',
    "encoded": base64.b64encode(RIGHT.encode()).decode() + "\n",
    "utf-16": RIGHT.encode("utf-16").decode("utf-8", "surrogateescape"),
    "nul": f"[Global]\npass\0word = {SECRET}\ntok\0en = {SECRET[:5]}\0{SECRET[5:]}\nx_y = 1\n",
    "bytes": f"[Global]\npassword = {SECRET}\x00\ntoken = {SECRET}\udcff\n",
}


def b64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()


def block(text: str, indent: str) -> str:
    return "".join(f"{indent}{line}\n" for line in text.split("\n"))


def carriers(conf: str) -> dict[str, str]:
    secret = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\ndata:\n  cloud.conf: {b64(conf)}\n"
    packed = base64.b64encode(gzip.compress(conf.encode("utf-8", "surrogateescape"), mtime=0)).decode()
    return {
        "cloud.conf": conf,
        "secret.yaml": secret,
        "string.yaml": f"apiVersion: v1\nkind: Secret\nmetadata: {{name: c}}\nstringData:\n  cloud.conf: |\n{block(conf, '    ')}",
        "configmap.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  cloud.conf: |\n{block(conf, '    ')}",
        "kcp.yaml": "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: k}\n"
        "spec:\n  kubeadmConfigSpec:\n    files:\n    - path: /etc/kubernetes/cloud.conf\n      content: |\n" + block(conf, "        ")
        + f"    - path: /etc/kubernetes/cloud.conf\n      encoding: gzip+base64\n      content: {packed}\n",
        "crs.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: crs}\ntype: addons.cluster.x-k8s.io/resource-set\n"
        f"data:\n  cloud-config.yaml: {b64(secret)}\n",
        "broken.yaml": f"{secret}---\nkind: Secret\nstringData:\n  password: {SECRET}\n  cloud.conf: [oops {SECRET}\n  - : x\n",
        "values.yaml": f"cloudConfig:\n  global:\n    auth-url: http://k\n    password: {SECRET}\n    token: '{SECRET} \n"
        f"x: {{\n",
        "good-values.yaml": f"cloudConfig:\n  global:\n    auth-url: http://k\n    password: {SECRET}\n  loadBalancer:\n    monitor-delay: 5\n",
        "install.sh": f"#!/bin/sh\nexport OS_PASSWORD={SECRET}\ncat > /etc/kubernetes/cloud.conf <<EOF\n{conf}EOF\n"
        f"kubectl apply -f - <<-'END'\n{secret}END\nopenstack --os-password '{SECRET}' token issue\n",
        "create.sh": f"kubectl create secret generic c --from-literal=cloud.conf='{conf}'\nOS_TOKEN=\"{SECRET}\"\n"
        f"export OPENSTACK_CLOUD_PROVIDER_CONF_B64='{b64(conf)}'\n",
        "helm.sh": f"helm upgrade ccm x --set cloudConfig.global.auth-url=http://k,cloudConfig.global.password={SECRET} \\\n"
        f"  --set 'cloudConfig.global.pasword={SECRET}' --set cloudConfig.loadBalancer.monitor-delay=3\n",
        "kustomization.yaml": "kind: Kustomization\nsecretGenerator:\n- name: c\n  literals:\n"
        f"  - |-\n    cloud.conf={block(conf, '    ').lstrip()}  - password={SECRET}\n",
        "README.md": f"# How\n\n    password = {SECRET}\n\n1. Do\n\n   ```ini\n{block(conf, '   ')}   ```\n"
        f"   `export OS_PASSWORD={SECRET}`\n\n```yaml\n{secret}```\n",
        "main.tf": f'variable "p" {{\n  default = "{SECRET}"\n}}\nresource "kubernetes_secret" "c" {{\n  data = {{\n'
        f'    password = "{SECRET}"\n    "cloud.conf" = <<-EOT\n{block(conf, "      ")}    EOT\n  }}\n}}\n'
        f'locals {{ "cloud.conf" = "[Global]\\nauth-url=x\\npassword={SECRET}\\n[LoadBalancer]\\nmonitor-delay=3" }}\n',
        "_helpers.tpl": f'{{{{ define "a" }}}}password: {SECRET}{{{{ end }}}}\n{{{{ define "cloud.conf" }}}}\n{conf}{{{{ end }}}}\n',
        "page.rst": f"How::\n\n{block(conf, '   ')}\npassword = {SECRET}\n",
        "page.adoc": f"password = {SECRET}\n----\n{conf}----\npassword = {SECRET}\n",
        "conf.go": f'package a\n\nvar password = "{SECRET}"\n\nvar conf = `{conf}`\n',
        "console.md": f"```console\n$ export OS_PASSWORD={SECRET}\n$ cat cloud.conf\n{conf}$ openstack --os-password {SECRET}\n```\n",
        "rke.tf": 'openstack_cloud_provider {\n  global {\n    auth_url = "http://k"\n'
        f'    password = "{SECRET}"\n    pasword = "{SECRET}"\n  }}\n  load_balancer {{\n    monitor_delay = "3"\n  }}\n}}\n',
        "cluster.yml": "cloud_provider:\n  openstackCloudProvider:\n    global:\n      auth-url: http://k\n"
        f"      password: {SECRET}\n      pasword: {SECRET}\n    load_balancer:\n      monitor-delay: 3\n",
        "app.yaml": "kind: Application\nspec:\n  source:\n    chart: openstack-cloud-controller-manager\n    helm:\n      parameters:\n"
        f"      - {{name: cloudConfig.global.password, value: {SECRET}}}\n      - {{name: cloudConfig.global.pasword, value: {SECRET}}}\n"
        "      - {name: cloudConfig.loadBalancer.monitor-delay, value: '3'}\n",
        "raw.yaml": f"{{{{- $conf := `{conf}` }}}}\nkind: Secret\ndata:\n  cloud.conf: {{{{ $conf | b64enc }}}}\n  password: {SECRET}\n",
        "annotations.yaml": "service:\n  annotations:\n    loadbalancer.openstack.org/keep-floatingip: maybe\n"
        f"    password: {SECRET}\n    loadbalancer.openstack.org/password: {SECRET}\n",
        "Makefile": f"PASSWORD = {SECRET}\ndefine CLOUD_CONF\n{conf}endef\n",
        "cloud.conf.tmpl": conf + "auth-url=${URL}\npassword=${PW}\n{% if x %}\n",
    }  # fmt: skip


def said(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """All that a command prints."""
    done = run(folder, *arguments, stdin=stdin, COLUMNS="200")
    assert done.code in (0, 1, 2, 3), done.err
    assert "internal error" not in done.out + done.err
    return done.out + done.err


LEAKS = [SECRET, SECRET.lower(), OTHER, *(b64("x" * shift + SECRET)[4:16] for shift in range(3))]


def assert_silent(printed: str) -> None:
    bare = printed.replace("\\x00", "").replace("\\u0000", "")
    for leak in LEAKS:
        assert leak not in printed, printed
        assert leak not in bare, bare


def test_the_leaks_would_be_seen() -> None:
    assert any(leak in CONF for leak in LEAKS)
    assert any(leak in b64(CONF) for leak in LEAKS)


@pytest.fixture(params=sorted(SHAPES))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    for name, text in carriers(SHAPES[request.param]).items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    return tmp_path


@pytest.mark.part(of=17)
def test_lint_in_every_format(folder: Path) -> None:
    # one run for the screen and every other format into its file: 9 formats at the price of one
    files = [f"--output-file={name}=out.{name}" for name in REPORTERS if name != "text"]
    printed = said(
        folder, "lint", "-v", *files, "--release=1.25", "--release=1.36", f"--var=PW={SECRET}", ".", "cloud.conf"
    )
    assert "finding" in printed
    assert_silent(printed)
    for name in REPORTERS:
        if name != "text":
            assert_silent((folder / f"out.{name}").read_text(encoding="utf-8"))
    assert_silent(
        said(folder, "lint", "--write-baseline=known.json", ".") + (folder / "known.json").read_text(encoding="utf-8")
    )


@pytest.mark.part(of=17)
def test_read_and_show(folder: Path) -> None:
    printed = ""
    for path in sorted(folder.iterdir()):
        name = path.name
        if name in {"cloud.conf", "secret.yaml", "good-values.yaml", "cloud.conf.tmpl", "install.sh", "main.tf"}:
            printed += said(folder, "read", name) + said(
                folder, "read", "--format=json", "--reader=ccm@release-1.20", name
            )
            printed += said(folder, "show", "--format=json", name)
    printed += said(folder, "list", "-v") + said(folder, "list", "--format=json", ".", "cloud.conf")
    printed += said(folder, "show", "cloud.conf") + said(folder, "show", "--format=markdown", "-", stdin=CONF.encode())
    assert_silent(printed)


def test_wrong_configuration(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "vars.env").write_text(f"PASSWORD={SECRET}\nbroken {SECRET}\n", encoding="utf-8")
    (tmp_path / "ccmcheck.toml").write_text(f'[vars]\nPASSWORD = "{SECRET}"\nnodes = "{SECRET}"\n', encoding="utf-8")
    printed = said(tmp_path, "lint", "--env-file=vars.env", f"--var={SECRET}", ".")
    printed += said(tmp_path, "lint", f"--var=PASSWORD={SECRET}", "--relase=1.31", ".")
    assert_silent(printed.replace(f"--var `{SECRET}`", ""))


def test_taints_and_ids_of_nodes_show_no_secret(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(f"[Global]\nauth-url=https://k:5000/v3\npassword={SECRET}\n", encoding="utf-8")
    (tmp_path / "ccm.yaml").write_text(
        "kind: DaemonSet\nmetadata: {name: ccm}\nspec:\n  template:\n    spec:\n"
        "      tolerations: [{key: node.cloudprovider.kubernetes.io/uninitialized, operator: Exists}]\n"
        "      containers:\n        - name: ccm\n"
        "          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2\n",
        encoding="utf-8",
    )
    node = "kind: Node\nmetadata: {{name: n1, labels: {{a: b}}}}\nspec:\n  providerID: {id}\n  taints: [{taint}]\n"
    (tmp_path / "node.yaml").write_text(
        node.format(id=f"openstack:///{SECRET}", taint=f"{{key: {SECRET}, value: {SECRET}, effect: NoSchedule}}")
    )
    (tmp_path / "machine.yaml").write_text(f"kind: OpenStackMachine\nspec: {{providerID: openstack://r/{SECRET}}}\n")
    for command in (("lint",), ("lint", "--format=json"), ("fix", "--diff", "--unsafe"), ("predict", "-v")):
        assert SECRET not in run(tmp_path, *command, ".").out
