"""An upgrade is reported key by key, with the release on the way that differs first."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import NO_FACTS
from ccmcheck.carriers import find
from ccmcheck.cli.main import run
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.manifests import Manifests
from ccmcheck.review.upgrade.meaning import ReleaseFindings, Upgrade, upgrade
from ccmcheck.workspace.deployment.record import Deployment
from ccmcheck.workspace.survey import SurveyedConf

HEAD = (
    "[Global]\nauth-url = https://k/v3\napplication-credential-id = x1\napplication-credential-secret = Canary9secret\n"
)


def _judge(before: catalog.Release, after: catalog.Release) -> ReleaseFindings:
    return ReleaseFindings(before, after, NO_FACTS)


def changes(text: str, old: str, new: str) -> Upgrade:
    before, after = catalog.release(old), catalog.release(new)
    (carried,) = find("cloud.conf", text).carried
    config = SurveyedConf("cloud.conf", "", carried)
    deployment = Deployment(config, TargetRelease("ccm", after, ""), Manifests(), CloudState())
    return upgrade(deployment, carried, before, _judge(before, after))


def keys(text: str, old: str, new: str) -> list[tuple[str, str, str, str, str, int]]:
    return [(one.kind, one.key, one.before, one.after, one.since, one.line) for one in changes(text, old, new).keys]


@pytest.mark.parametrize(
    ("line", "old", "new", "expected"),
    [
        ("use-octavia = false", "1.25", "1.36", [("vanishes", "use-octavia", "false", "", "v1.26.0", 2)]),
        ("use-octavia = true", "1.26", "1.36", []),
        ("enabled = false", "1.23", "1.24", [("comes to life", "enabled", "", "false", "v1.24.0", 2)]),
        ("enabled = true", "1.23", "1.24", []),
        (
            "monitor-max-retries-down = 2",
            "v1.27.2",
            "v1.27.3",
            [("comes to life", "monitor-max-retries-down", "", "2", "v1.27.3", 2)],
        ),
        ("create-monitor = true", "1.31", "1.36", []),
    ],
)
def test_keys(line: str, old: str, new: str, expected: list[tuple[str, str, str, str, str, int]]) -> None:
    assert keys(f"[LoadBalancer]\n{line}\n", old, new) == expected


def test_a_key_that_later_tags_lack_again() -> None:
    (upgrade,) = changes("[LoadBalancer]\nmonitor-max-retries-down = 2\n", "1.25", "1.36").keys
    assert upgrade.since == "v1.26.4"
    assert upgrade.but_not == "v1.27.0 to v1.27.2, v1.28.0"
    assert "Octavia went by 3" in upgrade.do


def test_defaults_without_an_effect_are_not_reported() -> None:
    assert [key for _, key, *_ in keys("[Global]\nregion = x\n", "1.17", "1.18")] == ["use-octavia", "lb-provider"]


def test_defaults_that_change() -> None:
    upgrade = keys("[LoadBalancer]\ncreate-monitor = true\n", "1.17", "1.18")
    assert ("default", "lb-provider", "", "amphora", "v1.18.0", 0) in upgrade
    assert ("default", "monitor-delay", "0s", "5s", "v1.18.0", 0) in upgrade
    assert all(kind == "default" for kind, *_ in upgrade)


def test_what_turns_fatal() -> None:
    upgrade = changes("[LoadBalancer]\nenabled =\n", "1.22", "1.36")
    assert upgrade.error_before is None
    assert upgrade.error_after is not None
    assert upgrade.fatal_since == "v1.24.0"
    assert "gcfg-blank-value" in {finding.rule for finding in upgrade.appear}
    assert "upgrade-turns-fatal" not in {finding.rule for finding in upgrade.gone}


def test_lb_version_turns_fatal_with_other_words() -> None:
    upgrade = changes(HEAD + "[LoadBalancer]\nlb-version = v1\ncreate-monitor = false\n", "1.31", "1.32")
    assert [finding.rule for finding in upgrade.appear] == ["lb-version-not-v2"]


@pytest.mark.parametrize(
    ("text", "old", "new", "between", "after"),
    [
        ("[LoadBalancer]\nlb-provider = ovn\n", "1.19", "1.22", "v1.20.0", ""),
        ("[LoadBalancer]\nlb-provider = ovn\n", "1.19", "v1.20.0", "", "v1.20.0"),
        ("[LoadBalancer]\nlb-provider = octavia\n", "1.19", "1.22", "", ""),
        ("[LoadBalancer]\nlb-version = v1\n", "1.31", "1.36", "", "v1.32.0"),
        ("[Global]\nos-endpoint-type = internalURL\n", "1.31", "1.36", "", "v1.32.0"),
        ("[Global]\nos-endpoint-type = internal\n", "1.31", "1.36", "", ""),
        ("[Metadata]\nsearch-order = configDrive,metadataService\n", "1.31", "1.36", "", ""),
        ("[Global]\nuse-clouds = true\n[LoadBalancer]\nmonitor-delay = 3\n", "1.18", "1.19", "", "v1.19.0"),
    ],
)
def test_what_ends_the_ccm(text: str, old: str, new: str, between: str, after: str) -> None:
    upgrade = changes(text, old, new)
    assert upgrade.error_before is None
    assert upgrade.fatal_since == after
    assert (upgrade.error_after is not None) is bool(after)
    assert [where for where, _ in upgrade.fatal_between] == ([between] if between else [])


def test_no_secret_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conf = (
        HEAD
        + "trusteepassword = Canary9secret\ntrustee-password = Canary9secret\n[LoadBalancer]\nmonitor-delay = Canary9secret\n"
    )
    data = base64.b64encode(conf.encode()).decode()
    path = tmp_path / "secret.yaml"
    path.write_text(
        f"apiVersion: v1\nkind: Secret\nmetadata: {{name: c}}\ndata:\n  cloud.conf: {data}\n", encoding="utf-8"
    )
    for form in ("text", "markdown", "json"):
        assert run(["upgrade", str(path), "--from", "1.17", "--format", form]) == 1
        printed = capsys.readouterr()
        assert "Canary9" not in printed.out + printed.err
        assert "trustee" in printed.out


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cloud.conf"
    path.write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    assert run(["upgrade", str(path), "--from", "1.33", "--to", "1.35"]) == 0
    assert "no Service stops or starts working" in capsys.readouterr().out
    assert run(["upgrade", str(path), "--from", "1.36", "--to", "1.25"]) == 2
    assert "not newer" in capsys.readouterr().err
    assert run(["upgrade", str(path), "--from", "1.25", "--format", "json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["head"] == f"CCM {catalog.newest().name}"
    assert run(["upgrade", str(tmp_path / "none"), "--from", "1.25"]) == 3


def test_flags_that_end_the_ccm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    (tmp_path / "ccm.yaml").write_text(
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\n"
        "spec:\n  template:\n    spec:\n      containers:\n        - name: ccm\n"
        "          image: docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.23.1\n"
        "          args: [--v=1, --log_dir=/tmp, '--port=0', --cloud-config=/etc/config/cloud.conf]\n",
        encoding="utf-8",
    )
    assert run(["upgrade", str(tmp_path), "--format", "json"]) == 1
    (config,) = json.loads(capsys.readouterr().out)["configs"]
    assert [(one["flag"], one["since"]) for one in config["upgrade"]["flags"]] == [
        ("--log-dir", "v1.26.0"),
        ("--port", "v1.24.0"),
    ]
    assert run(["upgrade", str(tmp_path), "--from", "1.23", "--to", "1.24"]) == 1
    printed = capsys.readouterr().out
    assert "the CCM does not know --port of DaemonSet kube-system/ccm from v1.24.0 on, and ends" in printed
    assert "--log-dir" not in printed


def arguments(tmp_path: Path, *args: str) -> str:
    """A folder whose CCM has some arguments."""
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    (tmp_path / "ccm.yaml").write_text(
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\n"
        "spec:\n  template:\n    spec:\n      containers:\n        - name: ccm\n"
        "          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.20.5\n"
        f"          args: {json.dumps([*args, '--cloud-config=/etc/config/cloud.conf'])}\n",
        encoding="utf-8",
    )
    return str(tmp_path)


@pytest.mark.parametrize(
    ("argument", "old", "new", "expected"),
    [
        ("--leader-elect-resource-lock=endpoints", "1.23", "1.24", "v1.24.0"),
        ("--leader-elect-resource-lock=endpointsleases", "1.26", "1.28", "v1.28.0"),
        ("--leader-elect-resource-lock=leases", "1.20", "1.36", ""),
        ("--feature-gates=A=true,StableLoadBalancerNodeSet=f", "1.29", "1.30", "v1.30.0"),
        ("--feature-gates=StableLoadBalancerNodeSet=false", "1.27", "1.29", ""),
        ("--feature-gates=StableLoadBalancerNodeSet=true", "1.29", "1.31", ""),
        ("--feature-gates=StableLoadBalancerNodeSet=true", "1.31", "1.32", "v1.32.0"),
        ("--feature-gates=CloudDualStackNodeIPs=true", "1.31", "1.32", "v1.32.0"),
        ("--feature-gates=LegacyNodeRoleBehavior=true", "1.20", "1.21", "v1.21.0"),
        ("--feature-gates=LegacyNodeRoleBehavior=false", "1.20", "1.21", ""),
        ("--feature-gates=LegacyNodeRoleBehavior=False", "1.21", "1.22", "v1.22.0"),
    ],
)
def test_values_of_flags_that_end_the_ccm(
    argument: str, old: str, new: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["upgrade", arguments(tmp_path, argument), "--from", old, "--to", new, "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["configs"]
    assert [one["since"] for one in found["upgrade"]["flags"]] == ([expected] if expected else [])


def test_a_value_that_ends_the_ccm_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = arguments(tmp_path, "--feature-gates", "StableLoadBalancerNodeSet=False", "--feature-gates=A=true")
    run(["upgrade", folder, "--from", "1.28", "--to", "1.36"])
    assert (
        "the CCM does not accept --feature-gates=StableLoadBalancerNodeSet=false of DaemonSet kube-system/ccm from"
        " v1.30.0 on, and ends"
    ) in capsys.readouterr().out


def test_services_with_the_same_error_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Though the CCM's error names each of them."""
    (tmp_path / "cloud.conf").write_text(
        HEAD + "[LoadBalancer]\ncreate-monitor = true\ndefault-tls-container-ref = https://b/v1/x\n", encoding="utf-8"
    )
    (tmp_path / "services.yaml").write_text(
        "---\n".join(
            f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop}}\n"
            "spec: {type: LoadBalancer, ports: [{port: 80, nodePort: 30080}]}\n"
            for name in ("web", "mail")
        ),
        encoding="utf-8",
    )
    assert run(["upgrade", str(tmp_path), "--from", "v1.28.1", "--to", "v1.28.2"]) == 1
    said = [line for line in capsys.readouterr().out.splitlines() if "can no longer change it" in line]
    assert len(said) == 1
    assert said[0].startswith("✗ shop/web, shop/mail: goes on as it is, ")


