"""One small piece of each carrier, which `growth_matrix` takes many times in one file, and in a file each.

Each piece has mistakes and fixes in it, because that is what loops run over.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable
from textwrap import indent
from typing import NamedTuple


class Unit(NamedTuple):
    """A piece of a carrier.

    Attributes:
        path: The file's name; in a folder of its own where there are many.
        make: The piece's text with its number, so that names are unique.
        head: What stands once above the pieces.
        between: What stands between two.
        tail: What stands once below them.
        beside: Other files of the folder.
    """

    path: str
    make: Callable[[int], str]
    head: str = ""
    between: str = ""
    tail: str = ""
    beside: dict[str, str] | None = None

    def text(self, numbers: range) -> str:
        """The text of a file with many."""
        return self.head + self.between.join(self.make(number) for number in numbers) + self.tail

    def files(self, numbers: range) -> dict[str, str]:
        """The file and those beside it, by their paths."""
        return {self.path: self.text(numbers), **(self.beside or {})}


def conf(number: int) -> str:
    """A small cloud.conf with mistakes that have fixes: a key that is gone, one misspelt, a duration without its unit."""
    return (
        f"[Global]\nauth-url=https://keystone.example.net/v3\nregion=R{number}\npassword=hunter2-{number}-hunter2\n"
        f"[LoadBalancer]\nuse-octavia=true\ncreate-montior=true\nmonitor-delay=5\nmonitor-timeout=9s\n"
    )


def base64_of(text: str | bytes) -> str:
    """A text in base64, on one line."""
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def _compressed(text: str) -> str:
    return base64_of(gzip.compress(text.encode(), mtime=0))


def _inside(spaces: int, text: str) -> str:
    return indent(text, " " * spaces)


def _object(kind: str, number: int, rest: str, version: str = "v1") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a{number}, namespace: n}}\n{rest}"


_SHOOT = """spec:
  provider:
    controlPlaneConfig:
      zone: a
      loadBalancerClasses: [{name: a, floatingNetworkID: x}]
