"""A CCM image from the old registry, with a moving tag, or of the wrong release."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import FIRST_IN_REGISTRY, MOST_SKEW, OLD_REGISTRIES, REGISTRY, REGISTRY_SINCE
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest

_TAGGED = ", with the newest tag of the cluster's minor release"


def check(manifest: Manifest) -> Problems:
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
            "The CCM there has no bug fixes of later releases"
            + ("; without a fixed tag each restart may run another release." if is_moving else "."),
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
            f"this is CCM 1.{ccm_minor}, and the cluster runs Kubernetes 1.{kubernetes_minor}",
            "Each CCM is built for and tested with Kubernetes of the same minor release.",
            f"Use a tag v1.{kubernetes_minor}.x.",
        )
