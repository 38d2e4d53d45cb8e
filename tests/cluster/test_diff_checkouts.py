"""`cluster diff` finds what belongs together: objects on one side, several clusters, kustomize, Helm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from api_faults import status
from api_server import (
    cluster,
    daemonset,
    kubeconfig,
    secret,
    service,
    serving,
)
from cluster_runs import Done, run
from diff_runs import (
    ARGS,
    SAME_CONF,
    TIMEOUT,
    WEB_ANNOTATION,
    ccm,
    compared,
    config,
    diff,
    differences,
    web,
)
from live_objects import CCM, RIGHT, SERVICES

if TYPE_CHECKING:
    from pathlib import Path


def subjects(done: Done, key: str) -> list[str]:
    return [one["subject"] for one in done.report[key]]


def test_objects_on_one_side_only(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    elsewhere = service("api")
    elsewhere["metadata"]["namespace"] = "other"
    inner = service("inner")
    inner["spec"]["type"] = "ClusterIP"
    server.add(SERVICES, service("old"), elsewhere, inner, service("foreign", loadBalancerClass="x/y"), kind="Service")
    done = diff(tmp_path, server, new=web("", name="new"), inner=web("", name="inner"))
    assert subjects(done, "only_git") == ["Service shop/new"]
    assert subjects(done, "only_live") == ["Service shop/old"]
    assert subjects(done, "elsewhere") == ["Service other/api"]
    assert differences(done) == {"spec.type": ("LoadBalancer", "ClusterIP")}
    assert done.code == 1
    fates = {one["service"]: one["fate"] for one in done.report["sync"]["services"]}
    assert fates == {"shop/new": "created"}


def test_without_names_nothing_live_is_called_missing_in_git(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.add(SERVICES, service("old"), kind="Service")
    done = diff(tmp_path, server, more=web("", name="${NAME}"))
    assert (done.code, subjects(done, "only_live"), subjects(done, "only_git")) == (0, [], [])
    assert "1 Services in git have names that only rendering gives" in done.report["notes"]


def test_without_a_complete_list_nothing_is_missing_in_the_cluster(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.fail(SERVICES, status(403))
    done = diff(tmp_path, server)
    assert done.code == 3
    assert subjects(done, "only_git") == []
    assert done.report["partial"] is True


def two_clusters(name: str) -> dict[str, str]:
    other = RIGHT.replace("RegionOne", "RegionTwo")
    return {
        "secret": "",
        "ccm": "",
        "web": "",
        "a__secret": config(),
        "a__ccm": ccm(ARGS[0], "--cluster-name=prod"),
        "a__web": web(),
        "b__secret": config(other),
        "b__ccm": ccm(ARGS[0], f"--cluster-name={name}"),
        "b__web": web("", name="b"),
    }


def test_of_several_clusters_the_one_with_the_name_is_compared(tmp_path: Path) -> None:
    done = diff(tmp_path, None, **two_clusters("dev"))
    assert (done.code, done.err) == (0, "")
    assert {one["place"].partition(" ")[0].partition(":")[0] for one in done.report["compared"]} == {
        "git/a/secret.yaml",
        "git/a/ccm.yaml",
        "git/a/web.yaml",
    }


def test_several_clusters_of_one_name_are_wrong_use(tmp_path: Path) -> None:
    done = diff(tmp_path, None, **two_clusters("prod"))
    assert done.code == 2
    assert "Secret kube-system/cloud-config may be any of git/a/secret.yaml" in done.err
    assert "Name the folder of this cluster alone." in done.err


def test_a_kustomize_build_with_a_hash_in_the_name(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    name = "cloud-config-7h5mk2f9dd"
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [daemonset(holder=name)]
    server.add("/api/v1/namespaces/kube-system/secrets", secret(RIGHT, name=name), kind="Secret")
    git = tmp_path / "git"
    git.mkdir()
    (git / "cloud.conf").write_text(SAME_CONF.replace("YES", "no"))
    (git / "kustomization.yaml").write_text(
        "namespace: kube-system\nsecretGenerator: [{name: cloud-config, files: [cloud.conf]}]\nresources: [ccm.yaml]\n"
        f"images: [{{name: registry.k8s.io/provider-os/{CCM}, newTag: v1.32.0}}]\n"
    )
    (git / "ccm.yaml").write_text(ccm(*ARGS))
    with serving(server):
        done = run(tmp_path, "diff", "--kubeconfig", str(kubeconfig(tmp_path, server)), "--format", "json", "git")
    assert differences(done) == {"[LoadBalancer] create-monitor": ("false", "true"), "image": ("v1.32.0", "v1.31.2")}


def test_helm_values(tmp_path: Path) -> None:
    values = (
        "cloudConfig:\n  global:\n    auth-url: https://keystone.example.org:5000/v3\n    username: ccm\n"
        "    password: hunter2-is-the-secret\n    region: RegionOne\n  loadBalancer:\n    create-monitor: false\n"
        "    monitor-delay: 5s\n    floating-network-id: 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
        "    subnet-id: 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\ncluster:\n  name: prod\n"
    )
    done = diff(tmp_path, secret="", ccm="", values=values)
    # the chart's workload has the flag, the one that runs has not
    assert differences(done) == {
        "[LoadBalancer] create-monitor": ("false", "true"),
        "--cloud-provider": ("openstack", ""),
    }
    assert "hunter2" not in done.said


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ingress-nginx, namespace: shop}
spec:
  targetNamespace: shop
  releaseName: ingress-nginx
  chart: {spec: {chart: ingress-nginx, version: 4.11.0, sourceRef: {kind: HelmRepository, name: x}}}
  values:
    controller:
      service:
        annotations: {loadbalancer.openstack.org/timeout-client-data: "9000"}
"""


def test_what_a_chart_s_values_do_not_set_is_unknown(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    ports = [{"port": 80, "protocol": "TCP"}, {"port": 443, "protocol": "TCP"}]
    annotations = {TIMEOUT: "8000", WEB_ANNOTATION: "true"}
    server.lists[SERVICES] = [
        service("ingress-nginx-controller", annotations=annotations, ports=ports, externalTrafficPolicy="Local")
    ]
    done = diff(tmp_path, server, web="", ingress=RELEASE)
    assert differences(done) == {TIMEOUT: ("9000", "8000")}
    assert compared(done, "Service")["unknown"] == ["what its chart sets without values"]


def test_where_nothing_belongs_together_it_is_not_clean(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.lists[SERVICES] = []
    done = diff(tmp_path, server, secret="", ccm="", web=web("", name="${NAME}"))
    assert done.code == 3
    assert done.report["verdict"] == "nothing could be compared"


def test_a_checkout_without_anything_to_compare(tmp_path: Path) -> None:
    (tmp_path / "git").mkdir()
    done = run(tmp_path, "diff", "git")
    assert done.code == 3
    assert "there is neither a cloud.conf, a CCM nor a Service in git" in done.err


def test_without_a_path_it_is_wrong_use(tmp_path: Path) -> None:
    assert run(tmp_path, "diff").code == 2