"""


def _yaml(make: Callable[[int], str], path: str = "x.yaml", beside: dict[str, str] | None = None) -> Unit:
    return Unit(path, make, between="---\n", beside=beside)


def _secret(number: int) -> str:
    return _object("Secret", number, f"data:\n  cloud.conf: {base64_of(conf(number))}\n")


_TEMPLATED = "  template:\n    spec:\n"
_MACHINES = {
    "KubeadmControlPlane": ("  kubeadmConfigSpec:\n", 4),
    "KubeadmControlPlaneTemplate": (_TEMPLATED + "      kubeadmConfigSpec:\n", 8),
    "KubeadmConfig": ("", 2),
    "KubeadmConfigTemplate": (_TEMPLATED, 6),
}
_WORKLOADS = {
    **dict.fromkeys(("DaemonSet", "Deployment", "StatefulSet", "ReplicaSet"), (_TEMPLATED, 6)),
    "Pod": ("", 2),
}


def _machine(number: int) -> str:
    files = "files:\n- path: /etc/kubernetes/cloud.conf\n  content: |\n" + _inside(4, conf(number))
    commands = f"preKubeadmCommands:\n- |\n  cat > /etc/kubernetes/cloud.conf <<EOF\n{_inside(2, conf(number))}  EOF\n"
    kind = list(_MACHINES)[number % len(_MACHINES)]
    above, depth = _MACHINES[kind]
    return _object(kind, number, "spec:\n" + above + _inside(depth, files + commands))


_CONTAINERS = (
    "containers:\n- name: openstack-cloud-controller-manager\n"
    "  image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.28.{number}\n"
    "  args: [--cluster-name=c{number}, --cloud-config=/etc/config/cloud.conf]\n"
)


def _workload(number: int) -> str:
    kind = list(_WORKLOADS)[number % len(_WORKLOADS)]
    above, depth = _WORKLOADS[kind]
    return (
        _object(kind, number, f"spec:\n{above}{_inside(depth, _CONTAINERS.format(number=number))}")
        + "---\n"
        + _secret(number)
    )


_ANNOTATIONS = (
    '    loadbalancer.openstack.org/proxy-protocl: "{0}"\n    loadbalancer.openstack.org/keep-floatingip: maybe\n'
)
_SPEC = "spec:\n  type: LoadBalancer\n  loadBalancerIP: 10.{1}.1\n  ports: [{{port: 80, nodePort: 80}}]\n"


def service(number: int) -> str:
    """A Service with a misspelt annotation and a wrong value."""
    head = f"apiVersion: v1\nkind: Service\nmetadata:\n  name: web-{number}\n  annotations:\n"
    return head + (_ANNOTATIONS + _SPEC).format(number, f"{number >> 8 & 255}.{number & 255}")


def _resource_set(number: int) -> str:
    wrapped = _object(
        "Secret", number, f"type: addons.cluster.x-k8s.io/resource-set\ndata:\n  a: {base64_of(_secret(number))}\n"
    )
    named = f"spec: {{resources: [{{kind: Secret, name: a{number}}}]}}\n"
    return _object("ClusterResourceSet", number, named, "addons.cluster.x-k8s.io/v1beta1") + "---\n" + wrapped


def _values(number: int) -> str:
    return (
        f"cloudConfig:\n  global:\n    auth-url: https://k{number}/v3\n    use-clouds: true\n  loadBalancer:\n"
        "    use-octavia: true\n    create-montior: true\n    monitor-delay: 5\n"
    )


_INGRESS = "controller:\n  service:\n    annotations:\n      loadbalancer.openstack.org/keep-floatingip: maybe{0}\n"


def _release(number: int) -> str:
    spec = "spec:\n  chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.28.1}}\n  values:\n"
    return _object("HelmRelease", number, spec + _inside(4, _values(number)), "helm.toolkit.fluxcd.io/v2")


def _ingress_release(number: int) -> str:
    spec = "spec:\n  chart: {spec: {chart: ingress-nginx}}\n  values:\n" + _inside(4, _INGRESS.format(number))
    return _object("HelmRelease", number, spec, "helm.toolkit.fluxcd.io/v2")


def _application(number: int) -> str:
    chart = "spec:\n  source:\n    chart: openstack-cloud-controller-manager\n    targetRevision: 2.28.1\n    helm:\n      parameters:\n"
    key = "      - {name: cloudConfig.loadBalancer.monitor-delay, value: '5'}\n"
    return _object("Application", number, chart + key, "argoproj.io/v1alpha1")


def _gateway(number: int) -> str:
    spec = (
        "spec:\n  listeners: [{name: a, port: 80, protocol: HTTP}]\n  infrastructure:\n    annotations:\n"
        f"      loadbalancer.openstack.org/keep-floatingip: maybe{number}\n"
    )
    return _object("Gateway", number, spec, "gateway.networking.k8s.io/v1")


def _envoy_proxy(number: int) -> str:
    spec = "spec:\n  provider:\n    kubernetes:\n      envoyService:\n        annotations:\n"
    annotation = f"          loadbalancer.openstack.org/keep-floatingip: maybe{number}\n"
    return _object("EnvoyProxy", number, spec + annotation, "gateway.envoyproxy.io/v1alpha1")


def _pool(number: int) -> str:
    spec = "spec: {autoAssign: true, allowedUses: [LoadBalancer]}\n---\n"
    pools = (_object(kind, number, spec) for kind in ("IPAddressPool", "CiliumLoadBalancerIPPool", "IPPool"))
    return "".join(pools) + service(number)


def _kubeadm(number: int) -> str:
    flags = "{extraArgs: {cloud-provider: external}}\n---\n"
    return (
        _object("ClusterConfiguration", number, f"networking: {{serviceSubnet: 10.96.0.0/12}}\napiServer: {flags}")
        + _object("InitConfiguration", number, f"nodeRegistration: {flags}")
        + _object("JoinConfiguration", number, f"nodeRegistration: {flags}")
        + service(number)
    )


def _cluster(number: int) -> str:
    groups = "{managedSecurityGroups: {allNodesSecurityGroupRules: []}}"
    if number % 2:
        return (
            _object("OpenStackClusterTemplate", number, f"spec: {{template: {{spec: {groups}}}}}\n")
            + "---\n"
            + _secret(number)
        )
    return _object("OpenStackCluster", number, f"spec: {groups}\n") + "---\n" + _secret(number)


def _rke(number: int) -> str:
    return (
        "kubernetes_version: v1.17.4-rancher1-1\ncloud_provider:\n  name: openstack\n  openstackCloudProvider:\n"
        f"    global: {{auth-url: https://k/v3, username: kube, password: hunter2-{number}-hunter2}}\n"
        "    load_balancer: {create-monitor: true, monitor-delay: 5, monitor-timeout: 3}\n"
    )


def _kubespray(number: int) -> str:
    return f"external_openstack_lbaas_subnet_id: s{number}\nexternal_openstack_lbaas_monitor_delay: '5'\n"


def _kops(number: int) -> str:
    balancer = "      loadbalancer: {provider: ovn, method: ROUND_ROBIN}\n      monitor: {delay: 5, maxRetries: 30}\n"
    spec = f"spec:\n  cloudConfig:\n    openstack:\n{balancer}"
    return _object("Cluster", number, spec, "kops.k8s.io/v1alpha2")


def _task(number: int) -> str:
    path = "path: /etc/kubernetes/cloud.conf, section: LoadBalancer"
    return f"- name: a{number}\n  ini_file: {{{path}, option: monitor-delay, value: '5'}}\n"


def _chart_of_k3s(number: int) -> str:
    text = "  valuesContent: |\n" + _inside(4, _values(number))
    chart = _object(
        "HelmChart", number, f"spec:\n  chart: openstack-cloud-controller-manager\n{text}", "helm.cattle.io/v1"
    )
    return f"{chart}---\n{_object('HelmChartConfig', number, f'spec:{chr(10)}{text}', 'helm.cattle.io/v1')}"


def _driver_release(number: int) -> str:
    spec = "spec:\n  chart: {spec: {chart: openstack-cinder-csi, version: 2.31.2}}\n  values:\n"
    secret = f"secret:\n  enabled: true\n  name: a{number}\n  data:\n    cloud.conf: |\n" + _inside(6, conf(number))
    return _object("HelmRelease", number, spec + _inside(4, secret), "helm.toolkit.fluxcd.io/v2")


def _release_of_objects(number: int) -> str:
    values = _object("ConfigMap", number, "data:\n  values.yaml: |\n" + _inside(4, _values(number)))
    chart = "spec:\n  chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.28.1}}\n"
    names = f"  valuesFrom: [{{kind: ConfigMap, name: a{number}}}]\n"
    return values + "---\n" + _object("HelmRelease", number, chart + names, "helm.toolkit.fluxcd.io/v2")


def _shares(number: int) -> str:
    parameters = f"parameters: {{csi.storage.k8s.io/provisioner-secret-name: a{number}}}\n"
    secret = _object("Secret", number, "stringData: {os-userName: u, os-applicationCredentialID: a}\n")
    return (
        secret + "---\n" + _object("StorageClass", number, "provisioner: nfs.manila.csi.openstack.org\n" + parameters)
    )


def _sealed(number: int) -> str:
    return _object("SealedSecret", number, "spec:\n  encryptedData:\n    cloud.conf: AgBy3i4OJSWKPiTySYZZA9rO43cG\n")


def _mounted(number: int) -> str:
    text = _object(
        "Secret", number, "stringData:\n  cloud.conf: |\n    [Global]\n    insecure-flag = 1\n    colour = a\n"
    )
    mount = "  volumeMounts: [{name: c, mountPath: /etc/config}]\n"
    volume = f"volumes: [{{name: c, secret: {{secretName: a{number}}}}}]\n"
    pod = _object("Pod", number, "spec:\n" + _inside(2, _CONTAINERS.format(number=number) + mount + volume))
    return f"{text}---\n{pod}"


def _role(number: int) -> str:
    role = _object("ClusterRole", number, "rules: [{apiGroups: [''], resources: [services], verbs: [get]}]\n")
    role = role.replace(f"name: a{number}", f"name: system:cloud-controller-manager-{number}", 1)
    return role.replace("v1", "rbac.authorization.k8s.io/v1", 1) + "---\n" + _workload(number)


def _binding(kind: str) -> Callable[[int], str]:
    """Bindings of the CCM's role, each with its role and its workload."""

    def text(number: int) -> str:
        name = f"system:cloud-controller-manager-{number}"
        role = f"roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: '{name}'}}\n"
        subject = (
            f"subjects: [{{kind: ServiceAccount, name: cloud-controller-manager-{number}, namespace: kube-system}}]\n"
        )
        binding = _object(kind, number, role + subject)
        return binding.replace("v1", "rbac.authorization.k8s.io/v1", 1) + "---\n" + _role(number)

    return text


