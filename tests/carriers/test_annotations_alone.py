"""Annotations of the CCM without their Service: what is judged of them, where, and what stays silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import find
from ccmcheck.carriers.base import SERVICE_ANNOTATIONS

PREFIX = "loadbalancer.openstack.org/"
INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
FENCE = "Text.\n\n```yaml\n{}```\n\nMore text.\n"
METADATA = f"metadata:\n  annotations:\n    {PREFIX}keep-floatingip: maybe\n"
VALUES = f"service:\n  annotations:\n    {PREFIX}keep-floatingip: maybe\n"
HCL = f'resource "kubernetes_service" "web" {{\n  metadata {{\n    annotations = {{\n      "{PREFIX}keep-floatingip" = "maybe"\n    }}\n  }}\n}}\n'
FORMS = {
    "a fragment in a document": ("a.md", FENCE.format(METADATA)),
    "a Service without a type in a document": (
        "a.md",
        FENCE.format("apiVersion: v1\nkind: Service\n" + METADATA + "spec:\n  externalTrafficPolicy: Local\n"),
    ),
    "annotations alone": ("a.md", FENCE.format(f"annotations:\n  {PREFIX}keep-floatingip: maybe\n")),
    "their names alone": ("a.md", FENCE.format(f'"{PREFIX}keep-floatingip": maybe\n')),
    "values in a document": ("a.md", FENCE.format(VALUES)),
    "values of any chart": ("values.yaml", VALUES),
    "values of a chart of one's own": (
        "x.yaml",
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: front}\nspec:\n  chart:\n    spec:\n"
        "      chart: harbor\n  values:\n" + "".join(f"    {line}\n" for line in VALUES.splitlines()),
    ),
    "under another name": ("values.yaml", VALUES.replace("annotations:", "loadBalancerAnnotations:")),
    "a patch": ("patch.yaml", "apiVersion: v1\nkind: Service\n" + METADATA.replace("data:\n", "data:\n  name: web\n")),
    "Terraform": ("main.tf", HCL),
    "helm's --set": (
        "run.sh",
        (
            "helm upgrade --install traefik traefik/traefik \\\n  --set service.type=LoadBalancer \\\n"
            "  --set-string 'service.annotations.loadbalancer\\.openstack\\.org/keep-floatingip=maybe'\n"
        ),
    ),
    "helm's --set in a document": (
        "a.md",
        "```sh\nhelm upgrade x y --set controller.service.annotations.'loadbalancer\\.openstack\\.org/keep-floatingip'=maybe\n```\n",
    ),
    "helm_release": (
        "main.tf",
        (
            'resource "helm_release" "x" {\n  set {\n    name  = "controller.service.annotations.loadbalancer\\\\.openstack\\\\.org/keep-floatingip"\n'
            '    value = "maybe"\n  }\n}\n'
        ),
    ),
    "kubectl annotate": ("run.sh", f"kubectl annotate --overwrite svc web {PREFIX}keep-floatingip=maybe\n"),
    "kubectl patch": (
        "run.sh",
        f'kubectl patch svc web -p \'{{"metadata":{{"annotations":{{"{PREFIX}keep-floatingip":"maybe"}}}}}}\'\n',
    ),
    "a heredoc": ("run.sh", f"#!/bin/sh\nkubectl patch service web --patch-file - <<EOF\n{METADATA}EOF\n"),
}


def findings(folder: Path, *arguments: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding."""
    done = run(folder, "lint", "--format=json", *arguments)
    return [(one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]]


def with_true(text: str) -> str:
    """The same with a value that is right."""
    return text.replace("maybe", "true" if '"maybe"' in text else '"true"')


