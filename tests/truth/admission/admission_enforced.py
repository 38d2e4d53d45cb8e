"""Policies that refuse: new Services that are wrong, and none of what the CCM does to one that was wrong before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from admission_server import Answer, create, send, wait

if TYPE_CHECKING:
    from kube_checks import Checks
    from kube_server import Running

Object = dict[str, Any]

CCM = "openstack-cloud-controller-manager"
NAMESPACE = "enforced"
MOST_SECONDS = 3.0
"""For all policies; the API server alone takes a third of a second for 31,000 annotations, on a machine under load."""
PATH = f"/api/v1/namespaces/{NAMESPACE}/services"
MERGE = "application/merge-patch+json"
MONITOR = "loadbalancer.openstack.org/enable-health-monitor"
ID = "loadbalancer.openstack.org/load-balancer-id"
FINALIZER = "service.kubernetes.io/load-balancer-cleanup"


def service(name: str, policy: str = "Local", **annotations: str) -> Object:
    """A Service, wrong with policy Local unless an annotation turns monitors on."""
    ports = [{"port": 80, "protocol": "TCP"}]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "annotations": annotations},
        "spec": {"type": "LoadBalancer", "selector": {"app": name}, "ports": ports, "externalTrafficPolicy": policy},
    }


def check_enforced(checks: Checks, server: Running, manifests: str) -> None:
    """Create Services before and after the policies are in force, and do what the CCM does.

    Args:
        checks: Counts.
        server: The API server.
        manifests: Policies that refuse, for a configuration without monitors.
    """
    send(server, "POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    send(server, "POST", PATH, service("old"))
    create(server, manifests, NAMESPACE)
    wait(server, NAMESPACE, service("probe"))

    refused = send(server, "POST", PATH, service("new"))
    words = "svc-local-no-monitor: unless every node runs" in refused.message
    explains = "ccmcheck explain svc-local-no-monitor" in refused.message
    checks.hold("a new Service that is wrong is refused in the rule's words", refused.status == 422 and words, refused)
    checks.hold("the message names the command that explains it", explains, refused.message)
    right = send(server, "POST", PATH, service("right", **{MONITOR: "true"}))
    checks.hold("a right one is created", right.status == 201, right)
    worse = patch(server, "right", {"metadata": {"annotations": {MONITOR: "false"}}}, "kubectl-edit")
    checks.hold("a right one cannot be made wrong", worse.status == 422, worse)
    typed = patch(server, "right", {"metadata": {"annotations": {"loadbalancer.openstack.org/typo": "x"}}}, "helm")
    checks.hold("nor by a rule of another policy", "svc-annotation-unknown" in typed.message, typed)

    as_the_ccm(checks, server, "old")
    edited = patch(server, "old", {"metadata": {"labels": {"team": "shop"}}}, "kubectl-edit")
    checks.hold("one that was wrong before can be edited", edited.status == 200, edited)
    second = patch(
        server, "old", {"metadata": {"annotations": {"loadbalancer.openstack.org/typo": "x"}}}, "kubectl-edit"
    )
    checks.hold("but gets nothing else wrong", "svc-annotation-unknown" in second.message, second)
    mended = patch(server, "old", {"metadata": {"annotations": {MONITOR: "true"}}}, "kubectl-edit")
    again = patch(server, "old", {"metadata": {"annotations": {MONITOR: "false"}}}, "kubectl-edit")
    checks.hold("once right, it stays right", (mended.status, again.status) == (200, 422), (mended, again))
    send(server, "POST", PATH, {**service("plain"), "spec": {"ports": [{"port": 80}], "selector": {"app": "x"}}})
    spec = {"type": "LoadBalancer", "externalTrafficPolicy": "Local"}
    turned = patch(server, "plain", {"spec": spec}, "kubectl-edit")
    checks.hold("a Service that becomes a load balancer is new", turned.status == 422, turned)


def as_the_ccm(checks: Checks, server: Running, name: str) -> None:
    """Do what the CCM and the service controller do to a Service."""
    steps = {
        "the finalizer": patch(server, name, {"metadata": {"finalizers": [FINALIZER]}}, CCM),
        "its annotation": patch(
            server, name, {"metadata": {"annotations": {ID: "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"}}}, CCM
        ),
        "the address": patch(
            server, f"{name}/status", {"status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}}}, CCM
        ),
    }
    for what, answer in steps.items():
        checks.hold(f"the CCM writes {what} of a Service that was wrong before", answer.status == 200, answer)
    send(server, "POST", PATH, service("gone", **{MONITOR: "true"}))
    patch(server, "gone", {"metadata": {"finalizers": [FINALIZER]}}, CCM)
    send(server, "DELETE", f"{PATH}/gone")
    removed = patch(server, "gone", {"metadata": {"finalizers": None, "annotations": {MONITOR: "false"}}}, CCM)
    checks.hold("a Service that is being deleted is not judged", removed.status == 200, removed)


def patch(server: Running, name: str, body: Object, manager: str) -> Answer:
    """Patch a Service."""
    return send(server, "PATCH", f"{PATH}/{name}?fieldManager={manager}", body, MERGE)


def check_types(checks: Checks, server: Running, names: list[str]) -> None:
    """The API server's own type checker has nothing to say; a controller writes what it says into the status."""
    path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
    ends = time.monotonic() + 90
    checked: dict[str, Object] = {}
    while time.monotonic() < ends and len(checked) < len(names):
        found = {one["metadata"]["name"]: one for one in send(server, "GET", path).body["items"]}
        checked = {
            name: found[name]["status"]["typeChecking"]
            for name in names
            if "typeChecking" in found[name].get("status", {})
        }
        time.sleep(0.5)
    checks.hold("every policy is type checked", len(checked) == len(names), sorted(set(names) - set(checked)))
    warned = {name: status for name, status in checked.items() if status.get("expressionWarnings")}
    checks.hold("and has no type error", not warned, warned)


