"""Decides from a file's name and bytes whether it is worth decoding and parsing at all.

In a repository almost no file holds a cloud.conf, so this is what most files cost: a handful of substring searches. It
may have false positives, never false negatives; the carriers decide what a file really holds.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.text import by_part, has_one, has_one_by_part
from ccmcheck.catalog.data.ccm_chart import CHARTS
from ccmcheck.catalog.data.deployments import CCM, CCM_MANIFESTS, RELEASE_VARIABLES, RKE_BLOCKS, RKE_MAP, YAWOL_PROGRAM
from ccmcheck.catalog.data.upstream_manifests import BRANCH
from ccmcheck.catalog.signs.forms import ENCODED
from ccmcheck.catalog.signs.paths import YAML_NAMES, is_named_cloud_conf

# Python's regex engine finds a literal prefix (`loud`, `[`) by memchr, about 0.3 ns a byte; an alternation without one
# is ten times slower. Hence these patterns.
_NAMES = lazy_regex(
    rb"loud(?:[._-]?conf|Config|[._-]?provider[._-]?conf|-controller-manager|_PROVIDER_CONF|_controller)"
)
_HEADERS = lazy_regex(rb"\[[ \t]*+(?i:global|loadbalancer(?:class)?|blockstorage|networking)[ \t]*+[]\" \\]")

_NOTATION = lazy_regex(
    rb"(?:%s)\b|external_openstack_|loud(?:Provider|Config):[ \t]*+\r?\n[ \t]++openstack:"
    % "|".join((RKE_MAP, *RKE_BLOCKS)).encode()
)
"""Other tools' names, see `ccmcheck.catalog.data.notations`."""
_IN_BASE64 = by_part((b"Secret", b"base64", b"B64"), b"S", b"B")
_VARIABLES = by_part((name.encode() for name in RELEASE_VARIABLES), b"_")
_CCM = CCM.encode()
_VERSIONS = lazy_regex(rb"-controller-manager:v?[01]\.|--version|helm_release")
"""Its image with a tag, and what installs its chart."""
_MANIFESTS = CCM_MANIFESTS.encode()
_PROVIDER = lazy_regex(rb"loud-provider\b|eature(?:[-_]g|G)ates\b")
_CLUSTER = b"OpenStackCluster"
_CONTROL_PLANE = b"ControlPlane\n"
"""What the kinds end with that make nodes of a control plane."""
_MACHINES = (b"OpenStackMachine", b"Kubeadm", b"InitConfiguration", b"JoinConfiguration", _CONTROL_PLANE)
_RESOURCE_SET = b"ClusterResourceSet"
_SCS_SETTING = b"USE_OVN_LB_PROVIDER"
_CLASSES = (b"kind: StorageClass", b'"StorageClass', b"kubernetes_storage_class")
_CONTROLLERS = by_part((
    b"metallb/controller", b"metallb-controller", b"/kube-vip", b"keepalived-operator", b"kuryr/controller",
    b"kuryr.conf", b"kind: IPAddressPool", b"kind: CiliumLoadBalancerIPPool", b"kind: IPPool", b"/cinder-csi-plugin",
    b"rke2-cloud-provider", b"kubelet-arg:", b"disable-cloud-controller:", b"cloud-controller-manager",
    b".csi.openstack.org", b"kubernetes.io/cinder", b" cinder:", YAWOL_PROGRAM.encode(), *map(str.encode, CHARTS),
    b"metallb_enabled", b"enable metallb", b" metallb:", b"kube_vip_services_enabled", b"--disable-cloud-controller",
    b"cloud_provider:", b"controlPlaneConfig:", b"load-balancer-enabled:", b"openstack-integrator", b"csi-manila",
    b"openstack-standalone-cp-", b"openstack-hosted-cp-", b"floatingIPPool:", b"csi-cinderplugin",
    *_CLASSES, b"dataSource", b"ReadWriteMany", b"kind: Namespace",
), b"torage", b"kind: N", b"metal", b"kuryr", b"Pool", b"d-con", b"csi", b"cinde",
    b"loud_", b"-bal", b"PlaneC", b"-cp-", b"k-cl")  # fmt: skip