def _kustomization(number: int) -> str:
    text = _inside(4, conf(number))
    return f"- name: a{number}\n  literals:\n  - |\n    cloud.conf={text.lstrip()}"


def _other_machines(number: int) -> str:
    """Control planes of other distributions, and a machine in two networks with its Node."""
    kind = ("RKE2ControlPlane", "KThreesControlPlane", "K0sControlPlane")[number % 3]
    group = "infrastructure.cluster.x-k8s.io/v1beta1"
    ports = f"ports: [{{network: {{id: a{number}}}}}, {{network: {{id: b{number}}}}}]"
    node = f"spec: {{providerID: 'openstack:///{number}'}}\nstatus: {{addresses: [{{type: InternalIP, address: 10.0.0.{number % 256}}}]}}\n"
    objects = (
        _object(kind, number, "spec: {version: v1.31.0}\n", "controlplane.cluster.x-k8s.io/v1beta1"),
        _object(
            "Machine",
            number,
            f"spec: {{providerID: 'openstack:///x{number}'}}\nstatus: {{nodeRef: {{name: a{number}}}}}\n",
        ),
        _object("OpenStackMachine", number, f"spec: {{{ports}}}\n", group),
        _object("OpenStackMachineTemplate", number, f"spec: {{template: {{spec: {{{ports}}}}}}}\n", group),
        _object("Node", number, node),
    )
    return "---\n".join(objects)


