"""The upstream chart's values: what it renders from them, where that comes from, and how a change gets back."""

from __future__ import annotations

import pytest
from carrying import CONF, indent, only, place, routes

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.carriers import CarriedConf, FindOptions, find

VALUES = """\
cloudConfig:
  loadBalancer:
    floating-network-id: 1c0d8b6e-6f0a
    create-monitor: true
    monitor-delay: 3   # seconds
    lb-provider: "ovn"
  global:
    auth-url: https://keystone.example.com/v3
    region:
    password: 'a "b" \\ #c'
tolerations: []
"""

RENDERED = """\
[LoadBalancer]
floating-network-id = "1c0d8b6e-6f0a"
create-monitor = "true"
monitor-delay = "3"
lb-provider = "ovn"

[Global]
auth-url = "https://keystone.example.com/v3"
region = \n\
password = "a \\"b\\" \\\\ #c"
"""


def change(carried: CarriedConf, old: str, new: str) -> str:
    """Replace one text of the rendered cloud.conf, and give back the whole file as changed."""
    start = carried.text.index(old)
    return apply(carried.stack.text, carried.stack.put([Edit(start, start + len(old), new)]))


class TestMap:
    def test_it_is_rendered_as_the_chart_does_it(self) -> None:
        carried = only("values.yaml", VALUES)
        assert carried.text == carried.stack.inner == RENDERED
        assert carried.carrier == carried.subject == "Helm values"
        assert carried.route == "Helm values › cloudConfig"
        assert carried.consumers == ("ccm",)
        assert carried.final
        assert carried.marks == ()

    def test_places(self) -> None:
        carried = only("values.yaml", VALUES)
        assert place(carried, "monitor-delay") == (5, 5, "monitor-delay")
        assert place(carried, '"3"') == (5, 20, "3")
        assert place(carried, '"ovn"') == (6, 18, '"ovn"')
        assert place(carried, "ovn") == (6, 19, "ovn")
        assert place(carried, "keystone") == (8, 23, "keystone")
        assert place(carried, "[LoadBalancer]") == (2, 3, "loadBalancer")
        assert place(carried, "region") == (9, 5, "region")
        assert place(carried, 'monitor-delay = "3"') == (5, 5, "monitor-delay: 3")

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ('"3"', '"3s"', "    monitor-delay: 3s   # seconds"),
            ('"3"', "3s", "    monitor-delay: 3s   # seconds"),
            ('"3"', '"5"', "    monitor-delay: 5   # seconds"),
            ('"3"', '"1e3"', '    monitor-delay: "1e3"   # seconds'),
            ("monitor-delay", "monitor-timeout", "    monitor-timeout: 3   # seconds"),
            ('"ovn"', '"amphora"', '    lb-provider: "amphora"'),
            ("ovn", 'o\\"v', '    lb-provider: "o\\"v"'),
            ('"true"', '"false"', "    create-monitor: false"),
            ('"true"', '"yes"', '    create-monitor: "yes"'),
            ("region = ", 'region = ""', None),
            ("https", "http", "    auth-url: http://keystone.example.com/v3"),
        ],
    )
    def test_changes_get_back_to_the_values(self, old: str, new: str, line: str | None) -> None:
        carried = only("values.yaml", VALUES)
        if line is None:
            with pytest.raises(CannotEdit):
                change(carried, old, new)
            return
        changed = change(carried, old, new)
        differing = [now for was, now in zip(VALUES.splitlines(), changed.splitlines(), strict=True) if was != now]
        assert differing == [line]
        again = only("values.yaml", changed).text
        if old == "monitor-delay":
            assert 'monitor-timeout = "3"' in again
        else:
            quoted = new if new.startswith('"') or old in ("ovn", "https") else f'"{new}"'
            assert again == RENDERED.replace(old, quoted)

    def test_a_value_for_a_key_without_one(self) -> None:
        carried = only("values.yaml", VALUES)
        at = carried.text.index("region = ") + len("region = ")
        changed = apply(VALUES, carried.stack.put([Edit(at, at, '"one"')]))
        assert "    region: one\n" in changed

    def test_a_removed_line(self) -> None:
        carried = only("values.yaml", VALUES)
        changed = change(carried, 'monitor-delay = "3"\n', "")
        assert changed == VALUES.replace("    monitor-delay: 3   # seconds\n", "")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("[LoadBalancer]", "[Loadbalancer]"),
            ("[Global]\n", ""),
            ('monitor-delay = "3"', 'monitor-delay = "3"\nmonitor-timeout = "1"'),
            ("monitor-delay", "a: b"),
        ],
    )
    def test_what_has_no_single_place_is_for_people(self, old: str, new: str) -> None:
        with pytest.raises(CannotEdit):
            change(only("values.yaml", VALUES), old, new)

    def test_a_removed_section(self) -> None:
        carried = only("values.yaml", VALUES)
        changed = change(carried, RENDERED[: RENDERED.index("[Global]")], "")
        assert changed == VALUES[: VALUES.index("  loadBalancer")] + VALUES[VALUES.index("  global") :]

    @pytest.mark.parametrize(
        ("after", "line", "added"),
        [
            ('lb-provider = "ovn"\n', 'lb-method = "SOURCE_IP_PORT"\n', "    lb-method: SOURCE_IP_PORT"),
            ('monitor-delay = "3"\n', "monitor-timeout = 3s\n", "    monitor-timeout: 3s"),
            ('create-monitor = "true"\n', 'max-shared-lb = "2"\n', "    max-shared-lb: 2"),
            ('create-monitor = "true"\n', 'a = "1e3"\n', '    a: "1e3"'),
            ('create-monitor = "true"\n', 'a = ""\n', '    a: ""'),
            ('create-monitor = "true"\n', 'a = "x: #y"\n', '    a: "x: #y"'),
        ],
    )
    def test_an_added_line(self, after: str, line: str, added: str) -> None:
        carried = only("values.yaml", VALUES)
        at = RENDERED.index(after) + len(after)
        changed = apply(VALUES, carried.stack.put([Edit(at, at, line)])).splitlines()
        (number,) = [number for number, now in enumerate(changed) if now == added]
        assert changed[:number] + changed[number + 1 :] == VALUES.splitlines()
        assert changed[number - 1].strip().startswith(after.partition(" ")[0])
        quoted = line if '"' in line else line.replace("3s", '"3s"')
        assert quoted in only("values.yaml", "\n".join(changed)).text

    @pytest.mark.parametrize(("at", "line"), [(-1, "\n[Networking]\npublic-network-name = x\n"), (1, "a = b\n")])
    def test_added_lines_end_as_the_others_do(self, at: int, line: str) -> None:
        windows = VALUES.replace("\n", "\r\n")
        offset = len(RENDERED) if at < 0 else RENDERED.index("\n") + 1
        changed = apply(windows, only("values.yaml", windows).stack.put([Edit(offset, offset, line)]))
        assert changed.count("\n") > windows.count("\n")
        assert "\n" not in changed.replace("\r\n", "")

    def test_an_added_section(self) -> None:
        carried = only("values.yaml", VALUES)
        end = len(RENDERED)
        changed = apply(VALUES, carried.stack.put([Edit(end, end, "\n[Networking]\npublic-network-name = x\n")]))
        assert changed == VALUES.replace("tolerations", "  networking:\n    public-network-name: x\ntolerations")

    @pytest.mark.parametrize("section", ["[Metadata]", "[LoadBalancerClass]", "[loadBalancer]"])
    def test_a_section_that_cannot_be_added(self, section: str) -> None:
        text = VALUES.replace("tolerations", "  metadata: {}\ntolerations")
        carried = only("values.yaml", text)
        with pytest.raises(CannotEdit):
            carried.stack.put([Edit(len(RENDERED), len(RENDERED), f"\n{section}\na = b\n")])

    def test_nothing_changes_nothing(self) -> None:
        assert only("values.yaml", VALUES).stack.put([]) == []

    def test_lists_maps_and_large_numbers(self) -> None:
        text = (
            "cloudConfig:\n  networking:\n    internal-network-name: [a, b]\n  global: {use-clouds: on, n: 1000000}\n"
        )
        carried = only("values.yaml", text)
        assert 'internal-network-name = "[a b]"' in carried.text
        assert 'use-clouds = "true"' in carried.text
        assert 'n = "1e+06"' in carried.text
        assert place(carried, '"[a b]"')[2] == "[a, b]"
        with pytest.raises(CannotEdit):
            change(carried, '"[a b]"', '"a"')
        with pytest.raises(CannotEdit):
            change(carried, 'use-clouds = "true"\n', "")
        at = carried.text.index("use-clouds")
        with pytest.raises(CannotEdit):
            carried.stack.put([Edit(at, at, 'region = "x"\n')])

    def test_a_section_of_another_name_is_not_printed(self) -> None:
        text = VALUES.replace("  loadBalancer:", "  loadbalancer:")
        assert only("values.yaml", text).text.count("=") == 3
        assert find("values.yaml", "cloudConfig:\n  Networking:\n    x: y\n").carried == []

    def test_keys_that_differ_in_case_come_in_the_chart_s_order(self) -> None:
        text = "cloudConfig:\n  global:\n    region: b\n    auth-url: x\n    Region: a\n"
        assert only("values.yaml", text).text == '[Global]\nRegion = "a"\nauth-url = "x"\nregion = "b"\n'

    def test_a_change_is_exact_wherever_it_is(self) -> None:
        carried = only("values.yaml", VALUES)
        for line in RENDERED.splitlines(keepends=True):
            if line == "\n":
                continue
            at = RENDERED.index(line) + len(line)
            edit = Edit(at, at, 'lb-method = "SOURCE_IP_PORT"\n')
            after = only("values.yaml", apply(VALUES, carried.stack.put([edit]))).text
            assert after == apply(RENDERED, [edit])

    def test_nothing_is_set(self) -> None:
        assert find("values.yaml", "cloudConfig:\n  global:\n  loadBalancer: {}\n").carried == []

    def test_a_map_of_a_secret_that_is_not_created_is_not_read(self) -> None:
        assert find("values.yaml", f"secret: {{create: false}}\n{VALUES}").carried == []
        assert find("values.yaml", f"secret: {{enabled: no, create: true}}\n{VALUES}").carried == []
        assert len(find("values.yaml", f"secret: {{enabled: true}}\n{VALUES}").carried) == 1


