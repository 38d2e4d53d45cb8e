"""`cluster lint` says first what it looked at: whether the CCM runs, with which text, and why it does not."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import Fault, status
from api_server import TOKEN, ApiServer, cluster, daemonset, secret, service
from cluster_pending import EVENTS, event
from cluster_runs import Done, failures, lint, rules
from live_objects import CCM, DAEMONSETS, PODS, RIGHT, pod

if TYPE_CHECKING:
    from pathlib import Path

LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager"
DEPLOYMENTS = "/apis/apps/v1/namespaces/kube-system/deployments"
X509 = b"I1102 fine\nF1102 09:30:00 main.go:71] x509: unknown authority hunter2-is-the-secret\n"
RULE = "ccm-not-running"


def ago(**how_long: float) -> str:
    return (datetime.now(UTC) - timedelta(**how_long)).strftime("%Y-%m-%dT%H:%M:%SZ")


def found(done: Done, rule: str = RULE) -> list[Any]:
    return [finding for finding in done.report["findings"] if finding["rule"] == rule]


def check(done: Done, name: str) -> Any:
    return next(one for one in done.report["summary"]["checks"] if one["name"] == name)


def state(waiting: str = "", *, restarts: int = 0, last: dict[str, Any] | None = None) -> dict[str, Any]:
    inner: dict[str, Any] = {"waiting": {"reason": waiting}} if waiting else {"running": {"startedAt": ago(days=3)}}
    return {"name": "ccm", "restartCount": restarts, "state": inner, "lastState": {"terminated": last} if last else {}}


def with_pods(*states: dict[str, Any], log: bytes = b"", image: str = "") -> ApiServer:
    server = cluster(RIGHT)
    pods = [pod(f"ccm-{number}", ago(days=3)) for number in range(len(states))]
    for one, of_container in zip(pods, states, strict=True):
        one["status"]["containerStatuses"] = [of_container]
        if image:
            one["spec"] = {**one["spec"], "containers": [{**one["spec"]["containers"][0], "image": image}]}
        server.fail(f"{PODS}/{one['metadata']['name']}/log", Fault(body=log, content_type="text/plain"))
    server.lists[PODS] = pods
    return server


def test_a_ccm_that_crashes_is_the_first_thing_said(tmp_path: Path) -> None:
    ended = {"exitCode": 1, "reason": "Error", "finishedAt": ago(minutes=2)}
    server = with_pods(state("CrashLoopBackOff", restarts=57, last=ended), log=X509)
    done = lint(tmp_path, server, "--format", "json")
    (finding,) = found(done)
    assert finding["severity"] == "error"
    assert finding["label"] == "the CCM does not run, 0 of 1 pod: CrashLoopBackOff"
    assert "CrashLoopBackOff, 57 restarts; it ended the last time with exit code 1 (Error) at " in finding["detail"]
    assert "The CCM's log: F1102 09:30:00 main.go:71] x509: unknown authority ****." in finding["detail"]
    assert "hunter2" not in done.said
    assert check(done, "CCM")["passed"] is False
    asked = [one.query for one in server.asked if one.path.endswith("/log")]
    assert [query.get("previous") for query in asked] == ["true"]
    text = lint(tmp_path, server).out
    assert text.index("✗ CCM:") < text.index(RULE)
    assert done.code == 1


def test_a_ccm_that_runs_passes_with_its_text(tmp_path: Path) -> None:
    server = with_pods(state())
    server.lists[DAEMONSETS][0]["status"] = {"desiredNumberScheduled": 1, "numberAvailable": 1}
    server.objects[LEASE] = {"spec": {"renewTime": ago(seconds=2), "holderIdentity": "n0"}}
    done = lint(tmp_path, server, "--format", "json")
    assert RULE not in rules(done)
    assert check(done, "CCM")["passed"] is True
    assert "1 of 1 pod run since " in check(done, "CCM")["text"]


@pytest.mark.parametrize(
    ("states", "severity", "label", "advice"),
    [
        (
            [state("ImagePullBackOff")],
            "error",
            "the CCM does not run, 0 of 1 pod: ImagePullBackOff",
            "Correct the image",
        ),
        ([state(), state("ImagePullBackOff")], "warning", "1 pod of the CCM does not run", "Correct the image"),
        (
            [state(restarts=812, last={"exitCode": 137, "reason": "OOMKilled", "finishedAt": ago(minutes=9)})],
            "error",
            "the CCM ends again and again: OOMKilled, 812 restarts",
            "Raise the container's memory limit.",
        ),
        (
            [state("CreateContainerConfigError")],
            "error",
            "the CCM does not run, 0 of 1 pod: CreateContainerConfigError",
            "",
        ),
    ],
)
def test_each_state_has_its_words(
    states: list[dict[str, Any]], severity: str, label: str, advice: str, tmp_path: Path
) -> None:
    (finding,) = found(lint(tmp_path, with_pods(*states), "--format", "json"))
    assert (finding["severity"], finding["label"]) == (severity, label)
    assert advice in finding["help"]


def test_restarts_of_long_ago_are_no_finding(tmp_path: Path) -> None:
    old = state(restarts=812, last={"exitCode": 137, "reason": "OOMKilled", "finishedAt": ago(days=3)})
    assert RULE not in rules(lint(tmp_path, with_pods(old), "--format", "json"))


def test_a_pod_that_cannot_be_scheduled(tmp_path: Path) -> None:
    server = with_pods(state())
    conditions = [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": TOKEN}]
    server.lists[PODS][0]["status"] = {"phase": "Pending", "conditions": conditions}
    done = lint(tmp_path, server, "--format", "json")
    (finding,) = found(done)
    assert finding["label"].endswith("0 of 1 pod: Unschedulable")
    assert TOKEN not in done.said


@pytest.mark.parametrize(
    ("workload", "why"),
    [
        ({"spec": {"replicas": 0}}, "it is scaled to 0"),
        (
            {"status": {"conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate"}]}},
            "FailedCreate",
        ),
    ],
)
def test_a_deployment_without_pods(workload: dict[str, Any], why: str, tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS] = []
    one = daemonset()
    one["spec"] |= workload.get("spec", {})
    one["status"] = workload.get("status", {"observedGeneration": 1})
    server.lists[DEPLOYMENTS] = [one]
    (finding,) = found(lint(tmp_path, server, "--format", "json"))
    assert why in finding["label"]


def test_a_daemonset_whose_pods_cannot_be_made_says_why(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS][0]["status"] = {"desiredNumberScheduled": 3}
    told = {"kind": "DaemonSet", "namespace": "kube-system", "name": CCM}
    says = 'Error creating: pods "x" is forbidden: no PriorityClass with name high was found, hunter2-is-the-secret'
    old = event("something else", reason="FailedCreate", lastTimestamp=ago(hours=3), involvedObject=told)
    server.lists[EVENTS] = [event(says, reason="FailedCreate", lastTimestamp=ago(minutes=1), involvedObject=told), old]
    (finding,) = found(lint(tmp_path, server, "--format", "json"))
    assert finding["label"].startswith("the CCM does not run, 0 of 3 pods: no pod can be made: Error creating: pods")
    assert "no PriorityClass with name high was found, ****" in finding["label"]
    asked = [one.query["fieldSelector"] for one in server.asked if one.path == EVENTS]
    assert f"involvedObject.kind=DaemonSet,involvedObject.namespace=kube-system,involvedObject.name={CCM}" in asked


def test_pods_that_may_not_be_read_are_no_finding(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS][0]["status"] = {"desiredNumberScheduled": 3, "numberAvailable": 3}
    server.fail(PODS, status(403))
    done = lint(tmp_path, server, "--format", "json")
    assert RULE not in rules(done)
    assert "3 of 3 pods run" in check(done, "CCM")["text"]


def test_two_pods_without_leader_election(tmp_path: Path) -> None:
    server = with_pods(state(), state())
    container = server.lists[DAEMONSETS][0]["spec"]["template"]["spec"]["containers"][0]
    container["args"].append("--leader-elect=false")
    (finding,) = found(lint(tmp_path, server, "--format", "json"))
    assert finding["label"] == "2 pods run without leader election, and work against each other"


def test_a_lease_that_nobody_renews(tmp_path: Path) -> None:
    server = with_pods(state())
    server.objects[LEASE] = {"spec": {"renewTime": ago(hours=2), "holderIdentity": "n9_hunter2-is-the-secret"}}
    done = lint(tmp_path, server, "--format", "json")
    (finding,) = found(done)
    assert finding["label"].startswith("no CCM works: lease kube-system/cloud-controller-manager was last renewed at ")
    assert "hunter2" not in done.said


@pytest.mark.parametrize("fault", [status(403), status(404), Fault(body=b'{"spec": {"renewTime": 5}}')])
def test_an_unknown_lease_says_nothing(fault: Fault, tmp_path: Path) -> None:
    server = with_pods(state())
    server.fail(LEASE, fault)
    assert RULE not in rules(lint(tmp_path, server, "--format", "json"))


def test_a_ccm_that_runs_and_may_not_work(tmp_path: Path) -> None:
    log = b'E1102 reflector.go:1] nodes is forbidden: User "ccm" cannot list resource "nodes"\nI1102 fine\n'
    (finding,) = found(lint(tmp_path, with_pods(state(), log=log), "--format", "json"))
    assert finding["label"] == "the CCM runs, and its log says that it cannot work"
    assert "nodes is forbidden" in finding["detail"]


def test_what_runs_is_judged_not_a_template_that_cannot_be_pulled(tmp_path: Path) -> None:
    runs = f"registry.k8s.io/provider-os/{CCM}:v1.28.2"
    server = with_pods(state(), image=runs)
    done = lint(tmp_path, server, "--format", "json")
    assert done.report["summary"]["releases"] == ["v1.28.2"]
    (finding,) = found(done)
    assert finding["label"].startswith("the CCM runs another image than its template has: ")


def test_a_statefulset_in_another_namespace_is_found(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS] = []
    elsewhere = daemonset()
    elsewhere["metadata"]["namespace"] = "cloud"
    elsewhere["kind"] = "StatefulSet"
    server.lists["/apis/apps/v1/statefulsets"] = [elsewhere]
    held = secret(RIGHT)
    held["metadata"]["namespace"] = "cloud"
    server.add("/api/v1/namespaces/cloud/secrets", held, kind="Secret")
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {}
    assert "auth-incomplete" in rules(done)


def test_a_second_ccm_of_another_namespace_is_a_finding(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    other = daemonset("old-ccm")
    other["metadata"]["namespace"] = "cloud"
    server.lists["/apis/apps/v1/deployments"] = [{**other, "kind": "Deployment"}]
    held = secret(RIGHT)
    held["metadata"]["namespace"] = "cloud"
    server.add("/api/v1/namespaces/cloud/secrets", held, kind="Secret")
    assert "ccm-not-alone" in rules(lint(tmp_path, server, "--format", "json"))


@pytest.mark.parametrize(
    "sources",
    [
        [{"secret": {"name": "cloud-config"}}],
        [{"configMap": {"name": "ca"}}, {"secret": {"name": "cloud-config"}}],
        [{"secret": {"name": "cloud-config", "items": [{"key": "cloud.conf", "path": "cloud.conf"}]}}],
    ],
)
def test_projected_volumes(sources: list[dict[str, Any]], tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS] = [daemonset(volume={"projected": {"sources": sources}})]
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {}
    assert "auth-incomplete" in rules(done)


def test_binary_data_is_the_same_file(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[DAEMONSETS] = [daemonset(volume={"configMap": {"name": "c"}})]
    held = {"metadata": {"name": "c", "namespace": "kube-system"}, "binaryData": secret(RIGHT)["data"]}
    server.add("/api/v1/namespaces/kube-system/configmaps", held, kind="ConfigMap")
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {}
    assert "auth-incomplete" in rules(done)


def test_a_path_from_a_config_map(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    one = daemonset()
    container = one["spec"]["template"]["spec"]["containers"][0]
    container["args"][1] = "--cloud-config=$(CONF)"
    container["env"] = [{"name": "CONF", "valueFrom": {"configMapKeyRef": {"name": "flags", "key": "conf"}}}]
    server.lists[DAEMONSETS] = [one]
    assert "whose variable is not known" in str(failures(lint(tmp_path, server, "--format", "json")))
    held = {"metadata": {"name": "flags", "namespace": "kube-system"}, "data": {"conf": "/etc/config/cloud.conf"}}
    server.add("/api/v1/namespaces/kube-system/configmaps", held, kind="ConfigMap")
    assert failures(lint(tmp_path, server, "--format", "json")) == {}


def test_what_a_secret_holds_in_the_place_of_a_path_is_not_shown(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    workload = daemonset()
    container = workload["spec"]["template"]["spec"]["containers"][0]
    container["args"][1] = "--cloud-config=$(CONF)"
    container["env"] = [{"name": "CONF", "valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}}]
    server.lists[DAEMONSETS] = [workload]
    held = {
        "metadata": {"name": "login", "namespace": "kube-system"},
        "data": {"password": base64.b64encode(b"c4nary-of-the-login").decode()},
    }
    server.add("/api/v1/namespaces/kube-system/secrets", held, kind="Secret")
    for form in ("json", "text", "markdown"):
        done = lint(tmp_path, server, "--format", form)
        assert "whose variable is not known" in done.said
        assert "c4nary" not in done.said


def test_an_empty_cloud_conf_is_not_clean(tmp_path: Path) -> None:
    server = cluster("")
    done = lint(tmp_path, server, "--format", "json")
    assert done.code == 3
    assert "has an empty key cloud.conf" in failures(done)["Secret kube-system/cloud-config"]


def test_another_controller_of_load_balancers_is_named(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    metallb = daemonset("controller", image="quay.io/metallb/controller:v0.14.9")
    metallb["metadata"]["namespace"] = "metallb-system"
    metallb["spec"]["template"]["spec"]["containers"][0]["args"] = []
    server.lists["/apis/apps/v1/deployments"] = [{**metallb, "kind": "Deployment"}]
    beside = check(lint(tmp_path, server, "--format", "json"), "Beside")
    assert beside["text"] == "MetalLB (Deployment metallb-system/controller)"


def of_services(tmp_path: Path, *services: dict[str, Any], events: tuple[dict[str, Any], ...] = ()) -> Done:
    server = cluster(RIGHT)
    server.lists["/api/v1/services"] = list(services)
    server.lists[EVENTS] = list(events)
    for one in services:
        one["spec"].setdefault("loadBalancerClass", None)
    return lint(tmp_path, server, "--format", "json")


def test_a_failed_sync_of_a_service_with_an_address(tmp_path: Path) -> None:
    done = of_services(tmp_path, service("new"), events=(event(lastTimestamp=ago(minutes=1)),))
    (finding,) = found(done, "svc-sync-failed")
    assert "Quota has been met" in finding["detail"]
    assert "hunter2" not in done.said
    assert done.code == 1


def test_a_sync_that_came_right_again_is_fine(tmp_path: Path) -> None:
    right = event("Ensured load balancer", reason="EnsuredLoadBalancer", type="Normal", lastTimestamp=ago(minutes=1))
    done = of_services(tmp_path, service("new"), events=(event(lastTimestamp=ago(minutes=5)), right))
    assert "svc-sync-failed" not in rules(done)


def test_a_service_that_hangs_in_its_deletion(tmp_path: Path) -> None:
    one = service("web")
    one["metadata"] |= {
        "deletionTimestamp": ago(hours=5),
        "finalizers": ["service.kubernetes.io/load-balancer-cleanup"],
    }
    (finding,) = found(of_services(tmp_path, one), "svc-sync-failed")
    assert finding["label"].startswith("is being deleted since ")


def slices(server: ApiServer, *ready: bool) -> ApiServer:
    endpoints = [{"addresses": ["10.0.0.1"], "conditions": {"ready": one}} for one in ready]
    labels = {"kubernetes.io/service-name": "web"}
    one = {"metadata": {"name": "web-x", "namespace": "shop", "labels": labels}, "endpoints": endpoints}
    server.lists["/apis/discovery.k8s.io/v1/endpointslices"] = [one]
    server.lists["/api/v1/services"] = [service("web")]
    return server


@pytest.mark.parametrize(
    ("ready", "label"),
    [((False, False), "none of its 2 pods is ready"), ((), "its selector matches no pod"), ((True, False), "")],
)
def test_a_service_without_endpoints(ready: tuple[bool, ...], label: str, tmp_path: Path) -> None:
    done = lint(tmp_path, slices(cluster(RIGHT), *ready), "--format", "json")
    assert [one["label"] for one in found(done, "svc-no-endpoints")] == ([label] if label else [])


def test_endpoints_that_may_not_be_read_say_nothing(tmp_path: Path) -> None:
    server = slices(cluster(RIGHT), False)
    server.fail("/apis/discovery.k8s.io/v1/endpointslices", status(403))
    done = lint(tmp_path, server, "--format", "json")
    assert "svc-no-endpoints" not in rules(done)
    assert failures(done) == {}


def written(manager: str) -> list[dict[str, Any]]:
    fields: dict[str, Any] = {"f:status": {"f:loadBalancer": {}}}
    return [
        {"manager": manager, "operation": "Update", "subresource": "status", "time": ago(hours=1), "fieldsV1": fields}
    ]


def test_a_status_that_another_controller_wrote(tmp_path: Path) -> None:
    done = of_services(tmp_path, service("web", managers=written("controller")), service("api", managers=written(CCM)))
    (finding,) = found(done, "svc-address-foreign")
    assert finding["label"] == "its address was written by field manager `controller`, not by the CCM"
    alone = of_services(tmp_path, service("web", managers=written("my-ccm")))
    assert "svc-address-foreign" not in rules(alone)


def test_two_services_with_one_address(tmp_path: Path) -> None:
    name = "loadbalancer.openstack.org/load-balancer-id"
    one, other = (service(title, annotations={name: f"{title}-id"}) for title in ("web", "api"))
    labels = {one["path"]: one["label"] for one in found(of_services(tmp_path, one, other), "svc-address-foreign")}
    assert set(labels) == {"Service shop/web", "Service shop/api"}
    shared = [service(title, annotations={name: "same-id"}) for title in ("web", "api")]
    assert "svc-address-foreign" not in rules(of_services(tmp_path, *shared))


def test_a_service_of_a_gateway_is_advised_there(tmp_path: Path) -> None:
    one = service("web")
    one["metadata"]["ownerReferences"] = [{"kind": "Gateway", "name": "edge", "controller": True}]
    done = of_services(tmp_path, one, events=(event(involvedObject={"namespace": "shop", "name": "web"}),))
    (finding,) = found(done, "svc-sync-failed")
    assert finding["help"].endswith("Gateway shop/edge makes this Service: change it there.")


def node(name: str, provider: str = "openstack:///5e1f", *, ready: str = "True") -> dict[str, Any]:
    addresses = [{"type": "InternalIP", "address": "10.0.0.1"}]
    conditions = [{"type": "Ready", "status": ready}]
    return {
        "metadata": {"name": name},
        "spec": {"providerID": provider},
        "status": {"addresses": addresses, "conditions": conditions},
    }


@pytest.mark.parametrize(
    ("nodes", "label"),
    [
        ([node("n0", "")], "has no ID of a server, and no taint that lets the CCM initialize it"),
        ([node("n0", "openstack://South/5e1f")], "has an ID of region `South`, and the cloud.conf names `RegionOne`"),
        ([node("n0", ready="False"), node("n1", ready="False")], "no node is Ready, this one and 1 more"),
        ([node("n0", "rke2://n0")], "has an ID that is not OpenStack's: `rke2://n0`"),
        ([node("n0", "openstack://RegionOne/5e1f"), node("n1", ready="False")], ""),
    ],
)
def test_nodes(nodes: list[dict[str, Any]], label: str, tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists["/api/v1/nodes"] = nodes
    done = lint(tmp_path, server, "--format", "json")
    assert [one["label"] for one in found(done, "node-no-member")] == ([label] if label else [])
    assert check(done, "Nodes")["passed"] is not bool(label)


def test_an_ipv6_service_without_ipv6_nodes(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists["/api/v1/nodes"] = [node("n0")]
    server.lists["/api/v1/services"] = [service("web", ipFamilies=["IPv6"])]
    (finding,) = found(lint(tmp_path, server, "--format", "json"), "svc-no-endpoints")
    assert finding["label"] == "has the IP family IPv6, and no node has an address of it"


def test_a_policy_that_refuses_one_service_stops_no_ccm(tmp_path: Path) -> None:
    log = b"E1102 controller.go:302] services \"web\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'a' denied request\n"
    assert RULE not in rules(lint(tmp_path, with_pods(state(), log=log), "--format", "json"))


def test_the_flags_that_a_ccm_says_at_its_start_are_no_errors(tmp_path: Path) -> None:
    log = b'I1102 09:30:00.1 1 flags.go:64] FLAG: --authorization-webhook-cache-unauthorized-ttl="10s"\n'
    assert RULE not in rules(lint(tmp_path, with_pods(state(), log=log), "--format", "json"))
    server = with_pods(
        state("CrashLoopBackOff", restarts=9, last={"exitCode": 1}), log=b"bad\n" + log + b"last words\n"
    )
    (finding,) = found(lint(tmp_path, server, "--format", "json"))
    assert "The CCM's log: last words." in finding["detail"]
