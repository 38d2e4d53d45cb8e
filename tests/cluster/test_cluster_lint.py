"""`cluster lint`: what it reads of a cluster, and how its findings name objects and fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import (
    BALANCER,
    CONF,
    SLICES,
    UID,
    cluster,
    daemonset,
    endpoint_slice,
    kubeconfig,
    secret,
    service,
    serving,
)
from cluster_runs import failures, lint, rules, run

from ccmcheck.cluster.documents import object_file
from ccmcheck.cluster.ownership import written_by_ccm
from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from pathlib import Path

DAEMONSETS = "/apis/apps/v1/namespaces/kube-system/daemonsets"
PODS = "/api/v1/namespaces/kube-system/pods"
SERVICES = "/api/v1/services"
BALANCER_ID = "loadbalancer.openstack.org/load-balancer-id"
CCM = "openstack-cloud-controller-manager"


def owner(manager: str, *path: str, operation: str = "Update", time: str = "2026-11-02T09:30:00Z") -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in reversed(path):
        fields = {f"f:{name}": fields}
    return {"manager": manager, "operation": operation, "time": time, "fieldsV1": fields}


def pod(name: str, started: str, *, node: str = "n0", owner_kind: str = "DaemonSet") -> dict[str, Any]:
    spec = daemonset()["spec"]["template"]["spec"]
    return {
        "metadata": {
            "name": name,
            "namespace": "kube-system",
            "labels": {"app": "ccm"},
            "ownerReferences": [{"kind": owner_kind, "name": "x"}],
        },
        "spec": {**spec, "nodeName": node},
        "status": {"containerStatuses": [{"name": "ccm", "state": {"running": {"startedAt": started}}}]},
    }


def test_the_first_line_says_which_cluster_it_is(tmp_path: Path) -> None:
    server = cluster()
    done = lint(tmp_path, server)
    assert done.out.splitlines()[0] == f"Cluster: context test, http://127.0.0.1:{server.port}, kube-system {UID}"


def test_findings_name_the_object_and_the_line_of_the_cloud_conf(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster())
    assert done.code == 1
    assert "Secret kube-system/cloud-config:11:17  error  duration-bad  fatal: the CCM stops at this line" in done.out
    assert "   … › line 11\n   11 │ monitor-delay = 5\n" in done.out
    assert 'Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 3' in done.out


def test_findings_about_services_name_the_field(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster())
    annotation = '["loadbalancer.openstack.org/enable-health-monitor"]'
    assert f"Service shop/web › metadata.annotations{annotation}\n" in done.out


def test_the_release_is_the_image_s_even_where_the_configuration_names_another(tmp_path: Path) -> None:
    (tmp_path / "ccmcheck.toml").write_text('release = "1.20"\n')
    done = lint(tmp_path, cluster(), "--format", "json")
    summary = done.report["summary"]
    assert summary["releases"] == ["v1.31.2"]
    assert summary["release_source"] == f"from DaemonSet kube-system/{CCM}"


def test_an_option_wins_over_the_image(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster(), "--format", "json", "--release", "1.36")
    assert done.report["summary"]["releases"] != ["v1.31.2"]


def test_the_kubernetes_version_is_the_api_server_s(tmp_path: Path) -> None:
    server = cluster()
    server.objects["/version"] = {"gitVersion": "v1.28.3+k3s1"}
    assert "ccm-image-skew" in rules(lint(tmp_path, server, "--format", "json"))
    assert "ccm-image-skew" not in rules(lint(tmp_path, cluster(), "--format", "json"))


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_reports_the_findings_and_no_secret(name: str, tmp_path: Path) -> None:
    done = lint(tmp_path, cluster(), "--format", name)
    assert done.code == 1
    assert "monitor-delay" in done.out or "duration-bad" in done.out
    assert UID in done.said
    assert "hunter2" not in done.said
    assert ".yaml" not in done.out  # what the engine calls the objects


def test_nothing_but_get_is_sent(tmp_path: Path) -> None:
    server = cluster()
    lint(tmp_path, server)
    assert {asked.method for asked in server.asked} == {"GET"}
    assert len(server.asked) == 10


def test_lists_are_read_in_pages(tmp_path: Path) -> None:
    server = cluster()
    server.add(SERVICES, *(service(f"s{number}", loadBalancerClass="x") for number in range(1200)), kind="Service")
    done = lint(tmp_path, server, "--format", "json")
    pages = [asked.query for asked in server.asked if asked.path == SERVICES]
    assert [page.get("continue", "") for page in pages] == ["", "500", "1000"]
    assert all(page["limit"] == "500" for page in pages)
    assert done.report["summary"]["files"] == 1200 + 3


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
    assert local(tmp_path, endpoint_slice("other", "n0")).startswith("connections also go to nodes")


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


def test_the_ccm_is_found_by_its_arguments_in_a_mirrored_image(tmp_path: Path) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = [daemonset(image="registry.local/mirror/occm:v1.28.0")]
    done = lint(tmp_path, server, "--format", "json")
    assert done.report["summary"]["releases"] == ["v1.28.0"]
    assert failures(done) == {}


def test_two_ccms_are_a_finding(tmp_path: Path) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = [daemonset(), daemonset("old-ccm")]
    done = lint(tmp_path, server, "--format", "json")
    found = [finding for finding in done.report["findings"] if finding["rule"] == "ccm-not-alone"]
    assert [finding["path"] for finding in found] == ["DaemonSet kube-system/old-ccm", f"DaemonSet kube-system/{CCM}"]
    assert found[1]["label"] == "DaemonSet kube-system/old-ccm runs the CCM, too"


def test_a_deployment_without_replicas_is_no_second_ccm(tmp_path: Path) -> None:
    server = cluster()
    stopped = daemonset("old-ccm")
    stopped["spec"]["replicas"] = 0
    server.lists["/apis/apps/v1/namespaces/kube-system/deployments"] = [stopped]
    assert "ccm-not-alone" not in rules(lint(tmp_path, server, "--format", "json"))


def test_pods_of_the_daemonset_are_no_further_ccms(tmp_path: Path) -> None:
    server = cluster()
    server.lists[PODS] = [pod("ccm-a", "2026-11-01T08:00:00Z"), pod("ccm-b", "2026-11-01T08:00:00Z", node="n1")]
    done = lint(tmp_path, server, "--format", "json")
    assert "ccm-not-alone" not in rules(done)
    assert done.report["summary"]["files"] == 3


def test_static_pods_are_one_ccm_whose_file_is_on_the_nodes(tmp_path: Path) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = []
    statics = [
        pod(f"ccm-n{number}", "2026-11-01T08:00:00Z", node=f"n{number}", owner_kind="Node") for number in range(3)
    ]
    for static in statics:
        static["spec"]["volumes"] = [{"name": "config", "hostPath": {"path": "/etc/kubernetes/"}}]
    server.lists[PODS] = statics
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert failures(done) == {
        "Pod kube-system/ccm-n0": "reads /etc/kubernetes/cloud.conf, a file of its node that the API server does not have"
    }
    assert "ccm-not-alone" not in rules(done)


def test_no_ccm_says_where_to_look(tmp_path: Path) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = []
    done = lint(tmp_path, server)
    assert done.code == 3
    assert "CCM  could not be read\n   no CCM runs in kube-system or openshift-cloud-controller-manager\n" in done.out
    assert "Gardener" in done.out
    assert "1 request failed.  This is a partial result: what could not be read is not judged." in done.out


def test_openshift_s_namespace_is_searched(tmp_path: Path) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = []
    theirs = daemonset()
    theirs["metadata"]["namespace"] = "openshift-cloud-controller-manager"
    server.lists["/apis/apps/v1/namespaces/openshift-cloud-controller-manager/deployments"] = [theirs]
    held = secret()
    held["metadata"]["namespace"] = "openshift-cloud-controller-manager"
    server.add("/api/v1/namespaces/openshift-cloud-controller-manager/secrets", held, kind="Secret")
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {}
    assert "duration-bad" in rules(done)


def test_a_named_namespace_is_the_only_one_searched(tmp_path: Path) -> None:
    server = cluster()
    for path in list(server.lists):
        if "kube-system" in path:
            server.lists[path.replace("kube-system", "shoot--a")] = []
    done = lint(tmp_path, server, "--namespace", "shoot--a", "--format", "json")
    assert failures(done) == {"CCM": "no CCM runs in shoot--a"}


@pytest.mark.parametrize(
    ("volume", "message"),
    [
        ({"secret": {"secretName": "gone"}}, ("Secret kube-system/gone", "HTTP 404: there is none")),
        (
            {"emptyDir": {}},
            (f"DaemonSet kube-system/{CCM}", "reads /etc/config/cloud.conf, which is in a volume of type emptyDir"),
        ),
        (
            {"secret": {"secretName": "cloud-config", "items": [{"key": "a", "path": "b"}]}},
            (
                f"DaemonSet kube-system/{CCM}",
                "reads /etc/config/cloud.conf, which its volume of Secret cloud-config does not hold",
            ),
        ),
    ],
)
def test_a_cloud_conf_that_is_not_there_is_a_clear_failure(
    volume: dict[str, Any], message: tuple[str, str], tmp_path: Path
) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = [daemonset(volume=volume)]
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert failures(done) == dict([message])


def test_a_secret_without_the_key_names_those_that_it_has(tmp_path: Path) -> None:
    server = cluster()
    server.add("/api/v1/namespaces/kube-system/secrets", secret(key="cloud.cfg", name="renamed"), kind="Secret")
    server.lists[DAEMONSETS] = [daemonset(holder="renamed")]
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    (message,) = failures(done).values()
    assert message.startswith("has no key cloud.conf, which DaemonSet kube-system/")
    assert message.endswith("its keys: cloud.cfg")


def test_a_ccm_without_the_flag_has_no_cloud_conf(tmp_path: Path) -> None:
    server = cluster()
    bare = daemonset()
    del bare["spec"]["template"]["spec"]["containers"][0]["args"][1]
    server.lists[DAEMONSETS] = [bare]
    assert failures(lint(tmp_path, server, "--format", "json")) == {
        f"DaemonSet kube-system/{CCM}": "runs without --cloud-config, so there is no cloud.conf to judge"
    }


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


def restart(
    tmp_path: Path, conf: str, *managers: dict[str, Any], started: str = "2026-11-01T08:00:00Z"
) -> dict[str, str]:
    server = cluster()
    server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"] = {
        "apiVersion": "v1",
        "kind": "Secret",
        **secret(conf, managedFields=list(managers)),
    }
    server.lists[PODS] = [pod("ccm-a", started)]
    done = lint(tmp_path, server, "--format", "json")
    return {
        finding["severity"]: finding["label"]
        for finding in done.report["findings"]
        if finding["rule"] == "ccm-restart-needed"
    }


RIGHT = CONF.replace("monitor-delay = 5", "monitor-delay = 5s")


def test_a_key_that_was_changed_after_the_start_needs_a_restart(tmp_path: Path) -> None:
    found = restart(tmp_path, RIGHT, owner("kubectl-edit", "data", "cloud.conf"))
    assert found == {
        "warning": "changed at 2026-11-02T09:30:00Z by kubectl-edit, after the CCM was started at "
        "2026-11-01T08:00:00Z: it uses the older text"
    }


def test_a_change_of_an_entry_that_owns_more_is_possible_only(tmp_path: Path) -> None:
    more = owner("helm", "data", "cloud.conf")
    more["fieldsV1"]["f:metadata"] = {"f:labels": {"f:team": {}}}
    assert set(restart(tmp_path, RIGHT, more)) == {"info"}


def test_a_start_shortly_after_a_change_may_have_read_the_old_file(tmp_path: Path) -> None:
    change = owner("kubectl-edit", "data", "cloud.conf")
    assert set(restart(tmp_path, RIGHT, change, started="2026-11-02T09:31:00Z")) == {"info"}
    assert restart(tmp_path, RIGHT, change, started="2026-11-02T09:33:00Z") == {}


def test_a_fatal_text_under_a_running_ccm_is_an_error(tmp_path: Path) -> None:
    assert restart(tmp_path, CONF) == {"error": "the running CCM uses an older text, and fails at its next restart"}


def test_without_times_nothing_is_said(tmp_path: Path) -> None:
    assert restart(tmp_path, RIGHT) == {}
    assert restart(tmp_path, CONF, started="nonsense") == {}


def test_a_baseline_hides_what_it_counts(tmp_path: Path) -> None:
    assert lint(tmp_path, cluster(), "--write-baseline", "known.json").code == 0
    done = lint(tmp_path, cluster(), "--baseline", "known.json")
    assert done.code == 0
    assert "in the baseline" in done.out


def test_partial_results_win_over_findings(tmp_path: Path) -> None:
    server = cluster()
    del server.lists["/api/v1/nodes"]
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert "duration-bad" in rules(done)
    assert failures(done) == {"Nodes": "HTTP 404: there is none"}
    assert "This is a partial result: what could not be read is not judged" in done.report["summary"]["notes"]


def test_no_local_file_is_read_under_the_name_of_an_object(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "ccmcheck.toml").write_text('ignore = ["svc-local-no-monitor"]\n')
    (folder / "Service web.yaml").write_text("[Global]\nbogus = 1\n")
    done = lint(tmp_path, cluster(), "--format", "json")
    assert "svc-local-no-monitor" in rules(done)
    assert "bogus" not in done.out


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif"])
def test_objects_are_no_files_of_the_repository_around(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "below"
    folder.mkdir()
    done = lint(folder, cluster(), "--format", name)
    assert "cloud-config" in done.out
    assert "below" not in done.out


def test_a_context_is_selected_and_named(tmp_path: Path) -> None:
    assert lint(tmp_path, cluster(), "--context", "other").out.startswith("Cluster: context other, ")


def test_the_kubeconfig_of_the_environment_is_used(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        config = kubeconfig(tmp_path, server)
        assert run(tmp_path, "lint", KUBECONFIG=str(config)).code == 1


@pytest.mark.parametrize("form", ["text", "concise", "json", "markdown", "sarif"])
def test_the_password_of_the_ccm_shows_in_no_other_object(form: str, tmp_path: Path) -> None:
    server = cluster(CONF.replace("[LoadBalancer]", "password = S3cr3t-of-the-ccm\n[LoadBalancer]"))
    annotation = {"loadbalancer.openstack.org/timeout-client-data": "S3cr3t-of-the-ccm"}
    server.add(SERVICES, service("copied", annotations=annotation), kind="Service")
    done = lint(tmp_path, server, "-vv", "--format", form)
    assert "svc-annotation-value" in done.out
    assert "S3cr3t" not in done.said