class TestWhatIsNotKnown:
    def test_credentials_of_another_values_file(self) -> None:
        text = "cloudConfig:\n  global:\n    region: one\n  loadBalancer:\n    create-monitor: true\n"
        carried = only("values.yaml", text)
        (mark,) = carried.marks
        assert mark.start == mark.end == carried.text.index('"one"') + 5
        assert carried.final

    def test_marks_in_values(self) -> None:
        text = 'cloudConfig:\n  global:\n    auth-url: "${URL}"\n    region: one\n'
        carried = only("values.yaml", text)
        assert [carried.text[mark.start : mark.end] for mark in carried.marks] == ['"xxxxxx"']
        assert not carried.final
        assert place(carried, '"xxxxxx"') == (3, 15, '"${URL}"')

    def test_conditions_between_keys(self) -> None:
        text = """\
cloudConfig:
  global:
    auth-url: https://x
  loadBalancer:
    create-monitor: true
    {{- if .ovn }}
    lb-provider: ovn
    {{- end }}
"""
        carried = only("values.yaml.gotmpl", text)
        assert not carried.final
        assert [mark.start for mark in carried.marks] == [carried.text.index('"ovn"') + 5]


class TestText:
    def test_it_wins_over_the_map(self) -> None:
        text = f"{VALUES}cloudConfigContents: |\n  {indent(CONF, 2)}"
        carried = only("values.yaml", text)
        assert carried.text == CONF
        assert carried.route == "Helm values › cloudConfigContents"
        assert place(carried, "monitor-delay")[:2] == (21, 3)

    def test_an_empty_one_does_not(self) -> None:
        assert only("values.yaml", f'{VALUES}cloudConfigContents: ""\n').text == RENDERED


