"""When a rule can speak at all, told without loading its file.

A right cloud.conf of ten keys concerns a third of the rules. The others are neither loaded nor asked, which is most of
what starting up costs. A rule that is not named here is asked about every text; a test holds that no rule is silenced.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.conf.view import CloudConf

ERRORS = "\0errors"
"""The reader stops somewhere."""
IGNORED = "\0ignored"
"""The release ignores a name."""
NOT_ASCII = "\0not ascii"
CHART = "\0chart"
"""The text is rendered from the chart's values."""
OPENSHIFT = "\0openshift"
"""OpenShift's operator rewrites the text."""
SCRIPTS = "\0scripts"
"""The run has settings of the Sovereign Cloud Stack's scripts."""
WISHES = "\0wishes"
"""The run has a profile that wants something."""

WORDS: dict[str, tuple[str, ...]] = {
    "not-a-cloud-conf": (ERRORS,),
    "gcfg-illegal-bytes": (ERRORS, NOT_ASCII, "\x0b", "\x0c"),
    "gcfg-section-header": (ERRORS, "loadbalancerclass"),
    "gcfg-illegal-key-char": (ERRORS,),
    "gcfg-quoting": (ERRORS,),
    "gcfg-single-quotes": ("'",),
    "gcfg-comment-in-value": ("#", ";"),
    "gcfg-line-continuation": ("\\",),
    "gcfg-list-in-one-value": ("network-name",),
    "unknown-section": (IGNORED,),
    "unknown-key": (IGNORED,),
    "key-in-wrong-section": (IGNORED,),
    "annotation-name-as-key": (IGNORED,),
    "openrc-name-as-key": (IGNORED,),
    "key-too-new": (IGNORED,),
    "key-removed": (IGNORED,),
    "lbclass-foreign-key": (IGNORED,),
    "duration-bad": (ERRORS,),
    "duration-range": ("monitor-delay", "monitor-timeout"),
    "bool-bad": (ERRORS,),
    "uint-bad": (ERRORS, "monitor-max-retries", "max-shared-lb"),
    "enum-bad": (ERRORS, "lb-method", "search-order", "os-endpoint-type", "container-store"),
    "tls-insecure-not-true": ("insecure",),
    "id-not-uuid": ("-id",),
    "lb-provider-unknown": ("lb-provider",),
    "lb-version-not-v2": ("lb-version",),
    "node-selector-syntax": ("node-selector",),
    "csi-shared-file": (ERRORS,),
    "upgrade-turns-fatal": (IGNORED,),
    "create-monitor-recommended": ("create-monitor",),
    "monitor-timers-dead": ("monitor-",),
    "monitor-timers-missing-legacy": ("create-monitor",),
    "monitor-timeout-ge-delay": ("monitor-timeout", "monitor-delay"),
    "monitor-range": ("monitor-max-retries",),
    "monitor-retries-down-zero": ("monitor-max-retries-down",),
    "monitor-slow-for-local": ("monitor-",),
    "monitor-probe-budget": ("create-monitor",),
    "monitor-occm-1230": ("create-monitor",),
    "monitor-serial-local": ("provider-requires-serial-api-calls",),
    "ovn-http-monitor-loop": ("ovn",),
    "ovn-lb-method": ("ovn",),
    "ovn-ignored-keys": ("ovn",),
    "amphora-source-ip-port": ("lb-method",),
    "ovn-no-security-group": ("ovn",),
    "manage-sg-release": ("manage-security-groups",),
    "subnet-id-dualstack": ("address-sort-order",),
    "ingress-hostname-obsolete": ("enable-ingress-hostname",),
    "auth-mixed": ("application-credential",),
    "auth-password": ("password",),
    "tls-insecure-on": ("insecure",),
    "ca-file-unmounted": ("-file",),
    "use-clouds-incomplete": ("use-clouds",),
    "use-clouds-hides-error": (ERRORS,),
    "helm-value-type": (CHART,),
    "openshift-managed-key": (OPENSHIFT,),
    "capi-sg-nodeports": ("ovn",),
    "scs-ovn-flags": (SCRIPTS,),
    "profile": (WISHES,),
}
"""For a rule about a cloud.conf, what one of must be there: a word of the text in lower case, or a sign above."""

_WORKLOADS = ("DaemonSet", "Deployment", "StatefulSet")
_HOLDERS = ("Secret", "ConfigMap")

