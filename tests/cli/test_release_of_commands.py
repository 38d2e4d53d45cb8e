"""Every command judges a file by the image, chart or tag nearest to it, whatever part of a repository it is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import RIGHT, git, put, run

IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
OLD_KEY = RIGHT + "use-octavia = true\n"
RELEASES = [f"v1.{minor}.0" for minor in range(17, 37)]
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
HELM_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ccm, namespace: kube-system}
spec:
  chart:
    spec: {chart: openstack-cloud-controller-manager, version: 2.28.1}
  values:
    cloudConfig:
      global: {auth-url: https://keystone.example.org:5000/v3, application-credential-id: a}
      loadBalancer: {use-octavia: true}
"""


def workload(tag: str) -> str:
    return (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\nspec:\n  template:\n"
        f"    spec:\n      containers:\n      - name: ccm\n        image: {IMAGE}:{tag}\n"
    )


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A repository of twenty clusters, each with its own release of the CCM."""
    for number, release in enumerate(RELEASES):
        folder = f"clusters/c{number:02}"
        put(
            tmp_path,
            {
                f"{folder}/ccm/ds.yaml": workload(release),
                f"{folder}/config/cloud.conf": OLD_KEY,
                f"{folder}/web.yaml": SERVICE,
            },
        )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "x")
    return tmp_path


FILE = "clusters/c05/config/cloud.conf"
WITH_RELEASE = {
    "lint": ("lint", "--format=json", FILE),
    "show": ("show", "--format=json", FILE),
    "read": ("read", "--format=json", FILE),
    "predict": ("predict", "--format=json", "--cloud-config", FILE, "clusters/c05/web.yaml"),
    "create-monitor": ("explain", "create-monitor", "--format=json", "--cloud-config", FILE, "clusters/c05/web.yaml"),
    "list": ("list", "--format=json", FILE),
    "upgrade": ("upgrade", "--format=json", FILE),
    "render": ("render", "cloud.conf", "--cloud-config", FILE),
}


@pytest.mark.parametrize("arguments", WITH_RELEASE.values(), ids=list(WITH_RELEASE))
def test_a_file_that_is_named_alone(fleet: Path, arguments: tuple[str, ...]) -> None:
    done = run(fleet, *arguments)
    assert done.code in (0, 1), done.err
    assert "v1.22.0" in done.out + done.err
    inside = [argument.removeprefix("clusters/c05/") for argument in arguments]
    assert "v1.22.0" in "".join(run(fleet / "clusters/c05", *inside)[1:])


@pytest.mark.parametrize("name", ["lint", "show", "read", "list", "upgrade"])
def test_all_clusters_at_once(fleet: Path, name: str) -> None:
    done = run(fleet, name, "--format=json", ".")
    for release in RELEASES[1:]:  # upgrade has nothing to say of a release that the CCM stops in before and after
        assert release in done.out


def test_fix_goes_by_the_release_of_each_cluster(fleet: Path) -> None:
    assert run(fleet, "fix", "--write", "clusters/c03/config", "clusters/c18/config").code == 0
    assert "use-octavia" in (fleet / "clusters/c03/config/cloud.conf").read_text()
    assert "use-octavia" not in (fleet / "clusters/c18/config/cloud.conf").read_text()


def test_set_refuses_by_the_release_of_the_file(fleet: Path) -> None:
    done = run(fleet, "set", "clusters/c01/config/cloud.conf", "max-shared-lb=3")
    assert done.code == 2
    assert "1.18" in done.err
    assert run(fleet, "set", "clusters/c18/config/cloud.conf", "max-shared-lb=3").code == 0


def test_upgrade_reports_each_cluster_from_its_own_release(fleet: Path) -> None:
    done = run(fleet, "upgrade", "--to=v1.34.0", "--format=json", "clusters")
    document = json.loads(done.out)
    assert sorted((one["title"], one["release_before"], one["source"]) for one in document["configs"]) == [
        (f"clusters/c{number:02}/config/cloud.conf", release, f"from clusters/c{number:02}/ccm/ds.yaml:9")
        for number, release in enumerate(RELEASES)
        if release < "v1.34.0"
    ]
    assert document["base"].startswith("CCM v1.17.0, ")
    assert "clusters/c19/config/cloud.conf: the CCM v1.36.0 is not older than v1.34.0" in done.err
    text = run(fleet, "upgrade", "clusters/c05", "clusters/c09").out
    assert "v1.22.0 → " in text
    assert "v1.26.0 → " in text


def test_upgrade_names_what_contradicts_itself(fleet: Path) -> None:
    put(fleet, {"clusters/c05/ccm/other.yaml": workload("v1.30.0")})
    done = run(fleet, "upgrade", FILE)
    assert done.code == 2
    assert "clusters/c05/ccm/ds.yaml:9 (v1.22.0)" in done.err
    assert "clusters/c05/ccm/other.yaml:9 (v1.30.0)" in done.err
    done = run(fleet, "upgrade", FILE, "clusters/c06")
    assert done.code == 1
    assert f"{FILE}: the release that runs now is unknown" in done.err


def test_a_revision_is_reviewed_by_its_own_image(fleet: Path) -> None:
    put(fleet, {"clusters/c05/ccm/ds.yaml": workload("v1.31.0")})
    git(fleet, "commit", "-q", "-am", "y")
    document = json.loads(run(fleet, "review", "--format=json", "--git=HEAD~1..HEAD", FILE).out)
    assert "v1.22.0" in json.dumps(document)
    assert "v1.31.0" in json.dumps(document)


def test_two_folders_are_reviewed_by_their_own_images(tmp_path: Path) -> None:
    for side, tag in (("base", "v1.22.0"), ("head", "v1.31.0")):
        put(tmp_path, {f"{side}/cloud.conf": OLD_KEY, f"{side}/ccm.yaml": workload(tag), f"{side}/web.yaml": SERVICE})
    for pair in (("base", "head"), ("base/cloud.conf", "head/cloud.conf")):
        said = run(tmp_path, "review", "--format=json", *pair).out
        assert "v1.22.0" in said
        assert "v1.31.0" in said


@pytest.mark.parametrize("name", ["show", "read", "lint", "list"])
def test_the_chart_version_in_the_very_file(tmp_path: Path, name: str) -> None:
    put(tmp_path, {"hr.yaml": HELM_RELEASE})
    assert "1.28" in run(tmp_path, name, "--format=json", "hr.yaml").out
    assert "1.28" in run(tmp_path, name, "--format=json", "-", stdin=HELM_RELEASE.encode()).out


def test_standard_input_belongs_to_no_folder_unless_it_has_a_name(tmp_path: Path) -> None:
    put(tmp_path, {"ccm.yaml": workload("v1.22.0")})
    text = OLD_KEY.encode()
    assert "v1.22.0" not in run(tmp_path, "lint", "--format=json", "-", stdin=text).out
    assert "v1.22.0" in run(tmp_path, "lint", "--format=json", "--stdin-filename=cloud.conf", "-", stdin=text).out


def test_a_release_that_is_named_needs_no_search(fleet: Path) -> None:
    (fleet / "ccmcheck.toml").write_text('release = ["1.29"]\n')
    assert '"1.29"' in run(fleet, "lint", "--format=json", FILE).out
    assert "v1.22.0" not in run(fleet, "show", FILE).out
    assert '"release_source": "' + str(fleet / "ccmcheck.toml:1") in run(fleet, "list", "--format=json", FILE).out
