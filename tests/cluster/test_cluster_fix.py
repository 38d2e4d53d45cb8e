"""`cluster fix`: the masked difference, who decides whether it is written, and what is written."""

from __future__ import annotations

import base64
import json
import os
import pty
import re
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from api_server import CONF, UID, cluster, kubeconfig, secret, service, serving
from cluster_runs import Done, run
from fix_runs import (
    FIXED,
    LAST_APPLIED,
    OLD_PASSWORD,
    PASSWORD,
    SECRET,
    SUBJECT,
    copied,
    fix,
    held,
    interactive,
    owned_by,
    owner,
    sent,
)
from test_cluster_rbac import granted, requested
from test_json_schemas import complaints

from ccmcheck.catalog.data.cluster import managers, owner_marks

if TYPE_CHECKING:
    from pathlib import Path

REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
WEB = "/api/v1/namespaces/shop/services/web"
TYPO = {"loadbalancer.openstack.org/timeout-client-dat": "50000"}


def test_without_write_the_difference_is_shown_and_nothing_but_get_is_sent(tmp_path: Path) -> None:
    server = interactive()
    before = copied(server)
    done = fix(tmp_path, server)
    assert done.code == 0
    head, diff = done.out.split("\n\n")
    assert head == f"Cluster: context test, http://127.0.0.1:{server.port}, kube-system {UID}"
    assert diff.splitlines()[:3] == [
        f'--- {SUBJECT} › data["cloud.conf"] (base64)',
        f'+++ {SUBJECT} › data["cloud.conf"] (base64) (fixed)',
        "@@ -8,4 +8,4 @@",
    ]
    assert diff.splitlines()[-2:] == ["-monitor-delay = 5", "+monitor-delay = 5s"]
    assert done.err == "ccmcheck: 1 finding would be fixed in 1 object.  Write with --write.\n"
    assert {asked.method for asked in server.asked} == {"GET"}
    assert server.objects == before


def test_check_fails_where_something_would_change(tmp_path: Path) -> None:
    assert fix(tmp_path, interactive(), "--check").code == 1
    assert fix(tmp_path, owned_by(conf=FIXED), "--check").code == 0


def test_what_an_interactive_client_wrote_is_written(tmp_path: Path) -> None:
    server = interactive()
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 0
    assert held(server) == FIXED
    assert sent(server) == [("PATCH", SECRET, "All"), ("POST", REVIEW, ""), ("PATCH", SECRET, "")]
    dry, real = (one for one in server.asked if one.method == "PATCH")
    assert real.headers["content-type"] == "application/merge-patch+json"
    assert real.query == {"fieldManager": "ccmcheck"}
    data = {"cloud.conf": base64.b64encode(FIXED.encode()).decode()}
    assert real.document == dry.document == {"data": data, "metadata": {"resourceVersion": "41"}}
    entries = server.objects[SECRET]["metadata"]["managedFields"]
    assert [(entry["manager"], entry["operation"]) for entry in entries] == [("ccmcheck", "Update")]


def test_an_audit_line_names_what_changed_without_values(tmp_path: Path) -> None:
    server = interactive()
    done = fix(tmp_path, server, "--write", "--yes")
    (line,) = (line for line in done.err.splitlines() if "audit:" in line)
    words = line.split(" ", 3)
    assert words[:2] == ["ccmcheck:", "audit:"]
    assert words[2].endswith("Z")
    assert words[3] == (
        f"jane@example.org wrote {SUBJECT}, resourceVersion 41 -> {server.version}, "
        'changed data["cloud.conf"], LoadBalancer.monitor-delay'
    )
    assert "5s" not in line


def test_a_second_run_finds_nothing_to_write(tmp_path: Path) -> None:
    server = interactive()
    fix(tmp_path, server, "--write", "--yes")
    written = len(sent(server))
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 0
    assert len(sent(server)) == written
    assert "0 findings would be fixed in 0 objects." in done.err


@pytest.mark.parametrize("manager", ["kubectl-create", "kubectl-client-side-apply", "kubectl", "k9s", "ccmcheck"])
def test_interactive_clients(manager: str, tmp_path: Path) -> None:
    server = owned_by(owner(manager))
    assert fix(tmp_path, server, "--write", "--yes").code == 0
    assert held(server) == FIXED


