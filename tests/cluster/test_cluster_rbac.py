"""`cluster rbac` renders exactly the requests that a command makes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from api_server import CONF, cluster, daemonset, kubeconfig, secret, serving
from cluster_pending import waiting
from cluster_runs import lint, run

from ccmcheck.yamlio import documents

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer

CAPI = "/apis/infrastructure.cluster.x-k8s.io"
ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterrole"
_PATH = re.compile(
    r"/(?:api|apis/(?P<group>[^/]+))/(?P<version>v\w+)(?:/namespaces/(?P<namespace>[^/]+))?(?:/(?P<resource>[^/]+))?(?:/(?P<name>[^/]+))?(?P<part>/log)?"
)
_WRITING = {"PATCH": "patch", "POST": "create", "PUT": "update", "DELETE": "delete"}
_OF_ANY_NAMESPACE = ("events", "services")
"""What is listed or written in the namespaces of Services, which no role can know."""
_OF_ANY_NAME = ("pods/log", "services", "clusterroles")
"""What is asked for by names that no role can know."""


class Right(NamedTuple):
    """One right: a verb on a resource, everywhere or in a namespace, for one object or all; or on a URL."""

    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""


def requested(server: ApiServer) -> set[Right]:
    """The rights that the requests need."""
    rights = set()
    for asked in server.asked:
        match = _PATH.fullmatch(asked.path)
        if match is None:
            rights.add(Right("get", "url", asked.path))
            continue
        group, namespace, resource, name = (match[part] or "" for part in ("group", "namespace", "resource", "name"))
        if not resource:  # /namespaces/NAME itself
            resource, name, namespace = "namespaces", namespace, ""
        verb = _WRITING.get(asked.method, "get" if name else "list")
        resource += match["part"] or ""
        namespace = "" if resource in _OF_ANY_NAMESPACE else namespace
        rights.add(Right(verb, group, resource, namespace, "" if resource in _OF_ANY_NAME else name))
    return rights


def granted(manifests: str) -> set[Right]:
    """The rights that roles give."""
    rights = set()
    for document in yaml.safe_load_all(manifests):
        namespace = document["metadata"].get("namespace", "") if document["kind"] == "Role" else ""
        for rule in document.get("rules", ()):
            for verb in rule["verbs"]:
                rights |= {Right(verb, "url", url) for url in rule.get("nonResourceURLs", ())}
                for group in rule.get("apiGroups", ()):
                    for resource in rule["resources"]:
                        names = rule.get("resourceNames", [""])
                        rights |= {Right(verb, group, resource, namespace, name) for name in names}
    return rights


def served() -> ApiServer:
    server = cluster()
    server.objects[CAPI] = {"kind": "APIGroup", "preferredVersion": {"version": "v1beta1"}}
    server.lists[f"{CAPI}/v1beta1/openstackclusters"] = []
    account = {"kind": "ServiceAccount", "name": "default", "namespace": "kube-system"}
    server.lists[f"{ROLES}bindings"] = [
        {"metadata": {"name": "ccm"}, "roleRef": {"kind": "ClusterRole", "name": "ccm"}, "subjects": [account]}
    ]
    server.objects[f"{ROLES}s/ccm"] = {"metadata": {"name": "ccm"}, "rules": []}
    waiting(server)
    return server


def test_the_roles_are_exactly_what_is_asked_for(tmp_path: Path) -> None:
    server = served()
    assert lint(tmp_path, server).code == 1
    assert granted(run(tmp_path, "rbac").out) == requested(server)


def test_the_roles_of_another_object_are_for_that_object(tmp_path: Path) -> None:
    server = served()
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [
        daemonset(volume={"configMap": {"name": "cloud.conf"}})
    ]
    plain = {"metadata": secret(name="cloud.conf")["metadata"], "data": {"cloud.conf": "[Global]\n"}}
    server.add("/api/v1/namespaces/kube-system/configmaps", plain, kind="ConfigMap")
    assert lint(tmp_path, server).code == 1
    assert granted(run(tmp_path, "rbac", "--config-map", "cloud.conf").out) == requested(server)


def test_the_roles_of_diff_are_what_it_asks_for(tmp_path: Path) -> None:
    server = served()
    (tmp_path / "cloud.conf").write_text(CONF)
    with serving(server):
        run(tmp_path, "diff", "--kubeconfig", str(kubeconfig(tmp_path, server)), "cloud.conf")
    assert granted(run(tmp_path, "rbac", "--for", "diff").out) == requested(server)


def test_every_right_only_reads(tmp_path: Path) -> None:
    rights = granted(run(tmp_path, "rbac", "--for", "lint", "--for", "diff").out)
    assert {right.verb for right in rights} == {"get", "list"}


def test_the_bindings_name_the_account_and_the_roles(tmp_path: Path) -> None:
    done = run(tmp_path, "rbac", "--namespace", "ccm", "--account-namespace", "tools")
    by_kind: dict[str, Any] = {document["kind"]: document for document in yaml.safe_load_all(done.out)}
    assert set(by_kind) == {"ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}
    assert by_kind["ServiceAccount"]["metadata"] == {"name": "ccmcheck", "namespace": "tools"}
    for binding, role in (("ClusterRoleBinding", "ClusterRole"), ("RoleBinding", "Role")):
        assert by_kind[binding]["roleRef"]["kind"] == role
        assert by_kind[binding]["roleRef"]["name"] == by_kind[role]["metadata"]["name"]
        assert by_kind[binding]["subjects"] == [{"kind": "ServiceAccount", "name": "ccmcheck", "namespace": "tools"}]
    assert by_kind["Role"]["metadata"]["namespace"] == by_kind["RoleBinding"]["metadata"]["namespace"] == "ccm"


def test_a_command_is_named_with_for(tmp_path: Path) -> None:
    done = run(tmp_path, "rbac", "--for", "lint", "--for", "lint")
    assert done.code == 0
    assert done.out == run(tmp_path, "rbac").out
    unknown = run(tmp_path, "rbac", "--for", "dance")
    assert unknown.code == 2
    assert "'dance' is not" in unknown.err


def test_it_needs_neither_a_cluster_nor_the_client(tmp_path: Path) -> None:
    done = run(tmp_path, "rbac", "--secret", "cloud.conf")
    assert done.code == 0
    assert len(list(documents(done.out))) == 5


def test_one_object_holds_the_cloud_conf(tmp_path: Path) -> None:
    done = run(tmp_path, "rbac", "--secret", "a", "--config-map", "b")
    assert done.code == 2
    assert "Leave out --secret or --config-map." in done.err


def test_a_misspelt_command_gets_a_suggestion(tmp_path: Path) -> None:
    near, far = run(tmp_path, "lnt"), run(tmp_path, "nothing-like-it")
    assert (near.code, far.code) == (2, 2)
    assert "Did you mean `lint`?" in near.err
    assert "See ccmcheck cluster --help." in far.err
