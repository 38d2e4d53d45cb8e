"""A CCM image from the old registry, with a moving tag, or of the wrong release.

What it does: finds images of the old registry of releases that the new one has, too, images without a fixed tag, and,
where the Kubernetes version is known, a CCM that is more than one minor release away from it.

Why: keys, annotations and defaults depend on the image. The old registry gets no new images; elsewhere `latest`
may be another release after each restart.

What the CCM does: it is built for the Kubernetes API of its own minor release, and tested with that release only.

Releases: all

Fix: none; choose the tag of the cluster's minor release in `registry.k8s.io/provider-os`.

Source: cloud-provider-openstack#2169 (0836917af); Kubernetes version skew policy
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import FIRST_IN_REGISTRY, MOST_SKEW, OLD_REGISTRIES, REGISTRY, REGISTRY_SINCE
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules._support.workload import KINDS, workload
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "ccm-image-skew",
    "A CCM image from the old registry, with a moving tag, or of the wrong release",
    Severity.WARNING,
    per_release=False,
    kinds=KINDS,
    needs=("the Kubernetes version",),
)

_POD = """\
kind: Pod
metadata:
  name: ccm
spec:
  containers:
    - name: ccm
      image: {}
"""
_CCM = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
_AT_1_33 = RunContext(facts=ClusterFacts(kubernetes_version="1.33"))

BAD = (
    Case(_POD.format("docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.25.6"), at=(7, 14)),
    Case(_POD.format(_CCM + ":latest"), at=(7, 14)),
    Case(_POD.format(_CCM + ":v1.31.2"), at=(7, 14), run_context=_AT_1_33),
    Case(_POD.format("k8scloudprovider/openstack-cloud-controller-manager"), at=(7, 14), shown=False),
    Case(_POD.format("docker.io/k8scloudprovider/openstack-cloud-controller-manager:latest"), at=(7, 14), shown=False),
    Case(_POD.format(f"'{_CCM}:v1.35.0'"), at=(7, 14), run_context=_AT_1_33, shown=False),
    Case(
        _POD.format("k8scloudprovider/openstack-cloud-controller-manager:v0.1.0"),
        at=(7, 14),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.12")),
        shown=False,
    ),
)
GOOD = (
    Case(_POD.format(_CCM + ":v1.31.2")),
    Case(_POD.format("docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.19.2")),
    Case(_POD.format("docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.24.5"), shown=False),
    Case(_POD.format(_CCM + ":v1.32.0"), run_context=_AT_1_33),
    Case(_POD.format(_CCM + ":${TAG}"), run_context=_AT_1_33, template=True),
    Case(
        _POD.format("k8scloudprovider/openstack-cloud-controller-manager:v0.2.0"),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.11")),
        shown=False,
    ),
    Case(_POD.format("registry.example.com:5000/k8scloudprovider/openstack-cloud-controller-manager:v1.31.2")),
    Case(_POD.format(_CCM + "@sha256:" + "0" * 64), run_context=_AT_1_33),
    Case(_POD.format("docker.io/k8scloudprovider/cinder-csi-plugin:latest"), shown=False),
    Case(_POD.format("openstack-cloud-controller-manager"), shown=False),
)

_TAGGED = ", with the newest tag of the cluster's minor release"


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the registry, the tag and its release."""
    ccm = workload(manifest)
    if ccm is None or manifest.has_mark(ccm.image):
        return
    image = ccm.image.value
    name, _, tag = image.rpartition("/")[2].partition(":")
    # nothing publishes the bare name, so an operator or a script puts the image in its place
    is_moving = "/" in image and (tag == "latest" or not (tag or "@" in name))
    release = known_release(ccm.pod.release)
    is_only_there = release is not None and not release.at_least(FIRST_IN_REGISTRY)
    if image.startswith(OLD_REGISTRIES) and not is_only_there:
        yield Problem(
            ccm.image.content,
            f"this registry gets no new images since {REGISTRY_SINCE}",
            "The CCM there has no bug fixes of later releases.",
            f"Use the image from {REGISTRY}{_TAGGED if is_moving else ''}.",
        )
    elif is_moving:
        yield Problem(
            ccm.image.content,
            "without a fixed tag each restart may run another CCM release",
            "The keys of cloud.conf and their defaults depend on the release.",
            "Write a tag, such as the newest of the cluster's minor release.",
        )
    ccm_minor = release.minor if release is not None else minor_of(ccm.pod.release)
    kubernetes_minor = minor_of(manifest.run_context.facts.kubernetes_version)
    if ccm_minor is not None and kubernetes_minor is not None and abs(ccm_minor - kubernetes_minor) > MOST_SKEW:
        yield Problem(
            ccm.image.content,
            f"CCM 1.{ccm_minor} with Kubernetes 1.{kubernetes_minor}",
            "Each CCM is built for and tested with Kubernetes of the same minor release.",
            f"Use a tag v1.{kubernetes_minor}.x.",
        )
