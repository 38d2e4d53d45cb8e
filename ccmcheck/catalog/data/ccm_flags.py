"""What the flags of the CCM are where they are not given.

Source: ``openstack-cloud-controller-manager --help`` of v1.31.2 and v1.36.0, which agree: k8s.io/cloud-provider
app/options, k8s.io/component-base and pkg/client of cloud-provider-openstack.
"""

from __future__ import annotations

SERVICE_CONTROLLER = ("service", "service-lb-controller")
"""What ``--controllers`` calls the one that makes load balancers: its alias and, since Kubernetes 1.27, its name.

Source: k8s.io/cloud-provider names/controller_names.go; app/controllermanager.go IsControllerEnabled
"""

SWITCHES = frozenset(
    {
        "allocate-node-cidrs", "authentication-skip-lookup", "authentication-tolerate-lookup-failure",
        "configure-cloud-routes", "contention-profiling", "disable-http2-serving", "enable-leader-migration",
        "leader-elect", "log-text-split-stream", "permit-address-sharing", "permit-port-sharing", "profiling",
        "use-service-account-credentials", "webhook-disable-http2-serving",
    }
)  # fmt: skip
"""Flags that are true where they have no value; the next argument is never theirs."""

DURATIONS = frozenset(
    {
        "authentication-token-webhook-cache-ttl", "authorization-webhook-cache-authorized-ttl",
        "authorization-webhook-cache-unauthorized-ttl", "controller-start-interval", "leader-elect-lease-duration",
        "leader-elect-renew-deadline", "leader-elect-retry-period", "log-flush-frequency", "min-resync-period",
        "node-monitor-period", "node-status-update-frequency", "route-reconciliation-period",
    }
)  # fmt: skip
"""Flags whose values Go reads as durations."""

LISTS = frozenset(
    {
        "authorization-always-allow-paths", "controllers", "feature-gates", "requestheader-allowed-names",
        "requestheader-extra-headers-prefix", "requestheader-group-headers", "requestheader-uid-headers",
        "requestheader-username-headers",
        "tls-cipher-suites", "user-agent", "webhook-tls-cipher-suites", "webhooks",
    }
)  # fmt: skip
"""Flags with values between commas, which add up where the flag comes several times; their order plays no part."""

DEFAULTS: dict[str, str] = {
    "authentication-token-webhook-cache-ttl": "10s",
    "authorization-always-allow-paths": "/healthz,/readyz,/livez",
    "authorization-webhook-cache-authorized-ttl": "10s",
    "authorization-webhook-cache-unauthorized-ttl": "10s",
    "bind-address": "0.0.0.0",  # noqa: S104 - the CCM's, not ours
    "cidr-allocator-type": "RangeAllocator",
    "cluster-name": "kubernetes",
    "concurrent-node-syncs": "1",
    "concurrent-service-syncs": "1",
    "configure-cloud-routes": "true",
    "controller-start-interval": "0s",
    "controllers": "*",
    "kube-api-burst": "30",
    "kube-api-content-type": "application/vnd.kubernetes.protobuf",
    "kube-api-qps": "20",
    "leader-elect": "true",
    "leader-elect-lease-duration": "15s",
    "leader-elect-renew-deadline": "10s",
    "leader-elect-resource-lock": "leases",
    "leader-elect-resource-name": "cloud-controller-manager",
    "leader-elect-resource-namespace": "kube-system",
    "leader-elect-retry-period": "2s",
    "log-flush-frequency": "5s",
    "logging-format": "text",
    "min-resync-period": "12h0m0s",
    "node-monitor-period": "5s",
    "node-status-update-frequency": "5m0s",
    "profiling": "true",
    "requestheader-extra-headers-prefix": "x-remote-extra-",
    "requestheader-group-headers": "x-remote-group",
    "requestheader-username-headers": "x-remote-user",
    "route-reconciliation-period": "10s",
    "secure-port": "10258",
    "v": "0",
    "webhook-bind-address": "0.0.0.0",  # noqa: S104 - the CCM's, not ours
    "webhook-secure-port": "10260",
}
"""The value of a flag that is not given; a switch that is not here is false, any other flag empty."""
