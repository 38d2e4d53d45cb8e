"""Values of the CCM's chart in what installs it: umbrella charts, Flux, Argo CD, capi-helm-charts, the CSI driver's chart."""

from __future__ import annotations

import time

import pytest
from carrying import CHART_RENDERED, CHART_VALUES, CONF, indent, only, place, routes

from ccmcheck.base.model import Span
from ccmcheck.carriers import FindOptions, find


def installed(text: str) -> str:
    """The route of the only cloud.conf, which must be the one of CHART_VALUES."""
    carried = only("x.yaml", text)
    assert carried.text == CHART_RENDERED
    assert carried.carrier == "Helm values"
    line, column, there = place(carried, '"ovn"')
    assert text.splitlines()[line - 1][column - 1 :].startswith(there.splitlines()[0])
    return carried.route


class TestInstallers:
    @pytest.mark.parametrize("name", ["openstack-cloud-controller-manager", "ccm", "occm"])
    def test_umbrella_charts(self, name: str) -> None:
        assert installed(f"{name}:\n  {indent(CHART_VALUES, 2)}") == f"Helm values › {name}.cloudConfig"

    def test_flux(self) -> None:
        text = f"kind: HelmRelease\nmetadata: {{name: ccm, namespace: flux}}\nspec:\n  values:\n    {indent(CHART_VALUES, 4)}"
        assert installed(text) == "HelmRelease flux/ccm › spec.values.cloudConfig"

    def test_what_fetches_a_chart_installs_nothing(self) -> None:
        text = "apiVersion: GROUP/v1\nkind: HelmChart\nmetadata: {name: a}\nspec: {chart: openstack-cloud-controller-manager}\n"
        assert find("x.yaml", text.replace("GROUP", "source.toolkit.fluxcd.io")).carried == []
        assert len(find("x.yaml", text.replace("GROUP", "helm.cattle.io")).carried) == 1

    @pytest.mark.parametrize(
        ("kind", "way"),
        [
            ("HelmChart", "valuesContent"),
            ("HelmChartConfig", "valuesContent"),
            ("HelmChartProxy", "valuesTemplate"),
            ("Chart", "values"),
        ],
    )
    def test_values_as_a_text(self, kind: str, way: str) -> None:
        text = f"kind: {kind}\nmetadata: {{name: ccm}}\nspec:\n  {way}: |\n    {indent(CHART_VALUES, 4)}"
        assert installed(text) == f"{kind} ccm › spec.{way} › cloudConfig"

    @pytest.mark.parametrize(
        ("values", "way"),
        [
            ("source:\n    helm:\n      values: |\n        ", "spec.source.helm.values › cloudConfig"),
            ("source:\n    helm:\n      valuesObject:\n        ", "spec.source.helm.valuesObject.cloudConfig"),
            ("sources:\n  - helm:\n      values: |\n        ", "spec.sources[0].helm.values › cloudConfig"),
        ],
    )
    def test_argo(self, values: str, way: str) -> None:
        text = f"kind: Application\nmetadata: {{name: ccm}}\nspec:\n  {values}{indent(CHART_VALUES, 8)}"
        assert installed(text) == f"Application ccm › {way}"

    def test_terraform_s_marks_around_values(self) -> None:
        text = f"""\
apiVersion: helm.cattle.io/v1
kind: HelmChartConfig
metadata:
  name: ccm
spec:
  valuesContent: |-
    cloudConfig:
      global:
        auth-url: ${{auth_url}}
%{{~ if region != "" ~}}
        region: ${{region}}
%{{~ endif ~}}
      loadBalancer:
        create-monitor: true
    {indent("other: x", 4)}
"""
        carried = only("manifests.yaml.tpl", text)
        assert 'create-monitor = "true"' in carried.text
        assert place(carried, "create-monitor") == (14, 9, "create-monitor")
        assert len(carried.marks) == 4  # two values, and what its HelmChart may add to both sections
        assert not carried.final

    def test_the_csi_chart_s_secret(self) -> None:
        text = f"secret:\n  enabled: true\n  name: cinder-csi-cloud-config\n  data:\n    cloud.conf: |-\n      {indent(CONF, 6)}"
        assert routes("values.yaml", text) == ["secret.data.cloud.conf"]

    def test_the_user_says_template(self) -> None:
        assert not only("values.yaml", CHART_VALUES, FindOptions(template=True)).final


