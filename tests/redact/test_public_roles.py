"""A token's role decides what is shown: 100 files as people write them, in which nothing but secrets is masked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccmcheck.redact.masker import Masker

SECRET = "Zq9-hunter-xWvQ"
QUOTED = {
    "plain": SECRET,
    "double quotes": f'"{SECRET}"',
    "single quotes": f"'{SECRET}'",
    "a double quote within": f"'{SECRET}\"x'",
    "an escaped quote": f'"{SECRET}\\"x"',
}
"""How people write a password."""
CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
username = ccm
password = PW
region = RegionOne
tenant-id = 8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11

[LoadBalancer]
use-octavia = true
lb-provider = amphora
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = true
monitor-delay = 10s

[LoadBalancerClass "internal"]
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
"""


def block(indent: int) -> str:
    """The cloud.conf as lines of a block scalar."""
    return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in CONF.splitlines())


SHAPES = {
    "cloud.conf": CONF,
    "a template": CONF.replace("RegionOne", "{{ .Values.region }}").replace("amphora", "{{ octavia_provider }}"),
    "conditions of Jinja": CONF.replace("[LoadBalancer]", "{% if octavia %}\n[LoadBalancer]").replace(
        "\n[LoadBalancerClass", "{% endif %}\n[LoadBalancerClass"
    ),
    "Secret": f"""\
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
  labels: {{app: ccm, tier: control-plane}}
type: Opaque
stringData:
  cloud.conf: |
{block(4)}""",
    "ConfigMap": f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: cloud-config, namespace: kube-system}}
data:
  cloud.conf: |-
{block(4)}""",
    "Service": """\
apiVersion: v1
kind: Service
metadata:
  name: ingress-nginx
  namespace: ingress
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true"
    loadbalancer.openstack.org/class: internal-lb
    loadbalancer.openstack.org/network-id: my-network
    loadbalancer.openstack.org/some-future-annotation: whatever people write
    service.beta.kubernetes.io/openstack-internal-load-balancer: "perhaps"
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  ports:
  - {name: http, port: 80, targetPort: http, protocol: TCP}
  - {name: https, port: 443, targetPort: https}
  - name: dns
    port: 53
    targetPort: dns-udp
    protocol: UDP
---
apiVersion: v1
kind: Secret
metadata: {name: other}
stringData:
  password: PW
""",
    "DaemonSet": """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system, labels: {k8s-app: ccm}}
spec:
  selector: {matchLabels: {k8s-app: ccm}}
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args:
        - /bin/openstack-cloud-controller-manager
        - --v=1
        - --cluster-name=$(CLUSTER_NAME)
        - --cloud-config=$(CLOUD_CONFIG)
        env:
        - name: CLOUD_CONFIG
          value: /etc/config/cloud.conf
        - name: CLUSTER_NAME
          value: kubernetes
        - {name: OS_REGION_NAME, value: RegionOne}
        - name: OS_PASSWORD
          value: PW
        volumeMounts:
        - {name: cloud-config, mountPath: /etc/config, readOnly: true}
      volumes:
      - {name: cloud-config, secret: {secretName: cloud-config}}
""",
    "CSI": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi-cinder-controllerplugin, namespace: kube-system}
spec:
  replicas: 2
  template:
    spec:
      serviceAccountName: csi-cinder-controller-sa
      containers:
      - name: cinder-csi-plugin
        image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.2
        env:
        - {name: CLOUD_CONFIG, value: /etc/config/cloud.conf}
        - {name: CLUSTER_NAME, value: kubernetes}
        - {name: OS_PASSWORD, value: PW}
        ports:
        - {containerPort: 9808, name: healthz, protocol: TCP}
""",
    "Helm values": """\
secret:
  enabled: true
  name: cloud-config
cloudConfig:
  global:
    auth-url: https://keystone.example.org:5000/v3
    password: PW
    region: RegionOne
    tls-insecure: "true"
  loadBalancer:
    create-monitor: true
    monitor-delay: 10s
    lb-provider: amphora
cluster:
  name: kubernetes
image:
  repository: registry.k8s.io/provider-os/openstack-cloud-controller-manager
  tag: v1.31.2
""",
    "HelmRelease": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ccm, namespace: kube-system}
spec:
  interval: 10m
  values:
    cloudConfig:
      global:
        auth-url: https://keystone.example.org:5000/v3
        username: ccm
        password: PW
      loadBalancer:
        create-monitor: true
        monitor-delay: 10s
    cluster: {name: kubernetes}
""",
    "Terraform": """\
resource "kubernetes_secret" "cloud_config" {
  metadata {
    name = "cloud-config"
  }
  data = {
    "cloud.conf" = <<-EOT
      [Global]
      auth-url = https://keystone.example.org:5000/v3
      password = PW
      [LoadBalancer]
      %{ if var.monitor ~}
      create-monitor = true
      %{ else ~}
      create-monitor = false
      %{ endif ~}
      lb-provider = ${var.provider}
    EOT
  }
}
""",
    "Terraform with a Service": """\
