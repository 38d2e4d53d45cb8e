"""Each trap of installers' settings is found where it is, and not in the same settings written as they should be."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find
from ccmcheck.catalog import newest
from ccmcheck.catalog.data.ccm_chart import values_read
from ccmcheck.catalog.data.installer_traps import traps
from ccmcheck.rules.objects import installer_setting, unread_setting
from ccmcheck.rules.registry import ENTRIES
from ccmcheck.rules.views.manifest import Manifest

RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: x, namespace: kube-system}}
spec:
  chart: {{spec: {{chart: {chart}, version: {version}}}}}
  values: {values}
"""
SHOOT = """apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: x}
spec: {provider: {type: openstack, controlPlaneConfig: {loadBalancerProvider: amphora, %s}}}
"""
KOPS = """apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: x}
spec: {nodePortAccess: [10.0.0.0/8], cloudProvider: {openstack: {%s}}}
"""
K0S = """apiVersion: k0sctl.k0sproject.io/v1beta1
kind: Cluster
metadata: {name: x}
spec:
  hosts: [{role: controller}, {role: worker, installFlags: ["%s"]}]
  k0s: {config: {spec: {extensions: {helm: {charts: [{chartname: cpo/openstack-cloud-controller-manager}]}}}}}
"""
KOPS_IMAGES = """apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: x}
spec:
  nodePortAccess: [10.0.0.0/8]
  kubernetesVersion: 1.25.5
  cloudControllerManager: {image: "%s/openstack-cloud-controller-manager:v1.27.1"}
  cloudProvider: {openstack: {blockStorage: {csiPluginImage: "%s/cinder-csi-plugin:v1.27.1"}, loadbalancer: {%s}}}
"""
OLD = "docker.io/k8scloudprovider"
NEW = "registry.k8s.io/provider-os"
KUBEONE = """apiVersion: kubeone.k8c.io/v1beta2
kind: KubeOneCluster
versions: {kubernetes: %s}
cloudProvider: {openstack: {}, %s}
"""
SECRET = """apiVersion: v1
kind: Secret
metadata: {name: csi-manila-secrets, namespace: kube-system}
%s
"""
MAGNUM = """resource "openstack_containerinfra_clustertemplate_v1" "x" {
  labels = {
    %s
  }
}
"""
CAPO = """apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: x}
spec: {managedSecurityGroups: {allNodesSecurityGroupRules: [a]}, apiServerLoadBalancer: {enabled: true, %s}}
"""
AZIMUTH = """cloudCredentialsSecretName: x
apiServer: {loadBalancerProvider: ovn}
addons: {openstack: {cloudConfig: %s}}
"""
OPENSTACK_CLUSTER = RELEASE.replace("kube-system", "capi").format(
    chart="openstack-cluster", version="%s", values="{%s}"
)
TOPOLOGY = """apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: x}
spec: {topology: {variables: [{name: %s, value: octavia-ovn}]}}
"""
NODE_PORTS = "{allNodesSecurityGroupRules: [{portRangeMin: 30000, portRangeMax: 32767, remoteIPPrefix: %s}]}"
RULES = "{allNodesSecurityGroupRules: [a]}"
TRUE = (f"Groups: {RULES}", "Groups: true")
RANCHER = """apiVersion: provisioning.cattle.io/v1
kind: Cluster
metadata: {name: x}
spec: {kubernetesVersion: v1.33.1+rke2r1, rkeConfig: {machineGlobalConfig: {cloud-provider-name: %s}}}
"""
SEED = """apiVersion: kubermatic.k8c.io/v1
kind: Seed
metadata: {name: x}
spec: {datacenters: {a: {spec: {openstack: {loadBalancerProvider: %s}}}}}
"""
KKP = """apiVersion: kubermatic.k8c.io/v1
kind: Cluster
metadata: {name: x}
spec: {version: %s, cloud: {dc: a, openstack: {floatingIPPool: x, %s}}, features: {externalCloudProvider: true}}
"""
K0RDENT = """apiVersion: k0rdent.mirantis.com/v1beta1
kind: ClusterDeployment
metadata: {name: x}
spec: {template: openstack-%s, config: {%s}}
"""
UNIQUE = "ccmEnableUniqueClusterName: true"
TALOS = """machine: {install: {image: ghcr.io/siderolabs/installer:%s}}
cluster:
  externalCloudProvider:
    enabled: true
    manifests: [https://x/openstack-cloud-controller-manager-ds.yaml]
"""
MASTER = """apiVersion: v1
kind: MasterConfig
kubernetesMasterConfig:
  controllerArguments: {cloud-provider: [%s], cloud-config: [%s]}
"""
CERTIFICATES = (
    "{extraVolumes: [{name: ca-certs, hostPath: {path: /etc/ssl/certs}}], "
    "extraVolumeMounts: [{name: ca-certs, mountPath: /etc/ssl/certs, readOnly: true}]}"
)


def ccm(values: str, version: str = "2.34.2") -> str:
    return RELEASE.format(chart="openstack-cloud-controller-manager", version=version, values=values)


def csi(values: str, version: str = "2.34.2") -> str:
    return RELEASE.format(chart="openstack-cinder-csi", version=version, values=values)


