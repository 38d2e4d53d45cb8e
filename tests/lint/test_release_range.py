"""A text that one of several releases reads: what holds at all of them, and what at some only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import RIGHT, put, run

from ccmcheck import catalog
from ccmcheck.base.model import Severity
from ccmcheck.carriers.base import EMPTY_RUN
from ccmcheck.catalog.upgrade_path import tags
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings

OLD = "docker.io/k8scloudprovider/openstack-cloud-controller-manager"
POD = """\
kind: Pod
metadata: {name: ccm}
spec:
  containers:
  - name: ccm
    image: IMAGE
"""
WEB = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
KUBELET = "[Service]\nExecStart=/usr/bin/kubelet --cloud-provider=openstack --cloud-config=/etc/cloud.conf\n"
RELEASES = tuple(tag for tag in reversed(tags()) if tag <= catalog.release("v1.26.2"))


def findings(folder: Path, *arguments: str) -> dict[tuple[str, int], tuple[str, list[str], bool]]:
    """By rule and line, the severity, the releases, and whether the reader stops."""
    document: dict[str, Any] = json.loads(run(folder, "lint", "--format=json", *arguments, "cloud.conf").out)
    return {
        (one["rule"], one["line"]): (one["severity"], one["releases"], one["fatal"]) for one in document["findings"]
    }


def test_what_holds_in_part_is_information_that_names_the_part(tmp_path: Path) -> None:
    conf = RIGHT + "use-octavia = true\nmax-shared-lb = 4\nno-such-key = 1\nmonitor-delay = 3\n"
    put(tmp_path, {"cloud.conf": conf, "ccm.yaml": POD.replace("IMAGE", f"{OLD}:latest")})
    first = RIGHT.count("\n") + 1
    found = findings(tmp_path)
    assert found["key-removed", first] == ("info", ["v1.26.0 to v1.26.2"], False)
    assert found["key-too-new", first + 1] == ("info", ["v1.22.2 and older"], False)
    assert found["unknown-key", first + 2] == ("error", [], False)
    assert found["duration-bad", first + 3] == ("error", [], True)
    text = run(tmp_path, "lint", "cloud.conf").out
    assert f"cloud.conf:{first + 1}:1  info  key-too-new  CCM v1.22.2 and older\n" in text
    assert "judged as CCM v1.26.2 (one of v1.12.0 to v1.26.2, by the image in ccm.yaml:6)." in text


def test_a_line_that_stops_some_of_them_alone_is_not_fatal(tmp_path: Path) -> None:
    """What stops the newer ones stands above what stops those that do not know its key."""
    put(
        tmp_path,
        {"cloud.conf": f"{RIGHT}max-shared-lb = x\nmonitor-delay = 3\n", "ccm.yaml": POD.replace("IMAGE", OLD)},
    )
    assert findings(tmp_path)["duration-bad", RIGHT.count("\n") + 2] == ("error", [], False)


def test_an_object_is_judged_at_each_of_them(tmp_path: Path) -> None:
    annotation = 'metadata: {name: web, annotations: {loadbalancer.openstack.org/health-monitor-delay: "5"}}'
    web = WEB.replace("metadata: {name: web}", annotation)
    put(tmp_path, {"web.yaml": web, "ccm.yaml": POD.replace("IMAGE", OLD)})
    document = json.loads(run(tmp_path, "lint", "--format=json", "--select=svc-annotation-unknown", "web.yaml").out)
    assert [(one["severity"], one["releases"]) for one in document["findings"]] == [("info", ["v1.14.0 to v1.23.4"])]


def test_a_fix_is_right_for_all_of_them(tmp_path: Path) -> None:
    conf = RIGHT + "use-octavia = true\nmonitor-delay = 3\n"
    put(tmp_path, {"cloud.conf": conf, "ccm.yaml": POD.replace("IMAGE", OLD)})
    run(tmp_path, "fix", "--write", "cloud.conf")
    assert (tmp_path / "cloud.conf").read_text() == conf.replace("monitor-delay = 3\n", "monitor-delay = 3s\n")
    put(tmp_path, {"cloud.conf": conf, "ccm.yaml": POD.replace("IMAGE", f"{OLD}:v1.26.2")})
    run(tmp_path, "fix", "--write", "cloud.conf")
    assert "use-octavia" not in (tmp_path / "cloud.conf").read_text()


def test_the_provider_inside_kubernetes_is_of_any_release(tmp_path: Path) -> None:
    conf = "[Global]\nauth-url = https://k.example.com/v3\nno-such-key = 1\n"
    put(tmp_path, {"cloud.conf": conf, "kubelet.service": KUBELET})
    assert findings(tmp_path)["in-tree-unknown-key", 3] == ("error", ["1.24 and older"], False)
    assert findings(tmp_path, "--consumer=legacy-in-tree", "--release=1.24")["in-tree-unknown-key", 3][0] == "error"
    put(tmp_path, {"vars.yml": "kube_version: v1.24.3\n"})
    assert findings(tmp_path)["in-tree-unknown-key", 3] == ("error", [], False)


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        RIGHT + "use-octavia = true\nmax-shared-lb = 4\nmonitor-delay = 3\nenabled = true\n",
        '[Global]\nauth-url=a\nusername=b\n[LoadBalancer]\ncreate-monitor=1\nlb-provider=ovn\nmonitor-delay="\n',
    ],
)
def test_the_join_loses_nothing_and_keeps_what_all_agree_on(text: str) -> None:
    """What each release alone says is there, and an error or warning is one at each of them."""
    target = TargetRelease("ccm", RELEASES[0], "one of", RELEASES[1:])

    def places(*judged: TargetRelease) -> dict[tuple[str, int], Severity]:
        found = Linter(Settings(judged=judged), EMPTY_RUN).examine("cloud.conf", text, explicit=True)
        return {(one.rule, one.problem.span.start): one.severity for one in found.problems}

    alone = [places(one._replace(older=())) for one in target.each]
    together = places(*target.each)
    assert together.keys() == {key for one in alone for key in one}
    for key, severity in together.items():
        at = [one[key] for one in alone if key in one]
        share = len(at) / len(alone)
        is_visible = share >= 0.9 or (share >= 0.75 and key in alone[0])
        assert severity == (min(at) if is_visible else Severity.INFO)


def test_what_holds_at_nearly_all_stays_visible(tmp_path: Path) -> None:
    """Nobody hides an error because the oldest tags of an image do not have the key."""
    conf = RIGHT + '[LoadBalancerClass "a"]\nfloating-netwok-id = 1\nno-such-key = 1\n'
    put(tmp_path, {"cloud.conf": conf, "ccm.yaml": POD.replace("IMAGE", f"{OLD}:latest")})
    line = RIGHT.count("\n") + 2
    assert findings(tmp_path)["unknown-key", line] == ("error", ["v1.15.0 to v1.26.2"], False)
    done = run(tmp_path, "lint", "--select=unknown-key", "cloud.conf")
    assert done.code == 1
    assert f"cloud.conf:{line}:1  error  unknown-key  CCM v1.15.0 to v1.26.2\n" in done.out


def test_the_version_of_kubernetes_narrows_what_a_moving_tag_was(tmp_path: Path) -> None:
    """A cluster pulls the tag when it starts its CCM, so that it is no older than the Kubernetes before its own."""
    put(tmp_path, {"cloud.conf": RIGHT + "max-shared-lb = x\n", "ccm.yaml": POD.replace("IMAGE", f"{OLD}:latest")})
    line = RIGHT.count("\n") + 1
    assert findings(tmp_path)["uint-bad", line][0] == "info"
    assert findings(tmp_path, "--kubernetes-version=1.24")["uint-bad", line] == ("error", [], True)
    pinned = POD.replace("IMAGE", f"{OLD}@sha256:{'0' * 64}")  # may be older than the cluster
    put(tmp_path, {"ccm.yaml": pinned})
    assert findings(tmp_path, "--kubernetes-version=1.24")["uint-bad", line][0] == "info"


@pytest.mark.parametrize(("version", "release"), [("1.30", "1.30"), ("v1.28.4", "1.28"), ("1.99", "1.36")])
@pytest.mark.parametrize("command", ["lint", "predict"])
def test_the_version_of_kubernetes_tells_the_release_where_nothing_else_does(
    tmp_path: Path, command: str, version: str, release: str
) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    out = run(tmp_path, command, "--kubernetes-version", version, ".", "--no-config", "--format=json")
    data = json.loads(out.out)
    source = "assumed: that of Kubernetes" if version != "1.99" else "assumed: the newest"
    if command == "lint":
        assert data["summary"]["releases"] == [release]
        assert data["summary"]["release_source"].startswith(source)
    else:
        put(tmp_path, {"web.yaml": WEB})
        text = run(tmp_path, "predict", "--kubernetes-version", version, ".", "--no-config").out
        assert f"CCM {release} ({source}" in text
