"""What a chart's own templates make of its values."""

from __future__ import annotations

from ccmcheck.carriers.chart_templates import ChartMapping, TemplateLine, read_mapping

UPSTREAM = """\
{{- define "cloudConfig" -}}
[Global]
{{- range $key, $value := .Values.cloudConfig.global }}
{{ $key }} = {{ $value | quote }}
{{- end }}

[LoadBalancer]
{{- range $key, $value := .Values.cloudConfig.loadBalancer }}
{{ $key }} = {{ $value | quote }}
{{- end }}
{{- end }}
"""
BY_NAME = """\
{{- define "cloudConfig" -}}
[Global]
auth-url     = {{ .Values.cloudConfig.global.authUrl }}
use-clouds   = false
tls-insecure = {{ .Values.cloudConfig.global.tlsInsecure | default false }}

[LoadBalancer]
{{- if .Values.cloudConfig.loadbalancer }}
lb-method = "{{ .Values.cloudConfig.loadbalancer.lbMethod }}"
{{- end }}
{{- end -}}
"""


def test_entries_of_a_map() -> None:
    assert read_mapping([UPSTREAM]) == ChartMapping({"global": "Global", "loadBalancer": "LoadBalancer"})


def test_values_by_name() -> None:
    assert read_mapping(["a: b\n", BY_NAME]) == ChartMapping(
        {},
        {
            ("global", "authUrl"): TemplateLine("Global", "auth-url"),
            ("global", "tlsInsecure"): TemplateLine("Global", "tls-insecure", as_it_is=False),
            ("loadbalancer", "lbMethod"): TemplateLine("LoadBalancer", "lb-method"),
        },
        complete=False,
    )


def test_the_dot_changes() -> None:
    template = "{{ with .Values.occm.cloudConfig.global }}\n[Global]\nregion = {{ .region }}\n{{ end }}\n[Route]\nx = {{ .y }}\n"
    mapping = read_mapping([template], "occm.cloudConfig")
    assert mapping is not None
    assert mapping.entries == {("global", "region"): TemplateLine("Global", "region")}
    assert read_mapping([template]) is None


def test_sections_of_any_name() -> None:
    template = (
        "{{- range $section, $entries := .Values.cloudConfig }}\n[{{ $section }}]\n"
        "{{- range $key, $value := $entries }}\n{{ $key }} = {{ $value }}\n{{- end }}\n{{- end }}\n"
    )
    assert read_mapping([template]) == ChartMapping({}, any_section=True)


def test_what_is_not_understood() -> None:
    for template in (
        "",
        "data:\n  cloud.conf: {{ toYaml .Values.cloudConfig | b64enc }}\n",
        "[Global]\n{{ tpl .Values.cloudConfig.global . }}\n",
        "cloudConfig = {{ .Values.cloudConfig.global.region }}\n",
        "{{ end }}{{ end }}[Global]\nregion = {{ $x.y }}\n",
        '[Global]\nx = {{ index .Values "cloudConfig" "global" }}\n',
    ):
        assert read_mapping([template]) is None, template
