"""The registry of rules: one line a rule, with everything that must be known before its file is loaded.

A rule is added by its file, ``rules/GROUP/NAME.py``, and its line here; nothing is discovered. The line holds the name,
what its fixes are, what it is about, and the triggers without one of which it has nothing to report: a correct
cloud.conf of ten keys triggers a third of the rules, and the others are neither loaded nor run. A rule without triggers
always runs. ``tests/rules/test_registry.py`` holds the lines against the files.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.cluster import TYPED_SECRETS


class Entry(NamedTuple):
    """One rule.

    Attributes:
        name: Its name, ``duration-bad``; its file is ``duration_bad.py``.
        fix: ``safe`` where at least one of its fixes is, ``unsafe`` where all of them are, ``manual`` where it has none.
        kinds: The kinds of Kubernetes objects that it is about; empty for a rule about a cloud.conf.
        triggers: It can only report something where one of these is present; empty where it always runs. About a
            cloud.conf: a condition below, a behaviour (`behaviour`), or a word of the text or of a value, in lower case.
            About an object: a condition on the run, or a word of the object's text, case-sensitive.
    """

    name: str
    fix: str
    kinds: tuple[str, ...]
    triggers: tuple[str, ...] = ()


SAFE = "safe"
UNSAFE = "unsafe"
MANUAL = "manual"

CONF: tuple[str, ...] = ()
"""A rule about a cloud.conf."""
CONFIG_OBJECTS = ("Secret", "ConfigMap")
CONTROLLERS = ("DaemonSet", "Deployment", "StatefulSet")
PODS_AND_CONTROLLERS = (*CONTROLLERS, "Pod")
KUBEADM = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate", "KubeadmConfig", "KubeadmConfigTemplate")
NODES = ("Node",)
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
    READER_ERROR,
    IGNORED_NAME,
    NON_ASCII,
    CHART_VALUES,
    OPENSHIFT,
    SCS_SCRIPTS,
    IN_TREE,
    READABLE_OBJECT,
    TEMPLATE,
    NO_VALUE,
    REPEATED,
    NO_CREATE_MONITOR,
    MONITOR_OFF,
    NO_TIMERS,
)
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
        Entry("not-a-cloud-conf", SAFE, CONF, (READER_ERROR,)),
        Entry("template-broken", MANUAL, CONF, (TEMPLATE,)),
        Entry("placeholder-left", MANUAL, CONF),
        Entry("gcfg-illegal-bytes", SAFE, CONF, (READER_ERROR, NON_ASCII, "\x0b", "\x0c")),
        Entry("gcfg-section-header", SAFE, CONF, (READER_ERROR, "loadbalancerclass")),
        Entry("gcfg-illegal-key-char", SAFE, CONF, (READER_ERROR,)),
        Entry("gcfg-quoting", UNSAFE, CONF, (READER_ERROR,)),
        Entry("gcfg-blank-value", SAFE, CONF, (READER_ERROR, NO_VALUE)),
        Entry("gcfg-single-quotes", UNSAFE, CONF, ("'",)),
        Entry("gcfg-comment-in-value", UNSAFE, CONF, ("#", ";")),
        Entry("gcfg-line-continuation", MANUAL, CONF, ("\\",)),
        Entry("gcfg-duplicate-key", SAFE, CONF, (REPEATED,)),
        Entry("gcfg-list-in-one-value", UNSAFE, CONF, ("network-name",)),
    ),
    "names": (
        Entry("unknown-section", UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("unknown-key", UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("key-in-wrong-section", UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("annotation-name-as-key", UNSAFE, CONF, (IGNORED_NAME,)),
        Entry("openrc-name-as-key", SAFE, CONF, (IGNORED_NAME,)),
        Entry("key-too-new", MANUAL, CONF, (IGNORED_NAME,)),
        Entry("key-removed", SAFE, CONF, (IGNORED_NAME,)),
        Entry("lbclass-foreign-key", MANUAL, CONF, (IGNORED_NAME,)),
        Entry("in-tree-unknown-key", UNSAFE, CONF, (IN_TREE,)),
    ),
    "values": (
        Entry("duration-bad", SAFE, CONF, (READER_ERROR,)),
        Entry("duration-range", UNSAFE, CONF, ("monitor-delay", "monitor-timeout")),
        Entry("bool-bad", SAFE, CONF, (READER_ERROR,)),
        Entry("uint-bad", MANUAL, CONF, (READER_ERROR, "monitor-max-retries", "max-shared-lb")),
        Entry(
            "enum-bad", SAFE, CONF, (READER_ERROR, "lb-method", "search-order", "os-endpoint-type", "container-store")
        ),
        Entry("tls-insecure-not-true", UNSAFE, CONF, ("insecure",)),
        Entry("id-not-uuid", MANUAL, CONF, ("-id",)),
        Entry("lb-provider-unknown", SAFE, CONF, ("lb-provider",)),
        Entry("lb-version-not-v2", SAFE, CONF, ("lb-version",)),
        Entry("node-selector-syntax", MANUAL, CONF, ("node-selector",)),
        Entry("csi-shared-file", MANUAL, CONF, (READER_ERROR,)),
        Entry("upgrade-turns-fatal", MANUAL, CONF, (IGNORED_NAME,)),
    ),
    "loadbalancer": (
        Entry("no-loadbalancer-section", UNSAFE, CONF, (behaviour("load-balancers-need-a-key"),)),
        Entry("create-monitor-implicit", UNSAFE, CONF, (NO_CREATE_MONITOR,)),
        Entry("create-monitor-recommended", UNSAFE, CONF, (MONITOR_OFF,)),
        Entry("create-monitor-not-applied", MANUAL, CONF, (LIVE,)),
        Entry("monitor-timers-dead", UNSAFE, CONF, (MONITOR_OFF,)),
        Entry("monitor-timers-missing-legacy", SAFE, CONF, (NO_TIMERS,)),
        Entry("monitor-timeout-ge-delay", UNSAFE, CONF, ("monitor-timeout", "monitor-delay")),
        Entry("monitor-range", UNSAFE, CONF, ("monitor-max-retries",)),
        Entry("monitor-retries-down-zero", SAFE, CONF, ("monitor-max-retries-down",)),
        Entry("monitor-slow-for-local", UNSAFE, CONF, ("monitor-",)),
        Entry("monitor-probe-budget", UNSAFE, CONF, ("create-monitor",)),
        Entry("monitor-occm-1230", MANUAL, CONF, (behaviour("monitor-port-lost"),)),
        Entry("monitor-serial-local", MANUAL, CONF, ("provider-requires-serial-api-calls",)),
        Entry("ovn-http-monitor-loop", UNSAFE, CONF, ("ovn",)),
        Entry("ovn-lb-method", SAFE, CONF, ("ovn",)),
        Entry("ovn-ignored-keys", UNSAFE, CONF, ("ovn",)),
        Entry("amphora-source-ip-port", UNSAFE, CONF, ("source_ip_port",)),
        Entry("ovn-no-security-group", UNSAFE, CONF, ("ovn",)),
        Entry("manage-sg-release", MANUAL, CONF, ("manage-security-groups",)),
        Entry("subnet-id-dualstack", MANUAL, CONF, ("address-sort-order",)),
        Entry("ingress-hostname-obsolete", UNSAFE, CONF, ("enable-ingress-hostname",)),
    ),
    "auth": (
        Entry("auth-incomplete", MANUAL, CONF),
        Entry("auth-mixed", UNSAFE, CONF, ("application-credential",)),
        Entry("auth-password", MANUAL, CONF, ("password",)),
        Entry("auth-url-form", SAFE, CONF),
        Entry("tls-insecure-on", MANUAL, CONF, ("insecure",)),
        Entry("ca-file-unmounted", MANUAL, CONF, ("-file",)),
        Entry("use-clouds-incomplete", MANUAL, CONF, ("use-clouds",)),
        Entry("use-clouds-hides-error", MANUAL, CONF, (READER_ERROR,)),
        Entry("secret-in-configmap", MANUAL, CONF, (READABLE_OBJECT,)),
    ),
    "objects": (
        Entry("secret-key-name", SAFE, CONFIG_OBJECTS, (WORKLOADS,)),
        Entry("secret-wrong-place", UNSAFE, CONFIG_OBJECTS, (WORKLOADS,)),
        Entry("secret-base64", SAFE, ("Secret",)),
        Entry("secret-immutable", MANUAL, CONFIG_OBJECTS, ("immutable",)),
        Entry("secret-type", SAFE, ("Secret",), (RESOURCE_SETS, *TYPED_SECRETS)),
        Entry("config-no-rollout", UNSAFE, CONTROLLERS),
        Entry("helm-section-name", MANUAL, CONF, (CHART_VALUES,)),
        Entry("helm-value-type", UNSAFE, CONF, (CHART_VALUES,)),
        Entry("ccm-mount", SAFE, PODS_AND_CONTROLLERS),
        Entry("cluster-name-default", UNSAFE, PODS_AND_CONTROLLERS),
        Entry("cluster-name-shared", MANUAL, PODS_AND_CONTROLLERS),
        Entry("ccm-image-skew", MANUAL, PODS_AND_CONTROLLERS),
        Entry("ccm-tolerations", SAFE, CONTROLLERS),
        Entry("ccm-not-alone", MANUAL, PODS_AND_CONTROLLERS),
        Entry("ccm-not-running", MANUAL, PODS_AND_CONTROLLERS, (LIVE,)),
        Entry("annotation-misplaced", MANUAL, PODS_AND_CONTROLLERS),
        Entry("ccm-restart-needed", MANUAL, CONFIG_OBJECTS, (LIVE,)),
        Entry("node-no-member", MANUAL, NODES),
        Entry("openshift-managed-key", SAFE, CONF, (OPENSHIFT,)),
    ),
    "clusterapi": (
        Entry("capi-kubelet-external", SAFE, KUBEADM),
        Entry("capi-apiserver-flag", SAFE, KUBEADM),
        Entry("capi-intree", UNSAFE, KUBEADM),
        Entry("capi-cloudconf-file", SAFE, KUBEADM),
        Entry("capi-sg-nodeports", UNSAFE, CONF, ("ovn",)),
        Entry("capi-crs-apply-once", UNSAFE, ("ClusterResourceSet",)),
        Entry("capi-apilb-ovn", MANUAL, ("OpenStackCluster", "OpenStackClusterTemplate")),
        Entry("capi-apilb-settings", UNSAFE, ("OpenStackCluster", "OpenStackClusterTemplate")),
        Entry("scs-ovn-flags", UNSAFE, CONF, (SCS_SCRIPTS,)),
    ),
    "policy": (Entry("profile", SAFE, CONF, (REQUIREMENTS,)),),
    "services": (
        Entry("svc-invalid", SAFE, SERVICES),
        Entry("svc-pending", MANUAL, SERVICES, ("uid",)),
        Entry("svc-sync-failed", MANUAL, SERVICES, ("uid",)),
        Entry("svc-address-foreign", MANUAL, SERVICES, ("uid",)),
        Entry("svc-no-endpoints", MANUAL, SERVICES, ("uid",)),
        Entry("svc-status-differs", MANUAL, SERVICES, ("uid",)),
        Entry("svc-foreign-balancer", MANUAL, SERVICES, ("load-balancer-id",)),
        Entry("svc-annotation-unknown", UNSAFE, SERVICES, ("openstack", "loadbalancer.")),
        Entry("svc-annotation-value", SAFE, SERVICES),
        Entry("svc-timeout-unit", MANUAL, SERVICES, ("timeout-",)),
        Entry("svc-ovn-unsupported", UNSAFE, SERVICES),
        Entry("svc-source-ranges-ignored", MANUAL, SERVICES, ("ource",)),
        Entry("svc-source-ranges-cluster", UNSAFE, SERVICES, ("ource",)),
        Entry("svc-lbip", MANUAL, SERVICES, ("loadBalancerIP",)),
        Entry("svc-hcnp-range", MANUAL, SERVICES, ("odePort",)),
        Entry("svc-no-nodeports", UNSAFE, SERVICES, ("allocateLoadBalancerNodePorts",)),
        Entry("svc-loadbalancerclass", MANUAL, SERVICES, ("loadBalancerClass",)),
        Entry("svc-two-controllers", MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-protocol-tcp-only", MANUAL, SERVICES, ("UDP", "SCTP")),
        Entry("svc-session-affinity", MANUAL, SERVICES, ("ClientIP",)),
        Entry("create-body-too-large", MANUAL, SERVICES),
        Entry("svc-udp-delay", MANUAL, SERVICES, ("UDP",)),
        Entry("svc-annotation-dead", MANUAL, SERVICES, ("loadbalancer.openstack.org",)),
        Entry("svc-proxy-and-xff", MANUAL, SERVICES, ("x-forwarded-for",)),
        Entry("svc-proxy-udp", MANUAL, SERVICES, ("proxy-protocol",)),
        Entry("svc-l7-port-mix", MANUAL, SERVICES, ("proxy-protocol", "x-forwarded-for", "default-tls-container-ref")),
        Entry("svc-l7-monitor-udp", MANUAL, SERVICES, ("UDP", "SCTP")),
        Entry("svc-tls-ref", MANUAL, SERVICES),
        Entry("svc-class", UNSAFE, SERVICES, ("loadbalancer.openstack.org/class",)),
        Entry("svc-shared-lb", MANUAL, SERVICES, ("load-balancer-id",)),
        Entry("svc-lbid-in-git", UNSAFE, SERVICES, ("load-balancer-id", "load-balancer-address")),
        Entry("svc-ovn-sctp-monitor", SAFE, SERVICES, ("SCTP",)),
        Entry("svc-monitor-unfit", UNSAFE, SERVICES, ("Local", "enable-health-monitor")),
        Entry("svc-local-no-monitor", UNSAFE, SERVICES, ("Local",)),
        Entry("ovn-udp-local", MANUAL, SERVICES, ("UDP",)),
        Entry("svc-proxy-hairpin", MANUAL, SERVICES, ("proxy-protocol",)),
        Entry("internal-lb-enforced", MANUAL, SERVICES, ("openstack-internal-load-balancer",)),
        Entry("svc-octavia-differs", MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-octavia-other-cluster", MANUAL, SERVICES, ("LoadBalancer",)),
        Entry("svc-octavia-health", MANUAL, SERVICES, ("LoadBalancer",)),
    ),
}
"""The rules by group, in the order in which they run; a group is a folder below ``rules/``."""

ENTRIES: dict[str, Entry] = {entry.name: entry for entries in REGISTRY.values() for entry in entries}
"""The rules by name, in the same order."""

MANUAL_RULES = frozenset(entry.name for entry in ENTRIES.values() if entry.fix == MANUAL)
"""Rules that never have a fix."""

RULES_WITHOUT_SAFE_FIX = frozenset(entry.name for entry in ENTRIES.values() if entry.fix != SAFE)
"""Those, and the rules whose fixes are all unsafe."""
