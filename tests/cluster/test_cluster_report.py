"""`cluster report`: Report objects that follow the findings, and nothing of anybody else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from api_faults import Fault, status
from api_server import CONF, UID, cluster, kubeconfig, service, serving
from cluster_runs import run
from test_cluster_rbac import granted

if TYPE_CHECKING:
    from pathlib import Path

    from api_faults import Fault
    from api_server import ApiServer
    from cluster_runs import Done
    from loopback import Asked

REPORTS = "/apis/openreports.io/v1alpha1/reports"
IN_SHOP = "/apis/openreports.io/v1alpha1/namespaces/shop/reports"
OURS = f"{IN_SHOP}/ccmcheck"
SERVICES = "/api/v1/services"
SERVICE = "/api/v1/namespaces/shop/services/web"
DELETE = "DELETE"


def served(conf: str = CONF) -> ApiServer:
    server = cluster(conf)
    server.lists[REPORTS] = []
    return server


def report(folder: Path, server: ApiServer, *arguments: str) -> Done:
    with serving(server):
        return run(folder, "report", "--kubeconfig", str(kubeconfig(folder, server)), *arguments)


def changes(server: ApiServer) -> list[tuple[str, str]]:
    """The requests that change something, since the last call."""
    sent = [(asked.method, asked.path) for asked in server.asked if asked.method != "GET"]
    server.asked.clear()
    return sent


def fix_service(server: ApiServer) -> None:
    server.lists[SERVICES] = []
    server.add(SERVICES, service("web"), kind="Service")


def test_it_prints_what_it_would_write_and_sends_nothing(tmp_path: Path) -> None:
    server = served()
    done = report(tmp_path, server)
    documents = list(yaml.safe_load_all(done.out))
    assert done.code == 0
    assert [one["metadata"]["namespace"] for one in documents] == ["kube-system", "shop"]
    assert UID in done.err
    assert changes(server) == []
    assert report(tmp_path, server, "--write").code == 0
    assert server.objects[OURS]["results"] == documents[1]["results"]


def test_the_cluster_that_was_read_is_written_whatever_the_current_context_becomes(tmp_path: Path) -> None:
    server, other = served(), served()
    with serving(server), serving(other):
        config = kubeconfig(tmp_path, server)
        document = json.loads(config.read_text())
        document["clusters"].append({"name": "d", "cluster": {"server": f"http://127.0.0.1:{other.port}"}})
        document["contexts"][1]["context"]["cluster"] = "d"
        config.write_text(json.dumps(document))
        proper = server.answer

        def switch(asked: Asked) -> Fault:
            config.write_text(json.dumps({**document, "current-context": "other"}))
            return proper(asked)

        server.answer = switch  # type: ignore[method-assign]
        done = run(tmp_path, "report", "--kubeconfig", str(config), "--write")
    assert done.code == 0
    assert other.asked == []
    assert OURS in server.objects


def test_reports_are_applied_by_our_field_manager(tmp_path: Path) -> None:
    server = served()
    done = report(tmp_path, server, "--write")
    assert done.code == 0
    assert "reports: 2 written, 0 unchanged, 0 removed" in done.err
    sent = [asked for asked in server.asked if asked.method != "GET"]
    assert {(asked.method, asked.query["fieldManager"]) for asked in sent} == {("PATCH", "ccmcheck")}
    assert not [asked for asked in sent if "force" in asked.query]
    assert server.objects[OURS]["metadata"]["managedFields"][0]["operation"] == "Apply"


def test_a_context_that_is_switched_after_the_reading_gets_no_reports(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    changes(server)
    server.lists[SERVICES] = []
    read = server.objects["/api/v1/namespaces/kube-system"]
    switched = {**read, "metadata": {**read["metadata"], "uid": "of-another-cluster"}}
    server.fail("/api/v1/namespaces/kube-system", *(Fault(body=json.dumps(one).encode()) for one in (read, switched)))
    done = report(tmp_path, server, "--write")
    assert done.code == 3
    assert "another cluster than the one that was read" in done.err
    assert changes(server) == []


def test_our_reports_alone_are_listed(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    listed = next(asked for asked in server.asked if asked.path == REPORTS)
    assert listed.query["fieldSelector"] == "metadata.name=ccmcheck"


def test_unchanged_reports_are_not_sent(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    changes(server)
    done = report(tmp_path, server, "--write")
    assert changes(server) == []
    assert "reports: 0 written, 2 unchanged, 0 removed" in done.err


def test_a_changed_finding_changes_its_report_alone(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    changes(server)
    server.add(SERVICES, service("more", annotations={"loadbalancer.openstack.org/no-such": "x"}), kind="Service")
    report(tmp_path, server, "--write")
    assert changes(server) == [("PATCH", OURS)]


def test_a_report_without_findings_is_removed_by_what_was_read(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    old = server.objects[OURS]["metadata"]
    changes(server)
    fix_service(server)
    with serving(server):
        done = run(tmp_path, "report", "--kubeconfig", str(kubeconfig(tmp_path, server)), "--write")
    asked = next(asked for asked in server.asked if asked.method == DELETE)
    assert (asked.path, done.code) == (OURS, 0)
    assert asked.document["preconditions"] == {"uid": old["uid"], "resourceVersion": old["resourceVersion"]}
    assert OURS not in server.objects


def test_a_partial_result_removes_nothing(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    changes(server)
    server.fail(SERVICES, status(403))
    done = report(tmp_path, server, "--write")
    assert done.code == 3
    assert "1 kept as the result is partial" in done.err
    assert (DELETE, OURS) not in changes(server)
    assert OURS in server.objects


@pytest.mark.parametrize(
    "theirs",
    [
        {"source": "kyverno"},
        {"source": "ccmcheck", "metadata": {"labels": {"app.kubernetes.io/managed-by": "ccmcheck"}}},
    ],
)
def test_what_somebody_else_wrote_is_left_alone(theirs: dict[str, Any], tmp_path: Path) -> None:
    server = served()
    fields = [{"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:source": {}, "f:results": {}}}]
    metadata = {"name": "ccmcheck", "namespace": "shop", "managedFields": fields, **theirs.pop("metadata", {})}
    server.add(
        REPORTS, {"metadata": metadata, "results": [], **theirs}, kind="Report", version="openreports.io/v1alpha1"
    )
    before = json.dumps(server.objects[OURS])
    done = report(tmp_path, server, "--write")
    assert done.code == 3
    assert "Report shop/ccmcheck: somebody else wrote a Report named ccmcheck." in done.err
    fix_service(server)
    assert report(tmp_path, server, "--write").code == 0
    assert json.dumps(server.objects[OURS]) == before


def test_a_conflict_names_the_field_and_its_owner(tmp_path: Path) -> None:
    server = served()
    report(tmp_path, server, "--write")
    fields = {"manager": "somebody", "operation": "Update", "fieldsV1": {"f:summary": {"f:fail": {}}}}
    server.objects[OURS]["metadata"]["managedFields"].append(fields)
    server.objects[OURS]["summary"]["fail"] = 77
    done = report(tmp_path, server, "--write")
    assert done.code == 3
    assert ".summary.fail of somebody" in done.err
    assert server.objects[OURS]["summary"]["fail"] == 77


def test_one_refused_namespace_does_not_stop_the_others(tmp_path: Path) -> None:
    server = served()
    server.fail(f"{REPORTS.removesuffix('/reports')}/namespaces/kube-system/reports/ccmcheck", status(403))
    done = report(tmp_path, server, "--write")
    assert done.code == 3
    assert "Report kube-system/ccmcheck: HTTP 403" in done.err
    assert "reports: 1 written, 0 unchanged, 0 removed, 1 failed" in done.err
    assert OURS in server.objects


def test_a_cluster_without_the_definition_is_an_error_that_names_it(tmp_path: Path) -> None:
    done = report(tmp_path, cluster(), "--write")
    assert done.code == 3
    assert "no Reports of openreports.io v1alpha1" in done.err
    assert "reports-api" in done.err


def test_metrics_come_from_the_same_run(tmp_path: Path) -> None:
    server = served()
    done = report(tmp_path, server, "--write", "--output-file", "prometheus=ccm.prom")
    assert done.code == 0
    text = (tmp_path / "ccm.prom").read_text()
    assert f'ccmcheck_fatal_findings{{cluster="{UID}",context="test"}} 1' in text
    assert len([asked for asked in server.asked if asked.path == SERVICES]) == 1


def test_no_secret_is_in_any_output_or_report(tmp_path: Path) -> None:
    server = served()
    said = report(tmp_path, server).said + report(tmp_path, server, "--write", "--format", "prometheus").said
    assert "hunter2" not in said
    assert "hunter2" not in json.dumps(server.objects[OURS]) + json.dumps(server.lists[REPORTS])
    assert "t0ken-of-the-user" not in said


def test_its_roles_add_our_report_to_those_of_lint(tmp_path: Path) -> None:
    added = granted(run(tmp_path, "rbac", "--for", "report").out) - granted(run(tmp_path, "rbac").out)
    assert {(right.group, right.resource, right.name) for right in added} == {
        ("openreports.io", "reports", "ccmcheck"),
        ("authentication.k8s.io", "selfsubjectreviews", ""),
    }
    assert {right.verb for right in added} == {"list", "create", "patch", "delete"}
