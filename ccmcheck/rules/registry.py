"""The registry of rules: one line a rule, with everything that must be known before its file is loaded.

A rule is added by its file, ``rules/GROUP/NAME.py``, and its line here; nothing is discovered. The line holds the name,
what its fixes are, what it is about, and the triggers without one of which it has nothing to report: a correct
cloud.conf of ten keys triggers a third of the rules, and the others are neither loaded nor run. A rule without triggers
always runs. ``tests/rules/test_registry.py`` holds the lines against the files.
"""

from __future__ import annotations

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.ccm_chart import CHARTS, VALUES_OF
from ccmcheck.catalog.data.cluster import TYPED_SECRETS


class Entry(NamedTuple):
    """One rule.

    Attributes:
        name: Its name, ``duration-bad``; its code is ``duration_bad.py``, its page ``duration_bad.md``.
        severity: The severity of its findings, unless a problem has its own.
        fix: ``safe`` where at least one of its fixes is, ``unsafe`` where all of them are, ``manual`` where it has none.
        kinds: The kinds of Kubernetes objects that it is about; empty for a rule about a cloud.conf.
        triggers: It can only report something where one of these is present; empty where it always runs. About a
            cloud.conf: a condition below, a behaviour (`behaviour`), or a word of the text or of a value, in lower case.
            About an object: a condition on the run, or a word of the object's text, case-sensitive.
        needs: Inputs without which it reports nothing, for ``-v``: ``the CCM's pod``, ``the node count`` …
        per_release: False where the result is the same for every release, so that it runs once.
        since: The first version of ccmcheck with it.
    """

    name: str
    severity: Severity
    fix: str
    kinds: tuple[str, ...]
    triggers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    per_release: bool = True
    since: str = "0.1"


ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

SAFE = "safe"
UNSAFE = "unsafe"
MANUAL = "manual"

CONF: tuple[str, ...] = ()
"""A rule about a cloud.conf."""
CONFIG_OBJECTS = ("Secret", "ConfigMap")
CONTROLLERS = ("DaemonSet", "Deployment", "StatefulSet")
PODS_AND_CONTROLLERS = (*CONTROLLERS, "Pod")
KUBEADM = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate", "KubeadmConfig", "KubeadmConfigTemplate")
KUBEADM_OWN = (*KUBEADM, "ClusterConfiguration", "InitConfiguration", "JoinConfiguration")
NODES = ("Node", "Machine", "OpenStackMachine", "OpenStackMachineTemplate")
TERRAFORM_RULES, TERRAFORM_CLUSTERS = ("openstack_networking_secgroup_rule_v2",), ("rancher2_cluster", "rke_cluster")
KUBESPRAY_VARIABLES = ("Kubespray variables",)
CHART_VALUES_OF = tuple(f"{VALUES_OF}{chart}" for chart in dict.fromkeys(CHARTS.values()))
CAPO = ("OpenStackCluster", "OpenStackClusterTemplate")
MAGNUM = ("openstack_containerinfra_clustertemplate_v1", "openstack_containerinfra_cluster_v1")
INSTALLED = (*CHART_VALUES_OF, *KUBESPRAY_VARIABLES, *MAGNUM, "Cluster", "Shoot", "KubeOneCluster", "Juju bundle", "Talos", "Secret", *CAPO)  # fmt: skip
SETTINGS = ("Kubernetes settings",)
ROLES = ("ClusterRole",)
STORAGE = ("StorageClass", "PersistentVolume", "PersistentVolumeClaim", "VolumeSnapshotClass", "CSIDriver")
SERVICE = "Service"
SERVICES = (SERVICE,)

ANNOTATION_RULES = frozenset({"svc-annotation-unknown", "svc-annotation-value", "svc-timeout-unit"})
"""The rules about Services that judge an annotation by its name and value, without the rest of the Service."""

