"""What predict says of Services of one name: in one cluster they are one object, in two they may be one load balancer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

CONF = """\
[Global]
auth-url=https://keystone.example.org/v3
username=u
password=p
tenant-id={project}
[LoadBalancer]
subnet-id=11111111-2222-4333-8444-555555555555
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: openstack-cloud-controller-manager, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
          args: [/bin/openstack-cloud-controller-manager{flag}]
"""
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {{name: {name}, namespace: shop{more}}}
spec: {{type: LoadBalancer, selector: {{app: web}}, ports: [{{port: {port}}}]}}
"""
NAMED = ", --cluster-name=prod"
OWN_ID = ', annotations: {loadbalancer.openstack.org/load-balancer-id: "0d4b2c6e-5f1a-4c3d-9e8f-7a6b5c4d3e2f"}'


def service(name: str = "web", port: int = 80, more: str = "") -> str:
    return SERVICE.format(name=name, port=port, more=more)


def cluster(folder: Path, *services: str, flag: str = NAMED, project: str = "1") -> None:
    folder.mkdir(parents=True)
    folder.joinpath("cloud.conf").write_text(CONF.format(project=project), encoding="utf-8")
    folder.joinpath("ccm.yaml").write_text(CCM.format(flag=flag), encoding="utf-8")
    folder.joinpath("services.yaml").write_text("---\n".join(services), encoding="utf-8")


def notes(folder: Path) -> list[str]:
    said: list[str] = json.loads(run(folder, "predict", "--format", "json", str(folder)).out)["notes"]
    return said


def test_clusters_of_one_name_in_one_project_share_load_balancers(tmp_path: Path) -> None:
    for number in range(3):
        cluster(tmp_path / f"c{number}", service(), service("api" if number < 2 else "other"))
    (said, *_) = notes(tmp_path)
    assert all(f"c{number}/cloud.conf" in said.partition(":")[0] for number in range(3))
    assert "these clusters are called prod in one project" in said
    assert "they have one for shop/web, shop/api: each CCM replaces the members of the others" in said
    assert set(notes(tmp_path)) == {said}


@pytest.mark.parametrize(
    ("second", "flag", "project"),
    [
        (service("other"), NAMED, "1"),
        (service(), ", --cluster-name=stage", "1"),
        (service(), NAMED, "2"),
        (service(), "", "1"),
        (service(more=OWN_ID), NAMED, "1"),
    ],
)
def test_others_have_load_balancers_of_their_own(second: str, flag: str, project: str, tmp_path: Path) -> None:
    cluster(tmp_path / "a", service())
    cluster(tmp_path / "b", second, flag=flag, project=project)
    assert notes(tmp_path) == []


@pytest.mark.parametrize(
    ("flag", "release"),
    [
        (", --cluster-name=$(NAME)", "v1.31.2"),
        (", --cluster-name=prod, '--controllers=*,-service'", "v1.31.2"),
        (", --cluster-name=prod", "v1.13.0"),
    ],
)
def test_names_that_are_not_known_or_not_in_use_collide_with_none(flag: str, release: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        cluster(tmp_path / name, service(), flag=flag)
        ccm = tmp_path / name / "ccm.yaml"
        ccm.write_text(ccm.read_text(encoding="utf-8").replace("v1.31.2", release), encoding="utf-8")
    assert notes(tmp_path) == []


def test_a_cluster_has_one_service_of_a_name(tmp_path: Path) -> None:
    cluster(tmp_path / "a", service(), service(port=81), service("api"))
    (said,) = notes(tmp_path)
    assert said.startswith("Service shop/web is there 2 times, in ")
    assert said.count("services.yaml") == 1
    assert "a cluster has one of a name, what is applied last" in said


def test_folders_side_by_side_are_of_different_clusters(tmp_path: Path) -> None:
    tmp_path.joinpath("cloud.conf").write_text(CONF.format(project="1"), encoding="utf-8")
    for name in ("dev", "prod"):
        tmp_path.joinpath(name).mkdir()
        tmp_path.joinpath(name, "web.yaml").write_text(service(), encoding="utf-8")
    assert notes(tmp_path) == []


def test_one_workload_is_one_cluster(tmp_path: Path) -> None:
    """Two cloud.confs may be what one CCM had before and has now."""
    for name in ("old-conf", "new-conf"):
        cluster(tmp_path / name, service())
        (tmp_path / name / "ccm.yaml").rename(tmp_path / "ccm.yaml")
    assert notes(tmp_path) == []


def test_of_many_only_some_are_named(tmp_path: Path) -> None:
    cluster(tmp_path / "a", *[service(f"s{number}") for number in range(8)] * 2)
    said = notes(tmp_path)
    assert len(said) == 6
    assert said[-1] == "3 more Services are there several times"


def test_a_secret_that_is_the_name_of_a_cluster_does_not_show(tmp_path: Path) -> None:
    for name in ("a", "b"):
        cluster(tmp_path / name, service(), flag=", --cluster-name=c4nary-of-prod")
        conf = tmp_path / name / "cloud.conf"
        conf.write_text(conf.read_text(encoding="utf-8").replace("=p\n", "=c4nary-of-prod\n"), encoding="utf-8")
    (said, *_) = notes(tmp_path)
    assert "these clusters are called" in said
    assert "c4nary" not in said
