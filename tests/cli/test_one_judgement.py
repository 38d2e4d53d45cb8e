"""What a rule reports as an error, a prediction does not call working; and what is not known is no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
CONF = f"[LoadBalancer]\nsubnet-id = {ID}\nfloating-network-id = {ID}\n"
ON = CONF + "create-monitor = true\n"


def service(name: str = "web", annotation: str = "", policy: str = "Cluster", more: str = "") -> str:
    annotations = f"  annotations:\n    loadbalancer.openstack.org/{annotation}\n" if annotation else ""
    return (
        f"apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\n{annotations}spec:\n  type: LoadBalancer\n"
        f"  externalTrafficPolicy: {policy}\n  ports:\n    - {{name: a, port: 443}}\n{more}---\n"
    )


def predict(folder: Path, conf: str, manifest: str, *options: str) -> str:
    folder.joinpath("cloud.conf").write_text(conf)
    folder.joinpath("service.yaml").write_text(manifest)
    return run(folder, "predict", str(folder), *options).out


@pytest.mark.parametrize(
    ("conf", "manifest", "release", "said"),
    [
        (
            CONF,
            service(annotation=f"default-tls-container-ref: https://b/v1/secrets/{ID}"),
            "v1.27.3",
            "failed to get tls",
        ),
        (ON, service(policy="Local"), "v1.23.0", "✗ traffic      all members go down at the first change of nodes"),
        (
            CONF,
            service(more="  loadBalancerIP: nonsense\n"),
            "v1.31.2",
            "Octavia takes its requests; Neutron refuses with 400",
        ),
        (
            CONF,
            service("a", f"load-balancer-id: {ID}") + service("b", f"load-balancer-id: {ID}"),
            "v1.31.2",
            "the listener port 443 already exists",
        ),
    ],
)
def test_what_lint_calls_an_error_does_not_work(
    tmp_path: Path, conf: str, manifest: str, release: str, said: str
) -> None:
    assert said in predict(tmp_path, conf, manifest, "--release", release)


@pytest.mark.parametrize(
    ("conf", "manifest", "release", "silent"),
    [
        (CONF, service(annotation=f"default-tls-container-ref: https://b/v1/secrets/{ID}"), "v1.28.2", "failed to get"),
        (ON, service(policy="Local"), "v1.23.1", "all members go down"),
        (CONF, service(more="  loadBalancerIP: 203.0.113.7\n"), "v1.31.2", "Neutron refuses"),
        (CONF, service("a", f"load-balancer-id: {ID}") + service("b"), "v1.31.2", "already exists"),
    ],
)
def test_what_works_is_not_refused(tmp_path: Path, conf: str, manifest: str, release: str, silent: str) -> None:
    assert silent not in predict(tmp_path, conf, manifest, "--release", release)


def test_checks_of_a_provider_that_is_not_modelled_are_unknown(tmp_path: Path) -> None:
    out = predict(tmp_path, ON + "lb-provider = a10\n", service(policy="Local"), "--release", "v1.31.2")
    assert "UDP-CONNECT" not in out
    assert "· traffic      whether nodes without a pod leave the rotation is up to the provider" in out


def test_labels_of_nodes_that_are_only_counted_are_unknown(tmp_path: Path) -> None:
    out = predict(tmp_path, CONF + "node-selector = role=lb\n", service(), "--release", "v1.31.2", "--nodes", "3", "-v")
    assert "no members" not in out
    assert "how many of the 3 nodes have the label role=lb is not known" in out


def test_the_first_stop_that_is_known_is_the_one_reported(tmp_path: Path) -> None:
    path = tmp_path / "cloud.conf.j2"
    path.write_text("[LoadBalancer]\ncreate-monitor={{ m }}\nmonitor-delay=5\n")
    out = run(tmp_path, "lint", str(path), "--release", "v1.31.2", "--format", "json").out
    assert '"rule": "duration-bad", "severity": "error", "fatal": true' in out


@pytest.mark.parametrize("more", ["  loadBalancerClass: example.com/x\n", ""])
def test_turning_monitors_off_is_said_where_no_service_is_the_ccms_own(tmp_path: Path, more: str) -> None:
    patch = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer}\n"
    for side, conf in (("old", ON), ("new", CONF + "create-monitor = false\n")):
        folder = tmp_path / side
        folder.mkdir()
        folder.joinpath("cloud.conf").write_text(conf)
        folder.joinpath("service.yaml").write_text(service(more=more) if more else patch)
    out = run(tmp_path, "review", "old", "new", "--release", "v1.31.2").out
    assert "without a pod" in out


def test_what_a_platform_refuses_by_its_profile(tmp_path: Path) -> None:
    manifest = service(more="  selector: {app: dns}\n").replace("port: 443", "port: 53, protocol: UDP")
    said = predict(tmp_path, ON, manifest, "--profile", "metakube")
    assert "✗ the platform makes no load balancer for UDP: the Service stays pending" in said
    linted = run(tmp_path, "lint", str(tmp_path), "--profile", "metakube", "--select", "svc-protocol-tcp-only")
    assert (linted.code, "the platform makes no load balancer for UDP" in linted.out) == (1, True)
    assert "makes no load balancer" not in predict(tmp_path, ON, manifest)
