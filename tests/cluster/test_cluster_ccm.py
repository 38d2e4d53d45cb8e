"""`cluster lint` finds the CCM and its cloud.conf, or says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from api_server import (
    cluster,
    daemonset,
    secret,
)
from cluster_runs import failures, lint, rules
from live_objects import CCM, DAEMONSETS, PODS, pod

from ccmcheck import catalog

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.parametrize(
    ("image", "release", "source"),
    [
        (
            f"registry.k8s.io/provider-os/{CCM}@sha256:{'0' * 64}",
            "1.31",
            "assumed: that of Kubernetes 1.31.4 in the cluster",
        ),
        (f"docker.io/k8scloudprovider/{CCM}:latest", "v1.26.2", "one of v1.12.0 to v1.26.2, by the image in "),
        (f"registry.k8s.io/provider-os/{CCM}:v1.99.0", catalog.newest().name, "assumed: the newest"),
    ],
)
def test_an_image_without_a_release(tmp_path: Path, image: str, release: str, source: str) -> None:
    server = cluster()
    server.lists[DAEMONSETS] = [daemonset(image=image)]
    summary = lint(tmp_path, server, "--format", "json").report["summary"]
    assert summary["releases"] == [release]
    assert summary["release_source"].startswith(source)
