"""The rules: one file each, in folders by what they are about, and the explicit list of them.

A rule is added by writing its file and naming it here; nothing is discovered.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ccmcheck.rules.base import Rule

GROUPS: dict[str, tuple[str, ...]] = {
    "syntax": (
        "not-a-cloud-conf",
        "placeholder-left",
        "gcfg-illegal-bytes",
        "gcfg-section-header",
        "gcfg-illegal-key-char",
        "gcfg-quoting",
        "gcfg-blank-value",
        "gcfg-single-quotes",
        "gcfg-comment-in-value",
        "gcfg-line-continuation",
        "gcfg-duplicate-key",
        "gcfg-list-in-one-value",
    ),
    "names": (
        "unknown-section",
        "unknown-key",
        "key-in-wrong-section",
        "annotation-name-as-key",
        "openrc-name-as-key",
        "key-too-new",
        "key-removed",
        "lbclass-foreign-key",
        "in-tree-unknown-key",
    ),
    "values": (
        "duration-bad",
        "duration-range",
        "bool-bad",
        "uint-bad",
        "enum-bad",
        "tls-insecure-not-true",
        "id-not-uuid",
        "lb-provider-unknown",
        "lb-version-not-v2",
        "node-selector-syntax",
        "csi-shared-file",
        "upgrade-turns-fatal",
    ),
    "loadbalancer": (
        "no-loadbalancer-section",
        "create-monitor-implicit",
        "create-monitor-recommended",
        "monitor-timers-dead",
        "monitor-timers-missing-legacy",
        "monitor-timeout-ge-delay",
        "monitor-range",
        "monitor-retries-down-zero",
        "monitor-slow-for-local",
        "monitor-probe-budget",
        "monitor-occm-1230",
        "monitor-serial-local",
        "ovn-http-monitor-loop",
        "ovn-lb-method",
        "ovn-ignored-keys",
        "amphora-source-ip-port",
        "ovn-no-security-group",
        "manage-sg-release",
        "subnet-id-dualstack",
        "ingress-hostname-obsolete",
    ),
    "auth": (
        "auth-incomplete",
        "auth-mixed",
        "auth-password",
        "auth-url-form",
        "tls-insecure-on",
        "ca-file-unmounted",
        "use-clouds-incomplete",
        "use-clouds-hides-error",
        "secret-in-configmap",
    ),
    "objects": (
        "secret-key-name",
        "secret-wrong-place",
        "secret-base64",
        "secret-immutable",
        "secret-type",
        "config-no-rollout",
        "helm-value-type",
        "ccm-mount",
        "cluster-name-default",
        "ccm-image-skew",
        "ccm-tolerations",
        "openshift-managed-key",
    ),
    "clusterapi": (
        "capi-kubelet-external",
        "capi-apiserver-flag",
        "capi-intree",
        "capi-cloudconf-file",
        "capi-sg-nodeports",
        "capi-crs-apply-once",
        "capi-apilb-ovn",
        "scs-ovn-flags",
    ),
    "policy": ("profile",),
    "services": (
        "svc-invalid",
        "svc-annotation-unknown",
        "svc-annotation-value",
        "svc-timeout-unit",
        "svc-ovn-unsupported",
        "svc-source-ranges-ignored",
        "svc-source-ranges-cluster",
        "svc-lbip",
        "svc-hcnp-range",
        "svc-no-nodeports",
        "svc-loadbalancerclass",
        "svc-session-affinity",
        "create-body-too-large",
        "svc-udp-delay",
        "svc-annotation-dead",
        "svc-proxy-and-xff",
        "svc-proxy-udp",
        "svc-l7-port-mix",
        "svc-l7-monitor-udp",
        "svc-tls-ref",
        "svc-class",
        "svc-shared-lb",
        "svc-lbid-in-git",
        "svc-ovn-sctp-monitor",
        "svc-monitor-unfit",
        "svc-local-no-monitor",
        "ovn-udp-local",
        "svc-proxy-hairpin",
        "internal-lb-enforced",
    ),
}

GROUP_OF: dict[str, str] = {name: group for group, names in GROUPS.items() for name in names}
"""The folder of each rule; its keys are all rule names in the order in which they run."""


@cache
def rule(name: str) -> Rule:
    """Load one rule.

    Args:
        name: A name in ``GROUP_OF``.

    Returns:
        Its module.

    Raises:
        KeyError: There is no rule of that name.
    """
    return cast("Rule", import_module(f"ccmcheck.rules.{GROUP_OF[name]}.{name.replace('-', '_')}"))
