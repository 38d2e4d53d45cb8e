"""``ccmcheck list``, ``--require``, and what is said where nothing is found."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from textwrap import indent

import pytest
from command_line import FATAL, RIGHT, git, put, run

IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
OCTAVIA = (
    "[DEFAULT]\ntransport_url = rabbit://x\n[oslo_messaging]\ntopic = octavia\n[keystone_authtoken]\nusername = x\n"
)
WORKLOAD = f"""\
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: ccm, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: {IMAGE}:v1.31.2
        volumeMounts: [{{name: c, mountPath: /etc/config}}]
      volumes: [{{name: c, secret: {{secretName: cloud-config}}}}]
"""
SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\ndata:\n  cloud.conf: "
    + base64.b64encode(RIGHT.encode()).decode()
    + "\n"
)
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"


def listed(folder: Path, *arguments: str) -> dict[str, list[dict[str, object]]]:
    done = run(folder, "list", "--format=json", *arguments)
    assert done.code == 0
    document: dict[str, list[dict[str, object]]] = json.loads(done.out)
    return document


def test_what_is_said_of_a_cloud_conf(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"a/ccm.yaml": WORKLOAD, "a/secret.yaml": "---\n" + SECRET, "a/web.yaml": SERVICE, "a/x.yaml": SERVICE},
    )
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert conf.pop("reason") != ""
    assert conf.pop("signs") != []
    assert conf.pop("facts") == {
        "release": {
            "state": "known",
            "values": ["v1.31.2"],
            "why": "",
            "places": [{"path": "a/ccm.yaml", "line": 9, "sign": "image tag v1.31.2"}],
        },
        "cluster_name": {
            "state": "assumed",
            "values": ["kubernetes"],
            "why": "the CCM's default",
            "places": [{"path": "a/ccm.yaml", "line": 0, "sign": "DaemonSet kube-system/ccm without --cluster-name"}],
        },
        "reader": {
            "state": "known",
            "values": ["ccm"],
            "why": "",
            "places": [{"path": "a/ccm.yaml", "line": 0, "sign": "DaemonSet kube-system/ccm mounts it"}],
        },
        "rejected": {"release": [], "reader": []},
    }
    assert conf == {
        "deployment": "a/secret.yaml › Secret kube-system/cloud-config",
        "path": "a/secret.yaml",
        "line": 6,
        "carrier": "Secret",
        "object": "Secret kube-system/cloud-config",
        "route": 'Secret kube-system/cloud-config › data["cloud.conf"] (base64)',
        "reader": "ccm",
        "workload": "DaemonSet kube-system/ccm",
        "releases": ["v1.31.2"],
        "release_source": "a/ccm.yaml:9",
        "services": [
            {"path": "a/web.yaml", "line": 1, "name": "shop/web", "whole": True},
            {"path": "a/x.yaml", "line": 1, "name": "shop/web", "whole": True},
        ],
    }


def test_the_text_is_a_tree(tmp_path: Path) -> None:
    put(tmp_path, {"a/ccm.yaml": WORKLOAD, "a/secret.yaml": SECRET, "a/web.yaml": SERVICE})
    assert run(tmp_path, "list").out == (
        "a/secret.yaml:5  Secret kube-system/cloud-config\n"
        "├─ read by ccm\n"
        "├─ release v1.31.2, from a/ccm.yaml:9\n"
        "├─ cluster kubernetes, assumed: the CCM's default\n"
        "└─ 1 Service: shop/web\n"
    )
    proof = run(tmp_path, "list", "-v").out
    assert "├─ release v1.31.2, from a/ccm.yaml:9\n│     a/ccm.yaml:9 (image tag v1.31.2)\n" in proof
    assert "│     a/ccm.yaml (DaemonSet kube-system/ccm without --cluster-name)\n" in proof


def test_a_sign_hides_secrets(tmp_path: Path) -> None:
    secret = WORKLOAD.replace(
        f"{IMAGE}:v1.31.2", f"registry.example.org/hunter2canary/{IMAGE.rpartition('/')[2]}:v1.31.2"
    )
    put(
        tmp_path,
        {"a/ccm.yaml": secret, "a/cloud.conf": "[Global]\nauth-url=https://k\nusername=u\npassword=hunter2canary\n"},
    )
    for form in ("text", "json"):
        done = run(tmp_path, "list", "-v", f"--format={form}")
        assert "v1.31.2" in done.out
        assert "hunter2canary" not in done.out


def test_where_the_release_comes_from(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": RIGHT, "a/x.yaml": WORKLOAD, "a/y.yaml": WORKLOAD.replace("v1.31.2", "v1.28.0")})
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert (
        conf["release_source"]
        == "assumed: the newest, because a/x.yaml:9 (v1.31.2) and a/y.yaml:9 (v1.28.0) are equally near"
    )
    (conf,) = listed(tmp_path, "--release=1.25")["cloud_confs"]
    assert (conf["releases"], conf["release_source"]) == (["1.25"], "--release")
    put(tmp_path, {"ccmcheck.toml": '# mine\nrelease = ["1.26"]\n'})
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert (conf["releases"], conf["release_source"]) == (["1.26"], str(tmp_path / "ccmcheck.toml:2"))


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (SECRET.replace("cloud-config", "cinder-csi-cloud-config"), "cinder-csi-plugin"),
        (SECRET.replace("cloud-config", "barbican-kms"), "barbican-kms-plugin"),
        (SECRET, "ccm"),
    ],
)
def test_who_reads_it(tmp_path: Path, text: str, reader: str) -> None:
    put(tmp_path, {"secret.yaml": text, "ccm.yaml": WORKLOAD})
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert conf["reader"] == reader
    assert bool(conf["releases"]) == (reader == "ccm")


def test_a_service_without_a_cloud_conf(tmp_path: Path) -> None:
    put(tmp_path, {"web.yaml": SERVICE})
    assert listed(tmp_path)["services"] == [{"path": "web.yaml", "line": 1, "name": "shop/web", "whole": True}]
    done = run(tmp_path, "list", "-v")
    assert done.out == "No cloud.conf near 1 Service: shop/web.\n  Service shop/web  web.yaml:1\n"
    assert done.err == ""


def test_examples_in_documents(tmp_path: Path) -> None:
    put(tmp_path, {"README.md": f"```ini\n{RIGHT}```\n", "web.yaml": SERVICE})
    found = listed(tmp_path)
    (conf,) = found["cloud_confs"]
    assert (conf["path"], conf["line"], conf["services"]) == ("README.md", 2, [])
    assert [service["path"] for service in found["services"]] == ["web.yaml"]


def test_a_path_is_no_secret(tmp_path: Path) -> None:
    login = "[Global]\nauth-url=https://k\nusername=u\npassword=clusters\n"
    put(tmp_path, {"clusters/cloud.conf": login, "clusters/ccm.yaml": WORKLOAD})
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert (conf["path"], conf["release_source"]) == ("clusters/cloud.conf", "clusters/ccm.yaml:9")


def test_what_a_kustomization_builds_is_where_it_is_written(tmp_path: Path) -> None:
    patch = "kind: Secret\napiVersion: v1\nmetadata: {name: cloud-config, namespace: kube-system}\nstringData:\n"
    put(
        tmp_path,
        {
            "base/kustomization.yaml": "resources: [web.yaml, secret.yaml]\n",
            "base/secret.yaml": patch + "  cloud.conf: x\n",
            "base/web.yaml": "---\n" + SERVICE,
            "dev/kustomization.yaml": "resources: [../base]\npatches: [{path: conf.yaml}]\n",
            "dev/conf.yaml": f"{patch}  cloud.conf: |\n{indent(RIGHT, '    ')}",
        },
    )
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert (conf["path"], conf["line"]) == ("dev/conf.yaml", 6)
    assert conf["services"] == [{"path": "base/web.yaml", "line": 2, "name": "shop/web", "whole": True}]


def test_look_alikes_with_their_reasons(tmp_path: Path) -> None:
    put(tmp_path, {"etc/cloud.conf": OCTAVIA, "right/cloud.conf": RIGHT})
    (found,) = listed(tmp_path)["look_alikes"]
    assert found["path"] == "etc/cloud.conf"
    assert found["reason"] != ""
    assert (
        f"etc/cloud.conf:{found['line']}  not taken for a cloud.conf: {found['reason']}"
        in run(tmp_path, "list", "-v").out
    )
    assert "etc/cloud.conf" not in run(tmp_path, "list").out
    said = run(tmp_path, "lint", "-v").out
    assert f"etc/cloud.conf is not taken for a cloud.conf: {found['reason']}" in said
    assert "etc/cloud.conf" not in run(tmp_path, "lint").out


def test_the_signs_of_what_is_taken_and_what_is_not(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"a/cloud.conf": RIGHT, "b.conf": "[Global]\nregion = canary\ncanary = x\n[loadbalancer]\nlb1 canary\n"},
    )
    found = listed(tmp_path)
    assert {"path": "a/cloud.conf", "line": 2, "sign": "auth-url +2"} in found["cloud_confs"][0]["signs"]  # type: ignore[operator]
    assert [f"{sign['line']} {sign['sign']}" for sign in found["look_alikes"][0]["signs"]] == [  # type: ignore[attr-defined]
        "2 region +1",
        "3 unknown key -1",
        "4 [LoadBalancer] +1",
        "5 other line -1",
        "1 [Global] +0",
    ]
    out = run(tmp_path, "list", "-v").out
    assert "│     a/cloud.conf:2 (auth-url +2)\n" in out
    assert out.endswith(
        "b.conf:1  not taken for a cloud.conf: it has `[Global]`, `[LoadBalancer]` and `region`, and 1 unknown key and 1 other line\n"
        "    b.conf:2 (region +1)\n"
        "    b.conf:3 (unknown key -1)\n"
        "    b.conf:4 ([LoadBalancer] +1)\n"
        "    b.conf:5 (other line -1)\n"
        "    b.conf:1 ([Global] +0)\n"
    )
    assert "canary" not in out


NOTHING = "nothing to check: no cloud.conf and no Service of type LoadBalancer in 1 file (an error with --require 1)\n"


@pytest.mark.parametrize(
    "command", ["lint", "fix", "list", "lint --format=sarif", "lint --format=github", "list --format=json"]
)
def test_nothing_found_is_said(tmp_path: Path, command: str) -> None:
    put(tmp_path, {"a.yaml": "a: b\n"})
    done = run(tmp_path, *command.split())
    assert done.code == 0
    assert f"ccmcheck: {NOTHING}" in done.err
    assert NOTHING not in run(tmp_path, *command.split(), "-q").err
    put(tmp_path, {"cloud.conf": RIGHT})
    assert "nothing to check" not in run(tmp_path, *command.split()).err


def test_nothing_changed_is_no_surprise(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "x")
    assert "nothing" not in run(tmp_path, "lint", "--diff-base=HEAD").err


@pytest.mark.parametrize("command", ["lint", "fix", "list", "lint --write-baseline=b.json"])
def test_fewer_than_required_is_wrong_use(tmp_path: Path, command: str) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "b/cloud.conf": RIGHT})
    done = run(tmp_path, *command.split(), "--require=3")
    assert done.code == 2
    assert "2 cloud.confs were found, and --require says 3." in done.err
    assert run(tmp_path, *command.split(), "--require=2").code == (1 if command == "lint" else 0)
    done = run(tmp_path, *command.split(), "--require=1", "--exclude=*")
    assert done.code == 2
    assert "no cloud.conf was found, and --require says 1." in done.err


@pytest.mark.parametrize("form", ["checkstyle", "github", "gitlab", "junit", "sarif"])
def test_formats_for_other_programs_print_the_summary_apart(tmp_path: Path, form: str) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    done = run(tmp_path, "lint", f"--format={form}")
    assert "1 finding (1 error) in 1 of 1 cloud.conf, 1 file" in done.err
    assert "1 of 1 cloud.conf" not in done.out
    assert run(tmp_path, "lint", "-q", f"--format={form}").err == ""


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    done = run(tmp_path, "list", "gone.conf")
    assert done.code == 3
    assert "gone.conf" in done.err


CSI = "[Global]\nauth-url=https://k/v3\napplication-credential-id=a\napplication-credential-secret=b\n[BlockStorage]\nrescan-on-resize=true\n"


def test_what_lint_judges_no_service_by_governs_none(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": CSI, "web.yaml": SERVICE})
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert conf["services"] == []


def test_too_many_equally_near_govern_none(tmp_path: Path) -> None:
    put(tmp_path, {f"c{number}/cloud.conf": "[LoadBalancer]\ncreate-monitor=true\n" for number in range(20)})
    put(tmp_path, {"web.yaml": SERVICE})
    found = listed(tmp_path)
    assert [conf["services"] for conf in found["cloud_confs"]] == [[]] * 20
    assert len(found["services"]) == 1


def test_a_service_without_a_name_is_called_that(tmp_path: Path) -> None:
    tmp_path.joinpath("values.yaml").write_text(
        "service:\n  type: LoadBalancer\n  spec: {externalTrafficPolicy: Local}\n  annotations:\n"
        "    loadbalancer.openstack.org/proxy-protocol: 'true'\n"
    )
    tmp_path.joinpath("cloud.conf").write_text(RIGHT)
    assert "1 Service: (unnamed)" in run(tmp_path, "list", ".").out


def test_patches_of_one_service_are_one_and_no_service(tmp_path: Path) -> None:
    """What they are added to is in no file; predict says the same."""
    patch = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: web, annotations: {loadbalancer.openstack.org/class: gold}}\n"
    )
    put(tmp_path, {"cloud.conf": RIGHT, **{f"{overlay}/patch.yaml": patch for overlay in "abcd"}})
    assert "└─ annotations alone of 1 Service: web\n" in run(tmp_path, "list", ".").out
    assert "only annotations of Service web are in the files" in run(tmp_path, "predict", ".").out
    (conf,) = listed(tmp_path)["cloud_confs"]
    assert [one["whole"] for one in conf["services"]] == [False] * 4  # type: ignore[attr-defined]