@pytest.mark.parametrize(
    ("manager", "operation", "words"),
    [
        (
            "kustomize-controller",
            "Apply",
            'kustomize-controller applies data["cloud.conf"]: fix it in git: `ccmcheck fix` on the repository makes',
        ),
        ("argocd-controller", "Update", 'argocd-controller writes data["cloud.conf"]: fix it in git'),
        ("helm", "Update", 'helm writes data["cloud.conf"]: fix it in the values of the release'),
        ("helm-controller", "Apply", "in the values of the HelmRelease"),
        ("capi-topology", "Apply", "management cluster"),
        ("pulumi-kubernetes-31df3088", "Apply", "Pulumi"),
        ("kubectl", "Apply", 'kubectl applies data["cloud.conf"] (server-side apply)'),
        ("made-up-operator", "Update", 'made-up-operator wrote data["cloud.conf"], and may write it again'),
        ("made-up-operator", "Apply", 'made-up-operator applies data["cloud.conf"] (server-side apply)'),
        ("", "Update", "a program without a name wrote"),
    ],
)
def test_who_writes_it_again_is_named_and_nothing_is_written(
    manager: str, operation: str, words: str, tmp_path: Path
) -> None:
    server = owned_by(owner(manager, operation))
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 3
    assert f"ccmcheck: {SUBJECT} is not written: " in done.err
    assert words in done.err
    assert "--take-ownership writes it all the same." in done.err
    assert sent(server) == []
    assert held(server) == CONF
    shown = fix(tmp_path, server)
    assert shown.code == 0
    assert words in shown.err
    assert "+monitor-delay = 5s" in shown.out


@pytest.mark.parametrize("entry", [owner("kustomize-controller", "Apply"), owner("helm"), owner("made-up")])
def test_take_ownership_writes_it_all_the_same(entry: dict[str, Any], tmp_path: Path) -> None:
    server = owned_by(entry)
    done = fix(tmp_path, server, "--write", "--yes", "--take-ownership")
    assert done.code == 0
    assert held(server) == FIXED
    assert [one["manager"] for one in server.objects[SECRET]["metadata"]["managedFields"]] == ["ccmcheck"]


def test_the_owner_of_another_key_has_no_say(tmp_path: Path) -> None:
    server = owned_by(owner("kubectl-edit"), owner("kustomize-controller", "Apply", "metadata", "labels", "team"))
    assert fix(tmp_path, server, "--write", "--yes").code == 0
    assert held(server) == FIXED


def test_one_of_two_owners_suffices_to_refuse(tmp_path: Path) -> None:
    server = owned_by(owner("kubectl-edit"), owner("kustomize-controller", "Apply"))
    assert fix(tmp_path, server, "--write", "--yes").code == 3
    assert held(server) == CONF


def test_what_nobody_owns_is_written_unless_a_program_claims_the_object(tmp_path: Path) -> None:
    for entries in ([], [owner("before-first-apply")]):
        server = owned_by(*entries)
        assert fix(tmp_path, server, "--write", "--yes").code == 0
        assert held(server) == FIXED
    server = owned_by(labels={"app.kubernetes.io/managed-by": "Helm"})
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 3
    assert 'nobody owns data["cloud.conf"], and Helm holds the object' in done.err


@pytest.mark.parametrize(
    ("metadata", "program"),
    [
        ({"labels": {"app.kubernetes.io/managed-by": "Helm"}}, "Helm"),
        ({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}}, "Flux's kustomize-controller"),
        ({"annotations": {"argocd.argoproj.io/tracking-id": "x"}}, "Argo CD"),
        ({"ownerReferences": [{"kind": "SealedSecret", "name": "cc", "controller": True}]}, "SealedSecret cc"),
    ],
)
def test_a_program_that_holds_the_object_is_named(metadata: dict[str, Any], program: str, tmp_path: Path) -> None:
    server = interactive(**metadata)
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 0
    assert f"{SUBJECT}: {program} holds the object, too" in done.err


def test_another_manager_of_helm_s_label_is_no_claim(tmp_path: Path) -> None:
    assert "holds the object" not in fix(tmp_path, interactive(labels={"app.kubernetes.io/managed-by": "me"})).err


def test_last_applied_configuration_is_warned_about_and_never_shown(tmp_path: Path) -> None:
    old = json.dumps({"data": {"cloud.conf": base64.b64encode(CONF.encode()).decode()}, "note": OLD_PASSWORD})
    server = interactive(annotations={LAST_APPLIED: old})
    done = fix(tmp_path, server, "--write", "--yes", "--backup", "before.json")
    assert done.code == 0
    assert f"its annotation {LAST_APPLIED} keeps the whole old text, passwords included" in done.err
    assert server.objects[SECRET]["metadata"]["annotations"] == {LAST_APPLIED: old}


