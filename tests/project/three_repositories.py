"""Three repositories as people have them: Cluster API with Flux, Terraform with scripts, kustomize for dev and prod."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = not-a-real-one
region = RegionOne

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
monitor-delay = 10s
monitor-timeout = 5s
monitor-max-retries = 3
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: openstack-cloud-controller-manager
  namespace: kube-system
spec:
  selector: {matchLabels: {k8s-app: ccm}}
  template:
    metadata: {labels: {k8s-app: ccm}}
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      tolerations:
        - key: node.cloudprovider.kubernetes.io/uninitialized
          value: "true"
          effect: NoSchedule
        - key: node-role.kubernetes.io/control-plane
          effect: NoSchedule
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
          args:
            - /bin/openstack-cloud-controller-manager
            - --cloud-config=/etc/config/cloud.conf
            - --cluster-name=prod
            - --cloud-provider=openstack
          volumeMounts: [{name: config, mountPath: /etc/config, readOnly: true}]
      volumes: [{name: config, secret: {secretName: cloud-config}}]
"""
SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {app: web}
  ports: [{name: https, port: 443, targetPort: 8443}]
"""
RESOURCE_SET = """\
apiVersion: addons.cluster.x-k8s.io/v1beta1
kind: ClusterResourceSet
metadata: {name: cloud-config, namespace: clusters}
spec:
  strategy: Reconcile
  clusterSelector: {matchLabels: {cloud: openstack}}
  resources: [{kind: Secret, name: cloud-config}]
---
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: clusters}
type: addons.cluster.x-k8s.io/resource-set
stringData:
  cloud-config.yaml: |
    apiVersion: v1
    kind: Secret
    metadata: {name: cloud-config, namespace: kube-system}
    type: Opaque
    stringData:
      cloud.conf: |
%s"""
CLUSTER = """\
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata:
  name: prod
  namespace: clusters
  labels: {cloud: openstack}
spec:
  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: prod}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackCluster, name: prod}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: openstack-ccm, namespace: kube-system}
spec:
  interval: 10m
  chart:
    spec:
      chart: openstack-cloud-controller-manager
      version: 2.31.3
      sourceRef: {kind: HelmRepository, name: cloud-provider-openstack}
  values:
    secret: {create: false, enabled: true, name: cloud-config}
    cluster: {name: prod}
"""
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: fleet}
"""
TERRAFORM = """\
resource "openstack_compute_instance_v2" "control_plane" {
  name        = "control-plane-0"
  flavor_name = "SCS-4V-8"
  user_data   = <<-EOT
    #cloud-config
    write_files:
      - path: /etc/kubernetes/cloud.conf
        owner: root:root
        permissions: "0600"
        content: |
%s    runcmd:
      - [sh, /opt/bootstrap.sh]
  EOT
}
"""
BOOTSTRAP = """\
#!/bin/sh
set -eu
cat > /etc/kubernetes/cloud.conf <<'EOF'
%sEOF
kubectl -n kube-system create secret generic cloud-config --from-file=/etc/kubernetes/cloud.conf
kubectl apply -f /opt/ccm.yaml
"""
GENERATOR = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: kube-system
resources: [ccm.yaml]
secretGenerator:
  - name: cloud-config
    files: [cloud.conf]
"""
OVERLAY = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../../base, web.yaml]
patches:
  - target: {kind: DaemonSet, name: openstack-cloud-controller-manager}
    patch: |
      - op: replace
        path: /spec/template/spec/containers/0/args/2
        value: --cluster-name=%s
"""


class Repository(NamedTuple):
    """A repository, with where a change of it is made.

    Attributes:
        files: Its files, all right.
        conf: The file with the cloud.conf that people change.
        service: The file with the Service.
        image: The file that says which release runs, and how.
    """

    files: dict[str, str]
    conf: str
    service: str
    image: tuple[str, str, str]


def block(columns: int) -> str:
    """The cloud.conf, indented."""
    return textwrap.indent(CONF, " " * columns)


REPOSITORIES = {
    "cluster-api": Repository(
        {
            "clusters/prod/cluster.yaml": CLUSTER,
            "clusters/prod/cloud-config.yaml": RESOURCE_SET % block(8),
            "clusters/prod/ccm.yaml": RELEASE,
            "clusters/prod/flux.yaml": FLUX,
            "clusters/prod/apps/web.yaml": SERVICE,
        },
        "clusters/prod/cloud-config.yaml",
        "clusters/prod/apps/web.yaml",
        ("clusters/prod/ccm.yaml", "2.31.3", "2.33.0"),
    ),
    "terraform": Repository(
        {
            "main.tf": TERRAFORM % block(10),
            "files/bootstrap.sh": BOOTSTRAP % CONF,
            "files/ccm.yaml": CCM,
            "files/web.yaml": SERVICE,
            "README.md": "# Cluster\n\nRun `terraform apply`.\n",
        },
        "files/bootstrap.sh",
        "files/web.yaml",
        ("files/ccm.yaml", "v1.31.2", "v1.33.1"),
    ),
    "kustomize": Repository(
        {
            "base/kustomization.yaml": GENERATOR,
            "base/ccm.yaml": CCM,
            "base/cloud.conf": CONF,
            "overlays/dev/kustomization.yaml": OVERLAY % "dev",
            "overlays/dev/web.yaml": SERVICE,
            "overlays/prod/kustomization.yaml": OVERLAY % "prod",
            "overlays/prod/web.yaml": SERVICE,
        },
        "base/cloud.conf",
        "overlays/prod/web.yaml",
        ("base/ccm.yaml", "v1.31.2", "v1.33.1"),
    ),
}
