"""PROXY on one side only: what is behind a Service is a workload in its folder, with the settings that it names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

RULE = "svc-proxy-one-side"
NGINX, TRAEFIK = "registry.k8s.io/ingress-nginx/controller:v1.12.0", "docker.io/traefik:v3.3"
TECH, COMMUNITY = "haproxytech/kubernetes-ingress:3.1", "quay.io/jcmoraisjr/haproxy-ingress:v0.14"
FLAG = "--configmap=$(POD_NAMESPACE)/settings"
FILE = "/usr/local/etc/haproxy"
HTTP, TCP = "defaults\n  mode http\nfrontend web\n  bind :80\n", "frontend pg\n  bind :5432\n"
INGRESSES = "--providers.kubernetesIngress"
SENT, NOT_SENT, NEITHER = "is not set to expect one", "sends none", ""


def workload(
    image: str,
    *arguments: str,
    mount: str = "",
    volume: str = "configMap: {name: settings}",
    more: str = "",
    pod: str = "",
) -> str:
    mounts = f"          volumeMounts: [{{name: file, mountPath: {mount}}}]\n" if mount else ""
    volumes = f"      volumes:\n        - name: file\n          {volume}\n" if mount else ""
    return (
        "kind: DaemonSet\napiVersion: apps/v1\nmetadata: {name: proxy, namespace: edge}\nspec:\n  template:\n"
        "    metadata: {labels: {app: proxy, tier: edge}}\n    spec:\n      containers:\n"
        f"        - name: proxy\n          image: {image}\n          args: {json.dumps(arguments)}\n{mounts}{more}{volumes}{pod}"
    )


def settings(**data: str) -> str:
    return f"kind: ConfigMap\napiVersion: v1\nmetadata: {{name: settings, namespace: edge}}\ndata: {json.dumps(data)}\n# haproxy\n"


def service(proxy: str, more: str = "") -> str:
    annotation = f'{{loadbalancer.openstack.org/proxy-protocol: "{proxy}"}}' if proxy else f"{{{more}}}"
    return (
        f"kind: Service\napiVersion: v1\nmetadata:\n  name: haproxy\n  namespace: edge\n  annotations: {annotation}\n"
        "spec:\n  type: LoadBalancer\n  selector: {app: proxy}\n  ports: [{port: 80}]\n"
    )


USED = {"use-proxy-protocol": "true"}
CASES = {
    "ingress-nginx, none expected": ("true", [workload(NGINX, FLAG), settings()], SENT),
    "ingress-nginx, version 2": ("v2", [workload(NGINX, FLAG), settings()], SENT),
    "ingress-nginx, no ConfigMap named": ("true", [workload(NGINX)], SENT),
    "ingress-nginx, both": ("true", [workload(NGINX, FLAG), settings(**USED)], NEITHER),
    "ingress-nginx, neither": ("", [workload(NGINX, FLAG), settings()], NEITHER),
    "ingress-nginx, none sent": ("", [workload(NGINX, FLAG), settings(**USED)], NOT_SENT),
    "ingress-nginx, off": ("true", [workload(NGINX, FLAG), settings(**{"use-proxy-protocol": "false"})], SENT),
    "ingress-nginx, a ConfigMap elsewhere": ("true", [workload(NGINX, FLAG)], NEITHER),
    "ingress-nginx, of another namespace": ("true", [workload(NGINX, "--configmap=other/settings"), settings()], NEITHER),
    "ingress-nginx, a template": ("true", [workload(NGINX, FLAG), settings(**{"use-proxy-protocol": "${PROXY}"})], NEITHER),
    "ingress-nginx, ports of its own": ("true", [workload(NGINX, FLAG, "--tcp-services-configmap=edge/tcp"), settings()], NEITHER),
    "ingress-nginx, the annotation is false": ("false", [workload(NGINX, FLAG), settings(**USED)], NEITHER),
    "Traefik, none expected": ("true", [workload(TRAEFIK, "--entryPoints.web.address=:80", INGRESSES)], SENT),
    "Traefik may pass TCP on": ("true", [workload(TRAEFIK, INGRESSES, "--providers.kubernetescrd")], NEITHER),
    "Traefik without a provider": ("true", [workload(TRAEFIK, "--entryPoints.web.address=:80")], NEITHER),
    "Traefik, its home": ("true", [workload(TRAEFIK, INGRESSES, mount="/root/.config"), settings()], NEITHER),
    "Traefik, both": ("true", [workload(TRAEFIK, "--entrypoints.web.proxyprotocol.trustedips=10.0.0.0/8")], NEITHER),
    "Traefik takes connections without": ("", [workload(TRAEFIK, "--entryPoints.web.proxyProtocol.insecure")], NEITHER),
    "Traefik, another file": ("true", [workload(TRAEFIK, INGRESSES, "--configFile=/config/traefik.yml")], NEITHER),
    "Traefik, its file": ("true", [workload(TRAEFIK, INGRESSES, mount="/etc/traefik"), settings(**{"traefik.yml": "api: {}\n"})], NEITHER),
    "Traefik, both in its file": (
        "true", [workload(TRAEFIK, mount="/etc/traefik"), settings(**{"t.yml": "proxyProtocol: {insecure: true}\n"})], NEITHER,
    ),
    "Traefik, a file of a Secret": (
        "true", [workload(TRAEFIK, INGRESSES, mount="/etc/traefik", volume="secret: {secretName: x}")], NEITHER,
    ),
    "Traefik, certificates": (
        "true", [workload(TRAEFIK, INGRESSES, mount="/data", volume="persistentVolumeClaim: {claimName: x}")], SENT,
    ),
    "kubernetes-ingress, none expected": ("true", [workload(TECH, FLAG), settings()], SENT),
    "kubernetes-ingress, from some": ("", [workload(TECH, FLAG), settings(**{"proxy-protocol": "192.0.2.0/24"})], NEITHER),
    "haproxy-ingress, none sent": ("", [workload(COMMUNITY, FLAG), settings(**USED)], NOT_SENT),
    "HAProxy, none expected": ("true", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": HTTP})], SENT),
    "HAProxy, TCP by default": ("true", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": TCP})], NEITHER),
    "HAProxy, TCP too": (
        "true", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": f"{HTTP}{TCP}  mode tcp\n"})], NEITHER,
    ),
    "HAProxy, one port of two": (
        "", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": f"frontend a\n  bind :80 accept-proxy\n{TCP}"})],
        NEITHER,
    ),
    "HAProxy, in a comment": (
        "", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": "bind :80 # accept-proxy\n"})], NEITHER,
    ),
    "HAProxy, another file": (
        "true", [workload("haproxy:3.1", "-f", "/run/x.cfg", mount=FILE), settings(**{"haproxy.cfg": HTTP})], NEITHER,
    ),
    "HAProxy, a script": (
        "true", [workload("haproxy:3.1", "sh", "-c", "run", mount=FILE), settings(**{"haproxy.cfg": HTTP})], NEITHER,
    ),
    "HAProxy, none sent": (
        "", [workload("haproxy:3.1", mount=FILE), settings(**{"haproxy.cfg": "frontend a\n  bind :80 accept-proxy\n"})], NOT_SENT,
    ),
    "a program beside it": ("true", [workload(NGINX, FLAG, pod="        - {name: mmproxy, image: mmproxy:2}\n"), settings()], NEITHER),
    "a program before it": ("true", [workload(NGINX, FLAG, pod="      initContainers: [{image: busybox}]\n"), settings()], NEITHER),
    "an environment from elsewhere": (
        "true", [workload(NGINX, FLAG, more="          envFrom: [{configMapRef: {name: x}}]\n"), settings()], NEITHER,
    ),
    "a ConfigMap by a variable": ("true", [workload(NGINX, "--configmap=$(CONFIG)"), settings()], NEITHER),
    "an argument by a variable": ("true", [workload(NGINX, FLAG, "$(MORE)"), settings()], NEITHER),
    "arguments by a template": ("true", [workload(NGINX, FLAG).replace('["', "{{ .Values.args }} #"), settings()], NEITHER),
    "a template of its own": ("true", [workload(NGINX, FLAG, mount="/etc/nginx/template"), settings()], NEITHER),
    "two ConfigMaps of one name": ("true", [workload(NGINX, FLAG), settings(), settings(**USED)], NEITHER),
    "two ConfigMaps of one name, none sent": ("", [workload(NGINX, FLAG), settings(**USED), settings()], NEITHER),
    "two equal ConfigMaps": ("true", [workload(NGINX, FLAG), settings(), settings()], SENT),
    "binary data": ("true", [workload(NGINX, FLAG), settings() + "binaryData: {x: eA==}\n"], NEITHER),
    "data by a template": (
        "true", [workload(NGINX, FLAG), settings().replace("data: {}", "data:\n{{ toYaml .Values.c | indent 2 }}")], NEITHER,
    ),
    "data within a condition": (
        "", [workload(NGINX, FLAG), settings().replace("data: {}", 'data:\n  {{- if .Values.p }}\n  use-proxy-protocol: "true"\n  {{- end }}')], NEITHER,
    ),
    "HAProxy, the file of its image": ("true", [workload("haproxy:3.1")], NEITHER),
    "another program": ("true", [workload("nginx:1.27")], NEITHER),
    "two programs": ("true", [workload(NGINX), workload("nginx:1.27").replace("name: proxy,", "name: other,")], NEITHER),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("apart", [False, True], ids=["one file", "a folder"])
def test_the_annotation_is_compared_with_what_is_behind(case: str, apart: bool, tmp_path: Path) -> None:
    proxy, behind, says = CASES[case]
    parts = [service(proxy, '"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"'), *behind]
    for number, text in enumerate(parts if apart else ["---\n".join(parts)]):
        (tmp_path / f"{number}.yaml").write_text(text, encoding="utf-8")
    said = run(tmp_path, "lint", "--select", RULE, ".").out
    assert (says in said) if says else (RULE not in said)


def test_a_service_of_another_cloud_is_left_alone(tmp_path: Path) -> None:
    aws = 'service.beta.kubernetes.io/aws-load-balancer-proxy-protocol: "*"'
    text = "---\n".join([service("", aws), workload(NGINX, FLAG), settings(**USED)])
    (tmp_path / "aws.yaml").write_text(text, encoding="utf-8")
    assert RULE not in run(tmp_path, "lint", "aws.yaml").out


@pytest.mark.parametrize(
    "line", ["    {{- toYaml .Values.annotations | nindent 4 }}\n", ""], ids=["a template", "none"]
)
def test_annotations_that_rendering_may_add_are_unknown(line: str, tmp_path: Path) -> None:
    internal = 'service.beta.kubernetes.io/openstack-internal-load-balancer: "true"'
    written = service("").replace("annotations: {}", f"annotations:\n    {internal}\n{line}".rstrip("\n"))
    text = "---\n".join([written, workload(NGINX, FLAG), settings(**USED)])
    (tmp_path / "all.yaml").write_text(text, encoding="utf-8")
    assert (RULE in run(tmp_path, "lint", "all.yaml").out) == (not line)


VALUES = {
    "by default": ("config: {use-proxy-protocol: 'true'}", "", True),
    "off": ("config: {use-proxy-protocol: 'false'}", "", False),
    "no load balancer": ("{config: {use-proxy-protocol: 'true'}, service: {type: NodePort}}", "", False),
    "no Service": ("{config: {use-proxy-protocol: 'true'}, service: {enabled: false}}", "", False),
    "other values": ("config: {use-proxy-protocol: 'true'}", "  valuesFrom: [{kind: ConfigMap, name: x}]\n", False),
    "other values, and a Service": (
        "{config: {use-proxy-protocol: 'true'}, service: {type: LoadBalancer}}",
        "  valuesFrom: [{kind: ConfigMap, name: x}]\n",
        False,
    ),
}


@pytest.mark.parametrize("case", VALUES)
def test_values_without_a_service_have_the_charts_own(case: str, tmp_path: Path) -> None:
    values, more, is_told = VALUES[case]
    (tmp_path / "cloud.conf").write_text(
        "[Global]\nauth-url=https://k/v3\n[LoadBalancer]\nsubnet-id=a\n", encoding="utf-8"
    )
    inner = values if values.startswith("{") else f"{{{values}}}"
    (tmp_path / "nginx.yaml").write_text(
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ingress-nginx, namespace: edge}\n"
        "spec:\n  chart: {spec: {chart: ingress-nginx, version: 4.9.0}}\n"
        f"  values:\n    controller: {inner}\n{more}",
        encoding="utf-8",
    )
    assert (NOT_SENT in run(tmp_path, "lint", "--select", RULE, ".").out) is is_told