class TestAnotherClouds:
    CHART = """\
kind: Chart
metadata: {name: %s}
spec:
  values: |
    image: {repository: x/%s}
    cloudConfig:
      global: {KubernetesClusterID: x}
"""

    @pytest.mark.parametrize(
        ("name", "image"), [("aws-cloud-controller-manager", "y"), ("ccm", "provider-aws/cloud-controller-manager")]
    )
    def test_its_map_is_none(self, name: str, image: str) -> None:
        assert find("chart.yaml", self.CHART % (name, image)).carried == []

    @pytest.mark.parametrize(("name", "image"), [("openstack-cloud-controller-manager", "y"), ("ccm", "y")])
    def test_ours_is_taken(self, name: str, image: str) -> None:
        assert len(find("chart.yaml", self.CHART % (name, image)).carried) == 1

    @pytest.mark.parametrize(
        ("keys", "taken"),
        [
            ("KubernetesClusterID: x", False),
            ("clientID: x, clientSecret: y", False),
            ("clientID: x, region: y", True),
            ("user-naem: x, clientSecret: y", True),
        ],
    )
    def test_a_map_of_any_chart_is_taken_by_a_key_of_the_ccm(self, keys: str, *, taken: bool) -> None:
        text = (self.CHART % ("cloud", "x/cloud-ccm")).replace("KubernetesClusterID: x", keys)
        assert bool(find("chart.yaml", text).carried) == taken

    @pytest.mark.parametrize(
        ("settings", "taken"),
        [
            ("gloabl: {auth-url: https://k/v3}", True),
            ("loadbalancers: {create-monitor: true}", True),
            ("gloabl: {KubernetesClusterID: x}", False),
            ("global: {'${KEY}': x}", True),
            ("global: {'<<': {a: b}, KubernetesClusterID: x}", False),
        ],
    )
    def test_so_are_misspelt_sections_and_what_a_template_fills(self, settings: str, *, taken: bool) -> None:
        text = f"image: {{tag: v1.30.0}}\ncloudConfig:\n  {settings}\n"
        assert bool(find("values.yaml", text).carried) == taken


class TestCapiHelmCharts:
    CHART_VALUES = """\
addons:
  openstack:
    cloudConfig:
      Networking:
        public-network-name: net
      LoadBalancer:
        create-montior: true
        monitor-delay: 3
"""

    def test_the_maps_are_sections(self) -> None:
        carried = only("values.yaml", self.CHART_VALUES)
        assert carried.route.endswith("addons.openstack.cloudConfig")
        assert "[LoadBalancer]\ncreate-montior = " in carried.text
        assert place(carried, "create-montior") == (7, 9, "create-montior")

    def test_the_chart_adds_the_rest(self) -> None:
        carried = only("values.yaml", self.CHART_VALUES)
        ends = [carried.text.index("\n\n[LoadBalancer]"), len(carried.text) - 1, len(carried.text)]
        assert [mark.start for mark in carried.marks] == ends

    def test_the_csi_driver_reads_them_too(self) -> None:
        assert only("values.yaml", self.CHART_VALUES).consumers == ("ccm", "cinder-csi-plugin")

    TEMPLATES = (
        (
            '{{- range $section, $items := deepCopy .Values.openstack.cloudConfig | merge (include "own" . | fromYaml) }}\n'
            "[{{ $section }}]\n{{- range $key, $value := $items }}\n{{ $key }} = {{ $value }}\n{{- end }}\n{{- end }}\n"
        ),
        "{{ .Values.addons | toYaml }}\n",
    )

    @pytest.mark.parametrize("template", TEMPLATES)
    def test_also_beside_the_templates(self, template: str) -> None:
        options = FindOptions(chart_templates=lambda _: [template])
        assert "[LoadBalancer]\ncreate-montior = " in only("values.yaml", self.CHART_VALUES, options).text

    @pytest.mark.parametrize(
        "value", ["'{{ settings }}'", '>-\n        {{-\n          { "lb-method": method }\n        }}']
    )
    def test_a_section_that_an_expression_makes_is_unknown(self, value: str) -> None:
        carried = only("defaults/main.yml", f"addons:\n  openstack:\n    cloudConfig:\n      LoadBalancer: {value}\n")
        assert (carried.text, carried.marks) == ("", (Span(0, 0),))

    def test_a_template_that_reads_the_map_by_a_variable(self) -> None:
        """It prints the sections as the map has them, as their names say; else nobody knows what it makes of them."""
        template = "{{ $ccm := .Values.plane }}\n{{ range $name, $keys := $ccm.cloudConfig }}[{{ $name }}]{{ end }}\n"
        options = FindOptions(chart_templates=lambda _: [template])
        values = "plane:\n  cloudConfig:\n    LoadBalancer:\n      create-montior: true\n"
        assert "[LoadBalancer]\ncreate-montior = " in only("values.yaml", values, options).text
        assert find("values.yaml", values.replace("LoadBalancer", "balancer"), options).carried == []
        upstream = values.replace("plane:", "openstack-cloud-controller-manager:").replace("LoadB", "loadB")
        assert "[LoadBalancer]\n" in only("values.yaml", upstream, options).text

    def test_many_maps_and_long_templates_take_linear_time(self) -> None:
        template = "{{ $x.cloudConfig }}\n" + "lorem ipsum\n" * 100_000
        options = FindOptions(chart_templates=lambda _: [template])
        values = "".join(f"m{number}:\n  cloudConfig:\n    LoadBalancer: {{a: b}}\n" for number in range(500))
        started = time.process_time()
        assert len(find("values.yaml", values, options).carried) < 50
        assert time.process_time() - started < 3

    def test_elsewhere_the_names_are_the_upstream_charts(self) -> None:
        assert find("values.yaml", self.CHART_VALUES.replace("openstack:", "other:")).carried == []


