"""What says who reads a cloud.conf, and what was not heeded and why."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from gits import CONF, git
from release_repositories import put, workload

from ccmcheck.base.facts import Fact, FactPlace, State
from ccmcheck.carriers import FindOptions
from ccmcheck.catalog.signs.readers import OF_FILE, reader_by_file
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files
from ccmcheck.workspace.reader_evidence import reader_evidence
from ccmcheck.workspace.release_evidence import Evidence

IN_TREE = "legacy-in-tree"
KUBELET = "[Service]\nExecStart=/usr/bin/kubelet --cloud-provider={} --cloud-config=/etc/cloud.conf\n"


def evidence(folder: Path, files: dict[str, str], name: str = "a/cloud.conf") -> Evidence:
    put(folder, {"a/cloud.conf": CONF, **files})
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    with chdir(folder):
        survey = survey_files(["."], FindOptions(), DiscoverOptions())
        survey.settle_readers(lambda _path, _carried: True)
        ((path, carried),) = [found for found in survey.confs if found[0] == f"./{name}" or found[0] == name]
        return reader_evidence(survey, path, carried)


def test_nothing_names_a_reader(tmp_path: Path) -> None:
    found = evidence(tmp_path, {})
    assert (found.fact.state, found.fact.value, found.rejected) == (State.ASSUMED, "ccm", ())


def test_what_is_started_around(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/kubelet.service": KUBELET.format("openstack")})
    assert found.fact == Fact.known(IN_TREE, FactPlace("a/kubelet.service", sign="--cloud-provider=openstack"))


def test_a_ccm_as_near_goes_before_kubelet(tmp_path: Path) -> None:
    files = {"a/kubelet.service": KUBELET.format("openstack"), "a/up.sh": "# openstack-cloud-controller-manager\n"}
    found = evidence(tmp_path, files)
    assert found.fact == Fact.known("ccm", FactPlace("a/up.sh", sign="openstack-cloud-controller-manager"))
    assert [(one.place.path, one.why) for one in found.rejected] == [("a/kubelet.service", "a CCM is started as near")]


def test_a_kubernetes_without_that_provider(tmp_path: Path) -> None:
    files = {"a/kubelet.service": KUBELET.format("openstack"), "a/vars.yml": "kube_version: v1.31.0\n"}
    found = evidence(tmp_path, files)
    assert (found.fact.state, found.fact.value) == (State.ASSUMED, "ccm")
    assert [one.why for one in found.rejected] == ["no version of Kubernetes near it has this provider"]


@pytest.mark.parametrize(("version", "reader"), [("v1.2.2", IN_TREE), ("v1.5.9", IN_TREE), ("v1.6.0", "ccm")])
def test_before_1_6_there_is_no_other_provider(tmp_path: Path, version: str, reader: str) -> None:
    found = evidence(tmp_path, {"a/vars.yml": f"kube_version: {version}\n"})
    assert found.fact.value == reader
    if reader == IN_TREE:
        sign = f"Kubernetes {version.lstrip('v')} has no other provider"
        assert found.fact.places == (FactPlace("a/vars.yml", 1, sign),)


def test_an_old_kubernetes_beside_a_ccm(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/vars.yml": "kube_version: v1.2.2\n", "ccm.yaml": workload("v1.31.0")})
    assert found.fact.value == "ccm"


@pytest.mark.parametrize(
    ("name", "text", "reader", "sign"),
    [
        (
            "b/secret.yaml",
            f"kind: Secret\nmetadata: {{name: cloud-config-csi}}\nstringData:\n  cloud.conf: |\n    {CONF.replace(chr(10), chr(10) + '    ')}\n",
            "cinder-csi-plugin",
            "the name of the Secret",
        ),
        ("roles/kubernetes/node/templates/cloud.conf.j2", CONF, IN_TREE, "a role that sets up nodes"),
        ("csi/cinder/cloud.conf", CONF, "cinder-csi-plugin", "the driver's folder"),
    ],
)
def test_what_its_own_file_says(tmp_path: Path, name: str, text: str, reader: str, sign: str) -> None:
    assert evidence(tmp_path, {name: text}, name).fact == Fact.known(reader, FactPlace(name, sign=sign))


EXAMPLES = {
    "--cloud-provider=openstack": (
        "up.sh",
        "kubelet --cloud-provider=openstack\n",
        "kubelet --cloud-provider=external\n",
    ),
    "/etc/kubernetes/cloud beside settings of the in-tree provider": (
        "a.yaml",
        "path: /etc/kubernetes/cloud.conf\nprovisioner: kubernetes.io/cinder\n",
        "path: /etc/kubernetes/cloud.conf\nprovisioner: kubernetes.io/cinder # cinder.csi for the CCM\n",
    ),
    "a role that sets up nodes": ("roles/kubernetes/node/templates/openstack-cloud-config.j2", "", None),
    "OpenShift 3": (
        "openstack.conf.j2",
        "auth-url = {{ openshift_cloudprovider_openstack_auth_url }}\n",
        "auth-url = {{ openshift_auth_url }}\n",
    ),
    "values of the driver's chart": (
        "values.yaml",
        "secret:\n  enabled: true\n  hostMount: true\n",
        "secret:\n  enabled: true\n",
    ),
    "yawol": ("a.yaml", "image: yawol-cloud-controller\n", "image: yawol\n"),
    "the CCM of another cloud": ("a.md", "aws-cloud-controller-manager", "my-cloud-controller-manager"),
}


def test_each_sign_of_another_reader_has_an_example() -> None:
    assert set(EXAMPLES) < {row[0] for rows in OF_FILE.values() for row in rows if row[1] != "ccm"}


@pytest.mark.parametrize(("sign", "example"), EXAMPLES.items())
def test_a_sign_and_what_is_none(sign: str, example: tuple[str, str, str | None]) -> None:
    path, text, other = example
    answer = reader_by_file(text, path, is_page=path.endswith(".md"))
    assert (answer.sign, bool(answer.value)) == (sign, True)
    path = path if other is not None else "roles/ccm/templates/cloud.conf.j2"
    against = reader_by_file(other or text, path, is_page=path.endswith(".md"))
    assert against.value in ("", "ccm")


def test_a_file_that_names_the_ccm_says_who_reads_it(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/cloud.conf": f"# for openstack-cloud-controller-manager\n{CONF}"})
    assert found.fact == Fact.known("ccm", FactPlace("a/cloud.conf", sign="openstack-cloud-controller-manager"))


def test_what_weighs_less_is_told(tmp_path: Path) -> None:
    link = "# https://github.com/x/openstack-cloud-controller-manager\n"
    text = f"{link}cat > cloud.conf <<X\n{CONF}X\nkubelet --cloud-provider=openstack\n"
    found = evidence(tmp_path, {"b/up.sh": text, "a/cloud.conf": "x\n"}, "b/up.sh")
    assert found.fact.value == IN_TREE
    assert [(one.place.sign, one.why) for one in found.rejected] == [
        ("a link to the CCM", "weighs less than what decides")
    ]
