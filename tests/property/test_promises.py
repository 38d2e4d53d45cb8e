"""Laws of what is recognised by names: where a tree lies changes nothing, a mistake more never lowers the exit code."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from command_line import git, put, run

from ccmcheck.catalog.signs.paths import EXAMPLE_FOLDERS, SHOWN_FOLDERS

SEEDS = range(8)
ROOTS = (*EXAMPLE_FOLDERS, *SHOWN_FOLDERS, "test", "templates", "docs", "a.example", "x.sample.d")
CONF = """\
[Global]
auth-url=https://keystone.example.com:5000/v3
region=RegionOne
application-credential-id=3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret=s3cr3tOfOurs
[LoadBalancer]
floating-network-id=9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor=true
monitor-delay=10s
"""
SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
    '    loadbalancer.openstack.org/timeout-client-data: "soon"\nspec:\n  type: LoadBalancer\n'
    "  externalTrafficPolicy: Local\n  ports:\n  - port: 80\n"
)
CCM = (
    "kind: Pod\nmetadata:\n  name: ccm\n  namespace: kube-system\nspec:\n  containers:\n  - name: ccm\n"
    "    image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.28.2\n"
    "    args: [--cloud-config=/etc/config/cloud.conf]\n"
)
LEFT = (
    "<your-value>",
    "CHANGEME",
    "${OS_VALUE}",
    "$OS_VALUE",
    "xxxxxxxx",
    "****",
    "{{ value }}",
    "SUBNET_ID",
    "@VALUE@",
)
"""What may be left in the place of a value."""
CONTAINERS = ("file", "manifest", "heredoc", "quoted heredoc", "terraform")


def in_container(conf: str, container: str) -> dict[str, str]:
    """The files that hold a cloud.conf."""
    indented = "".join(f"    {line}\n" for line in conf.splitlines())
    return {
        "file": {"cloud.conf": conf},
        "manifest": {
            "s.yaml": f"kind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  cloud.conf: |\n{indented}"
        },
        "heredoc": {"up.sh": f"cat > /etc/kubernetes/cloud.conf <<EOF\n{conf}EOF\n"},
        "quoted heredoc": {"up.sh": f"cat > /etc/kubernetes/cloud.conf <<'EOF'\n{conf}EOF\n"},
        "terraform": {"main.tf": f"locals {{\n  conf = <<-EOT\n{indented}  EOT\n}}\n"},
    }[container]


def with_left(conf: str, keys: list[str], left: str) -> str:
    """A cloud.conf with a placeholder in the place of some values."""
    return "".join(
        f"{line.partition('=')[0]}={left}\n" if line.partition("=")[0] in keys else f"{line}\n"
        for line in conf.splitlines()
    )


def exit_code(folder: Path, *arguments: str) -> int:
    return run(folder, "lint", "--format", "concise", *arguments).code


@pytest.mark.part(of=4)
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("left", LEFT)
def test_one_placeholder_more_never_lowers_the_exit_code(tmp_path: Path, container: str, left: str) -> None:
    chosen = random.Random(f"{container}{left}")  # noqa: S311
    keys = [line.partition("=")[0] for line in CONF.splitlines() if "=" in line]
    for other in ("", "monitor-timeout=3\n", "unknwon=x\n", "lb-provider=<provider>\n"):
        order = chosen.sample(keys, len(keys))
        before = 0
        for count in range(len(order) + 1):
            text = with_left(CONF, order[:count], left) + other
            put(tmp_path, {f"clusters/prod/{path}": found for path, found in in_container(text, container).items()})
            code = exit_code(tmp_path, ".")
            assert code >= before, (order[:count], other)
            before = code
        assert before == 1 or not other


def tree(seed: int) -> dict[str, str | bytes]:
    """A generated repository."""
    chosen = random.Random(seed)  # noqa: S311
    files: dict[str, str | bytes] = {}
    for folder in chosen.sample(("", "a/", "a/b/", "prod/", "e2e/", "x/fixtures/", "examples/", "tests/it/"), 4):
        conf = with_left(
            CONF, chosen.sample(["region", "subnet-id", "monitor-delay"], chosen.randrange(3)), chosen.choice(LEFT)
        )
        for path, text in in_container(conf, chosen.choice(CONTAINERS)).items():
            files[folder + path] = text
        if chosen.random() < 0.6:
            files[f"{folder}web.yaml"] = SERVICE
        if chosen.random() < 0.4:
            files[f"{folder}ccm.yaml"] = CCM.replace("28", str(chosen.choice((24, 28, 31))))
        if chosen.random() < 0.2:
            files[f"{folder}kubelet.service"] = "ExecStart=/usr/bin/kubelet --cloud-provider=openstack\n"
    return files


def said(folder: Path, given: str) -> tuple[object, ...]:
    """What is reported about a tree, by paths from its root."""
    document = json.loads(run(folder, "lint", "--format", "json", given).out)
    text = json.dumps([document["findings"], document["summary"]["left_out"], document["summary"]["releases"]])
    shown = json.loads(re.sub(rf"(?<![\w./-]){re.escape(given)}/", "", text) if given != "." else text)
    for finding in shown[0]:
        finding.pop("fingerprint", None)
    return tuple(shown)


@pytest.mark.part(of=3)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_tree_is_called_and_where_it_lies_changes_nothing(tmp_path: Path, seed: int) -> None:
    files = tree(seed)
    chosen = random.Random(-seed)  # noqa: S311
    put(tmp_path / "neutral", files)
    is_repository = seed % 2
    if is_repository:
        git(tmp_path / "neutral", "init", "-q")
    expected = said(tmp_path, "neutral")
    for name in chosen.sample(ROOTS, 4):
        (tmp_path / "neutral").rename(tmp_path / name)
        assert said(tmp_path, name) == expected, name
        assert said(tmp_path / name, ".") == expected, name
        above = tmp_path / "around" / chosen.choice(ROOTS)
        above.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).rename(above / "neutral")
        assert said(above, "neutral") == expected, above
        assert said(above / "neutral", ".") == expected, above
        (above / "neutral").rename(tmp_path / "neutral")
