"""What says the release of a cloud.conf, and what was not heeded and why."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from gits import CONF, git
from release_repositories import IMAGE, chart, kustomization, put, workload

from ccmcheck import catalog
from ccmcheck.base.facts import Fact, FactPlace, State
from ccmcheck.carriers import FindOptions
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files
from ccmcheck.workspace.release_evidence import Evidence, release_evidence

OLD = "docker.io/k8scloudprovider/openstack-cloud-controller-manager"
LATEST = FactPlace("a/ccm.yaml", 9, "image tag latest")


def evidence(folder: Path, files: dict[str, str]) -> Evidence:
    put(folder, {"a/cloud.conf": CONF, **files})
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    with chdir(folder):
        survey = survey_files(["."], FindOptions(), DiscoverOptions())
        (config,) = [found for found in survey.ccm_confs if found.path.endswith("cloud.conf")]
        return release_evidence(survey, config)


def known(release: str, *places: FactPlace) -> Fact[str]:
    return Fact.known(release, *places)


@pytest.mark.parametrize(
    ("text", "release", "line", "sign"),
    [
        (workload("v1.31.2"), "v1.31.2", 9, "image tag v1.31.2"),
        (workload("v1.31.2@sha256:" + "0" * 64), "v1.31.2", 9, "image tag v1.31.2"),
        (chart("2.31.1"), "v1.31.1", 8, "chart openstack-cloud-controller-manager 2.31.1"),
        (kustomization(tag="v1.31.2"), "v1.31.2", 4, "newTag v1.31.2"),
        ("occm_image_tag: v1.31.2\n", "v1.31.2", 1, "variable occm_image_tag: v1.31.2"),
    ],
)
def test_the_sign_of_a_release(tmp_path: Path, text: str, release: str, line: int, sign: str) -> None:
    name = "a/kustomization.yaml" if "newTag" in text else "a/ccm.yaml"
    found = evidence(tmp_path, {name: text})
    assert (found.fact, found.rejected) == (known(release, FactPlace(name, line, sign)), ())


def test_nothing_says_a_release(tmp_path: Path) -> None:
    found = evidence(tmp_path, {})
    assert (found.fact.state, found.fact.value, found.fact.places) == (State.ASSUMED, catalog.newest().name, ())
    assert found.fact.why == "assumed: the newest"


def test_what_was_not_heeded(tmp_path: Path) -> None:
    found = evidence(
        tmp_path,
        {
            "a/ccm.yaml": workload("v1.31.2"),
            "ccm.yaml": workload("v1.29.0"),
            "b/ccm.yaml": workload("latest"),
            "b/chart.yaml": chart("2.31.0"),
            "c/ccm.yaml": workload("v1.31.2"),
            "c/new.yaml": workload("v1.99.0"),
        },
    )
    assert found.fact == known("v1.31.2", FactPlace("a/ccm.yaml", 9, "image tag v1.31.2"))
    assert {(one.place.path, one.why) for one in found.rejected} == {
        ("ccm.yaml", "further away"),
        ("b/ccm.yaml", "names no release"),
        ("b/chart.yaml", "further away"),
        ("c/ccm.yaml", "says the same"),
        ("c/new.yaml", "v1.99.0 is no release that is known"),
    }


def test_an_image_without_a_release_hides_what_is_further_away(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/ccm.yaml": workload("latest"), "ccm.yaml": workload("v1.29.0")})
    assert (found.fact.state, found.fact.places) == (State.ASSUMED, (LATEST,))
    assert found.fact.why == "assumed: the newest, because a/ccm.yaml:9 names no known release"
    assert [(one.place.path, one.why) for one in found.rejected] == [
        ("ccm.yaml", "further away than what names no release")
    ]


def test_the_version_of_kubernetes_is_an_assumption(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/ccm.yaml": workload("latest"), "a/vars.yml": "kube_version: v1.25.3\n"})
    assert (found.fact.state, found.fact.value) == (State.ASSUMED, "1.25")
    assert found.fact.places == (FactPlace("a/vars.yml", 1, "Kubernetes 1.25.3"), LATEST)


def test_one_of_a_few(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/ccm.yaml": workload("latest").replace(IMAGE, OLD)})
    assert (found.fact.state, found.fact.places) == (State.ONE_OF, (LATEST,))
    assert [found.fact.values[0], found.fact.values[-1]] == ["v1.26.2", "v1.12.0"]


def test_contradictions_are_what_was_looked_at(tmp_path: Path) -> None:
    found = evidence(tmp_path, {"a/x.yaml": workload("v1.31.2"), "a/y.yaml": workload("v1.28.0")})
    assert (found.fact.state, found.fact.value) == (State.ASSUMED, catalog.newest().name)
    assert [place.path for place in found.fact.places] == ["a/x.yaml", "a/y.yaml"]


def test_the_image_of_a_release_goes_before_the_version_of_its_chart(tmp_path: Path) -> None:
    values = f"  values:\n    image: {{repository: {IMAGE}, tag: v1.30.1}}\n"
    found = evidence(tmp_path, {"a/ccm.yaml": chart("2.31.0", values)})
    assert found.fact.value == "v1.30.1"
    assert [one.why for one in found.rejected] == ["the image beside it goes before it"]


def test_a_tag_for_manifests_from_elsewhere_goes_before_theirs(tmp_path: Path) -> None:
    remote = "https://github.com/kubernetes/cloud-provider-openstack//manifests/controller-manager?ref=v1.29.0"
    found = evidence(tmp_path, {"a/kustomization.yaml": kustomization(remote, tag="v1.30.2")})
    assert found.fact == known("v1.30.2", FactPlace("a/kustomization.yaml", 5, "newTag v1.30.2"))
    assert [one.why for one in found.rejected] == ["the image beside it goes before it"]


def test_a_tag_for_objects_that_are_not_in_the_build(tmp_path: Path) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: LoadBalancer}\n"
    files = {"a/svc.yaml": service, "a/kustomization.yaml": kustomization("svc.yaml", tag="v1.30.2")}
    assert evidence(tmp_path, files).fact.value == "v1.30.2"