_MACHINES = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate", "KubeadmConfig", "KubeadmConfigTemplate")
SERVICE = "Service"
KINDS: dict[str, tuple[str, ...]] = {
    "secret-key-name": _HOLDERS,
    "secret-wrong-place": _HOLDERS,
    "secret-base64": ("Secret",),
    "secret-immutable": _HOLDERS,
    "secret-type": ("Secret",),
    "config-no-rollout": _WORKLOADS,
    "ccm-mount": (*_WORKLOADS, "Pod"),
    "cluster-name-default": (*_WORKLOADS, "Pod"),
    "ccm-image-skew": (*_WORKLOADS, "Pod"),
    "ccm-tolerations": _WORKLOADS,
    "capi-kubelet-external": _MACHINES,
    "capi-apiserver-flag": _MACHINES,
    "capi-intree": _MACHINES,
    "capi-cloudconf-file": _MACHINES,
    "capi-crs-apply-once": ("ClusterResourceSet",),
    "capi-apilb-ovn": ("OpenStackCluster", "OpenStackClusterTemplate"),
    "svc-proxy-and-xff": (SERVICE,),
    "svc-proxy-udp": (SERVICE,),
    "svc-l7-port-mix": (SERVICE,),
    "svc-l7-monitor-udp": (SERVICE,),
    "svc-tls-ref": (SERVICE,),
    "svc-class": (SERVICE,),
    "svc-shared-lb": (SERVICE,),
    "svc-lbid-in-git": (SERVICE,),
    "svc-ovn-sctp-monitor": (SERVICE,),
    "svc-monitor-unfit": (SERVICE,),
    "svc-annotation-unknown": (SERVICE,),
    "svc-annotation-value": (SERVICE,),
    "svc-invalid": (SERVICE,),
    "svc-timeout-unit": (SERVICE,),
    "svc-ovn-unsupported": (SERVICE,),
    "svc-source-ranges-ignored": (SERVICE,),
    "svc-hcnp-range": (SERVICE,),
    "svc-no-nodeports": (SERVICE,),
    "svc-loadbalancerclass": (SERVICE,),
    "svc-session-affinity": (SERVICE,),
    "svc-source-ranges-cluster": (SERVICE,),
    "svc-lbip": (SERVICE,),
    "create-body-too-large": (SERVICE,),
    "svc-udp-delay": (SERVICE,),
    "svc-annotation-dead": (SERVICE,),
    "svc-local-no-monitor": (SERVICE,),
    "ovn-udp-local": (SERVICE,),
    "svc-proxy-hairpin": (SERVICE,),
    "internal-lb-enforced": (SERVICE,),
}
"""For a rule about Kubernetes objects, their kinds, as its ``META`` has them; all others are about a cloud.conf."""

SERVICE_WORDS: dict[str, tuple[str, ...]] = {
    "svc-proxy-and-xff": ("x-forwarded-for",),
    "svc-proxy-udp": ("proxy-protocol",),
    "svc-l7-port-mix": ("proxy-protocol", "x-forwarded-for", "default-tls-container-ref"),
    "svc-l7-monitor-udp": ("UDP", "SCTP"),
    "svc-class": ("loadbalancer.openstack.org/class",),
    "svc-shared-lb": ("load-balancer-id",),
    "svc-lbid-in-git": ("load-balancer-id", "load-balancer-address"),
    "svc-ovn-sctp-monitor": ("SCTP",),
    "svc-monitor-unfit": ("Local", "enable-health-monitor"),
    "svc-annotation-unknown": (
        "openstack",
        "loadbalancer.",
    ),
    "svc-timeout-unit": ("timeout-",),
    "svc-source-ranges-ignored": ("ource",),
    "svc-hcnp-range": ("odePort",),
    "svc-no-nodeports": ("allocateLoadBalancerNodePorts",),
    "svc-loadbalancerclass": ("loadBalancerClass",),
    "svc-session-affinity": ("ClientIP",),
    "svc-source-ranges-cluster": ("ource",),
    "svc-lbip": ("loadBalancerIP",),
    "svc-udp-delay": ("UDP",),
    "svc-annotation-dead": ("loadbalancer.openstack.org",),
    "svc-local-no-monitor": ("Local",),
    "ovn-udp-local": ("UDP",),
    "svc-proxy-hairpin": ("proxy-protocol",),
    "internal-lb-enforced": ("openstack-internal-load-balancer",),
}
"""For a rule about Services, what one of must be in the Service's text, as it is spelt there; others are always asked."""