def installed(text: str) -> str:
    """The route of the only cloud.conf, which must be the one of VALUES."""
    carried = only("x.yaml", text)
    assert carried.text == RENDERED
    assert carried.carrier == "Helm values"
    line, column, there = place(carried, '"ovn"')
    assert text.splitlines()[line - 1][column - 1 :].startswith(there.splitlines()[0])
    return carried.route


class TestInstallers:
    @pytest.mark.parametrize("name", ["openstack-cloud-controller-manager", "ccm", "occm"])
    def test_umbrella_charts(self, name: str) -> None:
        assert installed(f"{name}:\n  {indent(VALUES, 2)}") == f"Helm values › {name}.cloudConfig"

    def test_flux(self) -> None:
        text = f"kind: HelmRelease\nmetadata: {{name: ccm, namespace: flux}}\nspec:\n  values:\n    {indent(VALUES, 4)}"
        assert installed(text) == "HelmRelease flux/ccm › spec.values.cloudConfig"

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
        text = f"kind: {kind}\nmetadata: {{name: ccm}}\nspec:\n  {way}: |\n    {indent(VALUES, 4)}"
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
        text = f"kind: Application\nmetadata: {{name: ccm}}\nspec:\n  {values}{indent(VALUES, 8)}"
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
        assert len(carried.marks) == 3
        assert not carried.final

    def test_the_csi_chart_s_secret(self) -> None:
        text = f"secret:\n  enabled: true\n  name: cinder-csi-cloud-config\n  data:\n    cloud.conf: |-\n      {indent(CONF, 6)}"
        assert routes("values.yaml", text) == ["secret.data.cloud.conf"]

    def test_the_user_says_template(self) -> None:
        assert not only("values.yaml", VALUES, FindOptions(template=True)).final


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

    @pytest.mark.parametrize(
        ("name", "image"), [("openstack-cloud-controller-manager", "y"), ("ccm", "y"), ("aws-mirror", "y")]
    )
    def test_ours_is_taken(self, name: str, image: str) -> None:
        assert len(find("chart.yaml", self.CHART % (name, image)).carried) == 1


