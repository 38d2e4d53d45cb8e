"""Which names hold secrets, and which hold values that everybody may see."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.suggest import distance, letters_of
from ccmcheck.catalog.secrets import SECRET_KEYS
from ccmcheck.redact.folding import fold, fold_digits

SENSITIVE = (
    r"pass(?:word|wd|phrase|code)|pswd|psswd|passw|passkey|(?<![a-z])pass(?![a-z])|(?-i:(?<=[a-z])Pass(?![a-z]))"
    r"|pwd|(?<![a-z])pw(?![a-z])|token|(?<![a-z])(?:psk|otp|pin|jwt|bearer|cookie|trust[-_]?ids?)(?![a-z])"
    r"|(?:private|api|access|auth|certificate|encryption|signing|shared|storage|master)[-_. ]?keys?(?![a-z])"
    r"|credentials?(?![-_. ]?(?:id|name|ref|type))"
    r"|secret(?![-_. ]?(?:name|namespace|ref|type|id\b))"
)
"""What is in the name of a secret, whatever its case: the source of a regular expression."""
SENSITIVE_STARTS = (
    *(
        "pass",
        "ps",
        "pw",
        "token",
        "otp",
        "pin",
        "jwt",
        "bearer",
        "cookie",
        "trust",
        "private",
        "api",
        "access",
        "auth",
    ),
    *("certificate", "encryption", "signing", "shared", "storage", "master", "credential", "secret"),
)
"""How each alternative of `SENSITIVE` begins, in lower case."""
SECRET_WORD = lazy_regex(SENSITIVE, re.IGNORECASE)
_CAMEL = lazy_regex(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = lazy_regex(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_MISSPELT = (
    ("password", 2),
    ("passphrase", 2),
    ("passwd", 1),
    ("token", 1),
    ("secret", 1),
    ("trusteepassword", 2),
    ("applicationcredentialsecret", 3),
)
"""Names of secrets, and how many edits away a word still means one: `server` is two from `secret`."""
_MISSPELT_LETTERS = tuple((meant, len(meant), limit, letters_of(meant)) for meant, limit in _MISSPELT)
_OTHER_WORDS = frozenset({"taken", "broken", "secret", "secrets", "tokens"})
"""What is near such a name and is none; `secret` itself is one or not by the word after it."""
_NOT_SECRET = frozenset({"secretname", "secretnamespace", "secretref", "secrets", "imagepullsecrets", "secretkeyref"})
"""Kubernetes' own fields that name a Secret and hold none."""

KUBERNETES_FIELDS = frozenset(
    [
        "apiVersion",
        "kind",
        "metadata",
        "name",
        "generateName",
        "namespace",
        "labels",
        "annotations",
        "spec",
        "status",
        "uid",
        "ownerReferences",
        "type",
        "immutable",
        "image",
        "imagePullPolicy",
        "imageRepository",
        "pullPolicy",
        "tag",
        "registry",
        "apiGroup",
        "serviceDomain",
        "dnsDomain",
        "podSubnets",
        "serviceSubnets",
        "containers",
        "initContainers",
        "volumes",
        "volumeMounts",
        "mountPath",
        "subPath",
        "hostPath",
        "path",
        "readOnly",
        "items",
        "key",
        "mode",
        "defaultMode",
        "optional",
        "secretName",
        "secretNamespace",
        "configMap",
        "secret",
        "secretRef",
        "configMapRef",
        "configMapKeyRef",
        "secretKeyRef",
        "projected",
        "sources",
        "command",
        "args",
        "ports",
        "port",
        "targetPort",
        "nodePort",
        "containerPort",
        "hostPort",
        "protocol",
        "appProtocol",
        "selector",
        "matchLabels",
        "matchExpressions",
        "operator",
        "values",
        "effect",
        "tolerations",
        "tolerationSeconds",
        "nodeSelector",
        "affinity",
        "nodeAffinity",
        "podAffinity",
        "podAntiAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
        "topologyKey",
        "hostNetwork",
        "hostPID",
        "dnsPolicy",
        "priorityClassName",
        "serviceAccountName",
        "serviceAccount",
        "restartPolicy",
        "updateStrategy",
        "strategy",
        "rollingUpdate",
        "maxSurge",
        "maxUnavailable",
        "replicas",
        "template",
        "externalTrafficPolicy",
        "internalTrafficPolicy",
        "allocateLoadBalancerNodePorts",
        "loadBalancerClass",
        "loadBalancerIP",
        "loadBalancerSourceRanges",
        "healthCheckNodePort",
        "sessionAffinity",
        "sessionAffinityConfig",
        "clientIP",
        "timeoutSeconds",
        "ipFamilies",
        "ipFamilyPolicy",
        "clusterIP",
        "clusterIPs",
        "externalIPs",
        "externalName",
        "publishNotReadyAddresses",
        "loadBalancer",
        "ingress",
        "addresses",
        "address",
        "providerID",
        "taints",
        "hostname",
        "ip",
        "ipMode",
        "resources",
        "requests",
        "limits",
        "cpu",
        "memory",
        "securityContext",
        "runAsUser",
        "runAsNonRoot",
        "fsGroup",
        "privileged",
        "allowPrivilegeEscalation",
        "files",
        "permissions",
        "owner",
        "encoding",
        "contentFrom",
        "clusterName",
        "clusterSelector",
        "machineTemplate",
        "infrastructureRef",
        "kubeadmConfigSpec",
        "clusterConfiguration",
        "initConfiguration",
        "joinConfiguration",
        "nodeRegistration",
        "kubeletExtraArgs",
        "extraArgs",
        "extraVolumes",
        "apiServer",
        "controllerManager",
        "scheduler",
        "etcd",
        "local",
        "dataDir",
        "version",
        "cloud-provider",
        "cloud-config",
        "managedSecurityGroups",
        "managedSubnets",
        "identityRef",
        "cloudName",
        "externalNetwork",
        "network",
        "networks",
        "subnets",
        "filter",
        "tags",
        "router",
        "disableAPIServerFloatingIP",
        "apiServerLoadBalancer",
        "enabled",
        "provider",
        "monitor",
        "delay",
        "timeout",
        "maxRetries",
        "maxRetriesDown",
        "allowedCIDRs",
        "allowedCidrs",
        "flavor",
        "availabilityZone",
        "allowAllInClusterTraffic",
        "bastion",
        "controlPlaneEndpoint",
        "host",
        "class",
        "topology",
        "variables",
        "patches",
        "definitions",
        "selectorMatch",
        "jsonPatches",
        "op",
        "from",
        "value-type",
        "chart",
        "repo",
        "repository",
        "repoURL",
        "targetRevision",
        "releaseName",
        "sourceRef",
        "interval",
        "chartName",
        "repoURL",
        "options",
        "helm",
        "values-file",
        "namePrefix",
        "nameSuffix",
        "bases",
        "components",
        "configurations",
    ]
)
"""Fields of Kubernetes, Cluster API and Flux objects whose values name things and hold no secret."""