READER_ERROR = "\0reader error"
"""The CCM's reader stops somewhere in the file."""
IGNORED_NAME = "\0ignored name"
"""The release ignores a section or a key of the file."""
NON_ASCII = "\0non-ascii"
"""The text is not ASCII."""
CHART_VALUES = "\0chart values"
"""The text is rendered from the values of the CCM's Helm chart."""
OPENSHIFT = "\0openshift"
"""OpenShift's operator rewrites the text."""
SCS_SCRIPTS = "\0scs scripts"
"""The run has settings of the Sovereign Cloud Stack's scripts."""
IN_TREE = "\0in-tree"
"""The legacy in-tree provider reads the text."""
READABLE_OBJECT = "\0readable object"
"""The text is in a ConfigMap or a kubeadm object, which more users can read than a Secret."""
TEMPLATE = "\0template"
"""The text has marks of templates."""
NO_VALUE = "\0no value"
"""A key has neither a value nor an equals sign."""
REPEATED = "\0repeated"
"""A key or a section comes more than once."""
NO_CREATE_MONITOR = "\0no create-monitor"
"""[LoadBalancer] does not have the key create-monitor of the release."""
MONITOR_OFF = "\0monitor off"
"""create-monitor is not known to be true."""
NO_TIMERS = "\0no timers"
"""The release has no defaults for the timers of health monitors."""
REQUIREMENTS = "\0requirements"
"""The run has a profile with requirements."""
LIVE = "\0live"
"""The run has the state of a running cluster."""
WORKLOADS = "\0workloads"
"""The run has workloads of the CCM."""
RESOURCE_SETS = "\0resource sets"
"""The run has ClusterResourceSets."""
CONDITIONS = (
    READER_ERROR, IGNORED_NAME, NON_ASCII, CHART_VALUES, OPENSHIFT, SCS_SCRIPTS, IN_TREE, READABLE_OBJECT,
    TEMPLATE, NO_VALUE, REPEATED, NO_CREATE_MONITOR, MONITOR_OFF, NO_TIMERS,
)  # fmt: skip
"""The triggers that are not words of the text but something in it, or of its release.

`ccmcheck.rules.prefilter` evaluates them, and those that follow.
"""
RUN_CONDITIONS = (REQUIREMENTS, LIVE, WORKLOADS, RESOURCE_SETS)
"""The triggers that hold for all files of a run."""

_BEHAVIOUR = "\0behaviour "


def behaviour(name: str) -> str:
    """The trigger that the release behaves in a way, see `ccmcheck.catalog.behaviour.behaves`."""
    return _BEHAVIOUR + name


def behaviour_of(trigger: str) -> str:
    """The name of the behaviour that a trigger is about; empty for any other trigger."""
    return trigger.removeprefix(_BEHAVIOUR) if trigger.startswith(_BEHAVIOUR) else ""