WITHOUT_FIXES = frozenset(
    {
        "placeholder-left",
        "gcfg-line-continuation",
        "key-too-new",
        "lbclass-foreign-key",
        "uint-bad",
        "id-not-uuid",
        "node-selector-syntax",
        "csi-shared-file",
        "upgrade-turns-fatal",
        "monitor-occm-1230",
        "monitor-serial-local",
        "manage-sg-release",
        "subnet-id-dualstack",
        "auth-incomplete",
        "auth-password",
        "tls-insecure-on",
        "ca-file-unmounted",
        "use-clouds-incomplete",
        "use-clouds-hides-error",
        "secret-in-configmap",
        "secret-immutable",
        "capi-apilb-ovn",
    }
)
"""Rules that never have a fix, as their cases and their code show; who only fixes need not ask them."""

WITHOUT_SAFE_FIXES = WITHOUT_FIXES | frozenset(
    {
        "gcfg-quoting",
        "gcfg-single-quotes",
        "gcfg-comment-in-value",
        "gcfg-list-in-one-value",
        "unknown-section",
        "unknown-key",
        "key-in-wrong-section",
        "annotation-name-as-key",
        "in-tree-unknown-key",
        "duration-range",
        "tls-insecure-not-true",
        "no-loadbalancer-section",
        "create-monitor-implicit",
        "create-monitor-recommended",
        "monitor-timers-dead",
        "monitor-timeout-ge-delay",
        "monitor-range",
        "monitor-slow-for-local",
        "monitor-probe-budget",
        "ovn-http-monitor-loop",
        "ovn-ignored-keys",
        "amphora-source-ip-port",
        "ingress-hostname-obsolete",
        "auth-mixed",
        "helm-value-type",
        "scs-ovn-flags",
    }
)
"""Those, and the ones whose fixes are all unsafe."""

_SIGNS = (ERRORS, IGNORED, NOT_ASCII, CHART, OPENSHIFT, SCRIPTS, WISHES)
_WORDS = tuple(sorted({word for words in WORDS.values() for word in words}.difference(_SIGNS)))


def concerned(names: tuple[str, ...], conf: CloudConf) -> tuple[str, ...]:
    """The rules that can speak of one cloud.conf, in their order.

    Args:
        names: The rules that run.
        conf: The cloud.conf.
    """
    text = conf.document.text
    folded = text.lower() if text.isascii() else text.casefold()
    carried = conf.carried
    layers = carried.stack.layers
    signs = (
        bool(conf.reading.stops),
        _ignores(conf),
        not text.isascii(),
        bool(layers) and layers[-1].kind == "Helm values",
        carried.dialect == "openshift",
        bool(conf.bundle.switches),
        bool(conf.bundle.requirements),
    )
    there = [word for word in _WORDS if word in folded]
    there += [sign for sign, shows in zip(_SIGNS, signs, strict=True) if shows]
    return _triggered(names, tuple(there))


def concerned_by_service(names: Sequence[str], text: str) -> tuple[str, ...]:
    """The rules that can speak of one Service, in their order.

    Args:
        names: The rules that run.
        text: The Service's text.
    """
    if "\\" in text or "*" in text:  # a word may be written in escapes, or stand where an alias leads
        return tuple(names)
    return tuple(
        name for name in names if name not in SERVICE_WORDS or any(word in text for word in SERVICE_WORDS[name])
    )


@lru_cache(maxsize=64)
def others(names: tuple[str, ...], without: frozenset[str]) -> tuple[str, ...]:
    """Some rules without others, in their order.

    Args:
        names: The rules.
        without: Those to leave out.
    """
    return tuple(name for name in names if name not in without)


@lru_cache(maxsize=256)
def _triggered(names: tuple[str, ...], there: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some rules that one of some words and signs triggers; most files of a run have the same words."""
    words = frozenset(there)
    return tuple(name for name in names if name not in WORDS or not words.isdisjoint(WORDS[name]))


def _ignores(conf: CloudConf) -> bool:
    """Whether the release ignores a section or a key of the file."""
    by_name = conf.schema.section
    for section in conf.sections:
        spec = by_name(section.name)
        if spec is None or (section.subsection is not None and not spec.is_map):
            return True
    return any(item.spec is None for item in conf.items)
