"""Services in the values of ingress controllers' charts and of gateways, wherever these are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run
from ingress_compare import RECORDS
from ingress_ours import services

from ccmcheck.carriers import find
from ccmcheck.carriers.generic import INGRESS_KEYS
from ccmcheck.carriers.prefilter import worth_parsing
from ccmcheck.catalog.data.ingress_charts import CHARTS
from ccmcheck.predict.inputs.manifests import plain, read_manifests

PREFIX = "loadbalancer.openstack.org/"
ANSWERS = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
VALUES = f"controller:\n  service:\n    externalTrafficPolicy: Local\n    annotations:\n      {PREFIX}keep-floatingip: maybe\n"


def indented(text: str, spaces: int) -> str:
    """A text with its lines indented."""
    return "".join(" " * spaces + line for line in text.splitlines(keepends=True))


HELM_RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: front}\nspec:\n  chart:\n    spec:\n"
    f"      chart: ingress-nginx\n  values:\n{indented(VALUES, 4)}"
)
PROXY = (
    "apiVersion: addons.cluster.x-k8s.io/v1alpha1\nkind: HelmChartProxy\nmetadata: {name: front}\nspec:\n"
    f"  chartName: ingress-nginx\n  namespace: ingress\n  valuesTemplate: |\n{indented(VALUES, 4)}"
)
APPLICATION = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: front}\nspec:\n  destination: {namespace: ingress}\n"
    f"  source:\n    chart: ingress-nginx\n    helm:\n      values: |\n{indented(VALUES, 8)}"
)
OBJECT = APPLICATION.replace("values: |", "valuesObject:")
HELM_CHART = (
    "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: front}\nspec:\n  chart: ingress-nginx\n"
    f"  targetNamespace: ingress\n  valuesContent: |-\n{indented(VALUES, 4)}"
)
UMBRELLA = f"ingress-nginx:\n{indented(VALUES, 2)}"
CARRIERS = {
    "HelmRelease": HELM_RELEASE,
    "HelmChartProxy": PROXY,
    "Application": APPLICATION,
    "Application with an object": OBJECT,
    "HelmChart": HELM_CHART,
    "a dependency's values": UMBRELLA,
    "values": VALUES,
}


def found(text: str) -> list[dict[str, object]]:
    """The Services of a file as plain data."""
    assert worth_parsing(text.encode(), "x.yaml") or "LoadBalancer" not in text
    return [
        data
        for one in find("x.yaml", text).objects
        if one.kind == "Service" and isinstance(data := plain(one.node, one.source), dict)
    ]


def findings(folder: Path, *arguments: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding."""
    done = run(folder, "lint", "--format=json", *arguments)
    return [(one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]]


def test_every_chart_begins_with_a_known_key() -> None:
    assert {chart.service[0] for chart in CHARTS} == INGRESS_KEYS
    assert all(chart.source for chart in CHARTS)


def test_many_answers_are_recorded() -> None:
    assert len({one["chart"] for one in ANSWERS}) >= 5
    assert len(ANSWERS) >= 100
    assert sum(bool(one["services"]) for one in ANSWERS) >= 50


@pytest.mark.parametrize("chart", sorted({one["chart"] for one in ANSWERS}))
def test_services_are_those_that_helm_renders(chart: str) -> None:
    for one in ANSWERS:
        if one["chart"] == chart:
            assert services(chart, one["values"]) == one["services"], one["values"]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_finding_is_where_the_value_is(tmp_path: Path, carrier: str) -> None:
    text = CARRIERS[carrier]
    put(tmp_path, {"x.yaml": text})
    line = next(number for number, one in enumerate(text.splitlines(), 1) if "maybe" in one)
    column = text.splitlines()[line - 1].index("maybe") + 1
    assert findings(tmp_path) == [("x.yaml", line, column, "svc-annotation-value")]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_fix_edits_the_values(tmp_path: Path, carrier: str) -> None:
    text = CARRIERS[carrier].replace("maybe", '"yes"')
    put(tmp_path, {"x.yaml": text})
    done = run(tmp_path, "fix", "--unsafe", "--write")
    assert done.code == 0, done.err
    assert (tmp_path / "x.yaml").read_text() == text.replace('"yes"', '"true"')


def test_predict_says_what_the_chart_asks_for(tmp_path: Path) -> None:
    put(tmp_path, {"x.yaml": HELM_RELEASE})
    done = run(tmp_path, "predict", "x.yaml")
    assert "front-ingress-nginx-controller" in done.out
    assert "externalTrafficPolicy: Local" in done.out
    assert "x.yaml:10" in done.out


@pytest.mark.parametrize(
    "text",
    [
        VALUES.replace(PREFIX, "example.org/"),
        VALUES.replace("service:\n", "service:\n    enabled: false\n"),
        VALUES.replace("service:\n", "service:\n    type: ClusterIP\n"),
        "controller: [service]\n",
        f"controller: {{service: '{PREFIX}'}}\n",
    ],
)
def test_what_is_no_service_stays_silent(tmp_path: Path, text: str) -> None:
    assert found(text) == []
    put(tmp_path, {"x.yaml": text})
    assert findings(tmp_path) == findings(tmp_path, "x.yaml") == []