_DEFINITIONS = b"CustomResourceDefinition"
"""Objects that belong to a cloud.conf though they hold none, the Sovereign Cloud Stack's settings, and images and
configuration of other controllers of load balancers, or of the Cinder CSI driver, which reads a cloud.conf, too."""

_SERVICE = b"Service"
_TERRAFORM_SERVICE = b"kubernetes_service"
_RESOURCES = (b"openstack_networking_secgroup_rule", b"rke_config", b"rke_cluster", b"openstack_containerinfra_cluster")
"""Resources of Terraform that rules are about."""
_EMBEDDED = (*_RESOURCES, *_CLASSES, *map(str.encode, BRANCH))
_LOAD_BALANCER = b"LoadBalancer"
_LOAD_BALANCER_TYPE = lazy_regex(rb"type[\"']?[ \t]*+[:=][ \t]*+[\"']?LoadBalancer\b")
_ANNOTATION = b"loadbalancer.openstack.org/"
_ESCAPED = rb"\.org/"
_INTERNAL = b"openstack-internal-load-balancer"
_OF_INGRESS = (b"externalTrafficPolicy", b"use-proxy-protocol", b"proxyProtocol")
_CHART = lazy_regex(rb"hart(?:Name)?[\"']?[ \t]*+:[ \t]*+[\"']?(?P<name>[^\s\"',{}]++)")
_ENVOY = lazy_regex(rb"envoyService\b")
_INGRESSES = (b"ingress-nginx", b"traefik", b"kubernetes-ingress", b"haproxy-ingress", b"gateway", b"cilium")
_INGRESS = lazy_regex(rb"(?:\A|/)(?:" + b"|".join(_INGRESSES) + rb")\b")
"""Charts of ingress controllers, whose values describe a Service."""
_SWITCHES = (b"condition", b"tags")
"""Fields of a dependency by which values leave it out."""
_PACKAGED = b"HelmChartConfig"
"""Values of a chart that k3s or RKE2 brings along."""
_SHARED = (b"load-balancer-id", b"loadBalancerIP")
"""Services that the CCM makes a load balancer for, and those that name what others may name too."""
_CLOUDS = (b"clouds:", b"cacert", b"loadBalancerProvider")
"""What is compared with the cloud.conf beside it."""
_PORTS = b"ports"
_NODES = (b"kind: Node\n", b'"kind": "Node"')
_WORKLOADS = lazy_regex(rb"kind[\"']?[ \t]*+:[ \t]*+[\"']?(?:Deployment|StatefulSet|ReplicaSet|DaemonSet)\b")
_PROXIES = (b"nginx", b"traefik", b"haproxy")