BAD = [
    (ccm("{nodeSelector: {a: b}}"), "the chart adds its own"),
    (ccm("{image: {tag: v1.27.1}}", "2.27.2"), "this version of the chart writes `annotations` of the pod twice"),
    (
        ccm("{image: {tag: v1.27.1}}", "2.28.0-alpha.3"),
        "this version of the chart writes `annotations` of the pod twice",
    ),
    (
        ccm("{serviceMonitor: {enabled: true}}", "1.2.0"),
        "in this version of the chart the Service of the ServiceMonitor",
    ),
    ("openstack-cloud-controller-manager:\n  nodeSelector: {a: b}\n", "the chart adds its own"),
    (ccm("{controllerExtraArgs: [--v=2]}"), "the chart wants a text here"),
    (ccm("{controllerExtraArgs: {v: 2}}"), "the chart wants a text here"),
    (
        ccm("{secret: {create: false}, cloudConfig: {global: {auth-url: https://k/v3}}}"),
        "the chart makes no Secret here",
    ),
    (
        ccm("{cloudConfigContents: '[Global]', cloudConfig: {global: {auth-url: https://k/v3}}}"),
        "`cloudConfigContents` wins",
    ),
    (ccm("{serviceMonitor: {enabled: true}}", "2.34.1"), "this version of the chart gives the right"),
    (ccm("{enabledControllers: [cloud-node, route]}"), "the controller `service` is not in this list"),
    (csi("{secret: {create: true, name: x, data: {cloud.conf: '[Global]'}}}"), "without `secret.enabled: true`"),
    (csi("{secret: {name: cloud-config}}"), "without `secret.enabled: true`"),
    (
        csi("{csi: {plugin: {volumeMounts: [{name: cacert, mountPath: /etc/cacert}]}}}"),
        "this list replaces the chart's own",
    ),
    (
        csi("{csi: {plugin: {volumeMounts: [{name: cloud-config, mountPath: /etc/kubernetes}]}}}"),
        "the driver of chart 2.33.0 and newer reads",
    ),
    (csi("{csi: {provisioner: {topology: 'false'}}}"), "`topology` is for the provisioner alone"),
    (csi("{csi: {plugin: {extraArgs: {with-topology: 'false'}}}}"), "the chart wants a text here"),
    (csi("{csi: {plugin: {nodePlugin: {extraArgs: [--x]}}}}"), "the chart wants a text here"),
    (csi("{secret: {enabled: true, data: {cloud-config: '[Global]'}}}"), "chart 2.2.0 and newer read the key"),
    (csi("{secret: {enabled: true, name: a}}", "1.2.0"), "this version of the chart mounts no Secret"),
    ("openstack-cinder-csi:\n  csi: {provisioner: {topology: 'false'}}\n", "`topology` is for the provisioner alone"),
    (
        csi("{secret: {enabled: true, create: true, data: {cloud.conf: '[Global]'}}}", "1.3.7"),
        "this version of the chart reads",
    ),
    (SECRET % "stringData: {clouds.yaml: 'clouds: {}'}", "the Manila CSI driver reads neither"),
    (SECRET % "data: {os-region: UmVnaW9uT25lCg==, os-password: c2VjcmV0}", "the value ends with a newline"),
    (SECRET % "data: {os-userName: YWIK}", "the value ends with a newline"),
    (SECRET % "data: {os-password: YWJjCg==}", "the value ends with a newline"),
    (SECRET % "data: {os-password: YWJjZAo=}", "the value ends with a newline"),
    ("external_cloud_provider: openstack\ncloud_provider: openstack\n", "Kubespray 2.27 and newer refuse"),
    ("cloud_provider: external\nexternal_openstack_region: R\n", "Kubespray installs no CCM unless"),
    ("external_cloud_provider: openstack\n", "Kubespray ignores `external_cloud_provider`"),
    ("external_openstack_application_credential_id: x\n", "Kubespray refuses an application credential"),
    ("kube_version: v1.24.6\nexternal_openstack_lbaas_provider: amphora\n", "Kubespray 2.16 to 2.21 write"),
    ("external_openstack_network_internal_networks: net\n", "this is a list"),
    ("external_openstack_network_public_networks: net\n", "this is a list"),
    ("external_openstack_lbaas_flavor_id: x\n", "Kubespray has no variable for this key"),
    ("external_openstack_user_domain_name: x\n", "Kubespray has no variable for this key"),
    ("external_openstack_lbaas_member_subnet_id: x\n", "Kubespray writes `member-subnet-id` only"),
    ("external_cloud_provider: openstack\nopenstack_lbaas_subnet_id: x\n", "this variable was for the provider"),
    ("external_openstack_cacert: x\ncinder_csi_enabled: true\n", "Kubespray's Cinder CSI driver does not get"),
    ("external_openstack_username: x\ncinder_csi_enabled: true\n", "Kubespray's Cinder CSI driver does not log in"),
    ("external_openstack_metadata_search_order: x\ncinder_csi_enabled: true\n", "this order is for the CCM alone"),
    ("external_openstack_region: R\nexternal_openstack_cloud_controller_extra_args: {v: 2}\n", "Kubespray puts `--`"),
    ("external_openstack_region: R\ncinder_csi_plugin_extra_args: {with-topology: false}\n", "Kubespray puts `--`"),
    ("external_openstack_cloud_controller_extra_args: {--v: '2'}\n", "Kubespray writes `--` in front"),
    ("external_openstack_cacert: ca.pem\n", "Kubespray 2.17 and newer read this file"),
    ("kube_version: v1.28.6\nexternal_openstack_auth_url: https://k.example.com/v3\n", "Kubespray 2.24 gives the CCM"),
    ("external_openstack_cloud_controller_image_tag: latest\n", "registry.k8s.io, which Kubespray"),
    (
        "kube_version: 1.26.5\nexternal_openstack_cloud_controller_image_tag: v1.27.1\n",
        "Kubespray 2.24 and older pull this",
    ),
    ("external_openstack_region: R\ncinder_csi_plugin_version: v1.31.2\n", "Kubespray 2.28 and newer put a `v`"),
    ("kube_version: v1.21.5\nexternal_openstack_username: u\n", "Kubespray 2.17.0 writes neither"),
    ("kube_version: v1.22.5\nexternal_openstack_auth_url: https://k/v3\n", "Kubespray 2.22 and older mount only"),
    (
        "kube_version: v1.24.6\nexternal_openstack_region: R\ncinder_csi_enabled: true\n",
        "Kubespray 2.20 and older want",
    ),
    ("external_openstack_region: R\ncinder_tolerations: [{operator: Exists}]\n", "Kubespray 2.25 and newer write this"),
    (
        "external_openstack_region: R\ncinder_csi_enabled: true\nstorage_classes: [{name: a, reclaim_policy: Retain}]\n",
        "Kubespray's StorageClass for the Cinder CSI driver",
    ),
    (
        "external_openstack_region: R\ncinder_csi_enabled: true\npersistent_volumes_enabled: true\n",
        "Kubespray's own StorageClass asks",
    ),
    ("external_openstack_region: R\ncinder_topology: true\n", "with `cinder_topology` Kubespray wants"),
    ("external_openstack_network_internal_networks: ['']\n", "an empty name is a name"),
    ("cloud_provider: {name: openstack}\nkubernetes_version: v1.28.7-rancher1-1\n", "RKE gives this to the kubelet"),
    (
        "external_openstack_lbaas_provider: ovn\n",
        "without `external_openstack_lbaas_method` the CCM asks ovn for ROUND_ROBIN",
    ),
    ("kube_version: v1.19.7\nexternal_openstack_lbaas_provider: ovn\n", "Kubespray 2.15 writes `use-octavia=False`"),
    (
        "cluster_name: cluster.local\ncloud_provider: external\nexternal_cloud_provider: openstack\n",
        "load balancers are called after this name",
    ),
    (
        "external_openstack_region: R\ncloud_provider: openstack\nopenstack_lbaas_enabled: true\n",
        "Kubespray writes [LoadBalancer] for the provider",
    ),
    (
        "cluster_name: a\ncloud_provider: external\nexternal_cloud_provider: openstack\nopenstack_lbaas_enabled: false\n",
        "Kubespray reads this for the provider inside Kubernetes alone",
    ),
    ("kube_version: 1.33.5\nexternal_openstack_region: R\ncinder_csi_enabled: true\n", "Kubespray 2.29 and 2.30 write"),
    (
        "kube_version: v1.26.5\ncluster_name: a\nexternal_openstack_region: R\ncinder_csi_enabled: true\n",
        "Kubespray 2.23 and older give",
    ),
    ("cacert: x\nclouds: {a: {auth: {auth_url: https://k/v3}}}\n", "SCS' openstack-csp-helper before 0.8.0"),
    ("octavia_ovn: true\nclouds: {a: {auth: {auth_url: https://k/v3}}}\n", "SCS' openstack-csp-helper before 0.9.0"),
    (
        "octavia_ovn: false\nclouds: {a: {auth: {auth_url: https://k/v3, password: 'canary#7f3a9b'}}}\n",
        "SCS' openstack-csp-helper writes this",
    ),
    (K0S % "--data-dir=/k0s", "k0s starts kubelets without"),
    (KOPS % "loadbalancer: {floatingSubnet: x}", "this subnet is for the floating IPs"),
    (KOPS % "blockStorage: {override-volume-az: nova}", "this zone is for the volumes of etcd"),
    (KOPS % "insecureSkipVerify: true", "this is for kOps alone"),
    (KOPS % "loadbalancer: {subnetID: x}", "kOps reads `subnetID` nowhere"),
    (KOPS % "loadbalancer: {flavorID: x}", "this flavor is for the API server's"),
    ((KOPS % "loadbalancer: {useOctavia: true}").replace("nodePortAccess", "other"), "kOps opens no NodePorts"),
    (CAPO % "provider: ovn, allowedCIDRs: [192.0.2.0/24]", "ignored: ovn has no access lists"),
    (KOPS_IMAGES % (OLD, NEW, "useOctavia: true"), "docker.io/k8scloudprovider has no image"),
    (KOPS_IMAGES % (NEW, OLD, "useOctavia: true"), "docker.io/k8scloudprovider has no image"),
    (KOPS_IMAGES % (NEW, NEW, "provider: amphora"), "kOps writes `use-octavia=false`"),
    (TOPOLOGY % "workload_loadbalancer", "this variable of SCS' cluster stacks has no"),
    (MAGNUM % 'cloud_provider_tag = "v1.22.1"', "Magnum's Heat driver before 13.0.0"),
    (MAGNUM % 'cinder_csi_plugin_tag = "v1.29.0"', "Magnum's Heat driver before 18.0.0"),
    (MAGNUM % 'cinder_csi_plugin_tag = "v1.23.4"', "with Magnum's Heat driver before 17.0.0"),
    (MAGNUM % 'octavia_lb_healthcheck = "true"', "magnum-cluster-api before 0.24.0"),
    (MAGNUM % 'octavia_provider = "ovn"', "magnum-cluster-api before 0.30.0"),
    (MAGNUM % 'cinder_csi_enabled = "false"', "magnum-cluster-api 0.30.0 to 0.36"),
    (MAGNUM % 'csi_cinder_volume_binding_mode = "Immediate"', "magnum-capi-helm before 1.4.0"),
    (MAGNUM % 'capi_helm_chart_version = "0.16.0"', "magnum-capi-helm's StorageClasses"),
    (MAGNUM % 'auto_scaling_enabled = "True"', "magnum-capi-helm before 1.0.0"),
    (AZIMUTH % "'[LoadBalancer]'", "the chart wants a mapping of sections"),
    (AZIMUTH % "{Networking: {public-network-name: [a, b]}}", "the chart writes a list as Go"),
    (
        OPENSTACK_CLUSTER % ("0.12.2", "clouds: {openstack: {auth: {application_credential_id: x}}}"),
        "this version of the chart wants `project_id`",
    ),
    (OPENSTACK_CLUSTER % ("0.14.1", "kubernetesVersion: 1.33.2"), "this version of the chart starts kube-apiserver"),
    (
        OPENSTACK_CLUSTER % ("0.14.1", "clusterNetworking: {dnsNameservers: [192.0.2.1]}"),
        "this version of the chart does not write",
    ),
    (
        AZIMUTH.replace("cloudConfig", "csiCinder: {defaultStorageClass: {name: a}}, cloudConfig") % "{}",
        "the chart's StorageClass asks",
    ),
    ((CAPO % "provider: ovn").replace(RULES, NODE_PORTS % "10.6.0.0/24"), "Cluster API opens these ports"),
    (SHOOT % "loadBalancerClasses: [{name: dmz, floatingSubnetID: x}]", "without a class that is `default`"),
    (SHOOT % "loadBalancerClasses: [{name: default, floatingNetworkID: x}]", "Gardener writes the Shoot's own"),
    (SHOOT % "zone: a", "Gardener's extension for OpenStack reads"),
    (KUBEONE % ("1.31.2", "cloudConfig: x"), "KubeOne wants `external: true`"),
    (KUBEONE % ("1.31.2", "external: true"), "KubeOne wants `cloudConfig`"),
    (KUBEONE % ("1.22.5", "external: true, cloudConfig: x"), "KubeOne before 1.5.0 mounts only"),
    (KUBEONE % ("1.26.9", "external: true, cloudConfig: x"), "KubeOne 1.7.0 and 1.7.1 change"),
    ("applications:\n  k8s: {charm: k8s, options: {load-balancer-enabled: true}}\n", "this turns on Canonical"),
    (
        "applications:\n  a: {charm: 'ch:openstack-integrator'}\n  k8s: {options: {load-balancer-enabled: true}}\n",
        "this turns on Canonical",
    ),
    ("applications:\n  a: {charm: openstack-integrator, options: {lb-floating-network: x}}\n", "this network is for"),
    ("applications:\n  a: {charm: openstack-integrator, options: {lb-subnet: x}}\n", "this subnet is for"),
    (
        "machine: {}\ncluster:\n  externalCloudProvider: {manifests: [https://x/ds.yaml]}\n",
        "without `enabled: true` Talos",
    ),
    (
        (
            "machine: {}\ncluster:\n  inlineManifests:\n  - name: ccm\n    contents: |\n"
            "      image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.34.1\n"
        ),
        "Talos starts kubelets without",
    ),
    (ccm("{cloudConfig: {global: {region: R}}}", "1.0.2"), "this version of the chart mounts the host's /usr"),
    (ccm("{cloudConfig: {global: {region: R}}}", "1.3.0"), "this version of the chart mounts the host's /etc/ssl"),
    (ccm("{cloudConfig: {global: {region: R}}}", "2.24.0"), "this version of the chart mounts the host's /etc/ssl"),
    (ccm(CERTIFICATES, "1.3.0"), "the host's /etc/ssl/certs hides"),
    (MASTER % ("openstack", "/etc/cloud.conf"), "from OpenShift 3.10 on"),
    (ccm("{extraVolumes: [{name: ca, secret: {secretName: ca}}]}"), "this list replaces the chart's own volumes"),
    (
        ccm("{nodeSelector: {node-role.kubernetes.io/control-plane: true}}"),
        "Kubernetes wants a text here, and this is none",
    ),
    (ccm("{extraEnv: [{name: OS_CCM_REGIONAL, value: true}]}"), "Kubernetes wants a text here, and this is none"),
    (ccm("{tolerations: [{key: a, value: true}]}"), "Kubernetes wants a text here, and this is none"),
    (
        ccm("{nodeSelector: {node-role: {kubernetes: {io/control-plane: ''}}}}"),
        "Kubernetes wants a text here, and this is a",
    ),
    (csi("{csi: {plugin: {nodePlugin: {nodeSelector: {a: 1}}}}}"), "Kubernetes wants a text here, and this is none"),
    (ccm("{livenessProbe: {httpGet: {path: /metrics, port: 10258}}}"), "the kubelet asks this port of the node's"),
    (ccm("{livenessProbe: {httpGet: {path: /metrics, port: 10258}}}"), "port 10258 answers to HTTPS alone"),
    (ccm("{readinessProbe: {httpGet: {path: /metrics, port: 10258}}}"), "/metrics needs a token"),
    (ccm("{extraVolumes: []}"), "this list replaces the chart's own volumes"),
    (ccm("{extraVolumeMounts: [{name: ca, mountPath: /etc/ca}]}"), "no volume of the chart has this name"),
    (CAPO % "provider: ovn}, externalNetworkId: {a: b", "v1beta1 and newer have no field"),
    ((CAPO % "provider: ovn").replace(*TRUE), "v1beta1 and newer want an object"),
    ((CAPO % "provider: ovn").replace("v1beta1", "v1beta2"), "v1beta2 has no field of this name"),
    (
        (CAPO % "provider: ovn").replace("v1beta1", "v1beta2").replace("apiServerLoadBalancer", "apiServer"),
        "v1beta2 calls this `clusterNodes",
    ),
    ((CAPO % "provider: ovn").replace(RULES, "{}"), "these groups have no rule for"),
    (MAGNUM % 'octavia_provider = "ovn"\n    cloud_provider_enabled = "false"', "Magnum's Heat driver runs no CCM"),
    (MAGNUM % 'octavia_lb_provider = "ovn"', "none of Magnum's drivers reads"),
    (MAGNUM % 'cloud_provider_tag = "v1.29.0"', "Magnum's Heat driver before 18.0.0"),
    ("cloud-provider-name: openstack\n", "RKE2 gives this to the kubelet"),
    (RANCHER % "openstack", "RKE2 gives this to the kubelet"),
    ("tls-san: [a]\ncloud-provider-name: external\n", "RKE2 1.36 and newer no longer"),
    ("cloud-provider-config: /etc/cloud.conf\n", "RKE2 does not start"),
    ("cloud-provider-name: external\nnode-external-ip: 192.0.2.1\n", "RKE2 refuses this"),
    (AZIMUTH % "{LoadBalancer: {lb-provider: ovn}, Global: {region: R}}", "the chart leaves [Global] out"),
    (AZIMUTH % "{}", "this provider is for the API server alone: Services"),
    (
        (AZIMUTH % "{LoadBalancer: {lb-provider: ovn}}")
        .replace("addons: {openstack: {", "openstack: {")
        .replace("}}}}", "}}}"),
        "the chart openstack-cluster reads",
    ),
    (CAPO % "subnets: [{id: 1f}]", "these subnets are ignored"),
    (CAPO % "network: {id: 2e}, subnets: [{filter: {name: a}}]", "Cluster API finds no subnet by a filter"),
    (CAPO % "network: {id: 2e}", "Cluster API Provider OpenStack before v0.10.8"),
    (CAPO % "network: {id: 2e}, provider: ovn", "for ovn and another network"),
    (
        (CAPO % "provider: ovn").replace("v1beta1", "v1alpha5").replace(*TRUE),
        "Cluster API Provider OpenStack 0.6 and older",
    ),
    ((CAPO % "provider: ovn").replace("{name: x}", "{name: x, deletionTimestamp: now}"), "is being deleted"),
    (MAGNUM % 'octavia_provider = "ovn"', "Magnum's Heat driver writes"),
    (MAGNUM % 'octavia_provider = "ovn"\n    octavia_lb_algorithm = "ROUND_ROBIN"', "Octavia's driver ovn knows"),
    (MAGNUM % 'cinder_csi_enabled = "true"\n    cloud_provider_enabled = "false"', "Magnum's Heat driver runs"),
    (SHOOT.replace("amphora", "ovn") % "a: b", "with ovn `loadBalancerSourceRanges`"),
    (
        (SHOOT.replace("amphora", "ovn") % "a: b").replace("{provider", "{kubernetes: {version: 1.24.8}, provider"),
        "the extension for Shoots of this version",
    ),
    (
        KUBEONE % ("1.31.2", "external: true, cloudConfig: x") + "addons: {addons: [{name: default-storage-class}]}\n",
        "the StorageClass `cinder-csi`",
    ),
    (SEED % "ovn", "KKP writes `lb-method"),
    (SEED % "ovn, loadBalancerMethod: ROUND_ROBIN", "Octavia's driver ovn knows"),
    (KKP % ("1.32.2", "projectID: a") + "status: {phase: Running}\n", "KKP starts the CCM of this cluster"),
    (KKP % ("1.27.11", "projectID: a"), "KKP before 2.26 writes no"),
    (KKP % ("1.30.5", "projectID: a"), "KKP 2.26.0 may write the default external"),
    ((KKP % ("1.23.9", "projectID: a")).replace("floatingIPPool: x, ", ""), "KKP before 2.20.7, and 2.21.0, starts"),
    (KKP % ("1.19.9", "nodePortsAllowedIPRange: 10.0.0.0/8"), "KKP before 2.19 opens"),
    (K0RDENT % ("standalone-cp-1-0-46", "ccmRegional: true"), "the CCM of this cluster gets no name"),
    (K0RDENT % ("hosted-cp-1-0-20", UNIQUE), "without an ingress this template"),
    (K0RDENT % ("hosted-cp-1-0-19", UNIQUE + ", ingress: {apiHost: a}"), "this template gives the CCM a"),
    (K0RDENT % ("standalone-cp-1-0-2", "identityRef: {caCert: {secretName: a}}"), "this template does not mount"),
    (K0RDENT % ("standalone-cp-1-0-13", UNIQUE), "this template makes no default"),
    (K0RDENT % ("hosted-cp-1-0-10", UNIQUE + ", managedSecurityGroups: {}"), "this template leaves an empty"),
    (TALOS % "v1.2.9", "Talos before 1.3 takes"),
]
GOOD = [
    SHOOT % "a: b",
    (SHOOT % "a: b").replace("{provider", "{kubernetes: {version: 1.24.8}, provider"),
    KUBEONE % ("1.31.2", "external: true, cloudConfig: x") + "addons: {addons: [{name: unattended-upgrades}]}\n",
    "external_openstack_lbaas_provider: ovn\nexternal_openstack_lbaas_method: SOURCE_IP_PORT\n",
    "cloud_provider: {name: openstack}\nkubernetes_version: v1.25.16-rancher2-3\n",
    "cloud_provider: {name: external}\nkubernetes_version: v1.28.7-rancher1-1\n",
    "cloud_provider: {name: openstack}\nkubernetes_version: ${version}\n",
    SEED % "amphora",
    SEED % "ovn, loadBalancerMethod: SOURCE_IP_PORT",
    KKP % ("1.32.2", "nodePortsAllowedIPRange: 10.0.0.0/8"),
    (KKP % ("1.30.5", "a: b")).replace("floatingIPPool: x, ", ""),
    (KKP % ("1.23.9", "a: b")).replace("true", "false").replace("floatingIPPool: x, ", ""),
    (KKP % ("1.32.2", "a: b")).replace("{ext", "{ccmClusterName: true, ext") + "status: {phase: Running}\n",
    (KKP % ("1.19.9", "a: b")).replace("openstack", "aws"),
    K0RDENT % ("standalone-cp-1-0-46", f"{UNIQUE}, managedSecurityGroups: {{}}, identityRef: {{caCert: {{a: b}}}}"),
    K0RDENT % ("standalone-cp-1-0-14", UNIQUE),
    K0RDENT % ("hosted-cp-1-0-21", UNIQUE),
    K0RDENT % ("hosted-cp-1-0-20", UNIQUE + ", ingress: {apiHost: a}"),
    (K0RDENT % ("standalone-cp-1-0-2", "a: b")).replace("openstack", "aws"),
    TALOS % "v1.3.0",
    (TALOS % "v1.2.9").replace("openstack", "aws"),
    ccm("{image: {tag: v1.27.1}}", "2.27.4"),
    ccm("{image: {tag: v1.26.4}}", "2.26.5"),
    ccm("{serviceMonitor: {enabled: true}}", "1.3.0"),
    "external_openstack_cacert: /etc/ca\ncinder_csi_enabled: true\ncinder_cacert: x\n",
    "external_openstack_cacert: /etc/ca\ncinder_csi_enabled: false\n",
    "external_openstack_username: x\ncinder_csi_enabled: true\ncinder_username: '{{ external_openstack_username }}'\n",
    "external_openstack_username: x\nexternal_openstack_metadata_search_order: x\n",
    (
        "external_openstack_lbaas_subnet_id: '{{ openstack_lbaas_subnet_id }}'\nopenstack_lbaas_subnet_id: x\n"
        "cloud_provider: external\nexternal_cloud_provider: openstack\n"
    ),
    "external_openstack_cloud_controller_extra_args: {v: '2'}\ncinder_csi_plugin_extra_args: {with-topology: 'false'}\n",
    "external_openstack_cacert: /etc/ssl/certs/own.pem\n",
    "external_openstack_cacert: '{{ inventory_dir }}/ca.pem'\n",
    "kube_version: v1.33.2\nexternal_openstack_auth_url: https://k.example.com/v3\nexternal_openstack_username: u\n",
    "kube_version: v1.28.2\nexternal_openstack_auth_url: https://192.0.2.7:5000/v3\n",
    (
        "kube_version: v1.28.2\nexternal_openstack_cloud_controller_dns_policy: Default\n"
        "external_openstack_auth_url: https://k.example.com/v3\nexternal_openstack_cloud_controller_image_repo: r.io/ccm\n"
        "external_openstack_cloud_controller_image_tag: v1.28.2\n"
    ),
    "kube_version: 1.33.2\nexternal_openstack_cloud_controller_image_tag: v1.32.0\ncinder_csi_plugin_version: 1.32.0\n",
    (
        "external_openstack_region: R\ncinder_csi_enabled: true\npersistent_volumes_enabled: true\ncinder_topology: true\n"
        "cinder_topology_zones: [a]\nstorage_classes: [{name: a, is_default: true, parameters: {availability: a}}]\n"
    ),
    "external_openstack_region: R\nstorage_classes: [{name: a, reclaim_policy: Retain}]\ncinder_tolerations: []\n",
    "cluster_name: shop.local\ncloud_provider: external\nexternal_cloud_provider: openstack\n",
    (
        "cluster_name: a\ncloud_provider: external\nexternal_cloud_provider: openstack\nopenstack_lbaas_enabled: false\n"
        "external_openstack_lbaas_enabled: false\n"
    ),
    (
        "external_openstack_region: R\ncloud_provider: openstack\nkube_version: v1.18.8\nopenstack_lbaas_enabled: true\n"
        "openstack_lbaas_subnet_id: x\n"
    ),
    "kube_version: 1.36.1\ncluster_name: a\nexternal_openstack_region: R\ncinder_csi_enabled: true\n",
    "clouds: {a: {auth: {auth_url: https://k/v3, password: 'a#b'}, cacert: /ca.pem}}\n",
    "octavia_ovn: false\nclouds: {a: {auth: {auth_url: https://k/v3, application_credential_secret: x7Yz_-}}}\n",
    K0S % "--enable-cloud-provider",
    K0S % "--enable-cloud-provider=true",
    (K0S % "--data-dir=/k0s").replace("openstack-", "aws-"),
    ccm("{cloudConfig: {global: {region: R}}}", "1.4.0"),
    ccm("{cloudConfig: {global: {region: R}}}", "2.25.0"),
    ccm("{cloudConfig: {global: {ca-file: /etc/config/ca}}}", "1.3.0"),
    ccm("{nodeSelector: {node-role.kubernetes.io/control-plane: 'true'}, podLabels: {}, commonAnnotations: {a: b}}"),
    ccm("{nodeSelector: {node-role.kubernetes.io/control-plane: ''}, extraEnv: [{name: A, value: \"1\"}]}"),
    csi("{csi: {plugin: {nodePlugin: {nodeSelector: {a: '1'}}}}}"),
    ccm(
        "{livenessProbe: {httpGet: {path: /healthz, port: 10258, scheme: HTTPS, host: 127.0.0.1}}, readinessProbe: {}}"
    ),
    ccm("{livenessProbe: {httpGet: {path: /healthz, port: 10258, scheme: HTTPS}}, serviceMonitor: {enabled: true}}"),
    ccm("{extraVolumes: [], extraVolumeMounts: [{name: a, mountPath: /a}], cloudConfig: {global: {a: b}}}", "1.3.0"),
    ccm(CERTIFICATES),
    MASTER % ("openstack", "/etc/origin/cloudprovider/openstack.conf"),
    MASTER % ("aws", "/etc/cloud.conf"),
    csi("{secret: {enabled: true, name: a}}", "1.2.11"),
    CAPO % "allowedCIDRs: [192.0.2.0/24]",
    SECRET % "stringData: {os-authURL: https://k/v3, clouds.yaml: x}",
    SECRET % "data: {os-region: UmVnaW9uT25l, os-password: c2VjcmV0, os-certAuthority: YWJjCg==}",
    (SECRET % "stringData: {clouds.yaml: 'clouds: {}'}").replace("csi-manila-secrets", "cloud-config"),
    ccm("{cloudConfigContents: '[Global]'}"),
    ccm("{controllerExtraArgs: {}, secret: {create: false}, cloudConfig: {global: {}, loadBalancer: {}}}"),
    csi("{csi: {plugin: {volumeMounts: [{name: a, mountPath: /etc/kubernetes}, {name: a, mountPath: /etc/config}]}}}"),
    KOPS_IMAGES % (NEW, NEW, "useOctavia: true"),
    KOPS_IMAGES.replace("1.25.5", "1.26.5") % (NEW, NEW, "provider: amphora"),
    TOPOLOGY % "apiserver_loadbalancer",
    MAGNUM % 'cinder_csi_plugin_tag = "v1.29.0"\n    container_infra_prefix = "registry.example.com/x/"',
    MAGNUM % 'cloud_provider_tag = "v1.20.2"\n    auto_scaling_enabled = "true"',
    MAGNUM % 'capi_helm_chart_version = "0.16.0"\n    csi_cinder_availability_zone = "az1"',
    AZIMUTH % "{LoadBalancer: {lb-provider: ovn}, Networking: {public-network-name: a}}",
    OPENSTACK_CLUSTER
    % (
        "0.14.1",
        (
            "kubernetesVersion: 1.33.2, controlPlane: {kubeadmConfigSpec: {clusterConfiguration: {apiServer: "
            "{extraArgs: {cloud-provider: null}}}}}"
        ),
    ),
    OPENSTACK_CLUSTER % ("0.13.0", "clouds: {openstack: {auth: {application_credential_id: x}}}"),
    OPENSTACK_CLUSTER % ("0.12.0", "clouds: {openstack: {auth: {application_credential_id: x, project_id: y}}}"),
    OPENSTACK_CLUSTER % ("0.16.0", "kubernetesVersion: 1.33.2, clusterNetworking: {dnsNameservers: [192.0.2.1]}"),
    OPENSTACK_CLUSTER % ("0.10.0", "kubernetesVersion: 1.30.2, clusterNetworking: {dnsNameservers: [192.0.2.1]}"),
    (CAPO % "provider: ovn").replace(RULES, NODE_PORTS % "0.0.0.0/0"),
    CAPO % "provider: ovn}, network: {id: 2e}, x: {y: z",
    KUBEONE.replace("v1beta2", "v1beta3") % ("1.31.2", "cloudConfig: x"),
    ccm("{nodeSelector: {a: b, node-role.kubernetes.io/control-plane: null}}"),
    ccm("{nodeSelector: {a: b}}", "2.28.5"),
    ccm("{controllerExtraArgs: '- --v=2'}"),
    ccm("{secret: {create: false, name: x}}"),
    ccm("{cloudConfig: {global: {auth-url: https://k/v3}}}"),
    ccm("{serviceMonitor: {enabled: true}}"),
    ccm("{serviceMonitor: {enabled: true}}", "2.x"),
    ccm("{enabledControllers: [service, cloud-node]}"),
    csi("{secret: {enabled: true, create: true, name: x, data: {cloud.conf: '[Global]'}}}"),
    csi("{secret: {enabled: true, create: true, name: x, data: {cloud-config: '[Global]'}}}", "1.3.7"),
    csi("{secret: {enabled: true, name: cloud-config}}"),
    csi("{csi: {plugin: {volumeMounts: [{name: cloud-config, mountPath: /etc/config}]}}}"),
    csi("{csi: {plugin: {volumeMounts: [{name: cloud-config, mountPath: /etc/kubernetes}]}}}", "2.32.0"),
    csi("{csi: {provisioner: {topology: 'false'}, plugin: {extraArgs: '- --with-topology=false'}}}"),
    csi("{secret: {enabled: true, data: {cloud-config: x}, filename: cloud-config}}"),
    "cloud_provider: external\nexternal_cloud_provider: openstack\n",
    "cloud_provider: openstack\n",
    "cloud_provider: external\n{% if x %}\nexternal_cloud_provider: openstack\n{% endif %}\n",
    "external_openstack_application_credential_id: x\nexternal_openstack_application_credential_name: y\n",
    (
        "kube_version: v1.24.6\nexternal_openstack_lbaas_provider: ovn\n"
        "external_openstack_lbaas_method: SOURCE_IP_PORT\nexternal_openstack_lbaas_use_octavia: true\n"
    ),
    "kube_version: 1.31.2\nexternal_openstack_lbaas_provider: ovn\nexternal_openstack_lbaas_method: SOURCE_IP_PORT\n",
    "external_openstack_network_internal_networks: [net]\nexternal_openstack_network_public_networks: []\n",
    "external_openstack_network_internal_networks: '{{ networks }}'\n",
    "external_openstack_lbaas_subnet_id: x\nexternal_openstack_lbaas_member_subnet_id: y\n",
    KOPS % "loadbalancer: {useOctavia: true}, insecureSkipVerify: false",
    SHOOT % "loadBalancerClasses: [{name: a, purpose: default, floatingSubnetID: x}, {name: b, floatingSubnetID: y}]",
    KUBEONE % ("1.31.2", "external: true, cloudConfig: x"),
    KUBEONE % ("1.22.5", "external: true, cloudConfig: x") + "caBundle: x\n",
    KUBEONE % ("1.24.1", "cloudConfig: x"),
    "applications:\n  k8s: {charm: k8s, options: {load-balancer-enabled: false}}\n",
    "applications:\n  a: {charm: openstack-integrator, options: {lb-subnet: x, subnet-id: x}}\n",
    "machine: {}\ncluster:\n  externalCloudProvider: {enabled: true, manifests: [https://x/ds.yaml]}\n",
    CAPO % "provider: ovn",
    AZIMUTH % "{LoadBalancer: {lb-provider: ovn}}",
    (CAPO % "provider: ovn").replace(RULES, "{allowAllInClusterTraffic: true}"),
    (CAPO % "provider: ovn").replace("v1beta1", "v1alpha7").replace(*TRUE),
    ((CAPO % "provider: ovn").replace("v1beta1", "v1beta2").replace("apiServerLoadBalancer", "apiServer")).replace(
        "allNodes", "clusterNodes"
    ),
    ccm("{extraVolumes: [], extraVolumeMounts: []}"),
    ccm("{extraVolumes: [{name: ca}], extraVolumeMounts: [{name: ca, mountPath: /etc/ca}]}"),
    ccm("{extraVolumeMounts: [{name: k8s-certs, mountPath: /etc/kubernetes/pki}]}"),
    ccm("{extraVolumeMounts: []}"),
    MAGNUM % 'octavia_provider = "amphora"\n    cloud_provider_enabled = "true"\n    octavia_lb_healthcheck = "false"',
    MAGNUM % 'cloud_provider_tag = "v1.26.4"',
    MAGNUM % 'cloud_provider_tag = "v1.29.0"\n    container_infra_prefix = "registry.example.com/x/"',
    RANCHER % "external",
    (RANCHER % "openstack").replace("v1.33.1", "v1.25.9"),
    "tls-san: [a]\ncloud-provider-name: external\ndisable-cloud-controller: true\n",
    "cloud-provider-name: external\nserver: https://x:9345\n",
    "cloud-provider-name: external\ncloud-provider-config: /etc/cloud.conf\n",
    (CAPO % "network: {id: 2e}, subnets: [{id: 1f}]").replace("enabled: true", "enabled: false"),
    (CAPO % "provider: ovn").replace("v1beta1", "v1alpha6").replace(*TRUE),
    MAGNUM % 'octavia_provider = "ovn"\n    octavia_lb_algorithm = "SOURCE_IP_PORT"',
    MAGNUM % 'octavia_provider = "amphora"',
    MAGNUM % "octavia_provider = var.provider",
    # another cloud's zone
    *((SHOOT % "zone: a").replace("openstack", cloud) for cloud in ("aws", "gcp")),
    # OpenShift's operator, and a Secret for people
    (SECRET % "stringData: {clouds.yaml: 'clouds: {}'}").replace("kube-system", "openshift-manila-csi-driver"),
    (SECRET % "stringData: {clouds.yaml: 'clouds: {}'}").replace("csi-manila-secrets", "manila-cloud-credentials"),
    # what other values say is unknown
    csi("{secret: {create: true, name: x, data: {cloud.conf: '[Global]'}}}")
    + "  valuesFrom: [{kind: Secret, name: v}]\n",
    ccm("{secret: {create: false}, cloudConfig: {global: {auth-url: https://k/v3}}}")
    + "  valuesFrom: [{kind: ConfigMap, name: v}]\n",
]


