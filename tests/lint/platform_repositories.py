"""Twelve repositories of platforms as people keep them, each with five mistakes that the CCM or Octavia refuses.

A file begins with ``=== path``; a line that ends with ``#!`` has a mistake, and the sign is not in the file. ``@LOGIN``
stands for lines that log in, with the indentation and the sign between key and value of its line.
"""

from __future__ import annotations

import re

from small_platforms import SMALL, SMALL_RELEASES

LOGIN = (
    ("auth-url", "https://keystone.example.com/v3"),
    ("application-credential-id", "0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f"),
    ("application-credential-secret", "made-up-Secret"),
)
_SIGN = re.compile(r" #[!?-]$")
_LOGIN = re.compile(r"^(?P<indent> *)@LOGIN(?P<sign>.*)$", re.MULTILINE)

REPOSITORIES = {
    "SCS operator": """\
=== clusters/prod/cloud-config.yaml
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    @LOGIN =

    [LoadBalancer]
    manage-security-groups = true
    lb-provider = ovn
    lb-method = ROUND_ROBIN #!
    create-monitor = true
    monitor-delay = 10 #!
    monitor-max-retries = 11 #!
=== clusters/prod/ccm.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      tolerations:
      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}
      - {key: node-role.kubernetes.io/control-plane, effect: NoSchedule}
      containers:
      - name: openstack-cloud-controller-manager
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [/bin/openstack-cloud-controller-manager, --cloud-provider=openstack, --cluster-name=prod, --cloud-config=/etc/config/cloud.conf]
        volumeMounts: [{name: conf, mountPath: /etc/config, readOnly: true}]
      volumes: [{name: conf, secret: {secretName: cloud-config}}]
=== clusters/prod/ingress.yaml
apiVersion: v1
kind: Service
metadata:
  name: ingress
  namespace: ingress
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true" #!
    loadbalancer.openstack.org/x-forwarded-for: "true" #?
spec:
  type: LoadBalancer
  selector: {app: ingress}
  loadBalancerSourceRanges: [10.0.0.0/33] #!
  ports: [{name: http, port: 80}]
""",
    "Magnum": """\
=== templates/write-kube-os-config.sh
#!/bin/sh
KUBE_OS_CLOUD_CONFIG=/etc/kubernetes/cloud-config-occm
cat > /etc/kubernetes/cloud-config-occm <<EOF
[Global]
auth-url=$AUTH_URL
user-id=$TRUSTEE_USER_ID
password=$TRUSTEE_PASSWORD
trust-id=$TRUST_ID
[LoadBalancer]
use-octavia=$OCTAVIA_ENABLED
lb-provider=ovn
lb-method=LEAST_CONNECTIONS #!
create-monitor=yes
monitor-delay=1 #!
monitor-timeout=30s
monitor-max-retries=30 #!
EOF
=== templates/enable-occm.sh
#!/bin/sh
kubectl apply -f - <<EOF
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      tolerations: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}]
      containers:
      - name: openstack-cloud-controller-manager
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.27.3
EOF
=== services/mail.yaml
apiVersion: v1
kind: Service
metadata:
  name: mail
  namespace: mail
  annotations:
    loadbalancer.openstack.org/network-id: mail-net #!
    loadbalancer.openstack.org/health-monitor-max-retries: "12" #!
spec:
  type: LoadBalancer
  selector: {app: mail}
  ports: [{name: smtp, port: 25}]
""",
    "telco with ClusterClass": """\
=== classes/control-plane.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlaneTemplate
metadata: {name: ran, namespace: clusters}
spec:
  template:
    spec:
      kubeadmConfigSpec:
        files:
        - path: /etc/kubernetes/cloud.conf
          owner: root:root
          permissions: "0600"
          content: |
            [Global]
            @LOGIN =
            [LoadBalancer]
            floating-network-id = 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
            create-monitor = sometimes #!
            max-shared-lb = two #!
            [LoadBalancerClass "n6"]
            floating-network-id = 5d0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a12
            [Networking]
            ipv6-support-disabled = no way #!
=== classes/ccm.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      tolerations:
      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}
      - {key: node-role.kubernetes.io/control-plane, effect: NoSchedule}
      containers:
      - name: openstack-cloud-controller-manager
        image: registry.example.com/openstack-cloud-controller-manager:v1.30.0
        args: [--cluster-name=ran, --cloud-config=/etc/kubernetes/cloud.conf]
        volumeMounts: [{name: k8s, mountPath: /etc/kubernetes, readOnly: true}]
      volumes: [{name: k8s, hostPath: {path: /etc/kubernetes}}]
=== workloads/amf.yaml
apiVersion: v1
kind: Service
metadata:
  name: amf
  namespace: core
  annotations: {loadbalancer.openstack.org/load-balancer-id: amf-n2} #!
spec:
  type: LoadBalancer
  selector: {app: amf}
  ports: [{name: n2, port: 38412, protocol: SCTTP}] #!
""",
    "Flux fleet": """\
=== infrastructure/occm/kustomization.yaml
resources: [release.yaml]
=== infrastructure/occm/release.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: occm, namespace: kube-system}
spec:
  interval: 1h
  chart:
    spec: {chart: openstack-cloud-controller-manager, version: 2.31.2, sourceRef: {kind: HelmRepository, name: cpo}}
  valuesFrom:
  - {kind: ConfigMap, name: occm-values}
  values:
    cloudConfig:
      loadBalancer:
        create-monitor: true
        monitor-timeout: 3 #!
=== infrastructure/sharing/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- target: {kind: HelmRelease, name: occm}
  patch: |
    - op: add
      path: /spec/values/cloudConfig/loadBalancer/max-shared-lb
      value: few #!
@CLUSTERS
""",
    "Argo CD ApplicationSet": """\
=== argocd/occm.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: occm, namespace: argocd}
spec:
  goTemplate: true
  generators:
  - list:
      elements:
      - {cluster: edge, url: https://edge.example.com}
      - {cluster: core, url: https://core.example.com}
  template:
    metadata: {name: "occm-{{.cluster}}"}
    spec:
      project: platform
      sources:
      - repoURL: https://kubernetes.github.io/cloud-provider-openstack
        chart: openstack-cloud-controller-manager
        targetRevision: 2.30.2
        helm:
          valueFiles:
          - $platform/values/occm/common.yaml
          - $platform/values/occm/{{.cluster}}.yaml
      - {repoURL: https://git.example.com/platform.git, ref: platform}
      destination: {server: "{{.url}}", namespace: kube-system}
=== values/occm/common.yaml
cloudConfig:
  global:
    @LOGIN:
  loadBalancer:
    floating-network-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
    create-monitor: true
    monitor-delay: 5
    lb-provider: ovn
    manage-security-groups: true
=== values/occm/edge.yaml
cluster: {name: edge}
cloudConfig:
  loadBalancer:
    monitor-delay: 5s
    lb-method: ROUND_ROBIN #!
    monitor-max-retries: 12 #!
=== values/occm/core.yaml
cluster: {name: core}
cloudConfig:
  loadBalancer:
    monitor-delay: 5 s #!
    lb-method: SOURCE_IP_PORT
    cascade-delete: perhaps #!
    internal-lb: nein #!
""",
    "Terraform modules": """\
=== modules/occm/main.tf
variable "monitor" { default = true }

resource "kubernetes_secret_v1" "cloud_config" {
  metadata {
    name      = "cloud-config"
    namespace = "kube-system"
  }
  data = {
    "cloud.conf" = <<-EOT
      [Global]
      auth-url = ${var.auth_url}
      application-credential-id = ${var.credential_id}
      application-credential-secret = ${var.credential_secret}
      [LoadBalancer]
      floating-network-id = ${var.network_id}
      %{ if var.monitor }
      create-monitor = true
      monitor-delay = 5 #!
      monitor-max-retries = 11 #!
      %{ else }
      create-monitor = falsch #!
      %{ endif }
    EOT
  }
}

resource "helm_release" "occm" {
  name       = "occm"
  repository = "https://kubernetes.github.io/cloud-provider-openstack"
  chart      = "openstack-cloud-controller-manager"
  version    = "2.32.0"
}
=== modules/web/main.tf
resource "kubernetes_service_v1" "web" {
  metadata {
    name      = "web"
    namespace = "shop"
    annotations = {
      "loadbalancer.openstack.org/proxy-protocol"  = "true" #!
      "loadbalancer.openstack.org/x-forwarded-for" = "true" #?
    }
  }
  spec {
    type                        = "LoadBalancer"
    load_balancer_source_ranges = ["192.0.2.0/40"] #!
    selector                    = { app = "web" }
    port {
      port        = 443
      target_port = 8443
    }
  }
}
""",
    "Kubespray": """\
=== inventory/prod/group_vars/all/all.yml
cloud_provider: external
external_cloud_provider: openstack
kube_version: 1.29.5
=== inventory/prod/group_vars/all/openstack.yml
external_openstack_cloud_controller_image_tag: "v1.29.0"
external_openstack_auth_url: https://keystone.example.com/v3
external_openstack_application_credential_id: 0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f
external_openstack_application_credential_secret: "{{ vault_occm_secret }}"
external_openstack_lbaas_floating_network_id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
external_openstack_lbaas_create_monitor: true
external_openstack_lbaas_monitor_delay: "60" #!
external_openstack_lbaas_monitor_timeout: "30" #!
external_openstack_lbaas_provider: ovn
=== inventory/prod/group_vars/k8s_cluster/k8s-cluster.yml
external_openstack_lbaas_method: ROUND_ROBIN #!
external_openstack_lbaas_monitor_max_retries: 20 #!
external_openstack_lbaas_manage_security_groups: true
external_openstack_lbaas_internal_lb: nope #!
""",
    "kOps": """\
=== kops/cluster.yaml
apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: k8s.example.com}
spec:
  kubernetesVersion: 1.28.5
  cloudControllerManager: {clusterName: k8s}
  cloudConfig:
    openstack:
      blockStorage: {bs-version: v3}
      loadbalancer:
        floatingNetwork: external
        floatingNetworkID: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
        method: LEAST_CONNECTIONS #!
        provider: ovn
        manageSecurityGroups: true
      monitor:
        delay: 60 #!
        timeout: 30 #!
        maxRetries: 30 #!
=== apps/web.yaml
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  selector: {app: web}
  ports: [{name: http, port: 80000}] #!
""",
    "SOPS beside plain values": """\
=== occm/values.sops.yaml
cloudConfig:
    global:
        auth-url: https://keystone.example.com/v3
        application-credential-id: ENC[AES256_GCM,data:Zm9v,iv:AAAA,tag:BBBB,type:str]
        application-credential-secret: ENC[AES256_GCM,data:YmFy,iv:AAAA,tag:BBBB,type:str]
    loadBalancer:
        monitor-delay: 5 #!
        lb-provider: ovn
        lb-method: ROUND_ROBIN #!
        create-monitor: oui #!
sops:
    age: [{recipient: age1qqqq, enc: x}]
    unencrypted_regex: ^(auth-url|loadBalancer)$
    version: 3.9.1
=== occm/helmfile.yaml
releases:
- name: occm
  namespace: kube-system
  chart: cpo/openstack-cloud-controller-manager
  version: 2.29.3
  values: [values.yaml]
  secrets: [values.sops.yaml]
=== occm/values.yaml
cluster: {name: sops}
cloudConfig:
  loadBalancer:
    max-shared-lb: many #!
    enable-ingress-hostname: vielleicht #!
""",
    "External Secrets": """\
=== occm/external-secret.yaml
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloud-config, namespace: kube-system}
spec:
  refreshInterval: 1h
  secretStoreRef: {name: vault, kind: ClusterSecretStore}
  target:
    name: cloud-config
    template:
      data:
        cloud.conf: |
          [Global]
          auth-url = https://keystone.example.com/v3
          application-credential-id = {{ .id }}
          application-credential-secret = {{ .secret }}
          [LoadBalancer]
          create-monitor = true
          monitor-delay = 5 #!
          monitor-max-retries = 99 #!
          lb-provider = ovn
          lb-method = ROUND_ROBIN #!
          manage-security-groups = jein #!
  data:
  - {secretKey: id, remoteRef: {key: occm, property: id}}
  - {secretKey: secret, remoteRef: {key: occm, property: secret}}
=== occm/release.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: occm, namespace: kube-system}
spec:
  chart:
    spec: {chart: openstack-cloud-controller-manager, version: 2.31.1}
  values:
    cluster: {name: es}
    secret: {create: false, name: cloud-config}
=== apps/web.yaml
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  selector: {app: web}
  loadBalancerSourceRanges: [10.0.0.0] #!
  ports: [{name: http, port: 80}]
""",
    "umbrella charts": """\
=== charts/platform/Chart.yaml
apiVersion: v2
name: platform
version: 1.4.0
dependencies:
- {name: openstack-cloud-controller-manager, alias: occm, version: 2.33.0, repository: https://kubernetes.github.io/cloud-provider-openstack}
- {name: ingress-nginx, version: 4.11.3, repository: https://kubernetes.github.io/ingress-nginx}
=== charts/platform/values.yaml
occm:
  cloudConfig:
    global:
      @LOGIN:
    loadBalancer:
      lb-provider: ovn
      manage-security-groups: true
      monitor-timeout: 3
=== charts/platform/envs/dev.yaml
occm:
  cluster: {name: dev}
  cloudConfig:
    loadBalancer:
      monitor-timeout: 3s
      lb-method: ROUND_ROBIN #!
      create-monitor: true
      monitor-max-retries: 40 #!
=== charts/platform/envs/prod.yaml
occm:
  cluster: {name: prod}
  cloudConfig:
    loadBalancer:
      monitor-timeout: 3 #!
      lb-method: SOURCE_IP_PORT
      create-monitor: ja #!
      max-shared-lb: many #!
""",
    "RKE2": """\
=== server/config.yaml
cloud-provider-name: external
disable-cloud-controller: true
token: ${token}
=== server/manifests/occm.yaml
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  chart: openstack-cloud-controller-manager
  repo: https://kubernetes.github.io/cloud-provider-openstack
  version: 2.28.1
  targetNamespace: kube-system
  bootstrap: true
  valuesContent: |-
    cluster: {name: rke2}
    tolerations: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}]
    cloudConfig:
      global:
        @LOGIN:
      loadBalancer:
        create-monitor: true
        monitor-delay: 5 #!
        monitor-timeout: 3000 #!
        lb-provider: ovn
        lb-method: LEAST_CONNECTIONS #!
        manage-security-groups: true
        monitor-max-retries: 0 #!
      networking:
        ipv6-support-disabled: never #!
""",
}
RELEASES = {
    "SCS operator": "v1.31.2",
    "Magnum": "v1.27.3",
    "telco with ClusterClass": "v1.30.0",
    "Flux fleet": "1.31",
    "Argo CD ApplicationSet": "v1.30.0",
    "Terraform modules": "v1.32.0",
    "Kubespray": "v1.29.0",
    "kOps": "1.28",
    "SOPS beside plain values": "v1.29.1",
    "External Secrets": "v1.31.1",
    "umbrella charts": "v1.33.0",
    "RKE2": "v1.28.1",
}
REPOSITORIES |= SMALL
RELEASES |= SMALL_RELEASES
_CLUSTERS = 30
_CLUSTER = """\
=== clusters/c{number:02}/kustomization.yaml
resources: [../../infrastructure/occm]
components: [../../infrastructure/sharing]
configMapGenerator:
- name: occm-values
  namespace: kube-system
  options: {{disableNameSuffixHash: true}}
  files: [values.yaml]
=== clusters/c{number:02}/values.yaml
cluster: {{name: c{number:02}}}
cloudConfig:
  global:
    @LOGIN:
  loadBalancer:
    lb-provider: ovn
    manage-security-groups: true
    lb-method: {method}
    monitor-delay: {delay}
"""


def _clusters() -> str:
    method = {3: "ROUND_ROBIN #!"}
    delay = {7: "5 #!", 11: "5 sec #!"}
    return "".join(
        _CLUSTER.format(number=one, method=method.get(one, "SOURCE_IP_PORT"), delay=delay.get(one, "5s"))
        for one in range(_CLUSTERS)
    )


def files_of(name: str) -> tuple[dict[str, str], set[tuple[str, int]]]:
    """The files of a repository, and where its mistakes are; a ``#?`` may be reported, as the other half of one."""
    text = REPOSITORIES[name].replace("@CLUSTERS\n", _clusters())
    text = _LOGIN.sub(
        lambda match: "\n".join(f"{match['indent']}{key}{match['sign']} {value}" for key, value in LOGIN), text
    )
    files: dict[str, str] = {}
    mistakes: set[tuple[str, int]] = set()
    for part in text.split("=== ")[1:]:
        path, _, body = part.partition("\n")
        lines = body.splitlines()
        mistakes |= {(path, number) for number, line in enumerate(lines, 1) if line.endswith(" #!")}
        files[path] = "".join(f"{_SIGN.sub('', line)}\n" for line in lines)
    return files, mistakes