def check_cost(checks: Checks, server: Running, namespace: str) -> None:
    """The largest annotations that Kubernetes takes, 256 KiB in all, stay within the limits of cost.

    An expression that costs too much would fail; the policies of this namespace report that as a warning.
    """
    prefix = "loadbalancer.openstack.org/"
    room = 250_000
    large = {
        "one long number": {f"{prefix}health-monitor-delay": "9" * room},
        "one long word": {f"{prefix}proxy-protocol": "x" * room},
        "one long reference": {f"{prefix}default-tls-container-ref": "a/" * (room // 2)},
        "one long selector of addresses": {"service.beta.kubernetes.io/load-balancer-source-ranges": ",".join(["10.0.0.0/8"] * 20_000)},
        "numbers at the length that is still read": {
            f"{prefix}{name}": "0" * 499 + "7"
            for name in ("health-monitor-delay", "health-monitor-timeout", "timeout-client-data", "timeout-member-data",
                         "timeout-member-connect", "timeout-tcp-inspect", "connection-limit", "health-monitor-max-retries")
        },
        "as many annotations as are judged": {f"{prefix}a{number}": "" for number in range(200)},
        "many unknown annotations": {f"{prefix}a{number}": "" for number in range(room // 34)},
        "many others": {f"a{number}": "" for number in range(room // 8)},
    }  # fmt: skip
    path = f"/api/v1/namespaces/{namespace}/services?dryRun=All"
    for what, given in large.items():
        began = time.monotonic()
        answer = send(server, "POST", path, service("large", "Cluster", **given))
        took = time.monotonic() - began
        said = (answer.status, answer.message, _failed(answer))
        quick = took < MOST_SECONDS
        checks.hold(f"{what}: judged in {took:.2f} s", said == (201, "", []) and quick, said)
    ports = [{"name": f"p{number}", "port": 1000 + number, "protocol": "UDP"} for number in range(1000)]
    body = service("large", **{f"{prefix}proxy-protocol": "true"})
    body["spec"] |= {"ports": ports, "allocateLoadBalancerNodePorts": False}
    answer = send(server, "POST", path, body)
    judged = answer.status == 201 and not _failed(answer) and len(answer.warnings) > 1
    checks.hold("1,000 ports are judged", judged, (answer.message, answer.warnings))


def _failed(answer: Answer) -> list[str]:
    """What says that an expression failed, by its cost or otherwise."""
    return [warning for warning in answer.warnings if "resulted in error" in warning or "failed expression" in warning]