_ANSWERED = lazy_regex(
    rb"\$ *openstack [a-z]|[|] *(?:ID|id|Field|name) +[|]|\"?(?:ID|Direction)\"?: \"?[0-9a-f-]{6}|"
    rb"\"id\": ?\"[0-9a-f]{8}-[0-9a-f-]{27}\"|"
    rb"(?:mphora|OVN|ctavia)[^\n]*river|\b(?:external_gateway_info|router:external|remote_(?:ip_prefix|group_id)|nexthop|fixed_ips|allocation_pools|"
    rb"allowed_address_pairs|vip_subnet_id|operating_status|provisioning_status|floating_ip_address|lb_network_ip|multiattach|expires_at|"
    rb"health_monitor|load_balancer|In Use|gateway_ip|OS-EXT-STS:vm_state|"
    rb"[Ee]ndpoints|IP Protocol|Fixed IP Addresses)\"?:"
)
"""What the client and the APIs of OpenStack write near the beginning, see `ccmcheck.carriers.saved_answers`."""
_ANSWER_STARTS = (b"[", b"{", b"|", b"+-", b"$ ")
_ANSWER_START = 4096
_LOGS = frozenset({".log", ".txt", ".out"})
"""Extensions of what kubectl and journalctl print, saved in a file."""
_LOG_LINE = lazy_regex(
    rb"\b[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9} {1,9}\d{1,9} \w[\w.-]{0,99}\.go:\d{1,6}\]|"
    rb"(?:^|[ \t])(?:Warning|Normal) {1,20}[A-Z][a-z]\w{3,60} {1,99}\S|\bcaller\":\"[\w./-]{1,200}\.go:\d",
    re.MULTILINE,
)
_LOG_NAME = lazy_regex(r"(?i)(?:\A|[\W_])(?:event|error|helm)s?\.\w+\Z")
_MESSAGE = lazy_regex(
    rb"(?im)^[> \t]{0,9}(?:(?:error|fatal|panic|invalid \w{1,30}):|"
    rb"error (?:creat|delet|process|sync|updat)ing |failed (?:to|for) |\w{1,30}\.\w{1,30} failed )"
)
"""How a message begins that somebody copied without the head of its line."""
_HAPPENED = lazy_regex(rb"involvedObject|attachError|detachError|lastTransitionTime|containerStatuses")
"""Fields of objects that kubectl saved, with what happened to them."""
_LOG_START = 65536
_OF_OPENSTACK = lazy_regex(
    rb"(?i)openstack|load ?balancer|keystone|octavia|neutron|cinder|manila|cloud.?(?:controller|provider|node)|"
    rb"\bo?ccm\b|\bkcm\b|attachvolume|volumesnapshot|\bcsi\b|snapshotter|kubelet[.\[]"
)
_OTHERS_START = (b"apiVersion", b"terraform_version", b"swagger", b"openapi")

CHART_FILE = "Chart.yaml"
GROUPS = ("all", "k8s_cluster", "k8s-cluster")
GROUP_FILE = lazy_regex(
    rf"(?P<inventory>(?:.*/)?)group_vars/(?P<group>{'|'.join(GROUPS)})(?:/[^/]+)?\.ya?ml\Z", re.DOTALL
)
"""A file with variables of Ansible for all hosts of an inventory, or for those of the cluster."""
_NAMES_OF_VALUES = (b"valueFiles", b"valuesFrom", b"cloudConfig.", b"ApplicationSet", _PACKAGED)

_SOURCES = """
    .7z .a .avi .bat .bin .bz2 .c .cc .class .cpp .cs .css .csv .dll .ear .eot .exe .fish .gif .gz .h .hpp .htm
    .html .ico .ipynb .jar .java .jpeg .jpg .js .jsx .key .kt .less .lock .lua .mod .mov .mp3 .mp4 .o .odt .otf
    .patch .diff .pdf .pem .php .pl .png .po .pptx .ps1 .py .pyc .pyi .rar .rb .rego .rpm .rs .scala .scss .so .sql
    .sum .svg .swift .tar .tgz .ts .tsx .ttf .vue .wasm .webm .webp .whl .woff .woff2 .xls .xlsx .xml .xsd .xz .zip
    .zst
"""
_NEVER = frozenset(_SOURCES.split())
"""Extensions of source code and binaries, which are no configuration files, though they may quote one; the hooks in
``.pre-commit-hooks.yaml`` leave out the same."""

_SCRIPTS = ".adoc .asciidoc .bash .bats .hcl .ksh .markdown .md .mdx .mk .rst .sh .tf .tfvars .tofu .zsh"
_EMBEDDING = frozenset(_SCRIPTS.split())
"""Extensions of scripts, documents and Terraform: most are not about a cloud.conf, though many name one."""


_GO = ".go"
_GENERATED = ("_test.go", ".pb.go", "_gen.go", "_generated.go")
_VENDOR = lazy_regex(r"(?:\A|[/\\])(?:vendor|third_party|node_modules)[/\\]")
_VENDORED = lazy_regex(
    r"(?:\A|[/\\])vendor[/\\](?:(?:sigs\.)?k8s\.io|(?:google\.)?golang\.org|gopkg\.in|go\.(?:uber|etcd|opentelemetry)\.\w+)[/\\]"
)
"""What Go's tools copied of modules, by their names: nobody deploys it. Others have ``vendor/github.com/…``, too."""