def test_an_immutable_secret_gets_the_steps(tmp_path: Path) -> None:
    server = interactive()
    server.objects[SECRET]["immutable"] = True
    done = fix(tmp_path, server, "--write", "--yes", "--take-ownership")
    assert done.code == 3
    assert f"{SUBJECT} is not written: it is immutable" in done.err
    assert "kubectl -n kube-system get secret cloud-config -o yaml > cloud-config.yaml" in done.err
    assert "ccmcheck fix --write cloud-config.yaml && kubectl create -f cloud-config.yaml" in done.err
    assert sent(server) == []


def test_a_changed_password_line_stays_masked(tmp_path: Path) -> None:
    conf = CONF.replace(f"password = {PASSWORD}", f"password = {PASSWORD}\npassword = {PASSWORD}x")
    server = owned_by(owner("kubectl-edit"), conf=conf)
    done = fix(tmp_path, server, "--unsafe", "--write", "--yes")
    assert done.code == 0
    assert "monitor-delay = 5s" in held(server)


def test_a_config_map_is_fixed_too(tmp_path: Path) -> None:
    from api_server import daemonset

    server = cluster()
    path = "/api/v1/namespaces/kube-system/configmaps"
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [
        daemonset(volume={"configMap": {"name": "cloud-config"}})
    ]
    metadata = {**secret()["metadata"], "managedFields": [owner("kubectl-create")]}
    server.add(path, {"metadata": metadata, "data": {"cloud.conf": CONF}}, kind="ConfigMap")
    done = fix(tmp_path, server, "--write", "--yes")
    assert done.code == 0
    assert server.objects[f"{path}/cloud-config"]["data"] == {"cloud.conf": FIXED}
    assert "--- ConfigMap kube-system/cloud-config" in done.out


def services(*managers: dict[str, Any]) -> Any:
    server = owned_by(conf=FIXED)
    server.remove(WEB)
    one = service("web", annotations={**TYPO, "team.example.org/a": "b"}, managers=list(managers))
    server.add("/api/v1/services", one, kind="Service")
    server.objects[WEB]["metadata"]["finalizers"] = ["service.kubernetes.io/load-balancer-cleanup"]
    return server


def test_annotations_of_services_are_fixed_by_their_owners(tmp_path: Path) -> None:
    annotations = ("metadata", "annotations", *TYPO)
    server = services(owner("kubectl-annotate", "Update", *annotations), owner("kubectl-create", "Update", "spec"))
    done = fix(tmp_path, server, "--unsafe", "--write", "--yes")
    assert done.code == 0, done.said
    fixed = server.objects[WEB]["metadata"]["annotations"]
    assert fixed == {"loadbalancer.openstack.org/timeout-client-data": "50000", "team.example.org/a": "b"}
    server = services(owner("argocd-controller", "Update", *annotations), owner("kubectl-create", "Update", "spec"))
    assert fix(tmp_path, server, "--unsafe", "--write", "--yes").code == 3
    assert "loadbalancer.openstack.org/timeout-client-data" not in server.objects[WEB]["metadata"]["annotations"]


def test_a_new_annotation_is_up_to_who_makes_the_service(tmp_path: Path) -> None:
    annotations = ("metadata", "annotations", *TYPO)
    server = services(
        owner("kubectl-annotate", "Update", *annotations), owner("kustomize-controller", "Apply", "spec", "type")
    )
    done = fix(tmp_path, server, "--unsafe", "--write", "--yes")
    assert done.code == 3
    assert 'kustomize-controller applies metadata.annotations["loadbalancer.openstack.org/timeout-client-data"]' in (
        done.err
    )


def test_a_service_that_changed_since_is_left_alone(tmp_path: Path) -> None:
    server = services(owner("kubectl-create", "Update", "spec"))
    server.objects[WEB] = {**server.objects[WEB], "metadata": {**server.objects[WEB]["metadata"]}}
    server.objects[WEB]["metadata"]["resourceVersion"] = "of somebody else"
    done = fix(tmp_path, server, "--unsafe", "--write", "--yes")
    assert done.code == 3
    assert "Service shop/web is not written: HTTP 409: the object was changed meanwhile" in done.err
    assert sent(server) == [("PATCH", WEB, "All")]


def test_the_backup_holds_what_was_there(tmp_path: Path) -> None:
    server = interactive(labels={"a": "b"}, finalizers=["x"])
    before = copied(server)[SECRET]
    done = fix(tmp_path, server, "--write", "--yes", "--backup", "before.json")
    assert done.code == 0
    path = tmp_path / "before.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    document = json.loads(path.read_text())
    assert (document["apiVersion"], document["kind"]) == ("v1", "List")
    metadata = {"name": "cloud-config", "namespace": "kube-system", "labels": {"a": "b"}, "finalizers": ["x"]}
    (item,) = document["items"]
    assert item == {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "Opaque",
        "metadata": metadata,
        "data": before["data"],
    }


