"""What each command asks of an API server, as data: `cluster rbac --for COMMAND` renders a row as roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccmcheck.cluster.access import fleet_requests, requests
from ccmcheck.cluster.access.requests import APPS, CORE, CREATE, GET, LIST, PATCH, REPORTS, RequestKind
from ccmcheck.cluster.core import NamedTuple, openreports, yaml

CCM_NAMESPACE, CONFIG, WORKLOAD = "<namespace of the CCM>", "<its cloud.conf>", "<its workload>"
KUBECONFIGS, RESOURCES = "<Clusters>", "<resources of ClusterResourceSets>"
"""Stand in a row for what the options of `cluster rbac` name."""
_DELETE = "delete"


class Rights(NamedTuple):
    """What a command asks for.

    Attributes:
        requests: Of resources. A namespace or a name may be one of the stand-ins; a name that is not known before,
            such as that of any Service, is left out.
        urls: Of paths that are no resources; GET alone.
    """

    requests: tuple[RequestKind, ...]
    urls: tuple[str, ...] = ()


_READ = Rights(
    (
        requests.IDENTITY,
        requests.SERVICES,
        requests.NODES,
        requests.ENDPOINT_SLICES,
        requests.openstack_clusters(""),
        *requests.workloads(CCM_NAMESPACE),
        RequestKind(CORE, "v1", CONFIG, GET, CCM_NAMESPACE, CONFIG),
        requests.LEASE._replace(namespace=CCM_NAMESPACE),
    ),
    (requests.VERSION_PATH, f"/apis/{requests.CAPI}"),
)

_LINT = _READ._replace(
    requests=(
        *_READ.requests,
        *requests.controllers(),
        requests.EVENTS,
        requests.CLUSTER_ROLE_BINDINGS,
        requests.CLUSTER_ROLES,
        requests.LOGS._replace(namespace=CCM_NAMESPACE),
    )
)

_ORPHANS = Rights((requests.IDENTITY, requests.SERVICES, *requests.workloads(CCM_NAMESPACE)))

_RESYNC = Rights(
    (*_LINT.requests, requests.SERVICES._replace(verb=GET), requests.SERVICES._replace(verb=PATCH), requests.SELF),
    _LINT.urls,
)

_REPORT = _LINT._replace(
    requests=(
        *_LINT.requests,
        # the list asks for our name alone, by a field selector
        *(REPORTS._replace(verb=verb, name=openreports.NAME) for verb in (LIST, CREATE, PATCH, _DELETE)),
        requests.SELF,
    )
)


def _verbs(group: str, resource: str, *verbs: str) -> tuple[RequestKind, ...]:
    return tuple(RequestKind(group, "v1", resource, verb) for verb in verbs)


_CONFORMANCE = Rights(
    (
        requests.NODES,
        *requests.workloads(CCM_NAMESPACE),
        RequestKind(CORE, "v1", CONFIG, GET, CCM_NAMESPACE, CONFIG),
        *_verbs(CORE, "namespaces", GET, LIST, CREATE, _DELETE),
        *_verbs(CORE, "configmaps", GET, CREATE),
        *_verbs(CORE, "services", GET, LIST, CREATE, PATCH, _DELETE),
        *_verbs(APPS, "deployments", GET, CREATE, PATCH, _DELETE),
        *_verbs(CORE, "pods", LIST),
        *_verbs(CORE, "events", LIST),
        requests.SELF,
    ),
    (requests.VERSION_PATH, requests.OPENSHIFT),
)
"""In all namespaces, as each run makes one of its own."""
_FIX = Rights(
    (
        *_READ.requests,
        RequestKind(CORE, "v1", CONFIG, PATCH, CCM_NAMESPACE, CONFIG),
        RequestKind(CORE, "v1", "services", PATCH),
        *(
            RequestKind(APPS, "v1", resource, verb, CCM_NAMESPACE, WORKLOAD)
            for resource in ("daemonsets", "deployments")
            for verb in (GET, PATCH)
        ),
        requests.SELF,
    ),
    _READ.urls,
)

_FLEET = Rights(
    (
        requests.IDENTITY,
        fleet_requests.clusters("", ""),
        *(fleet_requests.documents(group, "", resource, "") for group, resource, _ in fleet_requests.DOCUMENTS),
        fleet_requests.kubeconfig(KUBECONFIGS, ""),
        RequestKind(CORE, "v1", "secrets", GET, RESOURCES),
        RequestKind(CORE, "v1", "configmaps", GET, RESOURCES),
    ),
    tuple(dict.fromkeys((fleet_requests.GROUP_PATH, *(f"/apis/{group}" for group, _, _ in fleet_requests.DOCUMENTS)))),
)
"""In the management cluster; in the clusters themselves, a fleet asks what lint asks."""

RIGHTS = {
    "lint": _LINT,
    "diff": _READ,
    "orphans": _ORPHANS,
    "resync": _RESYNC,
    "report": _REPORT,
    "conformance": _CONFORMANCE,
    "fix": _FIX,
    "fleet": _FLEET,
}
"""From the name of a command to what it asks for."""


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
        for request in RIGHTS[command].requests:
            if request.namespace == KUBECONFIGS:
                found.update(dict.fromkeys(fleet_requests.kubeconfig(*cluster) for cluster in named.clusters))
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
        commands: The commands, by their names in `ccmcheck.cluster.access.rights`.
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
    urls = list(dict.fromkeys(url for command in wanted.commands for url in RIGHTS[command].urls))
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