def said(text: str) -> list[str]:
    contents = find("main.tf" if text.startswith("resource") else "x.yaml", text)
    manifests = [Manifest(one, newest(), contents.run_context, contents) for one in contents.objects]
    return [
        problem.label
        for one in manifests
        for name, module in (("installer-setting", installer_setting), ("unread-setting", unread_setting))
        if one.kind in ENTRIES[name].kinds
        for problem in module.check(one)
    ]


@pytest.mark.parametrize(("text", "label"), BAD)
def test_a_trap_is_found(text: str, label: str) -> None:
    assert [one for one in said(text) if one.startswith(label)]


@pytest.mark.parametrize("text", GOOD)
def test_right_settings_are_left_alone(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("label", "with_it", "without_it"),
    [
        ("Kubespray 2.24 gives the CCM", "v2.24.3", "v2.25.0"),
        ("Kubespray 2.24 and older pull", "release-2.22", "release-2.25"),
        ("Kubespray 2.17.0 writes neither", "v2.17.0", "v2.17.1"),
        ("Kubespray 2.22 and older mount only", "v2.9.0", "v2.23.0"),
        ("Kubespray 2.20 and older want", "2.20.0", "2.21.0"),
        ("Kubespray 2.15 writes", "v2.15.1", "v2.16.0"),
        ("Kubespray 2.29 and 2.30 write", "v2.30.0", "v2.31.0"),
        ("Kubespray 2.23 and older give", "v2.23.3", "v2.24.0"),
        ("Kubespray 2.28 and newer put a `v`", "v2.28.0", "v2.27.1"),
        ("Kubespray 2.25 and newer write this", "v2.31.0", "v2.24.3"),
        ("registry.k8s.io, which Kubespray", "v2.25.0", "v2.24.3"),
        ("Kubespray 2.17 and newer read this file", "v2.20.0", "v2.16.0"),
    ],
)
def test_the_release_of_kubespray_decides_where_it_is_known(label: str, with_it: str, without_it: str) -> None:
    text = next(text for text, words in BAD if words.startswith(label))
    for release, is_told in ((with_it, True), (without_it, False), ("'{{ release }}'", False)):
        told = said(f"{text}kubespray_version: {release}\n")
        assert any(one.startswith(label) for one in told) is is_told, release


