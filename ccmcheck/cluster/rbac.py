"""The roles that `cluster lint` needs: exactly the requests that it makes, as manifests for kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.base.records import NamedTuple
from ccmcheck.cluster import requests
from ccmcheck.cluster.documents import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.cluster.requests import Request

NAME = "ccmcheck"
_RBAC = "rbac.authorization.k8s.io"


class Wanted(NamedTuple):
    """What the roles are for.

    Attributes:
        namespaces: Where the CCM runs.
        kind: What holds its cloud.conf, ``Secret`` or ``ConfigMap``.
        name: That object's name.
        account: The namespace of the service account.
    """

    namespaces: tuple[str, ...]
    kind: str
    name: str
    account: str


def manifests(wanted: Wanted) -> str:
    """The service account, the roles and their bindings."""
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": wanted.account}
    everywhere = (
        requests.IDENTITY,
        requests.SERVICES,
        requests.NODES,
        requests.ENDPOINT_SLICES,
        requests.openstack_clusters(""),
    )
    urls = {"nonResourceURLs": [requests.VERSION_PATH, f"/apis/{requests.CAPI}"], "verbs": [requests.GET]}
    documents: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": NAME, "namespace": wanted.account}},
        {**_head("ClusterRole"), "rules": [*_rules(everywhere), urls]},
        {**_head("ClusterRoleBinding"), "roleRef": _role("ClusterRole"), "subjects": [subject]},
    ]
    for namespace in dict.fromkeys(wanted.namespaces):
        inside = (*requests.workloads(namespace), requests.config(wanted.kind, namespace, wanted.name))
        documents += (
            {**_head("Role", namespace), "rules": list(_rules(inside))},
            {**_head("RoleBinding", namespace), "roleRef": _role("Role"), "subjects": [subject]},
        )
    return "---\n".join(map(yaml, documents))


def _head(kind: str, namespace: str = "") -> dict[str, Any]:
    metadata = {"name": NAME, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": f"{_RBAC}/v1", "kind": kind, "metadata": metadata}


def _role(kind: str) -> dict[str, str]:
    return {"apiGroup": _RBAC, "kind": kind, "name": NAME}


def _rules(wanted: Iterable[Request]) -> Iterator[dict[str, list[str]]]:
    """One rule for all resources of a group and a verb, and one for each object that is read by its name."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for request in wanted:
        grouped.setdefault((request.group, request.verb, request.name), []).append(request.resource)
    for (group, verb, name), resources in grouped.items():
        names = {"resourceNames": [name]} if name else {}
        yield {"apiGroups": [group], "resources": resources, **names, "verbs": [verb]}