def test_a_backup_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "before.json").write_text("good")
    server = interactive()
    done = fix(tmp_path, server, "--write", "--yes", "--backup", "before.json")
    assert done.code == 2
    assert "--backup before.json exists already" in done.err
    assert (tmp_path / "before.json").read_text() == "good"
    assert server.asked == []


def test_without_a_backup_nothing_is_written(tmp_path: Path) -> None:
    server = interactive()
    done = fix(tmp_path, server, "--write", "--yes", "--backup", "no/such/folder.json")
    assert done.code == 3
    assert ("PATCH", SECRET, "") not in sent(server)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--write", "--check"], "--write and --check exclude each other."),
        (["--yes"], "--yes needs --write."),
        (["--backup", "x"], "--backup needs --write."),
        (["--restart"], "--restart needs --write."),
        (["--write", "--yes", "--restart"], "--restart needs --backup FILE."),
        (["--write"], "standard input is no terminal, so nobody can confirm"),
        (["--select", "no-such-rule"], "no-such-rule"),
    ],
)
def test_wrong_use_is_named_before_anything_is_asked(arguments: list[str], words: str, tmp_path: Path) -> None:
    server = interactive()
    done = fix(tmp_path, server, *arguments)
    assert done.code == 2
    assert words in done.err
    assert server.asked == []


def test_no_guess_about_the_login_is_written(tmp_path: Path) -> None:
    plain = CONF.replace("https://keystone", "http://keystone")
    server = owned_by(conf=plain)
    assert fix(tmp_path, server, "--unsafe", "--write", "--yes").code == 0
    assert held(server) == plain.replace("monitor-delay = 5\n", "monitor-delay = 5s\n")


def test_select_and_ignore(tmp_path: Path) -> None:
    assert "would be fixed in 0 objects" in fix(tmp_path, interactive(), "--ignore", "duration-bad").err
    assert "would be fixed in 0 objects" in fix(tmp_path, interactive(), "--select", "create-monitor-recommended").err
    assert "fixed in 1 object" in fix(tmp_path, interactive(), "--select", "duration-bad").err


@pytest.mark.part(of=2)
@pytest.mark.parametrize(("answer", "code", "text"), [("y\n", 0, FIXED), ("n\n", 1, CONF), ("\n", 1, CONF)])
def test_a_person_is_asked(answer: str, code: int, text: str, tmp_path: Path) -> None:
    with serving(interactive()) as server:
        config = kubeconfig(tmp_path, server)
        main, other = pty.openpty()
        command = [sys.executable, "-m", "ccmcheck", "cluster", "fix", "--write", "--kubeconfig", str(config)]
        os.write(main, answer.encode())
        done = subprocess.run(command, stdin=other, capture_output=True, text=True, timeout=60, check=False)
        os.close(main)
        os.close(other)
        assert f"Write {SUBJECT} (context test)? [y/N]" in done.stderr
        assert "+monitor-delay = 5s" in done.stdout
        assert done.returncode == code, done.stderr
        assert held(server) == text
        assert ("Nothing was changed." in done.stderr) == (code == 1)


def document_of(done: Done) -> Any:
    """What is printed as JSON, which keeps to its schema and shows no secret."""
    document = json.loads(done.out)
    assert complaints("cluster-fix", document) == []
    return document


@pytest.mark.parametrize(
    ("words", "managers"),
    [
        ((), ["kubectl-edit"]),
        (("--check",), ["kubectl-edit"]),
        (("--write", "--yes"), ["kubectl-edit"]),
        (("--write", "--yes", "-q"), ["kubectl-edit"]),
        (("--write", "--yes"), ["kubectl-edit", "helm"]),
        (("--write", "--yes", "--take-ownership"), ["helm"]),
        (("--write", "--yes", "--backup", "no/such/folder.json"), ["kubectl-edit"]),
        (("--write",), ["kubectl-edit"]),
    ],
)
def test_json_does_and_says_the_same(words: tuple[str, ...], managers: list[str], tmp_path: Path) -> None:
    """All but the report itself is as it is in words: the code, stderr, what is sent, what the cluster holds then."""
    text, other = (owned_by(*map(owner, managers)) for _ in range(2))
    in_words, as_json = fix(tmp_path, text, *words), fix(tmp_path, other, *words, "--format", "json")
    assert as_json.code == in_words.code
    times = re.compile(r"audit: \S+")
    assert times.sub("", as_json.err) == times.sub("", in_words.err)
    assert (sent(other), held(other)) == (sent(text), held(text))
    if in_words.code == 2:
        assert as_json.out == ""
        return
    document = document_of(as_json)
    (one,) = document["objects"]
    is_written = held(other) == FIXED
    assert (one["object"], one["changed"], one["written"]) == (SUBJECT, True, is_written)
    assert one["keys"] == ["LoadBalancer.monitor-delay"]
    (note,) = one["fixed"]
    assert (note["path"], note["line"], note["rule"], note["title"]) == (SUBJECT, 11, "duration-bad", "write `5s`")
    assert bool(one["refused"]) == ("helm" in managers and "--take-ownership" not in words)
    assert document["summary"] == {"fixed": 1, "by_hand": 0, "objects": 1, "written": int(is_written)}
    assert document["cluster"]["uid"] == UID