CCM_FLAGS = frozenset(
    [
        "cloud-config",
        "cluster-name",
        "cloud-provider",
        "use-service-account-credentials",
        "controllers",
        "bind-address",
        "leader-elect",
        "v",
        "kubeconfig",
        "node-status-update-frequency",
        "concurrent-service-syncs",
        "feature-gates",
    ]
)
"""Flags of the CCM that hold no secret (k8s.io/cloud-provider options/)."""


_LONGEST_NAME = 1_000
"""Code points of a word that may be the name of anything public."""


def is_secret_name(name: str) -> bool:
    """Whether a key, option or variable of this name holds a secret, in any spelling."""
    if name.isascii() and name.isidentifier():
        return _is_secret_name(name)
    return _is_secret_name(fold(name))


@lru_cache(maxsize=4096)
def _is_secret_name(name: str) -> bool:
    if name.replace("-", "").replace("_", "").lower() in _NOT_SECRET:
        return False
    words = _CAMEL.sub("-", name)
    spellings = {name, words, fold_digits(name), fold_digits(words)}
    return any(SECRET_WORD.search(each) is not None or is_misspelt(each) for each in spellings)


@lru_cache(maxsize=4096)
def is_misspelt(name: str) -> bool:
    """Whether a name is meant to be that of a secret: people also misspell the keys whose values must not be seen."""
    parts = [part.lower() for part in _PART.findall(name)]
    words = {*parts, "".join(parts)} - _OTHER_WORDS
    for word in words:
        size, missing = len(word), ~letters_of(word)
        for meant, meant_size, limit, letters in _MISSPELT_LETTERS:
            if (
                -limit <= size - meant_size <= limit
                and (letters & missing).bit_count() <= limit
                and distance(word, meant, limit) <= limit
            ):
                return True
    return False


def _is_conf_key(folded: str) -> bool:
    """Whether a name is a key of cloud.conf, of any consumer and release, that holds no secret; folded as gcfg does."""
    from ccmcheck import catalog

    return folded in catalog.key_names() and folded not in SECRET_KEYS and not is_secret_name(folded)


@cache
def known_sections() -> frozenset[str]:
    """The sections of cloud.conf, folded."""
    from ccmcheck import catalog

    return frozenset(catalog.fold(section) for section in catalog.all_sections())


def is_public_key(name: str) -> bool:
    """Whether everybody may see the value of a key: cloud.conf's, in the chart's spelling as well, or Kubernetes'."""
    return len(name) <= _LONGEST_NAME and _is_public_key(name)


@lru_cache(maxsize=4096)
def _is_public_key(name: str) -> bool:
    from ccmcheck import catalog

    folded = catalog.fold(name)
    return (
        _is_conf_key(folded)
        or _is_conf_key(folded.replace("_", "-"))
        or _is_conf_key(_CAMEL.sub("-", name).lower())
        or is_kubernetes_name(name)
    )


def is_kubernetes_name(name: str) -> bool:
    """Whether a key is a field of Kubernetes, or an annotation of the CCM, that holds no secret."""
    if name in KUBERNETES_FIELDS:
        return True
    if "/" not in name:
        return False
    from ccmcheck.catalog.service_annotations import annotation

    return annotation(name) is not None
