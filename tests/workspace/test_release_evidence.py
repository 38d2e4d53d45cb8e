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
from ccmcheck.carriers.base import CcmPod
from ccmcheck.conf.target_release import FoundRelease
from ccmcheck.workspace import release_evidence as release_evidence_module
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files
from ccmcheck.workspace.release_evidence import Evidence, release_evidence, release_fact, sign_of

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


NAMED = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"


@pytest.mark.parametrize(
    ("pod", "sign"),
    [
        (CcmPod("f", "DaemonSet a", image=f"{NAMED}:v1.31.2"), "image tag v1.31.2"),
        (CcmPod("f", "images", image=f"{NAMED}:v1.31.2"), "newTag v1.31.2"),
        (CcmPod("f", "DaemonSet a", image=NAMED), "image without a fixed tag"),
        (CcmPod("f", "images", image=NAMED), "image without a fixed tag"),
        (CcmPod("f", "occm_tag", image="v1.31.2"), "variable occm_tag: v1.31.2"),
        (CcmPod("f", "occm_tag", image="v1.31.2", is_default=True), "default of occm_tag: v1.31.2"),
        (CcmPod("f", "occm_tag", image="a b: {c}"), "variable occm_tag"),
        (CcmPod("f", "HelmRelease a (chart occm 2.31.1)"), "chart occm 2.31.1"),
        (CcmPod("f", "DaemonSet a"), "DaemonSet a"),
        (CcmPod("f", "DaemonSet a", image="${IMAGE}"), "image without a fixed tag"),
    ],
)
def test_what_says_a_release(pod: CcmPod, sign: str) -> None:
    assert sign_of(pod) == sign


DECIDES = CcmPod("a.yaml", "DaemonSet a", image=f"{NAMED}:v1.31.2", release="v1.31.2", line=3)
BY_DEFAULT = CcmPod("a.yaml", "occm_tag", release="v1.31.2", is_default=True)


@pytest.mark.parametrize(
    ("pod", "decides", "why"),
    [
        (CcmPod("b.yaml", "DaemonSet b", release="v9.9.9"), DECIDES, "v9.9.9 is no release that is known"),
        (CcmPod("b.yaml", "DaemonSet b"), DECIDES, "names no release"),
        (CcmPod("b.yaml", "DaemonSet b", release="v1.30.0"), None, "further away"),
        (CcmPod("a.yaml", "Chart b", release="v1.30.0"), DECIDES, "the image beside it goes before it"),
        (CcmPod("b.yaml", "Chart b", release="v1.31.2"), DECIDES, "says the same"),
        (
            CcmPod("b.yaml", "tag", release="v1.30.0", is_default=True),
            DECIDES,
            "a default, which goes behind what is used",
        ),
        (CcmPod("b.yaml", "tag", release="v1.30.0", is_default=True), BY_DEFAULT, "further away"),
        (CcmPod("a.yaml", "b", release="v1.30.0", image="x"), DECIDES, "in another document of the file"),
        (CcmPod("b.yaml", "b", release="v1.30.0", image="x"), DECIDES, "further away"),
    ],
)
def test_why_something_does_not_decide(pod: CcmPod, decides: CcmPod | None, why: str) -> None:
    release = catalog.release("v1.31.2") if decides is not None else None
    assert release_evidence_module._why_not(pod, FoundRelease(release, decides)) == why


def test_nearer_is_what_names_no_release() -> None:
    found = FoundRelease(unnamed=(CcmPod("a.yaml", "DaemonSet a", image=NAMED),))
    pod = CcmPod("b.yaml", "DaemonSet b", release="v1.30.0")
    assert release_evidence_module._why_not(pod, found) == "further away than what names no release"


def test_one_of_several_releases_says_which() -> None:
    image = f"{OLD}:latest"
    fact = release_fact(FoundRelease(unnamed=(CcmPod("a.yaml", "DaemonSet a", image=image, line=3),)))
    assert fact.why.startswith("one of v1.12.0 to v1.26.2, by the image in a.yaml:3")
    assert len(fact.values) > 20
    known_fact = release_fact(FoundRelease(catalog.release("v1.31.2"), DECIDES))
    assert (known_fact.values, known_fact.why) == (("v1.31.2",), "")