def test_json_names_what_went_wrong_and_what_is_left(tmp_path: Path) -> None:
    server = services(owner("kubectl-create", "Update", "spec"))
    server.objects[WEB] = {**server.objects[WEB], "metadata": {**server.objects[WEB]["metadata"]}}
    server.objects[WEB]["metadata"]["resourceVersion"] = "of somebody else"
    done = fix(tmp_path, server, "--unsafe", "--write", "--yes", "--format", "json")
    document = document_of(done)
    assert done.code == 3
    assert [(one["object"], one["written"]) for one in document["objects"]] == [("Service shop/web", False)]
    (failure,) = document["failures"]
    assert failure["path"] == "Service shop/web"
    assert failure["message"].startswith("is not written: HTTP 409: the object was changed meanwhile")


def test_json_masks_a_secret_wherever_it_is_pasted(tmp_path: Path) -> None:
    """A password in the line of a duration: no title, reason or advice quotes it."""
    conf = CONF.replace(
        "monitor-delay = 5\n", f"monitor-delay = 5\nmonitor-timeout = {PASSWORD}\nlb-methd = {PASSWORD}\n"
    )
    last = json.dumps({"data": {"cloud.conf": base64.b64encode(CONF.encode()).decode()}, "note": OLD_PASSWORD})
    server = owned_by(owner("kubectl-edit"), conf=conf, annotations={LAST_APPLIED: last})
    done = fix(tmp_path, server, "--unsafe", "--profile", "scs", "--write", "--yes", "--format", "json")
    document = document_of(done)
    assert document["objects"][0]["written"]
    assert len(document["objects"][0]["fixed"]) > 1


def test_a_person_who_is_asked_sees_the_change_beside_the_json(tmp_path: Path) -> None:
    with serving(interactive()) as server:
        config = kubeconfig(tmp_path, server)
        main, other = pty.openpty()
        words = ["cluster", "fix", "--write", "--format=json", "--kubeconfig", str(config)]
        os.write(main, b"n\n")
        command = [sys.executable, "-m", "ccmcheck", *words]
        done = subprocess.run(command, stdin=other, capture_output=True, text=True, timeout=60, check=False)
        os.close(main)
        os.close(other)
        assert "+monitor-delay = 5s" in done.stderr
        assert f"Write {SUBJECT} (context test)? [y/N]" in done.stderr
        assert "Nothing was changed." in done.stderr
        assert (done.returncode, json.loads(done.stdout)["summary"]["written"]) == (1, 0)
        assert PASSWORD not in done.stdout + done.stderr


def test_the_roles_are_exactly_what_is_asked_for(tmp_path: Path) -> None:
    server = interactive()
    group = "/apis/infrastructure.cluster.x-k8s.io"
    server.objects[group] = {"kind": "APIGroup", "preferredVersion": {"version": "v1beta1"}}
    server.lists[f"{group}/v1beta1/openstackclusters"] = []
    server.objects[WEB]["metadata"]["annotations"] = dict(TYPO)
    server.lists["/api/v1/services"] = [server.objects[WEB]]
    assert fix(tmp_path, server, "--unsafe", "--write", "--yes").code == 0
    rights = granted(run(tmp_path, "rbac", "--for", "fix").out)
    wanted = requested(server)
    assert {right.verb for right in wanted} == {"get", "list", "patch", "create"}
    assert wanted <= rights
    assert {(right.verb, right.resource) for right in rights - wanted} == {
        *((verb, resource) for verb in ("get", "patch") for resource in ("daemonsets", "deployments")),
        ("get", "leases"),  # asked for where the CCM runs
    }


def test_each_program_has_a_source() -> None:
    assert all(one.source and one.where and one.names for one in managers())
    assert all(one.source and one.program for one in owner_marks())
