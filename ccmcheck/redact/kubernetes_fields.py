"""Fields of Kubernetes, Cluster API and Flux objects: which hold values that everybody may see, and where.

A Secret, the values of a chart and the variables of a ClusterClass have keys that people choose. A field with a name as
general as ``key`` or ``values`` is therefore one of Kubernetes' only in the place where Kubernetes has it.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.lazy_regex import lazy_regex

_FIELDS: dict[str, str] = {}
for _kind, _names in read_table(__file__, "kubernetes_fields.tsv"):
    _FIELDS[_kind] = f"{_FIELDS.get(_kind, '')} {_names}"
_ANYWHERE = frozenset(_FIELDS.pop("anywhere").split())
"""Fields whose values name or count something wherever they stand."""
_MAPPINGS = frozenset(_FIELDS.pop("mapping").split())
"""Fields that hold mappings; each key below them counts for itself, and a text in their place is not Kubernetes'."""
GENERATORS = frozenset({"configMapGenerator", "secretGenerator"})

_REFERENCE = lazy_regex(
    r"^secrets?\Z|^secretGenerator\Z|[a-z]Secret\Z|(?:[sS]ecret|[cC]redentials?|configMap)(?:Key)?Ref\Z"
)

KUBERNETES_FIELDS = _ANYWHERE | _MAPPINGS | frozenset(_FIELDS)
"""Every field whose name is no secret, wherever it stands."""


def is_reference(name: str) -> bool:
    """Whether a field names a Secret and its keys; charts also put ``create`` and ``enabled`` there.

    Args:
        name: The field.
    """
    return _REFERENCE.search(name) is not None


def is_public_field(name: str, above: str) -> bool:
    """Whether the value of a field may be shown: it is Kubernetes', and no secret.

    Args:
        name: The field.
        above: The field that it stands below; empty at the top.
    """
    places = _FIELDS.get(name)
    if places is not None:
        return (above or "/") in places.split() or (name == "key" and is_reference(above))
    if name in _ANYWHERE:
        return True
    if "/" not in name:
        return False
    from ccmcheck.catalog.service_annotations import PREFIX, annotation

    return name.startswith(PREFIX) or annotation(name) is not None


CCM_FLAGS = frozenset([
    "cloud-config", "cluster-name", "cloud-provider", "use-service-account-credentials", "controllers",
    "bind-address", "leader-elect", "v", "kubeconfig", "node-status-update-frequency", "concurrent-service-syncs",
    "feature-gates",
])  # fmt: skip
"""Flags of the CCM that hold no secret (k8s.io/cloud-provider options/)."""