class TestCapiHelmCharts:
    VALUES = """\
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
        carried = only("values.yaml", self.VALUES)
        assert carried.route.endswith("addons.openstack.cloudConfig")
        assert "[LoadBalancer]\ncreate-montior = " in carried.text
        assert place(carried, "create-montior") == (7, 9, "create-montior")

    def test_the_chart_adds_the_rest(self) -> None:
        carried = only("values.yaml", self.VALUES)
        ends = [carried.text.index("\n\n[LoadBalancer]"), len(carried.text) - 1, len(carried.text)]
        assert [mark.start for mark in carried.marks] == ends

    def test_the_csi_driver_reads_them_too(self) -> None:
        assert only("values.yaml", self.VALUES).consumers == ("ccm", "cinder-csi-plugin")

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
        assert "[LoadBalancer]\ncreate-montior = " in only("values.yaml", self.VALUES, options).text

    @pytest.mark.parametrize(
        "value", ["'{{ settings }}'", '>-\n        {{-\n          { "lb-method": method }\n        }}']
    )
    def test_a_section_that_an_expression_makes_is_unknown(self, value: str) -> None:
        carried = only("defaults/main.yml", f"addons:\n  openstack:\n    cloudConfig:\n      LoadBalancer: {value}\n")
        assert (carried.text, carried.marks, carried.final) == ("", (Span(0, 0),), False)

    def test_elsewhere_the_names_are_the_upstream_charts(self) -> None:
        assert find("values.yaml", self.VALUES.replace("openstack:", "other:")).carried == []


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