def place(text: str, word: str) -> tuple[int, int]:
    """The line and the column of a word, from 1."""
    before = text[: text.index(word)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize("form", FORMS)
def test_a_value_is_judged_where_it_is(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    put(tmp_path, {name: text})
    assert findings(tmp_path) == [(name, *place(text, "maybe"), "svc-annotation-value")]


@pytest.mark.parametrize("form", FORMS)
def test_a_name_is_corrected_there(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    text = with_true(text.replace("keep-floatingip", "keep-floating-ip"))
    put(tmp_path, {name: text})
    assert [found[3] for found in findings(tmp_path)] == ["svc-annotation-unknown"]
    assert run(tmp_path, "fix", "--unsafe", "--write").code == 0
    is_escaped = "\\" in text  # the name is written otherwise there
    assert (tmp_path / name).read_text() == (
        text if is_escaped else text.replace("keep-floating-ip", "keep-floatingip")
    )


@pytest.mark.parametrize("form", FORMS)
def test_nothing_else_is_judged(tmp_path: Path, form: str) -> None:
    name, text = FORMS[form]
    put(tmp_path, {name: with_true(text.replace("keep-floatingip", "x-forwarded-for")), "cloud.conf": ""})
    assert findings(tmp_path, "--select", "services") == []
    assert not any(one.kind == "Service" and one.text_at("spec", "type") for one in find(name, text).objects)


def test_the_annotation_for_internal_ones_counts(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": FENCE.format(f"metadata:\n  annotations:\n    {INTERNAL}: yes\n")})
    assert [found[3] for found in findings(tmp_path)] == ["svc-annotation-value"]


def test_a_chart_writes_texts_and_an_object_does_not(tmp_path: Path) -> None:
    own, of_chart = METADATA.replace("maybe", "true"), VALUES.replace("maybe", "true")
    put(tmp_path, {"a.md": FENCE.format(own), "values.yaml": of_chart, "b.md": FENCE.format(of_chart)})
    assert [(found[0], found[3]) for found in findings(tmp_path)] == [("a.md", "svc-annotation-value")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("values.yaml", VALUES.replace("service:\n", "service:\n  type: ClusterIP\n")),
        ("values.yaml", VALUES.replace("service:\n", "service:\n  enabled: false\n")),
        ("values.yaml", VALUES.replace("maybe", "{{ .Values.keep }}")),
        ("x.yaml", "apiVersion: networking.k8s.io/v1\nkind: Ingress\n" + METADATA),
        ("x.yaml", f"apiVersion: v1\nkind: Service\n{METADATA}spec:\n  type: NodePort\n"),
        ("x.yaml", f"apiVersion: v1\nkind: Service\n{METADATA}spec:\n  ports:\n  - port: 80\n"),
        ("x.yaml", f"pattern:\n  annotations:\n    {PREFIX}keep-floatingip: '?*'\n"),
        ("x.yaml", f"pattern:\n  annotations:\n    {PREFIX}keep-floatingip: 'true | false'\n"),
        ("x.yaml", f"pattern:\n  annotations:\n    {PREFIX}keep-floatingip: '!true'\n"),
        ("x.yaml", f"pattern:\n  annotations:\n    {PREFIX}timeout-client-data: '>=1000'\n"),
        ("x.yaml", f"parameters:\n  mapping:\n    {PREFIX}keep-floatingip: ^(true|false)$\n"),
        ("x.yaml", f"descriptions:\n  {PREFIX}keep-floatingip: Keep the floating IP.\n"),
        ("run.sh", f"kubectl annotate svc web {PREFIX}keep-floatingip=true; echo\n"),
        ("run.sh", f"kubectl annotate svc web {PREFIX}keep-floatingip=true&& echo\n"),
        ("run.sh", f"a=$(kubectl annotate svc web {PREFIX}keep-floatingip=true)\n"),
        ("schema.yaml", f"properties:\n  {PREFIX}keep-floatingip:\n    type: maybe\n"),
        ("main.tf", HCL.replace("maybe", "${var.keep}")),
        ("main.tf", HCL.replace('"maybe"', "var.keep")),
        ("main.tf", HCL.replace(f'"{PREFIX}', f'# "{PREFIX}')),
    ],
)
def test_what_stays_silent(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, {name: text})
    assert findings(tmp_path) == findings(tmp_path, name) == []


def test_a_whole_service_is_judged_once(tmp_path: Path) -> None:
    service = f"apiVersion: v1\nkind: Service\n{METADATA}spec:\n  type: LoadBalancer\n  ports:\n  - port: 80\n"
    ingress = "controller:\n" + "".join(f"  {line}\n" for line in VALUES.splitlines())
    gateway = (
        "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: main}\nspec:\n  infrastructure:\n"
        f"    annotations:\n      {PREFIX}keep-floatingip: maybe\n  listeners:\n  - {{name: a, port: 80, protocol: HTTP}}\n"
    )
    for text in (service, ingress, gateway):
        put(tmp_path, {"x.yaml": text})
        assert len(findings(tmp_path)) == 1
        assert [one.kind for one in find("x.yaml", text).objects].count(SERVICE_ANNOTATIONS) == 0


def test_list_names_them(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": FENCE.format(METADATA)})
    (service,) = json.loads(run(tmp_path, "list", "--format", "json").out)["services"]
    assert (service["path"], service["name"]) == ("a.md", "")
    assert service["line"] in (5, 6)


def test_keys_go_on_below_a_mark(tmp_path: Path) -> None:
    text = 'a:\n  service:\n    labels: {{- include "labels" . | nindent 6 }}\n      app: x\n' + "".join(
        f"  {line}\n" for line in VALUES.splitlines()[1:]
    )
    put(tmp_path, {"templates/x.yaml": text})
    assert [found[3] for found in findings(tmp_path)] == ["svc-annotation-value"]


@pytest.mark.parametrize("between", ["\n", "; ", " && ", "\r\n"])
@pytest.mark.parametrize(
    "command",
    [
        f"kubectl annotate svc web {PREFIX}keep-floatingip={{}}",
        "helm upgrade x y --set 'service.annotations.loadbalancer\\.openstack\\.org/keep-floatingip={}'",
    ],
)
def test_each_command_sets_annotations_of_its_own(command: str, between: str) -> None:
    text = between.join((command.format("maybe"), command.format("true"))) + "\n"
    services = [one for one in find("run.sh", text).objects if one.kind == SERVICE_ANNOTATIONS]
    name = f"{PREFIX}keep-floatingip"
    assert [service.text_at("metadata", "annotations", name) for service in services] == ["maybe", "true"]