def worth_reading(path: str) -> bool:
    """Whether a file in a folder may be a carrier, by its path in the folder."""
    extension = _extension(path)
    if extension == _GO:
        return not path.endswith(_GENERATED) and not _VENDOR.search(path)
    return extension not in _NEVER and not ("vendor" in path and _VENDORED.search(path))


def _extension(path: str) -> str:
    """The path from its last dot on, in lower case; empty without one."""
    dot = path.rfind(".")
    return path[dot:].lower() if dot >= 0 else ""


def worth_parsing(data: bytes, path: str = "") -> bool:
    """Whether a file may hold a cloud.conf, or an object that rules of their own are about, by its bytes and name."""
    extension = _extension(path)
    if extension == _GO:
        holds = b"cloudConfig:" in data or _HEADERS.search(data) is not None
        return holds and b"`" in data and _VENDOR.search(path) is None
    if extension == ".log":
        return may_be_log(data, path)
    if extension in _EMBEDDING:
        return _may_embed_cloud_conf(data) or may_hold_services(data) or has_one(data, _EMBEDDED)
    return (
        mentions_cloud_conf(data, path)
        or has_notation(data)
        or _PROVIDER.search(data) is not None
        or _names_a_variable(data)
        or (has_one(data, _MACHINES) and _DEFINITIONS not in data)
        or _may_hold_cluster(data)
        or may_hold_services(data)
        or _may_hold_controllers(data)
        or may_hold_nodes(data)
        or may_hold_answers(data, path)
        or may_be_log(data, path)
        or (path.endswith(CHART_FILE) and names_values(path, data))
        or has_one(data, _CLOUDS)
    )


def mentions_cloud_conf(data: bytes, path: str = "") -> bool:
    """Whether a file may hold a cloud.conf or a workload of the CCM, by its bytes or a name like ``cloud.conf``."""
    if _NAMES.search(data) is not None or _HEADERS.search(data) is not None:
        return True
    return _may_encode_cloud_conf(data) or is_named_cloud_conf(path)


def _may_encode_cloud_conf(data: bytes) -> bool:
    """Whether a file may hold a cloud.conf in base64."""
    return has_one_by_part(data, _IN_BASE64) and has_one(data, ENCODED)


def _may_embed_cloud_conf(data: bytes) -> bool:
    """Whether a script or a document may hold a cloud.conf, values of the CCM's chart or its release.

    Naming one is not enough.
    """
    return (
        _HEADERS.search(data) is not None
        or b"cloudConfig" in data
        or _names_a_variable(data)
        or has_notation(data)
        or _MANIFESTS in data
        or (_CCM in data and _VERSIONS.search(data) is not None)
        or (b"/cloud.conf" in data and b"<<" in data)  # written with nothing in it
        or _may_encode_cloud_conf(data)
    )


def _names_a_variable(data: bytes) -> bool:
    """Whether a file may set a variable for the CCM's version."""
    return has_one_by_part(data, _VARIABLES)


def has_notation(data: bytes) -> bool:
    """Whether a file has another tool's notation; all their names have one word, for which to search is much faster."""
    return b"openstack" in data and _NOTATION.search(data) is not None


def mentions_ccm(data: bytes) -> bool:
    """Whether a file may hold a workload of the CCM, or a chart or the address of manifests that install it."""
    return _CCM in data or _MANIFESTS in data or _names_a_variable(data)


def needed_by_other_files(data: bytes) -> bool:
    """Whether a file may hold what other files' rules need; see `ccmcheck.carriers.base.RunContext`."""
    is_of_cluster = _may_hold_cluster(data) or may_hold_nodes(data)
    return is_of_cluster or mentions_ccm(data) or _may_hold_controllers(data)


def may_make_control_plane(data: bytes) -> bool:
    """Whether a file may hold what makes the nodes of a control plane, which a CCM of the run needs."""
    return _CONTROL_PLANE in data and _DEFINITIONS not in data


