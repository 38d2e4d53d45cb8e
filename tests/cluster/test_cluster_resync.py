"""`cluster resync`: a sync is triggered where the CCM corrects something, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from api_faults import Fault, status
from api_server import BALANCER, TOKEN
from octavia_project import both, kubernetes, openstack
from openstack_api import CLOUD_CANARIES
from test_cluster_rbac import granted, requested

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from api_server import ApiServer
    from cluster_runs import Done
    from loopback import Asked
    from openstack_api import OpenStack

WEB = "/api/v1/namespaces/shop/services/web"
CANARY = "c4nary-of-a-body-55aa"
ANNOTATION = 'metadata.annotations["ccmcheck.dev/resync"]'


def broken() -> OpenStack:
    """A project whose monitor was deleted."""
    cloud = openstack()
    cloud.stored["pools"][0]["healthmonitor_id"] = None
    return cloud


def cluster() -> ApiServer:
    """The cluster, with a resourceVersion of the Service."""
    kube = kubernetes()
    kube.objects[WEB]["metadata"]["resourceVersion"] = "41"
    return kube


def resync(folder: Path, kube: ApiServer, cloud: OpenStack, *arguments: str) -> Done:
    """Run the command."""
    return both(folder, kube, cloud, "resync", *arguments)


def writes(kube: ApiServer) -> list[Asked]:
    """What was changed; the question who asks changes nothing."""
    return [asked for asked in kube.asked if asked.method not in ("GET", "POST")]


def test_a_sync_is_triggered_by_an_annotation(tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes")
    assert done.code == 0, done.said
    (asked,) = writes(kube)
    assert (asked.method, asked.path, asked.query) == ("PATCH", WEB, {"fieldManager": "ccmcheck"})
    assert asked.headers["content-type"] == "application/merge-patch+json"
    assert asked.document["metadata"]["resourceVersion"] == "41"
    assert list(asked.document["metadata"]["annotations"]) == ["ccmcheck.dev/resync"]
    annotations = kube.objects[WEB]["metadata"]["annotations"]
    changed = kube.objects[WEB]["metadata"]["resourceVersion"]
    assert annotations["loadbalancer.openstack.org/load-balancer-id"] == BALANCER
    assert "pool of port 80, health monitor: none, not TCP; a sync corrects it" in done.out
    assert f"wrote Service shop/web, resourceVersion 41 -> {changed}, changed {ANNOTATION}" in done.err


def test_nothing_is_written_where_nobody_can_confirm(tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, broken(), "shop/web", "--write")
    assert done.code == 2
    assert "nobody can confirm" in done.err
    assert not kube.asked


def test_without_write_it_is_shown(tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, broken(), "--all")
    assert done.code == 0
    assert "A sync of Service shop/web corrects this.  Trigger it with --write." in done.out
    assert {asked.method for asked in kube.asked} == {"GET"}


@pytest.mark.parametrize(("cloud", "code"), [(broken, 1), (openstack, 0)])
def test_check_says_by_its_code_whether_a_sync_corrects_something(
    cloud: Callable[[], OpenStack], code: int, tmp_path: Path
) -> None:
    kube = cluster()
    assert resync(tmp_path, kube, cloud(), "--all", "--check").code == code
    assert {asked.method for asked in kube.asked} == {"GET"}


@pytest.mark.parametrize(
    "arguments",
    [("--yes",), ("--audit-log", "log"), ("--write", "--check", "--yes"), ("--dry-run",)],
)
def test_options_that_contradict_each_other_are_refused(arguments: tuple[str, ...], tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, broken(), "shop/web", *arguments)
    assert done.code == 2
    assert not kube.asked
    assert not (tmp_path / "log").exists()


def test_json_has_what_a_sync_corrects(tmp_path: Path) -> None:
    report = resync(tmp_path, cluster(), broken(), "--all", "--format", "json").report
    (service,) = report["services"]
    assert (service["service"], service["load_balancer"], service["sync_corrects"]) == ("shop/web", BALANCER, True)
    assert [one["kind"] for one in service["corrected"]] == ["monitor"]
    assert (service["left"], service["refused"], report["partial"]) == ([], "", False)


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_secret_that_somebody_wrote_into_octavia_is_hidden(form: str, tmp_path: Path) -> None:
    cloud = broken()
    cloud.stored["loadbalancers"][0]["name"] = "kube_service_hunter2-is-the-secret_shop_web"
    done = resync(tmp_path, cluster(), cloud, "--all", "--format", form)
    assert "would take load balancer" in done.out
    assert "hunter2" not in done.said


def test_quiet_leaves_out_the_summary(tmp_path: Path) -> None:
    said = resync(tmp_path, cluster(), broken(), "--all", "--quiet")
    assert "a sync corrects it" in said.out
    assert "A sync of" not in said.said


def test_what_is_as_it_should_be_is_not_synced(tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, openstack(), "shop/web", "--write", "--yes")
    assert done.code == 0
    assert "There is nothing to correct." in done.out
    assert not writes(kube)


def test_what_no_sync_corrects_is_named_with_what_does(tmp_path: Path) -> None:
    kube, cloud = cluster(), openstack()
    cloud.stored["loadbalancers"][0]["provider"] = "ovn"
    done = resync(tmp_path, kube, cloud, "shop/web", "--write", "--yes")
    assert done.code == 1
    assert "no sync corrects it; delete the Service and create it again" in done.out
    assert not writes(kube)


def test_a_load_balancer_of_another_cluster_is_not_taken(tmp_path: Path) -> None:
    kube, cloud = cluster(), broken()
    cloud.stored["loadbalancers"][0]["name"] = "kube_service_dev_shop_web"
    done = resync(tmp_path, kube, cloud, "shop/web", "--write", "--yes")
    assert done.code == 1
    assert f"a sync would take load balancer {BALANCER} from cluster dev" in done.out
    assert not writes(kube)


def test_a_sync_that_ends_early_is_not_triggered(tmp_path: Path) -> None:
    kube, cloud = cluster(), broken()
    cloud.stored["loadbalancers"][0]["provisioning_status"] = "ERROR"
    done = resync(tmp_path, kube, cloud, "shop/web", "--write", "--yes")
    assert done.code == 1
    assert "the sync ends before: load balancer" in done.out
    assert not writes(kube)


def test_a_conflict_is_tried_again_with_the_new_version(tmp_path: Path) -> None:
    kube = cluster()
    proper = Fault(body=b'{"metadata": {"uid": "11111111-2222-4333-8444-555555555555", "resourceVersion": "40"}}')
    kube.fail(WEB, proper, status(409, CANARY), proper, Fault(body=b'{"metadata": {"resourceVersion": "42"}}'))
    done = resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes")
    assert done.code == 0, done.said
    assert [asked.method for asked in kube.asked if asked.path == WEB] == ["GET", "PATCH", "GET", "PATCH"]


def test_another_service_of_that_name_is_left_alone(tmp_path: Path) -> None:
    kube = cluster()
    kube.fail(WEB, Fault(body=b'{"metadata": {"uid": "another", "resourceVersion": "40"}}'))
    done = resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes")
    assert done.code == 3
    assert "the object was changed meanwhile" in done.err
    assert not writes(kube)


@pytest.mark.parametrize("code", [401, 403, 404, 409, 422, 500])
def test_a_write_that_fails_says_so_without_the_body(tmp_path: Path, code: int) -> None:
    kube = cluster()
    proper = Fault(body=b'{"metadata": {"uid": "11111111-2222-4333-8444-555555555555", "resourceVersion": "40"}}')
    kube.fail(WEB, *[proper, status(code, CANARY)] * 3, status(code, CANARY))
    done = resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes")
    assert done.code == 3
    assert f"Service shop/web: no sync was triggered: HTTP {code}" in done.err
    for canary in (CANARY, TOKEN, *CLOUD_CANARIES, "hunter2"):
        assert canary not in done.said


@pytest.mark.parametrize("arguments", [(), ("shop/web", "--all"), ("shop/nothing",), ("web",)])
def test_wrong_names_are_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, broken(), *arguments, "--write", "--yes")
    assert done.code == 2, done.said
    assert not writes(kube)


def test_the_roles_are_what_is_asked_for(tmp_path: Path) -> None:
    from cluster_runs import run

    kube = cluster()
    resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes")
    rights = {right._replace(namespace="", name="") for right in granted(run(tmp_path, "rbac", "--for", "resync").out)}
    asked = {right._replace(namespace="", name="") for right in requested(kube)}
    assert asked <= rights
    assert {right.verb for right in rights} == {"create", "get", "list", "patch"}


def floating(cloud: OpenStack, **changes: object) -> OpenStack:
    """The same with the floating IP changed."""
    cloud.stored["floatingips"][0].update(changes)
    return cloud


def test_a_detached_address_is_given_back_before_a_sync(tmp_path: Path) -> None:
    kube = cluster()
    done = resync(tmp_path, kube, floating(broken(), port_id=None), "shop/web", "--write", "--yes")
    assert done.code == 1
    assert not writes(kube)
    said = " ".join(done.out.split())
    assert "the Service publishes 192.0.2.7, whose floating IP is attached to nothing" in said
    assert f"openstack floating ip set --port port-{BALANCER} f1" in said
    assert "a sync would publish another address" in said


def test_an_address_that_is_gone_is_said(tmp_path: Path) -> None:
    done = resync(tmp_path, cluster(), floating(openstack(), floating_ip_address="192.0.2.8"), "--all")
    assert done.code == 1
    assert "the Service publishes 192.0.2.7, which no floating IP of the project has any more" in done.out


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"provisioning_status": "ERROR"}, "its provisioning status is ERROR"),
        (
            {"provisioning_status": "PENDING_UPDATE"},
            "its provisioning status is PENDING_UPDATE since 2026-01-02T03:04:05",
        ),
        ({"name": "my-balancer"}, "it was renamed by hand to my-balancer"),
    ],
)
def test_what_no_sync_corrects_is_not_called_correct(changes: dict[str, str], says: str, tmp_path: Path) -> None:
    cloud = openstack()
    cloud.stored["loadbalancers"][0].update(changes)
    done = resync(tmp_path, cluster(), cloud, "--all")
    assert done.code == 1, done.said
    assert says in " ".join(done.out.split())
    assert "nothing to correct" not in done.out


def test_a_sound_load_balancer_has_nothing_to_say(tmp_path: Path) -> None:
    done = resync(tmp_path, cluster(), broken(), "--all", "--format", "json")
    service = done.report["services"][0]
    assert (service["lost_address"], service["health"], service["other_cluster"]) == ("", [], "")