def test_a_template_of_magnum_without_a_ccm_is_told_once() -> None:
    labels = 'octavia_provider = "ovn"\n    cinder_csi_enabled = "true"\n    cloud_provider_enabled = "false"'
    assert len([one for one in said(MAGNUM % labels) if one.startswith("Magnum's Heat driver")]) == 1


def test_values_from_elsewhere_do_not_excuse_what_is_there() -> None:
    text = csi("{csi: {provisioner: {topology: 'false'}}}")
    assert said(text)
    assert said(ccm("{controllerExtraArgs: [--v=2]}") + "  valuesFrom: [{kind: ConfigMap, name: v}]\n")


def test_values_from_elsewhere_excuse_their_own_release_alone() -> None:
    alone = csi("{secret: {create: true, name: x, data: {cloud.conf: '[Global]'}}}")
    other = ccm("{controllerExtraArgs: [--v=2]}") + "  valuesFrom: [{kind: ConfigMap, name: v}]\n"
    assert said(alone)
    assert set(said(alone)) <= set(said(f"{alone}---\n{other}"))


def test_another_patch_may_set_up_the_kubelets() -> None:
    rows = [one for one in traps() if one.label.startswith("Talos starts kubelets")]
    assert {one.severity for one in rows} == {"info"}


CLOUDS = "clouds: {a: {auth: {auth_url: https://k/v3}, cacert: /ca.pem}}\n"
CLOUDS_SECRET = "kind: Secret\nmetadata: {name: a}\nstringData: {clouds.yaml: x, cacert: y}\n"
CONF = (
    "---\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n    [Global]\n    auth-url = %s\n"
)