REGISTRY: dict[str, tuple[Entry, ...]] = {
    "syntax": (
        Entry("not-a-cloud-conf", ERROR, SAFE, CONF, (READER_ERROR,), per_release=False),
        Entry("template-broken", ERROR, MANUAL, CONF, (TEMPLATE,), per_release=False),
        Entry("placeholder-left", ERROR, MANUAL, CONF),
        Entry("gcfg-illegal-bytes", ERROR, SAFE, CONF, (READER_ERROR, NON_ASCII, "\x0b", "\x0c")),
        Entry("gcfg-section-header", ERROR, SAFE, CONF, (READER_ERROR, "loadbalancerclass")),
        Entry("gcfg-illegal-key-char", ERROR, SAFE, CONF, (READER_ERROR,)),
        Entry("gcfg-quoting", ERROR, UNSAFE, CONF, (READER_ERROR,), per_release=False),
        Entry("gcfg-text-after-quote", WARNING, UNSAFE, CONF, ('"',), per_release=False),
        Entry("gcfg-blank-value", ERROR, SAFE, CONF, (READER_ERROR, NO_VALUE)),
        Entry("gcfg-single-quotes", ERROR, UNSAFE, CONF, ("'", "`")),
        Entry("gcfg-comment-in-value", ERROR, UNSAFE, CONF, ("#", ";")),
        Entry("gcfg-line-continuation", WARNING, MANUAL, CONF, ("\\",), per_release=False),
        Entry("gcfg-duplicate-key", WARNING, SAFE, CONF, (REPEATED,)),
        Entry("gcfg-list-in-one-value", WARNING, UNSAFE, CONF, ("network-name",)),
    ),
    "names": (
        Entry("unknown-section", ERROR, UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("unknown-key", ERROR, UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("key-in-wrong-section", ERROR, UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("annotation-name-as-key", ERROR, UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("openrc-name-as-key", ERROR, SAFE, CONF, (IGNORED_NAME,)),
        Entry("key-too-new", ERROR, MANUAL, CONF, (IGNORED_NAME, "use-clouds")),
        Entry("key-removed", INFO, SAFE, CONF, (IGNORED_NAME,)),
        Entry("lbclass-foreign-key", ERROR, MANUAL, CONF, (IGNORED_NAME,)),
        Entry("in-tree-unknown-key", ERROR, UNSAFE, CONF, (IN_TREE,), needs=("that the in-tree provider reads the file",)),
    ),
    "values": (
        Entry("duration-bad", ERROR, SAFE, CONF, (READER_ERROR,)),
        Entry("duration-range", WARNING, UNSAFE, CONF, ("monitor-delay", "monitor-timeout")),
        Entry("bool-bad", ERROR, SAFE, CONF, (READER_ERROR,)),
        Entry("uint-bad", ERROR, MANUAL, CONF, (READER_ERROR, "monitor-max-retries", "max-shared-lb")),
        Entry("enum-bad", ERROR, SAFE, CONF, (READER_ERROR, "lb-method", "search-order", "os-endpoint-type", "container-store")),
        Entry("tls-insecure-not-true", WARNING, UNSAFE, CONF, ("insecure",)),
        Entry("id-not-uuid", WARNING, MANUAL, CONF, ("-id",)),
        Entry("lb-provider-unknown", WARNING, SAFE, CONF, ("lb-provider",)),
        Entry("lb-version-not-v2", ERROR, SAFE, CONF, ("lb-version",)),
        Entry("node-selector-syntax", WARNING, MANUAL, CONF, ("node-selector",)),
        Entry("csi-shared-file", ERROR, MANUAL, CONF, (READER_ERROR,)),
        Entry("upgrade-turns-fatal", WARNING, MANUAL, CONF, (IGNORED_NAME,)),
    ),
    "loadbalancer": (
        Entry("no-loadbalancer-section", WARNING, UNSAFE, CONF, (behaviour("load-balancers-need-a-key"),)),
        Entry("create-monitor-implicit", INFO, UNSAFE, CONF, (NO_CREATE_MONITOR,)),
        Entry("create-monitor-recommended", WARNING, UNSAFE, CONF, (MONITOR_OFF,)),
        Entry("create-monitor-not-applied", WARNING, MANUAL, CONF, (LIVE,), per_release=False),
        Entry("monitor-timers-dead", INFO, UNSAFE, CONF, (MONITOR_OFF,)),
        Entry("monitor-timers-missing-legacy", ERROR, SAFE, CONF, (NO_TIMERS,)),
        Entry("monitor-timeout-ge-delay", WARNING, UNSAFE, CONF, ("monitor-timeout", "monitor-delay")),
        Entry("monitor-range", WARNING, UNSAFE, CONF, ("monitor-max-retries",)),
        Entry("monitor-retries-down-zero", WARNING, SAFE, CONF, ("monitor-max-retries-down",)),
        Entry("monitor-slow-for-local", WARNING, UNSAFE, CONF, ("monitor-",)),
        Entry("monitor-probe-budget", INFO, UNSAFE, CONF, ("create-monitor",), needs=("the node count",)),
        Entry("monitor-occm-1230", WARNING, MANUAL, CONF, (behaviour("monitor-port-lost"),)),
        Entry("monitor-serial-local", WARNING, MANUAL, CONF, ("provider-requires-serial-api-calls",)),
        Entry("ovn-http-monitor-loop", WARNING, UNSAFE, CONF, ("ovn",)),
        Entry("ovn-lb-method", ERROR, SAFE, CONF, ("ovn",)),
        Entry("ovn-ignored-keys", WARNING, UNSAFE, CONF, ("ovn",)),
        Entry("amphora-source-ip-port", WARNING, UNSAFE, CONF, ("source_ip_port",)),
        Entry("ovn-no-security-group", WARNING, UNSAFE, CONF, ("ovn",)),
        Entry("manage-sg-release", WARNING, MANUAL, CONF, ("manage-security-groups",)),
        Entry("ccm-release-bug", WARNING, MANUAL, CONF, (behaviour("has-release-bugs"), IN_TREE)),
        Entry("failed-create-crash", WARNING, MANUAL, CONF, (behaviour("failed-create-crashes"),)),
        Entry(
            "in-tree-balancers", WARNING, MANUAL, CONF, (IN_TREE,), needs=("that the in-tree provider reads the file",)
        ),
        Entry("neutron-lbaas", WARNING, MANUAL, CONF, ("loadbalancer",)),
        Entry("internal-network-extra", WARNING, MANUAL, CONF, (behaviour("internal-network-not-alone"),)),
        Entry("subnet-id-dualstack", WARNING, MANUAL, CONF, ("address-sort-order",)),
        Entry("ingress-hostname-obsolete", INFO, UNSAFE, CONF, ("enable-ingress-hostname",), needs=("the Kubernetes version",)),
    ),
    "auth": (
        Entry("auth-incomplete", ERROR, MANUAL, CONF),
        Entry("auth-mixed", WARNING, UNSAFE, CONF, ("application-credential",)),
        Entry("auth-password", INFO, MANUAL, CONF, ("password",)),
        Entry("auth-url-form", WARNING, SAFE, CONF),
        Entry("tls-insecure-on", WARNING, MANUAL, CONF, ("insecure",)),
        Entry("ca-file-unmounted", ERROR, MANUAL, CONF, ("-file",), needs=("the CCM's pod",)),
        Entry("route-not-made", WARNING, MANUAL, CONF, ("router-id",), needs=("the CCM's pod",)),
        Entry("use-clouds-incomplete", ERROR, MANUAL, CONF, ("use-clouds",), needs=("the CCM's pod",)),
        Entry("use-clouds-hides-error", ERROR, MANUAL, CONF, (READER_ERROR,)),
        Entry("secret-in-configmap", WARNING, MANUAL, CONF, (READABLE_OBJECT,)),
    ),
    "objects": (
        Entry("secret-key-name", ERROR, SAFE, CONFIG_OBJECTS, (WORKLOADS,), needs=("the CCM's pod",), per_release=False),
        Entry("secret-wrong-place", ERROR, UNSAFE, CONFIG_OBJECTS, (WORKLOADS,), needs=("the CCM's pod",), per_release=False),
        Entry("secret-base64", ERROR, SAFE, ("Secret",), per_release=False),
        Entry("secret-immutable", INFO, MANUAL, CONFIG_OBJECTS, ("immutable",), per_release=False),
        Entry("secret-type", WARNING, SAFE, ("Secret",), (RESOURCE_SETS, *TYPED_SECRETS), per_release=False),
        Entry("config-no-rollout", WARNING, UNSAFE, CONTROLLERS, per_release=False),
        Entry("helm-section-name", ERROR, MANUAL, CONF, (CHART_VALUES,), per_release=False),
        Entry("helm-value-type", ERROR, UNSAFE, CONF, (CHART_VALUES,)),
        Entry("ccm-mount", ERROR, SAFE, PODS_AND_CONTROLLERS, per_release=False),
        Entry("ccm-flag", ERROR, MANUAL, PODS_AND_CONTROLLERS, per_release=False),
        Entry("cluster-name-default", WARNING, UNSAFE, PODS_AND_CONTROLLERS),
        Entry("cluster-name-shared", ERROR, MANUAL, PODS_AND_CONTROLLERS),
        Entry("ccm-image-skew", WARNING, MANUAL, PODS_AND_CONTROLLERS, needs=("the Kubernetes version",), per_release=False),
        Entry("ccm-tolerations", ERROR, SAFE, CONTROLLERS, per_release=False),
        Entry("ccm-node-selector", ERROR, MANUAL, CONTROLLERS, per_release=False),
        Entry("ccm-dns-policy", WARNING, UNSAFE, PODS_AND_CONTROLLERS, ("ClusterFirstWithHostNet",), per_release=False),
        Entry("ccm-not-alone", WARNING, MANUAL, PODS_AND_CONTROLLERS, per_release=False),
        Entry("ccm-not-running", ERROR, MANUAL, PODS_AND_CONTROLLERS, (LIVE,), per_release=False),
        Entry("router-shared", ERROR, MANUAL, PODS_AND_CONTROLLERS, ("cluster-cidr",), per_release=False),
        Entry("ccm-role", ERROR, MANUAL, ROLES, (WORKLOADS,), needs=("the CCM's pod",)),
        Entry("manila-secret", WARNING, MANUAL, ("StorageClass",), (".manila.csi",), per_release=False),
        Entry("annotation-misplaced", WARNING, MANUAL, PODS_AND_CONTROLLERS, per_release=False),
        Entry("ccm-restart-needed", WARNING, MANUAL, CONFIG_OBJECTS, (LIVE,)),
        Entry("node-no-member", WARNING, MANUAL, NODES, per_release=False),
        Entry("terraform-nodeports", WARNING, MANUAL, TERRAFORM_RULES, ("remote_group_id", "10250"), ("the cloud.conf",), False),
        Entry("rke-provider-name", WARNING, MANUAL, TERRAFORM_CLUSTERS, needs=("the CCM's pod",), per_release=False),
        Entry("installer-setting", WARNING, MANUAL, INSTALLED, per_release=False),
        Entry("unread-setting", WARNING, MANUAL, (*CHART_VALUES_OF, *KUBESPRAY_VARIABLES), per_release=False),
        Entry("kubernetes-flag", ERROR, MANUAL, SETTINGS, needs=("the Kubernetes version",), per_release=False),
        Entry("csi-topology", WARNING, MANUAL, PODS_AND_CONTROLLERS, ("cinder-csi-plugin",), per_release=False),
        Entry("cinder-storage", WARNING, MANUAL, (*STORAGE, *CONTROLLERS), ("cinder", "ReadWriteMany")),
        Entry("csi-release-bug", INFO, MANUAL, ("DaemonSet",), ("-csi-plugin:v",), per_release=False),
        Entry("openshift-managed-key", INFO, SAFE, CONF, (OPENSHIFT,)),
    ),
    "clusterapi": (
        Entry("capi-kubelet-external", ERROR, SAFE, KUBEADM_OWN, per_release=False),
        Entry("capi-apiserver-flag", ERROR, SAFE, KUBEADM_OWN, needs=("the Kubernetes version",), per_release=False),
        Entry("capi-intree", ERROR, UNSAFE, KUBEADM_OWN, needs=("the Kubernetes version",), per_release=False),
        Entry("capi-cloudconf-file", WARNING, SAFE, KUBEADM, per_release=False),
        Entry("capi-sg-nodeports", WARNING, UNSAFE, CONF, ("ovn",)),
        Entry("capi-crs-apply-once", INFO, UNSAFE, ("ClusterResourceSet",), per_release=False),
        Entry("capi-apilb-settings", WARNING, UNSAFE, CAPO, per_release=False),
        Entry("scs-ovn-flags", WARNING, UNSAFE, CONF, (SCS_SCRIPTS,)),
    ),
    "policy": (Entry("profile", WARNING, SAFE, CONF, (REQUIREMENTS,), needs=("a profile",)),),
    "services": (
        Entry("svc-invalid", ERROR, SAFE, SERVICES, per_release=False),
        Entry("svc-pending", ERROR, MANUAL, SERVICES, ("uid",)),
        Entry("svc-sync-failed", ERROR, MANUAL, SERVICES, ("uid",), per_release=False),
        Entry("svc-address-foreign", WARNING, MANUAL, SERVICES, ("uid",), per_release=False),
        Entry("svc-no-endpoints", WARNING, MANUAL, SERVICES, ("uid",), per_release=False),
        Entry("svc-status-differs", INFO, MANUAL, SERVICES, ("uid",), needs=("the cloud.conf",)),
        Entry("svc-foreign-balancer", INFO, MANUAL, SERVICES, ("load-balancer-id",)),
        Entry("svc-annotation-unknown", WARNING, UNSAFE, SERVICES, ("openstack", "loadbalancer.")),
        Entry("svc-annotation-value", WARNING, SAFE, SERVICES),
        Entry("svc-family-subnet", INFO, MANUAL, SERVICES, ("IPv6",), needs=("the cloud.conf",)),
        Entry("svc-timeout-unit", WARNING, MANUAL, SERVICES, ("timeout-",)),
        Entry("svc-ovn-unsupported", WARNING, UNSAFE, SERVICES, needs=("the cloud.conf",)),
        Entry("svc-source-ranges-ignored", WARNING, MANUAL, SERVICES, ("ource",), needs=("the cloud.conf",)),
        Entry("svc-source-ranges-cluster", WARNING, UNSAFE, SERVICES, ("ource",), needs=("the cluster's networks",)),
        Entry("svc-lbip", WARNING, MANUAL, SERVICES, ("loadBalancerIP",)),
        Entry("svc-hcnp-range", WARNING, MANUAL, SERVICES, ("odePort",), per_release=False),
        Entry("svc-no-nodeports", WARNING, UNSAFE, SERVICES, ("allocateLoadBalancerNodePorts",)),
        Entry("svc-loadbalancerclass", INFO, MANUAL, SERVICES, ("loadBalancerClass",)),
        Entry("svc-two-controllers", WARNING, MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-protocol-tcp-only", ERROR, MANUAL, SERVICES, ("UDP", "SCTP", "x-forwarded-for", "default-tls-container-ref")),
        Entry("svc-session-affinity", INFO, MANUAL, SERVICES, ("ClientIP",)),
        Entry("create-body-too-large", WARNING, MANUAL, SERVICES, needs=("the cloud.conf", "the node count", "the Octavia release")),
        Entry("svc-release-bug", WARNING, MANUAL, SERVICES, needs=("the cloud.conf",)),
        Entry("svc-udp-delay", ERROR, MANUAL, SERVICES, ("UDP",), needs=("the cloud.conf",)),
        Entry("svc-annotation-dead", INFO, MANUAL, SERVICES, ("loadbalancer.openstack.org",), needs=("the cloud.conf",)),
        Entry("svc-proxy-and-xff", ERROR, MANUAL, SERVICES, ("x-forwarded-for",)),
        Entry("svc-proxy-udp", ERROR, MANUAL, SERVICES, ("proxy-protocol",)),
        Entry("svc-proxy-one-side", WARNING, MANUAL, SERVICES, per_release=False),
        Entry("svc-l7-port-mix", WARNING, MANUAL, SERVICES, ("proxy-protocol", "x-forwarded-for", "default-tls-container-ref")),
        Entry("svc-l7-monitor-udp", ERROR, MANUAL, SERVICES, ("UDP", "SCTP"), needs=("the cloud.conf",)),
        Entry("svc-tls-ref", WARNING, MANUAL, SERVICES),
        Entry("svc-class", ERROR, UNSAFE, SERVICES, ("loadbalancer.openstack.org/class",), needs=("the cloud.conf",)),
        Entry("svc-shared-lb", ERROR, MANUAL, SERVICES, ("load-balancer-id",)),
        Entry("svc-lbid-in-git", WARNING, UNSAFE, SERVICES, ("load-balancer-id", "load-balancer-address")),
        Entry("svc-ovn-sctp-monitor", ERROR, SAFE, SERVICES, ("SCTP",), needs=("the cloud.conf",)),
        Entry("svc-monitor-unfit", WARNING, UNSAFE, SERVICES, ("Local", "enable-health-monitor"), needs=("the cloud.conf",)),
        Entry("svc-local-no-monitor", WARNING, UNSAFE, SERVICES, ("Local",), needs=("the cloud.conf",)),
        Entry("ovn-udp-local", WARNING, MANUAL, SERVICES, ("UDP",), needs=("the cloud.conf",)),
        Entry("svc-proxy-hairpin", WARNING, MANUAL, SERVICES, ("proxy-protocol",), needs=("the cloud.conf",)),
        Entry("internal-lb-enforced", INFO, MANUAL, SERVICES, ("openstack-internal-load-balancer",), needs=("the cloud.conf",)),
        Entry("svc-refused", ERROR, MANUAL, SERVICES, needs=("the cloud.conf",)),
        Entry("svc-octavia-differs", WARNING, MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-octavia-other-cluster", ERROR, MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-octavia-health", WARNING, MANUAL, SERVICES, ("LoadBalancer",)),
    ),
}  # fmt: skip
"""The rules by group, in the order in which they run; a group is a folder below ``rules/``."""

ENTRIES: dict[str, Entry] = {entry.name: entry for entries in REGISTRY.values() for entry in entries}
"""The rules by name, in the same order."""

UNUSED = Entry("unused-suppression", WARNING, MANUAL, CONF, per_release=False)
"""Reported by `ccmcheck.lint.suppress` itself."""

MANUAL_RULES = frozenset(entry.name for entry in ENTRIES.values() if entry.fix == MANUAL)
"""Rules that never have a fix."""

RULES_WITHOUT_SAFE_FIX = frozenset(entry.name for entry in ENTRIES.values() if entry.fix != SAFE)
"""Those, and the rules whose fixes are all unsafe."""
