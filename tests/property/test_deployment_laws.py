"""Laws of whole deployments: what is missing is no verdict, a mistake is never hidden, names of folders mean nothing."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ccmcheck.cli.main import run as run_command

SEEDS = range(int(os.environ.get("CCMCHECK_SEEDS", "6")))
"""CCMCHECK_SEEDS=1000 generates more."""
Files = dict[str, str]

GLOBAL = (
    "[Global]\nauth-url = https://k.example.org/v3\napplication-credential-id = a\napplication-credential-secret = b\n"
)
IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
ID = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"


class Deployment(NamedTuple):
    """One generated deployment.

    Attributes:
        files: Its files.
        conf: The text of its cloud.conf.
    """

    files: Files
    conf: str

    def with_conf(self, conf: str) -> Deployment:
        """The same with another cloud.conf."""
        return Deployment(
            {path: text.replace(_held(path, self.conf), _held(path, conf)) for path, text in self.files.items()}, conf
        )


def _held(path: str, conf: str) -> str:
    """A cloud.conf as a file holds it."""
    return conf if path.endswith(".conf") else "".join(f"    {line}\n" for line in conf.splitlines())


def generated(seed: int) -> Deployment:
    """A deployment: a cloud.conf in some carrier, a CCM, Services, Nodes."""
    chance = random.Random(seed)  # noqa: S311 - the same each time
    settings = {
        "subnet-id": ID,
        "floating-network-id": ID,
        "create-monitor": chance.choice(("true", "false")),
        "lb-provider": chance.choice(("amphora", "ovn", "octavia")),
        "manage-security-groups": chance.choice(("true", "false")),
    }
    if settings["lb-provider"] == "ovn":
        settings["lb-method"] = "SOURCE_IP_PORT"
    kept = {key: value for key, value in settings.items() if key == "lb-method" or chance.random() < 0.8}
    if "lb-provider" not in kept:
        kept.pop("lb-method", None)
    conf = GLOBAL + "[LoadBalancer]\n" + "".join(f"{key} = {value}\n" for key, value in kept.items())
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\nstringData:\n  cloud.conf: |\n"
    files = {"cloud.conf": conf} if chance.random() < 0.5 else {"secret.yaml": secret + _held("", conf)}
    release = chance.choice(("v1.26.4", "v1.28.2", "v1.30.2", "v1.31.2", "v1.34.1"))
    files["ccm.yaml"] = (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: openstack-cloud-controller-manager, namespace: kube-system}\n"
        "spec:\n  template:\n    spec:\n      tolerations:\n"
        '      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}\n'
        f"      - {{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}}\n      containers:\n      - name: ccm\n        image: {IMAGE}:{release}\n"
        f"        args: [--cluster-name=c{seed}]\n"
    )
    for number in range(chance.randint(1, 2)):
        policy, protocol = chance.choice(("Local", "Cluster")), chance.choice(("TCP", "TCP", "UDP"))
        files[f"s{number}.yaml"] = (
            f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{number}, namespace: shop}}\nspec:\n  type: LoadBalancer\n"
            f"  externalTrafficPolicy: {policy}\n  selector: {{app: s{number}}}\n"
            f"  ports: [{{port: 8{number}, nodePort: 3008{number}, protocol: {protocol}}}]\n"
        )
    if chance.random() < 0.5:
        files["nodes.yaml"] = "---\n".join(
            f"apiVersion: v1\nkind: Node\nmetadata: {{name: n{number}}}\nspec: {{providerID: openstack:///n{number}}}\n"
            f"status: {{addresses: [{{type: InternalIP, address: 10.0.0.{number + 1}}}]}}\n"
            for number in range(3)
        )
    return Deployment(files, conf)


MISTAKES: dict[str, Callable[[str], str]] = {
    "a unit": lambda conf: conf + "monitor-delay = 3\n",
    "a key": lambda conf: conf + "create-montior = true\n",
    "a bool": lambda conf: conf + "internal-lb = maybe\n",
    "a login": lambda conf: conf.replace("application-credential-secret = b\n", ""),
    "a section": lambda conf: conf + "[LoadBalancer\n",
    "a provider": lambda conf: conf.replace("[LoadBalancer]\n", "[LoadBalancer]\nlb-provider = nobody\n", 1),
}


def put(folder: Path, deployment: Deployment) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in deployment.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def said(capsys: pytest.CaptureFixture[str], *command: object) -> tuple[int, str]:
    code = run_command([str(word) for word in command])
    return code, capsys.readouterr().out


def verdicts(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[tuple[str, str], tuple[bool | None, str]]:
    """By Service and verdict, whether it is good, and the outcome."""
    code, out = said(capsys, "predict", "--no-config", folder, "--format", "json")
    assert code in (0, 1)
    return {
        (one["service"], name): (answer["good"], one["verdict"]["outcome"])
        for one in json.loads(out)["services"]
        for name, answer in one["verdict"]["answers"].items()
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_without_the_nodes_no_verdict_turns(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the Nodes tell is unknown without them, or the same."""
    whole = generated(seed)
    before = verdicts(capsys, put(tmp_path / "a", whole))
    without = whole._replace(files={path: text for path, text in whole.files.items() if path != "nodes.yaml"})
    after = verdicts(capsys, put(tmp_path / "b", without))
    turned = [
        key
        for key, (good, outcome) in after.items()
        if key in before and None not in (good, before[key][0]) and (good, outcome) != before[key]
    ]
    assert turned == []


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_ccm_the_release_is_assumed_aloud(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = generated(seed)
    without = whole._replace(files={path: text for path, text in whole.files.items() if path != "ccm.yaml"})
    folder = put(tmp_path / "a", without)
    for command in (("predict", "--no-config"), ("lint", "--no-config"), ("list", "--no-config")):
        assert "assumed: the newest" in said(capsys, *command, folder)[1]


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_mistake_never_lowers_the_exit_code(
    seed: int, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = generated(seed)
    wrong = right.with_conf(MISTAKES[mistake](right.conf))
    assert wrong.files != right.files
    folders = put(tmp_path / "right", right), put(tmp_path / "wrong", wrong)
    for command in ("lint", "predict"):
        codes = [said(capsys, command, "--no-config", folder)[0] for folder in folders]
        assert codes[1] >= codes[0], command
    assert said(capsys, "lint", "--no-config", "--fail-on=info", folders[1])[0] == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_tree_lies_means_nothing(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = generated(seed)
    found = []
    for name in ("a", "other/place/of/prod", "Z-1"):
        folder = put(tmp_path / name, whole)
        outputs = [
            said(capsys, command, "--no-config", "--format=json", folder)[1].replace(str(folder), "")
            for command in ("lint", "predict", "list")
        ]
        data = [json.loads(output) for output in outputs]
        data[0]["summary"].pop("seconds")
        for finding in data[0]["findings"]:
            finding.pop("fingerprint")
        found.append(data)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("mistake", [None, *MISTAKES])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_four_commands_agree(
    seed: int, mistake: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A CCM that lint says does not start serves no Service, before a review as after it, and at the end of an upgrade."""
    right = generated(seed)
    deployment = right if mistake is None else right.with_conf(MISTAKES[mistake](right.conf))
    folder = put(tmp_path / "a", deployment)
    findings = json.loads(said(capsys, "lint", "--no-config", "--format=json", folder)[1])["findings"]
    stops = any(one["fatal"] for one in findings)
    predicted = json.loads(said(capsys, "predict", "--no-config", "--format=json", folder)[1])["services"]
    outcomes = {one["verdict"]["outcome"] for one in predicted}
    assert not (stops and outcomes - {"nothing"}), (stops, outcomes)
    assert "nothing changes" in said(capsys, "review", "--no-config", folder, folder)[1]
    release = next(iter(one["release"] for one in predicted))
    code, out = said(capsys, "upgrade", "--no-config", "--from", "v1.25.0", "--to", release, "--format=json", folder)
    assert code in (0, 1)
    (config,) = json.loads(out)["configs"]
    error = config["upgrade"]["error_after"]
    assert (error is not None) == stops, (error, stops)
    put(tmp_path / "b", right)
    reviewed = json.loads(said(capsys, "review", "--no-config", "--format=json", tmp_path / "b", folder)[1])
    stopped = any(point["kind"] == "fatal" for point in reviewed["points"])
    assert stopped == (stops and mistake is not None)