@pytest.mark.parametrize("text", [CLOUDS, CLOUDS_SECRET])
@pytest.mark.parametrize(
    ("conf", "is_told"),
    [
        (CONF % "https://k/v3", True),
        (CONF % "http://k/v3", False),
        (CONF % "https://k/v3\n    ca-file = /ca.pem", False),
        (CONF % "https://k/v3\n    tls-insecure = true", False),
        (CONF % "https://k/v3\n    tls-insecure = false", True),
        (CONF % 'https://k/v3\n    tlsinsecure = "False"\n    use-clouds = no', True),
        (CONF % "x\n    use-clouds = true", False),
        (CONF % "https://k/v3\n    {{ ca }}", False),
        ("", False),
    ],
)
def test_an_authority_that_the_ccm_does_not_know(text: str, conf: str, *, is_told: bool) -> None:
    assert any("the cloud.conf beside it has no `ca-file`" in one for one in said(text + conf)) is is_told


def test_a_clouds_yaml_in_a_secret_or_a_machines_file_is_one_like_a_file() -> None:
    indented = "".join(f"    {line}\n" for line in UNCHECKED.splitlines())
    secret = f"kind: Secret\nmetadata: {{name: a}}\nstringData:\n  clouds.yaml: |\n{indented}"
    machine = f"#cloud-config\nwrite_files:\n- path: /etc/openstack/clouds.yaml\n  content: |\n{indented}"
    for text in (secret, machine):
        assert any(one.startswith("the CCM does not read `verify`") for one in said(text + CONF % "https://k/v3"))


