"""What the CCM may do in its cluster: the ClusterRoles that are bound to its account, put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.cluster.access.documents import ObjectFile, mapping, mappings, object_file, object_path, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.live.ccm import Ccm, spec_of

_KIND = "ClusterRole"
_MOST = 20
"""Roles of one account that are read."""
_OF_ALL = ("system:serviceaccounts", "system:authenticated")


def bound(ccm: Ccm, bindings: Iterable[Document]) -> list[str]:
    """The names of the ClusterRoles that the account of a CCM has, its own first; none where none is its own."""
    namespace, account = ccm.pod.namespace, text(spec_of(ccm.object).get("serviceAccountName")) or "default"
    user = f"system:serviceaccount:{namespace}:{account}"
    own: dict[str, None] = {}
    shared: dict[str, None] = {}
    for binding in bindings:
        role = mapping(binding.get("roleRef"))
        for subject in mappings(binding.get("subjects")) if role.get("kind") == _KIND else ():
            kind, name = subject.get("kind"), subject.get("name")
            if (kind, name, subject.get("namespace")) == ("ServiceAccount", account, namespace) or name == user:
                own[text(role.get("name"))] = None
            elif kind == "Group" and name in (*_OF_ALL, f"{_OF_ALL[0]}:{namespace}"):
                shared[text(role.get("name"))] = None
    return [*own, *(name for name in shared if name not in own)][:_MOST] if own else []


def together(ccm: Ccm, roles: list[Document]) -> Iterator[ObjectFile]:
    """All that they allow as one role with the name of the first, in the folder of the CCM."""
    rules = [rule for role in roles for rule in mappings(role.get("rules"))]
    if roles:
        one = object_file({"apiVersion": "rbac.authorization.k8s.io/v1", **roles[0], "kind": _KIND, "rules": rules})
        name = text(mapping(roles[0].get("metadata")).get("name"))
        yield one._replace(path=object_path(_KIND, ccm.pod.namespace, name))
