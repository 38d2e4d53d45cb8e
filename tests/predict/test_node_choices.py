"""What decides about Nodes, routes and the CCM's start: each row where it holds, silent beside it, and how it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import run

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import CcmPod, lone_conf
from ccmcheck.catalog import release
from ccmcheck.catalog.data.behaviour import BEHAVIOURS
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.conf import node_choices as choices
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.conf.view import CloudConf
from ccmcheck.predict.inputs.cluster import read_cluster
from ccmcheck.workspace.deployment.build import candidates_of, deployments
from ccmcheck.workspace.survey import Survey

ROWS = choices._all()
NEWEST = "v1.36.0"
LOGIN = "[Global]\nauth-url=https://k/v3\n"
ROUTER = f"{LOGIN}[Route]\nrouter-id=7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f00\n"
CIDR = "--cluster-cidr=10.1.0.0/16"
CCM = """apiVersion: v1
kind: Pod
metadata: {{name: ccm, namespace: kube-system}}
spec:
  hostNetwork: true
  {policy}
  containers:
    - name: ccm
      image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:{release}
      args: [--cloud-provider=openstack, --cloud-config=/etc/config/cloud.conf, {flags}]
      volumeMounts: [{{name: conf, mountPath: /etc/config}}]
  volumes: [{{name: conf, secret: {{secretName: cloud-config}}}}]