def test_a_cloud_whose_certificate_is_not_checked_has_no_authority() -> None:
    assert not said(CLOUDS.replace("cacert", "verify: false, cacert") + CONF % "https://k/v3")


INTERNAL = CLOUDS.replace("cacert: /ca.pem", "interface: internal")
UNCHECKED = CLOUDS.replace("cacert: /ca.pem", "verify: false")
OVN = (CAPO % "provider: ovn") + "---\n"


@pytest.mark.parametrize(
    ("text", "label", "silent"),
    [
        (INTERNAL, "the cloud.conf beside it has no `os-endpoint-type`", "os-endpoint-type = internal"),
        (INTERNAL, "the cloud.conf beside it has no `os-endpoint-type`", "use-clouds = true"),
        (UNCHECKED, "the CCM does not read `verify`", "tls-insecure = true"),
        (OVN, "this provider is for the API server alone", "[LoadBalancer]\n    lb-provider = ovn"),
    ],
)
def test_what_a_cloud_conf_does_not_take_over(text: str, label: str, silent: str) -> None:
    assert any(one.startswith(label) for one in said(text + CONF % "https://k/v3"))
    assert not any(one.startswith(label) for one in said(text + CONF % f"https://k/v3\n    {silent}"))


def test_every_trap_has_an_example() -> None:
    texts = [
        *(text for text, _ in BAD),
        *(text + CONF % "https://k/v3" for text in (CLOUDS, CLOUDS_SECRET, INTERNAL, UNCHECKED, OVN)),
    ]
    found = [one for text in texts for one in said(text)]
    assert [trap.label for trap in traps() if trap.label not in found] == []


def test_traps_name_known_kinds_and_a_source() -> None:
    assert {kind for trap in traps() for kind in trap.kind} <= set(ENTRIES["installer-setting"].kinds)
    assert all(trap.source and trap.do for trap in traps())
    assert {trap for kind in ENTRIES["installer-setting"].kinds for trap in traps(kind)} == set(traps())


def test_values_of_charts_are_read_from_some_version_on() -> None:
    assert {len(read) > 30 for read in values_read().values()} == {True}
    assert values_read()["openstack-cloud-controller-manager"]["dnsPolicy"] == ("2.30.1", "2.30.3", "2.31.0")
