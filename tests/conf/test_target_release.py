"""Which release a cloud.conf is judged by: what equally near workloads say together, and what another reader changes."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.carriers.base import CarriedConf, CcmPod, KubernetesVersion
from ccmcheck.conf.target_release import (
    NOTHING_FOUND,
    FoundRelease,
    TargetRelease,
    agreed,
    known_release,
    own_reader,
    place_of,
    without_overridden,
)
from ccmcheck.layers.stack import Stack

NEWEST = catalog.newest()
RELEASE = catalog.release("v1.31.2")


def pod(
    release: str, path: str = "ccm.yaml", line: int = 0, variable: str = "", subject: str = "DaemonSet a"
) -> CcmPod:
    return CcmPod(path, subject, release=release, line=line, variable=variable)


def conf(*consumers: str, kubernetes: str = "") -> CarriedConf:
    version = KubernetesVersion(kubernetes, "vars.yml", 1) if kubernetes else None
    return CarriedConf("file", "", "", Stack(""), "", consumers=consumers, kubernetes=version)


@pytest.mark.parametrize(
    ("releases", "expected"),
    [
        (["v1.31.2"], "v1.31.2"),
        (["1.31"], "1.31"),
        (["v1.31.2", "v1.31.2"], "v1.31.2"),
        (["v9.9.9", "v1.31.2", ""], "v1.31.2"),
        # a tag is the more exact, and contradicts no branch of its own
        (["1.31", "v1.31.2"], "v1.31.2"),
        (["v1.31.2", "1.31"], "v1.31.2"),
        (["1.31", "v1.31.0", "v1.31.2"], "v1.31.0 v1.31.2"),
        (["v1.31.2", "1.30"], "v1.31.2 1.30"),
        (["1.30", "1.31"], "1.30 1.31"),
        (["v1.31.2", "v1.30.0", "v1.31.2"], "v1.31.2 v1.30.0"),
        (["v9.9.9"], None),
        ([""], None),
        ([], None),
    ],
)
def test_what_equally_near_ones_say_together(releases: list[str], expected: str | None) -> None:
    pods = [pod(release, f"{number}.yaml") for number, release in enumerate(releases)]
    found = agreed(pods)
    if found is None:
        assert expected is None
    elif found.release is not None:
        assert (found.release.name, found.rivals) == (expected, ())
        assert found.pod == next(one for one in pods if known_release(one.release) == found.release)
    else:
        assert found.pod is None
        assert " ".join(one.release for one in found.rivals) == expected


def test_a_script_that_tells_no_value_is_a_rival_unless_another_tells_it() -> None:
    script, told = pod("", "up.sh", variable="CCM_VERSION"), pod("v1.31.2", "vars.yml", subject="ccm_version")
    other = pod("v1.31.2")
    assert agreed([script]) is None
    assert agreed([script, other]) == FoundRelease(rivals=(other, script))
    assert agreed([script, script, other]) == FoundRelease(rivals=(other, script))
    assert agreed([script, told]) == FoundRelease(RELEASE, told)


def test_where_a_release_comes_from() -> None:
    release, ccm = RELEASE, pod("v1.31.2", line=9)
    built = ccm._replace(line_path="base/ccm.yaml")
    assert place_of(ccm) == "ccm.yaml:9"
    assert place_of(ccm._replace(line=0)) == "ccm.yaml"
    assert place_of(built) == "base/ccm.yaml:9"
    assert FoundRelease(release, ccm).target == TargetRelease("ccm", release, "from ccm.yaml")
    assert FoundRelease(release, built).target == TargetRelease("ccm", release, "from base/ccm.yaml")
    assert FoundRelease(release, built).place == "base/ccm.yaml:9"
    assert not FoundRelease(release, ccm).target.is_assumed
    for nothing in (NOTHING_FOUND, FoundRelease(release), FoundRelease(None, ccm)):
        assert nothing.target == TargetRelease("ccm", NEWEST, "assumed: the newest")
        assert nothing.target.is_assumed
    assert (NOTHING_FOUND.place, NOTHING_FOUND.conflict) == ("", "")


@pytest.mark.parametrize(
    ("count", "conflict"),
    [
        (2, "0.yaml:1 (v1.30.0) and 1.yaml ($CCM) are equally near"),
        (3, "0.yaml:1 (v1.30.0), 1.yaml ($CCM) and 1 more are equally near"),
        (4, "0.yaml:1 (v1.30.0), 1.yaml ($CCM) and 2 more are equally near"),
    ],
)
def test_which_contradict_each_other(count: int, conflict: str) -> None:
    rivals = (pod("v1.30.0", "0.yaml", 1), pod("", "1.yaml", variable="CCM"), pod("v1.31.2"), pod("v1.29.0"))[:count]
    found = FoundRelease(rivals=rivals)
    assert found.conflict == conflict
    assert found.target == TargetRelease("ccm", NEWEST, f"assumed: the newest, because {conflict}")
    assert found.target.is_assumed


JUDGED = (TargetRelease("ccm", NEWEST, "assumed: the newest"),)
BY_CSI = (TargetRelease("cinder-csi-plugin", catalog.newest("cinder-csi-plugin"), "--release"),)
OF_CSI = (JUDGED[0]._replace(consumer="cinder-csi-plugin"),)
AT_131 = (TargetRelease("ccm", catalog.release("v1.31.2"), "--release"),)
IN_TREE = "legacy-in-tree"
ANY_IN_TREE = TargetRelease(
    IN_TREE,
    catalog.newest(IN_TREE),
    "one of 1.16 to 1.25, because no single version of Kubernetes is found",
    catalog.minors(IN_TREE)[1:10],
)
NO_IN_TREE = TargetRelease(
    IN_TREE,
    catalog.newest(IN_TREE),
    "assumed: the newest with this provider, which Kubernetes 1.31.0 does not have",
)


@pytest.mark.parametrize(
    ("carried", "judged", "expected"),
    [
        (conf(), JUDGED, JUDGED),
        (conf("ccm"), JUDGED, JUDGED),
        (conf("cinder-csi-plugin", "ccm"), JUDGED, JUDGED),
        # what the command line names goes first, whoever reads the file
        (conf(IN_TREE), BY_CSI, BY_CSI),
        (conf("unheard-of"), BY_CSI, BY_CSI),
        (conf("cinder-csi-plugin"), JUDGED, OF_CSI),
        (conf("unheard-of", "cinder-csi-plugin"), JUDGED, OF_CSI),
        (conf("cinder-csi-plugin"), AT_131, (AT_131[0]._replace(consumer="cinder-csi-plugin"),)),
        (conf("unheard-of"), JUDGED, ()),
        (conf(IN_TREE), JUDGED, (ANY_IN_TREE,)),
        (
            conf(IN_TREE, kubernetes="v1.17.3"),
            JUDGED,
            (TargetRelease(IN_TREE, catalog.release("v1.17.3", IN_TREE), "from vars.yml"),),
        ),
        (
            conf(IN_TREE, kubernetes="v1.9.6"),
            JUDGED,
            (TargetRelease(IN_TREE, catalog.release("v1.9.6", IN_TREE), "from vars.yml"),),
        ),
        (
            conf(IN_TREE, kubernetes="v1.2.6"),
            JUDGED,
            (TargetRelease(IN_TREE, catalog.oldest(IN_TREE), "from vars.yml"),),
        ),
        (conf(IN_TREE, kubernetes="v1.31.0"), JUDGED, (NO_IN_TREE,)),
    ],
)
def test_what_a_file_of_another_reader_is_judged_by(
    carried: CarriedConf, judged: tuple[TargetRelease, ...], expected: tuple[TargetRelease, ...]
) -> None:
    assert own_reader(carried, judged) == expected


@pytest.mark.parametrize(("tag", "consumer"), [("", "ccm"), ("v9.9.9", "ccm"), ("v1.31.0", IN_TREE)])
def test_what_is_no_release(tag: str, consumer: str) -> None:
    assert known_release(tag, consumer) is None


def test_an_image_wins_over_the_chart_beside_it() -> None:
    chart, image = pod("v1.30.0"), pod("v1.31.2")._replace(image="x:v1.31.2")
    unknown, elsewhere = pod("v9.9.9")._replace(image="x:v9.9.9"), pod("v1.30.0", "b.yaml")
    assert without_overridden([chart, image]) == [image]
    assert without_overridden([chart, unknown]) == [chart, unknown]
    assert without_overridden([chart, image, elsewhere]) == [image, elsewhere]


def test_each_release_that_may_be_meant() -> None:
    assert [one.release.name for one in ANY_IN_TREE.each] == [f"1.{minor}" for minor in range(25, 15, -1)]
    assert TargetRelease("ccm", RELEASE, "--release").each == (TargetRelease("ccm", RELEASE, "--release"),)
    assert (ANY_IN_TREE.is_assumed, NO_IN_TREE.is_assumed) == (False, True)


def test_several_images_without_a_release_leave_what_all_may_be() -> None:
    old = pod("")._replace(image="docker.io/k8scloudprovider/openstack-cloud-controller-manager:latest")
    assert FoundRelease(unnamed=(old, old)).left[0].name == "v1.26.2"
    assert FoundRelease(unnamed=(old, pod("")._replace(image="x/openstack-cloud-controller-manager:latest"))).left == ()
    assert NOTHING_FOUND.left == ()


def test_a_default_is_assumed_and_what_runs_goes_before_it() -> None:
    default = pod("v1.27.1", "cluster.yaml", 6, subject="cloud_provider_tag")._replace(is_default=True)
    found = agreed([default])
    assert found is not None
    assert found.target.source == "assumed: the default of cloud_provider_tag in cluster.yaml"
    assert (found.target.release.name, found.target.is_assumed) == ("v1.27.1", True)
    assert agreed([default, pod("v1.31.2")]) == FoundRelease(RELEASE, pod("v1.31.2"))
    assert agreed([default, default._replace(release="v1.28.0")]) is not None


def test_why_a_release_is_unknown() -> None:
    found = FoundRelease(unnamed=(pod("", "ccm.yaml", 9),))
    assert (found.unknown, found.origin) == (
        "ccm.yaml:9 names no known release",
        "assumed: the newest, because ccm.yaml:9 names no known release",
    )
    assert (NOTHING_FOUND.unknown, NOTHING_FOUND.origin) == ("", "assumed: the newest")
    assert FoundRelease(RELEASE, pod("v1.31.2", "ccm.yaml", 9)).origin == "ccm.yaml:9"


def test_the_version_of_the_cluster_stands_in_where_nothing_says_a_release() -> None:
    unnamed = FoundRelease(unnamed=(CcmPod("ccm.yaml", "DaemonSet a", image="x:latest"),))
    known = FoundRelease(RELEASE, pod("v1.31.2"))
    rivals = FoundRelease(rivals=(pod("1.30"), pod("1.31")))
    for found in (known, rivals):
        assert found.in_cluster("v1.30.4") is found
    for found in (NOTHING_FOUND, unnamed):
        assert found.in_cluster("") is found
        inside = found.in_cluster("v1.30.4")
        assert (inside.kubernetes, inside.unnamed) == (KubernetesVersion("v1.30.4", "", 0), found.unnamed)
        assert inside.target.source == inside.origin == "assumed: that of Kubernetes 1.30.4"


@pytest.mark.parametrize(
    ("version", "where"),
    [
        (KubernetesVersion("v1.30.4", "", 0), ""),
        (KubernetesVersion("v1.30.4", "vars.yml", 0), " in vars.yml"),
        (KubernetesVersion("1.30.4", "vars.yml", 7), " in vars.yml:7"),
    ],
)
def test_where_the_version_of_kubernetes_stands(version: KubernetesVersion, where: str) -> None:
    assert FoundRelease(kubernetes=version).target.source == f"assumed: that of Kubernetes 1.30.4{where}"


def test_a_default_is_where_no_release_comes_from() -> None:
    known = FoundRelease(RELEASE, pod("v1.31.2", line=9))
    assert (known.place, known.origin) == ("ccm.yaml:9", "ccm.yaml:9")
    default = FoundRelease(RELEASE, pod("v1.31.2", line=9, subject="occm_tag")._replace(is_default=True))
    assert (default.place, default.origin) == ("ccm.yaml:9", "assumed: the default of occm_tag in ccm.yaml")
    assert NOTHING_FOUND.origin == NOTHING_FOUND.target.source


def test_a_driver_s_file_is_judged_by_the_releases_that_the_driver_has() -> None:
    older = tuple(catalog.release(name) for name in ("v1.26.1", "v1.26.0", "v1.12.0"))
    judged = TargetRelease("ccm", catalog.release("v1.26.2"), "one of", older)
    (of_driver,) = own_reader(conf("cinder-csi-plugin"), (judged,))
    assert (of_driver.consumer, of_driver.release, of_driver.older) == ("cinder-csi-plugin", judged.release, older)
    (of_kms,) = own_reader(conf("barbican-kms-plugin"), (judged,))
    assert of_kms.older == older[:2]  # which there was not yet at 1.12
    both = conf("cinder-csi-plugin", "ccm")
    assert own_reader(both, (judged,)) == (judged,)
    assert judged.each == (judged, *(judged._replace(release=one) for one in older))
