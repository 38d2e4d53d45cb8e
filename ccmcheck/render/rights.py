"""What each command asks of an API server, as data: `cluster rbac --for COMMAND` renders a row as roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.yaml_block import yaml
from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.requests import RequestKind

CCM_NAMESPACE, CONFIG, WORKLOAD = "<namespace of the CCM>", "<its cloud.conf>", "<its workload>"
KUBECONFIGS, RESOURCES = "<Clusters>", "<resources of ClusterResourceSets>"
"""Stand in a row for what the options of `cluster rbac` name."""


_COMMANDS = ("lint", "diff", "orphans", "resync", "report", "conformance", "fix", "fleet")
RIGHTS: dict[str, list[RequestKind]] = {command: [] for command in _COMMANDS}
"""From the name of a command to its requests of resources, in all versions."""
_URLS: dict[str, list[str]] = {}
"""The paths that it asks for besides, with GET alone."""
for _commands, *_cells in read_table(__file__, "rights.tsv"):
    _group, _resource, _verbs, _namespace, _name = ("" if _cell == "-" else _cell for _cell in _cells)
    for _command in _commands.split():
        if _resource.startswith("/"):
            _URLS.setdefault(_command, []).append(_resource)
        else:
            RIGHTS[_command].extend(
                RequestKind(_group, "v1", _resource, _verb, _namespace, _name) for _verb in _verbs.split()
            )


class Named(NamedTuple):
    """What the stand-ins are.

    Attributes:
        namespaces: Where the CCM runs.
        kind: What holds its cloud.conf, ``Secret`` or ``ConfigMap``.
        config: That object's name.
        workload: The DaemonSet's or Deployment's name.
        clusters: Clusters of Cluster API whose kubeconfigs are read, each by its namespace and name.
        resources: Secrets and ConfigMaps that ClusterResourceSets apply, likewise.
    """

    namespaces: tuple[str, ...]
    kind: str
    config: str
    workload: str
    clusters: tuple[tuple[str, str], ...] = ()
    resources: tuple[tuple[str, str], ...] = ()


def requests_of(commands: tuple[str, ...], named: Named) -> list[RequestKind]:
    """The requests of some commands, each once."""
    names = {CONFIG: named.config, WORKLOAD: named.workload}
    found: dict[RequestKind, None] = {}
    for command in commands:
        for request in RIGHTS[command]:
            if request.namespace == KUBECONFIGS:
                found.update(dict.fromkeys(requests.kubeconfig(*cluster) for cluster in named.clusters))
                continue
            if request.namespace == RESOURCES:
                found.update(
                    dict.fromkeys(request._replace(namespace=place, name=name) for place, name in named.resources)
                )
                continue
            resource = requests.CONFIG_RESOURCES[named.kind] if request.resource == CONFIG else request.resource
            whole = request._replace(resource=resource, name=names.get(request.name, request.name))
            places = named.namespaces if request.namespace == CCM_NAMESPACE else (request.namespace,)
            found.update(dict.fromkeys(whole._replace(namespace=place) for place in places))
    return list(found)


NAME = "ccmcheck"


class WantedRights(NamedTuple):
    """What the roles are for.

    Attributes:
        commands: The commands, by their names in `RIGHTS`.
        named: What they are used on.
        account: The namespace of the service account.
    """

    commands: tuple[str, ...]
    named: Named
    account: str


def manifests(wanted: WantedRights) -> str:
    """The service account, the roles and their bindings."""
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": wanted.account}
    by_namespace: dict[str, list[RequestKind]] = {"": []}
    for request in requests_of(wanted.commands, wanted.named):
        by_namespace.setdefault(request.namespace, []).append(request)
    rules: list[dict[str, Any]] = list(_rules(by_namespace.pop("")))
    urls = list(dict.fromkeys(url for command in wanted.commands for url in _URLS.get(command, ())))
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
    return {"apiVersion": f"{requests.RBAC}/v1", "kind": kind, "metadata": metadata}


def _role(kind: str) -> dict[str, str]:
    return {"apiGroup": requests.RBAC, "kind": kind, "name": NAME}


def _rules(wanted: Iterable[RequestKind]) -> Iterator[dict[str, list[str]]]:
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