_HEAT = "- path: /etc/kubernetes/cloud.conf\n  encoding: gzip+base64\n  content: {0}\n"
_PATCH = "- op: add\n  path: /data/cloud.conf\n  value: {0}\n"
_BUILT = "resources: [objects.yaml]\nnamePrefix: p-\nsecretGenerator:\n"


def _volumes(number: int) -> str:
    """A StorageClass, a claim and a volume of it, a node of another zone, and a workload of the driver."""
    zones = f"{{topology.kubernetes.io/zone: z{number}}}"
    claim = f"spec: {{accessModes: [ReadWriteMany], storageClassName: a{number}}}\n"
    volume = f"spec: {{csi: {{driver: cinder.csi.openstack.org, volumeHandle: v{number}}}}}\n"
    driver = "spec: {template: {spec: {containers: [{image: 'x/cinder-csi-plugin:v1.30.0', args: [--v=1]}]}}}\n"
    parameters = "provisioner: cinder.csi.openstack.org\nparameters: {availability: nova, az: x}\n"
    objects = {
        "StorageClass": parameters,
        "PersistentVolumeClaim": claim,
        "PersistentVolume": volume,
        "VolumeSnapshotClass": "driver: cinder.csi.openstack.org\nparameters: {type: whole}\n",
        "CSIDriver": "spec: {attachRequired: false}\n",
        "CSINode": f"spec: {{drivers: [{{name: cinder.csi.openstack.org, nodeID: i-{number:08x}}}]}}\n",
        "DaemonSet": driver,
        "Namespace": "",
    }
    node = f"kind: Node\napiVersion: v1\nmetadata: {{name: n{number}, labels: {zones}}}\n"
    return "---\n".join((node, *(_object(kind, number, text) for kind, text in objects.items())))