resource "kubernetes_service" "web" {
  metadata {
    name = "web"
    annotations = {
      "loadbalancer.openstack.org/proxy-protocol" = "maybe"
    }
  }
  spec {
    type = "LoadBalancer"
    port {
      port = 80
    }
  }
}

locals {
  cluster_name = "kubernetes"
  password     = PW
}
""",
    "a script": """\
#!/bin/sh
# Writes the configuration of the cloud controller manager.
export OS_REGION_NAME=RegionOne
export OS_AUTH_URL=https://keystone.example.org:5000/v3
export OS_PASSWORD=PW
CLUSTER_NAME=kubernetes
cat <<EOF
[Global]
region = RegionOne
password = PW
[LoadBalancer]
monitor-delay = 10s
EOF
""",
    "cloud-init": f"""\
#cloud-config
write_files:
- path: /etc/kubernetes/cloud.conf
  owner: root:root
  permissions: '0600'
  content: |
{block(4)}""",
    "KubeadmControlPlane": f"""\
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata: {{name: prod}}
spec:
  replicas: 3
  version: v1.31.2
  kubeadmConfigSpec:
    files:
    - path: /etc/kubernetes/cloud.conf
      owner: root:root
      permissions: "0600"
      content: |
{block(8)}    clusterConfiguration:
      controllerManager:
        extraArgs: {{cloud-provider: external}}
""",
    "variables of clusterctl": """\
CLUSTER_NAME: prod
OS_REGION_NAME: RegionOne
OS_PASSWORD: PW
CREATE_MONITOR: 'true'
""",
    "an env file": """\
CLUSTER_NAME=kubernetes
OS_REGION_NAME=RegionOne
OS_PROJECT_NAME=prod
OS_USER_DOMAIN_NAME=Default
OS_PASSWORD=PW
""",
    "a GitLab job": """\
deploy:
  image: registry.k8s.io/kubectl:v1.31.0
  variables:
    CLUSTER_NAME: kubernetes
    OS_PASSWORD: PW
""",
    "a kustomization": """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: kube-system
resources: [../../base, service.yaml]
patches:
- target: {kind: Secret, name: cloud-config}
  path: patch.yaml
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: PW}
""",
    "a Deployment with all that schedules it": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: ccm, namespace: kube-system, finalizers: [example.com/some-finalizer]}
spec:
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
  template:
    spec:
      schedulerName: default-scheduler
      runtimeClassName: gvisor-runtime
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions:
              - key: example.com/pool
                operator: In
                values:
                - ingress-pool
              matchFields:
              - {key: metadata.name, operator: In, values: [node-number-one]}
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 10
            podAffinityTerm:
              topologyKey: kubernetes.io/hostname
              namespaces: [some-other]
              labelSelector: {matchLabels: {app: ccm-of-mine}}
      topologySpreadConstraints:
      - topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: ScheduleAnyway
        nodeTaintsPolicy: Honor
      nodeSelector:
        pool: web-one-of-two
      tolerations:
      - key: example.com/mine
        operator: Equal
        value: infra-nodes
        effect: NoExecute
      - {key: dedicated, operator: Equal, value: infra-nodes}
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        workingDir: /some/where
        env:
        - name: A
          valueFrom:
            configMapKeyRef:
              name: cm
              key: region-of-cloud
        - name: B
          valueFrom:
            secretKeyRef: {name: cm, key: the-key-of-it, optional: true}
        - name: NODE_NAME
          valueFrom: {fieldRef: {apiVersion: v1, fieldPath: spec.nodeName}}
        - name: OS_PASSWORD
          value: PW
        livenessProbe:
          httpGet: {path: /healthz, port: 10258, scheme: HTTPS}
        resources:
          requests: {cpu: 200m, memory: 64Mi, ephemeral-storage: 1Gi}
        securityContext:
          capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}
      volumes:
      - name: config
        projected:
          sources:
          - secret:
              name: cloud-config
              items:
              - key: cloud.conf
                path: cloud.conf
          - configMap:
              name: other
              items: [{key: some-file.txt, path: some-file.txt}]
          - serviceAccountToken:
              path: file-of-it
              audience: some-audience
""",
    "patches of a kustomization": """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: ["https://github.com/kubernetes/cloud-provider-openstack//manifests?ref=v1.31.2"]
commonLabels: {team: some-team}
images:
- name: registry.k8s.io/provider-os/openstack-cloud-controller-manager
  newName: harbor.example.org/mirror/ccm
  newTag: v1.31.2
secretGenerator:
- name: cloud-config
  behavior: merge
  files:
  - cloud.conf=prod-cloud.conf
replacements:
- source: {kind: ConfigMap, name: cm, fieldPath: data.region-of-cloud}
  targets:
  - select: {kind: Deployment, name: web}
    fieldPaths: [spec.template.metadata.labels.region]
patches:
- target: {kind: DaemonSet, group: apps, labelSelector: app=web-app}
  patch: |-
    - op: add
      path: /spec/template/spec/tolerations/-
      value:
        key: example.com/other
        operator: Exists
    - op: replace
      path: /spec/template/spec/nodeSelector
      value: {pool: web-one-of-two}
    - op: replace
      path: /spec/template/spec/containers/0/image
      value: harbor.example.org/mirror/ccm:v1.31.2
    - op: add
      path: /spec/template/spec/containers/0/args/-
      value: --cluster-name=prod-of-us
    - op: add
      path: /metadata/annotations/loadbalancer.openstack.org~1class
      value: some-class
    - {op: replace, path: /spec/externalTrafficPolicy, value: Cluster}
    - op: add
      path: /spec/template/spec/containers/0/env/-
      value:
        name: OS_PASSWORD
        value: PW
- patch: |-
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      trafficDistribution: PreferClose
""",
    "JSON": """\
{
  "apiVersion": "v1",
  "kind": "Service",
  "metadata": {"name": "web", "annotations": {"loadbalancer.openstack.org/class": "internal-lb"}},
  "spec": {
    "type": "LoadBalancer",
    "ports": [{"name": "http", "port": 80, "targetPort": "web"}]
  }
}
""",
}
FILES = {f"{name}, {how}": text.replace("PW", value) for name, text in SHAPES.items() for how, value in QUOTED.items()}