def test_a_gateway_passes_its_annotations_on(tmp_path: Path) -> None:
    text = (
        "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: main, namespace: gw}\nspec:\n"
        f"  infrastructure:\n    annotations:\n      {PREFIX}keep-floatingip: maybe\n"
        "  listeners:\n  - {name: a, port: 80, protocol: HTTP}\n  - {name: b, port: 443, protocol: TLS}\n"
        "  - {name: c, port: 443, protocol: HTTPS}\n  - {name: d, port: 53, protocol: UDP}\n"
    )
    (manifest,) = read_manifests(find("x.yaml", text).objects).services
    assert [(port.port, port.protocol) for port in manifest.service.ports] == [(80, "TCP"), (443, "TCP"), (53, "UDP")]
    put(tmp_path, {"x.yaml": text})
    assert findings(tmp_path) == [("x.yaml", 7, 51, "svc-annotation-value")]
    assert found(text.replace(PREFIX, "example.org/")) == []
    assert found(text.replace("gateway.networking.k8s.io", "networking.istio.io")) == []


def test_an_envoy_proxy_has_its_own_default_policy() -> None:
    text = (
        "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyProxy\nmetadata: {name: main}\nspec:\n  provider:\n"
        f"    kubernetes:\n      envoyService:\n        annotations:\n          {PREFIX}keep-floatingip: maybe\n"
    )
    (service,) = found(text)
    spec = service["spec"]
    assert isinstance(spec, dict)
    assert (spec["type"], spec["externalTrafficPolicy"]) == ("LoadBalancer", "Local")
    assert found(text.replace("annotations:", "type: ClusterIP\n        annotations:")) == []
    assert found(text.replace("annotations:", "patch: {type: Merge}\n        annotations:")) == []


def test_aliases_that_multiply_are_not_followed(tmp_path: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    put(tmp_path, {"x.yaml": VALUES + bomb})
    assert found(VALUES + bomb) == []
    assert findings(tmp_path) == [("x.yaml", 5, 51, "svc-annotation-value")]  # the annotations alone are not many


def test_template_marks_are_unknown(tmp_path: Path) -> None:
    text = PROXY.replace("maybe", "{{ .Cluster.metadata.name }}").replace("Local", "{{ .policy }}")
    put(tmp_path, {"x.yaml": text})
    assert findings(tmp_path) == []


@pytest.mark.parametrize("kind", ["EnvoyProxy", "Gateway"])
def test_a_long_template_mark_in_a_name_is_unknown(kind: str, tmp_path: Path) -> None:
    name = f'{{{{ include "{"chart" * 12}" . }}}}-proxy'
    annotations = f"annotations: {{{PREFIX}keep-floatingip: 'true'}}"
    text = {
        "EnvoyProxy": "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyProxy\nmetadata:\n  name: NAME\nspec:\n"
        f"  provider:\n    kubernetes:\n      envoyService:\n        {annotations}\n",
        "Gateway": "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata:\n  name: NAME\nspec:\n"
        f"  infrastructure:\n    {annotations}\n  listeners:\n  - {{name: a, port: 80, protocol: HTTP}}\n",
    }[kind].replace("NAME", name)
    put(tmp_path, {"templates/x.yaml": text})
    assert findings(tmp_path) == []


@pytest.mark.parametrize(
    ("override", "name"),
    [
        ("a" * 70, "a" * 63),
        ("a" * 62, "a" * 62),  # the dash at the end goes, too
        ("a" * 52, "a" * 52 + "-controller"),
        ("web-", "web-controller"),  # the chart cuts its own name before it adds to it
        ("{{ .Values.a | replace " + "a" * 60 + " }}-b", "unknown"),
    ],
)
def test_a_long_name_is_cut_as_the_chart_cuts_it(override: str, name: str, tmp_path: Path) -> None:
    put(tmp_path, {"values.yaml": f"fullnameOverride: {override}\n" + VALUES.replace("maybe", "'true'")})
    assert run(tmp_path, "lint", "--ignore", "svc-local-no-monitor").code == 0
    assert f"Service {name} " in run(tmp_path, "list", "-v").out


def test_no_secret_is_shown(tmp_path: Path) -> None:
    secret = "s3cr3tpassw0rd"
    text = HELM_RELEASE + f"      extraEnvs: [{{name: OS_PASSWORD, value: {secret}}}]\n      password: {secret}\n"
    put(tmp_path, {"x.yaml": text})
    for arguments in (["lint"], ["lint", "--format=json"], ["fix", "--unsafe"], ["predict"], ["lint", "-vv"]):
        done = run(tmp_path, *arguments)
        assert done.out or done.err, arguments
        assert secret not in done.out + done.err, arguments


def test_values_in_a_heredoc_of_a_page_are_found(tmp_path: Path) -> None:
    values = "controller:\n  service:\n    annotations:\n      loadbalancer.openstack.org/proxy-protocol: maybe\n"
    script = f"cat <<EOF > values.yaml\n{values}EOF\n"
    indented = "".join(f"  {line}\n" for line in script.splitlines())
    put(tmp_path, {"x.md": f"# A\n\n```bash\n{script}```\n", "x.rst": f"A\n=\n\n.. code-block:: bash\n\n{indented}"})
    assert [one[::3] for one in findings(tmp_path)] == [
        ("x.md", "svc-annotation-value"),
        ("x.rst", "svc-annotation-value"),
    ]
