"""Logs and events that lie beside the files of a deployment: their causes are said, and none of them is a finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from command_line import put, run

from ccmcheck.carriers.prefilter import may_be_log
from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE
from ccmcheck.workspace.survey import Survey

CONF = "[Global]\nauth-url=https://k.example\nregion=r\n"
CANARY = "hunter2-canary"
QUOTA = f"failed to ensure load balancer: Quota exceeded for resources: ['loadbalancer'] password={CANARY}"
KLOG = f"E0501 10:00:00.123456       1 controller.go:307] error processing service default/web (will retry): {QUOTA}"
SAID = "A quota of the project is used up"
ASKED = [("lint",), ("predict", "--release", "1.30")]


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("ccm.log", KLOG),
        ("logs/ccm.txt", f"2024-05-01T10:00:00.123456789Z stderr F {KLOG}"),
        ("ccm.out", f'{{"log":"{KLOG}\\n","stream":"stderr"}}'),
        ("prefixed.log", f"[pod/openstack-cloud-controller-manager-x/ccm] {KLOG}"),
        ("journal.log", f"May 01 10:00:00 node-1 ccm[12]: {KLOG}"),
        ("events.txt", f"3m  Warning  SyncLoadBalancerFailed  service/web  Error syncing load balancer: {QUOTA}"),
        ("describe.txt", (f"Events:\n  Type  Reason  Age  From  Message\n  Warning  SyncLoadBalancerFailed  3m (x7 over 10m)"
                         f"  service-controller  Error syncing load balancer: {QUOTA}")),
        ("event.txt", f"Error syncing load balancer: {QUOTA}"),
        ("kubelet.log", f"E0501 10:00:00.1 1234 kubelet.go:2344] {QUOTA}"),
        ("helm.txt", f"Error: openstack: {QUOTA}"),
    ],
)  # fmt: skip
def test_a_log_beside_a_cloud_conf(tmp_path: Path, command: tuple[str, ...], name: str, line: str) -> None:
    put(tmp_path, {"cloud.conf": CONF, name: f"{line}\n{line}\n"})
    found = run(tmp_path, *command, ".")
    assert f"{name}:" in found.out
    assert SAID in " ".join(found.out.split())
    assert CANARY not in found.out + found.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nginx.log", "E0501 10:00:00.123456 1 main.go:1] Quota exceeded for resources: ['loadbalancer']\n"),
        ("README.md", f"{KLOG}\n"),
        ("main.go", f"// {KLOG}\n"),
        ("notes.txt", f"Quota exceeded for resources: we asked for a load balancer of openstack. {QUOTA}\n"),
        ("ccm.log", "E0501 10:00:00.123456 1 openstack.go:307] nothing that is known of\n"),
        (
            "describe.txt",
            'Events:\n  Warning  Failed  2m  kubelet  Failed to pull image "shop:1": pull access denied\n',
        ),
        ("errors.txt", f"What we met with OpenStack\n\n- Octavia: {QUOTA}\n"),
        (
            "helm.txt",
            "Run helm as the page on Octavia says. Quota exceeded for resources: ['port'] is no error.\n",
        ),
        ("openstack/cert-manager.log", "E0501 10:00:00.123456 1 a.go:1] dial tcp: lookup db.example: no such host\n"),
    ],
)
def test_what_is_no_log_of_openstack_or_says_nothing(tmp_path: Path, name: str, text: str) -> None:
    text = text.replace("['loadbalancer']", "['x']") if name == "nginx.log" else text
    put(tmp_path, {"cloud.conf": CONF, name: text})
    assert name not in run(tmp_path, "lint", ".").out


def test_a_log_alone_is_no_failure(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.log": f'I0501 10:00:00.123456 1 flags.go:64] FLAG: --cloud-config="/etc/cloud.conf"\n{KLOG}\n'})
    found = run(tmp_path, "lint", ".")
    assert found.code == 0
    assert "ccm.log:2" in found.out


@pytest.mark.parametrize("name", ["ccm.log", "ccm.txt", "nohup.out"])
def test_a_log_that_is_too_large_is_left_alone(tmp_path: Path, name: str) -> None:
    put(tmp_path, {"cloud.conf": CONF, name: f"{KLOG}\n" * (DEFAULT_MAX_SIZE // len(KLOG) + 1)})
    found = run(tmp_path, "lint", ".")
    assert name not in found.out
    assert found.code != 3


@pytest.mark.parametrize("command", ASKED)
def test_a_cloud_conf_that_a_log_shows_is_none(tmp_path: Path, command: tuple[str, ...]) -> None:
    put(tmp_path, {"cloud.conf": CONF, "ccm.log": f"{KLOG}\n[Global]\nnever-known = {CANARY}\n"})
    found = run(tmp_path, *command, ".")
    assert "never-known" not in found.out
    assert "2 cloud.conf" not in found.out


def test_at_most_five_causes_of_a_log(tmp_path: Path) -> None:
    causes = ["Authentication failed", "Quota exceeded for resources: ['port']", "no subnet-id found for service a/b",
              "no such host", "certificate signed by unknown authority", "connection refused",
              'node "a" not found', "timeout waiting for the loadbalancer 1 ACTIVE"]  # fmt: skip
    head = "E0501 10:00:00.123456 1 openstack.go:307] failed to ensure load balancer: "
    put(tmp_path, {"ccm.log": "".join(f"{head}{cause}\n" for cause in causes)})
    assert run(tmp_path, "lint", ".").out.count("ccm.log:") == 5


def test_a_long_line_takes_no_time() -> None:
    assert not may_be_log(b"Warning " * 100_000, "a.log")
    assert not may_be_log(b"E0501 10:00:00." + b"1" * 100_000, "a.log")


HEAD = "E0501 10:00:00.123456       1 controller.go:307] error processing service a/b (will retry): "


@pytest.mark.parametrize(
    ("text", "means", "line"),
    [
        (f"{HEAD}failed to ensure load balancer: timeout waiting for the\nloadbalancer 1234 ACTIVE\n",
         "Octavia did not finish in the time", 2),
        (f"> {HEAD}failed to ensure load balancer: Authenticat\n> ion failed\n", "Keystone refuses the login", 2),
        (("  Warning  SyncLoadBalancerFailed  3m (x7 over 10m)  service-controller  Error syncing load balancer: "
         "failed to ensure load\nbalancer: Authentication\nfailed\n"), "Keystone refuses the login", 3),
    ],
)  # fmt: skip
def test_a_message_that_is_wrapped(tmp_path: Path, text: str, means: str, line: int) -> None:
    found = run(tmp_path, "explain", "-", stdin=text.encode())
    assert means in " ".join(found.out.split())
    assert f"the first is {line}" in found.out
    assert "Not known" not in found.err


@pytest.mark.parametrize(
    "text",
    [
        "openstack: Authentication\nfailed\n",  # where no line has a head, none goes on
        f"{HEAD}Authentication\nE0501 10:00:01.1 1 openstack.go:3] failed\n",
        f"{HEAD}Authentication\na\nb\nc\nd\ne\nf\nfailed\n",
    ],
)
def test_lines_of_their_own_are_no_message(tmp_path: Path, text: str) -> None:
    assert "Keystone refuses" not in run(tmp_path, "explain", "-", stdin=text.encode()).out


def test_the_last_lines_of_a_log_are_explained_and_no_more(tmp_path: Path) -> None:
    """Each kind of line takes a millisecond: of a log of 10 MB lint would speak for minutes."""
    odd = "".join(
        f"E1129 10:00:00.000001       1 c.go:3] octavia {chr(97 + number % 26) * (number // 26 % 40 + 1)}\n"
        for number in range(3000)
    )
    why = "E1129 10:00:01.000001       1 c.go:3] dial tcp: lookup keystone on 10.96.0.10:53: no such host\n"
    (tmp_path / "ccm.log").write_text(why + odd)
    assert "ccm.log" not in run(tmp_path, "lint", ".").out
    (tmp_path / "ccm.log").write_text(odd + why)
    assert "ccm.log:3001:" in run(tmp_path, "lint", ".").out


def test_a_log_is_read_and_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conf = "[Global]\nauth-url=https://{}.example.org/v3\nusername=u\npassword=p\n"
    why = "E1129 10:00:01.000001       1 c.go:3] dial tcp: lookup keystone on 10.96.0.10:53: no such host\n"
    put(tmp_path, {"a/cloud.conf": conf.format("a"), "b/cloud.conf": conf.format("b"), "ccm.log": why})
    assert run(tmp_path, "predict", ".").out.count("ccm.log:1:") == 1
    monkeypatch.setattr(Survey, "add", None)  # the folder is not searched again for what the log is beside
    assert run(tmp_path, "lint", ".").out.count("ccm.log:1:") == 1


def test_the_name_of_a_log_is_no_verdict(tmp_path: Path) -> None:
    """What predict ends with was taken from how a note begins."""
    put(tmp_path, {"cloud.conf": CONF, "\u2717/ccm.log": f"{KLOG}\n"})
    found = run(tmp_path, "predict", "--release", "1.30", ".")
    assert "\u2717/ccm.log:1" in found.out
    assert found.code == 0


OBJECTS = f"""\
apiVersion: v1
items:
- apiVersion: v1
  involvedObject: {{kind: Service, name: web}}
  kind: Event
  message: 'Error syncing load balancer: failed to ensure load balancer: error {CANARY}:
    Quota exceeded for
    resources: [''floatingip'']'
  reason: SyncLoadBalancerFailed