def test_a_node_whose_exclude_label_says_false(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    for value, said in (("false", True), ("true", False)):
        (tmp_path / "node.yaml").write_text(
            "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  labels:\n"
            f'    node.kubernetes.io/exclude-from-external-load-balancers: "{value}"\n',
            encoding="utf-8",
        )
        run(["upgrade", str(tmp_path), "--from", "1.33", "--to", "1.34"])
        assert ("become members of the load balancers" in capsys.readouterr().out) is said


def test_a_folder_with_services(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
    (tmp_path / "services.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n"
        "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n"
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: <script>, namespace: shop}\n"
        "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n",
        encoding="utf-8",
    )
    assert run(["upgrade", str(tmp_path), "--from", "1.24", "--to", "1.26", "--format", "markdown"]) == 1
    printed = capsys.readouterr().out
    assert "existing ones keep \\`/\\`, because no release changes the path (shop/web, shop/\\<script\\>)" in printed
    assert set(re.findall(r"(?<!\\)</?(\w+)", printed)) <= {"details", "summary", "code"}


def test_the_release_that_runs_must_be_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(HEAD, encoding="utf-8")
    assert run(["upgrade", str(tmp_path)]) == 2
    assert "The release that runs now is unknown" in capsys.readouterr().err


def test_a_file_without_a_cloud_conf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text("a: b\n", encoding="utf-8")
    assert run(["upgrade", str(tmp_path / "x.yaml"), "--from", "1.25"]) == 3
    assert "there is no cloud.conf in" in capsys.readouterr().err


def test_each_cluster_has_its_own_services(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, policy in (("one", "Local"), ("two", "Cluster")):
        folder = tmp_path / name
        (folder / "services").mkdir(parents=True)
        (folder / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n", encoding="utf-8")
        (folder / "services" / "web.yaml").write_text(
            "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n"
            f"spec: {{type: LoadBalancer, externalTrafficPolicy: {policy}, ports: [{{port: 80}}]}}\n",
            encoding="utf-8",
        )
    assert run(["upgrade", str(tmp_path), "--from", "v1.24.6", "--to", "v1.25.0", "--format", "json"]) == 1
    one, two = json.loads(capsys.readouterr().out)["configs"]
    only_one = {turn["behaviour"] for turn in one["upgrade"]["turns"]}
    only_one -= {turn["behaviour"] for turn in two["upgrade"]["turns"]}
    assert only_one == {"monitor-has-path"}
    assert "keeps-first-subnet" in [turn["behaviour"] for turn in two["upgrade"]["turns"]]


def test_cloud_confs_of_one_route_have_findings_of_their_own() -> None:
    text = f"```ini\n{HEAD}```\n\n```ini\n{HEAD}[LoadBalancer]\nmonitor-delay = 5\n```\n"
    judge = _judge(catalog.release("1.29"), catalog.release("1.31"))
    right, wrong = find("guide.md", text).carried
    assert right.route == wrong.route
    rules = [[{finding.rule for finding in found} for found in judge.of("guide.md", one)] for one in (right, wrong)]
    assert all("duration-bad" not in found for found in rules[0])
    assert all("duration-bad" in found for found in rules[1])


def test_a_service_without_a_load_balancer_is_not_concerned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = "".join(f"    loadbalancer.openstack.org/{name}: 'true'\n" for name in ("proxy-protocol", "x-forwarded-for"))
    body = "spec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    (tmp_path / "refused.yaml").write_text(
        f"apiVersion: v1\nkind: Service\nmetadata:\n  name: refused\n  annotations:\n{both}{body}"
    )
    (tmp_path / "web.yaml").write_text(f"apiVersion: v1\nkind: Service\nmetadata: {{name: web}}\n{body}")
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\nlb-provider = amphora\n")
    run(["upgrade", str(tmp_path), "--from", "1.24", "--to", "1.36", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    named = {name for config in data["configs"] for turn in config["upgrade"]["turns"] for name in turn["services"]}
    assert named == {"default/web"}


def test_monitors_that_had_no_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "web.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    )
    (tmp_path / "cloud.conf").write_text(HEAD + "[LoadBalancer]\ncreate-monitor = true\n")
    run(["upgrade", str(tmp_path), "--from", "1.24", "--to", "1.36"])
    assert "its monitors are renamed: unnamed → monitor_0_…" in capsys.readouterr().out