OBJECTS: dict[str, Unit] = {
    "Secret": _yaml(_secret),
    "ConfigMap": _yaml(
        lambda number: _object("ConfigMap", number, "data:\n  cloud.conf: |\n" + _inside(4, conf(number)))
    ),
    "machines of Cluster API": _yaml(_machine),
    "other machines of Cluster API": _yaml(_other_machines),
    "workloads": _yaml(_workload),
    "what a workload mounts": _yaml(_mounted),
    "rights of a workload": _yaml(_role),
    "rights that a binding gives": _yaml(_binding("ClusterRoleBinding")),
    "rights in a namespace": _yaml(_binding("RoleBinding")),
    "OpenStackCluster": _yaml(_cluster),
    "ClusterResourceSet": _yaml(_resource_set),
    "Service": _yaml(service),
    "Service without a type": _yaml(lambda number: service(number).partition("spec:")[0]),
    "Node": _yaml(lambda number: _object("Node", number, f"spec: {{providerID: 'openstack:///{number}'}}\n")),
    "pools of addresses": _yaml(_pool),
    "Gateway": _yaml(_gateway),
    "kubeadm's configuration": _yaml(_kubeadm),
    "EnvoyProxy": _yaml(_envoy_proxy),
    "values of the chart": _yaml(_values, "values.yaml"),
    "values of an ingress controller": _yaml(_INGRESS.format),
    "HelmRelease of the chart": _yaml(_release),
    "HelmRelease of an ingress controller": _yaml(_ingress_release),
    "Application with parameters": _yaml(_application),
    "RKE": _yaml(_rke, "cluster.yml"),
    "text of RKE": _yaml(
        lambda number: "cloud_provider:\n  name: openstack\n  customCloudProvider: |\n" + _inside(4, conf(number))
    ),
    "kOps": _yaml(_kops),
    "variables of Kubespray": _yaml(_kubespray, "group_vars/all/openstack.yml"),
    "tasks of Ansible": Unit("x.yml", _task),
    "HelmRelease with values of objects": _yaml(_release_of_objects),
    "HelmChart with a HelmChartConfig": _yaml(_chart_of_k3s),
    "HelmRelease of the Cinder CSI driver": _yaml(_driver_release),
    "SealedSecret": _yaml(_sealed),
    "StorageClass of Manila": _yaml(_shares),
    "StorageClass of Cinder": _yaml(_volumes),
    "Shoot": _yaml(lambda number: _object("Shoot", number, _SHOOT)),
    "Seed": _yaml(
        lambda number: _object(
            "Seed",
            number,
            "spec:\n  datacenters:\n    a:\n      spec:\n        openstack:\n          loadBalancerProvider: ovn\n",
        )
    ),
    "ClusterDeployment": _yaml(
        lambda number: _object("ClusterDeployment", number, "spec:\n  template: openstack-standalone-cp-1-0-2\n")
    ),
    "KubeOneCluster": _yaml(
        lambda number: _object(
            "KubeOneCluster", number, "versions: {kubernetes: 1.30.1}\ncloudProvider:\n  openstack: {}\n"
        )
    ),
    "MasterConfig": _yaml(
        lambda number: _object(
            "MasterConfig",
            number,
            "kubernetesMasterConfig:\n  controllerArguments:\n    cloud-provider: [openstack]\n"
            "    cloud-config: [/etc/cloud.conf]\n",
        )
    ),
    "clusterctl's variables": _yaml(
        lambda number: f"USE_OVN_LB_PROVIDER: 'true'\nOPENSTACK_CLOUD_PROVIDER_CONF_B64: {base64_of(conf(number))}\n"
    ),
    "cloud-init": Unit(
        "x.yaml", lambda number: _HEAT.format(_compressed(conf(number))), head="#cloud-config\nwrite_files:\n"
    ),
    "JSON patch": Unit("x.yaml", lambda number: _PATCH.format(base64_of(conf(number)))),
    "literals": _yaml(lambda number: "secretGenerator:\n" + _kustomization(number)),
    "kustomization": Unit("kustomization.yaml", _kustomization, head=_BUILT, beside={"objects.yaml": service(0)}),
}
"""Files of YAML: each kind of `ccmcheck.carriers.kinds` by its name, and what has no kind."""
