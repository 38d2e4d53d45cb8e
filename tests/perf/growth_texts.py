"""The same of files in other languages, and of a cloud.conf alone; see `growth_units`."""

from __future__ import annotations

import json
from collections.abc import Callable
from textwrap import indent

from growth_units import Unit, base64_of, conf, service

_SHELL_VALUES = "--set cloudConfig.global.region=R{0} --set cloudConfig.loadBalancer.monitor-delay=3"
_INSTALL = (
    "V{0}=2.28.1; helm upgrade -i c{0} cpo/openstack-cloud-controller-manager --version $V{0} " + _SHELL_VALUES + "\n"
)
_APPLY = "kubectl apply -f https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/release-1.28/manifests/a.yaml\n"
_ANNOTATE = 'kubectl annotate service web-{0} loadbalancer.openstack.org/keep-floatingip="maybe"\n'
_CLASS = '[LoadBalancerClass "c{0}"]\nfloating-network-id=x\nunknown-{0}=1\n'


def _shell(number: int) -> str:
    heredoc = f"cat > /etc/kubernetes/{number}/cloud.conf <<'EOF'\n{conf(number)}EOF\n"
    variable = f"OPENSTACK_CLOUD_PROVIDER_CONF_B64={base64_of(conf(number))}\n"
    return heredoc + variable + (_INSTALL + _ANNOTATE).format(number) + _APPLY


def _docker(number: int) -> str:
    return f"RUN cat > /etc/{number}/cloud.conf <<EOF\n{conf(number)}EOF\n" + "RUN " + _ANNOTATE.format(number)


def _make(number: int) -> str:
    return f"define CONF{number}\n{conf(number)}endef\na{number}:\n\t{_INSTALL.format(number)}"


def _terraform(number: int) -> str:
    return (
        f'resource "kubernetes_secret" "a{number}" {{\n  data = {{\n    "cloud.conf" = <<-EOT\n{conf(number)}EOT\n  }}\n}}\n'
        f'resource "helm_release" "a{number}" {{\n  chart = "openstack-cloud-controller-manager"\n  version = "2.28.1"\n'
        '  set {\n    name = "cloudConfig.loadBalancer.monitor-delay"\n    value = "5"\n  }\n}\n'
    )


def _rke(number: int) -> str:
    return (
        f'resource "rke_cluster" "a{number}" {{\n  cloud_provider {{\n    name = "openstack"\n    openstack_cloud_provider {{\n'
        '      global {\n        auth_url = "https://k/v3"\n        username = "kube"\n      }\n'
        '      load_balancer {\n        create_monitor = true\n        monitor_delay = "5"\n      }\n    }\n  }\n}\n'
    )


def _terraform_service(number: int) -> str:
    return (
        f'resource "kubernetes_service_v1" "a{number}" {{\n  metadata {{\n    name = "a{number}"\n    annotations = {{\n'
        '      "loadbalancer.openstack.org/keep-floatingip" = "maybe"\n    }\n  }\n  spec {\n'
        '    type = "LoadBalancer"\n    port {\n      port = 80\n    }\n  }\n}\n'
    )


def _indented(text: str, margin: str = "    ") -> str:
    return indent(text, margin, lambda _line: True)


def _console(number: int) -> str:
    return f"```console\n$ cat cloud.conf\n{conf(number)}$ kubectl get pods\n```\n\n"


def _answer(number: int) -> str:
    row = f"| 5e1f0c3a-0000-4000-8000-{number:012} | 10.0.0.0/24 |"
    return f"$ openstack subnet list --network n{number}\n+---+---+\n| ID | Subnet |\n+---+---+\n{row}\n+---+---+\n"


def _document(path: str, make: Callable[[int], str]) -> Unit:
    return Unit(path, lambda number: f"Text {number}.\n\n{make(number)}\n")


TEXTS: dict[str, Unit] = {
    "cloud.conf": Unit("cloud.conf", "unknown-{0}=1\ncreate-monitr{0}=true\n".format, head=conf(0)),
    "cloud.conf, classes": Unit("cloud.conf", _CLASS.format, head=conf(0)),
    "template of a cloud.conf": Unit(
        "cloud.conf.tmpl", "unknown-{0}=${{T{0}}}\ncreate-monitr{0}=true\n".format, head=conf(0)
    ),
    "template of a manifest": Unit(
        "x.yaml.j2", lambda number: f"data: {{{{ a }}}}: [\n  cloud.conf: |\n{_indented(conf(number))}"
    ),
    "JSON": Unit("x.json", lambda number: json.dumps({"cloud.conf": conf(number)}), head="[", between=",", tail="]"),
    "shell": Unit("x.sh", _shell, head="#!/bin/sh\n"),
    "Dockerfile": Unit("Dockerfile", _docker, head="FROM a\n"),
    "Makefile": Unit("Makefile", _make),
    "Terraform": Unit("x.tf", _terraform),
    "RKE in Terraform": Unit("x.tf", _rke),
    "Services in Terraform": Unit("x.tf", _terraform_service),
    "conditions of a template": Unit(
        "cloud.conf.j2", "{{% if a{0} %}}\nunknown-{0}=1\n{{% else %}}\nb{0}=1\n{{% endif %}}\n".format, head=conf(0)
    ),
    "fences of Markdown": _document("x.md", lambda number: f"```\n{conf(number)}```\n"),
    "fences with Services": _document("x.md", lambda number: f"```yaml\n{service(number)}```\n"),
    "fences with small texts": _document("x.md", lambda number: f"> ```\n> [Global]\n> region=R{number}\n> ```\n"),
    "fences that a quotation ends": _document("x.md", lambda number: "> ```\n" + _indented(conf(number), "> ")),
    "consoles": _document("x.md", _console),
    "commands in Markdown": _document("x.md", lambda number: f"```sh\n{_shell(number)}```\n"),
    "indented blocks": _document("x.md", lambda number: _indented(conf(number))),
    "AsciiDoc": _document("x.adoc", lambda number: f"----\n{conf(number)}----\n"),
    "reStructuredText": _document("x.rst", lambda number: f"x::\n\n{_indented(conf(number))}"),
    "README": _document("README", lambda number: f"```\n{conf(number)}```\n"),
    "Go template": Unit("x.tpl", lambda number: f'{{{{ define "a{number}" }}}}\n{conf(number)}{{{{ end }}}}\n'),
    "outputs of openstack": Unit("x.txt", _answer, beside={"cloud.conf": conf(0)}),
    "Go": Unit("x.go", lambda number: f"var conf{number} = `\n{conf(number)}`\n", head="package a\n\n"),
}
"""Each language of `ccmcheck.carriers.embedded`, most in several forms."""