class TestMapsOfSections:
    VALUES = "openstack:\n  conf:\n    Global:\n      auth-url: https://k/v3\n      username: u\n      password: p\n"

    def test_a_map_with_a_login(self) -> None:
        carried = only("values.yaml", f"{self.VALUES}    LoadBalancer:\n      lb-providr: ovn\n# cloud.conf\n")
        assert carried.text.startswith("[Global]\nauth-url = ")
        assert "[LoadBalancer]\nlb-providr = " in carried.text
        assert (carried.route, carried.consumers) == ("openstack.conf", ())

    @pytest.mark.parametrize("value", ["{secretKeyRef: {name: x}}", "[a, b]"])
    def test_nobody_knows_what_its_templates_make_of_a_list_or_a_map(self, value: str) -> None:
        carried = only("values.yaml", f"{self.VALUES.replace('password: p', f'password: {value}')}# cloud.conf\n")
        assert [carried.text[slice(*mark)] for mark in carried.marks if mark[0] < mark[1]] == [
            carried.text.partition("password = ")[2].rstrip("\n")
        ]

    @pytest.mark.parametrize(
        ("old", "new"),
        [("Global:", "global:"), ("auth-url:", "url:"), ("    Global:", "    other: x\n    Global:")],
    )
    def test_other_maps(self, old: str, new: str) -> None:
        assert find("values.yaml", self.VALUES.replace(old, new) + "# cloud.conf\n").carried == []


CSI_VALUES = """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: openstack-cinder-csi, namespace: kube-system}
spec:
  chart: openstack-cinder-csi
  valuesContent: |-
    secret:
      enabled: true
      data:
        cloud.conf: |-
          [Global]
          auth-url=https://k/v3
          application-credential-id=x
"""


def test_the_secret_in_the_values_of_the_csi_chart() -> None:
    (carried,) = find("csi.yaml", CSI_VALUES, FindOptions()).carried
    assert carried.consumers == ("cinder-csi-plugin",)
    assert carried.route.endswith("secret.data.cloud.conf")
    assert carried.text.startswith("[Global]\nauth-url")


def test_an_umbrella_charts_values_for_the_csi_chart_are_not_the_ccms() -> None:
    conf = "[Global]\n        use-clouds = true\n        clouds-file = /etc/openstack/clouds.yaml"
    text = f"%s:\n  secret:\n    create: true\n    data:\n      cloud.conf: |-\n        {conf}\n"
    readers = {
        name: only("values.yaml", text % name).consumers
        for name in ("openstack-cinder-csi", "openstack-cloud-controller-manager", "platform")
    }
    assert readers == {
        "openstack-cinder-csi": ("cinder-csi-plugin",),
        "openstack-cloud-controller-manager": ("ccm",),
        "platform": (),
    }


def test_an_umbrella_charts_values_without_a_cloud_conf_make_the_workload() -> None:
    values = (
        "openstack-cloud-controller-manager:\n  image: {tag: v1.31.2}\n  tolerations: [{key: a, operator: Exists}]\n"
    )
    found = find("chart/values.yaml", values)
    (made,) = [pod.placement for pod in found.pods if pod.placement is not None]
    assert [one.key for one in made.tolerations or ()] == ["a"]
    assert {pod.release for pod in found.pods} == {"", "v1.31.2"}