def wrong_masks(text: str) -> Iterator[str]:
    """What is masked and no secret, and what is shown and is one."""
    masker = Masker(text)
    if SECRET in "".join(piece for _, _, piece in masker.pieces(0, len(text))):
        yield f"shown: {SECRET}"
    for span in masker.spans:
        hidden = text[span.start : span.end]
        if SECRET not in hidden or "\n" in hidden.strip():
            yield hidden


def test_there_are_a_hundred_files() -> None:
    assert len(FILES) >= 100


@pytest.mark.parametrize("name", FILES)
def test_nothing_but_secrets_is_masked(name: str) -> None:
    assert list(wrong_masks(FILES[name])) == []


HIDDEN = (
    "- name: PASSWORD\n  value: {}\n", "- {{name: CLUSTER_NAME, token: {}}}\n", "spec {} {{\n", '%{{ if "{}" ~}}\n', "%{{ {} }}\n",
    "x = <<{}\n{}\n", "x = <<EOT\n{}\nEOT\n", "KUBECONFIG={}\n", "V={}\n", "password: '{}\"x'\nregion: x\n", 'password = "x\\"{}"\n',
    "- name: CLUSTER_NAME\n  value: https://u:{}@h\n", "OS_REGION_TOKEN={}\n", "loadbalancer.openstack.org/x: https://u:{}@h\n",
    'resource "kubernetes_secret" "{}" {{\n', "- op: add\n  path: /data/x\n  value: {}\n",
    "- op: add\n  path: /stringData\n  value:\n    image: {}\n", "- {{op: add, path: /stringData/image, value: {}}}\n",
    "- {{op: add, path: /stringData, value: {{image: {}}}}}\n", "- op: add\n  path: /spec/password/image\n  value: {}\n",
    "- op: add\n  path: /spec/args/-\n  value: --token={}\n", "- op: add\n  path: /spec/env/0/value\n  value: {}\n",
    "- {{op: add, path: {}, value: 1}}\n", "env:\n- name: X\n  value: {}\n", "secretRef: {{value: {}}}\n",
    "- op: add\n  path: /metadata/name\n  value: x\n- name: OS_PASSWORD\n  value: {}\n",
    "- op: add\n  path: /metadata/name\n  value: x\n---\nenv:\n- name: X\n  value: {}\n",
    "- op: add\n  path: /metadata/name\n  value: x\n- value: {}\n  op: add\n  path: /data/x\n",
    '- op: add\n  path: "/da\\u0074a/name"\n  value: {}\n',
    "- name: OS_REGION_NAME\n  value: x\n- value: {}\n  name: OS_PASSWORD\n",
    "env: [{{name: OS_REGION_NAME, value: x}}, {{value: {}, name: OS_PASSWORD}}]\n",
    '[{{"op":"add","path":"/metadata/name","value":"x"}},{{"value":"{}","op":"add","path":"/data/x"}}]\n',
    "files:\n- cloud.conf={}\n", "https://x.example.org/?token={}\n", "spec:\n  automountServiceAccountToken: {}\n",
)  # fmt: skip


@pytest.mark.parametrize("text", HIDDEN)
def test_a_role_is_no_excuse(text: str) -> None:
    written = text.format(*["Zq9xWvQ1aB"] * 2)
    masker = Masker(written)
    assert "Zq9xWvQ1aB" not in "".join(piece for _, _, piece in masker.pieces(0, len(written)))
