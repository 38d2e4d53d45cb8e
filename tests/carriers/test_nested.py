"""Objects within objects: ClusterResourceSets, patches, lists, and how deep one looks."""

from __future__ import annotations

import json

from carrying import CONF, b64, gz64, indent, only, place, routes

from ccmcheck.base.edits import apply
from ccmcheck.base.model import Edit
from ccmcheck.carriers import FindOptions, find

INNER = f"""\
# made by a chart
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
data:
  cloud.conf: {b64(CONF)}
"""


def resource_set(inner: str = INNER) -> str:
    return f"""\
apiVersion: v1
kind: Secret
metadata:
  name: one-ccm
  namespace: clusters
type: addons.cluster.x-k8s.io/resource-set
data:
  cloud-config-secret: {b64(inner)}
"""


def test_a_secret_in_a_secret() -> None:
    carried = only("crs.yaml", resource_set())
    assert carried.carrier == "Secret"
    assert carried.subject == "Secret kube-system/cloud-config"
    assert carried.route == (
        'Secret clusters/one-ccm › data["cloud-config-secret"] (base64)'
        ' › Secret kube-system/cloud-config › data["cloud.conf"] (base64)'
    )
    assert carried.text == CONF
    assert carried.final
    assert not carried.stack.exact
    assert [layer.kind for layer in carried.stack.layers] == ["plain", "base64", "plain", "base64"]
    assert place(carried, "monitor-delay = 3") == (8, 24, b64(INNER))


def test_edits_are_carried_from_the_inside_out() -> None:
    text = resource_set()
    carried = only("crs.yaml", text)
    start = CONF.index("= 3\n") + 2
    changed = apply(text, carried.stack.put([Edit(start, start + 1, "3s")]))
    assert only("crs.yaml", changed).text == CONF.replace("= 3\n", "= 3s\n")
    assert changed.splitlines()[:7] == text.splitlines()[:7]


def test_manifests_in_a_config_map() -> None:
    text = f"""\
kind: ConfigMap
metadata: {{name: ccm}}
data:
  ccm.yaml: |
    kind: Deployment
    metadata: {{name: other}}
    ---
    {indent(INNER, 4)}"""
    carried = only("crs.yaml", text)
    assert carried.route.startswith('ConfigMap ccm › data["ccm.yaml"] › Secret kube-system/cloud-config')
    assert place(carried, "[Global]")[:2] == (15, 19)


def test_three_levels_deep_and_compressed() -> None:
    text = resource_set(resource_set().replace(b64(INNER), gz64(INNER)))
    assert only("crs.yaml", text).text == CONF


def test_the_depth_limit() -> None:
    text = INNER
    for _ in range(6):
        text = resource_set(text)
    assert routes("crs.yaml", text, FindOptions(max_depth=12)) != []
    assert routes("crs.yaml", text, FindOptions(max_depth=4)) == []


def test_a_strategic_merge_patch_within_a_kustomization() -> None:
    text = f"""\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- patch: |
    {indent(INNER, 4)}  target: {{kind: Secret}}
"""
    assert routes("kustomization.yaml", text) == [
        'Kustomization › patches[0].patch › Secret kube-system/cloud-config › data["cloud.conf"] (base64)'
    ]


def test_operations_of_a_json_patch() -> None:
    text = f"""\
- op: replace
  path: /data/cloud.conf
  value: {b64(CONF)}
- op: add
  path: /stringData/cloud.conf
  value: |
    {indent(CONF, 4)}- op: remove
  path: /data/other
"""
    first, second = find("patch.yaml", text).carried
    assert first.text == second.text == CONF
    assert first.route == "[0] /data/cloud.conf (base64)"
    assert place(second, "monitor-delay")[:2] == (15, 5)


def test_an_object_within_another_kind() -> None:
    text = f"""\
kind: ManifestWork
metadata: {{name: w}}
spec:
  workload:
    manifests:
    - {indent(INNER.split(chr(10), 1)[1], 6)}"""
    carried = only("work.yaml", text)
    assert carried.subject == "Secret kube-system/cloud-config"
    assert place(carried, "[Global]")[0] == 12


def test_copies_in_annotations_are_not_read_again() -> None:
    copy = json.dumps({"kind": "Secret", "apiVersion": "v1", "data": {"cloud.conf": b64(CONF)}})
    copied = f"  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{copy}'\n"
    text = INNER.replace("\ndata:", f"\n{copied}data:")
    assert len(find("secret.yaml", text).carried) == 1
    assert len(find("thing.yaml", text.replace("kind: Secret\nm", "kind: Thing\nm")).carried) == 1


def test_an_alias_is_read_once_and_locked() -> None:
    text = f"""\
kind: KubeadmConfig
spec:
  files:
  - path: /etc/kubernetes/cloud.conf
    content: &conf |
      {indent(CONF, 6)}  - path: /etc/other/cloud.conf
    content: *conf
"""
    first, second = find("x.yaml", text).carried
    assert first.text == second.text == CONF
    assert place(first, "monitor-delay")[:2] == place(second, "monitor-delay")[:2] == (14, 7)


def test_go_templates_around_a_manifest() -> None:
    text = """\
kind: ConfigMap
metadata: {name: sveltos}
data:
  secret.yaml: |
    {{- $$cloud := index .Clouds "one" }}
    {{- if $$cloud }}
    kind: Secret
    metadata:
      name: cloud-config
    stringData:
      cloud.conf: |
        [Global]
        auth-url="{{ $$cloud.url }}"
        {{- if $$cloud.region }}
        region="{{ $$cloud.region }}"
        {{- end }}

        [LoadBalancer]
        create-monitor=true
    {{- end }}
"""
    carried = only("map.yaml", text)
    assert [carried.text[mark.start : mark.end] for mark in carried.marks] == [
        "{{ $$cloud.url }}",
        "{{- if $$cloud.region }}",
        "{{ $$cloud.region }}",
        "{{- end }}",
    ]
    assert place(carried, "create-monitor") == (19, 9, "create-monitor")
    assert place(carried, "{{ $$cloud.region }}") == (15, 17, "{{ $$cloud.region }}")


def test_what_is_not_yaml_is_searched_as_text() -> None:
    text = """\
{{ range .Values.clusters }}
  kind: Secret
 stringData: }
  cloud.conf: |
    [Global]
    auth-url={{ .url }}
    region=one

    [LoadBalancer]
    create-monitor=true
  other: x
{{ end }}
"""
    carried = only("chart/templates/secret.yaml", text)
    assert carried.text == text[text.index("    [Global]") : text.index("  other")]
    assert not carried.final
    assert place(carried, "create-monitor")[:2] == (10, 5)


def test_a_cloud_conf_under_any_key_of_values_in_a_text() -> None:
    text = f"""\
kind: HelmChart
apiVersion: helm.cattle.io/v1
metadata: {{name: csi}}
spec:
  chart: openstack-cinder-csi
  valuesContent: |-
    secret:
      filename: cloud.conf
      data:
        cloud-config: |-
          {indent(CONF, 10)}"""
    assert only("csi.yaml", text).text == CONF.rstrip("\n")
