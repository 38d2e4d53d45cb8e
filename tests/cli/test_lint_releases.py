"""Which release ``ccmcheck lint`` judges by, and what template variables become."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, put, run

from ccmcheck import catalog

NEWEST = catalog.newest().name

OLD_KEY = RIGHT + "use-octavia = true\n"
IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"


def ccm(tag: str, kind: str = "DaemonSet") -> str:
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: ccm, namespace: kube-system}}\nspec:\n  template:\n    spec:\n"
        f"      containers:\n      - name: ccm\n        image: {IMAGE}{tag}\n        args: [--cloud-config=/etc/config/cloud.conf]\n"
    )


def judged(folder: Path, *arguments: str) -> dict[str, tuple[str, ...]]:
    """For each file the releases at which it has a finding; those of the run where the finding names none."""
    document = json.loads(run(folder, "lint", "--format=json", "--select=names,values", *arguments).out)
    return {
        one["path"]: tuple(one["releases"]) or tuple(document["summary"]["releases"]) for one in document["findings"]
    }


def summary(folder: Path, *arguments: str) -> tuple[list[str], str]:
    document = json.loads(run(folder, "lint", "--format=json", *arguments).out)
    return document["summary"]["releases"], document["summary"]["release_source"]


def test_the_newest_without_any_hint(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": OLD_KEY})
    assert summary(tmp_path) == ([NEWEST], "assumed: the newest")
    assert summary(tmp_path, "--release=1.25") == (["1.25"], "--release")
    assert judged(tmp_path) == {"cloud.conf": (NEWEST,)}
    assert judged(tmp_path, "--release=1.25") == {}


def test_a_finding_that_not_all_releases_share_names_its_own(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": OLD_KEY + "monitor-delay = 3\n"})
    document = json.loads(
        run(tmp_path, "lint", "--format=json", "--release=1.25", "--release=1.26", "--release=1.36").out
    )
    by_rule = {one["rule"]: (one["releases"], one["fatal"]) for one in document["findings"]}
    bugs = by_rule.pop("ccm-release-bug")
    assert bugs == (["1.26"], False)
    assert by_rule == {"key-removed": (["1.26", "1.36"], False), "duration-bad": ([], True)}
    assert document["summary"]["releases"] == ["1.25", "1.26", "1.36"]
    text = run(tmp_path, "lint", "--release=1.25", "--release=v1.31.2").out
    assert "cloud.conf:11:1  info  key-removed  CCM v1.31.2\n" in text
    assert "cloud.conf:12:17  error  duration-bad  fatal: the CCM stops at this line\n" in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("1.31", "1.31"),
        ("v1.31.2", "v1.31.2"),
        ("1.31.2", "v1.31.2"),
        ("release-1.31", "release-1.31"),
        ("master", "master"),
    ],
)
def test_spellings_of_a_release(tmp_path: Path, name: str, shown: str) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    assert summary(tmp_path, f"--release={name}") == ([shown], "--release")
    assert summary(tmp_path, f"--release={name}", f"--release={name}") == ([shown], "--release")


def test_the_image_in_the_tree(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": OLD_KEY, "a/ccm.yaml": ccm(":v1.25.3")})
    assert summary(tmp_path) == (["v1.25.3"], "from a/ccm.yaml")
    assert judged(tmp_path) == {}
    assert "judged as CCM v1.25.3 (from a/ccm.yaml)." in run(tmp_path, "lint").out
    assert judged(tmp_path, "--release=1.31") == {"a/cloud.conf": ("1.31",)}


def test_the_nearest_image_counts(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "clusters/dev/cloud.conf": OLD_KEY,
            "clusters/dev/ccm/ds.yaml": ccm(":v1.25.3"),
            "clusters/prod/conf/cloud.conf": OLD_KEY,
            "clusters/prod/ds.yaml": ccm(":v1.31.0", "Deployment"),
            "other/cloud.conf": OLD_KEY,
        },
    )
    assert judged(tmp_path, "clusters") == {"clusters/prod/conf/cloud.conf": ("v1.25.3", "v1.31.0")}
    _, source = summary(tmp_path)
    assert source == (
        "from clusters/dev/ccm/ds.yaml, from clusters/prod/ds.yaml, assumed: the newest, because clusters/dev/ccm/ds.yaml:9 "
        "(v1.25.3) and clusters/prod/ds.yaml:9 (v1.31.0) are equally near"
    )
    assert set(judged(tmp_path)) == {"clusters/prod/conf/cloud.conf", "other/cloud.conf"}


@pytest.mark.parametrize("tag", ["", ":latest", "@sha256:" + "0" * 64, ":v9.9.9", ":${VERSION}"])
def test_an_image_that_names_no_release(tmp_path: Path, tag: str) -> None:
    put(tmp_path, {"cloud.conf": OLD_KEY, "ccm.yaml": ccm(tag)})
    assert summary(tmp_path) == ([NEWEST], "assumed: the newest, because ccm.yaml:9 names no known release")


def test_another_consumer(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    assert summary(tmp_path, "--consumer=cinder-csi-plugin")[0] == [f"cinder-csi-plugin {NEWEST}"]
    assert judged(tmp_path, "--consumer=cinder-csi-plugin", "--select=duration-bad") == {}
    assert summary(tmp_path, "--consumer=legacy-in-tree", "--release=1.20")[0] == ["legacy-in-tree 1.20"]
    done = run(tmp_path, "lint", "--consumer=legacy-in-tree", "--release=1.31")
    assert done.code == 2
    assert "1.31" in done.err


TEMPLATE = RIGHT.replace("create-monitor = true", "create-monitor = ${MONITOR}\nmonitor-delay = ${DELAY:=5s}")


def rules(folder: Path, *arguments: str) -> list[str]:
    document = json.loads(run(folder, "lint", "--format=json", *arguments).out)
    return [f"{one['rule']}:{one['line']}:{one['column']}" for one in document["findings"]]


def test_variables_from_the_command_line(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf.tmpl": TEMPLATE})
    assert rules(tmp_path) == []
    assert rules(tmp_path, "--var=MONITOR=true") == []
    assert rules(tmp_path, "--var=MONITOR=true", "--var=DELAY=3") == ["duration-bad:11:17"]
    assert rules(tmp_path, "--var=MONITOR=maybe", "--var=DELAY=5s") == ["bool-bad:10:18"]
    assert rules(tmp_path, "--var=MONITOR=false", "--var=MONITOR=maybe") == ["bool-bad:10:18"]


def test_variables_from_files_and_the_configuration(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf.tmpl": TEMPLATE, "a.env": "# x\nexport MONITOR='maybe'\nDELAY=5s\n"})
    assert rules(tmp_path, "--env-file=a.env") == ["bool-bad:10:18"]
    assert rules(tmp_path, "--env-file=a.env", "--var=MONITOR=true") == []
    put(tmp_path, {"b.env": "MONITOR=true\n", "ccmcheck.toml": 'vars = { MONITOR = "perhaps" }\n'})
    assert rules(tmp_path) == ["bool-bad:10:18"]
    assert rules(tmp_path, "--env-file=a.env", "--env-file=b.env") == []
    put(tmp_path, {"ccmcheck.toml": 'env-file = "a.env"\n'})
    assert rules(tmp_path) == ["bool-bad:10:18"]
    assert rules(tmp_path, "--env-file=b.env") == []


def test_variables_from_clusterctl(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf.tmpl": TEMPLATE, "clusterctl.yaml": "providers: []\nMONITOR: 'maybe'\nDELAY: 5s\n"})
    assert rules(tmp_path, "--env-file=clusterctl.yaml") == ["bool-bad:10:18"]


def test_a_variable_that_holds_a_whole_file(tmp_path: Path) -> None:
    encoded = base64.b64encode(FATAL.encode()).decode()
    put(
        tmp_path,
        {"t/secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: c}\ndata:\n  cloud.conf: ${CONF_B64}\n"},
    )
    assert rules(tmp_path) == []
    assert rules(tmp_path, f"--var=CONF_B64={encoded}") == ["duration-bad:5:15"]


@pytest.mark.parametrize("text", ["broken line\n", "a: [\n", "\0\n", "=x\n"])
def test_a_file_of_variables_that_is_none(tmp_path: Path, text: str) -> None:
    done = run(put(tmp_path, {"cloud.conf": RIGHT, "a.env": text}), "lint", "--env-file=a.env")
    assert done.code == 2
    assert "a.env" in done.err
