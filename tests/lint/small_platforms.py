"""Three small repositories as people keep them, written from public knowledge of their tools before the rules were read.

The form is that of ``platform_repositories``. A line that ends with ``#-`` has a mistake that nobody finds yet: a default of
an Ansible role may be overridden, and a condition in a template may add the class.
"""

from __future__ import annotations

SMALL = {
    "k3s by Terraform": """\
=== main.tf
terraform {
  required_providers {
    openstack = { source = "terraform-provider-openstack/openstack", version = "~> 2.1" }
  }
}

locals {
  cloud_conf = templatefile("${path.module}/templates/cloud.conf.tftpl", {
    auth_url            = var.auth_url
    credential_id       = var.application_credential_id
    credential_secret   = var.application_credential_secret
    floating_network_id = data.openstack_networking_network_v2.public.id
    subnet_id           = openstack_networking_subnet_v2.nodes.id
    ovn                 = var.octavia_provider == "ovn"
  })
}

resource "openstack_compute_instance_v2" "server" {
  count       = var.server_count
  name        = "${var.cluster_name}-server-${count.index}"
  flavor_name = var.flavor
  image_name  = "Ubuntu 24.04"
  user_data = templatefile("${path.module}/templates/server.yaml.tftpl", {
    cluster_name = var.cluster_name
    cloud_conf   = base64encode(local.cloud_conf)
  })
  network { uuid = openstack_networking_network_v2.nodes.id }
}
=== variables.tf
variable "cluster_name" {
  type    = string
  default = "edge"
}
variable "octavia_provider" {
  type    = string
  default = "amphora"
}
=== templates/cloud.conf.tftpl
[Global]
auth-url = ${auth_url}
application-credential-id = ${credential_id}
application-credential-secret = "${credential_secret}"

[LoadBalancer]
floating-network-id = ${floating_network_id}
subnet-id = ${subnet_id}
create-monitor = true
manage-security-groups = sure #!
%{ if ovn ~}
lb-provider = ovn
lb-method = LEAST_CONNECTIONS #!
%{ endif ~}
monitor-delay = 10s
monitor-timeout = 5 #!
=== templates/server.yaml.tftpl
#cloud-config
package_update: true
write_files:
- path: /etc/kubernetes/cloud.conf
  encoding: b64
  permissions: "0600"
  content: ${cloud_conf}
- path: /etc/rancher/k3s/config.yaml
  content: |
    cluster-init: true
    disable-cloud-controller: true
    disable: [servicelb, local-storage]
    kubelet-arg:
    - cloud-provider=external
- path: /var/lib/rancher/k3s/server/manifests/occm.yaml
  content: |
    apiVersion: helm.cattle.io/v1
    kind: HelmChart
    metadata:
      name: openstack-cloud-controller-manager
      namespace: kube-system
    spec:
      repo: https://kubernetes.github.io/cloud-provider-openstack
      chart: openstack-cloud-controller-manager
      version: 2.31.3
      bootstrap: true
      targetNamespace: kube-system
      valuesContent: |-
        cluster: #!
          name: ${cluster_name}
        secret:
          enabled: true
          create: false
          name: cloud-config
        tolerations:
        - key: node.cloudprovider.kubernetes.io/uninitialized
          value: "true"
          effect: NoSchedule
- path: /var/lib/rancher/k3s/server/manifests/traefik-config.yaml
  content: |
    apiVersion: helm.cattle.io/v1
    kind: HelmChartConfig
    metadata:
      name: traefik
      namespace: kube-system
    spec:
      valuesContent: |-
        service:
          annotations:
            loadbalancer.openstack.org/class: fast #-
          spec:
            externalTrafficPolicy: Local
            loadBalancerSourceRanges:
            - 198.51.100.0/240 #!
runcmd:
- curl -sfL https://get.k3s.io | INSTALL_K3S_VERSION=v1.31.5+k3s1 sh -
""",
    "Talos and Flux": """\
=== talos/patches/controlplane.yaml
cluster:
  externalCloudProvider:
    enabled: true
    manifests:
    - https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/v1.32.0/manifests/controller-manager/cloud-controller-manager-roles.yaml
    - https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/v1.32.0/manifests/controller-manager/cloud-controller-manager-role-bindings.yaml
    - https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack/v1.32.0/manifests/controller-manager/openstack-cloud-controller-manager-ds.yaml
  inlineManifests:
  - name: cloud-config
    contents: |
      apiVersion: v1
      kind: Secret
      metadata:
        name: cloud-config
        namespace: kube-system
      type: Opaque
      stringData:
        cloud.conf: |
          [Global]
          @LOGIN =
          [LoadBalancerClass internal] #!
          network-id = 9d1c2a4e-7c31-4a53-9c31-64a1b3ad4c55
          [LoadBalancer]
          floating-network-id = 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
          enable-ingress-hostname = on please #!
machine:
  kubelet:
    extraArgs: {cloud-provider: external, rotate-server-certificates: "true"}
=== flux/apps/base/ingress-nginx/release.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ingress-nginx
  namespace: ingress-nginx
spec:
  interval: 30m
  chart:
    spec:
      chart: ingress-nginx
      version: 4.12.1
      sourceRef: {kind: HelmRepository, name: ingress-nginx}
  values:
    controller:
      replicaCount: 2
      config:
        use-proxy-protocol: "true"
      service:
        annotations:
          loadbalancer.openstack.org/proxy-protocol: "true" #!
          loadbalancer.openstack.org/x-forwarded-for: "true" #?
=== flux/apps/base/ingress-nginx/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- release.yaml
=== flux/apps/production/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- ../base/ingress-nginx
- game.yaml
- dns.yaml
=== flux/apps/production/game.yaml
apiVersion: v1
kind: Service
metadata:
  name: game
  namespace: games
  annotations:
    loadbalancer.openstack.org/health-monitor-delay: "3"
    loadbalancer.openstack.org/health-monitor-max-retries: "15" #!
    loadbalancer.openstack.org/enable-health-monitor: "true"
spec:
  type: LoadBalancer
  selector: {app: game}
  ports:
  - {name: game, port: 27015, protocol: TCP}
=== flux/apps/production/dns.yaml
apiVersion: v1
kind: Service
metadata:
  name: dns
  namespace: dns
  annotations:
    loadbalancer.openstack.org/load-balancer-id: shared-dns #!
spec:
  type: LoadBalancer
  selector: {app: dns}
  ports:
  - {name: dns-tcp, port: 53, protocol: TCP}
""",
    "Ansible role": """\
=== roles/openstack_ccm/defaults/main.yml
---
openstack_ccm_version: "v1.30.2"
openstack_ccm_namespace: kube-system
openstack_ccm_lb_provider: ovn
openstack_ccm_lb_method: ROUND_ROBIN
openstack_ccm_monitor_delay: 30
openstack_ccm_create_monitor: true
=== roles/openstack_ccm/templates/cloud.conf.j2
[Global]
auth-url={{ openstack_auth_url }}
username={{ openstack_username }}
password="{{ openstack_password }}"
tenant-name={{ openstack_project }}
domain-name=Default
{% if openstack_ca_file is defined %}
ca-file={{ openstack_ca_file }}
{% endif %}

[Metadata]
search-order=configdrive,metadata #!

[LoadBalancer]
lb-provider={{ openstack_ccm_lb_provider }}
lb-method={{ openstack_ccm_lb_method }} #-
create-monitor={{ openstack_ccm_create_monitor | lower }}
monitor-delay={{ openstack_ccm_monitor_delay }} #-
monitor-max-retries=20 #!
max-shared-lb=two #!
internal-lb=nope #!
{% for class in openstack_ccm_classes | default([]) %}
[LoadBalancerClass "{{ class.name }}"]
floating-network-id={{ class.network }}
{% endfor %}
=== roles/openstack_ccm/tasks/main.yml
---
- name: Create the cloud-config secret
  kubernetes.core.k8s:
    state: present
    definition:
      apiVersion: v1
      kind: Secret
      metadata:
        name: cloud-config
        namespace: "{{ openstack_ccm_namespace }}"
      data:
        cloud.conf: "{{ lookup('ansible.builtin.template', 'cloud.conf.j2') | b64encode }}"

- name: Deploy the cloud controller manager
  kubernetes.core.k8s:
    state: present
    definition: "{{ lookup('ansible.builtin.template', 'daemonset.yml.j2') | from_yaml_all }}"

- name: Expose the registry
  kubernetes.core.k8s:
    state: present
    definition:
      apiVersion: v1
      kind: Service
      metadata:
        name: registry
        namespace: registry
      spec:
        type: LoadBalancer
        loadBalancerSourceRanges:
        - 10.0.0.0/8
        - 192.168.0.0/46 #!
        selector: {app: registry}
        ports:
        - {name: https, port: 443, targetPort: 5000}
=== roles/openstack_ccm/templates/daemonset.yml.j2
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: openstack-cloud-controller-manager
  namespace: {{ openstack_ccm_namespace }}
  labels: {k8s-app: openstack-cloud-controller-manager}
spec:
  selector:
    matchLabels: {k8s-app: openstack-cloud-controller-manager}
  template:
    metadata:
      labels: {k8s-app: openstack-cloud-controller-manager}
    spec:
      serviceAccountName: cloud-controller-manager
      hostNetwork: true
      nodeSelector:
        node-role.kubernetes.io/control-plane: ""
      tolerations:
      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}
      - {key: node-role.kubernetes.io/control-plane, effect: NoSchedule}
      containers:
      - name: openstack-cloud-controller-manager
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:{{ openstack_ccm_version }}
        args:
        - /bin/openstack-cloud-controller-manager
        - --v=2
        - --cluster-name={{ cluster_name }}
        - --cloud-config=$(CLOUD_CONFIG)
        - --cloud-provider=openstack
        env:
        - {name: CLOUD_CONFIG, value: /etc/config/cloud.conf}
        volumeMounts:
        - {name: cloud-config, mountPath: /etc/config, readOnly: true}
      volumes:
      - name: cloud-config
        secret: {secretName: cloud-config}
""",
}
SMALL_RELEASES = {"k3s by Terraform": "v1.31.3", "Talos and Flux": "v1.32.0", "Ansible role": "v1.30.2"}
