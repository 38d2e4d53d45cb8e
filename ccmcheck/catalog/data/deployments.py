"""Names in what deploys the CCM and its neighbours, which tell who reads a file's cloud.confs and at what release.

Sources: kubernetes/cloud-provider-openstack charts/ and manifests/; kubernetes-sigs/kubespray roles/kubernetes/node/templates
and roles/kubernetes-apps/external_cloud_controller/openstack (``external_openstack_cloud_controller_image_tag``);
openstack/magnum doc/source/user/index.rst (the label ``cloud_provider_tag``); rancher/rke types/rke_types.go and
cloudprovider/openstack/openstack.go; rancher/terraform-provider-rke rke/schema_rke_cluster_cloud_provider_openstack.go and
the ``cloud_provider.openstack`` of its releases before 1.0; kubernetes-sigs/cluster-api api/controlplane/kubeadm
(``spec.version``); siderolabs/talos pkg/machinery/config (``externalCloudProvider``); kubermatic/kubeone pkg/apis/kubeone
(``versions``; ``cloudProvider.external``: "deploys the external CCM", required since Kubernetes has no provider of its
own); stackitcloud/yawol charts/yawol-controller.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

CCM = "openstack-cloud-controller-manager"
"""The name of the CCM's image and of its chart (registry.k8s.io/provider-os,
kubernetes.github.io/cloud-provider-openstack)."""

CCM_REPOSITORY = "cloud-provider-openstack"
"""The repository of the CCM, whoever has forked it."""

CCM_MANIFESTS = "manifests/controller-manager"
"""Its folder with what installs the CCM."""

CINDER_CSI = "cinder-csi-plugin"
"""The image of the Cinder CSI driver, which reads a cloud.conf, too."""

TOPOLOGY = "with-topology"
"""The driver's flag by which volumes and nodes have zones, on by default (cmd/cinder-csi-plugin/main.go, since v1.32.0)."""

TOPOLOGY_GATE = "topology-gate"
"""In the place of a flag of the driver: whether csi-provisioner in its pod has the gate Topology."""

DEFAULT_FSTYPE = "default-fstype"
"""csi-provisioner's flag for the type of file system of classes that name none; from 2.0 on none by default."""

NOBODY = "nobody"
"""In the place of a reader: the chart makes no Secret of its values (``secret.create: false``)."""

YAWOL_PROGRAM = "yawol-cloud-controller"
"""Another controller of load balancers, whose file is called like the CCM's and has keys of its own, and its program."""

RELEASE_VARIABLES = (
    "openstack_cloud_controller", "openstack_ccm", "cloud_provider_openstack", "cloud_provider_tag", "k8scloudprovider",
    "occm",
)  # fmt: skip
"""Parts of the names of variables for the version of the CCM's image or chart.

``k8scloudprovider`` is where the image was published before registry.k8s.io.
"""

PROVIDER_FLAGS = (
    *(
        f"{name}{between}{provider}"
        for name in ("cloud-provider", "cloud-provider-name")
        for between in ("=", '="', "='", ": ", ': "', ": '", '": "', "': '")
        for provider in ("openstack", "external")
    ),
    "cloud-provider external",
    "name: cloud-provider",
)
"""How commands, units and kubeadm's arguments give Kubernetes' processes a provider: their own, or the CCM. Since
kubeadm.k8s.io/v1beta4 an argument has a name and a value; RKE2's configuration has ``cloud-provider-name``
(docs.rke2.io/reference/server_config)."""

EXTERNAL_SWITCHES = ("external_cloud_provider", "externalCloudProvider")
"""Kubespray's variable and Talos' field that choose a CCM."""

KUBERNETES_IMAGES = ("hyperkube", "kube-apiserver", "kube-controller-manager")
"""Images whose tag is the version of Kubernetes."""

KUBERNETES_VARIABLES = ("kube_version", "kubernetes_version", "k8s_version", "k8_version", "kubernetesVersion")
"""How variables end that are the version of Kubernetes: Kubespray's ``kube_version``, and what others use; and the field
of kubeadm's ClusterConfiguration."""

KUBERNETES_FLAG = "--kubernetes-version"
"""kubeadm's flag for that version."""

LOCAL_CLUSTER = "minikube"
"""What has the same flag for a cluster on one's own machine (minikube.sigs.k8s.io/docs/commands/start)."""

RKE = "RKE"
"""What the carriers below are called."""

RKE_MAP = "openstackCloudProvider"
"""The map in a ``cluster.yml`` of RKE, or in Rancher's form of it, from which RKE writes a cloud.conf."""

RKE_BLOCKS = ("openstack_cloud_provider", "openstack_cloud_config")
"""The same in Terraform's providers rke and rancher2; the second in releases of the provider rke before 1.0."""

RKE_SECTIONS: dict[str, str] = dict(read_table(__file__, "rke_sections.tsv"))
"""The maps and blocks within it, and the sections that they become."""

TEMPLATE_ANNOTATION = "projectsveltos.io/template"
"""The annotation of an object whose texts Sveltos, and k0rdent by it, renders into the clusters that it manages
(projectsveltos/addon-controller controllers/utils.go PolicyTemplateAnnotation)."""

KUBERNETES_VERSION_AT: dict[str, list[list[str]]] = {
    kind: [path.split(".") for path in paths] for kind, *paths in read_table(__file__, "kubernetes_version_at.tsv")
}
"""By the kind of an object, its fields with the version of its cluster's Kubernetes; the first that is there counts.

A Cluster is kOps' (kubernetes/kops pkg/apis/kops/cluster.go) or Cluster API's.

``clusterConfiguration`` defaults to the Machine's version, which is that of the control plane
(kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta1/kubeadm_types.go).
"""

MANILA_PROVISIONER = ".manila.csi.openstack.org"
"""The end of the name of the Manila CSI driver, behind the protocol of its shares."""
MANILA_SECRETS = ("provisioner", "controller-expand", "node-stage", "node-publish")
"""What a StorageClass names Secrets for (examples/manila-csi-plugin/nfs/dynamic-provisioning/storageclass.yaml)."""
MANILA_LOGINS = ("os-authURL", "os-useClouds")
"""Keys of such a Secret, without which there is no login."""

EXTERNAL_PROVIDER_AT = {"KubeOneCluster": ("cloudProvider", "external")}
"""By the kind of an object whose tool installs the reader of its cloud.conf: the field that chooses the CCM."""

NAMING_THE_CCM = (CCM, CCM_MANIFESTS, *RELEASE_VARIABLES)
"""What a file holds that may say the CCM's release."""

KUBERNETES_SETTINGS = "Kubernetes settings"
"""The kind of a file with flags or feature gates of these programs, as objects are collected."""


KUBERNETES_AROUND = "the version of Kubernetes around it"
"""Under which a file with them keeps that."""

ENFORCED = "pod-security.kubernetes.io/enforce"
"""The label of a Namespace with the Pod Security Standard that its pods must keep (k8s.io/pod-security-admission/api)."""