- apiVersion: storage.k8s.io/v1
  kind: VolumeAttachment
  spec: {{attacher: cinder.csi.openstack.org}}
  status:
    attachError:
      message: 'rpc error: code = NotFound desc = [ControllerPublishVolume] Volume 7a1b
        not found'
"""
WELL = """\
apiVersion: v1
kind: Node
metadata: {name: n0}
spec: {providerID: "openstack:///a1b2c3d4-0000-4000-8000-000000000001"}
status:
  conditions:
  - lastTransitionTime: "2026-01-01T00:00:00Z"
    message: kubelet is posting ready status
    reason: KubeletReady
    status: "True"
    type: Ready
# Quota exceeded for resources: ['port']
"""


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_messages_of_objects_that_kubectl_saved(tmp_path: Path, command: tuple[str, ...], form: str) -> None:
    text = OBJECTS if form == "yaml" else json.dumps(yaml.safe_load(OBJECTS), indent=1)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "message" in line]
    put(tmp_path, {"cloud.conf": CONF, f"live.{form}": text, "node.yaml": WELL})
    found = run(tmp_path, *command, ".")
    said = " ".join(found.out.split())
    assert f"live.{form}:{lines[0]}: A quota of the project is used up" in said
    assert f"live.{form}:{lines[1]}: The driver's login does not see" in said
    assert "node.yaml:" not in "".join(part for part in said.split() if part.startswith("node.yaml"))
    assert CANARY not in said
