"""`cluster diff` compares by meaning: what differs, what does not, and what only rendering gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from api_server import (
    CONF,
    UID,
    cluster,
)
from diff_runs import (
    ARGS,
    SAME_CONF,
    TIMEOUT,
    WEB_ANNOTATION,
    ccm,
    config,
    diff,
    differences,
    live_web,
    web,
)
from live_objects import CCM, RIGHT

if TYPE_CHECKING:
    from pathlib import Path


def test_the_same_is_no_drift(tmp_path: Path) -> None:
    done = diff(tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.report["verdict"] == "no drift: 3 objects compared"
    assert done.report["sync"] is None


def test_the_first_line_says_which_cluster_it_is(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    done = diff(tmp_path, server, form="text")
    assert done.out == (
        f"Cluster: context test, http://127.0.0.1:{server.port}, kube-system {UID}\n"
        "CCM v1.31.2: no drift: 3 objects compared\n"
    )


SAME_CCM = ccm(
    "--cluster_name",
    "prod",
    "--leader-elect",
    "--controllers=*",
    "--node-monitor-period=5000ms",
    "-v=0",
    "--cloud-config=$(FILE)",
    image=f"mirror.example.org/{CCM}:v1.31.2@sha256:{'0' * 64}",
    env="        env: [{name: FILE, value: /etc/config/cloud.conf}]\n",
)


@pytest.mark.parametrize(
    "files",
    [
        {"secret": config(SAME_CONF)},
        {"secret": config("[Global]\nunknown-key = 1\n" + RIGHT)},
        {"ccm": SAME_CCM},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", {TIMEOUT}: "50000"')},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", team: shop, kustomize.toolkit.fluxcd.io/name: x')},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", loadbalancer.openstack.org/keep-floatingip: "false"')},
        {"web": web("externalTrafficPolicy: Local, sessionAffinity: None, ipFamilyPolicy: SingleStack, ")},
        {"web": web(namespace="")},
    ],
)
def test_order_spelling_and_defaults_written_out_do_not_differ(files: dict[str, str], tmp_path: Path) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == {}
    assert done.code == 0


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"secret": config(RIGHT.replace("create-monitor = true", "create-monitor = false"))},
            {"[LoadBalancer] create-monitor": ("false", "true")},
        ),
        (
            {"secret": config(RIGHT.replace("create-monitor = true\n", ""))},
            {"[LoadBalancer] create-monitor": ("false", "true")},
        ),
        (
            {"secret": config(f'{RIGHT}[LoadBalancerClass "gold"]\nsubnet-id = x\n')},
            {'[LoadBalancerClass "gold"] subnet-id': ("x", "")},
        ),
        ({"ccm": ccm(*ARGS, image=f"registry.k8s.io/provider-os/{CCM}:v1.33.0")}, {"image": ("v1.33.0", "v1.31.2")}),
        ({"ccm": ccm(ARGS[0])}, {"--cluster-name": ("kubernetes", "prod")}),
        ({"ccm": ccm(*ARGS, "--concurrent-service-syncs=4")}, {"--concurrent-service-syncs": ("4", "1")}),
        ({"ccm": ccm(*ARGS, "--leader-elect=false")}, {"--leader-elect": ("false", "true")}),
        ({"web": web("")}, {"spec.externalTrafficPolicy": ("Cluster", "Local")}),
        (
            {"web": web('externalTrafficPolicy: Local, loadBalancerSourceRanges: ["10.0.0.1/8"], ')},
            {"spec.loadBalancerSourceRanges": ("10.0.0.0/8", "")},
        ),
        ({"web": web(annotations="")}, {WEB_ANNOTATION: ("", "false")}),
        (
            {"web": web(annotations=f'{WEB_ANNOTATION}: "false", {TIMEOUT}: "9000"')},
            {TIMEOUT: ("9000", "")},
        ),
    ],
)
def test_each_difference_in_meaning_is_named(
    files: dict[str, str], expected: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == expected
    assert done.code == 1
    assert done.report["drift"] is True
    effects = {one["sync"] for compared in done.report["compared"] for one in compared["differences"]}
    assert (done.report["sync"] is None) == (effects == {""})


@pytest.mark.parametrize(
    "files",
    [
        {"secret": config(RIGHT.replace("create-monitor = true", "create-monitor = ${MONITOR}"))},
        {"ccm": ccm("--cluster-name={{ .Values.name }}", "--cloud-config=/etc/config/cloud.conf")},
        {"ccm": ccm("{{ .Values.more }}", "--cloud-config=/etc/config/cloud.conf")},
        {"ccm": ccm(*ARGS, image=f"registry.k8s.io/provider-os/{CCM}:${{TAG}}")},
        {"web": web("externalTrafficPolicy: ${POLICY}, ")},
        {"web": web(annotations=f"{WEB_ANNOTATION}: ${{MONITOR}}")},
    ],
)
def test_what_only_rendering_gives_is_unknown_not_different(files: dict[str, str], tmp_path: Path) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == {}
    assert done.code == 0
    assert any(one["unknown"] for one in done.report["compared"])


def test_a_template_keeps_the_live_value_in_what_a_sync_changes(tmp_path: Path) -> None:
    text = RIGHT.replace("floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90", "floating-network-id = ${NET}")
    done = diff(tmp_path, secret=config(text.replace("create-monitor = true", "create-monitor = false")))
    settings = done.report["sync"]["configs"][0]["settings"]
    assert [(one["key"], one["before"], one["after"]) for one in settings] == [("create-monitor", "true", "false")]


def test_node_ports_that_kubernetes_allocated_are_no_drift(tmp_path: Path) -> None:
    ports = [{"port": 80, "protocol": "TCP", "nodePort": 31234}]
    live = live_web(ports=ports, healthCheckNodePort=32000, ipFamilies=["IPv4"])
    assert diff(tmp_path, live).code == 0
    (tmp_path / "fixed").mkdir()
    fixed = web().replace("port: 80", "port: 80, nodePort: 31235")
    done = diff(tmp_path / "fixed", live, web=fixed)
    assert differences(done) == {"spec.ports": ("80/TCP nodePort 31235", "80/TCP nodePort 31234")}


STOPS = 'time: missing unit in duration "5" at section "LoadBalancer", variable "monitor-delay"'


@pytest.mark.parametrize(("live", "git"), [(CONF, RIGHT), (RIGHT, CONF)])
def test_a_text_at_which_the_ccm_stops_differs_from_one_at_which_it_starts(live: str, git: str, tmp_path: Path) -> None:
    done = diff(tmp_path, cluster(live), secret=config(git))
    assert done.code == 1
    found = differences(done)["start of the CCM"]
    assert found[git == RIGHT].endswith(STOPS)
    assert found[live == RIGHT] == "the CCM starts"
    # what a CCM that stops at the live text has made before, nobody knows
    assert (done.report["sync"] is None) == (live == CONF)
    assert any("is not predicted" in note for note in done.report["notes"]) == (live == CONF)


def test_two_texts_at_which_the_ccm_stops_alike_do_not_differ(tmp_path: Path) -> None:
    assert diff(tmp_path, cluster(CONF), secret=config(CONF)).code == 0
