"""What Kubernetes itself asks of a Service.

Source: k8s.io/kubernetes 1.36 pkg/apis/core/validation, pkg/registry/core/service, k8s.io/api core/v1 types.go; all of it
was run.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

FIELDS: dict[str, tuple[str, ...]] = {
    where.strip("/"): tuple(fields.split()) for where, fields in read_table(__file__, "kubernetes_service.tsv")
}
"""The fields of a Service by where they stand. Any other is refused by kubectl, and dropped where a client does not ask
for strictness (``fieldValidation``, since 1.25)."""

FORMER_FIELDS: dict[str, dict[str, str]] = {
    "metadata": {"clusterName": "no-cluster-name"},
    "spec": {"deprecatedPublicIPs": "no-public-ips", "ipFamily": "no-ip-family", "topologyKeys": "no-topology-keys"},
}
"""Fields that older versions know, and what of Kubernetes (`ccmcheck.catalog.data.behaviour.KUBERNETES`) ended each."""

SUCCESSORS = {"deprecatedPublicIPs": "externalIPs", "ipFamily": "ipFamilies"}
"""What came in the place of a former field; each is a list."""

WORDS: dict[str, tuple[str, ...]] = {
    "ipFamilyPolicy": ("SingleStack", "PreferDualStack", "RequireDualStack"),
    "internalTrafficPolicy": ("Cluster", "Local"),
    "trafficDistribution": ("PreferClose", "PreferSameZone", "PreferSameNode"),
}
"""What further fields of the spec may say."""

AFFINITY_SECONDS = (1, 86400)
"""The range of ``sessionAffinityConfig.clientIP.timeoutSeconds``."""

DEFAULT_AFFINITY_SECONDS = 10800
"""What Kubernetes writes there into every Service of affinity ClientIP (DefaultClientIPServiceAffinitySeconds)."""

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
PORT_NAME_LENGTH = 15
"""Characters of a name's part, of a prefix, and of a port's name that ``targetPort`` says."""

ANNOTATION_BYTES = 256 * 1024
"""All annotations of an object together, names and values."""
