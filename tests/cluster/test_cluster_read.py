"""`cluster lint` reads of a cluster what the rules need, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import (
    BALANCER,
    SLICES,
    cluster,
    endpoint_slice,
    service,
)
from cluster_runs import failures, lint, rules
from live_objects import BALANCER_ID, CCM, RIGHT, SERVICES, owner

from ccmcheck.cluster.access import transport
from ccmcheck.cluster.access.documents import object_file
from ccmcheck.cluster.live.ownership import written_by_ccm

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_but_get_is_sent(tmp_path: Path) -> None:
    server = cluster()
    lint(tmp_path, server)
    assert {asked.method for asked in server.asked} == {"GET"}
    assert len(server.asked) == 15


def test_lists_are_read_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert transport.PAGE == 500
    monkeypatch.setattr(transport, "PAGE", 50)
    server = cluster()
    server.add(SERVICES, *(service(f"s{number}", loadBalancerClass="x") for number in range(120)), kind="Service")
    done = lint(tmp_path, server, "--format", "json")
    pages = [asked.query for asked in server.asked if asked.path == SERVICES]
    assert [page.get("continue", "") for page in pages] == ["", "50", "100"]
    assert all(page["limit"] == "50" for page in pages)
    assert done.report["summary"]["files"] == 120 + 3


def test_services_of_other_types_are_left_out(tmp_path: Path) -> None:
    server = cluster()
    inner = service("inner")
    inner["spec"]["type"] = "ClusterIP"
    server.add(SERVICES, inner, kind="Service")
    assert lint(tmp_path, server, "--format", "json").report["summary"]["files"] == 3


def test_the_id_that_the_ccm_wrote_is_not_the_user_s() -> None:
    annotations = {BALANCER_ID: BALANCER}
    mine = service("a", annotations=annotations, managers=[owner(CCM, "metadata", "annotations", BALANCER_ID)])
    theirs = service("a", annotations=annotations, managers=[owner("kubectl", "metadata", "annotations", BALANCER_ID)])
    both = service(
        "a",
        annotations=annotations,
        managers=[*mine["metadata"]["managedFields"], *theirs["metadata"]["managedFields"]],
    )
    unknown = service("a", annotations=annotations)
    kept = [
        BALANCER in object_file(one, without_annotations=written_by_ccm(one)).text
        for one in (mine, theirs, both, unknown)
    ]
    assert kept == [False, True, True, True]


def local(tmp_path: Path, *slices: dict[str, Any]) -> str:
    server = cluster(RIGHT)
    server.lists[SLICES] = list(slices)
    done = lint(tmp_path, server, "--format", "json")
    assert {asked.query["labelSelector"] for asked in server.asked if asked.path == SLICES} == {
        "kubernetes.io/service-name in (web)"
    }
    (label,) = [one["label"] for one in done.report["findings"] if one["rule"] == "svc-local-no-monitor"]
    return str(label)


def test_endpoint_slices_say_how_many_nodes_have_a_pod(tmp_path: Path) -> None:
    one_of_two = "1 of 2 nodes have no pod of this Service now"
    assert local(tmp_path, endpoint_slice("web", "n0", "n0")).startswith(one_of_two)
    assert local(tmp_path, endpoint_slice("web", "n0"), endpoint_slice("web", "n0")).startswith(one_of_two)
    assert local(tmp_path, endpoint_slice("web", "n0"), endpoint_slice("web", "n1", ready=False)).startswith(one_of_two)
    assert local(tmp_path, endpoint_slice("other", "n0")).startswith("unless every node runs a pod of this Service, ")


def test_without_all_endpoint_slices_none_counts(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.fail(SLICES, status(403))
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {"EndpointSlices of all namespaces": "HTTP 403: the credentials do not allow it"}
    assert "svc-local-no-monitor" in rules(done)


def test_last_applied_configuration_is_never_read(tmp_path: Path) -> None:
    server = cluster()
    name = "kubectl.kubernetes.io/last-applied-configuration"
    old = json.dumps(
        {"kind": "Secret", "stringData": {"cloud.conf": "[Global]\npassword = an-older-secret\nbogus = 1\n"}}
    )
    server.objects.clear()
    server = cluster()
    server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"]["metadata"]["annotations"] = {name: old}
    done = lint(tmp_path, server, "--format", "json")
    assert "an-older-secret" not in done.said
    assert "bogus" not in done.said


def test_cluster_api_objects_are_read_where_they_are_served(tmp_path: Path) -> None:
    server = cluster()
    group = "/apis/infrastructure.cluster.x-k8s.io"
    server.objects[group] = {"kind": "APIGroup", "preferredVersion": {"version": "v1beta1"}}
    capi = {
        "apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
        "kind": "OpenStackCluster",
        "metadata": {"name": "prod", "namespace": "clusters"},
        "spec": {"managedSecurityGroups": {}},
    }
    server.lists[f"{group}/v1beta1/openstackclusters"] = [capi]
    done = lint(tmp_path, server, "--format", "json")
    assert done.report["summary"]["files"] == 4
    assert failures(done) == {}


def test_partial_results_win_over_findings(tmp_path: Path) -> None:
    server = cluster()
    del server.lists["/api/v1/nodes"]
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert "duration-bad" in rules(done)
    assert failures(done) == {"Nodes": "HTTP 404: there is none"}
    assert "This is a partial result: what could not be read is not judged" in done.report["summary"]["notes"]