"""
Case = tuple[str, str, str]
"""A cloud.conf, flags and a release."""

CASES: tuple[tuple[str, str, Case, tuple[Case, ...]], ...] = (
    (
        "pods",
        "no rule in a security group",
        (ROUTER, CIDR, NEWEST),
        (
            (LOGIN, CIDR, NEWEST),
            (ROUTER, f"{CIDR}, --configure-cloud-routes=false", NEWEST),
            (ROUTER, "--v=2", NEWEST),
            (ROUTER, CIDR, "v1.20.0"),
        ),
    ),
    (
        "pairs",
        "does not get it again",
        (ROUTER, f"{CIDR}, --allocate-node-cidrs", "v1.14.0"),
        ((ROUTER, f"{CIDR}, --allocate-node-cidrs=false", "v1.20.0"),),
    ),
    (
        "router",
        "that is not this cluster's",
        (ROUTER, f"{CIDR}, --configure-cloud-routes=true", NEWEST),
        ((ROUTER, CIDR, "v1.27.0"), (LOGIN, CIDR, NEWEST)),
    ),
    ("max_routes", "30 routes", (ROUTER, CIDR, NEWEST), ((LOGIN, CIDR, NEWEST),)),
    ("next hop", "first InternalIP", (ROUTER, CIDR, "v1.27.0"), ((ROUTER, CIDR, "v1.25.4"),)),
    (
        "routes",
        "whatever --configure-cloud-routes",
        (LOGIN, CIDR, NEWEST),
        ((ROUTER, CIDR, NEWEST), (LOGIN, f"{CIDR}, --configure-cloud-routes=false", NEWEST), (LOGIN, "--v=2", NEWEST)),
    ),
    (
        "routes",
        "warns at each start",
        (LOGIN, "--v=2", "v1.21.0"),
        ((LOGIN, "--v=2", "v1.20.0"), (LOGIN, "--configure-cloud-routes=false", NEWEST)),
    ),
    (
        "podCIDR",
        "gives Nodes no range",
        (LOGIN, "--allocate-node-cidrs=true", "v1.14.0"),
        ((LOGIN, "--allocate-node-cidrs=false", NEWEST), (LOGIN, "--v=2", NEWEST)),
    ),
    (
        "timeout",
        "limits every request",
        (f"{LOGIN}[Metadata]\nrequest-timeout=5s\n", "--v=2", "v1.14.0"),
        ((LOGIN, "--v=2", NEWEST),),
    ),
    (
        "metadata",
        "decides nothing",
        (f"{LOGIN}[Metadata]\nsearch-order=configDrive\n", "--v=2", "v1.32.0"),
        ((f"{LOGIN}[Metadata]\nsearch-order=configDrive\n", "--v=2", "v1.31.2"), (LOGIN, "--v=2", NEWEST)),
    ),
    (
        "clouds.yaml",
        "`verify` there is not read",
        ("[Global]\nuse-clouds=true\ncloud=a\n", "--v=2", "v1.17.0"),
        ((LOGIN, "--v=2", NEWEST),),
    ),
    (
        "InternalIP",
        "are no ExternalIP either",
        (f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", "v1.19.0"),
        ((LOGIN, "--v=2", NEWEST),),
    ),
    ("server", "by the Node's name", (LOGIN, "--v=2", "v1.14.0"), ()),
    ("new Nodes", "uninitialized", (LOGIN, "--v=2", "v1.14.0"), ()),
    ("gone", "the other's Nodes, too", (LOGIN, "--v=2", "v1.24.0"), ((LOGIN, "--v=2", "v1.25.0"),)),
    ("gone", "no region by default", (LOGIN, "--v=2", "v1.25.0"), ((LOGIN, "--v=2", "v1.24.0"),)),
    (
        "--node-ip",
        "hides the others of its type",
        (f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", "v1.24.0"),
        ((f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", "v1.23.0"), (LOGIN, "--v=2", NEWEST)),
    ),
    (
        "--node-ip",
        "hides the others of its type",
        (f"{LOGIN}[Networking]\naddress-sort-order=10.0.0.0/8\n", "--v=2", NEWEST),
        ((f"{LOGIN}[Networking]\naddress-sort-order=10.0.0.0/8\n", "--v=2", "v1.23.5"), (LOGIN, "--v=2", NEWEST)),
    ),
    (
        "InternalIP",
        "--node-ip of kubelet must be one of them",
        (LOGIN, "--v=2", "v1.24.0"),
        (
            (f"{LOGIN}[Networking]\naddress-sort-order=10.0.0.0/8\n", "--v=2", NEWEST),
            (f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", NEWEST),
            (LOGIN, "--v=2", "v1.23.0"),
        ),
    ),
    (
        "trunks",
        "subports",
        (LOGIN, "--v=2", "v1.28.0"),
        ((LOGIN, "--v=2", "v1.27.0"), (f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", NEWEST)),
    ),
    (
        "IPv6",
        "both families",
        (LOGIN, "--v=2", "v1.18.0"),
        ((f"{LOGIN}[Networking]\nipv6-support-disabled=true\n", "--v=2", NEWEST), (LOGIN, "--v=2", "v1.17.0")),
    ),
    (
        "dual stack",
        "CloudDualStackNodeIPs",
        (LOGIN, "--v=2", "v1.28.0"),
        (
            (LOGIN, "--feature-gates=CloudDualStackNodeIPs=true", "v1.27.0"),
            (LOGIN, "--v=2", "v1.29.0"),
            (LOGIN, "--v=2", "v1.26.0"),
        ),
    ),
    ("login", "and not again", (LOGIN, "--v=2", "v1.14.0"), ()),
    (
        "endpoints",
        "the public ones",
        (LOGIN, "--v=2", "v1.21.0"),
        (
            (f"{LOGIN}os-endpoint-type=internal\n", "--v=2", NEWEST),
            ("[Global]\nuse-clouds=true\n", "--v=2", NEWEST),
            (LOGIN, "--v=2", "v1.20.0"),
        ),
    ),
    (
        "InternalIP",
        "in the order in which",
        (LOGIN, "--v=2", "v1.18.0"),
        (
            (f"{LOGIN}[Networking]\ninternal-network-name=a\n", "--v=2", "v1.18.1"),
            (LOGIN, "--v=2", "v1.17.0"),
            (LOGIN, "--v=2", "v1.24.0"),
        ),
    ),
    (
        "ExternalIP",
        "are InternalIPs",
        (LOGIN, "--v=2", "v1.17.0"),
        ((f"{LOGIN}[Networking]\npublic-network-name=a\n", "--v=2", NEWEST),),
    ),
    ("labels", "a resize", (LOGIN, "--v=2", "v1.14.0"), ()),
    ("region", "no label", (LOGIN, "--v=2", "v1.14.0"), ((f"{LOGIN}region=a\n", "--v=2", NEWEST),)),
    (
        "addresses",
        "5 minutes",
        (LOGIN, "--v=2", "v1.14.0"),
        ((LOGIN, "--node-status-update-frequency=1m", NEWEST),),
    ),
    ("shut off", "SHUTOFF", (LOGIN, "--v=2", "v1.16.0"), ((LOGIN, "--v=2", "v1.15.0"),)),
    (
        "lease",
        "the same Lease",
        (LOGIN, "--v=2", "v1.14.0"),
        ((LOGIN, "--leader-elect-resource-name=a", NEWEST), (LOGIN, "--leader-elect=false", NEWEST)),
    ),
    ("queue", "Services", (LOGIN, "--v=2", "v1.14.0"), ((LOGIN, "--concurrent-service-syncs=3", NEWEST),)),
    (
        "queue",
        "new Nodes",
        (LOGIN, "--v=2", "v1.27.0"),
        ((LOGIN, "--concurrent-node-syncs=3", NEWEST), (LOGIN, "--v=2", "v1.26.0")),
    ),
    ("port 10258", "health and metrics", (LOGIN, "--v=2", NEWEST), ((LOGIN, "--bind-address=127.0.0.1", NEWEST),)),
)


def _pods(flags: str, policy: str = "") -> tuple[CcmPod, ...]:
    return tuple(find("ccm.yaml", CCM.format(flags=flags, policy=policy, release=NEWEST)).pods)


def _told(conf: str, flags: str, name: str, policy: str = "") -> list[OpenChoice]:
    view = CloudConf.read(lone_conf(conf), release(name))
    return list(choices.node_choices([view], _pods(flags, policy), has_cluster=True))


@pytest.mark.parametrize(("topic", "said", "where", "beside"), CASES, ids=range(len(CASES)))
def test_a_choice_is_told_where_it_is_made_alone(topic: str, said: str, where: Case, beside: tuple[Case, ...]) -> None:
    assert [one.topic for one in _told(*where) if said in one.says] == [topic]
    for other in beside:
        assert [one.says for one in _told(*other) if said in one.says and one.topic == topic] == [], other


@pytest.mark.parametrize("policy", ["dnsPolicy: Default", "dnsPolicy: ClusterFirstWithHostNet"])
def test_a_dns_policy_that_somebody_chose_is_no_surprise(policy: str) -> None:
    assert "DNS" in [one.topic for one in _told(LOGIN, "--v=2", NEWEST)]
    assert "DNS" not in [one.topic for one in _told(LOGIN, "--v=2", NEWEST, policy)]


def test_every_row_has_its_case_and_names_what_there_is() -> None:
    tried = [case[2] for case in CASES]
    told = {(one.topic, one.says) for case in tried for one in _told(*case)}
    assert {(row.topic, row.says) for row in ROWS} == told
    for row in ROWS:
        assert len(row.topic) < 13
        assert row.source
        assert row.change
        for condition in row.when:
            kind, _, name = condition.removeprefix("not ").partition(" ")
            known = {"behaves": name in BEHAVIOURS, "from": name[:1] == "v", "cluster": not name, "routes": not name}
            assert known.get(kind, kind in ("key", "written", "flag", "says")), condition


@pytest.mark.parametrize(
    ("conf", "flags", "topic"),
    [
        (ROUTER.replace("7d3f2c1a", "{{ router }}"), CIDR, "pods"),
        (f"{LOGIN}os-endpoint-type={{{{ kind }}}}\n", "--v=2", "endpoints"),
        (LOGIN, "'--allocate-node-cidrs=$(ALLOCATE)'", "podCIDR"),
    ],
)
def test_what_a_template_decides_is_not_told(conf: str, flags: str, topic: str, tmp_path: Path) -> None:
    (tmp_path / "cloud.conf.j2").write_text(conf)
    (tmp_path / "ccm.yaml").write_text(CCM.format(flags=flags, policy="", release=NEWEST))
    said = run(tmp_path, "predict", "-v", ".").out
    assert "Nodes, routes and the CCM" in said
    assert not re.search(rf"(?m)^  {topic} ", said)


def test_only_what_every_release_decides_alike_is_told() -> None:
    each = [CloudConf.read(lone_conf(LOGIN), release(name)) for name in ("v1.24.0", "v1.25.0")]
    assert "gone" not in [one.topic for one in choices.node_choices(each, _pods("--v=2"), has_cluster=True)]


def _folder(folder: Path, conf: str) -> None:
    (folder / "cloud.conf").write_text(conf)
    (folder / "ccm.yaml").write_text(CCM.format(flags=CIDR, policy="", release=NEWEST))


def test_six_are_shown_and_the_rest_on_request(tmp_path: Path) -> None:
    _folder(tmp_path, f"{ROUTER}[Global]\npassword=canary-5f2e\n")
    few, all_ = (run(tmp_path, "predict", *more, ".").out for more in ((), ("-v",)))
    assert few.count(" → ") == 6
    assert all_.count(" → ") > 15
    assert "controllers/route/route_controller.go" in all_
    data = json.loads(run(tmp_path, "predict", "--format", "json", ".").out)
    assert [one["topic"] for one in data["choices"]][:2] == ["pods", "pairs"]
    assert "canary" not in few + all_ + json.dumps(data)


def test_beside_services_alone_nothing_is_said_of_nodes(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(LOGIN)
    (tmp_path / "web.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    )
    assert "Nodes, routes" not in run(tmp_path, "predict", "-v", ".").out


def test_lint_tells_of_routes_once(tmp_path: Path) -> None:
    _folder(tmp_path, ROUTER)
    said = run(tmp_path, "lint", "--select", "routes-alone", ".").out
    assert said.count("info  routes-alone\n") == 1
    assert "no rule in a security group" in said
    assert "does not get it again" in said
    (tmp_path / "web.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    )
    assert "routes-alone\n" not in run(tmp_path, "lint", "--select", "routes-alone", ".").out


NODE = """apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{{label}: ""}}}}
status: {{nodeInfo: {{kubeletVersion: {version}}}}}
"""
PLANE = "node-role.kubernetes.io/control-plane"


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        (((PLANE, "v1.27.4"), ("a", "v1.27.9+k3s1")), "v1.27.4"),
        (((PLANE, "v1.27.4"), ("a", "v1.26.9")), ""),
        # workers may be older than the cluster
        ((("a", "v1.27.4"),), ""),
        ((), ""),
    ],
)
def test_nodes_tell_the_version_of_their_cluster(versions: tuple[tuple[str, str], ...], found: str) -> None:
    text = "---\n".join(
        NODE.format(name=f"n{at}", label=label, version=one) for at, (label, one) in enumerate(versions)
    )
    survey = Survey()
    survey.add("cloud.conf", LOGIN.encode(), FindOptions())
    survey.add("nodes.yaml", text.encode(), FindOptions())
    judged = (TargetRelease("ccm", release(NEWEST), "--release"),)
    read = lambda _, objects, pods: read_cluster(objects, pods, ClusterFacts())  # noqa: E731
    (one,) = deployments(survey, candidates_of(survey), lambda *_: judged, read)
    assert one.cloud.facts.kubernetes_version == found
    assert one.judged.release.name == NEWEST