def may_hold_services(data: bytes) -> bool:
    """Whether a file may hold a Service that the CCM makes a load balancer for."""
    if _ANNOTATION in data or _INTERNAL in data or (b"\\" in data and _ESCAPED in data):
        return True
    if has_one(data, _OF_INGRESS) and _may_hold_ingress(data):
        return True
    if _LOAD_BALANCER not in data:
        return False
    if _PACKAGED in data:
        return True
    is_service = _SERVICE in data or _TERRAFORM_SERVICE in data
    return is_service and _LOAD_BALANCER_TYPE.search(data) is not None and _DEFINITIONS not in data


def _may_hold_ingress(data: bytes) -> bool:
    """Whether a file may hold values of an ingress controller's chart."""
    if _ENVOY.search(data) is not None or _PACKAGED in data:
        return True
    return any(_INGRESS.search(chart["name"]) is not None for chart in _CHART.finditer(data))


def may_hold_sharing_services(data: bytes) -> bool:
    """Whether a file that may hold Services may hold one that names what others may name too, or a patch of one."""
    return has_one(data, _SHARED) or (_ANNOTATION in data and _PORTS not in data)


def may_hold_nodes(data: bytes) -> bool:
    """Whether a file may hold Nodes."""
    return has_one(data, _NODES)


def may_hold_answers(data: bytes, path: str) -> bool:
    """Whether a file is what the client or an API of OpenStack answered, by its first bytes or its name."""
    start = data[:_ANSWER_START].lstrip()
    return (
        start.startswith(_ANSWER_STARTS)
        and not has_one(start, _OTHERS_START)
        and ((start[:1] == b"|" and "openstack" in path.lower()) or _ANSWERED.search(start) is not None)
    )


def may_be_log(data: bytes, path: str) -> bool:
    """Whether a file is a log of a program that speaks to OpenStack, or holds events, as kubectl has them."""
    extension, start = _extension(path), data[:_LOG_START]
    if extension in YAML_NAMES and _HAPPENED.search(start) and b"message" in start:
        return _OF_OPENSTACK.search(start) is not None
    if extension not in _LOGS:
        return False
    is_one = _LOG_LINE.search(start) or (_LOG_NAME.search(path) and _MESSAGE.search(start))
    name = path.rpartition("/")[2].encode(errors="replace")
    return is_one is not None and _OF_OPENSTACK.search(name + start) is not None


def may_hold_workloads(data: bytes) -> bool:
    """Whether a file may hold a workload that makes pods, or a ConfigMap for one."""
    return _WORKLOADS.search(data) is not None or (b"ConfigMap" in data and has_one(data, _PROXIES))


def may_need_workloads(data: bytes) -> bool:
    """Whether a file may hold a Service for which it matters what is behind it."""
    return b"Local" in data or b"proxy-protocol" in data or has_one(data, _PROXIES)


def names_values(path: str, data: bytes) -> bool:
    """Whether a file may say which values of a chart, or variables, are laid over one another."""
    if has_one(data, _NAMES_OF_VALUES) or "helmfile" in path:
        return True
    if path.endswith(CHART_FILE):
        return b"dependencies" in data and (
            has_one(data, (_CCM, b"openstack-cinder-csi")) or (has_one(data, _SWITCHES) and has_one(data, _INGRESSES))
        )
    return "group_vars" in path and GROUP_FILE.search(path) is not None and b"external_openstack_" in data


def _may_hold_cluster(data: bytes) -> bool:
    """Whether a file may hold a cluster of Cluster API, or the Sovereign Cloud Stack's settings.

    The definitions of the kinds, which are large, do not count. Nor do machines: every control plane refers to a
    template of them, and no other file's rule needs them.
    """
    return (_CLUSTER in data or _RESOURCE_SET in data or _SCS_SETTING in data) and _DEFINITIONS not in data


def _may_hold_controllers(data: bytes) -> bool:
    """Whether a file may hold another controller of load balancers, its configuration, or a CSI driver's objects."""
    if b"PersistentVolumeClaim" in data and b"storageClassName" not in data:
        return True
    return has_one_by_part(data, _CONTROLLERS) or (b"ClusterRole" in data and b"csi" in data)
