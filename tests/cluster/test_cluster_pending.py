"""Why a Service has no address: its events, the CCM's log and the prediction; and nothing of what Octavia answered."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from api_faults import Fault, status
from api_server import BALANCER, TOKEN, ApiServer, cluster, service
from cluster_pending import EVENTS, LOG, MESSAGE, PODS, TOKEN_OF_OCTAVIA, event, waiting
from cluster_runs import Done, failures, lint, rules
from live_objects import RIGHT

from ccmcheck.cluster.access.messages import LONGEST, Messages
from ccmcheck.redact import MASK
from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from pathlib import Path

SERVICES = "/api/v1/services"
NODES = "/api/v1/nodes"
CANARIES = ("hunter2", TOKEN_OF_OCTAVIA, TOKEN, "octavia.example.org")
SAID = "POST /v2.0/lbaas/loadbalancers was answered 403: Quota has been met for resources: Load Balancer"
EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers"


def found(done: Done, rule: str) -> list[Any]:
    return [finding for finding in done.report["findings"] if finding["rule"] == rule]


def pending(tmp_path: Path, server: ApiServer, *arguments: str) -> Any:
    (finding,) = found(lint(tmp_path, server, "--format", "json", *arguments), "svc-pending")
    return finding


def test_the_chain_has_the_event_and_the_log(tmp_path: Path) -> None:
    finding = pending(tmp_path, waiting(cluster(RIGHT)))
    assert finding["label"] == "has no address since it was created at 2026-01-02T08:00:00Z"
    assert "Event SyncLoadBalancerFailed, 12 times, the last time at 2026-11-02T09:30:00Z: " in finding["detail"]
    assert SAID in finding["detail"]
    assert "The CCM's log: E1102 09:30:00 controller.go:298]" in finding["detail"]


@pytest.mark.parametrize("name", REPORTERS)
def test_nothing_of_a_body_a_url_or_a_secret_is_shown(name: str, tmp_path: Path) -> None:
    done = lint(tmp_path, waiting(cluster(RIGHT)), "--format", name, "-vv")
    assert "svc-pending" in done.out or "has no address" in done.out
    for canary in CANARIES:
        assert canary not in done.said


def test_only_the_events_of_the_service_are_asked_for(tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    lint(tmp_path, server)
    (asked,) = [one for one in server.asked if one.path == EVENTS]
    assert asked.query["fieldSelector"] == "involvedObject.kind=Service"
    logs = [one.query for one in server.asked if one.path == LOG]
    assert logs == [
        {"container": "ccm", "tailLines": "200", "limitBytes": "131072", "sinceSeconds": "3600"},
        {"container": "ccm", "tailLines": "2000", "limitBytes": "1048576"},
    ]
    assert {one.method for one in server.asked} == {"GET"}


def test_without_a_pod_no_log_is_asked_for(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    lint(tmp_path, server)
    assert [one.path for one in server.asked if one.path in (EVENTS, LOG)] == [EVENTS]


def test_the_newest_warnings_come_first_and_others_are_left_out(tmp_path: Path) -> None:
    events = (
        event("first", lastTimestamp="2026-11-02T09:00:00Z", count=1),
        event("fine", type="Normal"),
        event("second", lastTimestamp=None, eventTime="2026-11-02T09:10:00.5Z", count=None, series={"count": 3}),
    )
    detail = pending(tmp_path, waiting(cluster(RIGHT), *events, log=""))["detail"]
    assert detail.index("second") < detail.index("first")
    assert ", 3 times, the last time at 2026-11-02T09:10:00Z: second." in detail
    assert "fine" not in detail


def test_the_prediction_explains_it(tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT), event("x", type="Normal"), log="")
    server.lists[SERVICES][-1]["metadata"]["annotations"] = {"loadbalancer.openstack.org/class": "gold"}
    finding = pending(tmp_path, server)
    assert "The configuration explains it: " in finding["detail"]
    assert "gold" in finding["detail"]


def test_without_rights_it_is_said_once_and_only_with_v(tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    server.fail(EVENTS, status(403, "hunter2"))
    server.fail(LOG, status(403, "hunter2"))
    done = lint(tmp_path, server, "--format", "json")
    assert failures(done) == {}
    (finding,) = found(done, "svc-pending")
    assert "Events and the CCM's log could not be read." in finding["detail"]
    assert done.code == 1
    verbose = lint(tmp_path, server, "-v")
    lines = [line for line in verbose.said.splitlines() if "HTTP 403" in line]
    assert len(lines) == 2
    assert "HTTP 403" not in lint(tmp_path, server).said
    assert "hunter2" not in verbose.said


@pytest.mark.parametrize(
    "fault",
    [
        status(404),
        status(500, "hunter2"),
        Fault(body=b"<html>hunter2 login</html>", content_type="text/html"),
        Fault(body=b"x" * 3 * 1024 * 1024, content_type="text/plain"),
        Fault(body=b"\xff\xfe\x00 shop/new error \x1b[31m", content_type="text/plain"),
    ],
)
def test_a_log_that_cannot_be_read_is_no_failure(fault: Fault, tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    server.fail(LOG, fault)
    done = lint(tmp_path, server)
    assert "Traceback" not in done.said
    assert "hunter2" not in done.said
    assert "\x1b" not in done.said
    assert done.code == 1


@pytest.mark.parametrize(
    "change",
    [
        {"creationTimestamp": "2999-01-02T08:00:00Z"},
        {"deletionTimestamp": "2026-11-02T09:30:00Z"},
        {"creationTimestamp": None},
    ],
)
def test_what_is_young_or_going_is_not_pending(change: dict[str, Any], tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    server.lists[SERVICES][-1]["metadata"].update(change)
    assert "svc-pending" not in rules(lint(tmp_path, server, "--format", "json"))


def test_a_service_of_another_controller_is_not_pending(tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    server.lists[SERVICES][-1]["spec"]["loadBalancerClass"] = "x/y"
    assert "svc-pending" not in rules(lint(tmp_path, server, "--format", "json"))


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("no hosts\nare   available", "no hosts are available"),
        ('got {\\"NeutronError\\": {\\"message\\": \\"no IP\\", \\"detail\\": \\"\\"}}', "got no IP"),
        ("a proxy said <html><body>hunter2</body>", "a proxy said …"),
        ("body {broken", "body …"),
        (
            'error creating loadbalancer {"name": "x", "password": "hunter2"}: got 400 instead: {"faultstring": "no"}',
            "error creating loadbalancer … : got 400 instead: no",
        ),
        ("{}{}{}{}{} hunter2", "… … … …"),
        ("at https://u:p@octavia.example.org/v2", "at /v2"),
        (
            'Post "https://k.org:5000/v3/auth/tokens": dial tcp: lookup k.org: no such host',
            'Post "/v3/auth/tokens": dial tcp: lookup k.org: no such host',
        ),
        ('Post "https://k.org/v3/auth/tokens": password=hunter2', 'Post "/v3/auth/tokens": password=****'),
        ("[" * 20_000, "[" * (LONGEST // 2 - 3) + " … " + "[" * (LONGEST // 2)),
        (
            "a" * LONGEST + ": PUT /x was answered 409: immutable",
            "a" * (LONGEST // 2 - 3) + " … " + "a" * (LONGEST // 2 - 36) + ": PUT /x was answered 409: immutable",
        ),
        ("{" * 20_000, "…"),
        ("", ""),
    ],
)
def test_what_of_a_message_is_shown(message: str, shown: str) -> None:
    assert Messages([]).shown(message) == shown


AWKWARD = 'p@ss/w"or d&Xy<9!z'


def spelled(form: str) -> str:
    """The secret with each byte in this form."""
    return "".join(form.format(byte) for byte in AWKWARD.encode()).strip(" ,:")


@pytest.mark.parametrize(
    "written",
    [
        quote(AWKWARD, safe=""),
        quote(AWKWARD),
        quote_plus(AWKWARD),
        escape(AWKWARD),
        base64.b64encode(AWKWARD.encode()).decode(),
        base64.urlsafe_b64encode(AWKWARD.encode()).decode().rstrip("="),
        base64.b64encode(f"ccm:{AWKWARD}".encode()).decode(),
        base64.b64encode(AWKWARD.encode("utf-16-le")).decode(),
        spelled("\\x{:02x}"),
        spelled("\\X{:02X}"),
        spelled("\\\\x{:02x}"),
        spelled("\\u{:04x}"),
        spelled("\\{:03o}"),
        spelled("%{:02x}"),
        spelled("%25{:02X}"),
        spelled("&#x{:x};"),
        spelled("&#{};"),
        quote(spelled("&#x{:x};")),
        spelled("\\x{:02x}").replace("\\x70", "p"),
        spelled("{:02x}"),
        spelled("{:02X} "),
        spelled("0x{:02x}, "),
        spelled("{:02x}:"),
        "a" + spelled("{:02x}"),
        AWKWARD.encode("utf-16-le").hex(),
    ],
)
def test_a_secret_is_masked_however_it_is_encoded(written: str) -> None:
    quoted = AWKWARD.replace('"', '\\"')
    conf = RIGHT.replace("password = hunter2-is-the-secret", f'password = "{quoted}"')
    shown = Messages([conf]).shown(f"Error syncing load balancer: sent {written} at /v2.0/lbaas/loadbalancers%20x")
    assert written not in shown
    assert "Xy" not in shown
    assert shown.startswith("Error syncing load balancer: sent ")
    assert "/v2.0/lbaas/loadbalancers" in shown


@pytest.mark.parametrize(
    "message",
    [
        "load balancer 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90 is deadbeefcafe0123456789",
        r"C:\x41\u0042 is %41%42 and &#65; of 41 42 43 44",
        "port fa:16:3e:00:11:22 of 0x70, 0x71",
    ],
)
def test_what_is_no_secret_stays_as_it_was_written(message: str) -> None:
    assert Messages([RIGHT]).shown(message) == message


def test_what_an_encoded_secret_stands_in_stays_on_one_line() -> None:
    shown = Messages([RIGHT]).shown("sent hunter2%2Dis-the-secret%0Aand%1B[31m")
    assert "hunter2" not in shown
    assert "\n" not in shown


def test_what_an_authorization_header_holds_is_masked() -> None:
    shown = Messages([]).shown("sent Authorization: Bearer abcd.efgh.ijkl and basic authentication failed")
    assert shown == f"sent Authorization: Bearer {MASK} and basic authentication failed"


def test_a_secret_at_the_cut_is_masked_whole() -> None:
    padded = "x " * ((LONGEST - 10) // 2) + "hunter2-is-the-secret"
    assert "hunter" not in Messages([RIGHT]).shown(padded)
    assert "hunter2" not in Messages([RIGHT]).shown(MESSAGE)


def owned(manager: str) -> list[dict[str, Any]]:
    name = "f:loadbalancer.openstack.org/load-balancer-id"
    fields: dict[str, Any] = {"f:metadata": {"f:annotations": {name: {}}}}
    return [{"manager": manager, "operation": "Update", "time": "2026-11-02T09:30:00Z", "fieldsV1": fields}]


def copied(*managers: str) -> ApiServer:
    server = cluster(RIGHT)
    annotations = {"loadbalancer.openstack.org/load-balancer-id": BALANCER}
    server.lists[SERVICES] = [
        service(f"s{number}", annotations=annotations, managers=owned(manager))
        for number, manager in enumerate(managers)
    ]
    return server


def test_an_id_that_somebody_else_wrote(tmp_path: Path) -> None:
    (finding,) = found(lint(tmp_path, copied("kubectl-client-side-apply"), "--format", "json"), "svc-foreign-balancer")
    assert finding["label"] == "was written by kubectl-client-side-apply, not by this cluster's CCM"
    assert "renames it and owns it" in finding["detail"]


@pytest.mark.parametrize(
    "managers", [("openstack-cloud-controller-manager",), ("helm", "openstack-cloud-controller-manager")]
)
def test_the_ccm_s_own_id_and_a_shared_one_are_fine(managers: tuple[str, ...], tmp_path: Path) -> None:
    assert "svc-foreign-balancer" not in rules(lint(tmp_path, copied(*managers), "--format", "json"))


def node(name: str, *addresses: str, provider: str = "openstack:///5e1f", **labels: str) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "labels": {key.replace("__", "/"): value for key, value in labels.items()}},
        "spec": {"providerID": provider},
        "status": {"addresses": [{"type": "InternalIP", "address": address} for address in addresses]},
    }


def nodes(tmp_path: Path, *listed: dict[str, Any]) -> list[Any]:
    server = cluster(RIGHT)
    server.lists[NODES] = list(listed)
    return found(lint(tmp_path, server, "--format", "json"), "node-no-member")


def test_a_cluster_whose_nodes_are_all_left_out(tmp_path: Path) -> None:
    one = node("n1", "10.0.0.1")
    one["metadata"]["labels"] = {EXCLUDE: "", "node-role.kubernetes.io/control-plane": ""}
    (finding,) = nodes(tmp_path, one)
    assert finding["severity"] == "error"
    assert (
        finding["label"]
        == f"no load balancer has a member: the only node is left out, this one for its label {EXCLUDE}"
    )
    assert nodes(tmp_path, one, node("n2", "10.0.0.2")) == []


def test_nodes_that_are_left_out_do_not_count(tmp_path: Path) -> None:
    control = node("n0", "10.0.0.1")
    control["metadata"]["labels"] = {EXCLUDE: "", "node-role.kubernetes.io/control-plane": ""}
    server = cluster(RIGHT)
    server.lists[NODES] = [control, node("n1", "10.0.0.2"), node("n2", "10.0.0.3")]
    (label,) = [one["label"] for one in found(lint(tmp_path, server, "--format", "json"), "svc-local-no-monitor")]
    assert label.startswith("1 of 2 nodes have no pod of this Service now")


def test_what_is_odd_about_a_node(tmp_path: Path) -> None:
    waits = node("n2", "10.0.0.2", provider="")
    waits["spec"]["taints"] = [{"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "true"}]
    listed = (
        node("n1", "10.0.0.1"),
        waits,
        node("n3", "10.0.0.3", provider="k3s://n3"),
        node("n4", "10.0.0.4", "2001:db8::4"),
    )
    labels = {one["path"]: one["label"] for one in nodes(tmp_path, *listed)}
    assert labels == {
        "Node n1": "has no IPv6 address, which other nodes have",
        "Node n2": "waits for a CCM: it has the taint node.cloudprovider.kubernetes.io/uninitialized",
        "Node n3": "has an ID that is not OpenStack's: `k3s://n3`",
    }


def test_a_status_of_another_kind(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    annotations = {"loadbalancer.openstack.org/proxy-protocol": "true"}
    one = service("web", annotations=annotations)
    one["status"] = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7", "ipMode": "VIP"}]}}
    server.lists[SERVICES] = [one]
    (finding,) = found(lint(tmp_path, server, "--format", "json"), "svc-status-differs")
    assert finding["label"] == "has ipMode VIP in its status; the CCM would publish Proxy now"
    one["status"]["loadBalancer"]["ingress"][0]["ipMode"] = "Proxy"
    assert "svc-status-differs" not in rules(lint(tmp_path, server, "--format", "json"))


def test_the_pods_of_the_ccm_are_found_for_its_log(tmp_path: Path) -> None:
    server = waiting(cluster(RIGHT))
    server.lists[PODS] = []
    detail = pending(tmp_path, server)["detail"]
    assert "log" not in detail


def test_a_secret_that_holds_that_of_another_ccm_is_masked_whole() -> None:
    confs = [f"[Global]\npassword = {password}\n" for password in ("hunter2-old", "hunter2-old-and-new")]
    assert Messages(confs).shown("got hunter2-old-and-new") == "got ****"
