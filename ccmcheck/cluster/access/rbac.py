"""The roles that commands need: exactly the requests that they make, as manifests for kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.rights import requests_of, urls_of
from ccmcheck.cluster.core import NamedTuple, yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.cluster.access.requests import Request
    from ccmcheck.cluster.access.rights import Named

NAME = "ccmcheck"
_RBAC = "rbac.authorization.k8s.io"


class Wanted(NamedTuple):
    """What the roles are for.

    Attributes:
        commands: The commands, by their names in `ccmcheck.cluster.access.rights`.
        named: What they are used on.
        account: The namespace of the service account.
    """

    commands: tuple[str, ...]
    named: Named
    account: str


def manifests(wanted: Wanted) -> str:
    """The service account, the roles and their bindings."""
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": wanted.account}
    by_namespace: dict[str, list[Request]] = {"": []}
    for request in requests_of(wanted.commands, wanted.named):
        by_namespace.setdefault(request.namespace, []).append(request)
    rules: list[dict[str, Any]] = list(_rules(by_namespace.pop("")))
    urls = urls_of(wanted.commands)
    if urls:
        rules.append({"nonResourceURLs": urls, "verbs": [requests.GET]})
    documents: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": NAME, "namespace": wanted.account}},
        {**_head("ClusterRole"), "rules": rules},
        {**_head("ClusterRoleBinding"), "roleRef": _role("ClusterRole"), "subjects": [subject]},
    ]
    for namespace, inside in by_namespace.items():
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
    """One rule for all resources of a group with the same verbs, and one for the objects that are named."""
    verbs: dict[tuple[str, str, str], list[str]] = {}
    for request in wanted:
        known = verbs.setdefault((request.group, request.name, request.resource), [])
        if request.verb not in known:
            known.append(request.verb)
    grouped: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
    for (group, name, resource), found in verbs.items():
        grouped.setdefault((group, tuple(found), name), []).append(resource)
    names: dict[tuple[str, tuple[str, ...], tuple[str, ...], bool], list[str]] = {}
    for (group, found_verbs, name), resources in grouped.items():
        names.setdefault((group, found_verbs, tuple(resources), bool(name)), []).append(name)
    for (group, found_verbs, resources_of_rule, is_named), found_names in names.items():
        named = {"resourceNames": found_names} if is_named else {}
        yield {"apiGroups": [group], "resources": list(resources_of_rule), **named, "verbs": list(found_verbs)}
