"""`cluster orphans`: what no Service owns is found, and nothing that somebody may still own."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import BALANCER, TOKEN, ApiServer, cluster, daemonset, kubeconfig, service, serving
from cluster_runs import Done, run
from openstack_api import CLOUD_CANARIES, PROJECT, TOKENS, OpenStack, balancer, clouds_yaml, serving_cloud
from test_cluster_rbac import granted, requested

from ccmcheck.cluster.octavia import names

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import Object

FLOATING = "Floating IP for Kubernetes external service {} from cluster {}"
GROUP = "Security Group for {} Service LoadBalancer in cluster {}"
GONE_UID = "0f0e0d0c-0b0a-4908-8706-050403020100"
WEB_UID = "11111111-2222-4333-8444-555555555555"


def kubernetes(name: str = "prod", *services: Object) -> ApiServer:
    """A cluster with Service shop/web, whose load balancer is `BALANCER`."""
    server = cluster()
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [daemonset(cluster_name=name)]
    web = service("web", annotations={"loadbalancer.openstack.org/load-balancer-id": BALANCER})
    web["metadata"]["uid"] = WEB_UID
    server.lists["/api/v1/services"] = [web, *services]
    return server


def openstack(name: str = "prod", *balancers: Object) -> OpenStack:
    """A project with the load balancer of shop/web."""
    cloud = OpenStack()
    cloud.put("loadbalancers", balancer(f"kube_service_{name}_shop_web", BALANCER, vip_address="192.0.2.7"), *balancers)
    return cloud


def orphans(
    folder: Path, kube: ApiServer, cloud: OpenStack, *arguments: str, contexts: tuple[str, ...] = (), **clouds: Any
) -> Done:
    """Run the command against both."""
    with serving(kube), serving_cloud(cloud):
        config = kubeconfig(folder, kube)
        file = clouds_yaml(folder, cloud, **clouds)
        chosen = [part for context in contexts for part in ("--context", context)]
        command = ("orphans", "--kubeconfig", str(config), "--os-cloud", "test", *chosen, *arguments)
        return run(folder, *command, OS_CLIENT_CONFIG_FILE=str(file))


def ids(done: Done) -> set[str]:
    """The IDs of what is reported."""
    return {orphan["id"] for orphan in done.report["orphans"]}


def why(done: Done) -> dict[str, str]:
    """Why something is not judged."""
    return {one["id"]: one["why"] for one in done.report["left_out"]}


def floating(
    identifier: str, service_of: str, cluster_name: str = "prod", port: str | None = None, **more: Any
) -> Object:
    """A floating IP of the CCM."""
    return {
        "id": identifier,
        "floating_ip_address": "203.0.113.9",
        "port_id": port,
        "project_id": PROJECT,
        "created_at": "2026-01-02T03:04:05Z",
        "description": FLOATING.format(service_of, cluster_name),
        **more,
    }


def group(identifier: str, uid: str, cluster_name: str = "prod", **more: Any) -> Object:
    """A security group of the CCM."""
    return {
        "id": identifier,
        "name": f"lb-sg-{uid}-shop-old",
        "description": GROUP.format("shop/old", cluster_name),
        "project_id": PROJECT,
        "created_at": "2026-01-02T03:04:05Z",
        "security_group_rules": [],
        **more,
    }


def test_a_load_balancer_without_a_service_is_listed_with_the_commands_that_remove_it(tmp_path: Path) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    cloud.put("floatingips", floating("f1", "shop/old", port="port-b1"))
    cloud.put("security_groups", group("g1", GONE_UID))
    cloud.put("ports", {"id": "p1", "security_groups": ["g1", "other"]}, {"id": "p2", "security_groups": ["other"]})
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 1, done.said
    found = {one["id"]: one for one in done.report["orphans"]}
    assert set(found) == {"b1", "f1", "g1"}
    assert found["b1"]["commands"] == ["openstack loadbalancer delete --cascade b1"]
    assert found["f1"]["verdict"] == "orphaned"
    assert found["g1"]["commands"] == [
        "openstack port unset --security-group g1 p1",
        "openstack security group delete g1",
    ]
    assert done.report["partial"] is False


def test_nothing_but_get_and_the_post_for_a_token_is_sent(tmp_path: Path) -> None:
    kube, cloud = kubernetes(), openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    cloud.put("security_groups", group("g1", GONE_UID))
    assert orphans(tmp_path, kube, cloud).code == 1
    assert {(asked.method, asked.path) for asked in cloud.asked if asked.method != "GET"} == {("POST", TOKENS)}
    assert [asked.path for asked in cloud.asked if asked.path.startswith("/v3")] == [TOKENS]
    assert {asked.method for asked in kube.asked} == {"GET"}


def test_the_report_names_both_sides_and_says_that_nothing_was_deleted(tmp_path: Path) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    for form in ("text", "markdown"):
        done = orphans(tmp_path, kubernetes(), cloud, "--format", form)
        assert "context test" in done.out
        assert f"project {PROJECT}" in done.out
        assert "Nothing was deleted" in done.out
        assert "openstack loadbalancer delete --cascade b1" in done.out


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"provisioning_status": "PENDING_DELETE"}, "PENDING_DELETE"),
        ({"created_at": datetime.now(UTC).isoformat()}, "young"),
        ({"created_at": None}, "does not say how old"),
        ({"tags": ["kube_service_prod_shop_old", "kube_service_prod_shop_web"]}, "shared with shop/web"),
        ({"tags": ["kube_service_prod_shop_old", "kube_service_dev_2_a_b"]}, "shared with a/b of cluster dev_2"),
    ],
)
def test_what_is_pending_young_or_shared_is_left_out(tmp_path: Path, changes: Object, reason: str) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1", **changes))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 0, done.said
    assert reason in why(done)["b1"]


@pytest.mark.parametrize(
    "other",
    [
        balancer("kube_service_prod_2_shop_old", "b1"),
        balancer("kube_service_production_shop_old", "b1"),
        balancer("kube_service_dev_shop_old", "b1"),
        balancer("kube_ingress_prod_shop_old", "b1"),
        balancer("my own", "b1", description="Kubernetes external service shop/old from cluster prod"),
        balancer("kube_service_prod_shop_old", "b1", vip_address="192.0.2.7"),
        balancer("kube_service_prod_shop_old", "b1", project_id="of another project"),
    ],
    ids=["prod_2", "production", "dev", "ingress", "user's", "published", "project"],
)
def test_what_belongs_to_somebody_else_is_not_listed(tmp_path: Path, other: Object) -> None:
    done = orphans(tmp_path, kubernetes(), openstack("prod", other), "--format", "json")
    assert done.code == 0, done.said
    assert not ids(done)


def test_a_renamed_load_balancer_is_judged_by_its_name(tmp_path: Path) -> None:
    text = "Kubernetes external service shop/old from cluster kubernetes"
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1", description=text))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert ids(done) == {"b1"}
    assert "renamed" in done.report["orphans"][0]["notes"][0]


def test_a_service_that_waits_for_its_clean_up_owns_its_load_balancer(tmp_path: Path) -> None:
    waiting = service("old", type="ClusterIP")
    waiting["metadata"]["finalizers"] = ["service.kubernetes.io/load-balancer-cleanup"]
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    assert orphans(tmp_path, kubernetes("prod", waiting), cloud).code == 0


def test_an_older_name_is_joined_by_uid(tmp_path: Path) -> None:
    text = "Kubernetes external service shop/{} from cluster prod"
    cloud = openstack(
        "prod",
        balancer(names.legacy_name(WEB_UID), "b1", description=text.format("web")),
        balancer(names.legacy_name(GONE_UID), "b2", description=text.format("old")),
    )
    assert ids(orphans(tmp_path, kubernetes(), cloud, "--format", "json")) == {"b2"}


def test_a_loose_floating_ip_is_kept_or_leaked(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.put("floatingips", floating("f1", "shop/old"), floating("f2", "shop/web"), floating("f3", "shop/old", "dev"))
    cloud.put("floatingips", floating("f4", "shop/old", port="of a server"))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert [(one["id"], one["verdict"]) for one in done.report["orphans"]] == [("f1", "kept or leaked")]


def test_a_floating_ip_that_the_ccm_did_not_make_is_only_mentioned(tmp_path: Path) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    cloud.put("floatingips", floating("f1", "shop/old", port="port-b1", description="mine"))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert ids(done) == {"b1"}
    assert "the CCM did not make its floating IP 203.0.113.9" in done.report["orphans"][0]["notes"][0]


def test_security_groups_are_joined_by_uid_and_not_by_name(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.put("security_groups", group("g1", GONE_UID), group("g2", WEB_UID), group("g3", GONE_UID, "dev"))
    cloud.put("security_groups", group("g4", GONE_UID, description="mine"), group("g5", GONE_UID, name="lb-sg-x"))
    assert ids(orphans(tmp_path, kubernetes(), cloud, "--format", "json")) == {"g1"}


def test_the_default_name_is_not_judged_without_a_statement(tmp_path: Path) -> None:
    cloud = openstack("kubernetes", balancer("kube_service_kubernetes_shop_old", "b1"))
    kube = kubernetes("kubernetes")
    done = orphans(tmp_path, kube, cloud)
    assert done.code == 2
    assert "may belong to another cluster" in done.err
    assert not cloud.asked
    done = orphans(tmp_path, kube, cloud, "--only-cluster-of-that-name", "--format", "json")
    assert ids(done) == {"b1"}


def test_two_contexts_of_one_cluster_are_one_cluster(tmp_path: Path) -> None:
    cloud = openstack("kubernetes", balancer("kube_service_kubernetes_shop_old", "b1"))
    done = orphans(tmp_path, kubernetes("kubernetes"), cloud, contexts=("test", "other"))
    assert done.code == 2, done.said


@pytest.mark.parametrize(("name", "code"), [("kubernetes", 0), ("prod", 2)])
def test_services_of_further_clusters_own_theirs(tmp_path: Path, name: str, code: int) -> None:
    second = kubernetes(name)
    second.objects["/api/v1/namespaces/kube-system"] = {"metadata": {"name": "kube-system", "uid": "another"}}
    second.lists["/api/v1/services"] = [service("old")]
    cloud = openstack("kubernetes", balancer("kube_service_kubernetes_shop_old", "b1"))
    with serving(second):
        first = kubernetes("kubernetes")
        with serving(first), serving_cloud(cloud):
            config = kubeconfig(tmp_path, first)
            document = config.read_text().replace(
                '"contexts": [',
                '"contexts": [{"name": "second", "context": {"cluster": "d", "user": "u"}}, ',
            )
            extra = f'"clusters": [{{"name": "d", "cluster": {{"server": "http://127.0.0.1:{second.port}"}}}}, '
            config.write_text(document.replace('"clusters": [', extra))
            file = clouds_yaml(tmp_path, cloud)
            arguments = ("--context", "test", "--context", "second", "--os-cloud", "test", "--format", "json")
            done = run(tmp_path, "orphans", "--kubeconfig", str(config), *arguments, OS_CLIENT_CONFIG_FILE=str(file))
    assert done.code == code, done.said
    if code:
        assert "may belong to another cluster" in done.err  # a cluster of another name says nothing about this one
    else:
        assert [one["uid"] for one in done.report["clusters"]][1] == "another"


def test_incomplete_services_judge_nothing(tmp_path: Path) -> None:
    kube = kubernetes()
    kube.fail("/api/v1/services", status(403))
    done = orphans(tmp_path, kube, openstack("prod", balancer("kube_service_prod_shop_old", "b1")))
    assert done.code == 3
    assert "nothing is judged" in done.err
    assert "b1" not in done.said


def test_the_project_of_another_cluster_is_refused(tmp_path: Path) -> None:
    cloud = OpenStack()
    cloud.put("loadbalancers", balancer("kube_service_prod_shop_old", "b1"))
    done = orphans(tmp_path, kubernetes(), cloud)
    assert done.code == 2
    assert "is it the project of the CCM?" in done.err


def test_pages_are_followed_by_marker(tmp_path: Path) -> None:
    cloud = openstack("prod", *(balancer(f"kube_service_prod_shop_s{number}", f"b{number}") for number in range(25)))
    cloud.most = 7
    assert len(ids(orphans(tmp_path, kubernetes(), cloud, "--format", "json"))) == 25


def test_an_id_that_is_not_safe_in_a_shell_gets_no_command(tmp_path: Path) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1; rm -rf ~"))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.report["orphans"][0]["commands"] == []


def test_a_list_that_cannot_be_read_makes_the_result_partial(tmp_path: Path) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    cloud.put("floatingips", floating("f1", "shop/old"))
    cloud.fail("/v2.0/security-groups", status(403))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 3
    assert ids(done) == {"b1", "f1"}
    assert done.report["partial"] is True
    assert "HTTP 403: Neutron does not allow it" in done.err


def test_without_load_balancers_no_floating_ip_is_judged(tmp_path: Path) -> None:
    cloud = openstack("prod")
    cloud.put("floatingips", floating("f1", "shop/old"))
    cloud.fail("/v2/lbaas/loadbalancers", status(503))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 3
    assert not ids(done)


def test_the_access_rules_are_those_of_the_requests(tmp_path: Path) -> None:
    done = run(tmp_path, "orphans", "--access-rules")
    rules = done.report
    assert {rule["method"] for rule in rules} == {"GET"}
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    cloud.put("security_groups", group("g1", GONE_UID))
    cloud.prefix = "/prefix"
    with serving_cloud(cloud):
        file = str(clouds_yaml(tmp_path, cloud))
        rules = run(tmp_path, "orphans", "--access-rules", "--os-cloud", "test", OS_CLIENT_CONFIG_FILE=file).report
    assert orphans(tmp_path, kubernetes(), cloud, "--only-cluster-of-that-name").code == 1
    patterns = [re.sub(r"\{id\}", "[^/]+", rule["path"]) for rule in rules]
    for asked in cloud.asked:
        if asked.method == "GET":
            assert any(re.fullmatch(pattern, asked.path) for pattern in patterns), asked.path


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_no_credential_reaches_an_output(tmp_path: Path, form: str) -> None:
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1"))
    done = orphans(tmp_path, kubernetes(), cloud, "--format", form)
    assert done.code == 1
    for canary in (*CLOUD_CANARIES, TOKEN):
        assert canary not in done.said


def test_control_characters_of_names_do_not_reach_a_terminal(tmp_path: Path) -> None:
    evil = "kube_service_de\x1b[31mv_a_b"
    cloud = openstack("prod", balancer("kube_service_prod_shop_old", "b1", tags=["kube_service_prod_shop_old", evil]))
    cloud.put("floatingips", floating("f1", "shop/old", floating_ip_address="\x1b[2J"))
    for form in ("text", "markdown"):
        done = orphans(tmp_path, kubernetes(), cloud, "--format", form)
        assert "\x1b" not in done.said
        assert "f1" in done.out


def test_the_roles_are_exactly_what_is_asked_for(tmp_path: Path) -> None:
    kube = kubernetes()
    assert orphans(tmp_path, kube, openstack()).code == 0
    assert granted(run(tmp_path, "rbac", "--for", "orphans").out) == requested(kube)
